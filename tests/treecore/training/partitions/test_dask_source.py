"""Test Dask collections that are read in this process, and partitions that cannot be used."""

import numpy as np
import pandas
import pytest

from tests.refusals import is_said, refused
from treecore import CARTClassifier, DataError, TAOClassifier

pytest.importorskip("dask")
dataframe = pytest.importorskip("dask.dataframe")
array = pytest.importorskip("dask.array")
N = 300


@pytest.fixture
def frame(rng):
    found = pandas.DataFrame(rng.integers(0, 9, (N, 2)).astype(float), columns=["a", "b"])
    found["y"] = np.where(found.a > 4, "yes", "no")
    return found


def fitted(rows, target="y"):
    return TAOClassifier(split="univariate", init="cart", random_state=0).fit(rows, target)


def with_second(frame, change):
    """Return a collection whose second partition is the result of `change`, without the checks of Dask."""
    parts = list(dataframe.from_pandas(frame, npartitions=3).to_delayed())
    parts[1] = type(parts[1])(*_changed(parts[1], change))
    return dataframe.from_delayed(parts, meta=frame, verify_meta=False)


def _changed(part, change):
    import dask

    other = dask.delayed(change)(part)
    return other.key, other.dask


@pytest.mark.parametrize("colours", [False, True])
def test_empty_partitions_are_supported(frame, colours):
    if colours:
        frame["colour"] = np.where(frame.b > 4, "red", "blue")
    rows = dataframe.from_pandas(frame, npartitions=2)
    rows = dataframe.concat([rows[rows.a > 100], rows, rows[rows.a > 100]])
    X = rows.drop(columns="y")
    model = fitted(rows)
    assert model.tree_ == fitted(dataframe.from_pandas(frame, npartitions=2)).tree_
    assert (model.predict(X) == frame.y).all()
    assert CARTClassifier(cv=2, random_state=0).fit(rows, "y").tree_.n_leaves == 2
    with refused(DataError, "contains no rows. Check the file"):
        model.predict(X[X.a > 100])


def fail(part):
    raise RuntimeError("broken")


CHANGES = {
    "failed": (fail, "cannot be computed"),
    "nan": (lambda t: t.assign(a=np.nan), "column … has missing or infinite values"),
    "infinity": (lambda t: t.assign(a=np.inf), "column … has missing or infinite values"),
    "renamed": (lambda t: t.rename(columns={"b": "c"}), "does not have the columns … of the training rows"),
    "text": (lambda t: t.assign(a="x"), "column … has another kind of values than in … (…)"),
    "dates": (lambda t: t.assign(a=pandas.Timestamp("2025-01-01")), ""),
    "target": (lambda t: t.assign(y=1), "the target has another kind of values than in … (numbers and text)"),
    "targets": (lambda t: t.assign(y=[1, *t.y[1:]]), "the target contains both texts and numbers"),
    "no_target": (
        lambda t: t.assign(y=pandas.array([1, *[None] * (len(t) - 1)], "Int64")),
        "the target is missing or infinite in",
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_one_partition_that_differs_is_named(frame, name):
    change, code = CHANGES[name]
    with pytest.raises(DataError, match="partition 1") as caught:
        fitted(with_second(frame, change))
    assert is_said(str(caught.value), code)


def test_partitions_with_other_orders_and_more_columns_are_supported(frame):
    expected = fitted(dataframe.from_pandas(frame, npartitions=3)).tree_
    assert fitted(with_second(frame, lambda t: t.assign(c=1)[["y", "c", "b", "a"]])).tree_ == expected


def test_levels_that_differ_name_both_partitions(frame):
    frame["size"] = pandas.Categorical(np.where(frame.b > 4, "l", "s"), ["s", "l"], ordered=True)
    with refused(DataError, "partition 1: column … has the ordered levels …, but … in partition 0"):
        fitted(with_second(frame, lambda t: t.assign(size=t["size"].cat.reorder_categories(["l", "s"]))))


def test_shapes_and_names_that_cannot_be_used(frame):
    with refused(DataError, "X has 1 axes: expected"):
        fitted(array.zeros(10, chunks=5), array.zeros(10, chunks=5))
    with refused(DataError, "y has 2 axes: expected …. Reshape the array"):
        fitted(array.zeros((10, 2), chunks=5), array.zeros((10, 2), chunks=5))
    with refused(DataError, "y=…: expected the name of a column"):
        fitted(array.zeros((10, 2), chunks=5), np.zeros(10))
    with refused(DataError, "has several columns with the name 'a'"):
        fitted(dataframe.from_pandas(pandas.concat([frame, frame[["a"]]], axis=1), npartitions=2))
