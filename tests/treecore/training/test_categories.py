"""Test training with groups of categories: objectives, starts, DataFrames and arrays, and errors."""

from itertools import product

import numpy as np
import pandas
import pytest
import scipy.sparse

from treecore import DataError, ParameterError, TAOClassifier, TAOClassifierCV, TAORegressor, regularization_path
from treecore.data.training_data import TrainingData
from treecore.initial import greedy
from treecore.initial.best_group import best_group
from treecore.tree.working_tree import WorkingTree

SPLITS = [("univariate", "cart"), ("bivariate", "cart"), ("bivariate", "bivariate_cart"), ("univariate", "random")]


def table(n=400, seed=0, missing=False):
    rng = np.random.default_rng(seed)
    city, colour = rng.integers(0, 12, n), rng.integers(0, 3, n)
    size = rng.random(n).round(2)
    y = ((city % 3 == 0) & (size > 0.3)) | (colour == 1)
    y ^= rng.random(n) < 0.1
    frame = pandas.DataFrame(
        {"city": [f"c{i:02d}" for i in city], "colour": np.array(["red", "blue", "green"])[colour]}
    )
    frame["size"] = size
    if missing:
        frame.loc[rng.random(n) < 0.1, "city"] = None
        frame.loc[rng.random(n) < 0.1, "size"] = np.nan
    return frame, y.astype(int)


def objective(model, tree, X, y, lam):
    """Return the training objective of a tree, with one penalty for the categories of a column."""
    encoded = model.encoder_.transform(model, X)
    errors = float((tree.predict(encoded) != y).sum())
    names = np.array(model.encoder_.feature_names)
    columns = [{str(names[j]).partition(" = ")[0] for j in tree.split(node)[0]} for node in range(tree.n_nodes)]
    return errors + lam * sum(1.0 if len(one) == 1 else 1.25 if one else 0.0 for one in columns)


@pytest.mark.parametrize(("split", "init"), SPLITS)
@pytest.mark.parametrize("missing", [False, True])
def test_the_objective_falls_and_is_that_of_the_tree(split, init, missing):
    if missing and init == "bivariate_cart":
        return
    X, y = table(missing=missing)
    model = TAOClassifier(
        split=split, init=init, lam=3.0, categories="groups", missing="learn" if missing else "error", random_state=0,
        max_depth=4,
    ).fit(X, y)  # fmt: skip
    objectives = [model.initial_.objective, *(step.objective for step in model.trace_)]
    assert (np.diff(objectives) <= 1e-9).all()
    assert objectives[-1] == pytest.approx(objective(model, model.tree_, X, y, 3.0))


@pytest.mark.parametrize("extra", [{"refine": 2}, {"block": 2}, {"n_init": 3}, {"min_samples_leaf": 8}])
def test_further_searches_never_raise_the_objective(extra):
    X, y = table()
    given = {"split": "univariate", "init": "cart", "lam": 2.0, "categories": "groups", "random_state": 0}
    plain, more = (TAOClassifier(**given | part).fit(X, y) for part in ({}, extra))
    found = objective(more, more.tree_, X, y, 2.0)
    assert found == pytest.approx(more.trace_[-1].objective)
    if "min_samples_leaf" in extra:
        sizes = more.tree_.n_samples[more.tree_.left < 0]
        assert sizes.min() >= 8
    else:
        assert found <= objective(plain, plain.tree_, X, y, 2.0) + 1e-9


def test_groups_need_fewer_leaves_than_categories_on_their_own():
    X, y = table(2000)
    alone, groups = (
        TAOClassifier(split="univariate", init="cart", lam=5.0, categories=kind, random_state=0).fit(X, y)
        for kind in ("features", "groups")
    )
    assert groups.trace_[-1].objective < alone.trace_[-1].objective
    assert groups.get_n_leaves() < alone.get_n_leaves()
    assert "city in {c00, c03, c06, c09}" in str(groups.tree_)


def test_an_array_with_lists_of_features_gives_the_same_tree_as_a_frame():
    X, y = table()
    frame = TAOClassifier(split="univariate", init="cart", categories="groups", random_state=0).fit(X, y)
    encoded = frame.encoder_.transform(frame, X)
    columns = [list(group) for group in frame.encoder_.groups[:2]]
    named = pandas.DataFrame(encoded, columns=frame.encoder_.feature_names)
    for rows, categories in ((encoded, columns), (named, "groups")):
        other = TAOClassifier(split="univariate", init="cart", categories=categories, random_state=0).fit(rows, y)
        assert other.tree_.with_names(None).to_json() == frame.tree_.with_names(None).to_json()


def test_paths_critical_values_and_cross_validation_use_the_groups():
    X, y = table()
    base = TAOClassifier(split="univariate", init="cart", categories="groups", random_state=0)
    path = regularization_path(base, X, y, lams="critical")
    assert path.trees[-1].n_leaves == 1
    assert max(np.diff(path[0].tree.indptr)) > 1
    chosen = TAOClassifierCV(base, lams=[1.0, 4.0, 16.0], cv=3, rule="one_se", random_state=0).fit(X, y)
    assert max(np.diff(chosen.tree_.indptr)) > 1
    regression = TAORegressor(split="univariate", init="cart", categories="groups", lam=1.0, random_state=0).fit(X, y)
    assert max(np.diff(regression.tree_.indptr)) > 1


def test_a_tree_with_groups_is_a_start_for_univariate_splits():
    X, y = table()
    given = {"split": "univariate", "lam": 4.0, "random_state": 0}
    first = TAOClassifier(**given, init="cart", categories="groups").fit(X, y)
    again = TAOClassifier(**given, init=first.tree_, categories="groups").fit(X, y)
    assert again.trace_[-1].objective <= first.trace_[-1].objective
    with pytest.raises(ParameterError, match="more than 1 feature"):
        TAOClassifier(**given, init=first.tree_).fit(X, y)


@pytest.mark.parametrize("categories", ["values", 3, [["a"]], [[0, 1], [1, 2]], [[0, 99]], [[-1, 0]], [[]], np.eye(2)])
def test_wrong_categories_are_refused(categories):
    with pytest.raises(ParameterError, match="categories="):
        TAOClassifier(split="univariate", init="cart", categories=categories).fit(np.eye(4), [0, 0, 1, 1])


@pytest.mark.parametrize("X", [np.arange(12.0).reshape(4, 3), np.ones((4, 3))])
def test_features_that_are_not_categories_of_one_column_are_refused(X):
    with pytest.raises(DataError, match="not the categories of one column"):
        TAOClassifier(split="univariate", init="cart", categories=[[0, 1]]).fit(X, [0, 0, 1, 1])


def test_lists_of_categories_in_sparse_rows():
    model = TAOClassifier("univariate", 0.1, init="cart", categories=[[0, 1, 2, 3]])
    rows, y = np.repeat(np.eye(4), 9, axis=0), np.repeat([0, 1, 0, 1], 9)
    assert model.fit(rows, y).get_n_leaves() == 2
    assert model.fit(scipy.sparse.csr_matrix(rows), y).tree_ == model.fit(rows, y).tree_


def test_more_categories_than_rows():
    X = pandas.DataFrame({"name": list("abcdefghij")})
    y = np.arange(10) % 2
    model = TAOClassifier(split="univariate", init="cart", lam=0.5, categories="groups").fit(X, y)
    assert model.get_n_leaves() == 1  # no category has enough rows
    model = TAOClassifier(split="univariate", init="random", max_depth=1, lam=0.5, categories="groups").fit(X, y)
    assert model.score(X, y) == 1.0
    assert model.predict(pandas.DataFrame({"name": ["unknown"]})).shape == (1,)


@pytest.mark.parametrize("n_classes", [2, None])
def test_the_greedy_split_equals_brute_force_over_all_groups(n_classes, monkeypatch):
    monkeypatch.setattr("treecore.initial.best_group.LEAST_ROWS", 1)
    rng = np.random.default_rng(1)
    for _ in range(30):
        codes, weights = rng.integers(0, 5, 25), rng.integers(1, 4, 25).astype(float)
        X = (codes[:, None] == np.arange(5)).astype(float)
        y = rng.integers(0, 2, 25) if n_classes else rng.normal(size=25)
        data = TrainingData(X, y, n_classes, weights, categories=[range(5)])
        node = greedy.Node(data, np.arange(5), np.arange(25), data.weights, (0,))
        score, split = best_group(
            data.groups, node.points, node.channels, node.amounts, node.weights, node.n_channels, 0.0
        )
        assert score == pytest.approx(node.score(node.goes_right(split)))
        sides = (np.array(part)[codes] for part in product([False, True], repeat=5))
        assert score == pytest.approx(max(node.score(side) for side in sides))


def test_the_penalty_of_a_warm_start_is_that_of_the_columns():
    X, y = table()
    model = TAOClassifier(split="univariate", init="cart", lam=4.0, categories="groups").fit(X, y)
    encoded = model.encoder_.transform(model, X)
    data = TrainingData(encoded, y, 2, categories=model.encoder_.groups[:2])
    tree = WorkingTree.from_tree(model.tree_, lambda features, weights: float(data.groups.count(features)))
    assert tree.penalty() == model.tree_.n_leaves - 1


def test_rare_categories_go_with_the_larger_side_at_the_start():
    codes = np.repeat(np.arange(5), [30, 20, 25, 4, 1])
    X = (codes[:, None] == np.arange(5)).astype(float)
    y = np.isin(codes, [1, 3, 4]).astype(int)
    data = TrainingData(X, y, 2, categories=[range(5)])
    node = greedy.Node(data, np.arange(5), np.arange(80), data.weights, (0,))
    _, split = best_group(data.groups, node.points, node.channels, node.amounts, node.weights, node.n_channels, 0.0)
    assert split.features.tolist() == [1]
