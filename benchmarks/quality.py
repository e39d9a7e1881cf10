"""Compare accuracy and size with the paper's table: ``python -m benchmarks.quality [--quick] [--only NAME]``.

The protocol is that of Zharmagambetov et al. 2021, section 4. If no split is published, 20 % of the rows are the test
set, with several reshuffles. Depth, scaling and λ are chosen by 10-fold cross-validation on the training set. Oblique
trees have l1 logistic nodes and start from a complete random tree. Several random initial trees are trained, and the
tree with the lowest training objective is the final one.

Letter and MNIST have published splits, so the repetitions differ in the random initial tree. One validation set of 20 %
of the training rows, drawn once, replaces cross-validation. The rule "min" takes the smallest validation error, and
"one_se" the smallest tree within one standard error of it. "size" takes the smallest validation error among trees with
at most as many leaves as the paper's. The test set affects no choice.
"""

import argparse
import os
import sys
import time
from typing import NamedTuple

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits, load_iris
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier

from benchmarks.common import DataMissing, DataSet, benchmark_set, heading, table, verdict, write_json
from benchmarks.selection import RULES, candidates, choose, cross_validate, final_tree, hold_out, workers

SCALES = ("standard", "minmax")


class Paper(NamedTuple):
    """Results of the paper: accuracy in percent (mean, standard deviation), depth and leaves of the TAO tree."""

    train: float
    test: float
    test_sd: float
    depth: int
    leaves: float


class Plan(NamedTuple):
    """Settings for one data set; λ / n takes the values of `shares`."""

    depths: tuple
    shares: np.ndarray
    paper: Paper | None = None
    folds: int = 10
    restarts: int = 2  # random initial trees per fold
    final_restarts: int = 10
    passes: int = 20
    published: bool = False
    scales: tuple = SCALES


SHARES = np.geomspace(1e-4, 0.1, 16)
PLANS = {
    "banknote": Plan((3, 4), SHARES, Paper(99.83, 99.18, 0.14, 3, 7.4)),
    "blood_transfusion": Plan((3, 4, 5), SHARES, Paper(81.74, 78.93, 3.12, 5, 10.8)),
    "balance_scale": Plan((3, 4), SHARES, Paper(91.68, 88.48, 2.56, 3, 5.6)),
    "wdbc": Plan((2, 3, 4), SHARES, Paper(98.21, 97.71, 1.04, 3, 7.8)),
    "spambase": Plan((3, 4, 5), np.geomspace(1e-4, 0.01, 10), Paper(95.55, 93.31, 1.22, 4, 14.8), restarts=1),
    "letter": Plan((11, 12), np.geomspace(4e-6, 1e-4, 6), Paper(95.39, 89.15, 0.88, 11, 1077.6), published=True,
                   final_restarts=1),
    "mnist": Plan((8, 9), np.geomspace(1.5e-5, 6e-5, 5), Paper(98.43, 94.74, 0.11, 8, 177.8), published=True,
                  final_restarts=3, scales=("minmax",)),
}  # fmt: skip
QUICK_PLAN = Plan((3,), np.geomspace(3e-4, 0.03, 6), folds=5, restarts=1, final_restarts=3)
QUICK = {
    "breast_cancer": (load_breast_cancer, QUICK_PLAN),
    "iris": (load_iris, QUICK_PLAN),
    "digits": (load_digits, QUICK_PLAN._replace(depths=(5,), folds=3, final_restarts=2)),
}


class Figures(NamedTuple):
    """Metrics of one tree on one split, with accuracies in percent."""

    train: float
    test: float
    leaves: int
    depth: int
    features: float


def figures(tree, X, y, X_test, y_test):
    """Return the `Figures` of one of our trees."""
    train, test = (100.0 * float(np.mean(tree.predict(a) == b)) for a, b in ((X, y), (X_test, y_test)))
    return Figures(train, test, tree.n_leaves, tree.depth, tree.features_per_node)


def cart_figures(seed, X, y, X_test, y_test):
    """Return the `Figures` of scikit-learn's default tree."""
    model = DecisionTreeClassifier(random_state=seed).fit(X, y)
    train, test = 100.0 * model.score(X, y), 100.0 * model.score(X_test, y_test)
    return Figures(train, test, int(model.get_n_leaves()), int(model.get_depth()), 1.0)


def reshuffled(data, plan, shuffles, pool):
    """Return one record for each reshuffle.

    The record contains the choice and the metrics for each rule, and CART's metrics.
    """
    options = candidates(plan.depths, plan.scales)
    records = []
    for seed in range(shuffles):
        X, X_test, y, y_test = train_test_split(data.X, data.y, test_size=0.2, random_state=seed)
        scores = cross_validate(options, X, y, plan.shares, plan.folds, plan.restarts, seed, pool)
        record = {"cart": cart_figures(seed, X, y, X_test, y_test)}
        for rule in RULES if plan.paper else RULES[:2]:
            choice = choose(options, plan.shares, scores, rule, plan.paper.leaves if plan.paper else np.inf)
            tree = final_tree(choice, X, y, plan.shares, plan.final_restarts, pool)
            record[rule] = figures(tree, X, y, X_test, y_test)
            record[rule + "_choice"] = _plain_choice(choice)
        records.append(record)
    return records, None


def published(data, plan, seeds):
    """Return the records for a published split: one choice, then another random tree for every seed."""
    X, y, X_test, y_test = data
    choice, tried = hold_out(candidates(plan.depths, plan.scales), X, y, plan.shares, plan.passes)
    records = []
    for seed in range(seeds):
        starts = range(seed * plan.final_restarts, (seed + 1) * plan.final_restarts)
        lam = choice.share * len(y)
        fits = [choice.candidate.estimator(s, None, lam=lam, max_iter=plan.passes).fit(X, y) for s in starts]
        tree = min(fits, key=lambda model: min(record.objective for record in model.trace_)).tree_
        cart = records[0]["cart"] if records else cart_figures(0, X, y, X_test, y_test)
        record = {"cart": cart, "min": figures(tree, X, y, X_test, y_test), "min_choice": _plain_choice(choice)}
        records.append(record)
    return records, [_plain_choice(one) for one in tried]


def _plain_choice(choice):
    return {**choice.candidate._asdict(), "lam_per_row": choice.share, "error": choice.error, "leaves": choice.leaves}


def mean_sd(records, side, field):
    """Return (mean, standard deviation) of one metric over the records."""
    values = [getattr(record[side], field) for record in records]
    return float(np.mean(values)), float(np.std(values, ddof=1)) if len(values) > 1 else 0.0


HEADER = (
    "set", "rule", "train %", "test %", "paper test %", "accuracy", "leaves", "paper", "size", "depth", "paper",
    "f/node", "CART test %", "CART leaves", "seconds",
)  # fmt: skip


def row(name, rule, records, paper, seconds):
    """Return the cells of one line of the table."""
    test, leaves = mean_sd(records, rule, "test"), mean_sd(records, rule, "leaves")
    marks, paper_cells = ("", ""), ("", "", "")
    if paper:
        paper_cells = f"{paper.test:.2f}±{paper.test_sd:.2f}", f"{paper.leaves:.1f}", str(paper.depth)
        marks = accuracy_mark(test[0], paper), verdict(round(leaves[0], 1), paper.leaves)
    return (
        name, rule, _pm(mean_sd(records, rule, "train")), _pm(test), paper_cells[0], marks[0], f"{leaves[0]:.1f}",
        paper_cells[1], marks[1], f"{mean_sd(records, rule, 'depth')[0]:.1f}", paper_cells[2],
        f"{mean_sd(records, rule, 'features')[0]:.1f}", _pm(mean_sd(records, "cart", "test")),
        f"{mean_sd(records, 'cart', 'leaves')[0]:.1f}", f"{seconds:.0f}",
    )  # fmt: skip


def accuracy_mark(accuracy, paper):
    """Return 'met' at or above the paper's mean, 'within sd' at most one standard deviation below it, else 'MISSED'."""
    if accuracy >= paper.test:
        return "met"
    return "within sd" if accuracy >= paper.test - paper.test_sd else "MISSED"


def _pm(pair):
    return f"{pair[0]:.2f}±{pair[1]:.2f}"


def run(name, data, plan, shuffles, pool):
    """Return (rows of the table, raw numbers) for one data set."""
    began = time.perf_counter()
    records, tried = published(data, plan, shuffles) if plan.published else reshuffled(data, plan, shuffles, pool)
    seconds = time.perf_counter() - began
    rules = [rule for rule in RULES if rule in records[0]]
    raw = [{key: value._asdict() if hasattr(value, "_asdict") else value for key, value in r.items()} for r in records]
    rows = [row(name, rule, records, plan.paper, seconds) for rule in rules]
    return rows, {"seconds": seconds, "shuffles": raw, "tried": tried}


def jobs(quick, only):
    """Return a list of (name, function that loads the DataSet, Plan) for the data sets to run."""
    if quick:
        found = [(name, lambda f=f: DataSet(*f(return_X_y=True)), plan) for name, (f, plan) in QUICK.items()]
    else:
        found = [(name, lambda name=name: benchmark_set(name), plan) for name, plan in PLANS.items()]
    return [job for job in found if only in (None, job[0])]


def main(arguments=None):
    """Run the data sets, print the table and write the JSON file."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.quality", description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="use three small bundled data sets (less than one minute)")
    parser.add_argument("--only", choices=[*PLANS, *QUICK], help="run only this data set, and write a separate file")
    parser.add_argument(
        "--shuffles", type=int, default=None, help="number of reshuffles or random trees (default 5, or 2 with --quick)"
    )
    options = parser.parse_args(arguments)
    shuffles = options.shuffles or (2 if options.quick else 5)
    pool = workers(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count())
    rows, raw = [], {"quick": options.quick, "number_of_shuffles": shuffles}
    try:
        for name, load, plan in jobs(options.quick or options.only in QUICK, options.only):
            found, raw[name] = run(name, load(), plan, shuffles, pool)
            rows += found
            written = write_json("quality", raw, options.only)
            print(table(HEADER, found, left=(0, 1)), file=sys.stderr, flush=True)
    except DataMissing as error:
        print(error, file=sys.stderr)
        return 1
    print(heading(f"Quality, {shuffles} reshuffles (letter, mnist: random trees), mean±sd"))
    print(table(HEADER, rows, left=(0, 1)))
    print(f"raw numbers: {written}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
