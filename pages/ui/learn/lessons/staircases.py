"""Lesson: why axis-aligned trees need staircases."""

import numpy as np

from pages.jobs.settings import Settings
from pages.ui.learn.lessons import claims, elsewhere, formulas, lookup, scenes
from pages.ui.learn.lessons.fresh import Claim, sentence
from pages.ui.learn.lessons.lesson import BuiltLesson, Guess, Lesson, Moment, Scene
from sample_data import synthetic
from treecore.tree.number_text import percent
from viz.charts.path_points import recommended

THRESHOLDS = Settings(data_set="fields", split="univariate", init="cart", max_depth=12, n_lambdas=8)
LINES = Settings(data_set="fields", split="bivariate", init="bivariate_cart", max_depth=4, n_lambdas=8)
FRESH, FRESH_SEED = 20_000, 99
GOOD = 0.05  # training error of a tree that has found the four fields
STAIRS = "Kairgeldin and Carreira-Perpiñán 2024, section 1 and figure 5"


def build() -> BuiltLesson:
    """Build this lesson."""
    steps, lines = scenes.path(THRESHOLDS, "One feature per split"), scenes.path(LINES, "Two features per split")
    few = smallest_good(lines)
    good = comparable(steps, lines, few)
    small = next(k for k, point in enumerate(steps.points) if point.tree.n_leaves <= lines.tree(few).n_leaves)
    claims.hold(steps.tree(small).n_leaves == lines.tree(few).n_leaves, "the smallest trees differ in size")
    stairs = {k: fresh_wrong(steps, k) for k in (small, good, 0)}
    shares = {lookup.many(steps.tree(k).n_leaves, "leaf", "leaves"): percent(stairs[k].mean()) for k in stairs}
    gain = float(stairs[good].mean() - stairs[0].mean())
    claims.hold(0 < gain < 0.02, "the last stairs help a lot, or not at all")
    claims.hold(lookup.wrong(steps, small) > 2 * lookup.wrong(steps, good), "a few boxes are nearly as good")
    claims.hold(2 * lines.tree(few).n_leaves < steps.tree(good).n_leaves, "lines save few leaves")
    claims.hold(lookup.wrong(lines, few) <= lookup.wrong(steps, good), "the lines misclassify more points")
    for k in (good, 0):
        claims.significantly_fewer(fresh_wrong(lines, few), stairs[k])
    drawn = LINES_BETTER.stored
    n_lines = lookup.many(lines.tree(few).n_leaves, "leaf", "leaves")
    return BuiltLesson(
        (steps, lines),
        (
            Moment(
                0,
                small,
                (
                    "The boundaries between the four fields are slanted.",
                    "Each split of this tree uses *one* feature. So every split runs parallel to an axis, and the "
                    "region of every leaf is a box.",
                ),
                ask=f"Can {lookup.NUMBERS[steps.tree(small).n_leaves]} boxes approximate the four fields? Guess the "
                "percentage of misclassified points.",
                answer=f"Not well. With {lookup.many(steps.tree(small).n_leaves, 'box', 'boxes')} the tree "
                f"misclassifies {lookup.error(steps, small)} of its own training points.",
                guess=Guess(100 * lookup.wrong(steps, small) / len(steps.rows[0]), 0, 100, unit="%"),
                formula=formulas.THRESHOLD,
                source=STAIRS,
            ),
            Moment(
                0,
                small,
                (
                    "So the tree needs more boxes. Move the slider to the left and look at the boundary between two "
                    "colours.",
                ),
                ask=f"How many leaves does the tree need to misclassify only {lookup.error(steps, good)}?",
                answer=f"{lookup.count(steps.tree(good).n_leaves)} leaves. The boundaries become **staircases**, and "
                "each new leaf costs one more split.",
                guess=Guess(steps.tree(good).n_leaves, 0, 50, unit="leaves"),
                source=STAIRS,
            ),
            Moment(
                0,
                0,
                (
                    f"More steps make finer stairs. This tree has {lookup.count(steps.tree(0).n_leaves)} leaves and "
                    f"misclassifies {lookup.count(lookup.wrong(steps, 0))} of {lookup.count(len(steps.rows[0]))} "
                    "training points.",
                    "Now look at new points.",
                ),
                set=2,
                ask="Does this tree predict new points better than the tree with "
                f"{lookup.count(steps.tree(good).n_leaves)} leaves?",
                answer=f"A little. Errors on {FRESH:,} fresh points: "
                + ", ".join(f"{error} with {leaves}" for leaves, error in shares.items())
                + ". The last stairs hardly help: many of them follow single points.",
                guess=Guess(1, choices=("Much better", "A little better", "Worse")),
                source="Kairgeldin and Carreira-Perpiñán 2024, section 1 (a poor data model)",
            ),
            Moment(
                0,
                good,
                (
                    f"This tree of thresholds misclassifies {lookup.error(steps, good)} of the training points.",
                    "Now a split may use *two* features together. Such a split is a line in any direction.",
                ),
                ask=f"A tree with lines has only {n_lines}. What percentage of the training points does it "
                "misclassify?",
                answer=f"{lookup.error(lines, few)}. One leaf for each field is enough. The next screen shows this "
                "tree.",
                guess=Guess(100 * lookup.wrong(lines, few) / len(lines.rows[0]), 0, 50, 0.5, 1, "%"),
                formula=formulas.LINE,
                source="Kairgeldin and Carreira-Perpiñán 2024, section 2, equation 1",
            ),
            Moment(
                1,
                few,
                (
                    f"This tree has {lookup.many(lines.tree(few).n_decision, 'line')} and {n_lines}.",
                    f"The split of the root: **{lookup.question(lines, few, 0)}**? It uses both features, so "
                    "its line can be slanted.",
                ),
                node=lookup.origin(lines, few, 0),
                ask="Click the two nodes below the root. Why do both need a line?",
                answer="On each side of the root, one field of wheat and one of clover are left. The training error "
                f"falls from {lookup.error(steps, good)} with {lookup.count(steps.tree(good).n_leaves)} leaves to "
                f"{lookup.error(lines, few)} with {n_lines.split()[0]}.",
                formula=formulas.LINE,
                source="Kairgeldin and Carreira-Perpiñán 2024, section 2, equation 1",
            ),
            Moment(
                1,
                few,
                (
                    "The data contain no stairs. The stairs come from the *split type*.",
                    "A split on two features is still easy to draw, as a scatter plot with a line.",
                ),
                set=2,
                ask="The points are drawn again and again. How often do lines predict new points better than "
                "thresholds?",
                answer=f"{sentence(drawn.often)} Usually, lines misclassify {_span(drawn.usual(3))} % with "
                f"{_span(drawn.usual(4))} leaves, and thresholds {_span(drawn.usual(1))} % with "
                f"{_span(drawn.usual(2))} leaves. Validation points chose all these trees.",
                guess=elsewhere.how_often(drawn.n_true, drawn.n),
                claim=LINES_BETTER.name,
                source="Kairgeldin and Carreira-Perpiñán 2024, section 1 and appendix A.2",
            ),
        ),
    )


def on_another_draw(seed: int) -> tuple[float, ...]:
    """Return the error of thresholds minus that of lines on fresh points of another draw, in percentage points.

    Then the error (%) and the number of leaves of thresholds, and of lines.

    Each tree has the smallest validation error on its path.
    """
    found = []
    for settings in (THRESHOLDS, LINES):
        scene = scenes.generated_path(settings, "", elsewhere.another("fields", seed))
        k = recommended(scene.points)["min"]
        found += [100 * float(fresh_wrong(scene, k).mean()), scene.tree(k).n_leaves]
    return found[0] - found[2], *found


def fresh_wrong(scene: Scene, step: int) -> np.ndarray:
    """Return which of the fresh points a tree misclassifies, bool[FRESH]."""
    X, y = synthetic.fields(FRESH, seed=FRESH_SEED)
    return scene.tree(step).predict(X) != class_names(scene)[y]


def _span(ends: tuple[float, float]) -> str:
    """Return two values in words."""
    return f"{ends[0]:.0f} to {ends[1]:.0f}"


def class_names(scene: Scene) -> np.ndarray:
    """Return the names of the classes, by code."""
    return np.array(scene.data.class_names)


def smallest_good(lines: Scene) -> int:
    """Return the index of the smallest bivariate tree with a training error below `GOOD`."""
    return max(k for k, point in enumerate(lines.points) if point.figures["train_error"] < GOOD)


def comparable(steps: Scene, lines: Scene, few: int) -> int:
    """Return the index of the smallest univariate tree of comparable error.

    The training error of this tree is at most 3 percentage points larger than that of the bivariate tree.
    """
    errors = np.array([point.figures["train_error"] for point in steps.points])
    return int(np.flatnonzero(errors <= lines.figure(few, "train_error") + 0.03)[-1])


def _own(built: BuiltLesson) -> float:
    stairs, lines = built.scenes
    errors = [fresh_wrong(scene, recommended(scene.points)["min"]).mean() for scene in (stairs, lines)]
    return 100 * float(errors[0] - errors[1])


LINES_BETTER = Claim(
    "lines-on-fields",
    "Lines misclassify fewer new points than thresholds.",
    "four fields, 1,000 new points a draw; validation points select both trees",
    "error of thresholds minus error of lines (percentage points)",
    on_another_draw,
    _own,
    least=0.75,
)


LESSON = Lesson(
    "staircases",
    "Why thresholds form staircases",
    "Why splits on one feature turn slanted boundaries into stairs.",
    build,
    icon=":material/stairs:",
    picture=1,
    keep="A slanted boundary needs many thresholds, but only one line.",
    task="Paint a slanted stripe and compare thresholds with lines.",
    claims=(LINES_BETTER,),
)
