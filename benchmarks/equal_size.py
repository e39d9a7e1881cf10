"""Compare trees with at most 4, 8, 16 and 32 leaves: ``python -m benchmarks.equal_size [--sets NAME ...]``.

Each set has several random splits, with 75 % training rows, at most `ROWS` of them. The trees of `size_path` with
univariate, bivariate and oblique splits are compared with CART of the same number of leaves. CART is pruned by cost-
complexity, of the impurity or of the training error (as in rpart), or grown best-first. C5.0 has no size; its error at
a size is that of its largest tree that is small enough, over a range of confidence levels. Optimal trees of depth 2
and 3 have up to 4 and 8 leaves. All run in the same process on the same rows. Errors are test errors (classification)
or test RMSE, relative to CART pruned by cost-complexity.

The trees are also compared by their thresholds and weights. A univariate split has one threshold. A split on several
features has a weight for each of them, and the threshold only fixes their scale. A tree with p of these numbers is
compared with CART with p + 1 leaves.

The results are stored in benchmarks/results/equal_size.json, with the versions and settings. ``--table`` prints the
table from this file. The sets of `CLOSED` were not used while `size_path` was developed.
"""

import argparse
import json
import time
import warnings
from importlib.util import find_spec

import numpy as np
from sklearn.datasets import load_diabetes
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import sample_data
from benchmarks.common import RESULTS, benchmark_set, heading, table, write_json
from treecore import C50Classifier, OptimalTreeClassifier, TAOClassifier, TAORegressor, regularization_path, size_path
from treecore.training.cost_complexity import weakest_links

SIZES = (4, 8, 16, 32)
ROWS = 3000
CLASSES = (
    "balance_scale", "digits", "electricity", "letter", "magic", "pendigits", "segment", "spambase", "wdbc",
    "banknote", "connect4", "covertype_20k",
)  # fmt: skip
CLOSED = ("banknote", "connect4", "covertype_20k")
NUMBERS = ("abalone", "airfoil", "cpu_act", "diabetes", "fried")
SPLITS = ("univariate", "bivariate", "oblique")
CONFIDENCES = (0.001, 0.01, 0.05, 0.25, 0.75)


def load(name):
    """Return (X, y) of a set."""
    if name == "diabetes":
        return load_diabetes(return_X_y=True)
    if name in ("digits", "segment", "abalone", "airfoil"):
        data = sample_data.load(name)
        return data.X, data.labels()
    found = benchmark_set(name)
    if found.X_test is None:
        return found.X, found.y
    return np.concatenate([found.X, found.X_test]), np.concatenate([found.y, found.y_test])


def split(name, seed):
    """Return the training and test rows of a random split."""
    X, y = load(name)
    X, is_numbers = np.asarray(X, float), name in NUMBERS
    y = np.asarray(y, float) if is_numbers else np.unique(y, return_inverse=True)[1]
    kept = np.random.default_rng(seed).permutation(len(y))[: ROWS * 4 // 3]
    X, y = X[kept], y[kept]
    return train_test_split(X, y, test_size=0.25, random_state=seed, stratify=None if is_numbers else y)


def error(predicted, y, is_numbers):
    """Return the share of wrong predictions, or the root mean squared error."""
    return float(np.sqrt(np.mean((predicted - y) ** 2)) if is_numbers else np.mean(predicted != y))


class Cart:
    """CART of any size by three rules: "pruned" by impurity, "rpart" by the training error, and "best-first"."""

    def __init__(self, X, y, X_test, y_test, is_numbers):
        self.kind = DecisionTreeRegressor if is_numbers else DecisionTreeClassifier
        self.rows, self.is_numbers = (X, y, X_test, y_test), is_numbers
        grown = self.kind(random_state=0).fit(X, y)
        self.grown = grown.tree_
        self.paths = [np.asarray(grown.decision_path(rows).todense()) for rows in (X, X_test)]
        values = self.grown.value[:, 0]
        self.outputs = values[:, 0] if is_numbers else values.argmax(axis=1)
        weights = self.grown.weighted_n_node_samples
        impurity = self.grown.impurity * weights
        wrong = impurity if is_numbers else weights * (1.0 - values.max(axis=1) / values.sum(axis=1))
        left, right = self.grown.children_left, self.grown.children_right
        self.sequences = {"pruned": weakest_links(left, right, impurity), "rpart": weakest_links(left, right, wrong)}

    def errors(self, rule, size):
        """Return (training error, test error, leaves) of the largest tree with at most `size` leaves."""
        X, y, X_test, y_test = self.rows
        if rule == "best-first":
            model = self.kind(random_state=0, max_leaf_nodes=size).fit(X, y)
            found = [error(model.predict(one), target, self.is_numbers) for one, target in ((X, y), (X_test, y_test))]
            return *found, int(model.get_n_leaves())
        is_end = self.grown.children_left < 0
        for subtree in self.sequences[rule]:
            is_end[subtree.collapsed] = True
            if subtree.n_leaves <= size:
                break
        found = []
        for path, target in zip(self.paths, (y, y_test), strict=True):
            at = (path & is_end).argmax(axis=1)  # parents come before their children
            found.append(error(self.outputs[at], target, self.is_numbers))
        return *found, subtree.n_leaves


def at_most(trees, size):
    """Return the figures of the largest tree with at most `size` leaves, given (leaves, figures)."""
    fitting = [one for one in trees if one[0] <= size]
    return max(fitting, key=lambda one: one[0])[1] if fitting else None


def numbers_of(tree):
    """Return the number of thresholds and weights of a tree, as described above."""
    return int(tree.features.size)


def measured(name, seed, with_path):
    """Return the record of one set and split."""
    X, X_test, y, y_test = split(name, seed)
    is_numbers = name in NUMBERS
    cart = Cart(X, y, X_test, y_test, is_numbers)
    record = {"set": name, "seed": seed, "cart": {}, "tao": {}, "seconds": {}, "others": {}}
    for rule in ("pruned", "rpart", "best-first"):
        record["cart"][rule] = {size: cart.errors(rule, size) for size in SIZES}
    for kind in SPLITS:
        estimator = (TAORegressor if is_numbers else TAOClassifier)(kind, random_state=0)
        began, first = time.process_time(), []
        path = size_path(estimator, X, y, on_point=lambda _, first=first: first.append(time.process_time()) or False)
        seconds = {"sizes": time.process_time() - began, "first": first[0] - began}
        if with_path:
            began = time.process_time()
            regularization_path(estimator, X, y, lams=30)
            seconds["lambdas"] = time.process_time() - began
        record["seconds"][kind] = seconds
        record["lacking"] = [point.size for point in path if point.n_leaves < point.size]
        record["tao"][kind] = {}
        for size in SIZES:
            point = next(point for point in path if point.size == size)
            fitted = error(point.tree.predict(X), y, is_numbers), error(point.tree.predict(X_test), y_test, is_numbers)
            beside = cart.errors("pruned", numbers_of(point.tree) + 1)[1]
            record["tao"][kind][size] = (*fitted, point.n_leaves, numbers_of(point.tree), beside)
    if not is_numbers:
        found = []
        for confidence in CONFIDENCES:
            model = C50Classifier(confidence=confidence).fit(X, y)
            found.append((model.tree_.n_leaves, error(model.predict(X_test), y_test, False)))
        record["others"]["C5.0"] = {size: at_most(found, size) for size in SIZES}
        if find_spec("pystreed") is not None:
            record["others"]["optimal"] = {}
            for depth in (2, 3):
                model = OptimalTreeClassifier(max_depth=depth).fit(X, y)
                record["others"]["optimal"][2**depth] = error(model.predict(X_test), y_test, False)
    return record


def summary(records):
    """Return the lines of the table: relative errors by kind of tree and size, then the same by numbers."""
    groups = {
        "classes": [one for one in records if one["set"] in CLASSES and one["set"] not in CLOSED],
        "classes, closed sets": [one for one in records if one["set"] in CLOSED],
        "numbers": [one for one in records if one["set"] in NUMBERS],
    }
    parts = []
    for group, found in groups.items():
        if not found:
            continue
        rows = []
        for kind in (*SPLITS, "best type"):
            relative, by_numbers = [], []
            for size in map(str, SIZES):
                values, beside = {}, []
                for one in found:
                    kinds = SPLITS if kind == "best type" else (kind,)
                    base = max(one["cart"]["pruned"][size][1], 1e-9)
                    best = min((one["tao"][k][size] for k in kinds), key=lambda figures: figures[1])
                    values.setdefault(one["set"], []).append(best[1] / base)
                    beside.append(best[1] / max(best[4], 1e-9))
                relative.append({name: float(np.mean(ratios)) for name, ratios in values.items()})
                by_numbers.append(float(np.mean(np.minimum(beside, 10.0))))
            means = [np.mean(list(one.values())) for one in relative]
            worst = max(
                (ratio, name, size) for size, one in zip(SIZES, relative, strict=True) for name, ratio in one.items()
            )
            rows.append([
                kind, *(f"{mean:.2f}" for mean in means), f"{np.mean(means):.3f}",
                f"{worst[0]:.2f} ({worst[1]}, {worst[2]})", f"{np.mean(by_numbers):.2f}",
            ])  # fmt: skip
        for name in ("rpart", "best-first"):
            means = [
                np.mean([one["cart"][name][size][1] / max(one["cart"]["pruned"][size][1], 1e-9) for one in found])
                for size in map(str, SIZES)
            ]
            rows.append([f"CART, {name}", *(f"{mean:.2f}" for mean in means), f"{np.mean(means):.3f}", "", ""])
        names = sorted({one["set"] for one in found})
        header = ["", *(f"{size} leaves" for size in SIZES), "mean", "worst", "by numbers"]
        above = sum(
            one["tao"][kind][size][0] > min(rule[size][0] for rule in one["cart"].values()) * (1 + 1e-9)
            for one in found for kind in SPLITS for size in map(str, SIZES)
        )  # fmt: skip
        times = {
            kind: np.median([
                one["seconds"][kind]["sizes"] / one["seconds"][kind]["lambdas"]
                for one in found if "lambdas" in one["seconds"][kind]
            ] or [np.nan]) for kind in SPLITS
        }  # fmt: skip
        parts.append(
            f"{group}: {len(names)} sets ({', '.join(names)})\n{table(header, rows)}\n"
            f"training loss above CART's: {above} of {len(found) * len(SPLITS) * len(SIZES)}; CPU time as a multiple "
            f"of a path of 30 lambdas (median): " + ", ".join(f"{kind} {ratio:.1f}" for kind, ratio in times.items())
        )
    return "\n\n".join(parts)


def _short(record):
    """Yield the errors of each kind of tree relative to CART."""
    for kind, found in record["tao"].items():
        base = record["cart"]["pruned"]
        yield kind, "/".join(f"{found[size][1] / max(base[size][1], 1e-9):.2f}" for size in SIZES)


def main():
    """Measure, store and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", nargs="*", default=[*CLASSES, *NUMBERS])
    parser.add_argument("--splits", type=int, default=10)
    parser.add_argument("--table", action="store_true", help="print the table of the stored results")
    parser.add_argument("--no-path", action="store_true", help="do not time the path over lambda")
    chosen = parser.parse_args()
    file = RESULTS / "equal_size.json"
    if not chosen.table:
        records = []
        for seed in range(chosen.splits):
            for name in chosen.sets:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    records.append(measured(name, seed, not chosen.no_path and seed == 0))
                print(name, seed, *(f"{kind} {ratios}" for kind, ratios in _short(records[-1])), flush=True)
            write_json("equal_size", {"rows": ROWS, "sizes": SIZES, "records": records})
    print(heading("Trees of equal size"), end="\n\n")
    print(summary(json.loads(file.read_text(encoding="utf-8"))["records"]))


if __name__ == "__main__":
    main()
