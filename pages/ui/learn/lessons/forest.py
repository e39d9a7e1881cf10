"""Lesson: why a forest predicts better than a tree."""

from collections.abc import Iterable
from functools import cache
from typing import Any

import numpy as np

from pages.jobs.settings import Settings
from pages.ui.learn.lessons import claims, lookup, scenes, staircases
from pages.ui.learn.lessons.lesson import BuiltLesson, Guess, Lesson, Moment, Scene
from sample_data import synthetic
from treecore.tree.number_text import percent

SETTINGS = Settings(data_set="stripes", split="univariate", init="cart", max_depth=0)
TREES, SEED, VOTERS = 10, 0, (1, 3, 5, 10)
FRESH, FRESH_SEED = 20_000, 99
BAGGING = "Breiman 1996, section 1 (bootstrap samples and their vote)"
UNSTABLE = "Breiman 1996, section 4 (why bagging works)"
LOST = "Breiman 1996, conclusions (what one loses and gains)"
LINES = "Kairgeldin and Carreira-Perpiñán 2024, section 1 (bivariate trees)"


def build() -> BuiltLesson:
    """Build this lesson."""
    single, many, draws = scenes.forest(SETTINGS, "One tree", "Ten trees and their vote", TREES, SEED)
    path = scenes.path(staircases.LINES, "One tree of lines")
    lines = scenes.some(path, [staircases.smallest_good(path)])
    data, n, (X, y) = single.data, len(single.rows[0]), fresh()
    one, straight = (predictions(scene, 0, X) != y for scene in (single, lines))
    voices = np.array([predictions(many, k, X) for k in range(TREES)])
    alone = (voices != y).mean(axis=1)
    votes = [vote(voices[:m], data.n_classes) != y for m in range(1, TREES + 1)]
    together = votes[-1]
    claims.surely_fewer(together, one)
    claims.surely_fewer(straight, together)
    claims.hold(lookup.wrong(single, 0) == 0, "the tree is not grown until it has no error")
    claims.hold(min(alone) > one.mean(), "a tree of a draw is better than the one of all points")
    growing = [float(votes[m - 1].mean()) for m in VOTERS]
    claims.hold(growing == sorted(growing, reverse=True), "more voters are not better")
    agreed = (voices == voices[0]).all(axis=0)
    sure, unsure = float(together[agreed].mean()), float(together[~agreed].mean())
    claims.hold(3 * sure < unsure, "where the trees agree they are hardly better")
    seen = float(np.mean([np.unique(draw).size for draw in draws]))
    n_splits = [
        float(tree.depths[tree.apply(X)].mean()) for tree in (point.tree for point in single.points + many.points)
    ]
    all_leaves = sum(point.tree.n_leaves for point in many.points)
    tests = single.rows[2]
    voted = vote([predictions(many, k, data.X[tests]) for k in range(TREES)], data.n_classes) != data.y[tests]
    return BuiltLesson(
        (single, many, lines),
        (
            Moment(
                0,
                0,
                (
                    f"**CART** has grown this tree until it had no error: {single.tree(0).n_leaves} leaves for "
                    f"{lookup.count(n)} points.",
                    f"It gets {percent(one.mean())} of {lookup.count(FRESH)} fresh points wrong.",
                ),
                ask=f"{lookup.NUMBERS[TREES].capitalize()} such trees vote, each grown on another draw of these "
                "points. How many fresh points does the vote get wrong?",
                answer=f"{percent(together.mean())}. That is {claims.fewer_by(together, one)} fewer of 100. "
                f"{claims.comparison_text(lookup.wrong_rows(single, 0, 2), voted)}.",
                guess=Guess(100 * float(together.mean()), 0, 30, 0.5, 1, "%"),
                source=BAGGING,
            ),
            Moment(
                1,
                0,
                (
                    f"The {lookup.NUMBERS[TREES]} trees, and their vote in the large plane.",
                    f"Each tree has learnt from {lookup.count(n)} points that were drawn *with replacement*: some came "
                    "twice or more often, others never.",
                ),
                ask=f"How many of the {lookup.count(n)} points does a tree see, on average?",
                answer=f"{seen:.0f}. So the trees are different, because trees are unstable: look at their slivers.",
                guess=Guess(seen, 0, n, unit="points"),
                vote=TREES,
                source=BAGGING,
            ),
            Moment(
                1,
                0,
                (
                    f"Alone the trees get {percent(min(alone))} to {percent(max(alone))} of the fresh points wrong: "
                    "each is worse than the tree of all points.",
                ),
                ask="Add more trees to the vote. What happens to the thin slivers in the large plot?",
                answer=f"They are outvoted: few trees have one at the same place. With {_list(VOTERS)} voters "
                f"{_list(percent(share) for share in growing)} of the fresh points are wrong.",
                vote=1,
                source=UNSTABLE,
            ),
            Moment(
                1,
                0,
                (
                    "A vote also shows how certain it is.",
                    f"On {100 * agreed.mean():.0f} % of the fresh points all {lookup.NUMBERS[TREES]} trees agree.",
                ),
                ask="How many of those are wrong?",
                answer=f"{percent(sure)}. Where the trees differ, {percent(unsure)} are.",
                guess=Guess(100 * sure, 0, 30, 0.5, 1, "%"),
                vote=TREES,
                source=UNSTABLE,
            ),
            Moment(
                1,
                0,
                (
                    f"What does it cost? A point passes {n_splits[0]:.1f} splits of the single tree on average, "
                    "and you can read them.",
                ),
                ask=f"How many splits does a point pass in the {lookup.NUMBERS[TREES]} trees?",
                answer=f"{sum(n_splits[1:]):.0f}, on {lookup.NUMBERS[TREES]} paths through {lookup.count(all_leaves)} "
                "leaves; then the votes are counted. The price is **one tree to read**.",
                guess=Guess(sum(n_splits[1:]), 0, 120, unit="splits"),
                vote=TREES,
                source=LOST,
            ),
            Moment(
                2,
                0,
                (
                    "Each tree of the vote could only make stairs.",
                    "This single tree of TAO splits by **lines**. It has "
                    f"{lookup.many(lines.tree(0).n_leaves, 'leaf', 'leaves')}.",
                ),
                ask=f"Does it get fewer fresh points wrong than the {lookup.NUMBERS[TREES]} trees?",
                answer=f"Yes: {percent(straight.mean())}, and the vote {percent(together.mean())}. Here a better "
                "type of split helps more than more trees. If there is no better type, a forest may be worth its cost.",
                guess=Guess(0, choices=("yes, fewer", "no, more")),
                source=LINES,
            ),
        ),
    )


@cache
def fresh() -> tuple[np.ndarray, np.ndarray]:
    """Return (X, y) of new points from the same distribution."""
    return synthetic.stripes(FRESH, seed=FRESH_SEED)


def predictions(scene: Scene, step: int, X: np.ndarray) -> np.ndarray:
    """Return the class codes that a tree predicts, int[n]."""
    tree = scene.tree(step)
    return scene.data.target.group_of(scene.data.target.outputs(tree))[tree.apply(X)]


def vote(voices: Any, n_classes: int) -> np.ndarray:
    """Return the majority vote, int[n]; the first class wins a tie.

    voices : int[trees, n], predicted class codes.
    """
    return np.array([np.sum(np.asarray(voices) == code, axis=0) for code in range(n_classes)]).argmax(axis=0)


def _list(values: Iterable) -> str:
    *first, last = map(str, values)
    return f"{', '.join(first)} and {last}"


LESSON = Lesson(
    "what-a-forest-adds",
    "What a forest adds",
    "One tree, and ten that vote: the gain of the vote, and its cost.",
    build,
    icon=":material/forest:",
    picture=0,
)
