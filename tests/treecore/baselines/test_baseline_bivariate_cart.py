"""Test bivariate CART with pruning: its weakest links against brute force and scikit-learn."""

import itertools

import numpy as np
import pytest
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier

import sample_data
from tests import naive
from tests.fitted import check_predictions
from tests.refusals import refused
from tests.strategies import random_shape, small_tree
from treecore import BivariateCARTClassifier, BivariateCARTRegressor, DataError, ParameterError, TAORegressor
from treecore.baselines.bivariate_cart import held_out_rows, prune_by_validation
from treecore.data.regression import Regression
from treecore.initial.bivariate_cart import GreedyTarget, grow
from treecore.training.cost_complexity import node_losses, smallest_validation_risk, weakest_links
from treecore.training.prune import cut
from treecore.tree.classes import Classes
from treecore.tree.quantity import Quantity
from treecore.tree.working_tree import WorkingTree


def random_risk(rng, left, right):
    """Return a risk, float64[m], that no split raises."""
    risk = rng.integers(0, 4, left.size).astype(float)
    for node in np.flatnonzero(left >= 0)[::-1]:
        risk[node] += risk[left[node]] + risk[right[node]]
    return risk


def subtrees(left, right, node=0):
    """Return every subtree with the same root, as the list of its leaves."""
    yield [node]
    if left[node] >= 0:
        sides = [list(subtrees(left, right, side[node])) for side in (left, right)]
        yield from (a + b for a, b in itertools.product(*sides))


def test_weakest_links_minimise_the_cost_for_every_alpha(rng):
    for _ in range(30):
        left, right = random_shape(rng, int(rng.integers(1, 8)))
        risk = random_risk(rng, left, right)
        every = list(subtrees(left, right))
        sequence = weakest_links(left, right, risk)
        alphas = [subtree.alpha for subtree in sequence]
        assert alphas == sorted(alphas)
        assert sequence[0].n_leaves == np.sum(left < 0)
        assert sequence[-1].n_leaves == 1
        assert [subtree.n_leaves for subtree in sequence] == sorted({s.n_leaves for s in sequence}, reverse=True)
        for subtree, following in itertools.pairwise([*sequence[1:], None]):
            for alpha in (subtree.alpha, subtree.alpha + 0.01 if following is None else following.alpha - 1e-6):
                if alpha < subtree.alpha:
                    continue
                costs = [sum(risk[leaf] for leaf in leaves) + alpha * len(leaves) for leaves in every]
                assert subtree.risk + alpha * subtree.n_leaves == pytest.approx(min(costs), abs=1e-9)
                smallest = min(len(e) for e, cost in zip(every, costs, strict=True) if cost <= min(costs) + 1e-9)
                if alpha == subtree.alpha:
                    assert subtree.n_leaves == smallest


def test_the_sequence_is_that_of_scikit_learn(bundled):
    X, y = bundled("breast_cancer")
    grown = DecisionTreeClassifier(random_state=0).fit(X, y)
    wanted = grown.cost_complexity_pruning_path(X, y)
    arrays = grown.tree_
    risk = arrays.impurity * arrays.weighted_n_node_samples / len(y)
    sequence = weakest_links(arrays.children_left, arrays.children_right, risk)
    np.testing.assert_allclose([s.alpha for s in sequence[1:]], wanted.ccp_alphas[1:], atol=1e-12)
    np.testing.assert_allclose([s.risk for s in sequence], wanted.impurities, atol=1e-12)


def test_validation_chooses_the_best_subtree_of_the_sequence(rng):
    for _ in range(50):
        left, right = random_shape(rng, int(rng.integers(1, 9)))
        risk = random_risk(rng, left, right)
        validation = rng.integers(0, 6, left.size).astype(float)
        is_end, candidates = left < 0, []
        for subtree in weakest_links(left, right, risk):
            is_end = is_end.copy()
            is_end[subtree.collapsed] = True
            leaves = [leaf for leaf in leaves_of(left, right, is_end)]
            candidates.append((validation[leaves].sum(), len(leaves), sorted(leaves)))
        found = smallest_validation_risk(left, right, risk, validation)
        assert np.flatnonzero(found).tolist() == min(candidates)[2]


def leaves_of(left, right, is_end, node=0):
    if is_end[node]:
        return [node]
    return leaves_of(left, right, is_end, left[node]) + leaves_of(left, right, is_end, right[node])


def test_losses_of_validation_rows_are_added_up_at_every_node(rng):
    tree = small_tree()
    X = rng.integers(0, 4, (30, 3)).astype(float)
    codes, weights = rng.integers(0, 4, 30), rng.integers(1, 4, 30).astype(float)
    y, means = rng.standard_normal(30), rng.standard_normal(5)
    shape = tree.left, tree.right
    errors = node_losses(*shape, tree.labels, tree.apply(X), codes, weights, Classes.losses)
    squares = node_losses(*shape, means, tree.apply(X), y, weights, Quantity.losses)
    for node, rows in enumerate(naive.visits(tree.routing, X)):
        assert errors[node] == sum(weights[i] for i in rows if codes[i] != tree.labels[node])
        assert squares[node] == pytest.approx(sum(weights[i] * (y[i] - means[node]) ** 2 for i in rows))


def test_trees_of_means_are_grown_and_pruned_over_plain_arrays(rng):
    X = rng.uniform(-1, 1, (600, 3))
    y = np.where(X[:, 0] + X[:, 1] > 0.2, 2.0, 0.0) + 0.3 * rng.standard_normal(600)
    target = GreedyTarget(Regression(), y[:400], np.ones(400))
    grown = grow(np.ascontiguousarray(X[:400].T), np.arange(3), target, None, 60, lambda f, items: [*map(f, items)])
    tree = WorkingTree(grown.left, grown.right, grown.splits, np.zeros(len(grown.left)), np.arange(len(grown.left)))
    shape, means = (tree.left, tree.right), np.array(grown.predictions)
    leaves = naive.leaves(tree.routing(), X)
    np.testing.assert_allclose(means[leaves[:400]], y[:400])
    risk = node_losses(*shape, means, leaves[:400], y[:400], np.ones(400), Quantity.losses)
    validation_risk = node_losses(*shape, means, leaves[400:], y[400:], np.ones(200), Quantity.losses)
    ends = smallest_validation_risk(*shape, risk, validation_risk)
    assert 2 <= ends.sum() <= 10
    assert np.ptp(means[ends]) > 1.5


def test_a_single_leaf_is_its_own_sequence():
    none, risk = np.array([-1]), np.array([2.0])
    assert [s.n_leaves for s in weakest_links(none, none, risk)] == [1]
    assert smallest_validation_risk(none, none, risk, risk).tolist() == [True]


def test_a_cut_tree_keeps_its_nodes():
    tree = small_tree(feature_names=("r", "g", "b"))
    assert cut(tree, tree.left < 0) is tree
    smaller = cut(tree, np.array([False, True, True, False, False]))
    assert smaller.origin.tolist() == [0, 1, 2]
    assert smaller.left.tolist() == [1, -1, -1]
    assert smaller.weights.tolist() == [1.0]
    assert smaller.bias.tolist() == [-1.5, 0, 0]
    assert np.array_equal(smaller.values, tree.values[:3])
    assert smaller.feature_names == tree.feature_names
    stump = cut(tree, np.ones(5, bool))
    assert stump.n_nodes == 1
    assert stump.predict(np.zeros((2, 3))).tolist() == ["a", "a"]


def test_pruning_counts_weights_and_labels_that_the_tree_does_not_know():
    tree = small_tree()
    X = np.array([[0.0, 0, 0], [2, 0, 5], [5, 0, 2]])
    assert prune_by_validation(tree, X, ["a", "b", "c"]).n_leaves == 3
    assert prune_by_validation(tree, X, np.array(["a", "b", "b"])).n_leaves == 2
    assert prune_by_validation(tree, X, ["a", "b", "b"], [1.0, 1.0, 0.0]).n_leaves == 2
    assert prune_by_validation(tree, X, ["a", "a", "a"]).n_leaves == 1
    assert prune_by_validation(tree, X, ["z", "y", "x"]).n_leaves == 1


def test_without_validation_the_tree_is_fully_grown(bundled):
    X, y = bundled("iris")
    X, rows = np.unique(X, axis=0, return_index=True)
    y = y[rows]
    for fraction in (None, 0):
        model = BivariateCARTClassifier(validation_fraction=fraction).fit(X, y)
        assert (model.predict(X) == y).all()
        assert np.count_nonzero(model.tree_.values[model.tree_.left < 0]) == model.tree_.n_leaves
        assert model.tree_.n_samples[0] == len(y)


@pytest.mark.parametrize("name", ["breast-cancer", "wine", "iris"])
def test_pruning_makes_smaller_trees_that_predict_as_well(name):
    data = sample_data.load(name)
    X, X_test, y, y_test = train_test_split(data.X, data.y, stratify=data.y, random_state=0)
    whole = BivariateCARTClassifier(validation_fraction=None).fit(X, y)
    pruned = BivariateCARTClassifier(validation_fraction=0.2, random_state=0).fit(X, y)
    assert pruned.tree_.n_leaves <= whole.tree_.n_leaves
    assert pruned.score(X_test, y_test) >= whole.score(X_test, y_test) - 0.05
    check_predictions(pruned, X_test)


def test_noise_is_pruned_away(rng):
    X, y = rng.standard_normal((400, 4)), rng.integers(0, 2, 400)
    whole = BivariateCARTClassifier(validation_fraction=None).fit(X, y)
    pruned = BivariateCARTClassifier(validation_fraction=0.3, random_state=0).fit(X, y)
    assert pruned.tree_.n_leaves < whole.tree_.n_leaves / 2


def test_held_out_rows_are_spread_over_the_classes(rng):
    codes = np.repeat([0, 1, 2, 3], [100, 40, 9, 1])[rng.permutation(150)]
    rows = np.flatnonzero(np.arange(150) % 5)
    held = held_out_rows(codes, rows, 0.2, np.random.RandomState(0))
    assert held.size == round(0.2 * rows.size)
    assert np.isin(held, rows).all()
    assert np.unique(held).size == held.size
    shares = np.bincount(codes[held], minlength=4) / np.maximum(np.bincount(codes[rows], minlength=4), 1)
    np.testing.assert_allclose(shares[:2], 0.2, atol=0.05)
    assert set(codes[np.setdiff1d(rows, held)]) == set(codes[rows])
    assert held_out_rows(np.arange(5), np.arange(5), 0.5, np.random.RandomState(0)).size == 0
    assert held_out_rows(np.zeros(9, int), np.arange(9), 0.99, np.random.RandomState(0)).size == 8


def test_scale_does_not_change_the_tree(bundled):
    X, y = bundled("wine")
    trees = [BivariateCARTClassifier(scale=scale, random_state=0).fit(X, y).tree_ for scale in ("standard", None)]
    assert trees[0] == trees[1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"validation_fraction": "some"}, "validation_fraction="),
        ({"validation_fraction": float("nan")}, "validation_fraction="),
        ({"n_orientations": 0}, "n_orientations=0: expected a whole number >="),
    ],
)
def test_bad_parameters_are_refused(bundled, options, message):
    with refused(ParameterError, message):
        BivariateCARTClassifier(**options).fit(*bundled("iris"))


class TestRegressor:
    @pytest.fixture
    def slanted(self, rng):
        X = rng.uniform(-1, 1, (600, 4))
        return X, np.where(X[:, 0] + X[:, 1] > 0.2, 5.0, -5.0) + 0.3 * rng.standard_normal(600)

    def test_unpruned_it_repeats_the_targets(self, slanted):
        X, y = slanted
        model = BivariateCARTRegressor(validation_fraction=None).fit(X, y)
        np.testing.assert_allclose(model.predict(X), y)

    def test_pruned_it_finds_the_line(self, slanted):
        X, y = slanted
        tree = BivariateCARTRegressor(validation_fraction=0.2, random_state=0).fit(X, y).tree_
        assert tree.n_leaves < 30
        assert tree.split(0)[0].tolist() == [0, 1]
        assert np.sqrt(np.mean((tree.predict(X) - y) ** 2)) < 0.6

    def test_pruning_by_validation_takes_the_best_of_the_sequence(self, slanted):
        X, y = slanted
        whole = BivariateCARTRegressor(validation_fraction=None).fit(X[::2], y[::2]).tree_
        pruned = prune_by_validation(whole, X[1::2], y[1::2])
        error = np.mean((pruned.predict(X[1::2]) - y[1::2]) ** 2)
        assert pruned.n_leaves < whole.n_leaves
        assert error < np.mean((whole.predict(X[1::2]) - y[1::2]) ** 2)

    def test_it_starts_tao(self, slanted):
        X, y = slanted
        model = TAORegressor(split="bivariate", init="bivariate_cart", lam=50.0, random_state=0).fit(X, y)
        assert model.tree_.n_leaves == 2
        assert model.trace_[-1].objective < model.initial_.objective

    def test_bad_input(self, slanted):
        X, y = slanted
        with pytest.raises(DataError, match="NaN"):
            BivariateCARTRegressor().fit(X, np.where(y > 5, np.nan, y))
        with pytest.raises(ParameterError, match="validation_fraction=1.5"):
            BivariateCARTRegressor(validation_fraction=1.5).fit(X, y)
