"""Lesson: how far a tree is from the best tree of its size."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

import sample_data
from pages.jobs.settings import Settings
from pages.ui.learn.lessons import claims, elsewhere, lookup, scenes
from pages.ui.learn.lessons.fresh import FIRST, Claim
from pages.ui.learn.lessons.lesson import BuiltLesson, Figure, Guess, Lesson, Moment, Scene, Series
from sample_data import synthetic

SETTINGS = Settings(data_set="spirals", split="univariate", init="cart", max_depth=2, seed=3)
OTHERS = ("xor", "checkerboard", "moons", "stripes", "clouds")
STARTS = 10
POINTS = 300  # of a fresh draw
HARD = "Carreira-Perpiñán and Tavallali 2018, section 3 (convergence)"
GREEDY = "Carreira-Perpiñán and Tavallali 2018, section 1 (greedy growing)"


class Errors(NamedTuple):
    """Misclassified training points of trees of depth 2: CART, TAO, TAO from ten starts, two levels, and the best."""

    cart: int
    tao: int
    starts: int
    levels: int
    best: int


def build() -> BuiltLesson:
    """Build this lesson."""
    tao = scenes.recording(SETTINGS, "TAO, from CART")
    levels = _alone("TAO, two levels at a time", block=2)
    here, n = errors(SETTINGS.data_set), len(tao.rows[0])
    claims.hold(lookup.wrong(tao, tao.last) == here.tao and lookup.wrong(levels, 0) == here.levels, "other trees")
    claims.hold(lookup.wrong(tao, 0) == here.cart and tao.tree(0).n_leaves == 4, "TAO starts from another tree")
    left = tao.tree(tao.last).n_leaves
    claims.hold(left < 4 and here.tao == here.cart, "TAO improves CART's tree")
    claims.hold(here.cart > here.starts > here.best, "ten starts find the best tree, or do not help")
    claims.hold(here.levels == here.best, "two levels at a time do not find the best tree")
    drawn = GAP.stored
    reached = int((drawn.column(1) == 0).sum())
    gaps = {
        name: drawn.values[[elsewhere.plane(FIRST + k) == name for k in range(drawn.n)]] for name in elsewhere.PLANES
    }
    trees = n_trees(SETTINGS.data_set)
    claims.hold(trees > 5e8, "there are fewer trees")
    new = [lookup.wrong_rows(tao, tao.last, 2), lookup.wrong_rows(levels, 0, 2)]
    return BuiltLesson(
        (tao, levels),
        (
            Moment(
                0,
                0,
                (
                    f"{lookup.count(n)} points on two spirals, and CART's tree with four leaves. It misclassifies "
                    f"{here.cart} points.",
                    "Is that bad? We can compare it with **all** trees of three thresholds.",
                ),
                ask="How many such trees divide these points differently?",
                answer=f"About {trees / 1e9:.1f} billion. But for each first threshold, the best left and the best "
                "right threshold can be found separately. That makes a few thousand searches.",
                guess=Guess(2, choices=("A few thousand", "A few million", "About a billion"), ordered=True),
                source=HARD,
            ),
            Moment(
                0,
                0,
                (
                    "The search has tried every first threshold on both features, with the best thresholds below it.",
                    "So its result is **certified**: no tree of this shape has fewer errors.",
                ),
                ask=f"CART has {here.cart} errors. How many does the best tree have?",
                answer=f"{here.best}. The **gap** of CART's tree is {here.cart - here.best} points. Its first split "
                "looks best alone and is not the best one to build on.",
                guess=Guess(here.best, 0, here.cart, unit="points"),
                source=GREEDY,
            ),
            Moment(
                0,
                tao.last,
                (
                    "**TAO** starts from CART's tree and optimises one node after another, until nothing changes. "
                    f"It prunes useless leaves, so {left} are left.",
                ),
                ask=f"How much of the gap of {here.cart - here.best} points does TAO close?",
                answer=f"{lookup.many(here.cart - here.tao, 'point').capitalize()}. No single node can improve, but "
                "root and children together could. This is a **local optimum**.",
                guess=Guess(here.cart - here.tao, 0, here.cart - here.best, unit="points"),
                source=HARD,
            ),
            Moment(
                0,
                tao.last,
                (
                    f"Two remedies: TAO from {STARTS} random trees, of which the best is kept, or TAO that optimises "
                    "**two levels at a time**.",
                ),
                ask="Which comes nearer to the best tree here?",
                answer=f"Two levels: {here.levels} errors, the optimum. The best of {STARTS} starts has "
                f"{here.starts}. This "
                "tree has only two levels of splits, so they are optimised all at once. Deeper trees have no such "
                "guarantee.",
                guess=Guess(1, choices=(f"{STARTS} random trees", "Two levels at a time")),
                figure=Figure(
                    "Misclassified training points of trees of depth 2",
                    "points",
                    ("CART", "TAO from CART", f"TAO, {STARTS} starts", "TAO, two levels", "best tree"),
                    (
                        Series("so far", (here.cart, here.tao, None, None, here.best)),
                        Series("remedies", (None, None, here.starts, here.levels, None), late=True),
                    ),
                ),
                source=HARD,
            ),
            Moment(
                1,
                0,
                (
                    "This is the best tree. A certificate is about the *training* points.",
                    f"On {len(tao.rows[2])} new points, TAO's first tree misclassifies {int(new[0].sum())}.",
                ),
                set=2,
                ask="How many new points does the best tree misclassify?",
                answer=f"{int(new[1].sum())}: {_verdict(new)}.",
                guess=Guess(int(new[1].sum()), 0, len(tao.rows[2]), unit="points"),
                source=HARD,
            ),
            Moment(
                0,
                0,
                (f"We repeat the search on {drawn.n} new draws of {POINTS} points of five data sets.",),
                ask="How often does TAO from CART find a best tree, one node after another?",
                answer=f"In {reached} of {drawn.n} draws. Two levels at a time find one in "
                f"{int((drawn.column(4) == 0).sum())}, and ten starts in {int((drawn.column(3) == 0).sum())}. On "
                f"spirals, TAO from CART misses it {drawn.often}.",
                guess=elsewhere.how_often(reached, drawn.n),
                claim=GAP.name,
                figure=Figure(
                    "Mean gap to the best tree of depth 2",
                    "misclassified points more than the best tree",
                    elsewhere.PLANES,
                    tuple(
                        Series(words, tuple(gaps[name][:, k].mean() for name in gaps), late)
                        for k, words, late in ((2, "CART", False), (1, "TAO", True), (4, "TAO, two levels", True))
                    ),
                ),
                source=HARD,
            ),
        ),
    )


def errors(name: str) -> Errors:
    """Return the training errors on a plane."""
    settings = replace(SETTINGS, data_set=name)
    task = scenes.task_of(settings)
    return errors_on(name, *task.train_rows)


def errors_on(name: str, X: np.ndarray, y: np.ndarray) -> Errors:
    """Return the training errors on rows of a plane. y : str[n], class names."""
    task, lam = scenes.task_of(replace(SETTINGS, data_set=name)), scenes.SMALLEST_LAMBDA
    trees: list[Any] = [
        task.estimator(**others).fit(X, y).tree_
        for others in (
            {"lam": 0.0, "max_iter": 0},
            {"lam": lam},
            {"lam": lam, "init": "random", "n_init": STARTS},
            {"lam": lam, "block": 2},
        )
    ]
    return Errors(
        *(int((tree.predict(X) != y).sum()) for tree in trees), fewest_errors(X, np.unique(y, return_inverse=True)[1])
    )


def best_of_depth_two(name: str) -> int:
    """Return the smallest number of training points that a tree of depth 2 misclassifies. It tries all trees."""
    task = scenes.task_of(replace(SETTINGS, data_set=name))
    X, y = task.train_rows
    return fewest_errors(X, np.unique(y, return_inverse=True)[1])


def fewest_errors(X: np.ndarray, codes: np.ndarray) -> int:
    """Return the smallest number of rows that a tree of depth 2 misclassifies. codes : int[n], classes from 0.

    A row that changes its side at the root changes the errors below by at most 1. Thresholds that are so near that they
    cannot be better are left out.
    """
    is_class = (codes == np.arange(codes.max() + 1)[:, None]).astype(np.int32)
    orders = [np.argsort(column, kind="stable") for column in X.T]
    columns = [(order, column[order], is_class[:, order]) for order, column in zip(orders, X.T, strict=True)]
    fewest, left = len(codes) - int(is_class.sum(axis=1).max()), np.zeros(len(codes), bool)
    for order, values, _ in columns:
        n_left = 1
        while (n_left := _next_end(values, n_left)) < len(codes):
            left[order[:n_left]], left[order[n_left:]] = True, False
            wrong = _best_split(columns, left) + _best_split(columns, ~left)
            fewest = min(fewest, wrong)
            n_left += wrong - fewest + 1
    return fewest


def _next_end(values: np.ndarray, n_left: int) -> int:
    """Return the smallest number of rows, at least `n_left`, that a threshold separates. values : sorted."""
    if n_left >= len(values):
        return len(values)
    return int(np.searchsorted(values, values[n_left - 1], side="right"))


def n_trees(name: str) -> int:
    """Return the number of trees with three thresholds that divide the training points differently below the root."""
    X = scenes.task_of(replace(SETTINGS, data_set=name)).train_rows[0]
    return sum(_n_splits(X[left]) * _n_splits(X[~left]) for left in _sides(X))


def _sides(X: np.ndarray) -> Iterator[np.ndarray]:
    """Yield for each threshold which rows are below it, bool[n]."""
    for column in X.T:
        for threshold in np.unique(column)[1:]:
            yield column < threshold


def _n_splits(X: np.ndarray) -> int:
    return sum(np.unique(column).size - 1 for column in X.T)


def _best_split(columns: Sequence[tuple[np.ndarray, ...]], part: np.ndarray) -> int:
    """Return the smallest number of rows of a part that one threshold, or none, misclassifies.

    columns : (order of the rows, sorted values, int32[k, n] with the class of each row in this order) of each feature;
    part : bool[n].
    """
    right = 0
    for order, values, is_class in columns:
        use = part[order]
        values, below = values[use], is_class[:, use].cumsum(axis=1)
        correct = below.max(axis=0) + (below[:, -1:] - below).max(axis=0)
        is_end = np.append(values[1:] > values[:-1], True)  # at the last row, nothing is above the threshold
        right = max(right, int(correct[is_end].max()))
    return int(part.sum()) - right


def _alone(title: str, **others: Any) -> Scene:
    """Return a scene with one TAO tree."""
    task = scenes.task_of(SETTINGS)
    tree = task.estimator(lam=scenes.SMALLEST_LAMBDA, **others).fit(*task.train_rows).tree_
    point = scenes.Point(scenes.SMALLEST_LAMBDA, tree, {})
    return Scene(title, task.data, scenes.rows_of(task), (point,), settings=SETTINGS, is_made=True)


def _verdict(wrong: list[np.ndarray]) -> str:
    return {-1: "significantly more", 0: "too few points to tell which is better", 1: "significantly fewer"}[
        claims.compared(wrong[0], wrong[1])
    ]


def gap(seed: int) -> tuple[float, ...]:
    """Return the gap of TAO from CART to the best tree on a new draw of spirals, in percent of the points.

    Then on another plane the gaps of TAO from CART, of CART, of the best of ten starts, and of TAO with two levels at a
    time, in points.
    """
    here, there = (errors_on(name, *_rows(name, seed)) for name in (SETTINGS.data_set, elsewhere.plane(seed)))
    gaps = (one - there.best for one in (there.tao, there.cart, there.starts, there.levels))
    return 100 * (here.tao - here.best) / POINTS, *map(float, gaps)


def _rows(name: str, seed: int) -> tuple[np.ndarray, np.ndarray]:
    X, y = getattr(synthetic, name)(POINTS, seed=seed)
    return X, np.array(sample_data.load(name).class_names)[y]


def _own(built: BuiltLesson) -> float:
    here, tao = errors(SETTINGS.data_set), built.scenes[0]
    return 100 * float(here.tao - here.best) / len(tao.rows[0])


GAP = Claim(
    "gap-of-tao",
    "TAO from CART does not find a best tree.",
    f"spirals, {POINTS} new points a draw; three thresholds",
    "gap to the best tree (% of the points)",
    gap,
    _own,
    least=0.5,
)


LESSON = Lesson(
    "how-far-from-the-best-tree",
    "How far from the best tree?",
    "A search through all small trees shows how many errors CART and TAO could still avoid.",
    build,
    icon=":material/flag:",
    picture=4,
    keep="Good is not best: only a search through all trees, or a bound, shows how far a tree is from the best.",
    task="Choose *Random tree* and change *Random seed* several times. How few errors can you reach?",
    claims=(GAP,),
)
