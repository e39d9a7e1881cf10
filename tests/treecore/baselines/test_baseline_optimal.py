"""Test optimal trees against a search through all trees, their certificates, their thresholds and time limits."""

import subprocess
import sys
import textwrap

import numpy as np
import pandas
import pytest

from sample_data import load
from tests.each import each
from tests.refusals import refused
from treecore import DataError, Model, OptimalTreeClassifier, ParameterError, TAOClassifier, Tree, export
from treecore.baselines.optimal import classifier
from treecore.initial import optimal_search as search
from treecore.initial.binary_features import binary_features, column_thresholds
from treecore.rules import rules
from viz import stage_html

WITHOUT = "pystreed, an optional package, is not installed"


@pytest.fixture(autouse=True)
def pystreed(request):
    if "without_the_package" not in request.node.name:
        pytest.importorskip("pystreed", reason=WITHOUT)


def smallest_objective(binary, y, weights, lam, depth):
    """Return the smallest objective of all trees on binary features, by trying every split of every node."""
    totals = np.bincount(y, weights)
    best = totals.sum() - totals.max()
    for right in binary.T if depth else ():
        if right.any() and not right.all():
            sides = [smallest_objective(binary[s], y[s], weights[s], lam, depth - 1) for s in (right, ~right)]
            best = min(best, lam + sum(sides))
    return best


def objective(model, X, y, weights=1.0):
    return float(np.sum(weights * (model.predict(X) != y))) + model.lam * (model.get_n_leaves() - 1)


WEIGHTS = {
    "equal": lambda rng, n: np.ones(n),
    "scaled": lambda rng, n: np.full(n, 2.5),
    "whole": lambda rng, n: rng.integers(1, 4, n).astype(float),
    "any": lambda rng, n: rng.uniform(0.1, 3.0, n),
}


@each("kind", WEIGHTS)
@each("seed", range(12))
def test_no_tree_is_better(seed, kind):
    rng = np.random.default_rng(seed)
    n, depth, lam = int(rng.integers(6, 40)), 1 + seed % 3, float(rng.choice([0.0, 0.3, 1.0, 1.37, 5.0]))
    X = rng.integers(0, 4, (n, int(rng.integers(1, 4)))).astype(float)
    y = rng.integers(0, 2 + seed % 2, n)
    weights = WEIGHTS[kind](rng, n)
    model = OptimalTreeClassifier(depth, lam, n_thresholds=3).fit(X, y, sample_weight=weights)
    codes = np.unique(y, return_inverse=True)[1]
    best = smallest_objective(binary_features(X, model.thresholds_).values, codes, weights, lam, depth)
    found = model.certificate_
    assert found.proven
    assert found.gap == 0.0
    assert found.objective == pytest.approx(best)
    assert objective(model, X, y, weights) == pytest.approx(best)
    assert model.get_depth() <= depth
    assert found.n_thresholds == sum(map(len, model.thresholds_))


def test_a_tree_of_tao_is_never_better(bundled):
    X, y = bundled("wine")
    optimal = OptimalTreeClassifier(2, lam=2.0, n_thresholds=5).fit(X, y)
    codes = np.array([np.searchsorted(t, x, "right") for t, x in zip(optimal.thresholds_, X.T, strict=True)], float).T
    for seed in range(5):
        tao = TAOClassifier(split="univariate", max_depth=2, lam=2.0, random_state=seed).fit(codes, y)
        assert objective(tao, codes, y) >= optimal.certificate_.objective


def test_thresholds_are_at_quantiles_of_the_weight():
    column = np.arange(100.0)
    assert list(column_thresholds(column, np.ones(100), 4)) == [19.5, 39.5, 59.5, 79.5]
    assert list(column_thresholds(np.array([3.0, 1.0, 1.0]), np.ones(3), 1)) == [2.0]
    assert column_thresholds(np.ones(5), np.ones(5), 3).size == 0
    mostly_zero = np.r_[np.zeros(90), np.arange(1.0, 11.0)]
    assert list(column_thresholds(mostly_zero, np.ones(100), 3)) == [0.5]
    rng = np.random.default_rng(0)
    values, counts = rng.normal(size=50), rng.integers(1, 5, 50)
    repeated = np.repeat(values, counts)
    assert np.array_equal(column_thresholds(values, counts, 7), column_thresholds(repeated, np.ones(len(repeated)), 7))


def test_the_thresholds_of_a_tree_are_added(bundled):
    X, y = bundled("wine")
    tree = TAOClassifier(split="univariate", init="cart", max_depth=3, lam=1.0, random_state=0).fit(X, y)
    plain = OptimalTreeClassifier(2, n_thresholds=2).fit(X, y)
    model = OptimalTreeClassifier(3, n_thresholds=2, thresholds_of=tree.tree_).fit(X, y)
    assert len(plain.thresholds_[0]) == 2
    assert model.certificate_.objective <= objective(tree, X, y)
    for wrong in (OptimalTreeClassifier(thresholds_of="tree"), OptimalTreeClassifier(thresholds_of=tree.tree_)):
        with pytest.raises(ParameterError):
            wrong.fit(X[:, :5], y)


def test_neighbouring_floats_are_separated():
    X = np.array([[1.0], [np.nextafter(1.0, 2.0)]] * 3)
    model = OptimalTreeClassifier(1, lam=0.0).fit(X, [0, 1] * 3)
    assert model.score(X, [0, 1] * 3) == 1.0


def test_categories_and_labels_are_kept_and_the_tree_is_stored():
    table = pandas.DataFrame({"colour": ["red", "blue", "green"] * 10, "size": np.arange(30.0)})
    y = np.where(table["colour"] == "green", "yes", "no")
    model = OptimalTreeClassifier(2).fit(table, y)
    assert (model.get_n_leaves(), model.score(table, y), model.certificate_.objective) == (2, 1.0, 1.0)
    assert model.tree_.feature_names[model.tree_.split(0)[0][0]] == "colour = green"
    assert np.array_equal(Tree.from_json(model.tree_.to_json()).classes, ["no", "yes"])
    stored = Model.of(model.tree_, parameters=model.get_params())
    assert Model.from_json(stored.to_json()).tree.to_json() == model.tree_.to_json()


def test_the_tree_has_rules_code_and_a_stage():
    data = load("iris")
    tree = OptimalTreeClassifier().fit(data.X, data.labels()).tree_
    names = {}
    exec(export.python(tree), names)
    assert [names["predict"](row) for row in data.X] == list(tree.predict(data.X))
    assert len(rules(tree)) == tree.n_leaves == 6
    assert "</html>" in stage_html(tree, data)


def test_without_a_proof_the_bound_holds(monkeypatch, bundled):
    X, y = bundled("iris")
    optimum = OptimalTreeClassifier(2).fit(X, y).certificate_.objective
    found = search.best_tree

    def interrupted(*given):
        return found(*given[:3], 1, *given[4:])._replace(proven=False)

    monkeypatch.setattr(classifier, "best_tree", interrupted)
    certificate = OptimalTreeClassifier(2).fit(X, y).certificate_
    assert not certificate.proven
    assert certificate.lower_bound <= optimum <= certificate.objective
    assert certificate.gap > 0


def test_a_time_limit_returns_the_best_tree_so_far():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(2000, 10)), rng.integers(0, 2, 2000)
    model = OptimalTreeClassifier(5, n_thresholds=15, time_limit=1e-3).fit(X, y)
    certificate = model.certificate_
    assert not certificate.proven
    assert certificate.objective == pytest.approx(objective(model, X, y))
    assert 0 <= certificate.lower_bound < certificate.objective


def test_a_time_limit_without_a_tree_is_refused(monkeypatch, bundled):
    import pystreed

    monkeypatch.setattr(pystreed.STreeDClassifier, "is_fitted", lambda model: False)
    with refused(ParameterError, "time_limit=0.5: the search found no tree within this time"):
        OptimalTreeClassifier(time_limit=0.5).fit(*bundled("iris"))


@pytest.mark.parametrize(
    ("parameters", "code"),
    [
        ({"max_depth": 6}, "max_depth=…: expected at most"),
        ({"max_depth": 0}, "=…: expected a whole number >="),
        ({"lam": -1.0}, "=…: expected a finite number >= … and <="),
        ({"n_thresholds": 0}, "=…: expected a whole number >="),
        ({"time_limit": 0.0}, "=…: expected a finite number >="),
    ],
)
def test_bad_parameters_are_refused(bundled, parameters, code):
    with refused(ParameterError, code):
        OptimalTreeClassifier(**parameters).fit(*bundled("iris"))


def test_too_many_thresholds_are_refused():
    X = np.random.default_rng(0).normal(size=(30, 120))
    with refused(DataError, "The features have 1200 thresholds"):
        OptimalTreeClassifier().fit(X, np.arange(30) % 2)


def test_without_the_package_the_error_names_it():
    code = """
        import sys
        from importlib.abc import MetaPathFinder

        class Absent(MetaPathFinder):
            def find_spec(self, name, path, target=None):
                if name == "pystreed":
                    raise ImportError(name)

        sys.meta_path.insert(0, Absent())
        from treecore import CARTClassifier, OptimalTreeClassifier, ParameterError, TAOClassifier
        from treecore.comparison.methods import METHODS

        X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1]
        assert CARTClassifier(cv=None).fit(X, y).score(X, y) == 1.0
        assert TAOClassifier(split="univariate", init="cart").fit(X, y).score(X, y) == 1.0
        for fit in (
            lambda: METHODS["optimal"].fitted(X, y, 0),
            lambda: TAOClassifier(split="univariate", init="optimal").fit(X, y),
        ):
            try:
                fit()
            except ParameterError as error:
                print(str(error).partition('. ')[0])
    """
    ended = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True)
    assert ended.stdout == "Optimal trees need the package pystreed, which is not installed\n" * 2, ended.stderr
