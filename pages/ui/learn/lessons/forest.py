"""Lesson: why a forest predicts better than a tree."""

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from pages.jobs.settings import Settings, bivariate
from pages.ui.learn.lessons import claims, elsewhere, lookup, scenes, staircases
from pages.ui.learn.lessons.fresh import Claim
from pages.ui.learn.lessons.lesson import BuiltLesson, Guess, Lesson, Moment, Scene
from sample_data import synthetic
from treecore.tree.number_text import percent

SETTINGS = Settings(data_set="stripes", split="univariate", init="cart", max_depth=0)
STRAIGHT = bivariate(data_set="stripes", n_lambdas=8)
TREES, SEED, VOTERS = 10, 0, (1, 3, 5, 10)
FRESH, FRESH_SEED = 20_000, 99
OTHERS = ("checkerboard", "spirals", "moons", "xor", "clouds")  # data sets that the lesson does not show
BAGGING = "Breiman 1996, section 1 (bootstrap samples and their vote)"
UNSTABLE = "Breiman 1996, section 4 (why bagging works)"
LOST = "Breiman 1996, conclusions (what one loses and gains)"
LINES = "Kairgeldin and Carreira-Perpiñán 2024, section 1 (bivariate trees)"


def build() -> BuiltLesson:
    """Build this lesson."""
    single, many, draws = scenes.forest(SETTINGS, "One tree", "Ten trees and their vote", TREES, SEED)
    path = scenes.path(STRAIGHT, "One tree of lines")
    lines = scenes.some(path, [staircases.smallest_good(path)])
    data, n, (X, y) = single.data, len(single.rows[0]), fresh()
    one, straight = (predictions(scene, 0, X) != y for scene in (single, lines))
    voices = np.array([predictions(many, k, X) for k in range(TREES)])
    alone = (voices != y).mean(axis=1)
    votes = [vote(voices[:m], data.n_classes) != y for m in range(1, TREES + 1)]
    together = votes[-1]
    claims.significantly_fewer(together, one)
    claims.significantly_fewer(straight, together)
    claims.hold(lookup.wrong(single, 0) == 0, "CART stops before the training error is 0")
    claims.hold(min(alone) > one.mean(), "a tree trained on one draw is better than the tree trained on all points")
    drawn = VOTE.stored
    elsewhere_too = int((drawn.column(1) > 0).sum())
    growing = [float(votes[m - 1].mean()) for m in VOTERS]
    claims.hold(growing == sorted(growing, reverse=True), "a vote of more trees is not better")
    agreed = (voices == voices[0]).all(axis=0)
    wrong_together, wrong_apart = float(together[agreed].mean()), float(together[~agreed].mean())
    claims.hold(3 * wrong_together < wrong_apart, "predictions on which the trees agree are hardly better")
    seen = float(np.mean([np.unique(draw).size for draw in draws]))
    n_splits = [
        float(tree.depths[tree.apply(X)].mean()) for tree in (point.tree for point in single.points + many.points)
    ]
    all_leaves = sum(point.tree.n_leaves for point in many.points)
    return BuiltLesson(
        (single, many, lines),
        (
            Moment(
                0,
                0,
                (
                    f"**CART** grew this tree until the training error was 0. It has {single.tree(0).n_leaves} leaves "
                    f"for {lookup.count(n)} points.",
                    f"The tree misclassifies {percent(one.mean())} of {lookup.count(FRESH)} new points.",
                ),
                ask=f"{lookup.NUMBERS[TREES].capitalize()} trees vote, each trained on another random sample of these "
                "points. What percentage of the new points does the vote misclassify?",
                answer=f"{percent(together.mean())}. Of 100 points, that is {claims.fewer_by(together, one)} fewer "
                "errors.",
                guess=Guess(100 * float(together.mean()), 0, 30, 0.5, 1, "%"),
                source=BAGGING,
            ),
            Moment(
                1,
                0,
                (
                    f"These are the {lookup.NUMBERS[TREES]} trees. The large plot shows their vote.",
                    f"Each tree learned from {lookup.count(n)} points drawn *with replacement*. Some points were "
                    "drawn several times, others never.",
                ),
                ask=f"How many of the {lookup.count(n)} points does a tree see on average?",
                answer=f"{seen:.0f}. Trees are unstable, so these trees differ. Look at their slivers.",
                guess=Guess(seen, 0, n, unit="points"),
                vote=TREES,
                source=BAGGING,
            ),
            Moment(
                1,
                0,
                (
                    f"On their own, the trees misclassify {percent(min(alone))} to {percent(max(alone))} of the new "
                    "points. Each is worse than the first tree.",
                ),
                ask="Add more trees to the vote. What happens to the thin slivers in the large plot?",
                answer="They disappear, because few trees have a sliver at the same place. With "
                f"{_list(VOTERS)} trees, the error on new points is {_list(percent(share) for share in growing)}. "
                f"Ten trees are better than one {drawn.often}, and on five other data sets in {elsewhere_too}.",
                claim=VOTE.name,
                vote=1,
                source=UNSTABLE,
            ),
            Moment(
                1,
                0,
                (
                    "A vote also shows how certain the prediction is.",
                    f"All {lookup.NUMBERS[TREES]} trees agree on {100 * agreed.mean():.0f} % of the new points.",
                ),
                ask="What percentage of these points is misclassified?",
                answer=f"{percent(wrong_together)}. If the trees disagree, {percent(wrong_apart)} of the points are "
                "misclassified.",
                guess=Guess(100 * wrong_together, 0, 30, 0.5, 1, "%"),
                vote=TREES,
                source=UNSTABLE,
            ),
            Moment(
                1,
                0,
                (
                    f"What does a forest cost? In the single tree, a point passes {n_splits[0]:.1f} splits on "
                    "average, and you can read each split.",
                ),
                ask=f"How many splits does a point pass in the {lookup.NUMBERS[TREES]} trees together?",
                answer=f"{sum(n_splits[1:]):.0f}, on {lookup.NUMBERS[TREES]} decision paths in trees with "
                f"{lookup.count(all_leaves)} leaves. Then the votes are counted. The cost is that you no longer have "
                "**one tree to read**.",
                guess=Guess(sum(n_splits[1:]), 0, 120, unit="splits"),
                vote=TREES,
                source=LOST,
            ),
            Moment(
                2,
                0,
                (
                    "The boundaries of each tree in the vote are staircases.",
                    "This single TAO tree splits along **lines**. It has "
                    f"{lookup.many(lines.tree(0).n_leaves, 'leaf', 'leaves')}.",
                ),
                ask=f"Does this tree misclassify fewer new points than the vote of {lookup.NUMBERS[TREES]} trees?",
                answer=f"Yes. Its error is {percent(straight.mean())}, and the error of the vote is "
                f"{percent(together.mean())}. Here a better split type helps more than more trees. If no split type "
                "fits the data, a forest may be worth its cost.",
                guess=Guess(0, choices=("Yes, fewer", "No, more")),
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


def vote_gains(seed: int) -> tuple[float, float]:
    """Return the error of one tree minus that of the vote on new points, for stripes and for another plane.

    Both differences are in percentage points.
    """
    first, second = (gain_of_vote(name, seed) for name in ("stripes", (*OTHERS,)[seed % len(OTHERS)]))
    return first, second


def gain_of_vote(name: str, seed: int) -> float:
    """Return the error of one tree minus that of the vote on new points of a plane, in percentage points."""
    data = elsewhere.another(name, seed)
    single, many, _ = scenes.forest(replace(SETTINGS, data_set=name), "", "", TREES, seed, data)
    X, y = getattr(synthetic, name)(elsewhere.NEW, seed=seed + elsewhere.APART)
    voted = vote([predictions(many, k, X) for k in range(TREES)], data.n_classes)
    return 100 * float((predictions(single, 0, X) != y).mean() - (voted != y).mean())


def _own(built: BuiltLesson) -> float:
    single, many, _ = built.scenes
    X, y = fresh()
    voted = vote([predictions(many, k, X) for k in range(TREES)], single.data.n_classes)
    return 100 * float((predictions(single, 0, X) != y).mean() - (voted != y).mean())


VOTE = Claim(
    "vote-of-ten-trees",
    "A vote of ten trees misclassifies fewer new points than one tree.",
    "stripes, 1,500 new points a draw",
    "error of one tree minus error of the vote (percentage points)",
    vote_gains,
    _own,
    least=0.9,
)


LESSON = Lesson(
    "what-a-forest-adds",
    "What a forest adds",
    "The gain from letting ten trees vote, and the cost.",
    build,
    icon=":material/forest:",
    picture=0,
    keep="A vote of unstable trees is usually better than one tree, but you cannot read it.",
    task="Change λ. Can one tree with lines beat the ten trees on test points?",
    claims=(VOTE,),
)
