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

The means over the splits are stored in benchmarks/equal_size.json with the versions and settings, and the tables of the
documentation are generated from it. ``--table`` prints them. The sets of `CLOSED` were not used while `size_path` was
developed.
"""

import argparse
import json
import time
import warnings
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from sklearn.datasets import load_diabetes
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import sample_data
from benchmarks.common import benchmark_set, environment, table, write_json
from treecore import C50Classifier, OptimalTreeClassifier, TAOClassifier, TAORegressor, regularization_path, size_path
from treecore.training.cost_complexity import weakest_links

SIZES = (4, 8, 16, 32)
_KEYS = ("4", "8", "16", "32")  # as JSON has them
ROWS = 3000
CLASSES = (
    "balance_scale", "digits", "electricity", "letter", "magic", "pendigits", "segment", "spambase", "wdbc",
    "banknote", "connect4", "covertype_20k",
)  # fmt: skip
CLOSED = ("banknote", "connect4", "covertype_20k")
NUMBERS = ("abalone", "airfoil", "cpu_act", "diabetes", "fried")
SPLITS = ("univariate", "bivariate", "oblique")
RULES = ("pruned", "rpart", "best-first")
BASE = "CART, pruned"
STORE = Path(__file__).parent / "equal_size.json"
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
    for rule in RULES:
        record["cart"][rule] = {size: cart.errors(rule, size) for size in SIZES}
    for kind in SPLITS:
        estimator = (TAORegressor if is_numbers else TAOClassifier)(kind, random_state=0, n_jobs=-1)
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


def aggregated(records):
    """Return {set: figures}, means over its splits.

    errors : {method: test errors at `SIZES`, or None}; beside : {kind: errors of CART with as many thresholds as the
    trees of this kind have numbers}; best : errors of the kind with the smallest test error; above, cases : number of
    trees whose training loss is above that of CART, and of all trees; times : {kind: CPU time as a multiple of a path
    of 30 lambdas}.
    """
    found = {}
    for name in dict.fromkeys(one["set"] for one in records):
        own = [one for one in records if one["set"] == name]
        errors = {f"CART, {rule}": _means([one["cart"][rule][s][1] for s in _KEYS] for one in own) for rule in RULES}
        errors |= {kind: _means([one["tao"][kind][s][1] for s in _KEYS] for one in own) for kind in SPLITS}
        for other in {key for one in own for key in one["others"]}:
            errors[other] = _means([one["others"][other].get(s) for s in _KEYS] for one in own)
        above = sum(
            one["tao"][kind][size][0] > min(rule[size][0] for rule in one["cart"].values()) * (1 + 1e-9)
            for one in own for kind in SPLITS for size in _KEYS
        )  # fmt: skip
        found[name] = {
            "splits": len(own),
            "errors": errors,
            "beside": {kind: _means([one["tao"][kind][s][4] for s in _KEYS] for one in own) for kind in SPLITS},
            "best": _means([min(one["tao"][kind][s][1] for kind in SPLITS) for s in _KEYS] for one in own),
            "above": above,
            "cases": len(own) * len(SPLITS) * len(SIZES),
            "times": {
                kind: [one["seconds"][kind]["sizes"] / one["seconds"][kind]["lambdas"]
                       for one in own if "lambdas" in one["seconds"][kind]] for kind in SPLITS
            },
        }  # fmt: skip
    return found


def _means(rows):
    """Return the mean of each column over the rows, None for a column with a missing value."""
    return [None if None in column else float(np.mean(column)) for column in zip(*rows, strict=True)]


def relative(figures, errors):
    """Return errors relative to CART pruned by cost-complexity, at `SIZES`."""
    base = figures["errors"][BASE]
    return [None if one is None else one / max(own, 1e-9) for one, own in zip(errors, base, strict=True)]


def groups(sets):
    """Return {title: names of the sets}."""
    found = {
        "classes": [name for name in CLASSES if name in sets and name not in CLOSED],
        "classes, closed sets": [name for name in CLOSED if name in sets],
        "numbers": [name for name in NUMBERS if name in sets],
    }
    return {title: names for title, names in found.items() if names}


def relative_rows(sets, names):
    """Return rows of a table: method, mean relative errors at `SIZES`, their mean, worst, relative error by numbers."""
    rows = []
    methods = [*SPLITS, "best type", *(f"CART, {rule}" for rule in RULES[1:]), "C5.0", "optimal"]
    for method in methods:
        values = {
            name: relative(sets[name], sets[name]["best"] if method == "best type" else sets[name]["errors"][method])
            for name in names if method == "best type" or method in sets[name]["errors"]
        }  # fmt: skip
        known = {
            size: [(one[at], name, size) for name, one in values.items() if one[at] is not None]
            for at, size in enumerate(SIZES)
        }
        if not any(known.values()):
            continue
        means = [float(np.mean([one[0] for one in found])) if found else None for found in known.values()]
        worst = max(one for found in known.values() for one in found)
        by_numbers = ""
        if method in SPLITS:
            ratios = [
                own / max(other, 1e-9)
                for name in names
                for own, other in zip(sets[name]["errors"][method], sets[name]["beside"][method], strict=True)
            ]
            by_numbers = f"{np.mean(np.minimum(ratios, 10.0)):.2f}"
        shown = [
            ""
            if mean is None
            else f"{mean:.2f}" + (f" ({len(one)} of {len(names)} sets)" if len(one) < len(names) else "")
            for mean, one in zip(means, known.values(), strict=True)
        ]
        whole = "" if None in means else f"{np.mean(means):.3f}"
        rows.append([method, *shown, whole, f"{worst[0]:.2f} ({worst[1]}, {worst[2]})", by_numbers])
    return rows


HEADER = ["", *(f"{size} leaves" for size in SIZES), "mean", "worst", "by numbers"]


def summary(sets):
    """Return the tables: errors relative to CART by kind of tree and size, then the same by numbers."""
    parts = []
    for title, names in groups(sets).items():
        own = [sets[name] for name in names]
        above, cases = (sum(one[key] for one in own) for key in ("above", "cases"))
        times = {kind: [ratio for one in own for ratio in one["times"][kind]] for kind in SPLITS}
        shown = ", ".join(f"{kind} {np.median(ratios):.1f}" for kind, ratios in times.items() if ratios)
        splits = sorted({one["splits"] for one in own})
        parts.append(
            f"{title}: {len(names)} sets ({', '.join(names)}), {splits[0]} to {splits[-1]} splits\n"
            f"{table(HEADER, relative_rows(sets, names))}\ntraining loss above CART's: {above} of {cases}; CPU time as "
            f"a multiple of a path of 30 lambdas (median): {shown}"
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
    parser.add_argument("--table", action="store_true", help="print the tables of the stored results")
    parser.add_argument("--no-path", action="store_true", help="do not time the path over lambda")
    parser.add_argument("--first", type=int, default=0, help="first split")
    chosen = parser.parse_args()
    if not chosen.table:
        records = []
        for seed in range(chosen.first, chosen.first + chosen.splits):
            for name in chosen.sets:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    records.append(measured(name, seed, not chosen.no_path and seed == 0))
                print(name, seed, *(f"{kind} {ratios}" for kind, ratios in _short(records[-1])), flush=True)
            write_json("equal_size", {"records": records}, f"from-{chosen.first}" if chosen.first else None)
        store(records)
    found = stored()
    versions = ", ".join(f"{name} {version}" for name, version in found["environment"].items())
    print(f"Trees of equal size: {versions}", end="\n\n")
    print(summary(found["sets"]))


def stored():
    """Return the content of `STORE`."""
    return json.loads(STORE.read_text(encoding="utf-8"))


def store(records):
    """Write `STORE`, which is a part of the project."""
    e = environment()
    kept = {name: e[name] for name in ("engine", "numpy", "numba", "sklearn", "cpus")}
    sets = aggregated(json.loads(json.dumps(records)))
    content = {"environment": kept, "rows": ROWS, "sizes": SIZES, "sets": sets}
    STORE.write_text(json.dumps(rounded(content), indent=1) + "\n", encoding="utf-8")


def rounded(value):
    """Round the numbers of a JSON value to four digits."""
    if isinstance(value, float):
        return float(f"{value:.4g}")
    if isinstance(value, dict):
        return {key: rounded(one) for key, one in value.items()}
    return [rounded(one) for one in value] if isinstance(value, list | tuple) else value


if __name__ == "__main__":
    main()
