"""Lesson: why axis-aligned trees need staircases."""

from dataclasses import replace

import numpy as np

from pages.jobs.settings import Settings, bivariate
from pages.ui.learn.lessons import claims, formulas, lookup, scenes
from pages.ui.learn.lessons.lesson import BuiltLesson, Guess, Lesson, Moment, Scene
from sample_data import synthetic
from treecore.tree.number_text import percent

THRESHOLDS = Settings(data_set="stripes", split="univariate", init="cart", max_depth=12, n_lambdas=8)
LINES = bivariate(data_set="stripes", n_lambdas=8)
DRAWS, DEPTHS = range(1, 6), (4, 6, 8, 12)  # other draws of the stripes, and depths of trees on them
FRESH, FRESH_SEED = 20_000, 99


def build() -> BuiltLesson:
    """Build this lesson."""
    steps, lines = scenes.path(THRESHOLDS, "One feature per split"), scenes.path(LINES, "Two features per split")
    few = smallest_good(lines)
    good = comparable(steps, lines, few)
    small = next(k for k, point in enumerate(steps.points) if point.tree.n_leaves <= lines.tree(few).n_leaves)
    stairs, straight = fresh_errors(lines, few)
    claims.hold((np.diff(stairs, axis=1) < 0).all(), "a deeper tree of thresholds is not better on fresh points")
    claims.hold((straight < 0.75 * stairs[:, -1]).all(), "lines are not much better on other draws")
    X, y = synthetic.stripes(FRESH, seed=FRESH_SEED)
    fresh = {
        steps.tree(k).n_leaves: percent(float((steps.tree(k).predict(X) != class_names(steps)[y]).mean()))
        for k in (small, good, 0)
    }
    root = lookup.origin(lines, few, 0)
    claims.hold(lookup.wrong(steps, small) > 2 * lookup.wrong(steps, good), "a few boxes are nearly as good")
    claims.hold(2 * lines.tree(few).n_leaves < steps.tree(good).n_leaves, "lines save few leaves")
    claims.hold(lookup.wrong(lines, few) <= lookup.wrong(steps, good), "the lines misclassify more points")
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
                    "Each split of this tree uses *one* feature. So every split runs parallel to an axis, and the "
                    "region of every leaf is a box.",
                ),
                ask="Can a few boxes approximate a slanted stripe? Guess the percentage of misclassified points.",
                answer=f"No. With {lookup.many(steps.tree(small).n_leaves, 'box', 'boxes')} the tree misclassifies "
                f"{lookup.error(steps, small)} of its own training points.",
                guess=Guess(100 * lookup.wrong(steps, small) / len(steps.rows[0]), 0, 100, unit="%"),
                formula=formulas.THRESHOLD,
                source="Kairgeldin and Carreira-Perpiñán 2024, section 1 and figure 5",
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
                guess=Guess(steps.tree(good).n_leaves, 0, 200, unit="leaves"),
                source="Kairgeldin and Carreira-Perpiñán 2024, section 1 and figure 5",
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
                ask="What percentage of the new points does the tree misclassify?",
                answer=f"{lookup.error(steps, 0, 2)}. On {FRESH:,} fresh points, "
                + ", ".join(f"{error} with {n} leaves" for n, error in fresh.items())
                + ". More steps help, but even the most are too few.",
                guess=Guess(100 * lookup.wrong(steps, 0, 2) / len(steps.rows[2]), 0, 100, unit="%"),
                source="Kairgeldin and Carreira-Perpiñán 2024, section 1 (a poor data model)",
            ),
            Moment(
                1,
                few,
                (
                    "Now a split can use *two* features together. Such a split is a line in any direction.",
                    f"The split of the root: **{lookup.question(lines, few, 0)}**?",
                ),
                node=root,
                ask="How many leaves does the tree need now?",
                answer=f"{lookup.many(lines.tree(few).n_leaves, 'leaf', 'leaves').capitalize()} are enough, while "
                f"thresholds needed {lookup.count(steps.tree(good).n_leaves)}. The training error falls from "
                f"{lookup.error(steps, good)} to {lookup.error(lines, few)}.",
                guess=Guess(lines.tree(few).n_leaves, 2, steps.tree(good).n_leaves, unit="leaves"),
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
                ask="Which tree is better on new points? Compare the test errors.",
                answer=f"The tree with lines: {lookup.error(lines, few, 2)}. The trees with stairs: "
                f"{lookup.error(steps, good, 2)} and {lookup.error(steps, 0, 2)}. On {lookup.many(len(DRAWS), 'draw')} "
                f"of other points, lines have errors of {claims.span((straight.min(), straight.max()))}, and the "
                f"largest stairs {claims.span((stairs[:, -1].min(), stairs[:, -1].max()))}.",
                source="Kairgeldin and Carreira-Perpiñán 2024, section 1 and appendix A.2",
            ),
        ),
    )


def fresh_errors(lines: Scene, few: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the errors on fresh points of trees that are trained on other draws of the stripes.

    The errors are for CART trees of all `DEPTHS`, float[draws, depths], and for bivariate TAO trees with the λ of the
    lesson's tree, float[draws].
    """
    X, y = synthetic.stripes(FRESH, seed=FRESH_SEED)
    stairs, straight = [], []
    for seed in DRAWS:
        points = synthetic.stripes(lines.data.n_rows, seed=seed)
        data = replace(lines.data, X=points[0], y=points[1])
        names = class_names(lines)[y]
        grown = [replace(THRESHOLDS, max_depth=depth) for depth in DEPTHS]
        greedy = [scenes.task_of(one, data) for one in grown]
        stairs.append([one.estimator(lam=0.0, max_iter=0).fit(*one.train_rows).tree_ for one in greedy])
        task = scenes.task_of(LINES, data)
        straight.append(task.estimator(lam=lines.points[few].lam).fit(*task.train_rows).tree_)
    errors = [[float((tree.predict(X) != names).mean()) for tree in trees] for trees in stairs]
    return np.array(errors), np.array([float((tree.predict(X) != names).mean()) for tree in straight])


def class_names(scene: Scene) -> np.ndarray:
    """Return the names of the classes, by code."""
    return np.array(scene.data.class_names)


def smallest_good(lines: Scene) -> int:
    """Return the index of the smallest bivariate tree with a training error below 5 %."""
    return max(k for k, point in enumerate(lines.points) if point.figures["train_error"] < 0.05)


def comparable(steps: Scene, lines: Scene, few: int) -> int:
    """Return the index of the smallest univariate tree of comparable error.

    The training error of this tree is at most 3 percentage points larger than that of the bivariate tree.
    """
    errors = np.array([point.figures["train_error"] for point in steps.points])
    return int(np.flatnonzero(errors <= lines.figure(few, "train_error") + 0.03)[-1])


LESSON = Lesson(
    "staircases",
    "Why thresholds form staircases",
    "Why splits on one feature turn slanted boundaries into stairs.",
    build,
    icon=":material/stairs:",
    picture=1,
    keep="A slanted boundary needs many thresholds, but only one line.",
    task="Paint a slanted stripe and compare thresholds with lines.",
)
