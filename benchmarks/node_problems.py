"""Solve the reduced problems of one real TAO pass one by one with two solvers (speed section "liblinear")."""

import time
from typing import NamedTuple

import numpy as np

from treecore.node_solvers.liblinear import COPY, OFFICIAL, LiblinearSolver, official_binding
from treecore.node_solvers.oblique import ObliqueSolver
from treecore.training.tao import AlternatingOptimization
from treecore.training.training_run import TrainingRun
from treecore.tree.split import constant_split

NEWTON_STEPS = 50
SAME = 1e-6  # relative difference below which objectives count as equal


class NodeProblem(NamedTuple):
    """Arguments of one call of a node solver."""

    start: int
    stop: int
    signed: np.ndarray
    current: tuple


class Recorder:
    """A node solver that stores its problems."""

    monotone = False

    def __init__(self, solver):
        self.solver = solver
        self.penalty = solver.penalty
        self.problems = []

    def solve(self, start, stop, signed, lam, current):
        """Store the problem and solve it."""
        if (signed > 0).any() and (signed < 0).any():
            self.problems.append(NodeProblem(start, stop, signed.copy(), current))
        return self.solver.solve(start, stop, signed, lam, current)


def problems_of_pass(estimator, X, y, passes):
    """Return (TrainingData, list of NodeProblem) for TAO pass number `passes`. Rows are in the order of this pass."""
    run = TrainingRun(estimator, X, y)
    recorder = Recorder(run.solver)
    loop = AlternatingOptimization(run.data, run.working, recorder, estimator.lam, max_iter=passes, keep_initial=False)
    for step in loop.steps():
        if step.depth == 0:
            if step.iteration == passes:
                break  # the next step would reorder the rows
            recorder.problems.clear()
    return run.data, recorder.problems


def objective(data, problem, split, lam, penalty):
    """Return the objective of a split in float64: logistic loss + lam * |v|_1.

    The bias is optimised again, because LIBLINEAR penalises it.
    """
    care = problem.signed != 0
    margins = data.columns.margins(problem.start, problem.stop, split)[care]
    signs, weights = np.sign(problem.signed[care]), np.abs(problem.signed[care])
    return best_bias_loss(margins, signs, weights) + lam * penalty(split.features, split.weights)


def best_bias_loss(margins, signs, weights):
    """Return the smallest weighted logistic loss over all shifts of the margins (Newton's method with step halving)."""

    def loss(shift):
        return float(weights @ np.logaddexp(0.0, -signs * (margins + shift)))

    shift, value = 0.0, loss(0.0)
    for _ in range(NEWTON_STEPS):
        wrong = np.exp(-np.logaddexp(0.0, signs * (margins + shift)))
        slope = -float(weights @ (signs * wrong))
        bend = float(weights @ (wrong * (1 - wrong))) + 1e-12
        step = np.clip(-slope / bend, -5.0, 5.0)
        while loss(shift + step) > value and abs(step) > 1e-12:
            step /= 2
        following = loss(shift + step)
        if value - following <= 1e-13 * max(value, 1e-300):
            break
        shift, value = shift + step, following
    return min(value, loss(shift))


def liblinears():
    """Return the installed LIBLINEAR programs."""
    return [COPY] if official_binding() is None else [COPY, OFFICIAL]


def compare(data, problems, lam):
    """Return {solver:

    (objectives [k], seconds [k])} for our cold start, our warm start and each LIBLINEAR, timed in turn.
    """
    ours, cold = ObliqueSolver(data), constant_split(True)
    theirs = {program: LiblinearSolver(data, program=program) for program in liblinears()}
    for solver in theirs.values():
        solver.solve(*problems[0][:3], lam, cold)  # compiles the binding's reader of sparse rows
    calls = {
        "cold": lambda p: ours.solve(p.start, p.stop, p.signed, lam, cold),
        "warm": lambda p: ours.solve(p.start, p.stop, p.signed, lam, p.current),
        **{n: lambda p, s=solver: s.solve(p.start, p.stop, p.signed, lam, cold) for n, solver in theirs.items()},
    }
    values = {name: [] for name in calls}
    seconds = {name: [] for name in calls}
    for problem in problems:
        for name, call in calls.items():
            began = time.perf_counter()
            split = call(problem)
            seconds[name].append(time.perf_counter() - began)
            values[name].append(objective(data, problem, split, lam, ours.penalty))
    return {name: (np.array(values[name]), np.array(seconds[name])) for name in calls}


def gaps(ours, theirs):
    """Return the relative excess of our objective over theirs for each problem; negative if ours is lower."""
    return (ours - theirs) / np.maximum(theirs, 1e-300)
