"""Test the critical values of λ: the tree changes at each of them and nowhere between two.

Kairgeldin and Carreira-Perpiñán 2024, section 2.1.2.
"""

import numpy as np
import pytest
from sklearn.datasets import make_classification

import sample_data
from tests.budget import budget
from tests.refusals import refused
from treecore import ParameterError, TAOClassifier, TAORegressor, regularization_path

KINDS = [(TAOClassifier, "iris"), (TAOClassifier, "wine"), (TAOClassifier, "breast-cancer"), (TAORegressor, "diabetes")]


def critical_path(kind, name, split, **options):
    data = sample_data.load(name)
    y = data.y if kind is TAOClassifier else data.X[:, 2] + 0.1 * data.y + np.sin(9 * data.X[:, 8])
    depth = None if kind is TAOClassifier else 4
    model = kind(split=split, init="cart", lam=0.0, max_depth=depth, random_state=0)
    return model, data.X, y, regularization_path(model, data.X, y, "critical", **options)


def objective(tree, X, y, lam, model):
    sizes = np.diff(tree.indptr)[tree.left >= 0]
    penalty = np.where(sizes == 2, model.bivariate_cost, sizes).sum()
    wrong = (tree.predict(X) - y) ** 2 if tree.is_regression else tree.predict(X) != y
    return wrong.sum() + lam * penalty


@pytest.mark.parametrize("split", ["univariate", "bivariate"])
@pytest.mark.parametrize(("kind", "name"), KINDS)
def test_between_two_values_the_tree_stays_and_at_each_it_changes(kind, name, split):
    model, X, y, path = critical_path(kind, name, split)
    lams = path.lams
    assert lams[0] == 0.0
    assert (np.diff(lams) > 0).all()
    assert path[-1].n_decision == 0
    for point, following in zip(path.points[:-1], path.points[1:], strict=True):
        assert point.total == 0
        for share in (0.01, 0.5, 0.99):
            lam = point.lam + share * (following.lam - point.lam)
            warm = kind(split=split, init=point.tree, lam=lam).fit(X, y).tree_
            assert np.array_equal(warm.apply(X), point.tree.apply(X))
            assert warm.n_nodes == point.tree.n_nodes
        here, there = (objective(tree, X, y, following.lam, model) for tree in (point.tree, following.tree))
        assert there <= here * (1 + 1e-9)
        assert following.tree != point.tree


def test_the_first_value_is_that_of_the_estimator_and_a_callback_stops():
    data = sample_data.load("iris")
    model = TAOClassifier(split="bivariate", init="cart", lam=2.5, random_state=0)
    path = regularization_path(model, data.X, data.y, "critical")
    assert path[0].lam == 2.5
    short = regularization_path(model, data.X, data.y, "critical", on_point=lambda point: point.index == 1)
    assert short.lams.tolist() == path.lams[:2].tolist()


def test_only_splits_with_a_true_loss_have_such_values():
    data = sample_data.load("iris")
    with refused(ParameterError, "lams='critical' does not support split='oblique'"):
        regularization_path(TAOClassifier(), data.X, data.y, "critical")
    with refused(ParameterError, "lams='all': expected an int (number of values) or a sequence of numbers >= 0"):
        regularization_path(TAOClassifier(split="bivariate"), data.X, data.y, "all")


@pytest.mark.nightly
@pytest.mark.parametrize("init", ["random", "cart"])
@pytest.mark.parametrize("split", ["univariate", "bivariate"])
def test_a_fit_and_every_point_are_fixed_points(split, init):
    for seed in range(budget(1, 4)):
        X, y = make_classification(300, 6, n_informative=4, n_classes=3, flip_y=0.2, random_state=seed)
        settings = {"split": split, "lam": 0.1, "max_depth": 6, "random_state": seed}
        model = TAOClassifier(init=init, **settings).fit(X, y)
        again = TAOClassifier(split=split, init=model.tree_, lam=0.1).fit(X, y)
        assert again.trace_[-1].objective == model.trace_[-1].objective
        short = TAOClassifier(init=init, **settings | {"max_iter": 1, "tol": 0.1})
        path = regularization_path(short, X, y, "critical")
        assert (np.diff(path.lams) > 1e-9).all()
        for point, following in zip(path.points[:-1], path.points[1:], strict=True):
            warm = TAOClassifier(split=split, init=point.tree, lam=(point.lam + following.lam) / 2).fit(X, y).tree_
            assert np.array_equal(warm.apply(X), point.tree.apply(X))
