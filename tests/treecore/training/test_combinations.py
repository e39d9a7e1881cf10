"""Train every pair of options: it works and both options act, or it is refused, as `combinations` says."""

import itertools

import numpy as np
import pandas
import pytest
import scipy.sparse

from tests.budget import NIGHTLY
from treecore import (
    ParameterError,
    TAOClassifier,
    TAOClassifierCV,
    TAORegressor,
    TAORegressorCV,
    TreecoreError,
    phase_diagram,
    regularization_path,
)
from treecore.training.combinations import OPTIONS, REFUSED, is_refused
from treecore.training.parameters import check_parameters, effective_parameters

N = 300
RNG = np.random.default_rng(0)
Z = RNG.normal(size=(N, 3))
CITY = RNG.integers(0, 6, N)
SCORE = Z[:, 0] + 1.5 * (CITY % 2) + 0.7 * (Z[:, 1] > 0) + 0.3 * RNG.normal(size=N)
TARGETS = {"numbers": SCORE, "classes": (SCORE > 0.9).astype(int), "three": np.digitize(SCORE, [0.5, 1.5])}
WEIGHTS = RNG.uniform(0.5, 2.0, N)
LOST = RNG.permutation(N)[:40]
EXPENSIVE = 1000.0

PARAMETERS = {
    "univariate": {"split": "univariate"},
    "bivariate": {"split": "bivariate"},
    "oblique": {"split": "oblique"},
    "cart": {"init": "cart"},
    "bivariate_cart": {"init": "bivariate_cart"},
    "oblique_cart": {"init": "oblique_cart"},
    "histogram_cart": {"init": "histogram_cart"},
    "optimal": {"init": "optimal"},
    "tree": {"init": "a tree"},
    "frozen": {"init": "a tree", "frozen": [0]},
    "missing": {"missing": "learn"},
    "groups": {"categories": "groups"},
    "feature_costs": {"feature_costs": [EXPENSIVE, 1, 1]},
    "monotonic_cst": {"monotonic_cst": [0, -1, 0]},
    "interaction_cst": {"interaction_cst": "no_interactions"},
    "min_samples_leaf": {"min_samples_leaf": 25},
    "max_leaf_nodes": {"max_leaf_nodes": 3},
    "block": {"block": 2},
    "refine": {"refine": 1},
    "n_init": {"n_init": 2},
    "linear": {"leaf": "linear", "max_iter": 3, "max_depth": 2},
    "shrinkage": {"shrinkage": 10.0},
    "absolute_error": {"loss": "absolute_error"},
    "squared_hinge": {"surrogate": "squared_hinge"},
    "liblinear": {"node_solver": "liblinear", "max_iter": 2},
    "node_tol": {"node_tol": 0.1},
    "max_inner": {"max_inner": 1},
    "bivariate_cost": {"bivariate_cost": 30.0},
    "exactness": {"exactness": "screened"},
    "class_weight": {"class_weight": {0: 30.0, 1: 1.0}},
    "cost_matrix": {"cost_matrix": {0: {1: 30.0, 2: 30.0}, 1: {0: 1.0, 2: 1.0}, 2: {0: 1.0, 1: 1.0}}},
}
WAYS = ("path", "critical", "folds", "phase")
OF_NUMBERS = {"regression", "shrinkage", "absolute_error"}
PER_COLUMN = ("feature_costs", "monotonic_cst")


def combined(one, other):
    """Return (parameters, further options) of a pair, or None if both set the same thing."""
    pair = {one, other}
    if len(pair & set(WAYS)) > 1 or {"regression", "classes"} <= pair:
        return None
    if (pair & OF_NUMBERS and pair & {"class_weight", "cost_matrix"}) or (
        pair & {"shrinkage", "absolute_error"} and "classes" in pair
    ):
        return None
    if {"sparse", "groups"} <= pair or {"sparse", "parts"} <= pair:  # text columns and files are dense
        return None
    first, second = (PARAMETERS.get(name, {}) for name in (one, other))
    if any(first[name] != second[name] for name in first.keys() & second.keys() if name not in ("max_iter",)):
        return None
    needs = [OPTIONS[name].needs for name in pair if OPTIONS[name].needs]
    shared = [split for split in ("univariate", "bivariate", "oblique") if all(split in need for need in needs)]
    split = shared[0] if shared else needs[0][0]
    common = {"split": split, "init": "cart", "lam": 3.0, "max_depth": 4, "random_state": 0, "n_jobs": 1}
    return common | first | second, pair


def rows(pair):
    frame = pandas.DataFrame(Z, columns=["a", "b", "c"])
    if "missing" in pair:
        frame.loc[LOST, "a"] = np.nan
    if "groups" in pair:
        frame["city"] = [f"c{city}" for city in CITY]
    return frame


def trained(parameters, pair, folder):
    """Return the tree of a pair of options, and its estimator or None."""
    numbers = bool(OF_NUMBERS & pair)
    kind = TAORegressor if numbers else TAOClassifier
    y = TARGETS["numbers" if numbers else "three" if "classes" in pair else "classes"]
    X, weights = rows(pair), WEIGHTS if "sample_weight" in pair else None
    parameters = dict(parameters)
    if "groups" in pair:
        for name in set(PER_COLUMN) & parameters.keys():
            parameters[name] = [*parameters[name], 1 if name == "feature_costs" else 0]
    if parameters["init"] == "a tree":
        start = kind("univariate", init="cart", max_depth=4, min_samples_leaf=25, max_leaf_nodes=3, random_state=0)
        parameters["init"] = start.set_params(missing="learn" if "missing" in pair else "error").fit(X, y).tree_
    model = kind(**parameters)
    if "sparse" in pair:
        X = scipy.sparse.csr_matrix(X.to_numpy())
    if "parts" in pair and "sparse" not in pair:
        path = folder / f"{'-'.join(sorted(pair))}.parquet"
        (X.assign(y=y) if weights is None else X.assign(y=y, w=weights)).to_parquet(path)
        X, y, weights = str(path), "y", None if weights is None else "w"
    if pair & {"path", "critical"}:
        lams = "critical" if "critical" in pair else [3.0, 5.0]
        return regularization_path(model, X, y, lams=lams, sample_weight=weights)[0].tree, None
    if "folds" in pair:
        folds = (TAORegressorCV if numbers else TAOClassifierCV)(model, lams=[3.0, 5.0], cv=2, random_state=0)
        return folds.fit(X, y, sample_weight=weights).tree_, None
    if "phase" in pair:
        costs = [1.25, parameters.get("bivariate_cost", 2.0)]
        return phase_diagram(model, X, y, lams=[3.0], costs=costs, sample_weight=weights).points[0].tree, None
    return model.fit(X, y, sample_weight=weights).tree_, model


def falls_with_b(tree):
    X = np.tile(Z[:40], (2, 1))
    X[40:, 1] += 1.0
    low, high = np.split(tree.predict(np.hstack([X, np.zeros((80, tree.n_features - 3))])), 2)
    return (high <= low + 1e-9).all()


def has_one_column_per_path(tree):
    for leaf in np.flatnonzero(tree.left < 0):
        path, at = set(), leaf
        while at:
            at = tree.parents[at]
            path |= {min(feature, 3) for feature in tree.split(at)[0].tolist()}
        if len(path) > 1:
            return False
    return True


def total_weight(tree):
    return float(tree.target.weights(tree.values[0]))


def most_columns(tree, pair):
    return tree.columns_per_split([[3, 4, 5, 6, 7, 8]] if "groups" in pair else ()).max()


# {option: function of (tree, fitted estimator or None, parameters, pair) that tells whether the option acts}
ACTS = {
    "univariate": lambda tree, model, parameters, pair: most_columns(tree, pair) <= 1,
    "bivariate": lambda tree, model, parameters, pair: most_columns(tree, pair) <= 2,
    "missing": lambda tree, *_: tree.predict(np.full((1, tree.n_features), np.nan)).size == 1,
    "groups": lambda tree, model, parameters, pair: (
        np.diff(tree.indptr).max() >= 3 or bool(pair & {"bivariate_cart", "optimal", "tree", "frozen"})
    ),
    "feature_costs": lambda tree, model, parameters, pair: 0 not in tree.features or "frozen" in pair,
    "monotonic_cst": lambda tree, *_: falls_with_b(tree),
    "interaction_cst": lambda tree, *_: has_one_column_per_path(tree),
    "min_samples_leaf": lambda tree, *_: tree.n_samples[tree.left < 0].min() >= 25,
    "max_leaf_nodes": lambda tree, *_: tree.n_leaves <= 3,
    "frozen": lambda tree, model, *_: model is None or tree.split(0)[0].tolist() == model.init.split(0)[0].tolist(),
    "n_init": lambda tree, model, *_: model is None or model.starts_.size == 2,
    "linear": lambda tree, *_: not tree.leaf_model.is_constant,
    "liblinear": lambda tree, model, parameters, pair: (
        model is None or "frozen" in pair or bool(model.trace_[0].node_programs)
    ),
    "bivariate_cost": lambda tree, model, parameters, pair: "phase" in pair or most_columns(tree, pair) <= 1,
    "class_weight": lambda tree, *_: total_weight(tree) > 2 * N,
    "sample_weight": lambda tree, model, parameters, pair: (
        "class_weight" in pair or total_weight(tree) == pytest.approx(WEIGHTS.sum())
    ),
    "regression": lambda tree, *_: tree.is_regression,
    "classes": lambda tree, *_: tree.classes.size == 3,
}
# A tree as a start can be the best iterate, and "node_tol" and "max_inner" act in the same way.
STEADY = {"max_leaf_nodes", "tree", "frozen", *WAYS}
# options whose trees must differ from those without it, and their parameters
CHANGES = {
    "squared_hinge": "surrogate", "max_inner": "max_inner", "shrinkage": "shrinkage", "cost_matrix": "cost_matrix",
    "absolute_error": "loss",
}  # fmt: skip


def differs(name, parameters, pair, folder):
    """Return whether the tree is another one without the option."""
    kind = TAORegressor if name in OF_NUMBERS else TAOClassifier
    without = parameters | {CHANGES[name]: getattr(kind(), CHANGES[name])}
    return trained(parameters, pair, folder)[0] != trained(without, pair, folder)[0]


PAIRS = [pair for pair in itertools.combinations(OPTIONS, 2) if combined(*pair)]


@pytest.mark.nightly
@pytest.mark.filterwarnings("ignore::treecore.PenaltyWarning")  # two options together can leave no split
@pytest.mark.parametrize("name", OPTIONS)
def test_every_pair_of_options_works_or_is_refused(name, subtests, tmp_path):
    pairs = [pair for pair in PAIRS if pair[0] == name]
    if not NIGHTLY:  # a quarter, another one for each option
        pairs = pairs[list(OPTIONS).index(name) % 4 :: 4]
    for one, other in pairs:
        parameters, pair = combined(one, other)
        with subtests.test(f"{one}, {other}"):
            if is_refused(one, other):
                with pytest.raises(TreecoreError):
                    trained(parameters, pair, tmp_path)
                continue
            tree, model = trained(parameters, pair, tmp_path)
            for own in (one, other):
                assert own not in ACTS or ACTS[own](tree, model, parameters, pair), own
                if own in CHANGES and not pair & STEADY and pair != {"max_inner", "node_tol"}:
                    assert differs(own, parameters, pair, tmp_path)


def test_the_table_has_known_options_only():
    assert {*REFUSED, *(other for others in REFUSED.values() for other in others)} <= OPTIONS.keys()
    assert PARAMETERS.keys() <= OPTIONS.keys()


def test_values_of_other_split_types_are_left_out_of_settings_that_contain_them():
    kept = {"split": "univariate", "lam": 2.0, "block": 2, "n_jobs": 1}
    others = {"bivariate_cost": 3.0, "node_solver": "cd", "surrogate": "squared_hinge", "max_inner": 5}
    found = effective_parameters(TAOClassifier, kept | others)
    assert found == kept
    check_parameters(TAOClassifier(**found))
    with pytest.raises(ParameterError, match="has no effect"):
        check_parameters(TAOClassifier(**kept | others))
    # an initial tree can use a parameter that the splits do not use
    start = {"split": "oblique", "init": "bivariate_cart", "n_orientations": 20}
    assert effective_parameters(TAOClassifier, start) == start
