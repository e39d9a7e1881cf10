"""Test the regularisation path: the metrics of every tree, the choice of λ, and the arguments."""

import numpy as np
import pytest
import scipy.sparse

from tests import naive
from tests.refusals import refused
from tests.strategies import small_tree
from treecore import DataError, ParameterError, PathPoint, RegularizationPath, TAOClassifier, regularization_path
from treecore.training.path import COLUMNS

LAMS = [0.1, 0.5, 2.0, 10.0]
KINDS = {
    "oblique": TAOClassifier(max_depth=3, max_iter=4, random_state=0),
    "univariate": TAOClassifier(split="univariate", init="cart", max_iter=4, random_state=0),
}


@pytest.fixture
def wine(bundled):
    X, y = bundled("wine")
    return X[::2], y[::2], X[1::2], y[1::2]


def short_path(wine, lams=LAMS, kind="oblique", **options):
    X, y, X_val, y_val = wine
    return regularization_path(KINDS[kind], X, y, lams=lams, X_val=X_val, y_val=y_val, **options)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("lams", [LAMS, 7])
def test_figures_equal_a_walk_of_every_point(wine, kind, lams):
    X, y, X_val, y_val = wine
    path = short_path(wine, lams, kind)
    assert (np.diff(path.lams) > 0).all()
    for index, point in enumerate(path):
        tree = point.tree
        walks = [naive.path(tree, x) for x in X]
        nonzero = [tree.split(node)[0].size for node in range(tree.n_nodes)]
        labels = tree.classes[tree.labels]
        assert (point.index, point.total, point.tree) == (index, len(path), path.trees[index])
        assert point.train_error == pytest.approx(np.mean([labels[w[-1]] != t for w, t in zip(walks, y, strict=True)]))
        wrong = [labels[naive.path(tree, x)[-1]] != t for x, t in zip(X_val, y_val, strict=True)]
        assert point.validation_error == pytest.approx(np.mean(wrong))
        assert (point.n_decision, point.n_leaves, point.depth) == (tree.n_decision, tree.n_leaves, tree.depth)
        assert point.n_nonzero == sum(nonzero)
        assert point.mean_path_length == pytest.approx(np.mean([len(w) - 1 for w in walks]))
        assert point.max_path_length == max(len(w) - 1 for w in walks)
        assert point.inference_cost == pytest.approx(np.mean([sum(nonzero[node] for node in w) for w in walks]))
        assert tree.n_samples.tolist() == [len(rows) for rows in naive.visits(tree, X)]
        assert point.seconds >= 0


@pytest.mark.parametrize("kind", KINDS)
def test_trees_lose_nodes_along_the_path_and_never_gain_any(wine, kind):
    path = short_path(wine, 8, kind)
    origins = [set(tree.origin.tolist()) for tree in path.trees]
    assert all(later <= earlier for earlier, later in zip(origins[:-1], origins[1:], strict=True))
    assert path[-1].n_decision < path[0].n_decision
    whole = TAOClassifier(max_depth=3, max_iter=0, random_state=0).fit(wine[0], wine[1]).tree_
    if kind == "oblique":
        assert origins[0] <= set(range(15))
        assert set(whole.origin.tolist()) <= set(range(15))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["iris", "wine", "breast_cancer"])
def test_a_grid_ends_with_a_single_leaf(bundled, kind, name):
    path = regularization_path(KINDS[kind], *bundled(name), lams=5)
    assert len(path) == 5
    assert path[-1].n_leaves == 1
    ratios = path.lams[1:] / path.lams[:-1]
    np.testing.assert_allclose(ratios, ratios[0])


def test_a_grid_of_sparse_rows_equals_that_of_dense_ones(bundled):
    X, y = bundled("wine")
    dense, sparse = (regularization_path(KINDS["oblique"], form, y, lams=3) for form in (X, scipy.sparse.csr_matrix(X)))
    np.testing.assert_allclose(dense.lams, sparse.lams)
    assert sparse[-1].n_leaves == 1


def test_a_path_is_repeatable_and_its_first_tree_is_a_plain_fit(wine):
    X, y, _, _ = wine
    one, two = short_path(wine), short_path(wine)
    assert one.trees == two.trees
    assert one.trees[0] == TAOClassifier(max_depth=3, max_iter=4, random_state=0, lam=0.1).fit(X, y).tree_


def test_values_of_lambda_are_sorted_and_made_unique(wine):
    wanted = short_path(wine)
    for lams in ([10, 0.5, 0.1, 2], (0.1, 0.1, 2.0, 0.5, 10.0, 10.0), np.array([2, 10, 0.5, 0.1]), iter(LAMS)):
        path = short_path(wine, lams)
        assert path.lams.tolist() == LAMS
        assert path.trees == wanted.trees


@pytest.mark.parametrize(
    ("lams", "message"),
    [
        ([], "lams is empty: expected an int (number of values) or a non-empty sequence of numbers >= 0"),
        ([-1.0, 1.0], "lams=…: expected finite numbers from 0 to 1e30"),
        ([float("nan"), 1.0], "lams=…: expected finite numbers from 0 to 1e30"),
        ([float("inf")], "lams=…: expected finite numbers from 0 to 1e30"),
        (["a"], "lams=…: expected an int (number of values) or a sequence of numbers >= 0"),
        (None, "lams=…: expected an int (number of values) or a sequence of numbers >= 0"),
        (2.5, "lams=…: expected an int (number of values) or a sequence of numbers >= 0"),
        (0, "lams=0: expected a number of values >= 1, or a sequence of values"),
        (-3, "lams=-3: expected a number of values >= 1, or a sequence of values"),
        (True, "lams=…: expected an int (number of values) or a sequence of numbers >= 0"),
        ([[1.0, 2.0]], "lams=…: expected an int (number of values) or a sequence of numbers >= 0"),
    ],
)
def test_bad_values_of_lambda_are_refused(wine, lams, message):
    with refused(ParameterError, message):
        short_path(wine, lams)


def test_one_value_is_a_path_too(wine):
    assert len(short_path(wine, 1)) == len(short_path(wine, [0.0])) == 1
    assert short_path(wine, np.int64(2)).lams.size == 2


def test_on_point_sees_every_point_and_may_stop(wine):
    seen = []
    path = short_path(wine, on_point=seen.append)
    assert [point.tree for point in seen] == path.trees
    assert [(point.index, point.total) for point in seen] == [(i, 4) for i in range(4)]
    stopped = short_path(wine, on_point=lambda point: point.index == 1)
    assert stopped.trees == path.trees[:2]


def test_the_callback_of_the_estimator_stops_the_whole_path(wine):
    X, y, _, _ = wine
    steps = []

    def stop(step):
        steps.append(step)
        return len(steps) == 3

    estimator = TAOClassifier(max_depth=3, random_state=0, callback=stop)
    path = regularization_path(estimator, X, y, lams=LAMS)
    assert len(path) == 0
    assert len(steps) == 3
    assert estimator.callback is stop


def test_the_estimator_stays_unfitted(wine):
    estimator = TAOClassifier(max_depth=2, max_iter=1, random_state=0, lam=7.0)
    regularization_path(estimator, wine[0], wine[1], lams=[0.5, 1.0])
    assert estimator.lam == 7.0
    assert not [name for name in vars(estimator) if name.endswith("_")]


def test_validation_data_come_in_pairs_and_must_fit(wine):
    X, y, X_val, y_val = wine
    estimator = KINDS["oblique"]
    for half in ({"X_val": X_val}, {"y_val": y_val}):
        with refused(ParameterError, "X_val and y_val: expected both or neither"):
            regularization_path(estimator, X, y, lams=[1.0], **half)
    with refused(ParameterError, "y_val has shape (3,), but X_val has 89 rows"):
        regularization_path(estimator, X, y, lams=[1.0], X_val=X_val, y_val=y_val[:3])
    with pytest.raises(DataError, match="features"):
        regularization_path(estimator, X, y, lams=[1.0], X_val=X_val[:, 1:], y_val=y_val)


def test_without_validation_data_there_is_no_recommendation(wine):
    path = regularization_path(KINDS["oblique"], wine[0], wine[1], lams=[0.5, 1.0])
    assert [point.validation_error for point in path] == [None, None]
    with refused(ParameterError, "The path has no validation errors to select lambda"):
        path.best()


def test_to_frame_has_one_row_for_each_lambda(wine):
    path = short_path(wine)
    frame = path.to_frame()
    assert frame.columns.tolist() == list(COLUMNS)
    assert frame.shape == (4, len(COLUMNS))
    assert frame["lam"].tolist() == LAMS
    for name in COLUMNS:
        assert frame[name].tolist() == [getattr(point, name) for point in path]


def path_with(errors, n_validation):
    points = (PathPoint(i, len(errors), 2.0**i, small_tree(), 0.0, error, 2, 3, 2, 3, 1.5, 2, 2.0, 1, 0.0,
                        np.sqrt(error * (1 - error) / n_validation))
              for i, error in enumerate(errors))  # fmt: skip
    return RegularizationPath(tuple(points), n_validation)


@pytest.mark.parametrize(("errors", "n", "smallest", "one_se"), [
    ([0.3, 0.1, 0.2, 0.4], 100, 1, 1),  # the standard error is 0.03, so 0.2 is out of reach
    ([0.3, 0.1, 0.12, 0.4], 100, 1, 2),
    ([0.3, 0.1, 0.1299, 0.4], 100, 1, 2),
    ([0.3, 0.1, 0.1301, 0.4], 100, 1, 1),
    ([0.1, 0.1, 0.1, 0.4], 100, 2, 2),  # the largest λ wins a tie
    ([0.1, 0.3, 0.12, 0.4], 100, 0, 2),  # the selected trees need not be neighbours
    ([0.0, 0.01, 0.0, 0.5], 100, 2, 2),  # without errors, there is no standard error
    ([0.1, 0.13, 0.2, 0.4], 9, 0, 2),
    ([0.2], 10, 0, 0),
])  # fmt: skip
def test_best_by_hand(errors, n, smallest, one_se):
    path = path_with(errors, n)
    assert path.best_index("min") == smallest
    assert path.best("min") is path[smallest]
    assert path.best() is path[smallest]
    assert path.best_index("one_se") == one_se
    assert path.best("one_se") is path[one_se]


def test_unknown_rules_are_refused():
    with refused(ParameterError, "rule='max': expected 'min' or 'one_se'"):
        path_with([0.1], 5).best("max")
