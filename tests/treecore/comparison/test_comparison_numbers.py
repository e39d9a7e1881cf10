"""Test a comparison of regression methods against obvious loops."""

import json

import numpy as np
import pytest
from sklearn.tree import DecisionTreeRegressor

from treecore import TAORegressor
from treecore.comparison import Cell, Method, PathMethod, compare, corrected_paired_test
from treecore.comparison.folds import inner_folds, outer_folds
from treecore.comparison.tables import header, table_rows
from treecore.tree.quantity import Quantity

DEPTHS = [1, 2, 4]


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 3))
    return X, np.round(50 * X[:, 0] + 20 * (X[:, 1] > 0) + 5 * rng.normal(size=120), 1)


@pytest.fixture(scope="module")
def found(rows):
    methods = [
        Method("tree", "Tree", DecisionTreeRegressor(), {"max_depth": DEPTHS}),
        PathMethod("tao", "TAO", TAORegressor(split="univariate", init="cart", max_depth=3), n_lambdas=5),
        *("cart", "nearest_neighbours"),
    ]
    return compare(*rows, methods, cv=4, n_jobs=1, keep_paths=1, target=Quantity.of(rows[1], "km"))


def test_settings_are_chosen_by_the_root_mean_squared_error_of_inner_rows(rows, found):
    X, y = rows
    folds = outer_folds(X, y, 4, 0, found.target)
    assert [len(fold.test) for fold in folds] == [30] * 4
    for cell in found.of("tree"):
        train, test = folds[cell.fold]
        squares = np.zeros(len(DEPTHS))
        for fit, held in inner_folds(y[train], 3, cell.fold, found.target):
            for place, depth in enumerate(DEPTHS):
                model = DecisionTreeRegressor(max_depth=depth, random_state=cell.fold).fit(X[train[fit]], y[train[fit]])
                squares[place] += ((model.predict(X[train[held]]) - y[train[held]]) ** 2).sum()
        errors = np.sqrt(squares / len(train))
        assert [point.validation_error for point in cell.curve] == pytest.approx(errors.tolist())
        depth = DEPTHS[int(errors.argmin())]
        assert cell.setting == f"max_depth {depth}"
        predicted = (
            DecisionTreeRegressor(max_depth=depth, random_state=cell.fold).fit(X[train], y[train]).predict(X[test])
        )
        np.testing.assert_array_equal(cell.predicted, predicted)
        np.testing.assert_array_equal(found.truth[cell.fold], y[test])
        assert cell.test_error == pytest.approx(np.sqrt(np.mean((predicted - y[test]) ** 2)))


def test_figures_of_numbers(found):
    summary = found.summary().set_index("method")
    for name in found.methods:
        explained, distance = [], []
        for cell in found.of(name):
            truth = found.truth[cell.fold]
            explained.append(1 - np.sum((cell.predicted - truth) ** 2) / np.sum((truth - truth.mean()) ** 2))
            distance.append(np.abs(cell.predicted - truth).mean())
        assert summary.loc[name, "R²"] == pytest.approx(np.mean(explained))
        assert summary.loc[name, "MAE"] == pytest.approx(np.mean(distance))
    test = found.paired_test("tao", "cart")
    assert test == corrected_paired_test(found.errors("tao"), found.errors("cart"), 90, 30)


def test_errors_by_range_and_confusions(found):
    target = found.target
    truth, predicted = np.concatenate(found.truth), np.concatenate([cell.predicted for cell in found.of("cart")])
    groups = target.group_of(truth)
    counts, errors = found.confusion("cart"), found.group_errors("cart")
    for group in range(len(target.groups)):
        inside = groups == group
        assert counts[group].sum() == inside.sum()
        assert counts[group, group] == (target.group_of(predicted[inside]) == group).sum()
        if inside.any():
            assert errors[group] == pytest.approx(np.sqrt(np.mean((predicted - truth)[inside] ** 2)))
        else:
            assert np.isnan(errors[group])


def test_the_table_has_the_unit_and_the_other_figures(found):
    names, rows = header(found.target), table_rows(found, "tree")
    assert names[:6] == ("method", "test RMSE km", "standard error", "training error", "R²", "MAE")
    for row, one in zip(rows, found.summary().itertuples(), strict=True):
        assert len(row) == len(names)
        assert float(row[1]) == pytest.approx(one.test_error, rel=1e-3)
    assert "km" in found.target.error_text(found.errors("cart")[0])


def test_cells_of_numbers_come_back_from_json(found):
    for cell in found.cells:
        again = Cell.from_dict(json.loads(json.dumps(cell.to_dict(), allow_nan=False)))
        assert again.to_dict() == cell.to_dict()
        assert again.predicted.dtype == np.float64
    assert {cell.method for cell in found.cells if cell.path} == {"tao", "cart"}


def test_fractions_are_numbers_and_whole_numbers_are_classes_unless_said(rows):
    X, y = rows
    tree = [Method("tree", "Tree", DecisionTreeRegressor(max_depth=2))]
    assert compare(X, y, tree, cv=2, n_jobs=1).target.is_root
    whole = np.rint(y / 100)
    assert not compare(X, whole, tree, cv=[(np.arange(60), np.arange(60, 120))], n_jobs=1).target.is_root
    assert compare(X, whole, tree, cv=2, n_jobs=1, target=Quantity.of(whole)).target.is_root
