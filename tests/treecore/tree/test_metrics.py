"""Test the metrics of a tree by recomputing them point by point."""

import numpy as np
import pandas
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import naive
from tests.strategies import MODEST, rows, small_tree, trees
from treecore import TAOClassifier
from treecore.comparison.model_size import model_size
from treecore.tree.metrics import error_rate, node_counts, training_error, tree_metrics


@given(st.data(), trees(MODEST))
def test_figures_equal_a_walk_of_every_point(data, tree):
    X = data.draw(rows(tree.n_features))
    paths = [naive.path(tree, x) for x in X]
    nonzero = [tree.split(node)[0].size for node in range(tree.n_nodes)]
    figures = tree_metrics(tree, X)
    assert figures.n_decision == sum(not tree.is_leaf(node) for node in range(tree.n_nodes))
    assert figures.n_leaves == figures.n_decision + 1
    assert figures.depth == tree.depth
    assert figures.n_nonzero == sum(nonzero)
    assert figures.features_per_node == (sum(nonzero) / figures.n_decision if figures.n_decision else 0)
    assert figures.n_features_used == len(set(tree.features.tolist()))
    assert figures.mean_path_length == pytest.approx(np.mean([len(path) - 1 for path in paths]))
    assert figures.max_path_length == max(len(path) - 1 for path in paths)
    assert figures.inference_cost == pytest.approx(np.mean([sum(nonzero[node] for node in path) for path in paths]))
    assert node_counts(tree, X).tolist() == [len(points) for points in naive.visits(tree, X)]


def test_figures_over_the_training_points_use_their_stored_counts():
    figures = tree_metrics(small_tree())
    assert figures.mean_path_length == pytest.approx((4 * 1 + 5 * 2) / 9)
    assert figures.max_path_length == 2
    assert figures.inference_cost == pytest.approx((9 * 1 + 5 * 2) / 9)


def test_errors_of_a_small_tree():
    tree = small_tree(values=[[4, 3, 2], [3, 1, 0], [0, 3, 2], [0, 2, 1], [0, 0, 2]])
    assert training_error(tree) == pytest.approx(2 / 9)
    assert error_rate(tree, [[0, 0, 0], [2, 0, 0], [2, 0, 3]], ["a", "a", "b"]) == pytest.approx(1 / 3)


def test_leaves_without_training_points_do_not_count():
    tree = small_tree(values=[[9, 0, 0], [9, 0, 0], [0, 7, 0], [0, 7, 0], [5, 0, 5]], n_samples=[9, 9, 0, 0, 0])
    assert training_error(tree) == 0
    assert tree_metrics(tree).max_path_length == 1


def test_the_categories_of_a_column_count_as_one_feature():
    rng = np.random.default_rng(0)
    city, size = rng.integers(0, 8, 400), rng.random(400)
    X = pandas.DataFrame({"city": [f"c{i}" for i in city], "size": size})
    y = np.isin(city, [1, 3, 6]) ^ (size > 0.7)
    model = TAOClassifier(split="univariate", init="cart", categories="groups", lam=1.0, random_state=0).fit(X, y)
    tree = model.tree_
    assert np.diff(tree.indptr).max() > 2
    assert tree_metrics(tree).features_per_node == tree.features_per_node == 1.0
    bare = tree.with_names(None)
    assert bare.features_per_node > 1
    columns = [range(8)]
    assert np.array_equal(bare.columns_per_split(columns), (tree.left >= 0).astype(int))
    rows = model.encoder_.transform(model, X)
    assert model_size(bare, rows, columns).features_per_node == model_size(model, X).features_per_node == 1.0
