"""Sparse oblique node by LIBLINEAR, the papers' solver.

Carreira-Perpiñán and Tavallali 2018, section 4; Fan et al. 2008.

scikit-learn's copy of LIBLINEAR is used: unlike the stand-alone binding it takes sample weights and a seed. It
penalises the bias, unlike our own solver; `BIAS_SCALE` makes that penalty small.
"""

import threading
import warnings

import numpy as np
import scipy.sparse

from treecore.data.training_data import TrainingData
from treecore.node_solvers.l1_kernels import LOGISTIC
from treecore.node_solvers.surrogates import SURROGATES, without_care_points
from treecore.tree.split import Split, constant_split

TOLERANCE = 0.01  # LIBLINEAR's own default for its l1 solvers
BIAS_SCALE = 10.0
LARGEST_C = 1e6  # stands for lam = 0
MANY_ZEROS = 0.5
# LIBLINEAR draws from one generator for the whole process: two nodes at once would change each other's numbers
_ONE_AT_A_TIME = threading.Lock()


class LiblinearSolver:
    """l1-regularised logistic regression or squared hinge, LIBLINEAR's solvers 6 and 5; every node starts cold."""

    monotone = False

    def __init__(self, data: TrainingData, surrogate: str = "logistic") -> None:
        self.data = data
        self.surrogate = SURROGATES[surrogate]

    def penalty(self, features: np.ndarray, weights: np.ndarray) -> float:
        """l1 norm of the weights on scaled features; a constant feature, in a node that was given, costs nothing."""
        inverse_scale = self.data.inverse_scale[features]
        usable = inverse_scale > 0
        return float(np.abs(weights[usable] / inverse_scale[usable]).sum())

    def solve(self, start: int, stop: int, signed: np.ndarray, lam: float, current: Split) -> Split:
        """Split of a reduced problem; see `treecore.node_solvers`."""
        from sklearn.exceptions import ConvergenceWarning  # slow imports
        from sklearn.linear_model import LogisticRegression
        from sklearn.svm import LinearSVC

        data = self.data
        care = np.flatnonzero(signed)
        goes_right = signed[care] > 0
        if care.size == 0:
            return without_care_points(data, start, stop, lam, current)
        if goes_right.all() or not goes_right.any():
            return constant_split(bool(goes_right[0]))
        rows = self._rows(start + care)
        unit = np.abs(signed).max()  # as a unit of the weights it keeps squared errors of any size in range
        C = min(unit / lam if lam > 0 else LARGEST_C, LARGEST_C)
        settings = {"C": C, "tol": TOLERANCE, "intercept_scaling": BIAS_SCALE, "random_state": 0}
        if self.surrogate == LOGISTIC:
            model = LogisticRegression(solver="liblinear", l1_ratio=1.0, **settings)
        else:
            model = LinearSVC(penalty="l1", loss="squared_hinge", dual=False, **settings)
        with _ONE_AT_A_TIME, warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # LIBLINEAR's own iteration limit: its best is used
            model.fit(rows, goes_right, sample_weight=np.abs(signed[care]) / unit)
        features = np.flatnonzero(model.coef_[0]).astype(np.int32)
        weights = model.coef_[0][features] * data.inverse_scale[features]
        center = 0.0 if scipy.sparse.issparse(rows) else weights @ data.center[features]
        return Split(features, weights, float(model.intercept_[0] - center), float(np.abs(model.coef_[0]).sum()))

    def _rows(self, points):
        columns, data = self.data.columns, self.data
        if columns.is_sparse:
            return columns.rows[points] @ scipy.sparse.diags_array(data.inverse_scale)
        rows = columns.values[:, points].T
        if np.count_nonzero(rows) < MANY_ZEROS * rows.size:
            # LIBLINEAR skips zeros: images stay uncentred, as in the papers
            return scipy.sparse.csr_matrix(rows, dtype=np.float64) @ scipy.sparse.diags_array(data.inverse_scale)
        return (rows - data.center) * data.inverse_scale
