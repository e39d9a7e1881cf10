"""Reproduce figures of the papers over one parameter of single trees.

They are figure 1 of Norouzi et al. 2015b, 2 and 3 of Norouzi et al. 2015a, and 2 of Kairgeldin and Carreira-Perpiñán
2024.
"""

from pathlib import Path
from typing import NamedTuple

from benchmarks.reproduction import classification
from benchmarks.reproduction.plans import Plan
from treecore import CO2Classifier, NonGreedyClassifier
from treecore.comparison import METHODS, Method
from treecore.comparison.one_parameter import MEASURES, PARAMETERS, ROWS, parameter_table, variants
from treecore.tables.text_tables import to_markdown
from viz.charts.comparison_figures import comparison_figure

QUICK_SETS, QUICK_ROWS = ("letter",), 2500
NUS = (0.1, 1.0, 4.0, 10.0, 43.0, 100.0)
SCALE = {"scale": "minmax"}
ALIKE = ("mnist", "connect4")  # data sets whose features have comparable scales


class Figure(NamedTuple):
    """Figure of methods over a parameter, with its values (also for --quick), keys of `MEASURES`, and data sets."""

    parameter: str
    methods: tuple
    values: tuple
    quick: tuple
    measures: tuple
    sets: tuple


def _univariate(title="univariate, no pruning", key="cart", **settings):
    """Return CART with univariate splits, grown to the depth. ν has no effect."""
    return Method(key, title, NonGreedyClassifier(init="cart", n_epochs=0, **SCALE, **settings))


def _non_greedy(depth):
    return Method(f"non_greedy_{depth}", f"non-greedy, depth {depth}", NonGreedyClassifier(max_depth=depth, **SCALE))


FIGURES = {
    # The paper's validation error uses rows that affect no choice, so it corresponds to our test error.
    "co2-nu": Figure(
        "max_depth",
        (_univariate(), *(Method(f"co2_{nu:g}", f"CO2, ν = {nu:g}", CO2Classifier(nu=nu, **SCALE))
                          for nu in (0.1, 1.0, 10.0, 100.0))),
        (2, 4, 6, 8, 10, 12, 14, 16), (2, 4, 6, 8, 10), ("train_error", "test_error"), ("mnist",),
    ),
    # With the largest ν, the bound is as tight as the loss, and a non-greedy tree hardly leaves its initial tree.
    "non-greedy-depth": Figure(
        "max_depth",
        (_univariate(), Method("co2", "CO2", CO2Classifier(), {"nu": [10.0, 43.0, 1000.0]}),
         Method("non_greedy", "non-greedy", NonGreedyClassifier(),
                {"nu": [10.0, 43.0, 1000.0], "learning_rate": [0.01, 0.1]})),
        (6, 8, 10, 12, 14, 16, 18), (4, 6, 8), ("train_error", "test_error"),
        ("connect4", "mnist", "segment", "pendigits"),
    ),
    # Initial trees do not depend on ν, so they are drawn as a horizontal line.
    "non-greedy-leaves": Figure(
        "nu",
        tuple(method for depth in (8, 10) for method in (
            _univariate(f"univariate, depth {depth}", f"univariate_{depth}", max_depth=depth), _non_greedy(depth))),
        NUS, NUS, ("n_leaves", "test_error"), ("mnist",),
    ),
    # The paper uses SUSY, which is not among our data sets.
    "bivariate-rows": Figure(
        ROWS, tuple(METHODS[name] for name in ("tao_bivariate", "cart", "c50")), PARAMETERS[ROWS].values,
        PARAMETERS[ROWS].values, ("n_leaves", "test_error", "fit_seconds"), ("magic", "electricity"),
    ),
}  # fmt: skip


def figure_curves(name: str, stem: str, sets: list, quick: bool, n_jobs: int, folder: Path) -> str:
    """Return the curves of one entry in `FIGURES` as Markdown.

    Writes a figure of each data set and measure to the folder.
    """
    figure, rows = FIGURES[name], []
    for one in sets:
        alike = [method.for_pixels() if one in ALIKE else method for method in figure.methods]
        methods = tuple(variants(alike, figure.parameter, figure.quick if quick else figure.values))
        # 400 validation rows would choose among six settings nearly at random, so small data sets use folds.
        inner = 3 if quick else 0.2
        plan = Plan(methods, 3, inner, not quick and one == "mnist", most_rows=QUICK_ROWS * quick)
        found = classification.compared(f"curves-{name}", one, plan, n_jobs)
        for row in parameter_table(found).itertuples():
            errors = [
                f"{100 * getattr(row, measure):.2f} ± {100 * getattr(row, f'{measure}_deviation'):.2f}"
                for measure in ("train_error", "test_error")
            ]
            rows.append([one, row.title, f"{row.value:g}", *errors, f"{row.n_leaves:.0f}", f"{row.fit_seconds:.1f}"])
        for measure in figure.measures:
            for theme in ("light", "dark"):
                picture = comparison_figure(found, "svg", kind="parameter", by=measure, theme=theme, title=one)
                (folder / f"{stem}-{one}-{measure}-{theme}.svg").write_bytes(picture)
    header = ("set", "method", figure.parameter, f"{MEASURES['train_error']} %", f"{MEASURES['test_error']} %")
    note = f"\n{QUICK_ROWS:,} rows of each set, 80 % of them for training.\n" if quick else ""
    return to_markdown((*header, "leaves", "train s"), rows) + note
