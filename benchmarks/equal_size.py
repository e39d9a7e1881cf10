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

Each result is stored in benchmarks/results/equal_size.jsonl, and a stopped run continues. The tables of the
documentation are generated from this file, and mark old results (`benchmarks.measured`). ``--table`` prints
them. The sets of `CLOSED` were not used while `size_path` was developed.
"""

import argparse
import time
import warnings
from collections.abc import Iterable, Mapping
from importlib.util import find_spec

import numpy as np
from sklearn.datasets import load_diabetes
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import sample_data
from benchmarks import measured
from benchmarks.common import benchmark_set, table
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
RULES = ("pruned", "rpart", "best-first")
BASE = "CART, pruned"
NAME = "equal_size"
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


def methods_of(name):
    """Return the names of the methods that support a set."""
    others = [] if name in NUMBERS else ["C5.0"] + (["optimal"] if find_spec("pystreed") is not None else [])
    return [*(f"CART, {rule}" for rule in RULES), *SPLITS, *others]


def measure(name, method, seed, with_path):
    """Return the values of a method on one split of a set, with lists of one value for each of `SIZES`.

    errors, base : test errors of the method and of CART pruned by cost-complexity, None without a tree of this size;
    train, base_train : training errors of the method, and the smallest one of the CART trees; beside : test errors of
    CART with as many thresholds as the trees have numbers; seconds : CPU time
    """
    X, X_test, y, y_test = split(name, seed)
    is_numbers = name in NUMBERS
    cart = Cart(X, y, X_test, y_test, is_numbers)
    values = {"base": [cart.errors("pruned", size)[1] for size in SIZES]}
    if method in SPLITS:
        return values | _sizes(X, X_test, y, y_test, method, is_numbers, cart, with_path)
    if method == "C5.0":
        found = []
        for confidence in CONFIDENCES:
            model = C50Classifier(confidence=confidence).fit(X, y)
            found.append((model.tree_.n_leaves, error(model.predict(X_test), y_test, False)))
        return values | {"errors": [at_most(found, size) for size in SIZES]}
    if method == "optimal":
        models = [OptimalTreeClassifier(max_depth=depth).fit(X, y) for depth in (2, 3)]
        errors = {2**model.max_depth: error(model.predict(X_test), y_test, False) for model in models}
        return values | {"errors": [errors.get(size) for size in SIZES]}
    found = [cart.errors(method.removeprefix("CART, "), size) for size in SIZES]
    return values | {"train": [one[0] for one in found], "errors": [one[1] for one in found]}


def _sizes(X, X_test, y, y_test, kind, is_numbers, cart, with_path):
    estimator = (TAORegressor if is_numbers else TAOClassifier)(kind, random_state=0, n_jobs=-1)
    began, first = time.process_time(), []
    path = size_path(estimator, X, y, on_point=lambda _: first.append(time.process_time()) or False)
    seconds = {"sizes": time.process_time() - began, "first": first[0] - began}
    if with_path:
        began = time.process_time()
        regularization_path(estimator, X, y, lams=30)
        seconds["lambdas"] = time.process_time() - began
    trees = [next(point for point in path if point.size == size).tree for size in SIZES]
    return {
        "train": [error(tree.predict(X), y, is_numbers) for tree in trees],
        "base_train": [min(cart.errors(rule, size)[0] for rule in RULES) for size in SIZES],
        "errors": [error(tree.predict(X_test), y_test, is_numbers) for tree in trees],
        "leaves": [tree.n_leaves for tree in trees],
        "numbers": [numbers_of(tree) for tree in trees],
        "beside": [cart.errors("pruned", numbers_of(tree) + 1)[1] for tree in trees],
        "seconds": seconds,
    }


def aggregated(found: Iterable[Mapping], trees: str) -> dict[str, dict]:
    """Return {set: {method: means over its splits}}, each method in a single version.

    errors, base, beside : means of the values of `measure`; splits : number of splits; is_old : whether the values are
    out of date; above, cases : number of trees whose training loss is above that of CART, and of all trees; times : CPU
    times as multiples of a path of 30 lambdas. "best type" has the smallest test error of the three kinds of splits.
    """
    groups: dict[str, dict[str, list]] = {}
    for line in measured.newest(found, trees):
        groups.setdefault(line["set"], {}).setdefault(line["method"], []).append(line)
    for own in groups.values():
        kinds = [{line["split"]: line for line in own.get(kind, []) if line["split"] is not None} for kind in SPLITS]
        common = sorted(set.intersection(*map(set, kinds)))
        versions = {of[split]["trees"] for of in kinds for split in common}
        if common and versions == {trees}:
            own["best type"] = [
                kinds[0][split] | {"errors": np.min([of[split]["errors"] for of in kinds], axis=0).tolist()}
                for split in common
            ]
    names = [name for name in (*CLASSES, *NUMBERS) if name in groups]
    return {name: {method: _figures(own, trees) for method, own in groups[name].items()} for name in names}


def _figures(own, trees):
    """Return the figures of the lines of a set and a method. A line with the mean of splits has their number."""
    cases = [(a, b) for line in own for a, b in zip(line.get("train", ()), line.get("base_train", ()), strict=False)]
    seconds = [line["seconds"] for line in own if "lambdas" in line.get("seconds", ())]
    return {
        "splits": sum(line.get("splits", 1) for line in own),
        "is_old": any(measured.is_old(line, trees) for line in own),
        "errors": _means(line["errors"] for line in own),
        "base": _means(line["base"] for line in own),
        "beside": _means(line["beside"] for line in own) if "beside" in own[0] else None,
        "above": sum(a > b * (1 + 1e-6) for a, b in cases),  # the store has six digits
        "cases": len(cases),
        "times": [one["sizes"] / one["lambdas"] for one in seconds],
    }


def _means(rows):
    """Return the mean of each column over the rows, None for a column with a missing value."""
    return [None if None in column else float(np.mean(column)) for column in zip(*rows, strict=True)]


def relative(figures):
    """Return errors relative to CART pruned by cost-complexity on the same splits, at `SIZES`."""
    pairs = zip(figures["errors"], figures["base"], strict=True)
    return [None if own is None else own / max(base, 1e-9) for own, base in pairs]


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
        own = {name: sets[name][method] for name in names if method in sets[name]}
        known = [
            [(relative(one)[at], name, size) for name, one in own.items() if one["errors"][at] is not None]
            for at, size in enumerate(SIZES)
        ]
        if not any(known):
            continue
        means = [float(np.mean([one[0] for one in found])) if found else None for found in known]
        worst = max(one for found in known for one in found)
        by_numbers = ""
        if method in SPLITS:
            ratios = [
                error / max(other, 1e-9)
                for one in own.values()
                for error, other in zip(one["errors"], one["beside"], strict=True)
            ]
            by_numbers = f"{np.mean(np.minimum(ratios, 10.0)):.2f}"
        shown = [
            ""
            if mean is None
            else f"{mean:.2f}" + (f" ({len(one)} of {len(names)} sets)" if len(one) < len(names) else "")
            for mean, one in zip(means, known, strict=True)
        ]
        whole = "" if None in means else f"{np.mean(means):.3f}"
        mark = measured.MARK if any(one["is_old"] for one in own.values()) else ""
        rows.append([method + mark, *shown, whole, f"{worst[0]:.2f} ({worst[1]}, {worst[2]})", by_numbers])
    return rows


HEADER = ["", *(f"{size} leaves" for size in SIZES), "mean", "worst", "by numbers"]


def summary(sets):
    """Return the tables: errors relative to CART by kind of tree and size, then the same by numbers."""
    parts = []
    for title, names in groups(sets).items():
        own = [sets[name][kind] for name in names for kind in SPLITS if kind in sets[name]]
        above, cases = (sum(one[key] for one in own) for key in ("above", "cases"))
        times = {kind: [x for name in names for x in sets[name].get(kind, {"times": []})["times"]] for kind in SPLITS}
        shown = ", ".join(f"{kind} {np.median(ratios):.1f}" for kind, ratios in times.items() if ratios)
        parts.append(
            f"{title}: {len(names)} sets ({', '.join(names)}), {splits_of(own)} splits\n"
            f"{table(HEADER, relative_rows(sets, names))}\ntraining loss above CART's: {above} of {cases}; CPU time as "
            f"a multiple of a path of 30 lambdas (median): {shown}"
        )
    return "\n\n".join(parts)


def splits_of(figures):
    """Return the number of splits as text, such as "3" or "3 to 10"."""
    counts = sorted({one["splits"] for one in figures})
    return f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"


def main():
    """Measure the missing results, store them and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", nargs="*", default=[*CLASSES, *NUMBERS])
    parser.add_argument("--methods", nargs="*", help="default: all that support a set")
    parser.add_argument("--splits", type=int, default=10)
    parser.add_argument("--table", action="store_true", help="print the tables of the stored results")
    parser.add_argument("--no-path", action="store_true", help="do not time the path over lambda")
    chosen = parser.parse_args()
    for seed in range(0 if chosen.table else chosen.splits):
        for name in chosen.sets:
            for method in methods_of(name):
                if not chosen.methods or method in chosen.methods:
                    _measure_once(name, method, seed, not chosen.no_path and seed == 0)
    print(summary(stored()))
    print(measured.NOTE)


def _measure_once(name, method, seed, with_path):
    """Measure and store a result unless it is stored, and print it."""

    def work():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return measure(name, method, seed, with_path)

    trees = None if method.startswith("CART") else measured.current_trees()
    line, is_new = measured.once(NAME, {"set": name, "method": method, "split": seed}, work, trees=trees)
    if is_new:
        print(name, seed, method, relative(line), flush=True)


def stored():
    """Return the stored results, as `aggregated` returns them."""
    return aggregated(measured.lines(NAME), measured.current_trees())


if __name__ == "__main__":
    main()
