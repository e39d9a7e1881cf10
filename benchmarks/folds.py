"""Measure the cost of cross-validation: ``python -m benchmarks.folds [--seeds N] [--cv K]``.

The data set is breast cancer, with oblique trees and a path of 30 λ values. `TAOClassifierCV` trains one path on all
rows and one for each fold. The script divides its CPU seconds by those of one path. Both run alternately with one
thread; the result is the median ratio over the seeds.
"""

import argparse
import sys

import numpy as np
from sklearn.datasets import load_breast_cancer

from benchmarks.common import heading, interleaved, table, verdict, write_json
from treecore import TAOClassifier, TAOClassifierCV, regularization_path

N_LAMBDAS, TARGET = 30, 6.0


def measure(seed, cv):
    """Return the CPU seconds of one path, and of the cross-validated choice."""
    X, y = load_breast_cancer(return_X_y=True)
    model = TAOClassifier(init="random", random_state=seed, n_jobs=1)
    found = interleaved(
        {
            "path": lambda: regularization_path(model, X, y, N_LAMBDAS),
            "folds": lambda: TAOClassifierCV(model, N_LAMBDAS, cv=cv, n_jobs=1).fit(X, y),
        },
        1,
    )
    return found["path"].median_cpu, found["folds"].median_cpu


def main(arguments=None):
    """Measure, print the table and write the JSON file."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.folds", description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--cv", type=int, default=5, help="number of folds")
    options = parser.parse_args(arguments)
    measure(0, 2)  # compiles the kernels
    paths, folds = np.array([measure(seed, options.cv) for seed in range(options.seeds)]).T
    ratio = float(np.median(folds / paths))
    rows = [[f"{options.cv} folds", f"{np.median(paths):.2f}", f"{np.median(folds):.2f}", f"{ratio:.2f}",
             f"{(folds / paths).min():.2f} to {(folds / paths).max():.2f}", verdict(ratio, TARGET)]]  # fmt: skip
    print(heading("Cross-validated choice"))
    print(table(["choice", "CPU s, one path", "CPU s, choice", "ratio", "over seeds", f"<= {TARGET:g}"], rows))
    print(f"raw numbers: {write_json('folds', {'path': paths, 'folds': folds})}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
