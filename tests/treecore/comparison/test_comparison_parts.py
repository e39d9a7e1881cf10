"""Test folds, cells, sizes, time limits and choices of a comparison."""

import json
import signal
import time
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import is_regressor
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import ShuffleSplit, StratifiedShuffleSplit
from sklearn.multiclass import OneVsRestClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from tests.refusals import refused
from treecore import CO2ForestClassifier, TAOClassifier
from treecore.comparison import METHODS, Cell, Method, compare
from treecore.comparison.evaluation import choice, within_time_limit
from treecore.comparison.folds import CLASSES, inner_folds, outer_folds
from treecore.comparison.methods import DEFAULT_METHODS, REGRESSION_GRIDS, chosen_methods, methods_for
from treecore.comparison.model_size import ModelSize, leaf_count, model_size
from treecore.errors import DataError, ParameterError, TreeFormatError
from treecore.tree.quantity import Quantity


def table(n):
    return np.arange(2.0 * n).reshape(n, 2)


@pytest.mark.parametrize(
    ("y", "cv", "kind", "words"),
    [
        ([0, 1], 5, DataError, "2 rows: expected at least 4"),
        ([1] * 8, 5, DataError, "single class '1'"),
        ([0] * 8 + [1] * 3, 5, DataError, r"5 folds need 5 rows .* '1' \(3\).* Use fewer folds \(3\)"),
        ([0] * 8 + [1], 5, DataError, r"fewer: '1' \(1\)\. Remove these classes"),
        ([0] * 8 + [1], 2, DataError, r"single row: '1' \(1\)"),
        ([0] * 8 + [1], StratifiedShuffleSplit(2), DataError, r"single row: '1' \(1\)"),
        ([0.0, 1.0, np.nan] * 4, 2, DataError, "missing labels"),
        (["a", None, "b"] * 4, 2, DataError, "missing labels"),
        (np.append(np.linspace(0, 1.3, 9), np.inf), 2, DataError, "infinite"),
        ([[0, 1]] * 6, 2, DataError, "y has 2"),
        ([0, 1] * 5, 1, ParameterError, "cv=1"),
        ([0, 1] * 5, True, ParameterError, "cv=True"),
        ([0, 1] * 5, "five", ParameterError, "cv"),
        ([0, 1] * 5, 0.2, ParameterError, "cv"),
        ([0, 1] * 5, [], ParameterError, "without training or test"),
        ([0, 1] * 5, [([0, 1, 2], [2, 3])], ParameterError, "same row in training and test"),
        ([0, 1] * 5, [([0, 1, 2], [10])], ParameterError, "expected 0 to 9"),
        ([0, 1] * 5, [([0, 1, 9], [-1])], ParameterError, "expected 0 to 9"),
        ([0, 1] * 5, [([True] * 5 + [False] * 5, [False] * 5 + [True] * 5)], ParameterError, "row numbers"),
    ],
)
def test_impossible_comparisons_are_refused_before_training(y, cv, kind, words):
    class Untouchable(DecisionTreeClassifier):
        def fit(self, X, y):
            raise AssertionError("It trained.")

    with pytest.raises(kind, match=words):
        compare(table(len(y)), y, [Method("tree", "Tree", Untouchable())], cv=cv, n_jobs=1)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"inner": 1}, "inner=1: expected a number of folds >= 2, or a share of the rows in (0, 1)"),
        ({"inner": 1.0}, "inner=…: expected a number of folds >= 2, or a share of the rows in (0, 1)"),
        ({"inner": True}, "inner=…: expected a number of folds >= 2, or a share of the rows in (0, 1)"),
        ({"rule": "best"}, "rule='best': expected one of"),
        ({"seed": -1}, "seed=-1: expected a whole number >="),
        ({"seed": None}, "seed=…: expected a whole number >="),
        ({"limit": 0}, "limit=0: expected a finite number >="),
        ({"n_jobs": 0}, "n_jobs=0: expected a number of workers, -1 for every core, or None for joblib's default"),
        (
            {"n_jobs": "all"},
            "n_jobs='all': expected a number of workers, -1 for every core, or None for joblib's default",
        ),
        ({"methods": ["no_such"]}, "methods: unknown method 'no_such'"),
        ({"methods": []}, "methods is empty: expected at least one of"),
        ({"methods": ["cart", METHODS["cart"]]}, "methods: 'cart' appears more than once"),
    ],
)
def test_parameters_out_of_range(settings, words):
    with refused(ParameterError, words):
        compare(table(10), [0, 1] * 5, **settings)


def test_data_of_the_wrong_form():
    from scipy.sparse import csr_array

    with refused(DataError, "X has … rows, but y has … labels"):
        compare(table(9), [0, 1] * 5)
    with refused(DataError, "X has … dimensions and y has"):
        compare(np.arange(10), [0, 1] * 5)
    with refused(DataError, "A comparison does not support sparse X, because most methods need dense rows"):
        compare(csr_array(table(10)), [0, 1] * 5)


def test_cart_is_compared_by_both_rules():
    for target in (CLASSES, Quantity(0.0, 1.0, 0.3)):
        found = {method.name: method for method in chosen_methods(None, target)}
        assert [found[name].estimator.rule for name in ("cart", "cart_min")] == ["one_se", "min"]


def test_names_of_methods():
    assert [method.name for method in chosen_methods(None, CLASSES)] == list(DEFAULT_METHODS)
    assert [method.name for method in chosen_methods("c50", CLASSES)] == ["c50"]
    assert all(method.name == name for name, method in METHODS.items())


def test_methods_for_numbers_are_regressors_of_the_same_name():
    numbers = Quantity(0.0, 1.0, 0.3)
    for name, method in methods_for(numbers).items():
        assert is_regressor(method.estimator)
        grid = REGRESSION_GRIDS.get(name, METHODS[name].grid)
        assert (method.title, method.grid) == (METHODS[name].title, grid)
    assert [method.name for method in chosen_methods(None, numbers)] == [
        "tao_oblique",
        "tao_bivariate",
        "cart",
        "cart_min",
    ]
    with refused(ParameterError, "methods: C5.0, BiDT support classification only. For numbers, use … or a Method"):
        chosen_methods(["cart", "c50", "bidt"], numbers)


def test_outer_folds_are_stratified_and_cover_every_row():
    y = np.repeat(["b", "a", "c"], [20, 10, 5])
    folds = outer_folds(table(35), y, 5, seed=3)
    assert np.array_equal(np.sort(np.concatenate([fold.test for fold in folds])), np.arange(35))
    for fold in folds:
        assert np.array_equal(np.sort(np.concatenate(fold)), np.arange(35))
        assert np.unique(y[fold.test], return_counts=True)[1].tolist() == [2, 4, 1]
    again, other = outer_folds(table(35), y, 5, 3), outer_folds(table(35), y, 5, 4)
    assert all(np.array_equal(a.test, b.test) for a, b in zip(folds, again, strict=True))
    assert not all(np.array_equal(a.test, b.test) for a, b in zip(folds, other, strict=True))


def test_outer_folds_of_a_splitter_and_of_a_list():
    y = np.array([0, 1] * 10)
    given_folds = list(ShuffleSplit(3, test_size=4, random_state=0).split(y))
    for cv in (given_folds, ShuffleSplit(3, test_size=4, random_state=0)):
        for fold, (train, test) in zip(outer_folds(table(20), y, cv, 0), given_folds, strict=True):
            np.testing.assert_array_equal(fold.train, train)
            np.testing.assert_array_equal(fold.test, test)


@pytest.mark.parametrize("inner", [3, 10, 0.25, 0.999])
@pytest.mark.parametrize("y", [[0, 1] * 10, [0] * 18 + [1] * 2, [0] * 19 + [1], list(range(10)) * 2])
def test_inner_folds_work_on_any_classes(inner, y):
    y = np.array(y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        folds = inner_folds(y, inner, 0)
    for fold in folds:
        assert np.array_equal(np.sort(np.concatenate(fold)), np.arange(20))
        assert min(len(fold.train), len(fold.test)) > 0
    if inner == 0.25 and np.unique(y, return_counts=True)[1].tolist() == [10, 10]:
        assert [len(fold.test) for fold in folds] == [5]


ERRORS = st.lists(st.integers(0, 12), min_size=1, max_size=8)


@given(ERRORS, st.data(), st.sampled_from([1.0, 1e-9, 1e12]))
def test_choice_equals_a_slow_reference(wrong, data, unit):
    leaves = data.draw(st.lists(st.integers(1, 5), min_size=len(wrong), max_size=len(wrong)))
    errors = np.array(wrong) / 12 * unit
    deviations = np.array(data.draw(st.lists(st.integers(0, 3), min_size=len(wrong), max_size=len(wrong)))) / 12 * unit
    best = min(range(len(wrong)), key=lambda i: (wrong[i], leaves[i], i))
    assert choice(errors, deviations, np.array(leaves, float), "min") == best
    near = [i for i in range(len(wrong)) if errors[i] <= errors[best] + deviations[best] + 1e-9 * unit]
    chosen = choice(errors, deviations, np.array(leaves, float), "one_se")
    assert chosen == min(near, key=lambda i: (leaves[i], wrong[i], i))
    nothing = np.full(len(wrong), np.nan)
    assert choice(errors, deviations, nothing, "min") == choice(errors, deviations, nothing, "one_se")
    assert choice(errors, deviations, nothing, "min") == wrong.index(min(wrong))


def same(a, b):
    """Test whether two cells are equal except for their times."""
    a, b = (cell.to_dict() for cell in (a, b))
    times = ("fit_seconds", "search_seconds", "predict_seconds")
    return all(a[name] == b[name] for name in a if name not in times)


def test_cells_come_back_from_json(bundled):
    X, y = bundled("iris")
    broken = Method("broken", "broken", DecisionTreeClassifier(max_depth=-1))
    methods = ["tao_univariate", "cart", "random_forest", "nearest_neighbours", broken]
    found = compare(X, y, methods, cv=2, inner=0.3, n_jobs=1, keep_paths=1)
    assert {cell.method for cell in found.cells} == {"broken", *methods[:-1]}
    for cell in found.cells:
        again = Cell.from_dict(json.loads(json.dumps(cell.to_dict(), allow_nan=False)))
        assert again.to_dict() == cell.to_dict()
        assert isinstance(again.size, ModelSize)
        assert again.predicted.dtype == np.int32
        assert [(place, tree) for place, tree in again.path] == [(place, tree) for place, tree in cell.path]
        if cell.tree is not None:
            assert again.tree == cell.tree
        assert again.trees == cell.trees
        assert len(cell.trees) == 30 * (cell.method == "random_forest" and cell.fold == 0)
        assert (len(cell.path) > 1) == (cell.fold == 0 and cell.method in ("tao_univariate", "cart"))


def test_a_method_with_a_tree_for_each_class_is_compared_without_its_trees(bundled):
    X, y = bundled("iris")
    method = Method("rest", "rest", OneVsRestClassifier(DecisionTreeClassifier(max_depth=2)))
    for cell in compare(X, y, [method], cv=2, inner=0.3, n_jobs=1).cells:
        assert (cell.failure, cell.trees) == (None, ())


@pytest.mark.parametrize(
    "change",
    [
        {"tree": "{}"},
        {"size": 3},
        {"predicted": ["x"]},
        {"predicted": [2**40]},
        {"curve": [[1]]},
        {"other": 1},
        {"path": 1},
    ],
)
def test_damaged_cells(change):
    record = Cell("cart", 0, 8, 2).to_dict()
    assert Cell.from_dict(record).method == "cart"
    with pytest.raises(TreeFormatError):
        Cell.from_dict(record | change)
    with pytest.raises(TreeFormatError):
        Cell.from_dict({"method": "cart"})


def test_sizes_of_models(bundled):
    X, y = bundled("iris")
    tao = TAOClassifier(max_depth=3, random_state=0).fit(X, y)
    size, tree = model_size(tao, X), tao.tree_
    assert size == model_size(tree, X)
    assert (size.n_trees, size.n_leaves, size.n_nodes, size.depth) == (1, tree.n_leaves, tree.n_nodes, tree.depth)
    assert size.features_per_node == pytest.approx(np.diff(tree.indptr).sum() / tree.n_decision)
    assert leaf_count(tao) == leaf_count(tree) == tree.n_leaves

    forest = RandomForestClassifier(3, random_state=0).fit(X, y)
    size, parts = model_size(forest, X), forest.estimators_
    assert size.n_trees == 3
    assert size.n_leaves == sum(one.get_n_leaves() for one in parts) == leaf_count(forest)
    assert size.depth == pytest.approx(np.mean([one.get_depth() for one in parts]))
    assert size.features_per_node == 1.0
    # A univariate split costs one multiplication for each row that reaches it.
    assert size.inference_cost == pytest.approx(
        sum(one.decision_path(X.astype(np.float32)).sum() / len(X) - 1 for one in parts)
    )
    single = parts[0]
    assert model_size(single, X)[:4] == (1, single.get_n_leaves(), single.tree_.node_count, single.get_depth())
    framed = pd.DataFrame(X, columns=list("abcd"))
    assert model_size(RandomForestClassifier(3, random_state=0).fit(framed, y), framed) == size

    ours = CO2ForestClassifier(3, random_state=0, n_epochs=2).fit(X, y)
    assert model_size(ours, X).n_leaves == sum(tree.n_leaves for tree in ours.estimators_)
    constant = model_size(TAOClassifier(lam=1e9, random_state=0).fit(X, y), X)
    assert (constant.n_leaves, constant.features_per_node, constant.inference_cost) == (1, 0.0, 0.0)
    neighbours = KNeighborsClassifier().fit(X, y)
    assert model_size(neighbours, X) == ModelSize()
    assert leaf_count(neighbours) is None


def test_time_limit():
    with pytest.raises(TimeoutError, match="limit of 0.05 s"):
        within_time_limit(0.05, lambda: time.sleep(5))
    with pytest.raises(KeyError):
        within_time_limit(30, lambda: {}["nothing"])
    assert within_time_limit(None, lambda: 3) == 3
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_a_time_limit_is_not_caught_by_the_work():
    def stubborn():
        began = time.perf_counter()
        while time.perf_counter() - began < 5:
            try:
                time.sleep(0.01)
            except Exception:
                raise AssertionError("It was caught.") from None

    with pytest.raises(TimeoutError):
        within_time_limit(0.05, stubborn)


def test_an_alarm_at_the_end_of_the_work_is_harmless():
    outcomes = set()
    for k in range(300):
        limit, end = 0.003, time.perf_counter() + 0.003 + (k - 150) * 1e-6

        def work(end=end):
            while time.perf_counter() < end:
                pass
            return "done"

        try:
            outcomes.add(within_time_limit(limit, work))
        except TimeoutError:
            outcomes.add("late")
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert outcomes <= {"done", "late"}


def test_methods_suit_themselves_to_the_rows():
    X = np.arange(240.0).reshape(120, 2)
    neighbours = METHODS["nearest_neighbours"]
    assert neighbours.for_rows(X).grid == neighbours.grid | {"neighbours__n_neighbors": [1, 3, 5, 11]}
    assert neighbours.for_rows(X[:9]).grid == {"neighbours__n_neighbors": [1]}
    assert METHODS["tao_bivariate"].for_rows(X).grid == METHODS["tao_bivariate"].grid
    X[3, 1] = np.nan
    bivariate = METHODS["tao_bivariate"].for_rows(X)
    assert bivariate.grid["init"] == ["cart"]
    assert bivariate.estimator.missing == "learn"
    for method in METHODS.values():
        pixels = method.for_pixels().estimator.get_params()
        assert pixels.get("scale", "minmax") == "minmax"
        assert pixels.get("scaling", "passthrough") == "passthrough"
