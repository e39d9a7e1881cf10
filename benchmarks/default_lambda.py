"""Calibrate ``lam="auto"``: compare it with the lambda that five folds choose, on public sets.

``python -m benchmarks.default_lambda FILE`` (with TREECORE_DATA) appends one JSON line per set, number of training
rows and split type. A line contains test error and leaves of the default and at each lambda of a grid. It also
contains the error in five folds at each lambda. The program then prints the default relative to the choice of the
folds. The open sets have calibrated the constants `SplitKind.usual_lambda`. "factor" is the multiple of the constant
with the smallest mean error. ``--report`` only prints.

lambda on the grid is a share of the loss of the root: the weight of the rows outside the largest class, or the sum of
squares.
"""

import argparse
import itertools
import json
import warnings
from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris, load_wine, make_classification
from sklearn.model_selection import KFold, StratifiedKFold, train_test_split

from benchmarks.common import benchmark_set
from treecore import TAOClassifier, TAORegressor, regularization_path

SHARES = 2.0 ** -np.arange(1.0, 14.0)
N_FOLDS = 5
MOST_TEST = 5000
LEAST_ERROR = 0.01  # added to errors of classes, so that ratios of very small errors do not decide
SIZES = (500, 2000, 8000)
SPLIT_TYPES = ("univariate", "bivariate", "oblique")
BUNDLED = {"iris": load_iris, "wine": load_wine, "breast cancer": load_breast_cancer, "digits": load_digits,
           "diabetes": load_diabetes}  # fmt: skip
NUMBERS = ("diabetes", "airfoil", "abalone", "cpu_act", "fried")
OPEN = ("balance_scale", "banknote", "connect4", "electricity", "magic", "pendigits", "segment", "wdbc", "iris",
        "digits", "airfoil", "fried", "diabetes", "wide 500", "wide 100")  # fmt: skip
CLOSED = ("blood_transfusion", "covertype_20k", "letter", "shuttle", "spambase", "wine", "breast cancer", "abalone",
          "cpu_act", "wide 250", "noise 50")  # fmt: skip


def load(name):
    """Return (X, y) of a set."""
    if name in BUNDLED:
        return BUNDLED[name](return_X_y=True)
    if name.startswith(("wide", "noise")):
        d = int(name.split()[1])
        return make_classification(4000 + 2 * d, d, n_informative=5, n_redundant=0, n_clusters_per_class=2,
                                   flip_y=0.3 if name.startswith("noise") else 0.05, random_state=d)  # fmt: skip
    data = benchmark_set(name)
    if data.X_test is None:
        return data.X, data.y
    return np.concatenate([data.X, data.X_test]), np.concatenate([data.y, data.y_test])


def root_loss(y, is_number):
    """Return the loss of a single leaf."""
    return float(((y - y.mean()) ** 2).sum()) if is_number else float(y.size - np.bincount(y).max())


def error(tree, X, y, is_number):
    """Return the share of wrong rows, or the mean squared error."""
    found = tree.predict(X)
    return float(((found - y) ** 2).mean()) if is_number else float((found != y).mean())


def divided(name, n, seed=0):
    """Return (X, y, X_test, y_test) of a set, with at most n training rows."""
    X, y = load(name)
    is_number = name in NUMBERS
    y = np.asarray(y, np.float64) if is_number else np.unique(y, return_inverse=True)[1]
    stratify = None if is_number or np.bincount(y).min() < 2 else y
    most = min(n, int(0.7 * y.size))
    X, X_test, y, y_test = train_test_split(X, y, train_size=most, stratify=stratify, random_state=seed)
    return X, y, X_test[:MOST_TEST], y_test[:MOST_TEST]


def default(name, n, split):
    """Return the fields of a record about the default tree."""
    X, y, X_test, y_test = divided(name, n)
    model = (TAORegressor if name in NUMBERS else TAOClassifier)(split, n_jobs=1).fit(X, y)
    return {"lam": model.lam_, "error": error(model.tree_, X_test, y_test, name in NUMBERS),
            "n_leaves": int(model.tree_.n_leaves)}  # fmt: skip


def measure(name, n, split, seed=0):
    """Return the record of one set, number of training rows and split type."""
    X, y, X_test, y_test = divided(name, n, seed)
    is_number = name in NUMBERS
    kind = TAORegressor if is_number else TAOClassifier
    settings = {"split": split, "random_state": seed, "n_jobs": 1}
    root = root_loss(y, is_number)
    lams = [share * root for share in SHARES if is_number or share * root >= 0.5]
    trees = [kind(lam=lam, **settings).fit(X, y).tree_ for lam in lams]
    folds = (KFold if is_number else StratifiedKFold)(N_FOLDS, shuffle=True, random_state=seed)
    in_folds = np.zeros(len(lams))
    for rows, held in folds.split(X, y):
        own = [lam * rows.size / y.size for lam in lams]
        path = regularization_path(kind(**settings), X[rows], y[rows], lams=own)
        of_lam = {point.lam: point.tree for point in path}
        in_folds += [error(of_lam[lam], X[held], y[held], is_number) / N_FOLDS for lam in own]
    return {"set": name, "asked": n, "n": int(y.size), "d": int(X.shape[1]), "split": split, "is_number": is_number,
            "lams": lams, "errors": [error(tree, X_test, y_test, is_number) for tree in trees],
            "leaves": [int(tree.n_leaves) for tree in trees], "folds": in_folds.tolist()}  # fmt: skip


def ratios(record, lam=None):
    """Return (error, leaves) relative to the choice of the folds. lam : lambda on the grid, None for the default."""
    place = int(np.argmin(record["folds"]))
    found, leaves = record["error"], record["n_leaves"]
    if lam is not None:
        x, at = np.log(record["lams"])[::-1], np.log(lam)
        found = float(np.interp(at, x, record["errors"][::-1]))
        leaves = float(np.exp(np.interp(at, x, np.log(record["leaves"])[::-1])))
    room = 0.0 if record["is_number"] else LEAST_ERROR
    return (found + room) / (record["errors"][place] + room), leaves / record["leaves"][place]


def report(records):
    """Print the default relative to the choice of the folds."""
    print("split type, target, sets: runs; error mean and worst; leaves; factor")
    for split in SPLIT_TYPES:
        for is_number in (False, True):
            own = [one for one in records if (one["split"], one["is_number"]) == (split, is_number)]
            parts = {
                name: [one for one in own if (one["set"] in OPEN) == (name == "open")] for name in ("open", "closed")
            }
            for name, part in parts.items():
                if not part:
                    continue
                error_ratios, leaf_ratios = np.array([ratios(one) for one in part]).T
                worst = part[int(error_ratios.argmax())]
                factors = {factor: np.mean([np.log(ratios(one, factor * one["lam"])[0]) for one in part])
                           for factor in 2.0 ** np.arange(-3, 3.5, 0.5)}  # fmt: skip
                print(f"{split}, {'numbers' if is_number else 'classes'}, {name}: {len(part)}; "
                      f"{np.exp(np.log(error_ratios).mean()):.3f}, {error_ratios.max():.2f} ({worst['set']}, "
                      f"{worst['n']} rows); {np.exp(np.log(leaf_ratios).mean()):.2f}; "
                      f"{min(factors, key=factors.__getitem__):.2g}")  # fmt: skip


def main():
    """Measure the sets that the file does not contain, and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--sets", nargs="+", default=[*OPEN, *CLOSED])
    parser.add_argument("--splits", nargs="+", choices=SPLIT_TYPES, default=SPLIT_TYPES)
    parser.add_argument("--report", action="store_true")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    records = [json.loads(line) for line in options.file.read_text().splitlines()] if options.file.exists() else []
    done = {(one["set"], one["asked"], one["split"]) for one in records}
    for n, split, name in itertools.product(options.sizes, options.splits, options.sets):
        is_small = n > min(options.sizes) and 0.7 * load(name)[1].size < n / 2  # a smaller size has all of its rows
        if options.report or is_small or (name, n, split) in done:
            continue
        records.append(measure(name, n, split) | default(name, n, split))
        with options.file.open("a") as file:
            file.write(json.dumps(records[-1]) + "\n")
        print(name, n, split, flush=True)
    report(records)


if __name__ == "__main__":
    main()
