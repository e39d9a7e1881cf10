"""Improve trees of other programs with TAO: ``python -m benchmarks.improve [--splits N] [--only SET]``.

scikit-learn (fully grown CART), XGBoost or LightGBM (one tree, default settings) grows a tree on 60 % of the rows.
`treecore.improve` starts from this tree on the same rows, and chooses a tree by its error on another 20 %. Errors are
measured on the last 20 %, which affect neither training nor choice; the numbers are means over the splits. A case
counts as a gain if the new tree has fewer leaves and no larger test error. TAO runs once with univariate splits, like
the original trees, and once with bivariate splits.
"""

import argparse
import sys

import lightgbm
import numpy as np
import sklearn.tree
import xgboost

from benchmarks.common import (
    DataMissing,
    benchmark_set,
    heading,
    markdown,
    table,
    three_way,
    timed,
    write_json,
    write_markdown,
)
from treecore import TAOClassifier, TAORegressor, from_lightgbm, from_sklearn, from_xgboost, improve
from treecore.tree.metrics import error_of

CLASSES = (
    "banknote",
    "blood_transfusion",
    "electricity",
    "magic",
    "spambase",
    "wdbc",
)  # with two classes, a boosting round has one tree
NUMBERS = ("abalone", "airfoil", "cpu_act", "fried")
SPLITS = ("univariate", "bivariate")
MOST_ROWS = 8_000
TARGET, CASES = 24, 30
ONE_TREE = {"n_estimators": 1, "learning_rate": 1.0, "random_state": 0}
LEARNERS = {
    "scikit-learn": lambda number: (
        from_sklearn,
        (sklearn.tree.DecisionTreeRegressor if number else sklearn.tree.DecisionTreeClassifier)(random_state=0),
    ),
    "XGBoost": lambda number: (from_xgboost, (xgboost.XGBRegressor if number else xgboost.XGBClassifier)(**ONE_TREE)),
    "LightGBM": lambda number: (
        from_lightgbm,
        (lightgbm.LGBMRegressor if number else lightgbm.LGBMClassifier)(verbose=-1, **ONE_TREE),
    ),
}
HEADER = ("set", "learner", "leaves", "test error", "leaves 1", "test error 1", "leaves 2", "test error 2", "seconds")


def rows_of(name, split):
    """Return (X, y) of the training, validation and test rows, at most `MOST_ROWS` in total."""
    X, y, *test = benchmark_set(name)
    if test[0] is not None:
        X, y = np.vstack([X, test[0]]), np.concatenate([y, test[1]])
    pick = np.random.default_rng(0).permutation(len(y))[:MOST_ROWS]
    return three_way(X[pick].astype(np.float64), y[pick], split)


def measured(learner, name, split):
    """Return ({"given" or a split type: (leaves, test error)}, seconds of TAO) for a case on one split."""
    number = name in NUMBERS
    rows, validation, test = rows_of(name, split)
    taken, model = LEARNERS[learner](number)
    original = taken(model.fit(*rows))
    found, seconds = {"given": (original.n_leaves, error_of(original, *test))}, 0.0
    for kind in SPLITS:
        estimator = (TAORegressor if number else TAOClassifier)(split=kind, random_state=0, n_jobs=-1)
        better, wall, _ = timed(lambda estimator=estimator: improve(original, *rows, *validation, estimator))
        tree = better.point.tree if better.is_better else original
        found[kind] = tree.n_leaves, error_of(tree, *test)
        seconds += wall
    return found, seconds


def is_gain(original, found):
    """Test whether (mean leaves, mean test error) has fewer leaves than the original tree and no larger error."""
    return bool(found[0] < original[0] and found[1] <= original[1])


def main(arguments=None):
    """Measure, print the table, and write it as Markdown and the raw numbers as JSON."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.improve", description=__doc__.splitlines()[0])
    parser.add_argument("--only", choices=CLASSES + NUMBERS, help="run only this data set, and write separate files")
    parser.add_argument(
        "--splits", type=int, default=5, help="number of random splits, over which the results are averaged"
    )
    options = parser.parse_args(arguments)
    rows, raw, gains = [], {}, dict.fromkeys(SPLITS, 0)
    for name in [options.only] if options.only else CLASSES + NUMBERS:
        for learner in LEARNERS:
            print(f"{name}, {learner} ...", file=sys.stderr, flush=True)
            try:
                cases = [measured(learner, name, split) for split in range(options.splits)]
            except DataMissing as error:
                print(error, file=sys.stderr)
                return 1
            mean = {kind: np.mean([found[kind] for found, _ in cases], axis=0) for kind in ("given", *SPLITS)}
            raw[f"{name}, {learner}"] = [found for found, _ in cases]
            cells = [f"{mean['given'][0]:.0f}", f"{mean['given'][1]:.4g}"]
            for kind in SPLITS:
                gain = is_gain(mean["given"], mean[kind])
                gains[kind] += gain
                cells += [f"{mean[kind][0]:.0f}", f"{mean[kind][1]:.4g}{'' if gain else ' *'}"]
            rows.append((name, learner, *cells, f"{np.mean([seconds for _, seconds in cases]):.1f}"))
    title = heading(f"TAO from trees of other programs, {options.splits} splits")
    output = ", ".join(f"{gains[kind]} with {kind} decisions" for kind in SPLITS)
    note = (
        f"Fewer leaves at no greater test error: of {len(rows)} cases {output} (to reach: {TARGET} of {CASES}). "
        "1, 2: with one and with up to two features in a decision; * no gain. Errors are shares, or root mean squared "
        "errors (abalone, airfoil, cpu_act, fried); seconds: of both runs of TAO, mean of the splits."
    )
    print(f"{title}\n{table(HEADER, rows, left=(0, 1))}\n{note}")
    written = write_markdown("improve", f"{title}\n\n{markdown(HEADER, rows, (0, 1))}\n\n{note}", options.only)
    print(f"table: {written}; raw numbers: {write_json('improve', {'cases': raw, 'gains': gains}, options.only)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
