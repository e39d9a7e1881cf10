"""Test that all methods have equal folds, settings are chosen without test rows, and processes do not matter."""

import re
import time

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import SGDClassifier
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from treecore.comparison import METHODS, Method, PathMethod, compare
from treecore.comparison.folds import inner_folds, outer_folds
from treecore.comparison.method import ALPHAS, PrunedMethod
from treecore.comparison.significance import corrected_interval
from treecore.training.estimators import TAOClassifier

FITS, PREDICTIONS = [], []  # (name, row numbers, labels or None), in the order of the calls


class Spy(ClassifierMixin, BaseEstimator):
    """Nearest-class-mean classifier with shrinkage. The first column of X is the row number."""

    def __init__(self, name="a", shrinkage=0.0):
        self.name = name
        self.shrinkage = shrinkage

    def fit(self, X, y):
        FITS.append((self.name, X[:, 0].astype(int), y.copy()))
        self.classes_ = np.unique(y)
        means = np.array([X[y == label, 1:].mean(axis=0) for label in self.classes_])
        self.means_ = means + self.shrinkage * (X[:, 1:].mean(axis=0) - means)
        self.means_[0] -= self.shrinkage * 2
        return self

    def predict(self, X):
        PREDICTIONS.append((self.name, X[:, 0].astype(int)))
        return self.classes_[((X[:, None, 1:] - self.means_) ** 2).sum(axis=2).argmin(axis=1)]


SHRINKAGES = [0.0, 0.3, 0.6, 0.9, 1.2]


def spies(*names):
    return [Method(name, name, Spy(name), {"shrinkage": SHRINKAGES}) for name in names]


@pytest.fixture
def numbered():
    rng = np.random.default_rng(5)
    y = np.arange(90) % 3
    X = np.column_stack([np.arange(90), rng.normal(size=(90, 3)) + y[:, None]])
    FITS.clear()
    PREDICTIONS.clear()
    return X, y


def figures(comparison):
    """Return all metrics except times."""
    records = [cell.to_dict() for cell in comparison.cells]
    return [{name: value for name, value in record.items() if not name.endswith("seconds")} for record in records]


def test_all_methods_see_the_same_rows(numbered):
    X, y = numbered
    compare(X, y, spies("a", "b"), cv=3, n_jobs=1)
    seen = {name: [rows.tolist() for one, rows, _ in FITS if one == name] for name in "ab"}
    assert seen["a"] == seen["b"]
    judged = {name: [rows.tolist() for one, rows in PREDICTIONS if one == name] for name in "ab"}
    assert judged["a"] == judged["b"]
    # In each outer fold: 5 settings on each of 3 inner folds, then training on all rows of the fold.
    assert [len(rows) for rows in seen["a"]] == 3 * [*[40] * 15, *[60] * 5]


def test_test_rows_come_after_every_choice(numbered):
    X, y = numbered
    tests = list(StratifiedShuffleSplit(4, test_size=0.2, random_state=1).split(X, y))
    for train, test in tests:
        FITS.clear()
        PREDICTIONS.clear()
        compare(X, y, spies("a"), cv=[(train, test)], inner=3, n_jobs=1)
        assert all(np.isin(rows, train).all() for _, rows, _ in FITS)
        searched, judged, (_, trained) = PREDICTIONS[:15], PREDICTIONS[15:-1], PREDICTIONS[-1]
        assert np.array_equal(trained, train)  # for the training error of the selected model
        assert all(np.isin(rows, train).all() for _, rows in searched)
        # Every training row validates each setting once, never a model trained on it.
        assert np.bincount(np.concatenate([rows for _, rows in searched]), minlength=90).tolist() == [
            5 * (row in train) for row in range(90)
        ]
        for i, (_, rows, _) in enumerate(FITS[:15]):
            assert not np.isin(rows, searched[i // 5 * 5][1]).any()
        assert all(np.array_equal(rows, test) for _, rows in judged)


@pytest.mark.parametrize("rule", ["min", "one_se"])
def test_labels_of_test_rows_change_no_choice_and_no_model(bundled, rule):
    X, y = bundled("iris")
    train, test = next(StratifiedShuffleSplit(1, test_size=0.3, random_state=0).split(X, y))
    flipped = y.copy()
    flipped[test] = (flipped[test] + 1) % 3
    tao = PathMethod("tao", "TAO", TAOClassifier(split="univariate", init="cart"), n_lambdas=6)
    c50 = Method("c50", "C5.0", METHODS["c50"].estimator, {"min_cases": [2, 5, 10]})
    methods = [tao, c50, METHODS["cart"], METHODS["nearest_neighbours"]]
    one, other = (
        compare(X, labels, methods, cv=[(train, test)], rule=rule, n_jobs=1, keep_paths=1) for labels in (y, flipped)
    )
    for a, b in zip(one.cells, other.cells, strict=True):
        assert a.failure is b.failure is None
        assert (a.chosen, a.setting, a.size, a.tree, a.path) == (b.chosen, b.setting, b.size, b.tree, b.path)
        assert np.array_equal(a.predicted, b.predicted)
        assert [point.validation_error for point in a.curve] == [point.validation_error for point in b.curve]
        assert a.test_error != b.test_error


@pytest.mark.parametrize("inner", [4, 0.3])
def test_choice_is_that_of_an_obvious_loop(numbered, inner):
    X, y = numbered
    (method,) = spies("a")
    found = compare(X, y, [method], cv=3, inner=inner, seed=7, n_jobs=1)
    for cell in found.cells:
        test = outer_folds(X, y, 3, 7)[cell.fold].test
        train = np.setdiff1d(np.arange(90), test)
        wrong, rows = np.zeros(5), 0
        for fit, held in inner_folds(y[train], inner, 7 + cell.fold):
            rows += len(held)
            for i, shrinkage in enumerate(SHRINKAGES):
                model = Spy("twin", shrinkage).fit(X[train][fit], y[train][fit])
                wrong[i] += (model.predict(X[train][held]) != y[train][held]).sum()
        assert [point.validation_error for point in cell.curve] == pytest.approx(list(wrong / rows))
        best = int(wrong.argmin())
        assert cell.chosen == best
        assert cell.setting == f"shrinkage {SHRINKAGES[best]:.4g}"
        model = Spy("twin", SHRINKAGES[best]).fit(X[train], y[train])
        assert np.array_equal(cell.predicted, model.predict(X[test]))
        assert cell.test_error == np.mean(model.predict(X[test]) != y[test]) == cell.curve[best].test_error


def test_one_se_counts_the_validation_rows_only(bundled):
    X, y = bundled("wine")
    method = PathMethod("tao", "TAO", TAOClassifier(split="univariate", init="cart"), n_lambdas=8)
    for inner in (0.2, 3):
        (cell,) = compare(
            X, y, [method], cv=[(np.arange(0, 178, 2), np.arange(1, 178, 2))], inner=inner, rule="one_se", n_jobs=1
        ).cells
        rows = sum(len(fold.test) for fold in inner_folds(y[::2], inner, 0))
        errors = np.array([point.validation_error for point in cell.curve if not point.is_start])
        limit = errors.min() + np.sqrt(errors.min() * (1 - errors.min()) / rows)
        assert errors[cell.chosen] <= limit + 1e-12
        assert rows == (18 if inner == 0.2 else 89)
        larger = [
            point for point in cell.curve[cell.chosen + 1 : 8] if point.n_leaves < cell.curve[cell.chosen].n_leaves
        ]
        # The mean number of leaves of the inner trees decides. A clearly smaller one within the limit would have been
        # selected.
        assert all(point.validation_error > limit for point in larger if point.n_leaves == 1)


def test_a_method_that_fails_leaves_the_others(bundled):
    class Slow(DecisionTreeClassifier):
        def fit(self, X, y):
            time.sleep(20)

    X, y = bundled("iris")
    good = Method("tree", "Tree", DecisionTreeClassifier(), {"max_depth": [1, 2, 3]})
    bad = [Method("bad", "Bad", DecisionTreeClassifier(max_depth=-1)), Method("slow", "Slow", Slow())]
    alone = compare(X, y, [good], cv=2, n_jobs=1)
    found = compare(X, y, [bad[0], good, bad[1]], cv=2, limit=1.0, n_jobs=1)
    assert figures(alone) == [record for record in figures(found) if record["method"] == "tree"]
    assert set(found.failures("bad")) == set(found.failures("slow")) == {0, 1}
    assert "max_depth" in found.failures("bad")[0]
    assert found.failures("slow")[1] == f"The method exceeded its time limit of {1:g} s."
    assert not found.failures("tree")
    assert not found.of("bad")
    assert np.isnan(found.errors("slow")).all()
    summary = found.summary().set_index("method")
    assert summary.loc["tree", "n_folds"] == 2
    assert summary.loc["bad", "n_folds"] == 0
    assert "max_depth" in summary.loc["bad", "failure"]
    assert found.confusion("bad").sum() == 0
    assert np.isnan(found.paired_test("tree", "bad").p)
    assert found.curve("bad").empty


def test_a_bug_is_not_taken_for_a_failure(bundled):
    class Wrong(DecisionTreeClassifier):
        def fit(self, X, y):
            raise KeyError("a bug")

    with pytest.raises(KeyError, match="a bug"):
        compare(*bundled("iris"), [Method("wrong", "Wrong", Wrong())], cv=2, n_jobs=1)


def test_resumed_is_uninterrupted(numbered):
    X, y = numbered
    methods, came = spies("a", "b"), []
    whole = compare(X, y, methods, cv=3, n_jobs=1)
    part = compare(X, y, methods, cv=3, n_jobs=1, on_cell=lambda cell: came.append(cell) or len(came) == 3)
    # The order is fold by fold: both methods have a first result before either has a second.
    assert [(cell.method, cell.fold) for cell in came] == [("a", 0), ("b", 0), ("a", 1)]
    assert len(part.cells) == 3
    FITS.clear()
    resumed = compare(X, y, methods, cv=3, n_jobs=1, cells=part.cells)
    assert figures(resumed) == figures(whole)
    assert len(FITS) == 3 * 20
    FITS.clear()
    assert figures(compare(X, y, methods, cv=3, n_jobs=1, cells=resumed.cells)) == figures(whole)
    assert not FITS


def test_jobs_change_nothing(bundled):
    X, y = bundled("wine")
    random = make_pipeline(StandardScaler(), SGDClassifier(max_iter=200))
    methods = ["tao_univariate", "cart", "random_forest", Method("sgd", "SGD", random)]
    one, two, again = (compare(X, y, methods, cv=2, inner=0.3, n_jobs=n_jobs, seed=4) for n_jobs in (1, 2, 1))
    assert figures(one) == figures(two) == figures(again)
    assert [cell.failure for cell in one.cells] == [None] * 8
    other = compare(X, y, methods, cv=2, inner=0.3, n_jobs=1, seed=5)
    assert figures(one) != figures(other)


def test_parallel_results_come_one_by_one_and_can_be_stopped(bundled):
    X, y = bundled("iris")
    came = []
    found = compare(X, y, ["cart"], cv=4, n_jobs=2, on_cell=lambda cell: came.append(cell) or True)
    assert len(came) == len(found.cells) == 1


def test_seconds_are_those_of_the_chosen_model(bundled):
    class Sleeper(DecisionTreeClassifier):
        def fit(self, X, y):
            time.sleep(0.5 if self.max_depth == 1 else 0)
            return super().fit(X, y)

    X, y = bundled("iris")
    method = Method("tree", "Tree", Sleeper(), {"max_depth": [1, 3]})
    (cell,) = compare(X, y, [method], cv=[(np.arange(0, 150, 2), np.arange(1, 150, 2))], inner=2, n_jobs=1).cells
    assert cell.setting == "max_depth 3"
    assert 0 < cell.fit_seconds < 0.5
    assert cell.search_seconds >= 1.0
    assert 0 < cell.predict_seconds < 0.5


def test_figures_of_a_comparison(bundled):
    X, y = bundled("iris")
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    found = compare(X, names, [METHODS["cart"], METHODS["nearest_neighbours"]], cv=5, n_jobs=1)
    assert list(found.target.groups) == ["setosa", "versicolor", "virginica"]
    confusion = found.confusion("cart")
    assert confusion.sum(axis=1).tolist() == [50, 50, 50]
    assert 1 - np.trace(confusion) / 150 == pytest.approx(found.errors("cart").mean())
    row = found.summary().set_index("method").loc["cart"]
    assert row.test_error == found.errors("cart").mean()
    assert row.standard_error == pytest.approx(found.errors("cart").std(ddof=1) / 5**0.5)
    assert row.half_width == corrected_interval(found.errors("cart"), 120, 30)
    assert row.n_leaves == np.mean([cell.tree.n_leaves for cell in found.of("cart")])
    curve = found.curve("cart")
    assert len(curve) == 1 + ALPHAS.size  # the tree chosen by cross-validation, and the subtrees
    assert curve.n_leaves.iloc[1:].is_monotonic_decreasing
    assert curve.chosen.tolist() == [1.0] + [0.0] * ALPHAS.size
    assert found.curve("nearest_neighbours").empty
    test = found.paired_test("cart", "nearest_neighbours")
    assert test.difference == pytest.approx((found.errors("cart") - found.errors("nearest_neighbours")).mean())


def test_kept_paths_are_those_of_the_chosen_group(bundled):
    X, y = bundled("wine")
    methods = [
        PathMethod("tao", "TAO", TAOClassifier(), {"max_depth": [1, 3]}, n_lambdas=6),
        PrunedMethod("cart", "CART", METHODS["cart"].estimator, {"cv": [5, 10]}),
    ]
    found = compare(X, y, methods, cv=2, n_jobs=1, keep_paths=1)
    tao, later = found.of("tao")
    assert len(tao.curve) == 12
    assert [point.group for point in tao.curve] == [0] * 6 + [1] * 6
    assert [place for place, _ in tao.path] == [6 * tao.curve[tao.chosen].group + i for i in range(6)]
    assert dict(tao.path)[tao.chosen] == tao.tree
    assert [tao.curve[place].n_leaves for place, _ in tao.path] == [tree.n_leaves for _, tree in tao.path]
    lams = [tao.curve[place].lam for place, _ in tao.path]
    assert lams == sorted(lams)
    assert later.path == ()
    cart = found.of("cart")[0]
    assert cart.curve[0].validation_error is not None
    assert len(cart.path) == ALPHAS.size


def frame(missing):
    """Return 120 rows with a number, an informative text column, and optionally missing values; labels are texts."""
    rng = np.random.default_rng(0)
    colour = rng.choice(["red", "green", "blue"], 120)
    X = pd.DataFrame({"size": rng.normal(size=120), "colour": colour, "count": rng.integers(0, 9, 120)})
    y = np.where((colour == "red") | (X["size"] > 0.8), "yes", "no")
    if missing:
        X.loc[::9, "size"] = np.nan
        X.loc[4::11, "colour"] = None
    return X, y


TREES = ["tao_univariate", "tao_bivariate", "tao_oblique", "cart", "c50", "bivariate_cart"]
OTHERS = ["random_forest", "nearest_neighbours"]


def small(names):
    smaller = {"tao_oblique": {"max_depth": [3]}, "tao_bivariate": {"bivariate_cost": [1.25]}, "c50": {}}
    return [
        METHODS[name]
        if name not in smaller
        else type(METHODS[name])(name, name, METHODS[name].estimator, smaller[name])
        for name in names
    ]


def test_text_columns():
    X, y = frame(missing=False)
    found = compare(X, y, small(TREES + OTHERS), cv=2, inner=0.3, n_jobs=1)
    for name in TREES:
        assert not found.failures(name)
        assert found.errors(name).mean() < 0.1
        assert all(cell.tree.n_features == 5 for cell in found.of(name))
        assert not found.curve(name).empty or name in ("c50", "bivariate_cart")
    for name in OTHERS:
        assert re.search(r"\bstring\b", found.failures(name)[0])  # scikit-learn refuses texts


def test_missing_values():
    X, y = frame(missing=True)
    found = compare(X, y, small(TREES), cv=2, inner=0.3, n_jobs=1)
    for name in ("tao_univariate", "tao_bivariate", "cart", "c50"):
        assert not found.failures(name), found.failures(name)
        assert found.errors(name).mean() < 0.2
    for name in ("tao_oblique", "bivariate_cart"):
        assert set(found.failures(name)) == {0, 1}
        assert "missing" in found.failures(name)[0] or "NaN" in found.failures(name)[0]


def test_values_that_are_missing_in_test_rows_only(bundled):
    X, y = bundled("iris")
    X = X.copy()
    X[100, 0] = np.nan
    train, test = np.arange(0, 150, 2) + 1, np.arange(0, 150, 2)
    found = compare(X, y, ["tao_univariate", "nearest_neighbours", "random_forest"], cv=[(train, test)], n_jobs=1)
    assert list(found.failures("nearest_neighbours")) == [0]
    assert not found.failures("tao_univariate")
    assert not found.failures("random_forest")


def test_a_frame_of_numbers_gives_what_its_array_gives(bundled):
    X, y = bundled("wine")
    framed = pd.DataFrame(X, columns=[f"f{i}" for i in range(X.shape[1])])
    methods = [*small(["tao_univariate", "cart", "c50"]), Method("forest", "Forest", RandomForestClassifier(3))]
    one, other = (compare(data, y, methods, cv=2, inner=0.3, n_jobs=1) for data in (X, framed))
    for a, b in zip(one.cells, other.cells, strict=True):
        assert a.failure is b.failure is None
        assert (a.test_error, a.size, a.curve) == (b.test_error, b.size, b.curve)


def test_a_constant_feature_and_a_class_missing_from_training():
    X = np.ones((12, 2))
    y = np.array([0, 1, 2] * 4)
    train, test = np.flatnonzero(y < 2), np.flatnonzero(y == 2)
    found = compare(X, y, small(["tao_univariate", "tao_oblique", "cart"]), cv=[(train, test)], n_jobs=1)
    for method in found.methods:
        assert found.errors(method).tolist() == [1.0]
        assert found.confusion(method)[2].sum() == 4
