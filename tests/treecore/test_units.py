"""Test that a change of unit, origin, name or order changes nothing but its own (metamorphic tests of all methods).

Predictions stay equal for another unit of a feature (x -> a x with a > 0) and for other names of the classes. They
stay equal for another unit and origin of the target (with lambda times the square of the unit), for another unit of
the weights (with lambda times it), and with a constant column.

For another origin of a feature (x -> x + b), predictions stay equal but for rows that rounding moves across a
threshold. For another order of the rows, the predictions of methods that draw no rows at random stay equal.

For another sign of a feature, another order of the columns, and a repeated column, the training error stays equal in
the mean. If several splits are equally good, these changes can select another one, so that single trees differ.
"""

import warnings
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pytest
from sklearn.base import clone, is_regressor

from tests.budget import NIGHTLY, budget
from treecore import TAOClassifier, TAORegressor, regularization_path
from treecore.comparison.methods import METHODS, REGRESSORS

SAME, ROUNDED, MEAN = "same", "rounded", "mean"
ROUNDED_SHARE = 0.95  # of the rows of all problems keep their prediction
MEAN_CHANGE = 0.05  # of the training error, which may change in the mean over all problems
MEAN_ERRORS = 4  # standard errors of the mean that the change may have instead, because trees drawn at random differ
LARGE = 1e9  # origin of a feature in multiples of its range: float64 keeps 7 digits of the differences


class Problem(NamedTuple):
    X: np.ndarray
    y: np.ndarray
    weights: np.ndarray
    T: np.ndarray  # rows to predict


class Change(NamedTuple):
    """Change of a problem, and of a prediction back. keeps : SAME, ROUNDED or MEAN; unit : lambda changes by it."""

    apply: Callable[[Problem, np.random.Generator], Problem]
    keeps: str
    back: Callable = lambda predicted: predicted
    unit: float = 1.0
    of: str = "columns"


def problem(seed, regression):
    """Return a problem in which no split ties with another but by chance: all values and weights differ."""
    rng = np.random.default_rng([seed, regression])
    n, d = int(rng.integers(60, 160)), int(rng.integers(2, 5))
    draws = [rng.normal, rng.uniform, rng.lognormal, rng.exponential]
    X = np.column_stack([draws[rng.integers(4)](size=n) for _ in range(d)])
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    f = Z[:, 0] + np.where(Z[:, 1] > 0, 1, -1) * (Z[:, -1] > 0.3) + 0.3 * rng.normal(size=n)
    k = int(rng.integers(2, 4))
    y = f if regression else np.searchsorted(np.quantile(f, np.arange(1, k) / k), f)
    T = X[rng.integers(n, size=200)] + 0.1 * X.std(axis=0) * rng.normal(size=(200, d))
    return Problem(X, y, rng.uniform(0.5, 1.5, n), T)


def features(unit, origin=0.0):
    """Return the change x -> unit (x + origin * range). unit : number, or function of (rng, d)."""

    def apply(p, rng):
        a = unit(rng, p.X.shape[1]) if callable(unit) else unit
        b = origin * np.ptp(p.X, axis=0)
        return p._replace(X=a * (p.X + b), T=a * (p.T + b))

    return apply


def target(unit, origin=0.0):
    return Change(
        lambda p, rng: p._replace(y=unit * p.y + origin), SAME, lambda q: (q - origin) / unit, unit**2, "target"
    )


def columns(take):
    """Return the change to some columns. take : function of (rng, d)."""

    def apply(p, rng):
        order = take(rng, p.X.shape[1])
        return p._replace(X=p.X[:, order], T=p.T[:, order])

    return apply


def rows(p, rng):
    order = rng.permutation(len(p.X))
    return p._replace(X=p.X[order], y=p.y[order], weights=p.weights[order])


def constant(p, rng):
    return p._replace(X=np.insert(p.X, 1, 7.3, axis=1), T=np.insert(p.T, 1, 7.3, axis=1))


def weighted(unit, keeps):
    return Change(lambda p, rng: p._replace(weights=unit * p.weights), keeps, unit=unit, of="weights")


CHANGES = {
    "x 2^-40": Change(features(2.0**-40), SAME),
    "x 1e-12": Change(features(1e-12), SAME),
    "x 1e12": Change(features(1e12), SAME),
    "x of different units": Change(features(lambda rng, d: 10.0 ** rng.uniform(-12, 12, d)), SAME),
    "x + 1000": Change(features(1.0, 1e3), ROUNDED),
    "x + 1e9": Change(features(1.0, LARGE), ROUNDED),
    "1e-9 (x - 1e6)": Change(features(1e-9, -1e6), ROUNDED),
    "-x": Change(features(-1.0), MEAN),
    "order of columns": Change(columns(lambda rng, d: rng.permutation(d)), MEAN),
    "repeated column": Change(columns(lambda rng, d: [*range(d), 0]), MEAN),
    "constant column": Change(constant, SAME),
    "order of rows": Change(rows, SAME, of="rows"),
    "2^-20 weights": weighted(2.0**-20, SAME),
    "2^20 weights": weighted(2.0**20, SAME),
    "1e-6 weights": weighted(1e-6, ROUNDED),
    "1e6 weights": weighted(1e6, ROUNDED),
}
# `make test` leaves these out, because another change resembles each of them.
ALIKE = {"x 2^-40", "x 1e12", "x + 1000", "2^20 weights", "1e-6 weights", "1e9 y", "y + 1e6"}
OF_CLASSES = {
    "names of classes": Change(
        lambda p, rng: p._replace(y=np.array(["c", "b", "a"])[p.y]), SAME, lambda q: 2 - np.searchsorted([*"abc"], q),
        of="names",
    )
}  # fmt: skip
OF_NUMBERS = {
    "1e-9 y": target(1e-9),
    "1e9 y": target(1e9),
    "-y": target(-1.0),
    "y + 1e6": target(1.0, 1e6),
    "1e-8 y + 1": target(1e-8, 1.0),
}


class Case(NamedTuple):
    """Method and its exceptions.

    random : what the method draws at random, so that it is not kept: "rows", "columns" (then also a constant one);
    relative : whether lambda counts in units of the target; slow : only in the nightly run; without : changes of
    which the method keeps nothing, with the reason.
    """

    model: object
    random: tuple = ()
    relative: bool = False
    slow: bool = False
    without: dict = {}


# scikit-learn draws the order in which it tries the features, so that one of two equally good features wins by chance.
DRAWN_BY_START = {"random": ("rows", "columns"), "cart": ("columns",), "oblique_cart": ("columns",)}
WEIGHTS = [name for name, change in CHANGES.items() if change.of == "weights"]
COUNTS = dict.fromkeys(WEIGHTS, "C5.0 counts cases by their weights")
VOTES = {"names of classes": "the first class wins a tie of votes"}
LEAST_WEIGHT = dict.fromkeys(("1e-6 weights", "2^-20 weights"), "scikit-learn needs a weight of 1e-3 in a leaf")
LEAST_IMPURITY = dict.fromkeys(OF_NUMBERS, "scikit-learn takes an impurity below 2e-16 for 0")
DISTANCES = {"repeated column": "a repeated column counts twice in distances and penalties"}
AMPLIFIED = {"x + 1e9": "many small gradient steps amplify the rounding of the features"}
BASELINES = {
    "cart": {"random": ("rows", "columns")},
    "cart_min": {"random": ("rows", "columns")},
    "c50": {"without": COUNTS},
    "bivariate_cart": {"random": ("rows",)},
    "bidt": {"random": ("rows",)},
    "oc1": {"random": ("rows", "columns")},
    "cart_lc": {"random": ("rows",)},
    "co2": {"random": ("rows", "columns"), "without": AMPLIFIED},
    "non_greedy": {"random": ("rows", "columns"), "without": AMPLIFIED},
    "tao_forest": {"random": ("rows", "columns"), "relative": True, "slow": True},
    "co2_forest": {"random": ("rows", "columns"), "slow": True, "without": VOTES},
    "oc1_forest": {"random": ("rows", "columns"), "slow": True, "without": VOTES},
    "two_probe_forest": {"random": ("rows", "columns"), "slow": True, "without": VOTES},
    "boundary_forest": {"random": ("rows",), "slow": True, "without": DISTANCES},
    "random_forest": {"random": ("rows", "columns"), "slow": True, "without": VOTES | LEAST_IMPURITY},
    "extra_trees": {"random": ("rows", "columns"), "slow": True, "without": VOTES | LEAST_IMPURITY},
    "nearest_neighbours": {"without": VOTES | DISTANCES},
    "optimal": {"slow": True},
    "linear": {"without": DISTANCES},
    "gradient_boosting": {"slow": True, "without": LEAST_WEIGHT},
}


def cases(regression):
    """Return {name: Case} of all TAO estimators, starts, split types and baselines."""
    kind = TAORegressor if regression else TAOClassifier
    found = {}
    for split, starts in {
        "univariate": ("cart", "random", "histogram_cart"),
        "bivariate": ("cart", "random", "bivariate_cart", "histogram_cart"),
        "oblique": ("cart", "random", "bivariate_cart", "oblique_cart", "histogram_cart"),
    }.items():
        for init in starts:
            draws = DRAWN_BY_START.get(init, ())
            model = kind(split, init=init, max_depth=4, random_state=0, max_iter=8, min_samples_leaf=2)
            found[f"{split} from {init}"] = Case(model, draws)
    common = {"init": "cart", "max_depth": 3, "random_state": 0}
    found["two levels"] = Case(kind("univariate", block=2, **common), ("columns",), slow=True)
    found["refined"] = Case(kind("univariate", refine=2, **common), ("rows", "columns"), slow=True)
    found["linear leaves"] = Case(kind(leaf="linear", max_iter=4, **common | {"max_depth": 2}), ("columns",), slow=True)
    found["squared hinge"] = Case(kind(surrogate="squared_hinge", **common), ("columns",))
    found["LIBLINEAR"] = Case(kind(node_solver="liblinear", max_iter=3, **common), ("columns",), slow=True)
    if not regression:
        found["optimal start"] = Case(kind("univariate", init="optimal", max_depth=2, random_state=0), ("columns",))
    estimators = REGRESSORS if regression else {name: method.estimator for name, method in METHODS.items()}
    for name, model in estimators.items():
        if not (name.startswith("tao_") and name != "tao_forest"):
            found[name] = Case(_small(clone(model)), **BASELINES[name])
    return found


def _small(model):
    known = model.get_params()
    sizes = {"random_state": 0, "n_estimators": 3, "n_jobs": 1, "time_limit": 60.0}
    return model.set_params(**{name: sizes[last] for name in known if (last := name.split("__")[-1]) in sizes})


ALL = [(name, regression) for regression in (False, True) for name in cases(regression)]


@pytest.mark.nightly
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(("name", "regression"), ALL)
def test_changes_that_must_not_matter(name, regression, subtests):
    case = cases(regression)[name]
    if case.slow and not NIGHTLY:
        pytest.skip("slow: in the nightly run only")
    count = budget(1, 20)
    base = [(p := problem(seed, regression), fitted(case.model, p)) for seed in range(count)]
    for change_name, change in (CHANGES | (OF_NUMBERS if regression else OF_CLASSES)).items():
        keeps = kept(case, change_name, change)
        if keeps is None or (count < 20 and (keeps == MEAN or change_name in ALIKE)):
            continue
        is_relative = case.relative and change.of == "target"
        with subtests.test(change_name):
            shares = np.ones(count)
            errors = np.zeros((count, 2))
            for seed, (p, model) in enumerate(base):
                changed = change.apply(p, np.random.default_rng(seed))
                found = fitted(case.model, changed, 1.0 if is_relative else change.unit)
                if keeps == MEAN:
                    errors[seed] = error(model, p), error(found, changed)
                    continue
                before, after = model.predict(p.T), change.back(found.predict(changed.T))
                shares[seed] = np.mean(alike(before, after, p.y))
            assert shares.mean() >= (1.0 if keeps == SAME else ROUNDED_SHARE), shares
            if keeps == MEAN:
                before, after = errors.mean(axis=0)
                doubt = MEAN_ERRORS * np.diff(errors).std() / np.sqrt(count)
                assert abs(after - before) <= max(MEAN_CHANGE * max(before, 0.02), doubt), (before, after)


OF_PATHS = ("x of different units", "1e-6 weights", "1e6 weights", "names of classes", "1e-9 y", "1e9 y", "y + 1e6")


@pytest.mark.nightly
@pytest.mark.parametrize("regression", [False, True])
@pytest.mark.parametrize("split", ["univariate", "bivariate", "oblique"])
def test_paths_have_the_same_trees(split, regression, subtests):
    kind = TAORegressor if regression else TAOClassifier
    model = kind(split, init="cart", max_depth=4, max_iter=6, random_state=0, n_jobs=1)
    for seed in range(budget(1, 20)):
        p = problem(seed, regression)
        first = regularization_path(model, p.X, p.y, 6, p.X[::2], p.y[::2], sample_weight=p.weights)
        for name, change in (CHANGES | (OF_NUMBERS if regression else OF_CLASSES)).items():
            if name not in OF_PATHS:
                continue
            with subtests.test(f"{name}, {seed}"):
                changed = change.apply(p, np.random.default_rng(seed))
                half = changed.X[::2], changed.y[::2]
                path = regularization_path(model, changed.X, changed.y, 6, *half, sample_weight=changed.weights)
                np.testing.assert_allclose(path.lams, change.unit * first.lams)
                for one, other in zip(first, path, strict=True):
                    assert alike(one.tree.predict(p.T), change.back(other.tree.predict(changed.T)), p.y).all()
                for rule in ("min", "one_se"):
                    assert path.best_index(rule) == first.best_index(rule)


def kept(case, name, change):
    """Return the property that a method must keep in a change, or None."""
    if name in case.without:
        return None
    if change.of == "rows" and "rows" in case.random:
        return MEAN
    if name == "constant column" and "columns" in case.random:
        return MEAN
    return change.keeps


def fitted(model, p, unit=1.0):
    model = clone(model)
    known = model.get_params(deep=False)
    if not isinstance(known.get("lam", "auto"), str):
        model.set_params(lam=known["lam"] * unit)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of single leaves and of steps that did not converge
        try:
            return model.fit(p.X, p.y, sample_weight=p.weights)
        except (TypeError, ValueError) as problem:  # k nearest neighbours and pipelines take no weights
            if "sample_weight" not in str(problem):
                raise
            return model.fit(p.X, p.y)


def alike(before, after, y):
    """Return whether predictions are equal, those of numbers up to a millionth of the range of the target."""
    if before.dtype.kind != "f":
        return before == after
    return np.abs(before - after) <= 1e-6 * np.ptp(y)


def error(model, p):
    """Return the training error, for numbers in variances of the target."""
    predicted = model.predict(p.X)
    if is_regressor(model):
        return float(np.average((predicted - p.y) ** 2, weights=p.weights) / np.var(p.y))
    return float(np.average(predicted != p.y, weights=p.weights))
