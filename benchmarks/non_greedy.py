"""Measure how an epoch of non-greedy SGD grows with depth: ``python -m benchmarks.non_greedy``.

Stable SGD trains complete trees with random splits and leaves on synthetic rows, with both kinds of loss-augmented
inference. Exact inference stops at the depth at which an epoch is expected to take too long. The script also counts the
inner products per row, because an inner product takes longer when the tree no longer fits into the caches. The script
writes a table, the raw numbers and a figure. The dotted line in the figure grows with the square of the depth. With
--quick, it uses only the three smallest depths.
"""

import argparse
import sys

import numpy as np
from matplotlib.figure import Figure

from benchmarks.common import RESULTS, heading, interleaved, table, write_json
from treecore.baselines import non_greedy_kernels as kernels
from treecore.baselines.non_greedy import flat_shape, parameters_of
from treecore.tree.split import Split
from treecore.tree.working_tree import WorkingTree
from treecore.warm_up import warm_up

N_ROWS, N_FEATURES, N_CLASSES, BATCH_SIZE = 5_000, 20, 5, 100
DEPTHS = (6, 8, 10, 12, 14, 16, 18)
REPEATS = 3
PATIENCE = 30.0  # maximum seconds of an epoch


def complete_tree(depth):
    """Return a WorkingTree with all leaves at `depth`."""
    n_decisions = 2**depth - 1
    nodes = np.arange(2 * n_decisions + 1)
    left, right = (np.where(nodes < n_decisions, 2 * nodes + side, -1) for side in (1, 2))
    split = Split(np.zeros(1, np.int32), np.ones(1), 0.0, 0.0)
    splits = [split if node < n_decisions else None for node in nodes]
    return WorkingTree(left, right, splits, np.zeros(nodes.size), nodes)


def epoch_of(depth, exact):
    """Return a function without arguments that runs one epoch."""
    rng = np.random.default_rng(depth)
    shape = flat_shape(complete_tree(depth))
    rows = rng.standard_normal((N_ROWS, N_FEATURES + 1))
    rows[:, -1] = 1.0
    weights = rng.standard_normal((2**depth - 1, N_FEATURES + 1))
    weights[:, -1] = 0.0
    parameters = parameters_of(weights, rng.standard_normal((2**depth, N_CLASSES)))
    labels = rng.integers(0, N_CLASSES, N_ROWS).astype(np.int32)
    assigned = np.empty(N_ROWS, np.int32)
    kernels.reached_leaves(shape, weights, rows, assigned)
    active, order, row_weights = np.empty(2**depth, np.bool_), np.arange(N_ROWS), np.ones(N_ROWS)
    return lambda: kernels.epoch(
        shape, parameters, rows, labels, row_weights, order, assigned, exact, True, BATCH_SIZE, 0.01, 0.9, 20.0, active
    )


def measure(depths):
    """Return {"fast", "exact": list of (depth, median seconds of an epoch)}."""
    seconds = {"fast": [], "exact": []}
    for depth in depths:
        print(f"depth {depth} ...", file=sys.stderr, flush=True)
        steps = depth - seconds["exact"][-1][0] if seconds["exact"] else 0
        runs = {"fast": epoch_of(depth, False)}
        if not seconds["exact"] or seconds["exact"][-1][1] * 2**steps <= PATIENCE:
            runs["exact"] = epoch_of(depth, True)
        timings = interleaved(runs, REPEATS)
        for name, timing in timings.items():
            seconds[name].append((depth, timing.median))
    return seconds


def exponent(measured):
    """Return the exponent with which the seconds grow with depth, fitted to all depths."""
    depths, seconds = np.array(measured).T
    return float(np.polyfit(np.log(depths), np.log(seconds), 1)[0])


def doubling(measured):
    """Return the factor by which the seconds grow with each level, fitted to all depths."""
    depths, seconds = np.array(measured).T
    return float(np.exp(np.polyfit(depths, np.log(seconds), 1)[0]))


def draw(seconds):
    """Return a matplotlib Figure of the seconds of an epoch against depth."""
    figure = Figure(figsize=(5.5, 3.6), layout="constrained")
    axes = figure.subplots()
    depths, fast = np.array(seconds["fast"]).T
    exact_depths, exact = np.array(seconds["exact"]).T
    axes.semilogy(depths, fast, "o-", label=f"fast: depth^{exponent(seconds['fast']):.2f}")
    axes.semilogy(exact_depths, exact, "s-", label=f"exact: x {doubling(seconds['exact']):.2f} a level")
    axes.semilogy(depths, fast[0] * (depths / depths[0]) ** 2, ":", color="grey", label="depth^2")
    axes.set(xlabel="depth", ylabel="seconds an epoch", title=f"non-greedy SGD, {N_ROWS} rows, {N_FEATURES} features")
    axes.grid(which="major", alpha=0.3)
    axes.legend(frameon=False)
    return figure


def main(arguments=None):
    """Measure, print the table, and write the JSON file and the figure."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.non_greedy", description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="use only the three smallest depths")
    options = parser.parse_args(arguments)
    warm_up()
    seconds = measure(DEPTHS[:3] if options.quick else DEPTHS)
    exact = dict(seconds["exact"])
    lines = [
        (depth, depth * (depth + 1) // 2, f"{fast:.4g}", f"{fast / N_ROWS / (depth * (depth + 1) / 2) * 1e9:.0f}",
         2**depth - 1, f"{exact[depth]:.4g}" if depth in exact else "-",
         f"{exact[depth] / fast:.0f}" if depth in exact else "-")
        for depth, fast in seconds["fast"]
    ]  # fmt: skip
    print(heading(f"Non-greedy SGD, one epoch ({N_ROWS} rows, {N_FEATURES} features, {N_CLASSES} classes)"))
    print(table(("depth", "products", "fast s", "ns a product", "products", "exact s", "ratio"), lines))
    print(f"fast: time ~ depth^{exponent(seconds['fast']):.2f}; exact: x {doubling(seconds['exact']):.2f} a level")
    print(f"raw numbers: {write_json('non_greedy', seconds)}")
    draw(seconds).savefig(RESULTS / "non_greedy.svg")
    print(f"figure: {(RESULTS / 'non_greedy.svg').relative_to(RESULTS.parent.parent)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
