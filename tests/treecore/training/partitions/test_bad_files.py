"""Test that files that cannot be used give a DataError that names the file."""

import numpy as np
import pandas
import pytest

from tests.refusals import refused
from treecore import DataError, ParameterError, TAOClassifier, TAORegressor

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
    return kind(split="univariate", init="cart", max_leaf_nodes=8, **parameters).fit(folder, target)


CHANGES = {
    "absent": (lambda t: t.drop(columns="b"), "absent"),
    "more": (lambda t: t.assign(z=1), "more_columns"),
    "type": (lambda t: t.assign(b="x"), "other_type"),
    "nan": (lambda t: t.assign(b=t.b.where(t.b < 1)), "not_finite"),
    "infinity": (lambda t: t.assign(b=t.b.where(t.b < 1, np.inf)), "not_finite"),
    "large": (lambda t: t.assign(b=t.b.astype(float) * 1e200), "too_large"),
    "no_target": (lambda t: t.assign(y=t.y.astype("Int64").where(t.a < 1)), "missing_target"),
    "texts": (lambda t: t.assign(b=t.b.astype(str)), "other_type"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_one_file_that_differs_is_named(tables, tmp_path, name):
    change, code = CHANGES[name]
    tables[1] = change(tables[1])
    with pytest.raises(DataError, match="p1.parquet") as caught:
        fitted(tables, tmp_path)
    assert caught.value.code == f"partitions.{code}"


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


def test_a_column_of_many_texts_is_refused_in_the_first_part(tables, tmp_path):
    tables = [table.assign(b=[f"text {i}" for i in range(N)]) for table in tables]
    with pytest.raises(DataError, match="p[01].parquet.*'b' has 300 different strings"):
        fitted(tables, tmp_path)
    tables = [table.assign(b=[f"{k} {i % 40}" for i in range(N)]) for k, table in enumerate(tables)]
    with pytest.raises(DataError, match="'b' has 80 different strings"):
        fitted(tables, tmp_path)


def test_files_that_are_damaged_or_of_another_format(tables, tmp_path):
    fitted(tables, tmp_path)
    whole, model = (tmp_path / "p1.parquet").read_bytes(), TAOClassifier(split="univariate", init="cart")
    for content, code in ((whole[: len(whole) // 2], "damaged"), (b"", "empty"), (b"a,b\n1,2\n", "format")):
        (tmp_path / "p1.parquet").write_bytes(content)
        with pytest.raises(DataError, match="p1.parquet") as caught:
            model.fit(tmp_path, "y")
        assert caught.value.code == f"partitions.file.{code}"
    (tmp_path / "p1.parquet").write_bytes(whole)
    (tmp_path / "_SUCCESS").write_text("")
    assert model.fit(tmp_path, "y").tree_.n_leaves == 2
    with refused(DataError, "partitions.file.gone", path="none.parquet"):
        model.fit("none.parquet", "y")
    with refused(DataError, "partitions.no_files"):
        model.fit(tmp_path / "*.feather", "y")


def test_targets_and_weights_are_names_of_columns(tables, tmp_path):
    fitted(tables, tmp_path)
    model = TAOClassifier(split="univariate", init="cart")
    with refused(ParameterError, "partitions.target_name"):
        model.fit(tmp_path)
    with refused(ParameterError, "partitions.target_name"):
        model.fit(tmp_path, np.zeros(900))
    with refused(ParameterError, "partitions.weight_name"):
        model.fit(tmp_path, "y", np.zeros(900))
    with refused(DataError, "partitions.no_column", column="q"):
        model.fit(tmp_path, "q")
    with refused(DataError, "partitions.negative_weights"):
        model.fit(tmp_path, "y", "a")
    with refused(DataError, "partitions.no_classes"):
        model.fit(tmp_path, "a")
