"""Solvers of the reduced problem of a decision node (Carreira-Perpiñán and Tavallali 2018, Eq. 4), one file each.

Their interface is `treecore.node_solvers.node_solver.NodeSolver`.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from treecore.data.training_data import TrainingData
from treecore.errors import DataError, ParameterError
from treecore.messages import literal, literals
from treecore.node_solvers.bivariate import EXACTNESS, BivariateSolver
from treecore.node_solvers.constrained_bivariate import ConstrainedBivariateSolver
from treecore.node_solvers.feature_costs import CostScaledData
from treecore.node_solvers.liblinear import COPY, OFFICIAL, LiblinearSolver
from treecore.node_solvers.node_solver import NodeSolver
from treecore.node_solvers.oblique import SURROGATES, ObliqueSolver, node_limits
from treecore.node_solvers.univariate import UnivariateSolver
from treecore.parameter_checks import check_choice, check_number, check_whole

SMALLEST_TOLERANCE = 1e-12  # limited by the precision of float64


def _own_solver(data, surrogate, node_tol, max_inner):
    return ObliqueSolver(data, surrogate, node_limits(data, node_tol, max_inner))


def _liblinear_solver(data, surrogate, node_tol, max_inner, program="any"):
    if max_inner is not None:
        raise ParameterError(
            f"max_inner={literal(max_inner)}: expected None, because LIBLINEAR has its own limit. Use None or "
            "node_solver='cd'."
        )
    return LiblinearSolver(data, surrogate, program, node_tol)


def _oblique(data, node_solver, feature_costs, is_constrained, **parameters):
    priced = data if feature_costs is None else CostScaledData(data, feature_costs)
    return OBLIQUE_SOLVERS[node_solver](priced, **parameters)


def _bivariate(data, bivariate_cost, n_orientations, exactness, feature_costs, is_constrained):
    if feature_costs is None and not is_constrained:
        return BivariateSolver(data, bivariate_cost, n_orientations, exactness)
    return ConstrainedBivariateSolver(data, bivariate_cost, n_orientations, exactness, feature_costs)


def _univariate(data, feature_costs, is_constrained):
    return UnivariateSolver(data, feature_costs)


OBLIQUE_SOLVERS = {
    "auto": _own_solver,
    "cd": _own_solver,
    "liblinear": _liblinear_solver,
    **{program: partial(_liblinear_solver, program=program) for program in (OFFICIAL, COPY)},
}


class SplitKind(NamedTuple):
    """Split type of a tree.

    words : displayed name; make : function that returns a solver for the training data, `parameters`, feature_costs
    (float64[d] or None) and is_constrained (whether nodes have `Permitted` features); parameters : parameters of
    `TAOClassifier` that apply only to this type; usual_init : suitable initial tree; usual_lambda : factors of
    ``lam="auto"`` for classes and for numbers (`benchmarks.default_lambda`); takes_missing : whether it
    supports missing values and learns their side; takes_sparse : whether it supports sparse data; most_features :
    maximum number of features per split, None for all; is_exact : whether splits minimise the true loss with a penalty
    on the number of features (see ``monotone``), or a surrogate with a penalty on the weights; searches_pairs : whether
    every pair of features is searched, which takes minutes for many features.
    """

    words: str
    make: Callable
    parameters: tuple[str, ...] = ()
    usual_init: str = "cart"
    usual_lambda: tuple[float, float] = (3.5, 6.0)
    takes_missing: bool = True
    takes_sparse: bool = False
    most_features: int | None = None
    is_exact: bool = True
    searches_pairs: bool = False


SPLITS = {
    "oblique": SplitKind(
        words="oblique: weighted sums",
        make=_oblique,
        parameters=("node_solver", "surrogate", "node_tol", "max_inner"),
        usual_init="random",
        usual_lambda=(3.0, 2.2),
        takes_missing=False,
        takes_sparse=True,
        is_exact=False,
    ),
    "bivariate": SplitKind(
        words="bivariate: two features",
        make=_bivariate,
        parameters=("bivariate_cost", "n_orientations", "exactness"),
        usual_lambda=(6.0, 10.7),
        most_features=2,
        searches_pairs=True,
    ),
    "univariate": SplitKind(words="univariate: thresholds", make=_univariate, most_features=1),
}


def simplest_split(n_features: int) -> str:
    """Return the name of the simplest split type that supports this number of features."""
    most = {name: kind.most_features or np.inf for name, kind in SPLITS.items()}
    return min((name for name in SPLITS if n_features <= most[name]), key=most.__getitem__)


def make_solver(
    data: TrainingData,
    split: str = "oblique",
    *,
    node_solver: str = "auto",
    surrogate: str = "logistic",
    bivariate_cost: float = 1.25,
    n_orientations: int = 60,
    exactness: str = "auto",
    node_tol: float | None = None,
    max_inner: int | None = None,
    feature_costs: np.ndarray | None = None,
    is_constrained: bool = False,
) -> NodeSolver:
    """Return the solver for `data`. Raise ParameterError for unknown names and DataError for unsupported values.

    feature_costs : float64[d], penalty of each feature, None for 1; is_constrained : whether nodes have `Permitted`
    features, which oblique solvers do not support.
    """
    check_choice(split, "split", tuple(SPLITS))
    check_choice(node_solver, "node_solver", tuple(OBLIQUE_SOLVERS))
    check_choice(surrogate, "surrogate", tuple(SURROGATES))
    check_choice(exactness, "exactness", EXACTNESS)
    if node_tol is not None:
        check_number(node_tol, "node_tol", SMALLEST_TOLERANCE, 1.0)
    if max_inner is not None:
        check_whole(max_inner, "max_inner", 1)
    kind = SPLITS[split]
    if not kind.takes_missing and data.has_missing():
        others = [name for name in SPLITS if SPLITS[name].takes_missing]
        raise DataError(missing_in_oblique(others))
    given = {
        "node_solver": node_solver,
        "surrogate": surrogate,
        "bivariate_cost": bivariate_cost,
        "n_orientations": n_orientations,
        "exactness": exactness,
        "node_tol": node_tol,
        "max_inner": max_inner,
    }
    return kind.make(
        data,
        feature_costs=feature_costs,
        is_constrained=is_constrained,
        **{name: given[name] for name in kind.parameters},
    )


def missing_in_oblique(splits: Any) -> str:
    """Return the message about missing values in oblique splits."""
    return (
        "X contains missing values (NaN), which oblique splits do not support. Fill them, or use "
        f"split={literals(splits, between=' or ')} with missing='learn'."
    )
