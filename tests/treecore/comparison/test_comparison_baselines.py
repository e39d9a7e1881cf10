"""Test the baselines without trees: linear models and gradient boosting."""

import numpy as np
import pytest

from sample_data import load
from treecore.comparison import compare
from treecore.comparison.methods import METHODS, methods_for
from treecore.comparison.tables import NO_TREE, table_rows

NAMES = ("linear", "gradient_boosting")


@pytest.mark.parametrize("name", ["iris", "diabetes"])
def test_they_have_errors_and_no_sizes(name):
    data = load(name)
    found = compare(data.X, data.labels(), ["cart", *NAMES], cv=2, inner=2, n_jobs=1, target=data.target)
    assert not any(found.failures(method) for method in found.methods)
    for method in NAMES:
        assert all(cell.tree is None and cell.size.n_leaves is None for cell in found.of(method))
    remarks = {row[0]: row[-1] for row in table_rows(found, "cart")}
    assert remarks == {"CART, 1-SE": "", "Linear model": NO_TREE, "Gradient boosting": NO_TREE}


def test_a_linear_model_finds_a_linear_target():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((200, 3)) * [1.0, 100.0, 0.01]
    numbers = 1e6 * (X[:, 0] + X[:, 1] / 100 + X[:, 2] / 0.01)
    found = compare(X, numbers, ["cart", "linear"], cv=2, inner=2, n_jobs=1)
    assert found.errors("linear").max() < 0.01 * found.errors("cart").min()
    strengths = {cell.setting for cell in found.of("linear")}
    assert all(text.startswith("model__regressor__alpha") for text in strengths)
    found = compare(X, numbers > 0, ["cart", "linear"], cv=2, inner=2, n_jobs=1)
    assert found.errors("linear").max() < found.errors("cart").min()


def test_missing_values_are_imputed():
    data = load("iris")
    X = data.X.copy()
    X[::5, 1] = np.nan
    found = compare(X, data.labels(), list(NAMES), cv=2, inner=2, n_jobs=1)
    assert not any(found.failures(method) for method in NAMES)


def test_the_strength_is_selected_from_the_whole_grid():
    for target in (load("iris").target, load("diabetes").target):
        method = methods_for(target)["linear"]
        assert len(method.settings()) > 5
        assert {*method.settings()[0]} <= {*method.estimator.get_params()}
    assert METHODS["linear"].for_pixels().estimator.named_steps["scaling"] == "passthrough"
