"""Compare bivariate trees chosen by cross-validation with pruned CART: ``python -m benchmarks.bivariate_choice``.

The protocol is the same for all methods: several random splits with 20 % test rows, which affect no choice. CART is
pruned by cost-complexity with 10 folds: once with the 1-SE rule, as rpart does, and once at the minimum of the
cross-validated error. TAO uses C = 1.25 and starts from CART and from bivariate CART. Its λ and its initial tree are
chosen by 5-fold cross-validation on the training rows: the smallest mean error, or the fewest leaves within one
standard error of it. One `TAOClassifierCV` runs for each initial tree, and the better result counts. The chosen tree is
trained again on all training rows.

The data sets are those of Kairgeldin and Carreira-Perpiñán 2024, and other sets that were not used to design these
rules. The differences and p-values come from the corrected paired test of Nadeau and Bengio 2003, against both CART
trees.
Node counts include the leaves. Finished results are stored (`benchmarks.reproduction.store`), and the same command
continues a stopped run.
"""

import argparse
import sys
from typing import NamedTuple

import numpy as np
from sklearn.model_selection import train_test_split

from benchmarks.bivariate import rows_of
from benchmarks.bivariate_quality import PAPER
from benchmarks.common import heading, markdown, write_json
from benchmarks.reproduction.store import Store
from treecore import TAOClassifier, TAOClassifierCV, TAORegressor, TAORegressorCV
from treecore.baselines.cart import CARTClassifier, CARTRegressor
from treecore.comparison.significance import corrected_paired_test
from treecore.comparison.tables import p_text
from treecore.training.cross_validated import RULES, chosen
from treecore.tree.metrics import error_rate, root_mean_squared_error

STARTS = ("cart", "bivariate_cart")
COST = 1.25
FOLDS = 5
TEST_SHARE = 0.2
LEVEL = 0.05
BASELINES = ("cart", "cart_min")


class Plan(NamedTuple):
    """Number of random splits, number of λ values, and the paper's results: test error (% or RMSE) and nodes."""

    splits: int
    n_lambdas: int
    error: float | None = None
    nodes: int | None = None
    is_regression: bool = False


def _of_paper(name, splits, n_lambdas):
    goal = PAPER[name]
    error = goal.figure if goal.is_regression else 100 - goal.figure
    return Plan(splits, n_lambdas, error, goal.nodes, goal.is_regression)


PLANS = {
    "wdbc": _of_paper("wdbc", 10, 20),
    "segment": _of_paper("segment", 10, 20),
    "spambase": _of_paper("spambase", 5, 12),
    "letter": _of_paper("letter", 4, 12),
    "electricity": _of_paper("electricity", 4, 10),
    "airfoil": _of_paper("airfoil", 5, 16),
    "abalone": _of_paper("abalone", 5, 12),
    "cpu_act": _of_paper("cpu_act", 4, 10),
    "banknote": Plan(10, 20),
    "balance_scale": Plan(10, 20),
    "blood_transfusion": Plan(10, 20),
    "pendigits": Plan(5, 12),
    "magic": Plan(4, 10),
    "covertype_20k": Plan(4, 10),
    "shuttle": Plan(4, 10),
}


class Split(NamedTuple):
    """Rows of one random split."""

    X: np.ndarray
    y: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray


class Result(NamedTuple):
    """Test error (% or RMSE) and nodes of the tree that a method chose on one split."""

    error: float
    nodes: int


def split_of(name, number):
    """Return the `Split` of a data set with the random seed `number`."""
    X, y = rows_of(name, False)
    groups = None if PLANS[name].is_regression else y
    X, X_test, y, y_test = train_test_split(X, y, test_size=TEST_SHARE, stratify=groups, random_state=number)
    return Split(X, y, X_test, y_test)


def cart(split, plan, seed, rule):
    """Return [test error, nodes] of CART, pruned at the minimum of its cross-validated error or by the 1-SE rule."""
    kind = CARTRegressor if plan.is_regression else CARTClassifier
    tree = kind(cv=10, rule=rule, n_jobs=1, random_state=seed).fit(split.X, split.y).tree_
    return [_error(tree, split, plan), tree.n_nodes]


def along(start, split, plan, seed):
    """Return a dict of lists with one entry per λ.

    "mean", "spread" and "leaves" are measured on the folds. "error" (on the test rows, which affect no choice) and
    "nodes" describe the trees trained on all training rows.
    """
    tree, kind = (TAORegressor, TAORegressorCV) if plan.is_regression else (TAOClassifier, TAOClassifierCV)
    base = tree(split="bivariate", init=start, bivariate_cost=COST, n_jobs=1, random_state=seed)
    found = kind(base, plan.n_lambdas, cv=FOLDS).fit(split.X, split.y)
    of_folds = found.cv_results_
    return {
        "mean": of_folds["mean_error"],
        "spread": of_folds["standard_error"],
        "leaves": of_folds["mean_n_leaves"],
        "error": [_error(point.tree, split, plan) for point in found.path_],
        "nodes": [point.tree.n_nodes for point in found.path_],
    }


def _error(tree, split, plan):
    return (
        root_mean_squared_error(tree, split.X_test, split.y_test)
        if plan.is_regression
        else 100 * error_rate(tree, split.X_test, split.y_test)
    )


def pick(paths, rule):
    """Return the `Result` that a rule chooses from the paths (see `along`) of all initial trees."""
    of = {key: np.concatenate([path[key] for path in paths]) for key in paths[0]}
    at = chosen(of["mean"], of["spread"], of["leaves"], rule)
    return Result(float(of["error"][at]), int(of["nodes"][at]))


def oracle(paths):
    """Return the `Result` of the tree with the smallest test error, which no fair choice can beat."""
    return min(Result(*one) for path in paths for one in zip(path["error"], path["nodes"], strict=True))


def pieces(name, number, starts):
    """Return ({rule: `Result` of CART}, paths of the initial trees) for one split. Stored results are reused."""
    plan, here = PLANS[name], {}
    store = Store(f"bivariate-choice-{name}", f"{COST} {FOLDS} {TEST_SHARE} {plan.n_lambdas}")

    def piece(key, work):
        def done():
            here["split"] = here["split"] if here else split_of(name, number)
            print(f"  {name}, split {number}, {key}", file=sys.stderr, flush=True)
            return work(here["split"])

        return store.once(f"{number} {key}", done)

    keys = {"one_se": "cart 1-SE", "min": "cart min"}
    of_cart = {r: Result(*piece(key, lambda split, r=r: cart(split, plan, number, r))) for r, key in keys.items()}
    return of_cart, [piece(start, lambda split, s=start: along(s, split, plan, number)) for start in starts]


def summary(name, found):
    """Return the summary for one data set.

    The summary contains the errors of each split under "cart" (1-SE), "cart_min", each rule and "oracle", the mean
    nodes, and the paired tests of each rule against both CART trees.
    """
    results = {"cart": [of_cart["one_se"] for of_cart, _ in found]}
    results |= {"cart_min": [of_cart["min"] for of_cart, _ in found]}
    results |= {rule: [pick(paths, rule) for _, paths in found] for rule in RULES}
    results |= {"oracle": [oracle(paths) for _, paths in found]}
    errors = {key: np.array([one.error for one in each]) for key, each in results.items()}
    share = TEST_SHARE, 1 - TEST_SHARE
    tests = {
        base: {rule: corrected_paired_test(errors[rule], errors[base], share[1], share[0]) for rule in RULES}
        for base in BASELINES
    }
    nodes = {key: float(np.mean([one.nodes for one in each])) for key, each in results.items()}
    return {"set": name, "errors": errors, "nodes": nodes, "tests": tests}


def cells(one):
    """Return the table row for one `summary`."""
    plan, errors, nodes = PLANS[one["set"]], one["errors"], one["nodes"]
    digits = 3 if plan.is_regression else 2

    def figure(key):
        return f"{errors[key].mean():.{digits}f} ± {_spread(errors[key]):.{digits}f}, {nodes[key]:.0f}"

    def test(base, rule):
        found = one["tests"][base][rule]
        return f"{found.difference:+.{digits}f}, p {p_text(found.p)}"

    paper = "" if plan.error is None else f"{plan.error:.2f}, {plan.nodes}"
    return (
        one["set"], len(errors["cart"]), figure("cart"), figure("cart_min"),
        figure("min"), *(test(base, "min") for base in BASELINES),
        figure("one_se"), *(test(base, "one_se") for base in BASELINES),
        f"{errors['oracle'].mean():.{digits}f}", paper,
    )  # fmt: skip


def _spread(errors):
    return errors.std(ddof=1) if len(errors) > 1 else np.nan


def verdicts(summaries):
    """Return the sentences that summarise all data sets."""
    for rule in RULES:
        ours = [one for one in summaries if PLANS[one["set"]].error is not None]
        better = [
            one for one in ours if one["tests"]["cart"][rule].difference < 0 and one["tests"]["cart"][rule].p < LEVEL
        ]
        small = [one for one in better if one["nodes"][rule] <= one["nodes"]["cart"]]
        inside = [one["set"] for one in ours if _reached(one, rule)]
        yield (
            f"{rule}: better than CART on {len(better)} of the paper's {len(ours)} sets (p < {LEVEL:g}), on "
            f"{len(small)} with no more nodes; the paper's error within a standard deviation of ours, or above it: "
            f"{', '.join(inside) or 'none'}."
        )
        new = [one for one in summaries if PLANS[one["set"]].error is None]
        if new:
            gains = [-one["tests"]["cart"][rule].difference for one in new]
            smaller = sum(one["nodes"][rule] <= one["nodes"]["cart"] for one in new)
            ratio = np.exp(np.mean([np.log(one["nodes"][rule] / one["nodes"]["cart"]) for one in new]))
            yield (
                f"{rule}: {np.mean(gains):.2f} points better than CART in the mean of {len(new)} other sets, with no "
                f"more nodes on {smaller}, and {ratio:.2f} x its nodes (geometric mean)."
            )


def _reached(one, rule):
    errors = one["errors"][rule]
    return errors.mean() <= PLANS[one["set"]].error + _spread(errors)


DIFFERENCES = "to CART 1-SE", "to CART min"
HEADER = ("set", "splits", "CART 1-SE, nodes", "CART min, nodes", "TAO min, nodes", *DIFFERENCES,
          "TAO one_se, nodes", *DIFFERENCES, "best on test rows", "paper")  # fmt: skip


def main(arguments=None):
    """Measure the data sets, print the table and write the JSON file."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bivariate_choice", description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", choices=PLANS, metavar="SET", help=f"data sets: {', '.join(PLANS)}")
    parser.add_argument("--splits", type=int, help="number of splits of each data set, instead of the planned number")
    parser.add_argument("--first", type=int, default=0, help="number of the first split")
    options = parser.parse_args(arguments)
    names = options.only or list(PLANS)
    counts = {name: options.splits or PLANS[name].splits for name in names}
    found = {name: [] for name in names}
    for turn in range(max(counts.values())):  # every data set gets some splits before any gets all
        for name in names:
            if turn < counts[name]:
                found[name].append(pieces(name, options.first + turn, STARTS))
    summaries = [summary(name, found[name]) for name in names]
    print(heading("Bivariate trees chosen by folds, beside CART"))
    print(markdown(HEADER, [cells(one) for one in summaries]))
    print("\n".join(verdicts(summaries)))
    raw = {one["set"]: {"errors": one["errors"], "nodes": one["nodes"]} for one in summaries}
    print(f"raw numbers: {write_json('bivariate_choice', raw, None)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
