"""Lesson: bias and variance."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, partial
from typing import NamedTuple

import numpy as np

import sample_data
from pages.jobs.settings import Settings
from pages.ui.learn.lessons import claims, elsewhere, formulas, lookup, scenes
from pages.ui.learn.lessons.lesson import BuiltLesson, Figure, Guess, Lesson, Moment, Scene, Series
from sample_data import synthetic
from treecore.tree.number_text import number
from treecore.tree.tree import Tree

SETTINGS = Settings(data_set="hill", split="univariate", init="cart", max_depth=2)
DEPTHS = (2, 4, 5, 8)  # of the trees, small to large
NOISY = {"moons": 0.45, "clouds": 0.35}  # standard deviations, instead of 0.12 and 0.16
CURVE = range(1, 11)  # depths of the curves
POINTS, NOISE = 200, 12.0  # of each draw; standard deviation of the heights in metres
SEEDS, OTHER_SEEDS = range(100, 110), range(200, 210)
FRESH, FRESH_SEED = 5_000, 99
SOURCE = "Breiman 1996, section 4 (why bagging works)"
LARGE = "Carreira-Perpiñán and Tavallali 2018, section 1 (large trees overfit)"


class Parts(NamedTuple):
    """Parts of the error of trees on different draws: mean error, error of the mean prediction, and spread."""

    error: float
    bias: float
    spread: float


def build() -> BuiltLesson:
    """Build this lesson."""
    found = {depth: grown(depth, SEEDS) for depth in DEPTHS}
    X, heights = truth()
    said = {depth: np.array([tree.predict(X) for tree in trees]) for depth, trees in found.items()}
    parts = {depth: parts_of(voices, heights) for depth, voices in said.items()}
    small, large = (parts[depth] for depth in (DEPTHS[0], DEPTHS[-1]))
    claims.hold(_falls([one.bias for one in parts.values()]), "a larger tree has a larger bias")
    claims.hold(_falls([-one.spread for one in parts.values()]), "a larger tree has a smaller spread")
    again = [parts_of(np.array([tree.predict(X) for tree in grown(depth, OTHER_SEEDS)]), heights) for depth in DEPTHS]
    best = min(DEPTHS, key=lambda depth: parts[depth].error)
    curve = curves(X, heights)
    claims.hold(min(CURVE, key=lambda depth: curve[depth].error) == best, "another depth has a smaller error")
    claims.hold(best not in (DEPTHS[0], DEPTHS[-1]), "the smallest error is at an end")
    claims.hold(DEPTHS[int(np.argmin([one.error for one in again]))] == best, "other draws have another best depth")
    alone = np.sqrt(((said[DEPTHS[-1]] - heights) ** 2).mean(axis=1))
    claims.hold(large.bias < alone.min(), "a single tree is better than the mean")
    others = {name: on_other_data(name) for name in elsewhere.PLANES}
    claims.hold(all(many.bias < few.bias for few, many in others.values()), "on other data, large trees have more bias")
    more = [name for name, (few, many) in others.items() if many.spread > few.spread]
    claims.hold(2 * len(more) > len(others), "on most other data, large trees have less spread")
    noisy = {name: on_other_data(name, noise) for name, noise in NOISY.items()}
    claims.hold(set(noisy) == set(others) - set(more), "other data sets have less spread")
    claims.hold(all(many.spread > few.spread for few, many in noisy.values()), "noise does not add spread")
    leaves = {depth: round(float(np.mean([tree.n_leaves for tree in found[depth]]))) for depth in DEPTHS}
    first, last = (
        _scene(found[depth], title)
        for depth, title in ((DEPTHS[0], "Ten small trees"), (DEPTHS[-1], "Ten large trees"))
    )
    n = lookup.NUMBERS[len(SEEDS)]
    return BuiltLesson(
        (first, last),
        (
            Moment(
                0,
                0,
                (
                    f"We measure the height of a landscape at {POINTS} places, with a **noise** of {NOISE:g} m. A tree "
                    f"with {lookup.many(leaves[DEPTHS[0]], 'leaf', 'leaves')} learns from it.",
                    f"The slider has {n} such trees. Each was trained on {POINTS} other places.",
                ),
                ask="By how many metres do the predictions of these trees differ at one place (standard deviation)?",
                answer=f"By {_text(small.spread)} on average. This is the **spread**; its square is the *variance*.",
                guess=Guess(small.spread, 0, 30, 0.5, 1, "m"),
                source=SOURCE,
            ),
            Moment(
                0,
                4,
                (
                    "Now take the **mean** of the ten predictions at each place. Differences by chance mostly cancel "
                    "out.",
                    "The error that is left is the **bias**.",
                ),
                ask="How far is this mean from the true height, on average?",
                answer=f"{_text(small.bias)}. So few leaves cannot follow a round hill in any draw. More draws do not "
                "help.",
                guess=Guess(small.bias, 0, 30, 0.5, 1, "m"),
                source=SOURCE,
            ),
            Moment(
                1,
                0,
                (
                    f"These {n} trees may grow to depth {DEPTHS[-1]}. They have about {leaves[DEPTHS[-1]]} leaves for "
                    f"{POINTS} points.",
                    "Move the slider and watch the regions.",
                ),
                ask="Compared with the small trees: what happens to the spread and to the bias?",
                answer=f"The spread is {_text(large.spread)}, about {large.spread / small.spread:.1f} times as large. "
                f"The bias is only {_text(large.bias)}.",
                guess=Guess(
                    2, choices=("Both fall", "Both rise", "Spread rises, bias falls", "Spread falls, bias rises")
                ),
                source=LARGE,
            ),
            Moment(
                1,
                5,
                (
                    f"On its own, each large tree misses the true heights by {_text(alone.min())} to "
                    f"{_text(alone.max())}.",
                ),
                ask="Is the mean of all ten nearer to the truth than the best of them?",
                answer=f"Yes: the mean misses by {_text(large.bias)}. A *forest* uses this. It lowers the spread and "
                "hardly changes the bias.",
                guess=Guess(0, choices=("Yes", "No")),
                source=SOURCE,
            ),
            Moment(
                1,
                9,
                (
                    "The squared error of a tree is the sum of both parts: **error² = bias² + spread²**.",
                    "So a larger tree is better only while the bias falls faster than the spread rises.",
                ),
                ask="Which depth has the smallest error here?",
                answer=f"Depth {best}. Errors: "
                + ", ".join(f"{_text(one.error)} at depth {depth}" for depth, one in parts.items())
                + ". Ten other draws have the same best depth.",
                guess=Guess(DEPTHS.index(best), choices=tuple(f"Depth {depth}" for depth in DEPTHS)),
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
                source=LARGE,
            ),
            Moment(
                0,
                9,
                (
                    "The sum holds for class probabilities, too. On five other data sets, large trees always had less "
                    "bias than small ones.",
                ),
                ask="On how many of these did they have more spread?",
                answer=f"On {len(more)}: {', '.join(more)}. On the others, {POINTS} points show the boundaries "
                f"well. With more noise, they have more spread there, too: {_list(noisy)}.",
                guess=Guess(len(more), 0, len(others), unit="data sets"),
                figure=Figure(
                    "Spread of small and large trees on other data sets",
                    "spread of the class probabilities",
                    tuple(others),
                    (
                        Series(f"depth {DEPTHS[0]}", tuple(few.spread for few, _ in others.values())),
                        Series(f"depth {DEPTHS[-1]}", tuple(many.spread for _, many in others.values()), late=True),
                    ),
                ),
                source=SOURCE,
            ),
        ),
    )


def parts_of(voices: np.ndarray, true: np.ndarray) -> Parts:
    """Return the parts of the root mean squared error.

    voices : float[trees, ...], predictions; true : float[...].
    """
    return Parts(
        *(float(np.sqrt(squares.mean())) for squares in (
            (voices - true) ** 2, (voices.mean(axis=0) - true) ** 2, voices.var(axis=0),
        ))
    )  # fmt: skip


def curves(X: np.ndarray, heights: np.ndarray) -> dict[int, Parts]:
    """Return the parts of the error by depth."""
    voices = {depth: np.array([tree.predict(X) for tree in grown(depth, SEEDS)]) for depth in CURVE}
    return {depth: parts_of(said, heights) for depth, said in voices.items()}


def on_other_data(name: str, noise: float | None = None) -> tuple[Parts, Parts]:
    """Return the parts of the error of class probabilities, for the smallest and the largest trees on a plane."""
    data = sample_data.load(name)
    generate: Callable = getattr(synthetic, name)
    if noise is not None:
        generate = partial(generate, noise=noise)
    X, y = generate(FRESH // 2, seed=FRESH_SEED)
    found = []
    for depth in (DEPTHS[0], DEPTHS[-1]):
        voices = []
        for seed in SEEDS:
            points = generate(POINTS, seed=seed)
            tree = _grow(replace(data, X=points[0], y=points[1], split=None), depth, np.arange(POINTS))
            shares = tree.values / tree.values.sum(axis=1, keepdims=True)
            codes = [data.class_names.index(str(label)) for label in tree.classes]
            voice = np.zeros((len(X), data.n_classes))
            voice[:, codes] = shares[tree.apply(X)]
            voices.append(voice)
        found.append(parts_of(np.array(voices), np.eye(data.n_classes)[y]))
    return found[0], found[1]


@cache
def truth() -> tuple[np.ndarray, np.ndarray]:
    """Return (X, heights without noise) of new places."""
    return synthetic.hill(FRESH, noise=0.0, seed=FRESH_SEED)


def grown(depth: int, seeds: range) -> list[Tree]:
    """Return a CART tree of a depth for each draw."""
    return [_grow(_draw(seed), depth, np.arange(POINTS)) for seed in seeds]


def _draw(seed: int) -> sample_data.DataSet:
    X, y = synthetic.hill(POINTS, NOISE, seed)
    return replace(sample_data.load("hill"), X=X, y=y, split=None, source="generated for this lesson")


def _grow(data: sample_data.DataSet, depth: int, rows: np.ndarray) -> Tree:
    task = scenes.task_of(replace(SETTINGS, data_set=data.name, max_depth=depth), data)
    return task.estimator(lam=0.0, max_iter=0).fit(data.X[rows], data.labels()[rows]).tree_


def _scene(trees: list[Tree], title: str) -> Scene:
    data = _draw(SEEDS[0])
    rows = np.arange(POINTS), np.arange(0), np.arange(0)
    points = tuple(scenes.Point(0.0, tree, {}) for tree in trees)
    return Scene(title, data, rows, points, settings=SETTINGS, is_made=True)


def _list(noisy: Mapping[str, tuple[Parts, Parts]]) -> str:
    """Return the spread of small and large trees in words."""
    return " and ".join(f"{name} {few.spread:.2f} and {many.spread:.2f}" for name, (few, many) in noisy.items())


def _falls(values: list[float]) -> bool:
    return values == sorted(values, reverse=True)


def _text(metres: float) -> str:
    return f"{number(metres, 3)} m"


LESSON = Lesson(
    "bias-and-variance",
    "Bias and variance",
    "Many draws of the same landscape: how far trees are off together, and how much they differ.",
    build,
    icon=":material/blur_on:",
    picture=2,
    keep="Small trees are wrong in the same way each time; large trees usually differ more from draw to draw.",
    task="Change *Random seed* five times at depth 2, then at depth 8. Which trees differ more?",
)
