"""Compare TAO with default settings and CART with as many leaves: ``python -m benchmarks.as_many_leaves``.

The data sets are bundled or come with scikit-learn, so that anybody can repeat the run. Each set has 20 stratified
random splits with 25 % test rows. ``TAOClassifier(split)`` or ``TAORegressor(split)`` chooses the size of its tree from
the training rows. Two CART trees have at most as many leaves: "best-first" is scikit-learn's ``max_leaf_nodes``, and
"pruned" is the largest tree of cost-complexity pruning. Errors are test errors (classification) or test RMSE.

Results are stored in benchmarks/results/as_many_leaves.jsonl, and a stopped run continues. The tables of the
documentation are generated from this file. ``--table`` prints them.
"""

import argparse
import warnings
from collections.abc import Sequence

import numpy as np
from scipy.stats import t, wilcoxon
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine
from sklearn.model_selection import train_test_split

import sample_data
from benchmarks import measured
from benchmarks.common import table
from benchmarks.equal_size import Cart, error
from treecore import TAOClassifier, TAORegressor

NAME = "as_many_leaves"
SPLITS = 20
TEST_SHARE = 0.25
KINDS = ("univariate", "bivariate", "oblique")
LOADERS = {
    "breast cancer": load_breast_cancer, "iris": load_iris, "wine": load_wine, "diabetes": load_diabetes,
}  # fmt: skip
CLASSES = ("breast cancer", "digits", "iris", "segment", "wine")
NUMBERS = ("abalone", "airfoil", "diabetes")
HEADER = ["set", "TAO", "leaves", "TAO: error", "CART, best-first", "CART, pruned", "wins", "draws", "losses"]


def load(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Return (X, y) of a set."""
    if name in LOADERS:
        return LOADERS[name](return_X_y=True)
    data = sample_data.load(name)
    return np.asarray(data.X, float), data.labels()


def measure(name: str, kind: str, split: int) -> dict:
    """Return the values of a split: test errors of TAO and of both CART trees, and the number of leaves."""
    X, y = load(name)
    is_numbers = name in NUMBERS
    X, X_test, y, y_test = train_test_split(
        X, y, test_size=TEST_SHARE, random_state=split, stratify=None if is_numbers else y
    )
    if not is_numbers:
        y_test = np.searchsorted(np.unique(y), y_test)
        y = np.unique(y, return_inverse=True)[1]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = (TAORegressor if is_numbers else TAOClassifier)(kind, random_state=0, n_jobs=-1).fit(X, y)
    cart = Cart(X, y, X_test, y_test, is_numbers)
    size = max(2, model.tree_.n_leaves)  # CART has at least two leaves
    return {
        "error": error(model.predict(X_test), y_test, is_numbers),
        "leaves": model.tree_.n_leaves,
        "best-first": cart.errors("best-first", size)[1],
        "pruned": cart.errors("pruned", size)[1],
        "rows": [len(y), len(y_test)],
    }


def summary(found: Sequence[dict], trees: str) -> dict[tuple[str, str], dict]:
    """Return {(set, kind of split): figures}, means over the splits.

    wins, draws, losses : splits with a smaller, equal or larger error than the better CART tree of this split
    better : mean over the splits of the smaller error of both CART trees
    p : of the corrected paired t-test of Nadeau and Bengio (2003) against the best-first tree
    """
    groups: dict[tuple[str, str], list[dict]] = {}
    for line in measured.newest(found, trees):
        groups.setdefault((line["set"], line["method"]), []).append(line)
    result = {}
    for key, own in sorted(groups.items(), key=_place):
        ours, first, pruned = (np.array([line[part] for line in own]) for part in ("error", "best-first", "pruned"))
        better = np.minimum(first, pruned)
        result[key] = {
            "splits": len(own), "error": ours.mean(), "best-first": first.mean(), "pruned": pruned.mean(),
            "better": better.mean(), "leaves": float(np.mean([line["leaves"] for line in own])),
            "wins": int((ours < better).sum()), "draws": int((ours == better).sum()),
            "losses": int((ours > better).sum()), "p": corrected_p(ours - first, own[0]["rows"]),
            "is_old": any(measured.is_old(line, trees) for line in own),
        }  # fmt: skip
    return result


def _place(item):
    (name, kind), _ = item
    return [*CLASSES, *NUMBERS].index(name), KINDS.index(kind)


def corrected_p(differences: np.ndarray, rows: Sequence[int]) -> float:
    """Return *p* of the paired t-test whose variance is corrected for overlapping training rows.

    rows : number of training and test rows
    """
    count = differences.size
    if count < 2 or differences.std() == 0:
        return 1.0
    variance = differences.var(ddof=1) * (1 / count + rows[1] / rows[0])
    return float(2 * t.sf(abs(differences.mean()) / np.sqrt(variance), count - 1))


def over_sets(found: dict[tuple[str, str], dict], kind: str) -> dict:
    """Return figures over the sets: the geometric mean of error ratios with a 95 % interval, and Wilcoxon's *p*.

    Each ratio is the error of TAO divided by the mean error of the better CART tree (Demsar 2006 describes the test).
    """
    own = [one for (_, of), one in found.items() if of == kind]
    logs = np.log([max(one["error"], 1e-9) / max(one["better"], 1e-9) for one in own])
    half = t.ppf(0.975, logs.size - 1) * logs.std(ddof=1) / np.sqrt(logs.size) if logs.size > 1 else np.inf
    return {
        "sets": logs.size,
        "ratio": float(np.exp(logs.mean())),
        "interval": (float(np.exp(logs.mean() - half)), float(np.exp(logs.mean() + half))),
        "p": float(wilcoxon(logs).pvalue) if logs.size > 1 and np.any(logs) else 1.0,
        "wins": int((logs < 0).sum()),
        "losses": int((logs > 0).sum()),
    }


def rows_of(found: dict[tuple[str, str], dict]) -> list[list[str]]:
    """Return the rows of the table with the header `HEADER`."""
    rows = []
    for (name, kind), one in found.items():
        shown = [_shown(one[part], name in NUMBERS) for part in ("error", "best-first", "pruned")]
        mark = measured.MARK if one["is_old"] else ""
        rows.append([name, kind + mark, f"{one['leaves']:.1f}", *shown, *(str(one[part]) for part in HEADER[-3:])])
    return rows


def _shown(value, is_number):
    return f"{value:.3g}" if is_number else f"{100 * value:.1f} %"


def stored() -> tuple[dict[tuple[str, str], dict], str]:
    """Return (`summary` of the stored results, stamp of the trees)."""
    trees = measured.current_trees()
    return summary(measured.lines(NAME), trees), trees


def main() -> None:
    """Measure the missing results, store them and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", nargs="*", default=[*CLASSES, *NUMBERS])
    parser.add_argument("--kinds", nargs="*", default=KINDS, choices=KINDS)
    parser.add_argument("--splits", type=int, default=SPLITS)
    parser.add_argument("--table", action="store_true", help="print the stored results")
    options = parser.parse_args()
    trees = measured.current_trees()
    for name in [] if options.table else options.sets:
        for kind in options.kinds:
            for split in range(options.splits):
                key = {"set": name, "method": kind, "split": split}
                measured.once(NAME, key, lambda key=key: measure(key["set"], key["method"], key["split"]), trees=trees)
            print(name, kind, flush=True)
    found, _ = stored()
    print(table(HEADER, rows_of(found), left=(0, 1)))
    for kind in KINDS:
        if any(of == kind for _, of in found):
            print(kind, over_sets(found, kind))


if __name__ == "__main__":
    main()
