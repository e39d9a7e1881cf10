"""Compare our C5.0 and CART with the real C5.0 and rpart: ``python -m benchmarks.c50 [--only NAME] [--splits N]``.

Both parts of a data set are pooled and split again: 20 % test rows, stratified, seeds 0, 1, 2. The results of the real
programs are means over the same splits. C5.0 2.07 (R package C50 0.2.0) ran with its defaults. The trees of rpart
4.1.19 were fully grown (minsplit 2, minbucket 1, cp 0, maxdepth 30) and pruned by 10-fold cross-validation with the
1-SE rule. Errors are in percent.
"""

import argparse
import sys
from typing import NamedTuple

import numpy as np
from sklearn.model_selection import train_test_split

from benchmarks.bivariate import rows_of
from benchmarks.common import heading, table, timed, write_json
from treecore import C50Classifier, CARTClassifier
from treecore.tree.metrics import error_rate

SPLITS = 3
LEAVES, TEST_ERROR = (0.10, 0.5)  # limits: relative difference in leaves, difference in error in percentage points


class Figures(NamedTuple):
    """Means over the splits, with errors in percent."""

    leaves: float
    depth: float
    train_error: float
    test_error: float


REAL = {
    "wdbc": {"C5.0": Figures(11.33, 6.67, 0.95, 5.85), "CART": Figures(8.67, 4.33, 2.20, 6.14)},
    "banknote": {"C5.0": Figures(13.67, 6.33, 0.43, 1.70), "CART": Figures(17.67, 6.33, 0.49, 2.67)},
    "blood_transfusion": {"C5.0": Figures(4.33, 3.33, 19.51, 23.78), "CART": Figures(3.00, 2.00, 21.07, 24.67)},
    "balance_scale": {"C5.0": Figures(31.67, 9.67, 10.13, 25.33), "CART": Figures(21.33, 6.33, 13.33, 22.93)},
    "segment": {"C5.0": Figures(40.33, 12.33, 0.76, 3.17), "CART": Figures(56.00, 14.67, 0.20, 3.82)},
    "pendigits": {"C5.0": Figures(175.00, 14.67, 0.75, 3.68), "CART": Figures(181.67, 13.33, 1.14, 4.14)},
    "spambase": {"C5.0": Figures(62.00, 15.33, 3.88, 7.20), "CART": Figures(37.33, 10.67, 5.40, 8.07)},
    "letter": {"C5.0": Figures(1085.67, 23.67, 3.77, 12.52), "CART": Figures(1426.33, 26.33, 2.60, 12.99)},
    "magic": {"C5.0": Figures(241.67, 19.33, 9.56, 14.70), "CART": Figures(60.33, 12.00, 12.61, 14.68)},
}


def estimator_of(program, seed):
    """Return our counterpart of a real program."""
    return C50Classifier(n_jobs=-1) if program == "C5.0" else CARTClassifier(max_depth=30, random_state=seed, n_jobs=-1)


def one_split(X, y, program, seed):
    """Return (`Figures`, seconds of the fit) for one random split."""
    X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.2, random_state=seed, stratify=y)
    model, seconds, _ = timed(lambda: estimator_of(program, seed).fit(X_train, y_train))
    train, test = (100 * error_rate(model.tree_, *part) for part in ((X_train, y_train), (X_test, y_test)))
    return Figures(model.tree_.n_leaves, model.tree_.depth, train, test), seconds


def cells(name, program, ours, seconds):
    """Return the row of the table."""
    real = REAL[name][program]
    near = abs(ours.leaves / real.leaves - 1) <= LEAVES, abs(ours.test_error - real.test_error) <= TEST_ERROR
    both = [f"{a:.2f} / {b:.2f}" for a, b in zip(ours, real, strict=True)]
    return name, program, *both, f"{seconds:.2f}", ", ".join("near" if yes else "OFF" for yes in near)


def main(arguments=None):
    """Measure the data sets, print the table and write the JSON file."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.c50", description=__doc__.splitlines()[0])
    parser.add_argument("--only", choices=REAL, help="run only this data set")
    parser.add_argument("--splits", type=int, default=SPLITS, help="number of splits (default 3; fewer are faster)")
    options = parser.parse_args(arguments)
    rows, raw = [], {}
    for name in [options.only] if options.only else REAL:
        X, y = rows_of(name, False)
        raw[name] = {}
        for program in ("C5.0", "CART"):
            found = [one_split(X.astype(np.float64), y, program, seed) for seed in range(options.splits)]
            ours = Figures(*np.mean([figures for figures, _ in found], axis=0))
            raw[name][program] = [figures._asdict() | {"seconds": seconds} for figures, seconds in found]
            rows.append(cells(name, program, ours, float(np.mean([seconds for _, seconds in found]))))
            print("  ".join(rows[-1]), file=sys.stderr, flush=True)
    print(heading("C5.0 and CART, ours / real"))
    header = ("set", "program", "leaves", "depth", "train error", "test error", "seconds", "leaves, test error")
    print(table(header, rows, left=(0, 1, 7)))
    print(f"raw numbers: {write_json('c50', raw, options.only)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
