"""Train trees on other draws and data sets than a lesson shows, to test whether its moral holds there."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

import numpy as np

import sample_data
from pages.jobs.settings import Settings
from pages.ui.learn.lessons import scenes
from pages.ui.learn.lessons.fresh import LEVEL, Found, split_test
from pages.ui.learn.lessons.lesson import Guess
from sample_data import DataSet, synthetic
from treecore.tree.tree import Tree

PLANES = ("moons", "checkerboard", "spirals", "stripes", "clouds")
OFTEN = ("In less than a quarter", "In a quarter to three quarters", "In more than three quarters")
ON_SETS = ("On less than a quarter", "On a quarter to three quarters", "On more than three quarters")
NEW, APART = 4_000, 1_000_000  # number of new points of a draw, and the difference of their seed


def another(name: str, seed: int) -> DataSet:
    """Return a two-dimensional data set with as many new points from the same distribution."""
    data = sample_data.load(name)
    X, y = getattr(synthetic, name)(data.n_rows, seed=seed)
    return replace(data, X=X, y=y, split=None, source="generated for this lesson")


def plane(seed: int) -> str:
    """Return the name of the plane for a seed. Seeds take the planes in turn."""
    return PLANES[seed % len(PLANES)]


def new_error(tree: Tree, name: str, seed: int, **settings: float) -> float:
    """Return the error of a tree on `NEW` new points of the distribution of a draw, in percent.

    settings : further arguments of the generator, such as its noise.
    """
    X, y = getattr(synthetic, name)(NEW, seed=seed + APART, **settings)
    names = np.array(sample_data.load(name).class_names)
    return 100 * float((tree.predict(X) != names[y]).mean())


def how_often(some: int, n: int, choices: tuple[str, str, str] = OFTEN) -> Guess:
    """Return the guess in which share of `n` draws, or of other cases, a statement is true."""
    return Guess(int(4 * some >= n) + int(4 * some > 3 * n), choices=choices, ordered=True)


def compared(found: Found, n_train: int, n_test: int, k: int = 0) -> str:
    """Return in how many random splits a difference is positive and negative, with the result of the corrected test.

    k : position of the difference among the values of a draw.
    """
    values = found.column(k)
    more, less = int((values > 0).sum()), int((values < 0).sum())
    p = split_test(values, n_train, n_test)
    result = "a significant difference" if p < LEVEL else "no significant difference"
    return f"better in {more} and worse in {less} of {values.size} new splits: {result}"


def better_or_worse(found: Found, n_train: int, n_test: int, choices: tuple[str, str, str]) -> Guess:
    """Return the guess whether a difference over random splits is positive, too close to zero to tell, or negative."""
    values = found.statistic
    sign = int(np.sign(values.mean())) if split_test(values, n_train, n_test) < LEVEL else 0
    return Guess(1 - sign, choices=choices, ordered=True)


class Draw(NamedTuple):
    """CART's tree and the tree that TAO makes of it, both trained on one random draw of rows.

    rows : training, validation and test row numbers; tao : None if TAO was not asked for.
    """

    data: DataSet
    rows: tuple[np.ndarray, ...]
    cart: Tree
    tao: Tree | None

    @property
    def taught(self) -> Tree:
        """Return TAO's tree, which `draws` trained."""
        assert self.tao is not None
        return self.tao

    def error(self, tree: Tree, part: int) -> float:
        """Return the share of the rows in a part that a tree misclassifies."""
        return float(self.wrong(tree, part).mean())

    def wrong(self, tree: Tree, part: int) -> np.ndarray:
        """Return which rows of a part a tree misclassifies, bool[n]."""
        rows = self.rows[part]
        return tree.predict(self.data.X[rows]) != self.data.labels()[rows]


def draws(
    settings: Settings,
    seeds: Sequence[int],
    with_tao: bool = False,
    lam: float = scenes.SMALLEST_LAMBDA,
    is_new: bool = False,
) -> list[Draw]:
    """Return a `Draw` for each seed.

    lam : λ of TAO; is_new : whether the points of a plane are generated again, instead of drawn from its rows.
    """
    found = []
    for seed in seeds:
        data = another(settings.data_set, seed) if is_new else None
        task = scenes.task_of(replace(settings, seed=seed), data)
        cart = task.estimator(lam=0.0, max_iter=0).fit(*task.train_rows).tree_
        tao = task.estimator(lam=lam, init=cart).fit(*task.train_rows).tree_ if with_tao else None
        found.append(Draw(task.data, scenes.rows_of(task), cart, tao))
    return found


def agreement(trees: Sequence[Tree], X: np.ndarray) -> float:
    """Return the share of rows for which two trees make the same prediction, averaged over all pairs."""
    said = [tree.predict(X) for tree in trees]
    return float(np.mean([(one == other).mean() for one, other in combinations(said, 2)]))
