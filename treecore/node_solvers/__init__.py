"""Solvers of the reduced problem of one decision node (Carreira-Perpiñán and Tavallali 2018, eq. 4), one file each.

A solver has

* ``monotone``: whether its solutions never raise the objective of the tree (any feature then costs at least 1);
* ``penalty(features, weights) -> float``: cost of a split in raw units, before lambda;
* ``solve(start, stop, signed, lam, current) -> Split``: best split for the rows [start, stop) of the training data;
  signed: float64[stop - start], what the weighted loss of a point is lower by on the right than on the left: negative
  when the left child is better, 0 for don't care; current: the node's split so far, the warm start;
* monotone ones, ``next_lambda(start, stop, signed, lam, current) -> float``: lambda above `lam` up to which `current`,
  the best split at `lam`, stays the best.
"""

from treecore.errors import DataError, ParameterError
from treecore.node_solvers.bivariate import BivariateSolver
from treecore.node_solvers.liblinear import LiblinearSolver
from treecore.node_solvers.oblique import SURROGATES, ObliqueSolver
from treecore.node_solvers.univariate import UnivariateSolver

SPLITS = ("univariate", "bivariate", "oblique")
OBLIQUE_SOLVERS = {"auto": ObliqueSolver, "cd": ObliqueSolver, "liblinear": LiblinearSolver}


def make_solver(
    data, split="oblique", node_solver="auto", surrogate="logistic", bivariate_cost=1.25, n_orientations=60
):
    """Solver for `data`. Raises ParameterError for an unknown name."""
    if not isinstance(split, str) or split not in SPLITS:
        raise ParameterError(f"split={split!r}: use one of {', '.join(map(repr, SPLITS))}.")
    if not isinstance(node_solver, str) or node_solver not in OBLIQUE_SOLVERS:
        raise ParameterError(f"node_solver={node_solver!r}: use one of {', '.join(map(repr, OBLIQUE_SOLVERS))}.")
    if not isinstance(surrogate, str) or surrogate not in SURROGATES:
        raise ParameterError(f"surrogate={surrogate!r}: use one of {', '.join(map(repr, SURROGATES))}.")
    if split == "oblique" and data.has_missing():
        raise DataError(
            "X contains missing values (NaN), which a weighted sum of features cannot have: fill them, or use "
            "split='univariate' or 'bivariate' with missing='learn'."
        )
    if split == "univariate":
        return UnivariateSolver(data)
    if split == "bivariate":
        return BivariateSolver(data, bivariate_cost, n_orientations)
    return OBLIQUE_SOLVERS[node_solver](data, surrogate)
