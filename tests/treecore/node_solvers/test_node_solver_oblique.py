"""Test oblique nodes: objective values against a tight, independent optimum of the same l1 problem."""

import copy
import subprocess
import sys
from itertools import product
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_digits, load_wine

from tests import naive
from tests.budget import budget
from tests.each import each
from tests.refusals import refused
from tests.strategies import reduced_problems
from treecore import TAOClassifier
from treecore.data.training_data import TrainingData
from treecore.errors import ParameterError
from treecore.node_solvers import liblinear, oblique
from treecore.node_solvers.l1_kernels import Limits
from treecore.node_solvers.liblinear import BIAS_SCALE, COPY, OFFICIAL, LiblinearSolver
from treecore.node_solvers.oblique import LOOSE, ObliqueSolver
from treecore.node_solvers.surrogates import SURROGATES
from treecore.tree.split import Split, constant_split, same_split

KINDS = {"uint8": 1e-4, "float32": 1e-4, "float64": 1e-6, "csr": 1e-6}  # largest relative gap to the optimum
SCALES = ["standard", "minmax", None]
# Pairwise combinations: each data type and scale once, every other time with weights.
PAIRED = [(kind, scale, bool((i + j) % 2)) for i, kind in enumerate(KINDS) for j, scale in enumerate(SCALES)]
LAMBDAS = [0.05, 1.0, 8.0]
TIGHT = Limits(tolerance=1e-9, working_sets=100, newton_steps=100, sweeps=100)


class Node:
    """A reduced problem on the rows [start, stop) of a matrix with correlated features of very different scales."""

    def __init__(self, kind, scale="standard", weighted=True, n=160, d=9, seed=0):
        rng = np.random.default_rng(seed)
        X = rng.standard_normal((n, d)) @ (np.eye(d) + 0.4 * rng.standard_normal((d, d)))
        X[:, -1] = 3.0
        if scale is not None:  # one penalty does not fit such features without scaling
            X = X * 10.0 ** np.linspace(-2, 2, d) + (5 if kind != "csr" else 0)
        if kind == "csr":  # mostly zeros; sparse features are not centred
            X[:, :-1] *= rng.random((n, d - 1)) < 0.4
        if kind == "uint8":
            X = np.clip(np.round(20 * (X - X.mean(axis=0)) / np.maximum(X.std(axis=0), 1e-9)) + 90, 0, 255)
        self.start, self.stop = n // 8, n - 5
        score = X @ (rng.standard_normal(d) / np.maximum(X.std(axis=0), 1e-9)) + 1.5 * rng.standard_normal(n)
        self.targets = np.where(score > np.median(score), 1, -1).astype(np.int8)
        self.targets[rng.random(n) < 0.2] = 0
        self.targets = self.targets[self.start : self.stop]
        weights = rng.integers(1, 5, n) / 2 if weighted else np.ones(n)
        form = scipy.sparse.csr_matrix(X) if kind == "csr" else X.astype(kind)
        self.data = TrainingData(form, np.zeros(n, int), 1, weights, scale)
        use = self.start + np.flatnonzero(self.targets)
        dense = X.astype(kind).astype(float) if kind != "csr" else X
        self.Z = (dense[use] - self.data.center) * self.data.inverse_scale
        self.signed = self.targets * self.data.weights[self.start : self.stop]
        self.signs, self.weights = self.targets[self.targets != 0].astype(float), self.data.weights[use]

    def solve(self, solver, lam, current=None):
        return solver.solve(self.start, self.stop, self.signed, lam, current or constant_split(True))

    def scaled(self, split):
        """Return (v, bias) of a split, on scaled features."""
        v = np.zeros(self.Z.shape[1])
        v[split.features] = split.weights / self.data.inverse_scale[split.features]
        return v, split.bias + split.weights @ self.data.center[split.features]

    def value(self, surrogate, split, lam):
        return naive.l1_objective(surrogate, self.Z, self.signs, self.weights, lam, *self.scaled(split))

    def optimum(self, surrogate, lam):
        solution = naive.l1_optimum(surrogate, self.Z, self.signs, self.weights, lam)
        return naive.l1_objective(surrogate, self.Z, self.signs, self.weights, lam, *solution)


@pytest.mark.nightly
@each("surrogate", SURROGATES)
@each("kind, scale, weighted", budget(PAIRED, list(product(KINDS, SCALES, [False, True]))))
def test_tight_limits_reach_the_optimum(surrogate, kind, scale, weighted):
    node = Node(kind, scale, weighted)
    for lam in LAMBDAS:
        split = node.solve(ObliqueSolver(node.data, surrogate, TIGHT), lam)
        ours, optimum = node.value(surrogate, split, lam), node.optimum(surrogate, lam)
        assert abs(ours - optimum) <= KINDS[kind] * optimum, (lam, ours / optimum - 1)


@pytest.mark.parametrize("surrogate", SURROGATES)
@pytest.mark.parametrize("lam", LAMBDAS)
def test_the_solution_meets_the_optimality_conditions(surrogate, lam):
    node = Node("float64")
    v, bias = node.scaled(node.solve(ObliqueSolver(node.data, surrogate, TIGHT), lam))
    slope = node.weights * node.signs * naive.surrogate(surrogate, node.signs * (node.Z @ v + bias))[1]
    gradient = node.Z.T @ slope
    tolerance = 2e-3 * node.weights.sum() ** 0.5
    assert abs(slope.sum()) <= tolerance
    assert (np.abs(gradient[v == 0]) <= lam + tolerance).all()
    np.testing.assert_allclose(gradient[v != 0], -lam * np.sign(v[v != 0]), atol=tolerance)
    assert 0 < np.count_nonzero(v) < v.size


@pytest.mark.parametrize("surrogate", SURROGATES)
@pytest.mark.parametrize("kind", KINDS)
def test_warm_and_cold_starts_reach_the_same_objective(surrogate, kind):
    node = Node(kind, seed=1)
    solver = ObliqueSolver(node.data, surrogate, TIGHT)
    cold = node.solve(solver, 1.0)
    weights = np.array([30.0, -40.0]) * node.data.inverse_scale[[0, 4]]
    far = Split(np.array([0, 4], np.int32), weights, -7.0 - weights @ node.data.center[[0, 4]], 70.0)
    for start in (node.solve(solver, 0.1), node.solve(solver, 20.0), far, cold):
        warm = node.value(surrogate, node.solve(solver, 1.0, start), 1.0)
        assert warm == pytest.approx(node.value(surrogate, cold, 1.0), rel=KINDS[kind])


@pytest.mark.parametrize("surrogate", SURROGATES)
@pytest.mark.parametrize("lam", LAMBDAS)
def test_dense_and_sparse_data_reach_the_same_objective(surrogate, lam):
    sparse = Node("csr")
    dense = copy.copy(sparse)
    dense.data = TrainingData(sparse.data.columns.rows.toarray(), sparse.data.y, 1, sparse.data.weights)
    dense.Z = sparse.Z - dense.data.center * dense.data.inverse_scale
    values = [
        node.value(surrogate, node.solve(ObliqueSolver(node.data, surrogate, TIGHT), lam), lam)
        for node in (dense, sparse)
    ]
    assert values[0] == pytest.approx(values[1], rel=1e-6)


@each("surrogate", SURROGATES)
@each("kind", KINDS)
@each("lam", LAMBDAS)
def test_loose_limits_come_within_one_percent(surrogate, kind, lam):
    for seed in range(3):
        node = Node(kind, seed=seed)
        loose, tight = (
            node.value(surrogate, node.solve(ObliqueSolver(node.data, surrogate, limits), lam), lam)
            for limits in (LOOSE, TIGHT)
        )
        # With hardly any penalty, weights are large. A cold start with loose limits does not reach them.
        assert loose <= (1.01 if lam >= 1 else 1.05) * tight


def nearly_separable(n, d, dtype=np.float64):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, d)).astype(dtype)
    return X, (X @ rng.standard_normal(d) + 0.3 * rng.standard_normal(n) > 0).astype(int)


@pytest.mark.parametrize("surrogate", SURROGATES)
@pytest.mark.parametrize("kind", [np.float32, np.float64, scipy.sparse.csr_matrix])
def test_nodes_of_small_data_are_solved_at_once(surrogate, kind):
    X, y = nearly_separable(300, 20)
    rows = kind(X) if kind is scipy.sparse.csr_matrix else X.astype(kind)
    data = TrainingData(rows, np.zeros(300, int), 1, np.ones(300), None)
    signs = 2.0 * y - 1
    split = ObliqueSolver(data, surrogate).solve(0, 300, signs, 0.02, constant_split(True))
    tight = ObliqueSolver(data, surrogate, TIGHT).solve(0, 300, signs, 0.02, constant_split(True))
    values = []
    for found in (split, tight):
        v = np.zeros(20)
        v[found.features] = found.weights
        values.append(naive.l1_objective(surrogate, X, signs, np.ones(300), 0.02, v, found.bias))
    assert split.converged
    assert values[0] <= 1.001 * values[1]


def test_the_default_limits_follow_the_size_of_the_data():
    for n, d, limits in ((300, 20, oblique.TIGHT), (20_000, 10, oblique.TIGHT), (20_001, 10, LOOSE)):
        assert ObliqueSolver(TrainingData(np.zeros((n, d), np.uint8), np.zeros(n, int), 1)).limits == limits
    assert LOOSE.steps >= LOOSE.working_sets * LOOSE.newton_steps


CHOSEN = {"lam": 0.02, "max_depth": 1, "max_iter": 2, "random_state": 1}


def test_the_trace_counts_the_nodes_that_did_not_converge():
    small = TAOClassifier(**CHOSEN).fit(*nearly_separable(300, 20))
    assert small.tree_.features_per_node > 2  # its root has been solved
    assert [record.n_unconverged for record in small.trace_] == [0] * small.n_iter_
    large = TAOClassifier(**CHOSEN).fit(*nearly_separable(12_000, 20))
    assert large.trace_[0].n_unconverged == 1
    assert large.initial_.n_unconverged == 0


def test_a_tolerance_is_kept_for_data_of_any_size():
    model = TAOClassifier(**CHOSEN, node_tol=1e-6).fit(*nearly_separable(12_000, 20))
    assert model.trace_[0].n_unconverged == 0


@pytest.mark.parametrize("sparse", [False, True])
def test_a_node_stops_after_max_inner_newton_steps(sparse):
    X, y = nearly_separable(300, 20)
    X = scipy.sparse.csr_matrix(X) if sparse else X
    losses = []
    for max_inner in (1, 3, 100):
        model = TAOClassifier(**CHOSEN | {"max_iter": 1}, max_inner=max_inner).fit(X, y)
        losses.append((model.trace_[0].n_unconverged, np.abs(model.tree_.split(0)[1]).sum()))
    assert [unconverged for unconverged, _ in losses] == [1, 1, 0]
    assert losses[0][1] < losses[1][1] < losses[2][1]  # starting from zero, each step makes the weights larger


@pytest.mark.parametrize("surrogate", SURROGATES)
def test_liblinear_takes_the_tolerance_and_reports_its_limit(surrogate):
    X, y = nearly_separable(300, 20)
    data, signs = TrainingData(X, np.zeros(300, int), 1), 2.0 * y - 1
    loose, tight = (
        LiblinearSolver(data, surrogate, COPY, tol).solve(0, 300, signs, 0.02, constant_split(True))
        for tol in (None, 1e-12)
    )
    assert loose.converged
    assert not tight.converged or not same_split(loose, tight)
    with refused(ParameterError, "max_inner=5: expected None, because LIBLINEAR has its own limit"):
        TAOClassifier(node_solver="liblinear", max_inner=5).fit(X, y)


@pytest.mark.parametrize("surrogate", SURROGATES)
def test_loose_solutions_get_better_from_pass_to_pass(surrogate):
    """One loose pass hardly solves a nearly separable node with many features. Warm starts continue it."""
    node = Node("float64", n=400, d=40)
    solver = ObliqueSolver(node.data, surrogate, LOOSE)
    split, values = None, []
    for _ in range(6):
        split = node.solve(solver, 1.0, split)
        values.append(node.value(surrogate, split, 1.0))
    assert (np.diff(values) <= 1e-9 * values[0]).all()
    assert values[-1] <= 1.01 * node.optimum(surrogate, 1.0)


@each("surrogate", SURROGATES)
@each("kind", KINDS)
@each("size", [1.0, 30.0, 1000.0])
def test_a_warm_start_that_is_wrong_about_every_point_recovers(surrogate, kind, size):
    """In a pass, the children of a node may swap their roles, which inverts all its pseudolabels."""
    node = Node(kind)
    solver = ObliqueSolver(node.data, surrogate, TIGHT)
    right = node.solve(solver, 1.0)
    weights = -size * right.weights
    wrong = right._replace(weights=weights, bias=-size * right.bias)
    value = node.value(surrogate, node.solve(solver, 1.0, wrong), 1.0)
    assert value == pytest.approx(node.value(surrogate, right, 1.0), rel=KINDS[kind])


@pytest.mark.parametrize("surrogate", SURROGATES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("solver", [ObliqueSolver, LiblinearSolver])
def test_a_huge_lambda_leaves_no_weight(surrogate, kind, solver):
    node = Node(kind)
    split = node.solve(solver(node.data, surrogate), 1e6)
    assert split.features.size == 0
    assert split.penalty == 0
    assert (split.bias >= 0) == (node.weights @ node.signs >= 0)


@pytest.mark.parametrize("surrogate", SURROGATES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("solver", [ObliqueSolver, LiblinearSolver])
def test_the_split_is_in_raw_units_and_carries_its_penalty(surrogate, kind, solver):
    node = Node(kind)
    split = node.solve(solver(node.data, surrogate), 1.0)
    assert split.penalty == pytest.approx(np.abs(node.scaled(split)[0]).sum(), rel=1e-5)
    assert split.penalty == pytest.approx(solver(node.data, surrogate).penalty(split.features, split.weights), rel=1e-5)
    assert (np.diff(split.features) > 0).all()
    assert 8 not in split.features  # feature 8 is constant
    margins = node.data.columns.margins(node.start, node.stop, split)[node.targets != 0]
    v, bias = node.scaled(split)
    np.testing.assert_allclose(margins, node.Z @ v + bias, atol=1e-6 * max(1, np.abs(margins).max()))


@pytest.mark.parametrize("solver", [ObliqueSolver, LiblinearSolver])
def test_problems_without_two_sides_are_constant(solver):
    node = Node("float64")
    current = Split(np.array([1], np.int32), np.array([2.0]), 0.5, 1.0)
    nothing = solver(node.data).solve(0, 20, np.zeros(20, np.int8), 1.0, current)
    assert same_split(nothing, current) or nothing.features.size == 0
    for side in (-1, 1):
        targets = np.zeros(20, np.int8)
        targets[3:9] = side
        split = solver(node.data).solve(0, 20, targets, 1.0, current)
        assert same_split(split, constant_split(side > 0))


@settings(max_examples=25)
@given(reduced_problems(), st.sampled_from([0.1, 1.0]), st.sampled_from(sorted(SURROGATES)))
def test_ties_and_constant_features_do_no_harm(problem, lam, surrogate):
    X, targets, weights = problem
    data = TrainingData(X, np.zeros(len(X), int), 1, weights)
    care = targets != 0
    if np.unique(targets[care]).size < 2:
        return
    split = ObliqueSolver(data, surrogate, TIGHT).solve(0, len(X), targets * weights, lam, constant_split(True))
    Z = ((X.astype(float) - data.center) * data.inverse_scale)[care]
    v = np.zeros(X.shape[1])
    v[split.features] = split.weights / data.inverse_scale[split.features]
    rest = Z, targets[care].astype(float), weights[care], lam
    ours = naive.l1_objective(surrogate, *rest, v, split.bias + split.weights @ data.center[split.features])
    optimum = naive.l1_objective(surrogate, *rest, *naive.l1_optimum(surrogate, *rest))
    assert ours <= optimum + 1e-4 * max(optimum, weights[care].sum() * 1e-2)


# LIBLINEAR stops at its own default tolerance and penalises bias / BIAS_SCALE, which costs up to 3 % here.
LIBLINEAR_GAP = 0.03


@each("surrogate", SURROGATES)
@each("kind", KINDS)
@each("lam", LAMBDAS)
def test_liblinear_comes_close_to_the_optimum(surrogate, kind, lam):
    node = Node(kind, "standard", weighted=True)
    split = node.solve(LiblinearSolver(node.data, surrogate), lam)
    optimum = node.optimum(surrogate, lam)
    value = node.value(surrogate, split, lam)
    assert optimum * (1 - 1e-6) <= value <= optimum * (1 + LIBLINEAR_GAP), value / optimum - 1
    assert BIAS_SCALE >= 1


@pytest.mark.parametrize("surrogate", SURROGATES)
def test_liblinear_is_repeatable(surrogate):
    node = Node("float64")
    solver = LiblinearSolver(node.data, surrogate)
    first = node.solve(solver, 0.2)
    np.random.random(7)  # noqa: NPY002, another user of the global generator must not matter
    assert all(same_split(node.solve(solver, 0.2), first) for _ in range(3))


needs_official = pytest.mark.skipif(liblinear.official_binding() is None, reason="liblinear-official is not installed")


@needs_official
@pytest.mark.parametrize("surrogate", SURROGATES)
@pytest.mark.parametrize(("load", "lam"), [(load_breast_cancer, 1.0), (load_digits, 1.0), (load_wine, 1.0)])
def test_the_official_liblinear_finds_what_scikit_learn_s_copy_finds(load, lam, surrogate):
    X, y = load(return_X_y=True)
    signed, data = np.where(y == 1, 1.0, -1.0), TrainingData(X, y, int(y.max()) + 1)
    signed[y == 2] = 0.0
    care = signed != 0
    Z = (X[care] - data.center) * data.inverse_scale

    def found(program):
        solver = LiblinearSolver(data, surrogate, program)
        split = solver.solve(0, len(X), signed, lam, constant_split(True))
        again = solver.solve(0, len(X), signed, lam, constant_split(True))
        assert same_split(split, again)
        assert solver.programs() == f"{program} 2"
        v = np.zeros(X.shape[1])
        v[split.features] = split.weights / data.inverse_scale[split.features]
        bias = split.bias + split.weights @ data.center[split.features]
        value = naive.l1_objective(surrogate, Z, signed[care], np.ones(care.sum()), lam, v, bias)
        return value + lam * abs(bias) / BIAS_SCALE

    assert found(OFFICIAL) == pytest.approx(found(COPY), rel=LIBLINEAR_GAP)


@needs_official
def test_problems_with_weights_are_left_to_scikit_learn_s_copy():
    X, y = load_wine(return_X_y=True)
    for weights, program in ((None, OFFICIAL), (np.full(y.size, 3.0), OFFICIAL), (1.0 + np.arange(y.size), COPY)):
        model = TAOClassifier(node_solver=OFFICIAL, max_depth=2, max_iter=1, random_state=0).fit(X, y, weights)
        assert model.initial_.node_programs == ""
        assert model.trace_[0].node_programs.split()[0] == program


def test_without_the_official_liblinear_the_copy_is_used_and_a_request_is_refused(monkeypatch):
    monkeypatch.setattr(liblinear, "official_binding", lambda: None)
    X, y = load_wine(return_X_y=True)
    model = TAOClassifier(node_solver="liblinear", max_depth=2, max_iter=1, random_state=0).fit(X, y)
    assert model.trace_[0].node_programs.split()[0] == COPY
    with refused(
        ParameterError, "node_solver='liblinear-official' needs the package liblinear-official, which is not installed"
    ):
        model.set_params(node_solver=OFFICIAL).fit(X, y)


@pytest.mark.parametrize("solver", [ObliqueSolver, LiblinearSolver])
@pytest.mark.parametrize("surrogate", SURROGATES)
def test_lambda_zero_is_solved_without_a_warning(solver, surrogate):
    node = Node("float64")
    split = node.solve(solver(node.data, surrogate), 0.0)
    assert np.isfinite(split.weights).all()
    assert node.value(surrogate, split, 0.0) < node.value(surrogate, constant_split(True), 0.0)


PLACEMENT = """
import numpy as np
from tests.treecore.node_solvers.test_node_solver_oblique import KINDS, SURROGATES, Node, ObliqueSolver, same_split
rng = np.random.default_rng(0)
for kind in KINDS:
    for surrogate in SURROGATES:
        node = Node(kind, n=32)
        solver = ObliqueSolver(node.data, surrogate)
        first = node.solve(solver, 0.1)
        changes = 0
        for _ in range(200):
            pool = [np.empty(node.stop - node.start, solver.real) for _ in range(12)]
            while pool:  # memory of the same size is handed out again in the order in which it was given back
                pool.pop(rng.integers(len(pool)))
            changes += not same_split(node.solve(solver, 0.1), first)
        print(kind, surrogate, changes)
"""


def test_the_solution_does_not_depend_on_where_its_arrays_lie():
    """Small nodes are solved from arrays that are close together, sometimes too close for vector loops.

    A fresh process is needed, because only a young heap puts arrays side by side.
    """
    root = Path(__file__).resolve().parents[3]
    done = subprocess.run([sys.executable, "-c", PLACEMENT], cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert [line for line in done.stdout.splitlines() if not line.endswith(" 0")] == []
