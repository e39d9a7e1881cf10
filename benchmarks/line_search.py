"""Find the best line of one bivariate node, with our search and the paper's: ``python -m benchmarks.line_search``.

The paper (Kairgeldin and Carreira-Perpiñán 2024, section 2.1.1) enumerates every pair of features, H = 30 evenly spaced
directions on standardised features, and every threshold between neighbouring projections. Both searches solve the same
problems (two classes, 600 rows) alternately in the same run. The searches are compared by the number of misclassified
rows.
"""

import argparse
import itertools
import sys
import time

import numpy as np

from benchmarks.common import DataMissing, benchmark_set, heading, table, write_json
from treecore.data.training_data import TrainingData
from treecore.node_solvers.bivariate import BivariateSolver
from treecore.tree.split import constant_split

DIRECTIONS = 30
ROWS = 600
FEATURES = 8
NOISE = 0.05  # share of flipped labels
TINY = 1e-9  # lambda


def enumeration(X, signed):
    """Return the total signed weight on the right side of the best line."""
    total, best = signed.sum(), max(signed.sum(), 0.0)
    scaled = (X - X.mean(0)) / X.std(0)
    for j, k in itertools.combinations(range(X.shape[1]), 2):
        for angle in np.pi * np.arange(DIRECTIONS) / DIRECTIONS:
            projected = np.cos(angle) * scaled[:, j] + np.sin(angle) * scaled[:, k]
            order = np.argsort(projected, kind="stable")
            left = np.cumsum(signed[order])[:-1][np.diff(projected[order]) > 0]
            if left.size:
                best = max(best, left.max(), (total - left).max())
    return best


def drawn(rng, spread):
    """Return X [ROWS, FEATURES] and two classes separated by a line through two equally spread features."""
    X = spread(rng, (ROWS, FEATURES))
    j, k = rng.choice(FEATURES, 2, replace=False)
    angle = rng.uniform(0, np.pi)
    scaled = X / np.subtract(*np.quantile(X, [0.75, 0.25], axis=0))
    side = np.cos(angle) * scaled[:, j] + np.sin(angle) * scaled[:, k]
    return X, (side > np.quantile(side, rng.uniform(0.3, 0.7))) ^ (rng.random(ROWS) < NOISE)


def spambase(rng):
    """Return a sample of the rows and features of spambase in which no feature is constant."""
    data = benchmark_set("spambase")
    rows = rng.choice(len(data.X), ROWS, replace=False)
    X = data.X[rows].astype(float)
    features = rng.permutation(np.flatnonzero(X.std(0) > 0))[:FEATURES]
    return X[:, features], data.y[rows].astype(bool)


PROBLEMS = {
    "normal": lambda rng: drawn(rng, lambda rng, shape: rng.normal(size=shape)),
    "lognormal": lambda rng: drawn(rng, lambda rng, shape: rng.lognormal(sigma=1.5, size=shape)),
    "heavy tails": lambda rng: drawn(rng, lambda rng, shape: rng.standard_t(1.5, size=shape)),
    "spambase": spambase,
}


def compare(problem, repeats, exactness="auto"):
    """Return (errors of the enumeration, our errors, its seconds, our seconds), with one value per problem."""
    found = []
    for seed in range(repeats):
        X, positive = problem(np.random.default_rng(seed))
        signed = np.where(positive, 1.0, -1.0)
        most = signed[positive].sum()
        began = time.perf_counter()
        theirs = enumeration(X, signed)
        between = time.perf_counter()
        solver = BivariateSolver(TrainingData(X, positive.astype(int), 2), 1.0, exactness=exactness)
        split = solver.solve(0, ROWS, signed, TINY, constant_split(True))
        seconds = time.perf_counter() - between
        ours = signed[split.goes_right(solver.data.columns.margins(0, ROWS, split))].sum()
        found.append((most - theirs, most - ours, between - began, seconds))
    return np.array(found).T


def small_node(seed):
    """Return (X, signed gains, λ) of a random node with 20 to 199 rows and 2 to 6 features.

    For some of these nodes, the optimum is a constant prediction without a line.
    """
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(20, 200)), int(rng.integers(2, 7))
    X = rng.standard_normal((n, d)) if seed % 2 else rng.integers(0, 12, (n, d)).astype(float)
    projected = X @ (rng.standard_normal(d) * (rng.random(d) < 0.6))
    score = projected + rng.standard_normal(n) * rng.choice([0.3, 1, 3]) * max(1e-9, np.std(projected))
    signed = np.where(score > np.median(score), 1.0, -1.0)
    signed[rng.random(n) < 0.1] = 0
    return X, signed, float(rng.choice([0.5, 1.0, 2.0]))


def node_objective(X, signed, lam, exactness):
    """Return the weighted loss plus λ times the penalty for the split that the solver finds."""
    data = TrainingData(X, np.zeros(len(X), int), 1)
    split = BivariateSolver(data, exactness=exactness).solve(0, len(X), signed, lam, constant_split(True))
    right = split.goes_right(data.columns.margins(0, len(X), split))
    return signed[signed > 0].sum() - signed[right].sum() + lam * split.penalty


def above_exact(nodes):
    """Return table rows that compare "auto" and "screened" with the exact optimum on small random nodes."""
    problems = [small_node(seed) for seed in range(nodes)]
    exact = np.array([node_objective(*problem, "exact") for problem in problems])
    for exactness in ("auto", "screened"):
        gaps = np.array([node_objective(*problem, exactness) for problem in problems]) / exact - 1
        worse = gaps[gaps > TINY]
        mean, most = (100 * worse.mean(), 100 * worse.max()) if worse.size else (0.0, 0.0)
        yield [exactness, f"{worse.size} / {nodes}", f"{mean:.1f}", f"{most:.1f}"]


def main(arguments=None):
    """Measure, print the table and write the JSON file."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.line_search", description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=20, help="number of problems of each kind")
    parser.add_argument("--exactness", default="auto", help="exactness of our solver")
    parser.add_argument(
        "--nodes", type=int, default=0, help="number of small random nodes to compare with the exact optimum"
    )
    options = parser.parse_args(arguments)
    if options.nodes:
        print(heading("Small nodes against their exact optimum"))
        print(table(["exactness", "above it", "% above it, mean of those", "most"], list(above_exact(options.nodes))))
        return 0
    compare(PROBLEMS["normal"], 1, options.exactness)  # compiles the kernels
    rows, raw = [], {}
    for name, problem in PROBLEMS.items():
        try:
            theirs, ours, slow, fast = compare(problem, options.repeats, options.exactness)
        except DataMissing as error:
            print(error, file=sys.stderr)
            continue
        raw[name] = {"enumeration": theirs, "ours": ours, "seconds": np.median(fast)}
        rows.append([name, f"{theirs.mean():.1f}", f"{ours.mean():.1f}", f"{ours.sum() / theirs.sum():.3f}",
                     f"{(ours > theirs).sum()} / {(ours < theirs).sum()}",
                     f"{1e3 * np.median(slow):.0f}", f"{1e3 * np.median(fast):.2f}"])  # fmt: skip
    header = ["features", "errors, enumeration", "ours", "ratio", "worse / better", "ms, enumeration", "ms, ours"]
    print(heading("Line search"))
    print(table(header, rows))
    print(f"raw numbers: {write_json('line_search', raw)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
