"""Test that training on parts gives the trees of training in memory. Columns with few values have a code for each."""

import tempfile

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier

from tests.refusals import refused
from treecore import TAOClassifier, TAORegressor
from treecore.errors import ParameterError
from treecore.training.partitions.partitioned_run import PartitionedRun, fit_source
from treecore.training.partitions.shard import Shard
from treecore.training.partitions.shards import LocalExecutor
from treecore.training.partitions.sources.row_source import ArraySource


def same(a, b):
    """Return whether two trees have the same splits and, up to rounding, the same means."""
    if not a.is_regression:
        return a == b
    return np.array_equal(a.features, b.features) and np.allclose(a.bias, b.bias) and np.allclose(a.values, b.values)


def fitted(kind, X, y, weights, init, n_parts=3, **parameters):
    """Return (estimator fitted in memory, estimator fitted on parts), both from the same initial tree."""
    both = [kind(split="univariate", init=init, random_state=0, **parameters) for _ in range(2)]
    both[0].fit(X, y, weights)
    fit_source(both[1], ArraySource(X, y, weights, size=-(-len(y) // n_parts)))
    return both


def start(kind, X, y, weights, **parameters):
    parameters |= {"init": "cart", "max_depth": 5, "max_iter": 0, "random_state": 0}
    return kind(split="univariate", **parameters).fit(X, y, weights).tree_


def problem(seed):
    """Return (class, X, y, weights, parameters) of a random problem with few values per column."""
    rng = np.random.default_rng(seed)
    n, d, k = int(rng.integers(50, 1500)), int(rng.integers(1, 6)), int(rng.integers(2, 5))
    X = 0.5 * rng.integers(0, rng.integers(2, 60), (n, d))
    score = X @ rng.normal(size=d) + 2 * rng.normal(size=n)
    kind = TAOClassifier if seed % 2 else TAORegressor
    y = np.digitize(score, np.quantile(score, np.arange(1, k) / k)) if seed % 2 else np.round(score)
    weights = rng.integers(0, 4, n).astype(float) if seed % 5 == 0 else None
    parameters = {"lam": float(rng.choice([0.0, 1.0, 3.0] if seed % 2 else [1.0, 30.0]))}
    if seed % 3 == 0:
        X[rng.random(X.shape) < 0.1] = np.nan
        parameters["missing"] = "learn"
    return kind, X, y, weights, parameters


@pytest.mark.parametrize("seed", range(24))
def test_the_tree_is_that_of_the_rows_in_memory(seed):
    kind, X, y, weights, parameters = problem(seed)
    init = start(kind, X, y, weights, **parameters)
    here, parts = fitted(kind, X, y, weights, init, **parameters)
    assert same(here.tree_, parts.tree_)
    assert parts.trace_[-1].objective == pytest.approx(here.trace_[-1].objective)
    assert np.array_equal(here.predict(X), parts.predict(X)) or kind is TAORegressor


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("categories", ["groups", "features"])
def test_categories_are_split_as_in_memory(seed, categories):
    rng = np.random.default_rng(seed)
    n, n_values = int(rng.integers(80, 1200)), int(rng.integers(3, 40))
    effect, value, other = 2 * rng.normal(size=n_values), rng.integers(0, n_values, n), rng.integers(0, 4, n)
    x = rng.integers(0, 30, n).astype(float)
    score = effect[value] + 0.1 * x * (other == 1) + rng.normal(size=n)
    X = pd.DataFrame({"a": [f"v{c}" for c in value], "x": x, "b": [f"w{c}" for c in other]})
    parameters = {"categories": categories, "lam": 1.0}
    if seed % 3 == 0:
        X.loc[rng.random(n) < 0.1, "a"] = None
        X.loc[rng.random(n) < 0.1, "x"] = np.nan
        parameters["missing"] = "learn"
    kind = TAOClassifier if seed % 2 else TAORegressor
    y = np.digitize(score, [-1.0, 1.0]) if seed % 2 else np.round(score)
    init = start(kind, X, y, None, **parameters)
    here, parts = fitted(kind, X, y, None, init, **parameters)
    assert same(here.tree_, parts.tree_)


def test_the_number_of_parts_and_threads_is_irrelevant():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(5000, 4)).astype(np.float32)
    y = (X[:, 0] * X[:, 1] + rng.normal(size=5000) > 0).astype(int)
    trees = []
    for n_parts, n_jobs in ((1, 1), (7, 2)):
        model = TAOClassifier(split="univariate", init="cart", max_leaf_nodes=30, n_jobs=n_jobs, random_state=0)
        trees.append(fit_source(model, ArraySource(X, y, size=-(-5000 // n_parts))).tree_)
    assert np.array_equal(trees[0].features, trees[1].features)
    assert np.array_equal(trees[0].bias, trees[1].bias)


def test_rows_beyond_the_memory_are_in_temporary_files(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    rng = np.random.default_rng(0)
    X = rng.normal(size=(9000, 5))
    y = (X[:, 0] + X[:, 1] > rng.normal(size=9000)).astype(int)
    model = TAOClassifier(split="univariate", init="cart", max_leaf_nodes=20, random_state=0)
    whole = fit_source(model, ArraySource(X, y, size=2000)).tree_
    executor = LocalExecutor(memory=60_000)
    run = PartitionedRun(model, ArraySource(X, y, size=2000), executor)
    assert len(list(tmp_path.rglob("*.rows"))) > 5
    run.fit()
    run.shards.close()
    assert model.tree_ == whole
    assert not list(tmp_path.iterdir())


def test_the_objective_never_rises_and_dividing_bins_lowers_it():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(20_000, 6))
    y = (np.sin(3 * X[:, 0]) + X[:, 1] > 0.3 * rng.normal(size=20_000)).astype(int)
    model = TAOClassifier(split="univariate", init="cart", max_leaf_nodes=40, lam=2.0, max_iter=30)
    fit_source(model, ArraySource(X, y, size=6000))
    objectives = np.array([record.objective for record in (model.initial_, *model.trace_)])
    assert (np.diff(objectives) <= 1e-9 * objectives[0]).all()
    here = TAOClassifier(split="univariate", init=model.tree_, lam=2.0, max_iter=0).fit(X, y)
    assert here.initial_.objective == pytest.approx(objectives[-1])  # thresholds on codes and on values agree
    exact = TAOClassifier(split="univariate", init=model.tree_, lam=2.0, max_iter=30).fit(X, y)
    assert exact.trace_[-1].objective > 0.99 * objectives[-1]


def test_cart_is_that_of_scikit_learn():
    rng = np.random.default_rng(2)
    X = rng.integers(0, 100, (4000, 5)).astype(float)
    y = (X @ rng.normal(size=5) + 20 * rng.normal(size=4000) > 0).astype(int)
    model = TAOClassifier(split="univariate", init="cart", max_leaf_nodes=25, max_iter=0, lam=0.0)
    run = PartitionedRun(model, ArraySource(X, y, size=1500))
    sklearn = DecisionTreeClassifier(max_leaf_nodes=25, random_state=0).fit(X, y)
    assert run.working.n_leaves == 25
    ours = fit_source(model, ArraySource(X, y, size=1500))
    assert 1 - ours.score(X, y) == pytest.approx(1 - sklearn.score(X, y), abs=0.002)
    depth = fit_source(model.set_params(max_depth=3, max_leaf_nodes=None), ArraySource(X, y)).tree_.depth
    assert depth <= 3


def test_cart_of_many_leaves_reads_the_rows_little_more_than_once_per_depth(rng, monkeypatch):
    passes = []
    descend = Shard.descend
    monkeypatch.setattr(Shard, "descend", lambda *arguments: passes.append(1) or descend(*arguments))
    X, y = rng.integers(0, 30, (1500, 3)).astype(float), rng.integers(0, 2, 1500)
    model = TAOClassifier(split="univariate", init="cart", lam=0, max_iter=0, n_jobs=1)
    fit_source(model, ArraySource(X, y))
    assert model.tree_.n_leaves > 300
    assert len(passes) < 1.5 * model.tree_.depth


def test_unsupported_parameters_are_refused_in_words():
    X, y = np.arange(20.0)[:, None], np.arange(20) % 2
    model = TAOClassifier(split="univariate", init="cart", n_init=3)
    with refused(ParameterError, "n_init=3: rows that are read in parts require n_init="):
        fit_source(model, ArraySource(X, y))


def test_initial_trees_that_do_not_fit_the_parameters_are_refused():
    rng = np.random.default_rng(4)
    X, y = rng.normal(size=(200, 2)), rng.integers(0, 2, 200)
    oblique = TAOClassifier(split="oblique", init="cart", max_depth=2, max_iter=1, lam=0.0).fit(X, y).tree_
    with refused(ParameterError, "init has splits on more than 1 feature, which split='univariate' does not support"):
        fit_source(TAOClassifier(split="univariate", init=oblique), ArraySource(X, y))
    with refused(ParameterError, "max_leaf_nodes=3: the initial tree has 16 leaves"):
        fit_source(TAOClassifier(split="univariate", init="random", max_depth=4, max_leaf_nodes=3), ArraySource(X, y))


def test_class_weights_are_those_in_memory():
    rng = np.random.default_rng(3)
    X = rng.integers(0, 20, (900, 3)).astype(float)
    y = np.array(["no", "yes"])[(X[:, 0] + 10 * rng.normal(size=900) > 22).astype(int)]
    for balance in ("balanced", {"no": 1.0, "yes": 4.0}):
        init = start(TAOClassifier, X, y, None, class_weight=balance)
        here, parts = fitted(TAOClassifier, X, y, None, init, class_weight=balance, lam=1.0)
        assert np.array_equal(here.tree_.features, parts.tree_.features)
        assert np.allclose(here.tree_.values, parts.tree_.values)


@pytest.mark.parametrize("kind", [TAOClassifier, TAORegressor])
def test_the_unit_of_the_weights_does_not_matter(kind):
    random = np.random.default_rng(0)
    city = random.integers(0, 6, 2000)
    X = np.column_stack([np.eye(6)[city], np.round(random.normal(size=2000), 1)])
    y = (np.isin(city, [1, 4]) ^ (X[:, 6] > 0)).astype(int)
    own = random.integers(1, 4, 2000).astype(float)
    settings = {"split": "univariate", "categories": [list(range(6))], "max_leaf_nodes": 6, "max_iter": 0}
    trees = [
        fit_source(kind(init="cart", **settings), ArraySource(X, y, own * unit, size=700)).tree_
        for unit in (1.0, 2.0**-20, 2.0**20)
    ]
    assert trees[0].n_leaves >= 4
    for tree in trees[1:]:
        assert np.array_equal(tree.features, trees[0].features)
        assert np.array_equal(tree.bias, trees[0].bias)


def test_the_smallest_leaf_of_cart_counts_rows_of_any_equal_weight():
    random = np.random.default_rng(1)
    X = random.normal(size=(1500, 3))
    y = (X[:, 0] * X[:, 1] + 0.5 * random.normal(size=1500) > 0).astype(int)
    for unit in (1e-3, 1.0, 1e3):
        run = PartitionedRun(
            TAOClassifier(split="univariate", init="cart", max_iter=0),
            ArraySource(X, y, np.full(1500, unit), size=400), least_leaf=40,
        )  # fmt: skip
        run.optimise(0.0, max_iter=0)
        sizes = np.bincount(run.whole_tree().apply(X))
        assert run.whole_tree().n_leaves > 3
        assert sizes[sizes > 0].min() >= 40
        run.close()
