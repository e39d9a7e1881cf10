"""Test improving an existing tree: the choice on the path equals a user's choice on rows that are kept aside."""

import numpy as np
import pandas
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from tests.refusals import refused
from treecore import ParameterError, TAOClassifier, from_sklearn, improve
from treecore.tree.metrics import error_of


def three_parts(X, y, seed=1):
    order = np.random.default_rng(seed).permutation(len(y))
    return [(X[part], y[part]) for part in np.array_split(order, 3)]


@pytest.mark.parametrize("load", [load_breast_cancer, load_diabetes])
def test_the_better_tree_is_the_best_of_the_smaller_ones(load):
    (X, y), validation, _ = three_parts(*load(return_X_y=True))
    model = (DecisionTreeRegressor if y.dtype.kind == "f" else DecisionTreeClassifier)(random_state=0).fit(X, y)
    given, found = from_sklearn(model), improve(model, X, y, *validation, lams=8)
    assert found.given == given
    assert found.given_error == pytest.approx(error_of(given, *validation))
    smaller = [point for point in found.path if point.n_leaves < given.n_leaves]
    assert found.point is min(smaller, key=lambda point: (point.validation_error, point.n_leaves))
    assert found.is_better == (found.point.validation_error <= found.given_error)
    assert all(np.diff(tree.indptr).max(initial=0) <= 1 for tree in found.path.trees)


def test_a_model_with_names_and_text_is_improved_with_lines(bundled):
    X, y = bundled("iris")
    X, y = pandas.DataFrame(X, columns=list("abcd")), np.array(["x", "y", "z"])[y]
    model = DecisionTreeClassifier(random_state=0).fit(X[::2], y[::2])
    estimator = TAOClassifier("bivariate", random_state=0)
    found = improve(model, X[::2], y[::2], X[1::2], y[1::2], estimator, lams=5)
    assert set(found.path[0].tree.classes.tolist()) == {"x", "y", "z"}
    assert not hasattr(estimator, "tree_")


def test_no_improvement_is_reported(bundled):
    X, y = bundled("iris")
    stump = from_sklearn(DecisionTreeClassifier(max_leaf_nodes=2).fit(X, y))
    found = improve(stump, X, y, X, y, lams=4)
    assert found.point.n_leaves == 1
    assert not found.is_better
    leaf = improve(found.point.tree, X, y, X, y, lams=4)
    assert leaf.point is None
    assert not leaf.is_better
    with refused(ParameterError, "Validation rows are needed to select the better tree"):
        improve(stump, X, y, X[:0], y[:0])


def test_groups_of_a_foreign_tree_stay_groups():
    lightgbm = pytest.importorskip("lightgbm")
    rng = np.random.default_rng(0)
    town, number = rng.integers(0, 30, 3000), rng.normal(size=3000)
    y = np.isin(town, [1, 4, 8, 9, 20, 21]) | (number > 1)
    y = (y ^ (rng.random(3000) < 0.1)).astype(int)
    X = pandas.DataFrame({"number": number, "town": pandas.Categorical.from_codes(town, [f"t{i}" for i in range(30)])})
    model = lightgbm.LGBMClassifier(
        n_estimators=1, num_leaves=25, min_child_samples=5, min_data_per_group=2, cat_smooth=1, n_jobs=1, verbose=-1
    ).fit(X[:2000], y[:2000])
    found = improve(model, X[:2000], y[:2000], X[2000:], y[2000:], lams=12)
    tree = found.point.tree
    assert tree.n_leaves == 3
    assert "town in {t1, t4, t8, t9, t20, t21}" in str(tree)
    assert found.point.validation_error < 0.11
