"""Test training on files, queries and data sets of pyarrow that are read in parts."""

import tempfile
from pathlib import Path

import numpy as np
import pandas
import pytest

from tests.refusals import refused
from treecore import CARTClassifier, DataError, ParameterError, TAOClassifier, TAORegressor, regularization_path
from treecore.training.partitions.sources import file_source
from treecore.training.partitions.sources.file_source import FileSource
from treecore.training.partitions.sources.row_source import SubsetSource

pytest.importorskip("pyarrow")
PARAMETERS = {"split": "univariate", "init": "cart", "lam": 5.0, "max_leaf_nodes": 12, "random_state": 0}


def classifier(**parameters):
    return TAOClassifier(**PARAMETERS | parameters)


@pytest.fixture
def frame(rng):
    n = 3000
    found = pandas.DataFrame(rng.integers(0, 30, (n, 3)).astype(float), columns=list("abc"))
    found["colour"] = rng.choice(["red", "green", "blue"], n)
    found["y"] = np.where((found.a > 12) ^ (found.colour == "red"), "yes", "no")
    found.loc[rng.random(n) < 0.1, "y"] = "maybe"
    found["w"] = rng.integers(1, 4, n) * 0.5
    return found


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "rows").mkdir()
    return tmp_path / "rows"


def written(frame, folder, n_files=3):
    """Write the rows to files and return their tables."""
    found = [frame.iloc[rows].reset_index(drop=True) for rows in np.array_split(np.arange(len(frame)), n_files)]
    for i, one in enumerate(found):
        one.to_parquet(folder / f"p{i}.parquet", row_group_size=400)
    return found


def test_a_folder_gives_the_tree_of_the_same_rows_in_memory(frame, folder, monkeypatch):
    monkeypatch.setattr(file_source, "MOST_ROWS", 800)
    written(frame, folder)
    X = frame.drop(columns=["y", "w"])
    streamed = classifier().fit(folder, "y", "w")
    in_memory = classifier().fit(X, frame.y, frame.w)
    assert len(FileSource(folder, "y", "w").parts()) == 6
    assert streamed.tree_.n_leaves == in_memory.tree_.n_leaves == 4
    assert streamed.trace_[-1].objective == pytest.approx(in_memory.trace_[-1].objective)
    assert list(streamed.feature_names_in_) == list(X.columns)
    assert (streamed.predict(folder) == in_memory.predict(X)).all()
    assert (streamed.predict(X) == in_memory.predict(X)).all()
    np.testing.assert_allclose(streamed.predict_proba(str(folder / "*.parquet")), in_memory.predict_proba(X))


def test_scores_are_those_of_the_same_rows_in_memory(frame, folder):
    written(frame, folder)
    X = frame[["a", "b", "c"]]
    rows = FileSource(folder, "y", "w", list(X))
    for model in (classifier(), CARTClassifier(cv=None)):
        model.fit(rows)
        expected = model.score(X, frame.y, frame.w)
        assert model.score(rows) == model.score(folder, "y", "w") == pytest.approx(expected)
        assert model.score(folder, frame.y) == pytest.approx(model.score(X, frame.y))
    model = TAORegressor(**PARAMETERS).fit(FileSource(folder, "a", features=["b", "c"]))
    assert model.score(folder, "a") == pytest.approx(model.score(frame[["b", "c"]], frame.a))


def test_balanced_classes_count_rows_and_not_their_weights(frame, folder):
    frame.loc[frame.y == "maybe", "w"] = 0.0
    written(frame, folder)
    streamed = classifier(class_weight="balanced").fit(folder, "y", "w")
    in_memory = classifier(class_weight="balanced").fit(frame.drop(columns=["y", "w"]), frame.y, frame.w)
    assert streamed.trace_[-1].objective == pytest.approx(in_memory.trace_[-1].objective)
    assert streamed.classes_.tolist() == ["maybe", "no", "yes"]


def test_queries_data_sets_and_lists_give_the_same_tree(frame, folder):
    polars, duckdb = pytest.importorskip("polars"), pytest.importorskip("duckdb")
    from pyarrow import dataset

    written(frame, folder)
    known = classifier().fit(str(folder), "y", "w")
    files, before = sorted(folder.glob("*")), set(Path(tempfile.gettempdir()).glob("treecore-rows-*"))
    relation = duckdb.sql(f"select * from '{folder}/*.parquet'")
    for rows in (files, folder / "p*.parquet", dataset.dataset(folder), polars.scan_parquet(files), relation):
        other = classifier().fit(rows, "y", "w")
        assert other.tree_ == known.tree_
        assert (other.predict(rows) == known.predict(folder)).all()
    assert set(Path(tempfile.gettempdir()).glob("treecore-rows-*")) <= before


def test_a_query_that_fails_leaves_no_files():
    polars = pytest.importorskip("polars")
    before = set(Path(tempfile.gettempdir()).glob("treecore-rows-*"))
    with refused(DataError, "The LazyFrame cannot be evaluated"):
        classifier().fit(polars.LazyFrame({"a": [1.0]}).select("b"), "y")
    with refused(DataError, "the target is missing or infinite in 1 row"):
        classifier().fit(polars.LazyFrame({"a": [1.0, 2.0], "y": [1, None]}), "y")
    assert set(Path(tempfile.gettempdir()).glob("treecore-rows-*")) <= before


def test_values_are_float32_if_these_are_exact(folder):
    pandas.DataFrame({"a": [1, 2**24], "b": [0.5, np.nan], "c": [True, False], "y": [0, 1]}).to_parquet(
        folder / "a.parquet"
    )
    pandas.DataFrame({"a": [1, 2**24 + 1], "b": [0.1, 2.0], "c": [True, False], "y": [0, 1]}).to_parquet(
        folder / "b.parquet"
    )
    first, second = (part.read() for part in FileSource(folder, "y").parts())
    assert (first.X.dtype, second.X.dtype) == (np.float32, np.float64)
    np.testing.assert_array_equal(first.X, [[1, 0.5, 1], [2**24, np.nan, 0]])
    np.testing.assert_array_equal(second.X, [[1, 0.1, 1], [2**24 + 1, 2.0, 0]])


def test_feather_files_and_ordered_categories(frame, folder):
    frame["size"] = pandas.Categorical(np.where(frame.b > 15, "hi", "lo"), ["lo", "mid", "hi"], ordered=True)
    for i, one in enumerate(written(frame, folder)):
        (folder / f"p{i}.parquet").unlink()
        one.to_feather(folder / f"p{i}.feather")
    model = classifier().fit(folder, "y", "w")
    assert model.encoder_.levels == {4: ("lo", "mid", "hi")}
    assert model.tree_.n_leaves == 4


def test_categories_of_numbers_are_numbers_in_the_target(folder):
    table = pandas.DataFrame({"x": range(40), "y": pandas.Categorical(np.arange(40) // 20)})
    table.to_feather(folder / "rows.feather")
    assert classifier(lam=1.0).fit(folder, "y").classes_.tolist() == [0, 1]
    assert TAORegressor(**PARAMETERS | {"lam": 0.1}).fit(folder, "y").tree_.n_leaves == 2


def test_the_names_of_folders_add_a_column(frame, folder):
    for year, part in enumerate(np.array_split(np.arange(3000), 3), 2020):
        place = folder / f"year={year}"
        place.mkdir()
        frame.iloc[part].assign(y=(frame.a > 5 * (year - 2019)).astype(int)).to_parquet(
            place / "rows.parquet", index=False
        )
    model = classifier(lam=1.0).fit(FileSource(folder, "y", features=["a", "year"]))
    assert list(model.feature_names_in_) == ["a", "year"]
    assert model.initial_.loss == model.trace_[-1].loss == 0
    assert FileSource(f"{folder}/*/*.parquet", "y").feature_names == FileSource(folder, "y").feature_names


def test_categories_of_every_part_become_features(frame, folder):
    first, *_, last = written(frame, folder)
    last.assign(colour="white").to_parquet(folder / "p2.parquet")
    model = classifier().fit(folder, "y", "w")
    assert model.encoder_.columns[3] == ["blue", "green", "red", "white"]
    assert set(model.predict(folder)) <= {"yes", "no", "maybe"}
    assert first.colour.nunique() == 3


def test_a_path_of_files_is_the_path_in_memory(frame, folder):
    written(frame, folder)
    X = frame.drop(columns=["y", "w"])
    ours = regularization_path(classifier(), folder, "y", 5, folder, "y", sample_weight="w")
    same = regularization_path(classifier(), X, frame.y, 5, X, frame.y, sample_weight=frame.w)
    np.testing.assert_allclose(ours.lams, same.lams)
    for name in ("train_error", "validation_error", "validation_spread"):
        np.testing.assert_allclose(ours.to_frame()[name][1:], same.to_frame()[name][1:], atol=0.01)
    assert ours.n_validation == 3000
    with refused(ParameterError, "lams='critical' requires rows in memory"):
        regularization_path(classifier(), folder, "y", "critical")


def test_subsets_are_disjoint_and_the_same_in_every_reading(frame, folder):
    written(frame, folder)
    source = FileSource(folder, "y", "w")
    ranges = [(0.0, 0.25), (0.25, 1.0)]
    first, second = ([part.read() for part in SubsetSource(source, 3, [one]).parts()] for one in ranges)
    again = [part.read() for part in SubsetSource(source, 3, [ranges[0]]).parts()]
    assert sum(len(rows.y) for rows in [*first, *second]) == 3000
    assert 600 < sum(len(rows.y) for rows in first) < 900
    assert all((a.y == b.y).all() for a, b in zip(first, again, strict=True))


@pytest.mark.parametrize("parameters", [{"cv": None, "max_depth": 3}, {"cv": 3, "min_samples_leaf": 60}])
def test_cart_of_files_is_as_good_as_in_memory(frame, folder, parameters):
    written(frame, folder)
    X = pandas.get_dummies(frame.drop(columns=["y", "w"]), dtype=float)
    ours = CARTClassifier(random_state=0, **parameters).fit(folder, "y", "w")
    same = CARTClassifier(random_state=0, **parameters).fit(X, frame.y, frame.w)
    assert ours.tree_.n_leaves == same.tree_.n_leaves
    assert abs(ours.grown_.n_leaves - same.grown_.n_leaves) <= 3  # ties
    assert ours.score(folder, frame.y) == same.score(X, frame.y)
    if parameters["cv"]:
        np.testing.assert_allclose(ours.cv_errors_[-3:], same.cv_errors_[-3:], atol=0.02)


def test_regression_of_a_column(frame, folder):
    written(frame, folder)
    frame["z"] = 3.0 * (frame.a > 12) + frame.b
    frame.to_parquet(folder / "p0.parquet")
    source = FileSource(folder / "p0.parquet", "z", features=["a", "b", "c"])
    model = TAORegressor(**PARAMETERS | {"lam": 20.0}).fit(source)
    same = TAORegressor(**PARAMETERS | {"lam": 20.0}).fit(frame[["a", "b", "c"]], frame.z)
    assert model.trace_[-1].objective == pytest.approx(same.trace_[-1].objective, rel=0.02)


def test_the_tree_of_the_last_pass_is_kept_if_a_file_is_removed(rng, folder):
    frame = pandas.DataFrame(rng.normal(size=(3000, 3)), columns=list("abc"))
    frame["y"] = (frame.a * frame.b > 0).astype(int)
    written(frame, folder)

    def remove(step):
        (folder / "p1.parquet").unlink(missing_ok=True)

    model = classifier(lam=1.0, callback=remove)
    with pytest.warns(UserWarning, match="tree of the last complete pass was kept.*p1.parquet does not exist"):
        model.fit(folder, "y")
    kept = frame[["a", "b", "c"]]
    errors = np.count_nonzero(model.predict(kept) != frame.y)
    assert errors == model.trace_[-1].loss < 3000 * 0.4
