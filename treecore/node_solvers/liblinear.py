"""Sparse oblique node solved by LIBLINEAR, the solver of the papers.

See Carreira-Perpiñán and Tavallali 2018, section 4, and Fan et al. 2008.

If the official binding (the package liblinear-official) is installed, it solves problems with equal weights. The copy
in scikit-learn solves all other problems. Unlike the coordinate descent of treecore, both penalise the bias, and
`BIAS_SCALE` makes that penalty small.
"""

import ctypes
import sys
import threading
import warnings
from collections import Counter
from functools import cache
from importlib import import_module

import numpy as np
import scipy.sparse

from treecore.data.training_data import TrainingData
from treecore.errors import ParameterError
from treecore.fixed_order import dot
from treecore.node_solvers.l1_kernels import LOGISTIC
from treecore.node_solvers.surrogates import SURROGATES, without_care_points
from treecore.tree.split import Split, constant_split

TOLERANCE = 0.01  # default of LIBLINEAR for l1 solvers
BIAS_SCALE = 10.0
LARGEST_C = 1e6  # C for lam = 0
MANY_ZEROS = 0.5
OFFICIAL, COPY = "liblinear-official", "liblinear-scikit-learn"
SEED = 0
# LIBLINEAR has one random generator per process, so results of concurrent nodes would depend on each other.
_ONE_AT_A_TIME = threading.Lock()


@cache
def official_binding():
    """Return the module of the official binding, or None if it is not installed."""
    try:
        return import_module("liblinear.liblinearutil")
    except ImportError:
        return None


class LiblinearSolver:
    """LIBLINEAR for l1-regularised logistic regression or squared hinge loss (solvers 6 and 5), without warm starts.

    program : program for problems with equal weights: OFFICIAL (ParameterError if it is not installed), COPY, or "any"
    (the official binding if it is installed); tol : LIBLINEAR's tolerance, None for `TOLERANCE`. The official binding
    does not report whether it converged, so `Split.converged` can be False only with scikit-learn's copy.
    """

    monotone = False

    def __init__(
        self, data: TrainingData, surrogate: str = "logistic", program: str = "any", tol: float | None = None
    ) -> None:
        self.data = data
        self.tol = TOLERANCE if tol is None else tol
        self.surrogate = SURROGATES[surrogate]
        self._used = Counter()
        self._official = None if program == COPY else official_binding()
        if program == OFFICIAL and self._official is None:
            raise ParameterError(
                "node_solver='liblinear-official' needs the package liblinear-official, which is not installed. "
                "Run pip install liblinear-official (needs a C++ compiler), or use "
                "node_solver='liblinear' (the copy in scikit-learn)."
            )

    def programs(self) -> str:
        """Return the number of nodes that each program solved since the last call, such as "liblinear-official 7"."""
        used, self._used = self._used, Counter()
        return ", ".join(f"{program} {used[program]}" for program in sorted(used))

    def penalty(self, features: np.ndarray, weights: np.ndarray) -> float:
        """Return the l1 norm of the weights on scaled features. A constant feature has penalty 0."""
        inverse_scale = self.data.inverse_scale[features]
        usable = inverse_scale > 0
        return float(np.abs(weights[usable] / inverse_scale[usable]).sum())

    def solve(self, start: int, stop: int, signed: np.ndarray, lam: float, current: Split) -> Split:
        """Return the split of a reduced problem, see `treecore.node_solvers`."""
        data = self.data
        care = np.flatnonzero(signed)
        goes_right = signed[care] > 0
        if care.size == 0:
            return without_care_points(data, start, stop, lam, current)
        if goes_right.all() or not goes_right.any():
            return constant_split(bool(goes_right[0]))
        rows = self._rows(start + care)
        unit = np.abs(signed).max()  # unit of the weights, which keeps squared errors of any size in range
        C = unit / lam if lam * LARGEST_C > unit else LARGEST_C
        weights = np.abs(signed[care]) / unit
        by_official = self._official is not None and (weights == 1).all()
        with _ONE_AT_A_TIME:
            self._used[OFFICIAL if by_official else COPY] += 1
            if by_official:
                found, converged = self._by_official(rows, goes_right, C), True
            else:
                found, converged = self._by_copy(rows, goes_right, C, weights)
        features = np.flatnonzero(found[:-1]).astype(np.int32)
        weights = found[features] * data.inverse_scale[features]
        center = 0.0 if scipy.sparse.issparse(rows) else dot(weights, data.center[features])
        penalty = float(np.abs(found[:-1]).sum())
        return Split(features, weights, float(found[-1] - center), penalty, converged=converged)

    def _by_copy(self, rows, goes_right, C, weights):
        """Solve by scikit-learn's copy. Return (float64[d + 1] weights on scaled features and bias, converged?)."""
        from sklearn.exceptions import ConvergenceWarning  # slow imports
        from sklearn.linear_model import LogisticRegression
        from sklearn.svm import LinearSVC

        settings = {"C": C, "tol": self.tol, "intercept_scaling": BIAS_SCALE, "random_state": SEED}
        if self.surrogate == LOGISTIC:
            model = LogisticRegression(solver="liblinear", l1_ratio=1.0, **settings)
        else:
            model = LinearSVC(penalty="l1", loss="squared_hinge", dual=False, **settings)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # the solution at the iteration limit is used
            model.fit(rows, goes_right, sample_weight=weights)
        return np.append(model.coef_[0], model.intercept_[0]), bool(np.max(model.n_iter_) < model.max_iter)

    def _by_official(self, rows, goes_right, C):
        """Solve by the official binding and return the weights on scaled features and bias, float64[d + 1].

        The binding orders the features by the random generator of C.
        """
        binding = self._official
        problem = binding.problem(np.where(goes_right, 1.0, -1.0), scipy.sparse.csr_matrix(rows))
        kind = 6 if self.surrogate == LOGISTIC else 5
        ctypes.CDLL("ucrtbase" if sys.platform == "win32" else None).srand(SEED)
        model = binding.train(problem, f"-s {kind} -c {float(C)!r} -e {self.tol!r} -B {BIAS_SCALE} -q")
        found = np.ctypeslib.as_array(model.w, (rows.shape[1] + 1,)).copy()
        found[-1] *= BIAS_SCALE
        return found

    def _rows(self, points):
        columns, data = self.data.columns, self.data
        if columns.is_sparse:
            return columns.rows[points] @ scipy.sparse.diags_array(data.inverse_scale)
        rows = columns.values[:, points].T
        if np.count_nonzero(rows) < MANY_ZEROS * rows.size:
            # LIBLINEAR skips zeros, so images are not centred, as in the papers.
            return scipy.sparse.csr_matrix(rows, dtype=np.float64) @ scipy.sparse.diags_array(data.inverse_scale)
        return (rows - data.center) * data.inverse_scale
