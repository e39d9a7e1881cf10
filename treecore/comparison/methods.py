"""Methods to compare, with their grids of settings."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.compose import TransformedTargetRegressor
from sklearn.ensemble import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.impute import SimpleImputer
from sklearn.linear_model import Lasso, LogisticRegression
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

from treecore.baselines.bidt import BiDTClassifier
from treecore.baselines.bivariate_cart import BivariateCARTClassifier, BivariateCARTRegressor
from treecore.baselines.boundary_forest import BoundaryForestClassifier
from treecore.baselines.c50.classifier import C50Classifier
from treecore.baselines.cart import CARTClassifier, CARTRegressor
from treecore.baselines.co2 import CO2Classifier, CO2Regressor
from treecore.baselines.forest import (
    CO2ForestClassifier,
    CO2ForestRegressor,
    TwoProbeForestClassifier,
    TwoProbeForestRegressor,
)
from treecore.baselines.non_greedy import NonGreedyClassifier, NonGreedyRegressor
from treecore.baselines.oblique_cart import ObliqueCARTClassifier, ObliqueCARTRegressor
from treecore.baselines.optimal.classifier import OptimalTreeClassifier
from treecore.baselines.tao_forest import TAOForestClassifier, TAOForestRegressor
from treecore.comparison.method import Method, PathMethod, PrunedMethod
from treecore.comparison.method_titles import DEFAULT_METHODS, METHOD_TITLES
from treecore.errors import ParameterError
from treecore.messages import joined, literal
from treecore.training.estimators import TAOClassifier, TAORegressor
from treecore.tree.target import Target

N_TREES = 30  # number of trees in a forest


def _linear(model: BaseEstimator) -> Pipeline:
    return Pipeline([("imputing", SimpleImputer()), ("scaling", StandardScaler()), ("model", model)])


def _forest(model: BaseEstimator) -> Pipeline:
    """Return a forest of scikit-learn on scaled features, which it rounds to float32."""
    return Pipeline([("scaling", StandardScaler()), ("forest", model)])


METHODS = {
    method.name: method
    for method in (
        PathMethod(
            "tao_oblique", METHOD_TITLES["tao_oblique"], TAOClassifier("oblique", init="random"), {"max_depth": [4, 8]}
        ),
        PathMethod(
            "tao_bivariate",
            METHOD_TITLES["tao_bivariate"],
            TAOClassifier(split="bivariate", init="cart"),
            {"init": ["cart", "bivariate_cart"], "bivariate_cost": [1.25]},
        ),
        PathMethod("tao_univariate", METHOD_TITLES["tao_univariate"], TAOClassifier(split="univariate", init="cart")),
        PrunedMethod("cart", METHOD_TITLES["cart"], CARTClassifier()),
        PrunedMethod("cart_min", METHOD_TITLES["cart_min"], CARTClassifier(rule="min")),
        Method("c50", METHOD_TITLES["c50"], C50Classifier(), {"confidence": [0.01, 0.05, 0.25], "min_cases": [2, 10]}),
        Method("bivariate_cart", METHOD_TITLES["bivariate_cart"], BivariateCARTClassifier()),
        Method("bidt", METHOD_TITLES["bidt"], BiDTClassifier(time_limit=20.0)),
        Method("oc1", METHOD_TITLES["oc1"], ObliqueCARTClassifier(method="oc1")),
        Method("cart_lc", METHOD_TITLES["cart_lc"], ObliqueCARTClassifier(method="cart_lc")),
        Method(
            "co2",
            METHOD_TITLES["co2"],
            CO2Classifier(),
            {"max_depth": [4, 8, None], "n_candidate_features": [0.5, 0.9]},
        ),
        Method(
            "non_greedy",
            METHOD_TITLES["non_greedy"],
            NonGreedyClassifier(),
            # nu=1000 is included because small nu undoes the greedy initialisation on skewed features
            {"max_depth": [3, 6, 9], "nu": [10.0, 40.0, 1000.0], "learning_rate": [0.01, 0.1]},
        ),
        Method("tao_forest", METHOD_TITLES["tao_forest"], TAOForestClassifier(N_TREES)),
        Method("co2_forest", METHOD_TITLES["co2_forest"], CO2ForestClassifier(N_TREES)),
        Method("oc1_forest", METHOD_TITLES["oc1_forest"], CO2ForestClassifier(N_TREES, base="oc1")),
        Method(
            "two_probe_forest", METHOD_TITLES["two_probe_forest"], TwoProbeForestClassifier(N_TREES, scale="standard")
        ),
        Method("boundary_forest", METHOD_TITLES["boundary_forest"], BoundaryForestClassifier(scale="standard")),
        Method("random_forest", METHOD_TITLES["random_forest"], _forest(RandomForestClassifier(N_TREES))),
        Method("extra_trees", METHOD_TITLES["extra_trees"], _forest(ExtraTreesClassifier(N_TREES))),
        Method(
            "nearest_neighbours",
            METHOD_TITLES["nearest_neighbours"],
            Pipeline([("scaling", StandardScaler()), ("neighbours", KNeighborsClassifier())]),
            {"neighbours__n_neighbors": [1, 3, 5, 11, 21]},
        ),
        PathMethod(
            "tao_linear",
            METHOD_TITLES["tao_linear"],
            TAOClassifier(init="random", leaf="linear", max_iter=8),
            {"max_depth": [1, 3]},
            n_lambdas=10,
        ),
        Method("optimal", METHOD_TITLES["optimal"], OptimalTreeClassifier(time_limit=20.0), {"max_depth": [2, 3, 4]}),
        Method(
            "linear",
            METHOD_TITLES["linear"],
            _linear(LogisticRegression(max_iter=1000, tol=1e-3)),
            {"model__C": np.geomspace(1e-3, 1e2, 6).tolist()},
        ),
        Method(
            "gradient_boosting",
            METHOD_TITLES["gradient_boosting"],
            HistGradientBoostingClassifier(early_stopping=False),
            {"max_leaf_nodes": [7, 31]},
        ),
    )
}
# Regression methods. C5.0, BiDT, the optimal tree and the boundary forest support classes only.
REGRESSORS = {
    "tao_oblique": TAORegressor("oblique", init="random"),
    "tao_bivariate": TAORegressor(split="bivariate", init="cart"),
    "tao_univariate": TAORegressor(split="univariate", init="cart"),
    "cart": CARTRegressor(),
    "cart_min": CARTRegressor(rule="min"),
    "bivariate_cart": BivariateCARTRegressor(),
    "oc1": ObliqueCARTRegressor(method="oc1"),
    "cart_lc": ObliqueCARTRegressor(method="cart_lc"),
    "co2": CO2Regressor(),
    "non_greedy": NonGreedyRegressor(),
    "tao_forest": TAOForestRegressor(N_TREES),
    "co2_forest": CO2ForestRegressor(N_TREES),
    "oc1_forest": CO2ForestRegressor(N_TREES, base="oc1"),
    "two_probe_forest": TwoProbeForestRegressor(N_TREES, scale="standard"),
    "random_forest": _forest(RandomForestRegressor(N_TREES)),
    "extra_trees": _forest(ExtraTreesRegressor(N_TREES)),
    "nearest_neighbours": Pipeline([("scaling", StandardScaler()), ("neighbours", KNeighborsRegressor())]),
    "tao_linear": TAORegressor(init="random", leaf="linear", max_iter=8),
    # the target is standardised, so that the same penalties suit all data
    "linear": _linear(TransformedTargetRegressor(Lasso(max_iter=5000), transformer=StandardScaler())),
    "gradient_boosting": HistGradientBoostingRegressor(early_stopping=False),
}
# grids of the regression methods whose parameters have other names
REGRESSION_GRIDS = {"linear": {"model__regressor__alpha": np.geomspace(1e-4, 1.0, 9).tolist()}}


def methods_for(target: Target) -> dict:
    """Return the `Method`s of `METHODS` that support a target, by key."""
    if target.values_are_groups:
        return METHODS
    return {
        name: replace(METHODS[name], estimator=estimator, grid=REGRESSION_GRIDS.get(name, METHODS[name].grid))
        for name, estimator in REGRESSORS.items()
    }


def chosen_methods(methods: Sequence | None, target: Target) -> list:
    """Return the list of `Method`s for a `Target`. methods : keys of `METHODS` or `Method`s, None for the default.

    Raise ParameterError for unknown or unsupported methods.
    """
    possible = methods_for(target)
    methods = (
        [name for name in DEFAULT_METHODS if name in possible]
        if methods is None
        else [methods]
        if isinstance(methods, str | Method)
        else methods
    )
    if not isinstance(methods, Iterable):
        raise ParameterError(f"methods={literal(methods)}: expected a list of names or Methods.")
    methods = list(methods)
    if not methods:
        raise ParameterError(f"methods is empty: expected at least one of {joined(METHODS)}.")
    unknown = [method for method in methods if not isinstance(method, Method) and method not in METHODS]
    if unknown:
        raise ParameterError(f"methods: unknown method {unknown[0]!r}. Use {joined(METHODS)} or a Method.")
    needy = [METHODS[name].title for name in methods if not isinstance(name, Method) and name not in possible]
    if needy:
        raise ParameterError(
            f"methods: {joined(needy)} support classification only. For {target.values_noun}, use "
            f"{joined(list(possible))} or a Method."
        )
    chosen = [method if isinstance(method, Method) else possible[method] for method in methods]
    names = [method.name for method in chosen]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise ParameterError(f"methods: {min(twice)!r} appears more than once. Give each method a different name.")
    return chosen
