"""Test the phase diagram: metrics, the choice of initial trees, the corners in appendix C.1, and arguments."""

import numpy as np
import pytest

from tests import naive
from tests.refusals import refused
from tests.strategies import small_tree
from treecore import DataError, ParameterError, PhaseDiagram, PhasePoint, TAOClassifier, phase_diagram
from treecore.training.phase import COLUMNS, COSTS

LAMS = [0.3, 1.5, 6.0]
PRICES = (1.0, 1.5, 4.0)
ESTIMATOR = TAOClassifier(split="bivariate", init="cart", max_depth=4, max_iter=4, n_orientations=12, random_state=0)


@pytest.fixture(scope="module")
def wine(bundled):
    X, y = bundled("wine")
    return X[::2], y[::2], X[1::2], y[1::2]


def diagram_of(wine, lams=LAMS, costs=PRICES, estimator=ESTIMATOR, **options):
    X, y, X_val, y_val = wine
    return phase_diagram(estimator, X, y, lams=lams, costs=costs, X_val=X_val, y_val=y_val, **options)


@pytest.fixture(scope="module")
def diagram(wine):
    return diagram_of(wine)


def objective(tree, X, y, lam, cost):
    """Return the objective, computed point by point."""
    labels = tree.classes[tree.labels]
    wrong = sum(labels[naive.path(tree, x)[-1]] != label for x, label in zip(X, y, strict=True))
    sizes = [tree.split(node)[0].size for node in range(tree.n_nodes)]
    return wrong + lam * sum(cost if size == 2 else size for size in sizes)


def test_figures_equal_a_walk_of_every_point(wine, diagram):
    X, y, X_val, y_val = wine
    n_initial = TAOClassifier(split="bivariate", init="cart", max_depth=4, max_iter=0).fit(X, y).tree_.n_decision
    places = [(cost, lam) for cost in PRICES for lam in LAMS]
    assert [(p.cost, p.lam) for p in diagram] == places
    assert [(p.index, p.total) for p in diagram] == [(i, 9) for i in range(9)]
    for point in diagram:
        tree = point.tree
        sizes = [tree.split(node)[0].size for node in range(tree.n_nodes)]
        labels = tree.classes[tree.labels]
        assert point.objective == pytest.approx(objective(tree, X, y, point.lam, point.cost))
        assert point.train_error == pytest.approx(np.mean(tree.predict(X) != y))
        wrong = [labels[naive.path(tree, x)[-1]] != t for x, t in zip(X_val, y_val, strict=True)]
        assert point.validation_error == pytest.approx(np.mean(wrong))
        assert (point.n_univariate, point.n_bivariate) == (sizes.count(1), sizes.count(2))
        assert point.n_decision == point.n_univariate + point.n_bivariate == tree.n_decision
        assert point.share_univariate == point.n_univariate / n_initial
        assert point.share_bivariate == point.n_bivariate / n_initial
        shares = point.share_zerovariate + point.share_univariate + point.share_bivariate
        assert shares == pytest.approx(1.0)


def test_no_start_has_a_lower_objective(wine):
    X, y, _, _ = wine
    diagram = diagram_of(wine, 8, COSTS)
    trees = np.empty((len(COSTS), 8), object)
    for point in diagram:
        trees.flat[point.index] = point.tree
    first = TAOClassifier(split="bivariate", init="cart", max_depth=4, max_iter=0).fit(X, y).tree_
    for (row, column), tree in np.ndenumerate(trees):
        lam, cost = diagram.lams[column], diagram.costs[row]
        starts = [trees[row, column - 1] if column else first] + ([trees[row - 1, column]] if row else [])
        reached = objective(tree, X, y, lam, cost)
        assert all(reached <= objective(start, X, y, lam, cost) + 1e-9 for start in starts)


@pytest.mark.parametrize("name", ["iris", "wine", "breast_cancer"])
def test_the_corners_of_the_diagram(bundled, name):
    diagram = phase_diagram(ESTIMATOR, *bundled(name), lams=6, costs=[1.0, 2.0, 1e6])
    assert (diagram.grid("n_leaves")[:, -1] == 1).all()
    assert (diagram.grid("share_zerovariate")[:, -1] == 1.0).all()
    assert (diagram.grid("n_bivariate")[-1] == 0).all()
    ratios = diagram.lams[1:] / diagram.lams[:-1]
    np.testing.assert_allclose(ratios, ratios[0])


def test_at_cost_one_a_line_is_preferred_where_it_is_better():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3))
    y = (X[:, 0] + X[:, 1] > 0).astype(int)
    diagram = phase_diagram(ESTIMATOR, X, y, lams=[3.0, 9.0], costs=[1.0, 1000.0])
    assert diagram.grid("n_univariate")[0].tolist() == [0.0, 0.0]
    assert (diagram.grid("n_bivariate")[0] > 0).all()
    assert diagram.grid("n_bivariate")[1].tolist() == [0.0, 0.0]


def test_one_cost_and_one_lambda_is_a_plain_fit(wine):
    X, y, _, _ = wine
    for cost in (1.0, 2.5):
        point = diagram_of(wine, [1.0], [cost])[0]
        plain = TAOClassifier(**{**ESTIMATOR.get_params(), "lam": 1.0, "bivariate_cost": cost}).fit(X, y)
        assert point.tree == plain.tree_
        assert point.objective == pytest.approx(min(record.objective for record in plain.trace_))


def test_the_solver_cache_does_not_change_the_diagram(wine):
    one, two = diagram_of(wine), diagram_of(wine, costs=PRICES[::-1])
    assert [p.tree for p in one] == [p.tree for p in two]


def test_a_single_feature_gives_univariate_trees(wine):
    X, y, _, _ = wine
    diagram = phase_diagram(ESTIMATOR, X[:, :1], y, lams=LAMS, costs=[1.0, 2.0])
    assert (diagram.grid("n_bivariate") == 0).all()


def test_grids_and_frame(diagram):
    grid = diagram.grid("n_leaves")
    assert grid.shape == (3, 3)
    assert grid.dtype == np.float64
    assert grid[1, 2] == next(p.n_leaves for p in diagram if (p.cost, p.lam) == (1.5, 6.0))
    frame = diagram.to_frame()
    assert frame.columns.tolist() == list(COLUMNS)
    assert frame["objective"].tolist() == [p.objective for p in diagram]
    with refused(ParameterError, "name='tree': expected one of"):
        diagram.grid("tree")


def test_on_point_sees_every_point_and_may_stop(wine, diagram):
    seen = []
    assert [p.tree for p in diagram_of(wine, on_point=seen.append)] == [p.tree for p in seen]
    stopped = diagram_of(wine, on_point=lambda point: point.index == 4)
    assert [p.tree for p in stopped] == [p.tree for p in diagram][:5]
    grid = stopped.grid("n_leaves")
    assert np.isnan(grid).sum() == 4
    assert not stopped.within_one_se()[np.isnan(grid)].any()
    assert stopped.best() in stopped.points


def test_the_callback_of_the_estimator_stops_the_whole_diagram(wine):
    steps = []

    def stop(step):
        steps.append(step)
        return len(steps) == 3

    estimator = TAOClassifier(**{**ESTIMATOR.get_params(), "callback": stop})
    stopped = diagram_of(wine, estimator=estimator)
    assert (len(stopped), len(steps)) == (0, 3)
    assert estimator.callback is stop
    with refused(ParameterError, "The diagram was stopped before its first tree"):
        stopped.best()


def test_the_estimator_stays_unfitted(wine):
    estimator = TAOClassifier(**ESTIMATOR.get_params())
    diagram_of(wine, [1.0], [1.0], estimator)
    assert not [name for name in vars(estimator) if name.endswith("_")]


def diagram_with(cells, n_validation):
    """Return a diagram of 2 costs with cells of (validation error, leaves)."""
    points = tuple(
        PhasePoint(
            index=i, total=len(cells), lam=2.0 ** (i % 3), tree=small_tree(), train_error=0.0, validation_error=error,
            n_decision=leaves - 1, n_leaves=leaves, depth=2, n_nonzero=2 * leaves, mean_path_length=1.0,
            max_path_length=2, inference_cost=2.0, n_iter=1, seconds=0.0, cost=1.0 + i // 3, objective=1.0,
            n_univariate=0, n_bivariate=leaves - 1, share_zerovariate=0.0, share_univariate=0.0, share_bivariate=1.0,
        )
        for i, (error, leaves) in enumerate(cells)
    )  # fmt: skip
    return PhaseDiagram(points, np.array([1.0, 2.0, 4.0]), np.array([1.0, 2.0]), n_validation)


@pytest.mark.parametrize(("cells", "n", "smallest", "one_se"), [
    ([(0.3, 9), (0.1, 7), (0.2, 3), (0.1, 5), (0.4, 2), (0.5, 1)], 100, 3, 3),  # the smaller tree wins a tie
    ([(0.3, 9), (0.1, 7), (0.12, 3), (0.1, 5), (0.4, 2), (0.5, 1)], 100, 3, 2),
    ([(0.3, 9), (0.1, 7), (0.12, 3), (0.1, 5), (0.1299, 2), (0.5, 1)], 100, 3, 4),
    ([(0.3, 9), (0.1, 7), (0.12, 3), (0.1, 5), (0.1301, 2), (0.5, 1)], 100, 3, 2),
    ([(0.0, 9), (0.01, 2), (0.0, 8)], 100, 2, 2),  # without errors, there is no standard error
    ([(0.1, 4), (0.1, 4), (0.1, 4)], 100, 2, 2),  # the larger λ wins a tie
])  # fmt: skip
def test_best_by_hand(cells, n, smallest, one_se):
    diagram = diagram_with(cells, n)
    assert diagram.best() is diagram[smallest]
    assert diagram.best("min") is diagram[smallest]
    assert diagram.best("one_se") is diagram[one_se]
    low = min(error for error, _ in cells)
    wanted = [error <= low + (low * (1 - low) / n) ** 0.5 + 1e-12 for error, _ in cells]
    assert diagram.within_one_se().ravel()[: len(cells)].tolist() == wanted


def test_without_validation_data_there_is_no_recommendation(wine):
    diagram = phase_diagram(ESTIMATOR, wine[0], wine[1], lams=[1.0], costs=[1.0])
    assert diagram[0].validation_error is None
    assert np.isnan(diagram.grid("validation_error")).all()
    for ask in (diagram.best, diagram.within_one_se):
        with refused(ParameterError, "The diagram has no validation errors to select a tree"):
            ask()
    with refused(ParameterError, "rule='max': expected one of"):
        diagram.best("max")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"costs": []}, "costs is empty: expected at least one value of C"),
        ({"costs": [0.5]}, "costs=…: expected finite numbers from 1 to 1e30"),
        ({"costs": [float("nan")]}, "costs=…: expected finite numbers from 1 to 1e30"),
        ({"costs": None}, "costs=…: expected a list of numbers >= 1"),
        ({"costs": 2.0}, "costs=…: expected a list of numbers >= 1"),
        ({"costs": ["x"]}, "costs=…: expected a list of numbers >= 1"),
        ({"lams": 0}, "lams=0: expected a number of values >= 1, or a sequence of values"),
        ({"lams": []}, "lams is empty: expected an int (number of values) or a non-empty sequence of numbers >= 0"),
        ({"lams": [-1.0]}, "lams=…: expected finite numbers from 0 to 1e30"),
        ({"lams": True}, "lams=…: expected an int (number of values) or a sequence of numbers >= 0"),
    ],
)
def test_bad_grids_are_refused(wine, options, message):
    with refused(ParameterError, message):
        diagram_of(wine, **options)


@pytest.mark.parametrize("estimator", [TAOClassifier(), TAOClassifier(split="univariate"), object()])
def test_other_estimators_are_refused(wine, estimator):
    with refused(ParameterError, "estimator is a …: a phase diagram needs a TAO estimator with split='bivariate'"):
        phase_diagram(estimator, wine[0], wine[1])


def test_validation_data_come_in_pairs_and_must_fit(wine):
    X, y, X_val, y_val = wine
    with refused(ParameterError, "X_val and y_val: expected both or neither"):
        phase_diagram(ESTIMATOR, X, y, lams=[1.0], costs=[1.0], X_val=X_val)
    with refused(ParameterError, "y_val has shape (3,), but X_val has … rows"):
        phase_diagram(ESTIMATOR, X, y, lams=[1.0], costs=[1.0], X_val=X_val, y_val=y_val[:3])
    with refused(DataError, "No label of y_val, such as …, is a class of y (… ...)"):
        phase_diagram(ESTIMATOR, X, y, lams=[1.0], costs=[1.0], X_val=X_val, y_val=y_val.astype(str))


def test_a_regressor_has_a_diagram_too():
    from sklearn.datasets import load_diabetes

    from treecore import TAORegressor

    X, y = load_diabetes(return_X_y=True)
    model = TAORegressor(split="bivariate", init="cart", max_depth=4, random_state=0)
    diagram = phase_diagram(model, X[::2], y[::2], lams=5, costs=(1.0, 2.0), X_val=X[1::2], y_val=y[1::2])
    assert len(diagram) == 10
    for point in diagram.points:
        loss = np.sum((point.tree.predict(X[::2]) - y[::2]) ** 2)
        penalty = point.n_univariate + point.cost * point.n_bivariate
        assert point.objective == pytest.approx(loss + point.lam * penalty)
    assert diagram.within_one_se().any()
