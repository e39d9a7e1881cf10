"""Lesson: from a threshold to a line to a weighted sum, on one data set."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from pages.jobs.settings import Settings, bivariate
from pages.ui.learn.lessons import claims, formulas, lookup, scenes, two_features
from pages.ui.learn.lessons.fresh import FIRST, Claim, holm, split_test
from pages.ui.learn.lessons.lesson import BuiltLesson, Figure, Guess, Lesson, Moment, Scene, Series
from treecore.tree.number_text import count, percent
from viz.charts.path_points import recommended

STARTS = 5  # random trees; the best one is kept
SETTINGS = (
    Settings(data_set="digits", split="univariate", init="cart", max_depth=12, n_lambdas=6),
    bivariate(data_set="digits", n_lambdas=6),
    Settings(data_set="digits", split="oblique", init="random", max_depth=4, n_lambdas=8, n_init=STARTS),
)
DRAWS = range(1, 6)  # seeds of other draws of the rows
TABLES = ("iris", "wine", "breast-cancer", "diabetes-classes", "moons")
OWN_TABLE = 2  # seed of a typical draw
ONE = "Kairgeldin and Carreira-Perpiñán 2024, section 1"
MANY = "Carreira-Perpiñán and Tavallali 2018, section 4"


class Chosen(NamedTuple):
    """Trees that the validation rows select for each split type: mean test errors and mean numbers of leaves."""

    errors: tuple[float, ...]
    leaves: tuple[float, ...]


def build() -> BuiltLesson:
    """Build this lesson."""
    found = [scenes.path(one, title) for one, title in zip(
        SETTINGS, ("One pixel per split", "Two pixels per split", "Weighted sums of pixels"), strict=True,
    )]  # fmt: skip
    thresholds, lines, sums = found
    k = recommended(sums.points)["min"]
    size = sums.tree(k).n_leaves
    small = [_as_large(scene, size) for scene in (thresholds, lines)]
    wrong = [lookup.wrong_rows(scene, step, 2) for scene, step in zip(found, (*small, k), strict=True)]
    claims.hold(wrong[0].sum() > wrong[1].sum(), "lines are not better than thresholds")
    claims.significantly_fewer(wrong[2], wrong[1])
    claims.significantly_fewer(wrong[2], wrong[0])
    shares = [percent(one.mean()) for one in wrong]
    best = min(thresholds.points, key=lambda point: point.figures["test_error"])
    claims.hold(best.figures["test_error"] > wrong[2].mean(), "a large tree of thresholds is as good")
    used = len(sums.tree(k).split(0)[0])
    n = len(thresholds.rows[2])
    drawn, tables = SUMS.stored, SUMS_ON_TABLES.stored
    of_table = {name: tables.values[[_table(FIRST + k) == name for k in range(len(tables.values))]] for name in TABLES}
    errors = {name: found[:, 1:4] for name, found in of_table.items()}
    gains = {name: one[:, 0] - one[:, 2] for name, one in errors.items()}
    significant = holm({name: split_test(gain, *two_features.sizes(name)) for name, gain in gains.items()})
    best_on = [name for name in TABLES if name in significant and gains[name].mean() > 0]
    smaller = [name for name, found in of_table.items() if found[:, 4].mean() > 0]
    n_splits = tables.n // len(TABLES)
    return BuiltLesson(
        (thresholds, lines, sums),
        (
            Moment(
                0,
                small[0],
                (
                    f"{lookup.count(thresholds.data.n_rows)} handwritten digits. Each split tests **one** pixel: is "
                    "there more ink than the threshold?",
                    f"The tree has {lookup.many(thresholds.tree(small[0]).n_leaves, 'leaf', 'leaves')} for ten digits.",
                ),
                ask=f"What percentage of {n} new digits does it misclassify?",
                answer=f"{shares[0]}. One pixel shows little of a digit.",
                guess=Guess(100 * float(wrong[0].mean()), 0, 100, 0.5, 1, "%"),
                formula=formulas.THRESHOLD,
                source=ONE,
            ),
            Moment(
                1,
                small[1],
                (
                    "Now a split may use **two** pixels: a line in the plane of both.",
                    f"The tree has {lookup.many(lines.tree(small[1]).n_leaves, 'leaf', 'leaves')}, and "
                    f"{lookup.two_feature_nodes(lines.tree(small[1]))} of its splits are lines.",
                ),
                node=lookup.origin(lines, small[1], 0),
                ask="By how many percentage points does the error on new digits fall?",
                answer=f"By {100 * (wrong[0].mean() - wrong[1].mean()):.1f}, to {shares[1]}.",
                guess=Guess(100 * float(wrong[0].mean() - wrong[1].mean()), 0, 25, 0.5, 1, "points"),
                formula=formulas.LINE,
                source=ONE,
            ),
            Moment(
                2,
                k,
                (
                    "Now a split may use **all** pixels: it compares a weighted sum of the ink with a threshold. "
                    f"TAO starts from {STARTS} random trees and keeps the best.",
                    f"The root has {used} weights that are not 0. The tree has {lookup.many(size, 'leaf', 'leaves')}.",
                ),
                node=lookup.origin(sums, k, 0),
                ask="What percentage of new digits does this tree misclassify?",
                answer=f"{shares[2]}, significantly fewer than with thresholds or lines. A weighted sum sees a whole "
                "stroke.",
                guess=Guess(100 * float(wrong[2].mean()), 0, 25, 0.5, 1, "%"),
                formula=formulas.OBLIQUE,
                source=MANY,
            ),
            Moment(
                0,
                0,
                (
                    "More leaves help a tree of thresholds. This is the largest one on its path, with "
                    f"{count(thresholds.tree(0).n_leaves)} leaves.",
                ),
                ask="Does any tree of thresholds on this path reach the error of the weighted sums?",
                answer=f"No. The best one has {count(best.tree.n_leaves)} leaves and misclassifies "
                f"{percent(best.figures['test_error'])}. The sums have fewer errors in {drawn.n_true} of {drawn.n} new "
                "splits of the rows. From a single random tree, they often have more, because some digits then "
                "have no leaf.",
                claim=SUMS.name,
                guess=Guess(1, choices=("Yes", "No")),
                source=ONE,
            ),
            Moment(
                2,
                k,
                (
                    f"A threshold can be read as a sentence and a line as a drawing. A sum of {used} pixels needs a "
                    "picture.",
                ),
                node=lookup.origin(sums, k, 0),
                ask=f"On {lookup.many(len(TABLES), 'other data set')}, are weighted sums better on new rows than "
                "thresholds?",
                answer=f"Over {n_splits} new splits, with a correction for {len(TABLES)} tests, sums are significantly "
                f"better on {', '.join(best_on) or 'none'}. Their trees have fewer leaves on average on "
                f"{len(smaller)}.",
                guess=Guess(
                    0 if len(best_on) > 3 else 1 if best_on else 2,
                    choices=("On nearly all", "On some", "On none"),
                    ordered=True,
                ),
                claim=SUMS_ON_TABLES.name,
                figure=Figure(
                    f"Mean error on new rows over {n_splits} draws, for each split type",
                    "test error (%)",
                    TABLES,
                    tuple(
                        Series(words, tuple(errors[name][:, k].mean() for name in TABLES), late)
                        for k, (words, late) in enumerate(
                            (("thresholds", False), ("lines", False), ("weighted sums", True))
                        )
                    ),
                ),
                source=MANY,
            ),
        ),
    )


def chosen(name: str, draws: Sequence[int] = DRAWS) -> Chosen:
    """Return the `Chosen` trees for another data set, over some draws."""
    errors, leaves = [], []
    for settings in (
        Settings(data_set=name, split="univariate", init="cart", max_depth=6, n_lambdas=8),
        bivariate(data_set=name, n_lambdas=8),
        Settings(data_set=name, split="oblique", init="random", max_depth=3, n_lambdas=8, n_init=STARTS),
    ):
        paths = [scenes.path(replace(settings, seed=seed), "") for seed in draws]
        best = [path.points[recommended(path.points)["min"]] for path in paths]
        errors.append(float(np.mean([point.figures["test_error"] for point in best])))
        leaves.append(float(np.mean([point.tree.n_leaves for point in best])))
    return Chosen(tuple(errors), tuple(leaves))


def on_another_draw(seed: int, starts: int) -> tuple[float, float, int]:
    """Return the smallest test error with thresholds, that with sums, and the number of digits without a leaf.

    The validation rows select the tree of sums; the tree of thresholds is the best one on its path.
    """
    thresholds = scenes.path(replace(SETTINGS[0], seed=seed), "")
    sums = scenes.path(replace(SETTINGS[2], seed=seed, n_init=starts), "")
    point = sums.points[recommended(sums.points)["min"]]
    tree = point.tree
    lost = len(tree.classes) - np.unique(tree.labels[tree.left < 0]).size
    return min(one.figures["test_error"] for one in thresholds.points), point.figures["test_error"], lost


def _as_large(scene: Scene, size: int) -> int:
    """Return the index of the tree whose number of leaves is nearest to `size`."""
    return int(np.argmin([abs(point.tree.n_leaves - size) for point in scene.points]))


def gain_of_sums(seed: int) -> tuple[float]:
    """Return the smallest error of thresholds minus that of sums on new digits, in percentage points."""
    return (100 * float(np.subtract(*on_another_draw(seed, STARTS)[:2])),)


def gains_on_tables(seed: int) -> tuple[float, ...]:
    """Return the error of thresholds minus that of sums on new rows of one table, in percentage points.

    Then the errors of the three split types, in percent, and the number of leaves of thresholds minus that of sums.
    """
    found = chosen(_table(seed), [seed])
    errors = [100 * error for error in found.errors]
    return errors[0] - errors[2], *errors, found.leaves[0] - found.leaves[2]


def _table(seed: int) -> str:
    """Return the name of the table for a seed. Seeds take the tables in turn."""
    return TABLES[seed % len(TABLES)]


def _own_tables(_: BuiltLesson) -> float:
    return gains_on_tables(OWN_TABLE)[0]


def _own(built: BuiltLesson) -> float:
    thresholds, _, sums = built.scenes
    k = recommended(sums.points)["min"]
    return 100 * float(min(one.figures["test_error"] for one in thresholds.points) - sums.figure(k, "test_error"))


SUMS = Claim(
    "sums-on-digits",
    "The tree of weighted sums makes fewer errors on new digits than any tree of thresholds on its path.",
    "digits, random splits of the rows",
    "smallest error of thresholds minus error of weighted sums (percentage points)",
    gain_of_sums,
    _own,
    least=0.8,
    n_draws=30,
)
SUMS_ON_TABLES = Claim(
    "sums-on-five-sets",
    "Weighted sums make no more errors on new rows than thresholds.",
    "random splits of five data sets in turn",
    "error of thresholds minus error of weighted sums (percentage points)",
    gains_on_tables,
    _own_tables,
    above=-0.001,
    least=0.7,
    n_draws=100,
)


LESSON = Lesson(
    "from-threshold-to-sum",
    "From a threshold to a line to a weighted sum",
    "The same digits with one pixel per split, with two, and with all.",
    build,
    icon=":material/functions:",
    picture=1,
    keep="A stronger split can replace many weaker ones, but it is harder to read.",
    task="Change *Split type* to one feature. How do the test error and the number of leaves change?",
    claims=(SUMS, SUMS_ON_TABLES),
)
