"""Lesson: bias and variance."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np

import sample_data
from pages.jobs.settings import Settings
from pages.ui.learn.lessons import claims, elsewhere, formulas, lookup, scenes
from pages.ui.learn.lessons.fresh import Claim, Found
from pages.ui.learn.lessons.lesson import BuiltLesson, Drawn, Figure, Guess, Knob, Lesson, Moment, Scene, Series
from sample_data import DataSet, synthetic
from treecore.tree.number_text import percent
from treecore.tree.target import Target
from treecore.tree.tree import Tree

SETTINGS = Settings(data_set="hill", split="univariate", init="cart", max_depth=2)
SMALL, LARGE = 2, 8  # depths of the shown trees
DEPTHS = (SMALL, 4, 5, LARGE)
SIZES = (50, 200, 800)  # points per draw
NOISY = {"moons": 0.45, "clouds": 0.35}  # standard deviations, instead of 0.12 and 0.16
CURVE = range(1, 11)  # depths of the curves
POINTS, NOISE = 200, 12.0  # of most draws; standard deviation of the heights in metres
SEEDS = range(100, 110)  # draws that the lesson shows
FRESH, FRESH_SEED = 5_000, 99
SOURCE = "Breiman 1996, section 4 (why bagging works)"
LARGE_TREES = "Carreira-Perpiñán and Tavallali 2018, section 1 (large trees overfit)"


class Parts(NamedTuple):
    """Parts of the error of trees on different draws.

    error : root mean squared error; bias, spread : its parts, for infinitely many draws (the variance of a mean of n
    trees is left out of the bias); mean : error of the mean prediction of these trees.
    """

    error: float
    bias: float
    spread: float
    mean: float


def build() -> BuiltLesson:
    """Build this lesson."""
    X, heights = truth()
    said = {(n, depth): voices(depth, SEEDS, n) for n in SIZES for depth in (SMALL, LARGE)}
    parts = {depth: parts_of(voices(depth, SEEDS), heights) for depth in DEPTHS}
    small, large = parts[SMALL], parts[LARGE]
    claims.hold(_falls([one.bias for one in parts.values()]), "a larger tree has a larger bias")
    claims.hold(_falls([-one.spread for one in parts.values()]), "a larger tree has a smaller spread")
    curve, n_curve = curve_of(APART.stored), 2 * APART.stored.n
    best = min(DEPTHS, key=lambda depth: curve[depth].error)
    claims.hold(best not in (SMALL, LARGE), "the smallest error is at an end")
    near = [depth for depth in CURVE if curve[depth].error < 1.02 * curve[best].error]
    claims.hold(not {SMALL, LARGE} & set(near), "a depth at an end is nearly as good")
    alone = np.sqrt(((said[POINTS, LARGE] - heights) ** 2).mean(axis=1))
    claims.hold(large.mean < alone.min(), "a single tree is better than the mean")
    claims.hold(
        1.75 < curve[LARGE].spread / curve[SMALL].spread < 2.25, "the spread of large trees is not twice as large"
    )
    claims.hold(curve[LARGE].bias < 0.5 * curve[SMALL].bias, "the bias of large trees is not half as large")
    more_points = [parts_of(said[n, SMALL], heights) for n in SIZES]
    claims.hold(_falls([one.spread for one in more_points]), "more points do not lower the spread")
    claims.hold(_change(more_points) < 0.05, "more points change the bias")
    elsewhere_too = {name: [on_other_data(name, n, SMALL) for n in SIZES] for name in elsewhere.PLANES}
    claims.hold(all(_falls([one.spread for one in found]) for found in elsewhere_too.values()), "elsewhere they do not")
    change = max(map(_change, elsewhere_too.values()))
    claims.hold(change < 0.1, "on another data set, more points change the bias")
    others = {name: (found[SIZES.index(POINTS)], on_other_data(name)) for name, found in elsewhere_too.items()}
    claims.hold(all(many.bias < few.bias for few, many in others.values()), "on other data, large trees have more bias")
    more = [name for name, (few, many) in others.items() if many.spread > few.spread]
    claims.hold(2 * len(more) > len(others), "on most other data, large trees have less spread")
    noisy = {
        name: (on_other_data(name, depth=SMALL, noise=noise), on_other_data(name, depth=LARGE, noise=noise))
        for name, noise in NOISY.items()
    }
    claims.hold(set(noisy) == set(others) - set(more), "other data sets have less spread")
    claims.hold(all(many.spread > few.spread for few, many in noisy.values()), "noise does not add spread")
    leaves = {depth: round(float(np.mean([tree.n_leaves for tree in grown(depth, SEEDS)]))) for depth in DEPTHS}
    n, first = lookup.NUMBERS[len(SEEDS)], SIZES.index(POINTS) * len(SEEDS)
    last = first + len(SEEDS) - 1
    few_trees, many_trees = (tuple(_errors(said, depth)) for depth in (SMALL, LARGE))
    return BuiltLesson(
        tuple(_scene(size, k) for size in SIZES for k in range(len(SEEDS))),
        (
            Moment(
                first,
                0,
                (
                    f"We measure the height of a landscape at {POINTS} random places, with a **noise** of {NOISE:g} m. "
                    f"A tree with {lookup.many(leaves[SMALL], 'leaf', 'leaves')} learns from these points.",
                    f"*New draw* measures at {POINTS} other places.",
                ),
                ask="Take some draws. By how many metres do their trees differ at one place (standard deviation)?",
                answer=f"By {_text(small.spread)} on average over {n} draws. This is the **spread**; its square is the "
                "*variance*.",
                guess=Guess(small.spread, 0, 30, 0.5, 1, "m"),
                knobs=(1,),
                draws=tuple(one._replace(bias=None) for one in few_trees),
                source=SOURCE,
            ),
            Moment(
                last,
                0,
                (
                    f"The right plane shows the **mean** of all {n} trees. Differences by chance mostly cancel out.",
                    "The error that is left is mostly the **bias**.",
                ),
                ask="How far is this mean from the true height, on average?",
                answer=f"{_text(small.mean)}. A tenth of the variance is still in it; the bias alone is "
                f"{_text(small.bias)}. So few leaves cannot follow a round hill in any draw. More draws do not help.",
                guess=Guess(small.mean, 0, 30, 0.5, 1, "m"),
                knobs=(1,),
                draws=few_trees,
                source=SOURCE,
            ),
            Moment(
                len(SEEDS) - 1,
                0,
                (
                    f"A draw may have more points. The trees keep {lookup.many(leaves[SMALL], 'leaf', 'leaves')}. "
                    "Compare the trees of some draws, and their mean.",
                ),
                ask=f"From {SIZES[0]} to {SIZES[-1]} points per draw: what happens to the spread and to the bias?",
                answer=f"The spread is {_list(_text(one.spread) for one in more_points)}, the bias "
                f"{_list(_text(one.bias) for one in more_points)}. On {lookup.many(len(others), 'other data set')}, "
                f"the spread falls, too, and the bias changes by at most {percent(change, 0)}.",
                guess=Guess(
                    1, choices=("Both fall", "The spread falls, the bias stays", "The bias falls, the spread stays")
                ),
                knobs=(0, 1),
                draws=few_trees,
                source=SOURCE,
            ),
            Moment(
                first,
                1,
                (
                    f"Now the trees may grow to depth {LARGE}. They have about {leaves[LARGE]} leaves for {POINTS} "
                    "points.",
                    "Take some draws and watch the regions.",
                ),
                ask="How much do these trees differ from draw to draw, compared with the small trees?",
                answer=f"The spread is {_text(large.spread)} instead of {_text(small.spread)}. Two large trees differ "
                f"more than two small ones {APART.stored.often}. A small leaf follows the noise of its few points.",
                guess=Guess(2, choices=("Less", "About as much", "Clearly more"), ordered=True),
                claim=APART.name,
                knobs=(1,),
                draws=tuple(one._replace(bias=None) for one in many_trees),
                source=LARGE_TREES,
            ),
            Moment(
                last,
                1,
                (
                    f"On its own, each large tree misses the true heights by {_text(alone.min())} to "
                    f"{_text(alone.max())}.",
                ),
                ask=f"How far is the mean of all {n} from the true height?",
                answer=f"{_text(large.mean)}: nearer than the best tree alone. A tenth of the variance is still in it. "
                f"The bias, over {n_curve} draws, is {_text(curve[LARGE].bias)}, and {_text(curve[SMALL].bias)} for "
                "small trees. A *forest* uses this.",
                guess=Guess(large.mean, 0, 30, 0.5, 1, "m"),
                knobs=(1,),
                draws=many_trees,
                source=SOURCE,
            ),
            Moment(
                last,
                1,
                (
                    "The squared error of a tree is the sum of both parts: **error² = bias² + spread²**. For a new "
                    f"*measurement*, its noise of {NOISE:g} m comes on top, for every tree.",
                    "A larger tree is better while the bias falls faster than the spread rises.",
                ),
                ask="Which of these depths has the smallest error here?",
                answer=f"Depth {best}. Errors over {n_curve} draws: "
                + ", ".join(f"{_text(curve[depth].error)} at depth {depth}" for depth in DEPTHS)
                + f". Depths {_list(map(str, near))} are within 2 %.",
                guess=Guess(DEPTHS.index(best), choices=tuple(f"Depth {depth}" for depth in DEPTHS), ordered=True),
                formula=formulas.BIAS,
                figure=Figure(
                    "Squared error of trees, and its two parts, by depth",
                    "m², mean over new places",
                    tuple(CURVE),
                    tuple(
                        Series(name, tuple(getattr(curve[depth], part) ** 2 for depth in CURVE), late)
                        for name, part, late in (
                            ("bias²", "bias", False),
                            ("spread²", "spread", False),
                            ("error²", "error", True),
                        )
                    ),
                    "depth",
                ),
                source=LARGE_TREES,
            ),
            Moment(
                last,
                0,
                (
                    f"The sum holds for class probabilities, too. On {lookup.many(len(others), 'other data set')}, "
                    f"trees of depth {LARGE} always had less bias than trees of depth {SMALL}.",
                ),
                ask="On what share of these did they have more spread?",
                answer=f"On {len(more)}: {', '.join(more)}. On the others, {POINTS} points show the boundaries "
                f"well. With more noise, they have more spread there, too: {_pairs(noisy)}.",
                guess=elsewhere.how_often(len(more), len(others), elsewhere.ON_SETS),
                figure=Figure(
                    "Spread of small and large trees on other data sets",
                    "spread of the class probabilities",
                    tuple(others),
                    (
                        Series(f"depth {SMALL}", tuple(few.spread for few, _ in others.values())),
                        Series(f"depth {LARGE}", tuple(many.spread for _, many in others.values()), late=True),
                    ),
                ),
                source=SOURCE,
            ),
        ),
        (Knob("Points per draw", tuple(map(str, SIZES))), Knob("Draw", tuple(str(k + 1) for k in range(len(SEEDS))))),
    )


def parts_of(voices: np.ndarray, true: np.ndarray) -> Parts:
    """Return the parts of the root mean squared error.

    voices : float[trees, ...], predictions; true : float[...].
    """
    error, mean = (float((squares**2).mean()) for squares in (voices - true, voices.mean(axis=0) - true))
    variance = float(voices.var(axis=0, ddof=1).mean())
    bias = max(mean - variance / len(voices), 0.0)
    return Parts(*(float(np.sqrt(square)) for square in (error, bias, variance, mean)))


def on_other_data(name: str, n: int = POINTS, depth: int = LARGE, noise: float | None = None) -> Parts:
    """Return the parts of the error of class probabilities, for trees of a depth on draws of `n` points of a plane."""
    data = sample_data.load(name)
    generate: Callable = getattr(synthetic, name)
    if noise is not None:
        generate = partial(generate, noise=noise)
    X, y = generate(FRESH // 2, seed=FRESH_SEED)
    said = []
    for seed in SEEDS:
        points = generate(n, seed=seed)
        tree = _grow(replace(data, X=points[0], y=points[1], split=None), depth)
        shares = tree.values / tree.values.sum(axis=1, keepdims=True)
        codes = [data.class_names.index(str(label)) for label in tree.classes]
        voice = np.zeros((len(X), data.n_classes))
        voice[:, codes] = shares[tree.apply(X)]
        said.append(voice)
    return parts_of(np.array(said), np.eye(data.n_classes)[y])


@cache
def truth() -> tuple[np.ndarray, np.ndarray]:
    """Return (X, heights without noise) of new places."""
    return synthetic.hill(FRESH, noise=0.0, seed=FRESH_SEED)


def voices(depth: int, seeds: range, n: int = POINTS) -> np.ndarray:
    """Return the predictions of the tree of each draw at the new places, float[seeds, FRESH]."""
    return np.array([tree.predict(truth()[0]) for tree in grown(depth, seeds, n)])


def curve_of(found: Found) -> dict[int, Parts]:
    """Return the parts of the error for each depth of `CURVE`, from the pairs of draws of `APART`."""
    means = found.values[:, 1:].mean(axis=0).reshape(len(CURVE), 2)
    return {
        depth: Parts(*(float(np.sqrt(max(square, 0.0))) for square in (bias + variance, bias, variance, bias)))
        for depth, (bias, variance) in zip(CURVE, means.tolist(), strict=True)
    }


@cache
def grown(depth: int, seeds: range, n: int = POINTS) -> tuple[Tree, ...]:
    """Return a CART tree of a depth for each draw of `n` points."""
    return tuple(_grow(_draw(seed, n), depth) for seed in seeds)


class Landscape(DataSet):
    """A draw of points, with the same groups of heights for all draws, so that they have the same colours."""

    @property
    def target(self) -> Target:
        """Return the target of the predictions."""
        return _target()


@cache
def _target() -> Target:
    return sample_data.load("hill").target


def _draw(seed: int, n: int) -> Landscape:
    X, y = synthetic.hill(n, NOISE, seed)
    hill = sample_data.load("hill")
    facts: dict[str, Any] = {one.name: getattr(hill, one.name) for one in fields(hill) if one.init}
    facts |= {"X": X, "y": y, "split": None, "source": "generated for this lesson"}
    return Landscape(**facts)


def _grow(data: DataSet, depth: int) -> Tree:
    task = scenes.task_of(replace(SETTINGS, data_set=data.name, max_depth=depth), data)
    return task.estimator(lam=0.0, max_iter=0).fit(data.X, data.labels()).tree_


def _scene(n: int, k: int) -> Scene:
    """Return the scene of a draw, with its small and its large tree."""
    trees = (grown(depth, SEEDS, n)[k] for depth in (SMALL, LARGE))
    points = tuple(scenes.Point(0.0, tree, {}) for tree in trees)
    rows = np.arange(n), np.arange(0), np.arange(0)
    return Scene(f"Draw {k + 1} of {n} points", _draw(SEEDS[k], n), rows, points, settings=SETTINGS, is_made=True)


def _errors(said: Mapping[tuple[int, int], np.ndarray], depth: int) -> Iterator[Drawn]:
    """Yield the errors of the trees so far for each scene."""
    for n in SIZES:
        for k in range(len(SEEDS)):
            some = said[n, depth][: k + 1]
            mean = float(np.sqrt(((some.mean(axis=0) - truth()[1]) ** 2).mean()))
            yield Drawn(mean, float(np.sqrt(some.var(axis=0, ddof=1).mean())) if k else 0.0)


def _change(found: Sequence[Parts]) -> float:
    """Return the largest change of the bias, relative to the first one."""
    return max(abs(one.bias / found[0].bias - 1) for one in found)


def _pairs(noisy: Mapping[str, tuple[Parts, Parts]]) -> str:
    """Return the spread of small and large trees in words."""
    return " and ".join(f"{name} {few.spread:.2f} and {many.spread:.2f}" for name, (few, many) in noisy.items())


def _list(texts: Iterable[str]) -> str:
    *first, last = texts
    return f"{', '.join(first)} and {last}"


def _falls(values: list[float]) -> bool:
    return values == sorted(values, reverse=True)


def _text(metres: float) -> str:
    return f"{metres:.1f} m"


def draws_apart(seed: int) -> tuple[float, ...]:
    """Return how much more two large trees differ than two small ones, on two new draws of points, in metres.

    Then for each depth of `CURVE` an unbiased estimate of the squared bias, which is the mean product of the errors of
    both trees, and one of the variance, in square metres.
    """
    X, heights = truth()
    pair = [_draw(one, POINTS) for one in (seed, seed + elsewhere.APART)]
    values, apart = [], {}
    for depth in CURVE:
        one, other = (_grow(draw, depth).predict(X) for draw in pair)
        square = float(((one - other) ** 2).mean())
        apart[depth] = np.sqrt(square)
        values += [float(((one - heights) * (other - heights)).mean()), square / 2]
    return float(apart[LARGE] - apart[SMALL]), *values


def _own(_: BuiltLesson) -> float:
    X = truth()[0]
    found = {
        depth: np.mean(
            [
                np.sqrt(((one.predict(X) - two.predict(X)) ** 2).mean())
                for one, two in zip(grown(depth, SEEDS)[::2], grown(depth, SEEDS)[1::2], strict=True)
            ]
        )
        for depth in (SMALL, LARGE)
    }
    return float(found[LARGE] - found[SMALL])


APART = Claim(
    "large-trees-differ",
    "Two large trees of two draws differ more than two small trees.",
    f"hill with noise {NOISE:g} m, {POINTS} new points a draw",
    "difference of two large trees minus difference of two small trees (m)",
    draws_apart,
    _own,
    least=0.95,
)


LESSON = Lesson(
    "bias-and-variance",
    "Bias and variance",
    "Many draws of the same landscape: how far trees are off together, and how much they differ.",
    build,
    icon=":material/blur_on:",
    picture=3,
    keep="Small trees are wrong in the same way each time; large trees usually differ more from draw to draw.",
    task="Change *Random seed* five times at depth 2, then at depth 8. Which trees differ more?",
    claims=(APART,),
)
