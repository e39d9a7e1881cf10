"""Reproduce figure 2 of Norouzi et al. 2015b: test error of forests over their number of trees."""

from pathlib import Path

import numpy as np
from sklearn.ensemble import RandomForestClassifier

from benchmarks.forests import PAPER, PAPER_TREES, rows_of
from treecore import CO2ForestClassifier
from treecore.comparison import Method, compare
from treecore.comparison.method_titles import METHOD_TITLES
from treecore.comparison.one_parameter import parameter_table, variants
from treecore.tables.text_tables import to_markdown
from viz.charts.comparison_figures import comparison_figure

SETS = ("pendigits", "letter")
TREES, QUICK_TREES, SEEDS = (1, 3, 10, 30, 100), (1, 3, 10, 30), 3
SETTINGS = {"scale": "minmax", "nu": 10.0, "learning_rate": 0.3}  # equal for every data set
FORESTS = {
    "random_forest": ("random forest", RandomForestClassifier()),
    "oc1_forest": ("oc1", CO2ForestClassifier(base="oc1", scale="minmax")),
    "co2_forest": ("co2", CO2ForestClassifier(**SETTINGS)),
}


def forest_curves(stem: str, names: list, quick: bool, n_jobs: int, folder: Path) -> str:
    """Return the curves as Markdown, and write a figure of each data set to the folder."""
    rows, trees = [], QUICK_TREES if quick else TREES
    for name in names:
        X, y, X_test, y_test = rows_of(name)
        train, test = np.arange(len(y)), len(y) + np.arange(len(y_test))
        methods = [Method(key, METHOD_TITLES[key], forest) for key, (_, forest) in FORESTS.items()]
        found = compare(
            np.concatenate([X, X_test]).astype(np.float64), np.concatenate([y, y_test]),
            variants(methods, "n_estimators", trees), cv=[(train, test)] * SEEDS, n_jobs=n_jobs,
        )  # fmt: skip
        for row in parameter_table(found).itertuples():
            goal = PAPER[name].get(FORESTS[row.method][0], ())
            paper = dict(zip(PAPER_TREES, goal, strict=False)).get(int(row.value), "")
            error, deviation = 100 * row.test_error, 100 * row.test_error_deviation
            cells = name, row.title, int(row.value), f"{error:.2f} ± {deviation:.2f}", paper, f"{row.n_leaves:.0f}"
            rows.append([str(cell) for cell in (*cells, f"{row.fit_seconds:.1f}")])
        for theme in ("light", "dark"):
            picture = comparison_figure(found, "svg", kind="parameter", theme=theme, title=name)
            (folder / f"{stem}-{name}-{theme}.svg").write_bytes(picture)
    return to_markdown(("set", "forest", "trees", "test error %", "paper", "leaves", "train s"), rows)
