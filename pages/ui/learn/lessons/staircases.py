"""Lesson: why axis-aligned trees need staircases."""

import numpy as np

from pages.jobs.settings import Settings, bivariate
from pages.ui.learn.lessons import claims, formulas, lookup, scenes
from pages.ui.learn.lessons.lesson import BuiltLesson, Guess, Lesson, Moment, Scene

THRESHOLDS = Settings(data_set="stripes", split="univariate", init="cart", max_depth=12, n_lambdas=8)
LINES = bivariate(data_set="stripes", n_lambdas=8)


def build() -> BuiltLesson:
    """Build this lesson."""
    steps, lines = scenes.path(THRESHOLDS, "One feature per split"), scenes.path(LINES, "Two features per split")
    few = smallest_good(lines)
    good = comparable(steps, lines, few)
    small = next(k for k, point in enumerate(steps.points) if point.tree.n_leaves <= lines.tree(few).n_leaves)
    root = lookup.origin(lines, few, 0)
    claims.hold(lookup.wrong(steps, small) > 2 * lookup.wrong(steps, good), "few boxes are nearly as good")
    claims.hold(2 * lines.tree(few).n_leaves < steps.tree(good).n_leaves, "lines save few leaves")
    claims.hold(lookup.wrong(lines, few) <= lookup.wrong(steps, good), "the lines get more wrong")
    claims.hold(lookup.wrong(steps, 0) / len(steps.rows[0]) < lookup.wrong(steps, 0, 2) / len(steps.rows[2]), "new")
    for k in (good, 0):
        claims.surely_fewer(lookup.wrong_rows(lines, few, 2), lookup.wrong_rows(steps, k, 2))
    return BuiltLesson(
        (steps, lines),
        (
            Moment(
                0,
                small,
                (
                    "Three classes lie in slanted stripes.",
                    "Each split of this tree uses *one* feature. So every split runs along an axis, and the region of "
                    "every leaf is a box.",
                ),
                ask="Can a few boxes approximate a slanted stripe?",
                answer=f"No. With {lookup.many(steps.tree(small).n_leaves, 'box', 'boxes')} the tree gets "
                f"{lookup.error(steps, small)} of its own points wrong.",
                formula=formulas.THRESHOLD,
                source="Kairgeldin and Carreira-Perpiñán 2024, section 1 and figure 5",
            ),
            Moment(
                0,
                good,
                (
                    "So it takes more boxes. Look at the boundary between two colours: it has become a **staircase**.",
                    "Each step costs one more split.",
                ),
                ask="How many leaves does this tree have? Read it above the picture.",
                answer=f"{lookup.count(steps.tree(good).n_leaves)} leaves, and still {lookup.error(steps, good)} "
                "of the points are on the wrong side of a step.",
                source="Kairgeldin and Carreira-Perpiñán 2024, section 1 and figure 5",
            ),
            Moment(
                0,
                0,
                (
                    f"More steps, finer stairs: {lookup.count(steps.tree(0).n_leaves)} leaves, and "
                    f"{lookup.count(lookup.wrong(steps, 0))} of {lookup.count(len(steps.rows[0]))} training "
                    f"points wrong.",
                    "Now look at the points that it has not seen.",
                ),
                set=2,
                ask="Is the tree as good as its training error suggests?",
                answer=f"No. On new points the error is {lookup.error(steps, 0, 2)}: the corners of the stairs follow "
                "single points, not the stripes.",
                source="Kairgeldin and Carreira-Perpiñán 2024, section 1 (a poor data model)",
            ),
            Moment(
                1,
                few,
                (
                    "Now a split may use *two* features together. It is a line in any direction.",
                    f"The split of the root: **{lookup.question(lines, few, 0)}**?",
                ),
                node=root,
                ask="How many leaves does it take now?",
                answer=f"{lookup.many(lines.tree(few).n_leaves, 'leaf', 'leaves').capitalize()} are enough, while "
                f"thresholds took {lookup.count(steps.tree(good).n_leaves)}. The training error is "
                f"{lookup.error(lines, few)}, not {lookup.error(steps, good)}.",
                guess=Guess(lines.tree(few).n_leaves, 2, steps.tree(good).n_leaves, unit="leaves"),
                formula=formulas.LINE,
                source="Kairgeldin and Carreira-Perpiñán 2024, section 2, equation 1",
            ),
            Moment(
                1,
                few,
                (
                    "Stairs are not in the data. They come from the *type of split*.",
                    "A split on two features is still easy to show: a scatter plot with a line.",
                ),
                set=2,
                ask="And on new points? Compare the test errors.",
                answer=f"Lines: {lookup.error(lines, few, 2)}. Stairs: {lookup.error(steps, good, 2)} with "
                f"{lookup.count(steps.tree(good).n_leaves)} leaves, {lookup.error(steps, 0, 2)} with "
                f"{lookup.count(steps.tree(0).n_leaves)}.",
                source="Kairgeldin and Carreira-Perpiñán 2024, section 1 and appendix A.2",
            ),
        ),
    )


def smallest_good(lines: Scene) -> int:
    """Return the index of the smallest bivariate tree with a training error below 5 %."""
    return max(k for k, point in enumerate(lines.points) if point.figures["train_error"] < 0.05)


def comparable(steps: Scene, lines: Scene, few: int) -> int:
    """Return the index of the smallest univariate tree of comparable error.

    Its training error is at most 3 percentage points larger than that of the bivariate tree.
    """
    errors = np.array([point.figures["train_error"] for point in steps.points])
    return int(np.flatnonzero(errors <= lines.figure(few, "train_error") + 0.03)[-1])


LESSON = Lesson(
    "staircases",
    "Why axis-aligned staircases",
    "Splits on one feature make boxes, and slanted boundaries become stairs.",
    build,
    icon=":material/stairs:",
    picture=1,
)
