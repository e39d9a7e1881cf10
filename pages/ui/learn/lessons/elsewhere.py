"""Train trees on other draws and data sets than a lesson shows, to test whether its moral holds there."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

import numpy as np

import sample_data
from pages.jobs.settings import Settings
from pages.ui.learn.lessons import scenes
from sample_data import DataSet, synthetic
from treecore.tree.tree import Tree

SEEDS = range(11, 21)  # of ten draws that no lesson shows
PLANES = ("moons", "checkerboard", "spirals", "stripes", "clouds")


def another(name: str, seed: int) -> DataSet:
    """Return a two-dimensional data set with as many new points from the same distribution."""
    data = sample_data.load(name)
    X, y = getattr(synthetic, name)(data.n_rows, seed=seed)
    return replace(data, X=X, y=y, split=None, source="generated for this lesson")


class Draw(NamedTuple):
    """CART's tree and the tree that TAO makes of it, both trained on one random draw of rows.

    rows : training, validation and test row numbers; tao : None if TAO was not asked for.
    """

    data: DataSet
    rows: tuple[np.ndarray, ...]
    cart: Tree
    tao: Tree | None

    def error(self, tree: Tree, part: int) -> float:
        """Return the share of the rows in a part that a tree misclassifies."""
        return float(self.wrong(tree, part).mean())

    def wrong(self, tree: Tree, part: int) -> np.ndarray:
        """Return which rows of a part a tree misclassifies, bool[n]."""
        rows = self.rows[part]
        return tree.predict(self.data.X[rows]) != self.data.labels()[rows]


def draws(
    settings: Settings, seeds: Sequence[int], with_tao: bool = False, lam: float = scenes.SMALLEST_LAMBDA
) -> list[Draw]:
    """Return a `Draw` for each seed. `lam` is the λ of TAO."""
    found = []
    for seed in seeds:
        task = scenes.task_of(replace(settings, seed=seed))
        cart = task.estimator(lam=0.0, max_iter=0).fit(*task.train_rows).tree_
        tao = task.estimator(lam=lam, init=cart).fit(*task.train_rows).tree_ if with_tao else None
        found.append(Draw(task.data, scenes.rows_of(task), cart, tao))
    return found


def agreement(trees: Sequence[Tree], X: np.ndarray) -> float:
    """Return the share of rows for which two trees make the same prediction, averaged over all pairs."""
    said = [tree.predict(X) for tree in trees]
    return float(np.mean([(one == other).mean() for one, other in combinations(said, 2)]))
