"""Test that files that cannot be used give a DataError that names the file."""

import errno
import os
import tempfile

import numpy as np
import pandas
import pytest

from tests.refusals import is_said, refused
from treecore import DataError, DataWarning, FileSource, ParameterError, TAOClassifier, TAORegressor
from treecore.messages import literal
from treecore.training.partitions import partitioned_run

pytest.importorskip("pyarrow")
N = 300


@pytest.fixture
def tables(rng):
    frame = pandas.DataFrame(rng.normal(size=(3 * N, 3)).astype(np.float32), columns=list("abc"))
    frame["y"] = (frame.a > 0).astype(int)
    return [frame.iloc[i * N : (i + 1) * N].reset_index(drop=True) for i in range(3)]


def fitted(tables, folder, target="y", kind=TAOClassifier, **parameters):
    for i, table in enumerate(tables):
        table.to_parquet(folder / f"p{i}.parquet")
    return kind("univariate", init="cart", max_leaf_nodes=8, **({"lam": 1.0} | parameters)).fit(folder, target)


CHANGES = {
    "absent": (lambda t: t.drop(columns="b"), "does not have the columns … of"),
    "more": (lambda t: t.assign(z=1), "has the columns …, which … does not have"),
    "type": (lambda t: t.assign(b="x"), "column … has the type …, but … in"),
    "nan": (lambda t: t.assign(b=t.b.where(t.b < 1)), "column … has missing or infinite values"),
    "infinity": (lambda t: t.assign(b=t.b.where(t.b < 1, np.inf)), "column … has missing or infinite values"),
    "large": (lambda t: t.assign(b=t.b.astype(float) * 1e200), "column … has values larger than … in absolute value"),
    "no_target": (lambda t: t.assign(y=t.y.astype("Int64").where(t.a < 1)), "the target is missing or infinite in"),
    "texts": (lambda t: t.assign(b=t.b.astype(str)), "column … has the type …, but … in"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_one_file_that_differs_is_named(tables, tmp_path, name):
    change, code = CHANGES[name]
    tables[1] = change(tables[1])
    with pytest.raises(DataError, match="p1.parquet") as caught:
        fitted(tables, tmp_path)
    assert is_said(str(caught.value), code)


def test_other_orders_empty_parts_and_rare_classes_are_supported(tables, tmp_path):
    tables[0] = tables[0][["y", "c", "b", "a"]]
    tables[1] = tables[1].iloc[:0]
    tables[2].loc[N // 2 :, "y"] = 7
    model = fitted(tables, tmp_path)
    assert model.classes_.tolist() == [0, 1, 7]
    assert model.tree_.n_samples[0] == 2 * N
    assert list(model.feature_names_in_) == ["c", "b", "a"]


def test_a_constant_target_gives_a_leaf(tables, tmp_path):
    tables = [table.assign(y=3) for table in tables]
    for kind in (TAOClassifier, TAORegressor):
        assert fitted(tables, tmp_path, kind=kind).tree_.n_leaves == 1


def test_missing_values_in_one_file_are_learned(tables, tmp_path):
    tables[1] = tables[1].assign(b=None)
    assert fitted(tables, tmp_path, missing="learn").tree_.n_leaves == 2


def test_a_column_of_many_texts_has_a_group(tables, tmp_path):
    tables = [table.assign(b=[f"text {i}" for i in range(N)]) for table in tables]
    with pytest.warns(DataWarning, match="'b' has 300 categories"):
        fitted(tables, tmp_path)
    tables = [table.assign(b=[f"{k} {i % 40}" for i in range(N)]) for k, table in enumerate(tables)]
    with pytest.warns(DataWarning, match="'b' has 120 categories"):
        fitted(tables, tmp_path)


def test_files_that_are_damaged_or_of_another_format(tables, tmp_path):
    fitted(tables, tmp_path)
    whole, model = (tmp_path / "p1.parquet").read_bytes(), TAOClassifier("univariate", 1.0, init="cart")
    for content, code in (
        (whole[: len(whole) // 2], "cannot be read: …. Write the file again"),
        (b"", "is empty. Remove the file, or write it again"),
        (b"a,b\n1,2\n", "is not a Parquet, Arrow or Feather file"),
    ):
        (tmp_path / "p1.parquet").write_bytes(content)
        with pytest.raises(DataError, match="p1.parquet") as caught:
            model.fit(tmp_path, "y")
        assert is_said(str(caught.value), code)
    (tmp_path / "p1.parquet").write_bytes(whole)
    (tmp_path / "_SUCCESS").write_text("")
    assert model.fit(tmp_path, "y").tree_.n_leaves == 2
    with refused(DataError, "none.parquet does not exist"):
        model.fit("none.parquet", "y")
    with refused(DataError, "contains no files. Check the path"):
        model.fit(tmp_path / "*.feather", "y")


def test_targets_and_weights_are_names_of_columns(tables, tmp_path):
    fitted(tables, tmp_path)
    model = TAOClassifier("univariate", 1.0, init="cart")
    with refused(ParameterError, "y=…: expected the name of the target column, because X is read in parts"):
        model.fit(tmp_path)
    with refused(ParameterError, "y=…: expected the name of the target column, because X is read in parts"):
        model.fit(tmp_path, np.zeros(900))
    with refused(ParameterError, "sample_weight=…: expected the name of a column, because X is read in parts"):
        model.fit(tmp_path, "y", np.zeros(900))
    with refused(DataError, "has no column 'q'. It has"):
        model.fit(tmp_path, "q")
    with refused(DataError, "the sample weights must be finite numbers >= 0"):
        model.fit(tmp_path, "y", "a")
    with refused(DataError, "the target contains numbers that are not whole, such as"):
        model.fit(tmp_path, "a")


def test_parameters_that_are_arrays_are_refused_or_empty(tables, tmp_path):
    for name in ("monotonic_cst", "feature_costs"):
        with refused(
            ParameterError,
            (f"{name}=…: rows that are read in parts require {name}=…. Use this value, or load the rows into memory"),
        ):
            fitted(tables, tmp_path, **{name: np.ones(3)})
    with refused(ParameterError, "frozen=…: rows that are read in parts require frozen="):
        fitted(tables, tmp_path, frozen=np.array([1, 2]))
    assert fitted(tables, tmp_path, frozen=np.array([], int)).tree_.n_leaves == 2
    with pytest.raises(ParameterError, match="'x' cannot be used to seed"):
        fitted(tables, tmp_path, random_state="x")


def test_sources_with_invalid_parameters(tables, tmp_path):
    fitted(tables, tmp_path)
    for memory in (0, -1, "2GB"):
        with pytest.raises(ParameterError, match="memory="):
            FileSource(tmp_path, "y", memory=memory)
    for features in ("a", ["a", "a"], ["a", "y"]):
        with refused(
            ParameterError,
            (
                f"features={literal(features, 60)}: expected a list of different names, without the target and the "
                "weight"
            ),
        ):
            FileSource(tmp_path, "y", features=features)
    dataset = pytest.importorskip("pyarrow.dataset")
    with refused(DataError, "X is a pyarrow.dataset with a filter"):
        FileSource(dataset.dataset(tmp_path).filter(dataset.field("a") > 0), "y")


def test_columns_of_the_same_name_and_weights_of_text(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    column = pyarrow.array(["1", "2"])
    parquet.write_table(pyarrow.table([column, column], ["x", "x"]), tmp_path / "same.parquet")
    parquet.write_table(pyarrow.table([column, column], ["x", "w"]), tmp_path / "text.parquet")
    with refused(DataError, f"{str(tmp_path / 'same.parquet')} has several columns with the name 'x'"):
        FileSource(tmp_path / "same.parquet")
    with refused(DataError, "column 'w' has the type string, but sample weights must be numbers"):
        FileSource(tmp_path / "text.parquet", weight="w")


def test_targets_of_regression_that_are_infinite_or_too_large(tables, tmp_path):
    for value, code in (
        (np.inf, "the target is missing or infinite in"),
        (1e300, "the target has values larger than … in absolute value"),
    ):
        changed = [table.assign(y=np.where(table.a > 0, value, 0.0)) for table in tables]
        with refused(DataError, code):
            fitted(changed, tmp_path, kind=TAORegressor)


def test_rows_that_cannot_be_predicted_name_the_file(tables, tmp_path):
    model = fitted(tables, tmp_path)
    tables[1].assign(b=np.nan).to_parquet(tmp_path / "p1.parquet")
    for method in (model.predict, lambda rows: model.score(rows, "y")):
        with pytest.raises(DataError, match=r"p1.parquet, rows 0 to 299: .* contains NaN"):
            method(tmp_path)


@pytest.mark.parametrize("change", [lambda t: t.iloc[::-1], lambda t: t.drop(columns="b"), lambda t: t.assign(b="x")])
def test_a_file_that_is_written_again_during_training_is_noticed(tables, tmp_path, change):
    tables = [table.assign(y=(table.a + table.b > 0).astype(int)) for table in tables]

    def write(step):
        change(tables[1]).reset_index(drop=True).to_parquet(tmp_path / "p1.parquet")

    with pytest.warns(UserWarning, match="p1.parquet") as caught:
        assert fitted(tables, tmp_path, callback=write).tree_.n_samples[0] == 3 * N
    assert is_said(
        str(caught[0].message.args[0]), "Training stopped early, and the tree of the last complete pass was kept"
    )


def test_a_full_disk_ends_in_words(tables, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    fitted(tables, tmp_path)
    monkeypatch.setattr(os, "posix_fallocate", full, raising=False)
    with refused(DataError, "cannot be written: No space left on device"):
        TAOClassifier("univariate", 1.0, init="cart").fit(FileSource(tmp_path, "y", memory=1))


def test_temporary_files_are_removed_after_an_interruption(tables, tmp_path, monkeypatch):
    def interrupt(*_):
        assert len(list(tmp_path.glob("treecore-rows-*"))) == 1
        raise KeyboardInterrupt

    fitted(tables, tmp_path)
    source = FileSource(str(tmp_path / "*.parquet"), "y", memory=1)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(partitioned_run, "histogram_cart", interrupt)
    with pytest.raises(KeyboardInterrupt):
        TAOClassifier("univariate", 1.0, init="cart").fit(source)
    assert not list(tmp_path.glob("treecore-rows-*"))
