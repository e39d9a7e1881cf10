"""Lesson: overfitting."""

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import NamedTuple

import numpy as np

import sample_data
from pages.jobs.settings import Settings
from pages.ui.learn.lessons import claims, elsewhere, lookup, scenes
from pages.ui.learn.lessons.fresh import LEVEL, Claim, sentence
from pages.ui.learn.lessons.lesson import BuiltLesson, Guess, Knob, Lesson, Moment, Scene
from sample_data import DataSet, synthetic
from sample_data.data_set import TEST, TRAIN, VALIDATION
from treecore.tree.number_text import percent
from viz.charts.path_points import recommended

SETTINGS = Settings(data_set="fields", split="univariate", init="cart", max_depth=12, n_lambdas=14, lambdas="critical")
NOISE, ASIDE = (0.0, 0.1, 0.2, 0.3), (20, 50, 80)  # shares with noisy classes; percentages kept aside
POINTS, FRESH = 600, 20_000
SEED, FRESH_SEED = 15, 99
SMALL = 3  # maximum number of training points in a small leaf
LARGE = "Carreira-Perpiñán and Tavallali 2018, section 1 (large trees overfit)"
PATH = "Carreira-Perpiñán and Tavallali 2018, section 4 (path of trees)"


def build() -> BuiltLesson:
    """Build this lesson."""
    grid = tuple(path(noise, aside) for noise in NOISE for aside in ASIDE)
    # For `quiet` and `at`, half of the points are kept aside.
    quiet, few, at, many = 1, len(grid) - 3, len(grid) - 2, len(grid) - 1
    scene = grid[at]
    leaves = [point.tree.n_leaves for point in scene.points]
    wrong = [fresh_wrong(scene, NOISE[-1], k) for k in range(len(leaves))]
    best = int(np.argmin([one.sum() for one in wrong]))
    claims.significantly_fewer(wrong[best], wrong[0])
    claims.significantly_fewer(wrong[best], wrong[-1])
    trained = [lookup.wrong(scene, k) for k in range(len(leaves))]
    claims.hold(trained == sorted(trained), "a larger tree misclassifies more training points")
    tested = [lookup.wrong_rows(scene, k, 2) for k in range(len(leaves))]
    least = min(range(len(leaves)), key=lambda k: tested[k].sum())
    claims.significantly_fewer(tested[least], tested[0])
    claims.hold(tested[least].sum() < tested[-1].sum(), "the test error does not fall first")
    counts = scene.tree(0).n_samples[scene.tree(0).left < 0]
    lone = in_small_leaves(scene, NOISE[-1])
    inside, outside = (float(wrong[0][some].mean()) for some in (lone, ~lone))
    claims.hold(inside > 1.5 * outside, "small leaves have a small error")
    leaves_drawn, aside_drawn = SMALL_LEAVES.stored, KEPT_ASIDE.stored
    means = [aside_drawn.column(k).mean() for k in (1, 4, 7)]
    covered = int(sum(aside_drawn.column(k).sum() for k in (2, 5, 8)))
    n_intervals = len(ASIDE) * aside_drawn.n
    halves = [grid[1 + k * len(ASIDE)] for k in range(len(NOISE))]
    sizes, harms = [one.tree(0).n_leaves for one in halves], [harm(*pair) for pair in zip(halves, NOISE, strict=True)]
    claims.hold(sizes == sorted(sizes) and harms == sorted(harms), "more noise does not harm more")
    chosen = {k: recommended(grid[k].points)["min"] for k in (few, at, many)}
    claims.hold(chosen[at] == best, "the validation points select another tree")
    judged = {k: claims.low_and_high(lookup.wrong(grid[k], chosen[k], 2), len(grid[k].rows[2])) for k in chosen}
    claims.hold(np.ptp(judged[many]) < 0.6 * np.ptp(judged[few]), "more test points do not shorten the interval")
    new_wrong = {k: fresh_wrong(grid[k], NOISE[-1], chosen[k]) for k in chosen}
    claims.hold(judged[at][0] < new_wrong[at].mean() < judged[at][1], "the interval does not contain the error")
    n = len(scene.rows[0])
    return BuiltLesson(
        grid,
        (
            Moment(
                at,
                scene.last,
                (
                    f"{lookup.count(n)} plants in four fields. **Noise** has moved each of them, so the classes "
                    "overlap.",
                    f"The {lookup.many(len(leaves), 'tree')} on this path have {lookup.NUMBERS[leaves[-1]]} to "
                    f"{leaves[0]} leaves. The largest tree misclassifies only "
                    f"{lookup.many(trained[0], 'training point')}.",
                ),
                ask="Which size misclassifies the fewest *new* points?",
                answer=f"{lookup.many(leaves[best], 'leaf', 'leaves').capitalize()}: {percent(wrong[best].mean())} of "
                f"{lookup.count(FRESH)} new points are misclassified. With {leaves[0]} leaves, "
                f"{percent(wrong[0].mean())} are misclassified. On most other draws, the best tree has "
                f"{_span(leaves_drawn.usual(2))} leaves.",
                guess=Guess(
                    len(leaves) - 1 - best, choices=tuple(lookup.many(k, "leaf", "leaves") for k in reversed(leaves))
                ),
                source=PATH,
            ),
            Moment(
                at,
                scene.last,
                (
                    "The slider below contains all trees on the path. Trees are larger on the left, because the "
                    "penalty of a split is smaller there.",
                ),
                ask="Drag the slider to the left end. Which curve keeps falling, and which curve turns?",
                answer=f"The training error keeps falling, to {lookup.error(scene, 0)}. The test error falls to "
                f"{lookup.error(scene, least, 2)} with {lookup.many(leaves[least], 'leaf', 'leaves')}, then *rises* "
                "to "
                f"{lookup.error(scene, 0, 2)}. That is **overfitting**.",
                source=PATH,
                chart=True,
            ),
            Moment(
                at,
                0,
                (
                    f"The largest tree: of its {leaves[0]} leaves, {int((counts <= SMALL).sum())} have "
                    f"{lookup.many(SMALL, 'training point')} or fewer.",
                    "In the plane, these leaves are the slivers.",
                ),
                ask="How often does the tree misclassify a new point in such a leaf?",
                answer=f"In {100 * inside:.0f} % of the cases, and in {_span(leaves_drawn.usual(1))} % on most other "
                f"draws: like a coin toss. In other leaves: {100 * outside:.0f} %. A small leaf fits points that noise "
                "has moved, and noise moves new points elsewhere.",
                claim=SMALL_LEAVES.name,
                guess=Guess(100 * inside, 0, 100, unit="%"),
                source=LARGE,
            ),
            Moment(
                quiet,
                0,
                (
                    "These are the same points without noise. The largest tree has "
                    f"{lookup.many(sizes[0], 'leaf', 'leaves')}.",
                    "Now increase the noise again.",
                ),
                ask="What happens to the largest tree, at the left end of the slider?",
                answer=f"The tree grows: {_list(sizes)} leaves. Of 100 new points, it misclassifies "
                f"{_list(f'{100 * one:.1f}' for one in harms)} more than the best tree on its path. The largest tree "
                "memorises the noise.",
                knobs=(0,),
                source=LARGE,
                chart=True,
            ),
            Moment(
                few,
                chosen[few],
                (
                    f"TAO trains on {lookup.count(len(grid[few].rows[0]))} points. "
                    f"{len(grid[few].rows[1])} points select a tree, and {len(grid[few].rows[2])} test it. "
                    f"The test error is {lookup.error(grid[few], chosen[few], 2)}.",
                    f"The true error may be {claims.span(judged[few])}.",
                ),
                ask=f"Keep {ASIDE[-1]} % of the points aside. What do you gain and lose?",
                answer=f"You gain certainty: with {len(grid[many].rows[2])} test points, the interval is "
                f"{claims.span(judged[many])}. You may lose accuracy: over {aside_drawn.n} new draws, the mean error "
                "on "
                f"new points is {means[0]:.1f}, {means[1]:.1f} and {means[2]:.1f} % for the three positions. One "
                "draw can show the opposite.",
                claim=KEPT_ASIDE.name,
                knobs=(1,),
                source=PATH,
            ),
            Moment(
                at,
                chosen[at],
                (
                    f"Only test points can judge the selected tree: {lookup.error(scene, best, 2)} here, so the true "
                    f"error may be {claims.span(judged[at])}.",
                ),
                ask="Points are drawn again and again. How often does the interval contain the error on new points?",
                answer=f"{sentence(f'for {covered} of {n_intervals} trees')} Such intervals should fail for about "
                f"{100 * LEVEL:.0f} %.",
                guess=elsewhere.how_often(covered, n_intervals),
                knobs=(0, 1),
                source=PATH,
            ),
        ),
        (Knob("Noise", tuple(f"{noise:g}" for noise in NOISE)), Knob("Kept aside", tuple(f"{a} %" for a in ASIDE))),
    )


def path(noise: float, aside: int, seed: int = SEED) -> Scene:
    """Return the scene of the path without the single leaf, whose large error would flatten the curves."""
    found = scenes.generated_path(SETTINGS, f"Noise {noise:g}, {aside} % kept aside", points(noise, aside, seed))
    return replace(found, points=found.points[:-1])


def points(noise: float, aside: int, seed: int = SEED) -> DataSet:
    """Return a DataSet of four fields.

    aside : percentage of points kept aside, half for validation and half for testing.
    """
    X, y = synthetic.fields(POINTS, noise, seed)
    split, order, kept = np.full(POINTS, TRAIN), np.random.default_rng(seed).permutation(POINTS), POINTS * aside // 100
    split[order[:kept]], split[order[: kept // 2]] = TEST, VALIDATION
    return replace(sample_data.load("fields"), X=X, y=y, split=split, source="generated for this lesson")


def harm(scene: Scene, noise: float) -> float:
    """Return the error of the largest tree on new points minus that of the best tree on the path."""
    errors = [float(fresh_wrong(scene, noise, k).mean()) for k in range(len(scene.points))]
    return errors[0] - min(errors)


class Draw(NamedTuple):
    """Results on another draw of points with the most noise: shares of misclassified new points.

    n_leaves : number of leaves of the best tree; inside, outside : shares in small and in other leaves of the largest
    tree.
    """

    best: float
    largest: float
    n_leaves: int
    inside: float
    outside: float


def on_another_draw(seed: int) -> Draw:
    """Return the results on another draw, with half of the points kept aside."""
    scene = path(NOISE[-1], ASIDE[1], seed)
    wrong = [fresh_wrong(scene, NOISE[-1], k) for k in range(len(scene.points))]
    best, lone = int(np.argmin([one.mean() for one in wrong])), in_small_leaves(scene, NOISE[-1])
    return Draw(
        float(wrong[best].mean()),
        float(wrong[0].mean()),
        scene.tree(best).n_leaves,
        float(wrong[0][lone].mean()),
        float(wrong[0][~lone].mean()),
    )


@cache
def fresh(noise: float) -> tuple[np.ndarray, np.ndarray]:
    """Return (X, y) of new points from the same distribution."""
    return synthetic.fields(FRESH, noise, FRESH_SEED)


def fresh_wrong(scene: Scene, noise: float, step: int) -> np.ndarray:
    """Return which of the new points a tree misclassifies, bool[FRESH]."""
    X, y = fresh(noise)
    target, tree = scene.data.target, scene.tree(step)
    return target.is_wrong(target.outputs(tree)[tree.apply(X)], y)


def in_small_leaves(scene: Scene, noise: float) -> np.ndarray:
    """Return which of the new points reach a small leaf of the largest tree, bool[FRESH]."""
    tree = scene.tree(0)
    return tree.n_samples[tree.apply(fresh(noise)[0])] <= SMALL


def _span(ends: tuple[float, float]) -> str:
    return f"{ends[0]:.0f} to {ends[1]:.0f}"


def _list(values: Iterable) -> str:
    *first, last = map(str, values)
    return f"{', '.join(first)} and {last}"


def small_leaves(seed: int) -> tuple[float, ...]:
    """Return the errors of the largest tree in small leaves minus those in other leaves, in percentage points.

    Then the error in small leaves (%), the leaves of the best tree, and the error of the largest minus the best tree.
    """
    one = on_another_draw(seed)
    differences = 100 * (one.inside - one.outside), 100 * one.inside, one.n_leaves, 100 * (one.largest - one.best)
    return tuple(map(float, differences))


def kept_aside(seed: int) -> tuple[float, ...]:
    """Return the error on new points with most points kept aside minus that with the fewest, in percentage points.

    Then for each share kept aside the error (%), whether the interval of the test points contains it, and its width.
    """
    values = []
    for aside in ASIDE:
        scene = path(NOISE[-1], aside, seed)
        k = recommended(scene.points)["min"]
        low, high = claims.low_and_high(lookup.wrong(scene, k, 2), len(scene.rows[2]))
        error = fresh_wrong(scene, NOISE[-1], k).mean()
        values += [100 * error, low <= error <= high, 100 * (high - low)]
    return tuple(map(float, (values[-3] - values[0], *values)))


def _own_leaves(_: BuiltLesson) -> float:
    return small_leaves(SEED)[0]


def _own_aside(_: BuiltLesson) -> float:
    return kept_aside(SEED)[0]


SMALL_LEAVES = Claim(
    "small-leaves",
    "The largest tree makes more errors in its small leaves than in its other leaves.",
    f"four fields with noise {NOISE[-1]:g}, {POINTS} new points a draw",
    "error in small leaves minus error in other leaves (percentage points)",
    small_leaves,
    _own_leaves,
    above=10.0,
    least=0.9,
)
KEPT_ASIDE = Claim(
    "kept-aside",
    "The selected tree makes more errors on new points if it has fewer training points.",
    f"four fields with noise {NOISE[-1]:g}, {POINTS} new points a draw",
    f"error with {ASIDE[-1]} % kept aside minus error with {ASIDE[0]} % (percentage points)",
    kept_aside,
    _own_aside,
    least=0.6,
)


LESSON = Lesson(
    "overfitting",
    "Overfitting",
    "Change the noise, keep points aside, and watch the training error fall while the test error rises.",
    build,
    icon=":material/trending_up:",
    picture=2,
    keep="Only points that neither trained nor selected a tree can judge it.",
    task="Raise *Maximum depth* step by step. When do slivers around single points appear in the initial tree?",
    claims=(SMALL_LEAVES, KEPT_ASIDE),
)
