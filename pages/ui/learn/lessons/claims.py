"""Check the claims of lessons. Each function computes its numbers on the data, and fails if the claim is false."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.special import xlogy
from scipy.stats import binomtest, norm, ttest_rel

from pages.ui.learn.lessons import lookup
from pages.ui.learn.lessons.fresh import LEVEL
from pages.ui.learn.lessons.lesson import Scene


class ClaimDoesNotHold(AssertionError):
    """Raised if a sentence is false for the trees or the data."""


def hold(claim: Any, words: str) -> None:
    """Raise ClaimDoesNotHold unless `claim` is true."""
    if not claim:
        raise ClaimDoesNotHold(words)


def fewer_wrong(scene: Scene, step: int, other: Scene, other_step: int, part: int = 0) -> tuple[int, int]:
    """Return the numbers of rows that two trees misclassify on a part. Claim that the first number is smaller."""
    found = lookup.wrong(scene, step, part), lookup.wrong(other, other_step, part)
    hold(found[0] < found[1], f"{found[0]} rows are misclassified, and {found[1]} by the other tree")
    return found


def significantly_nearer(off: np.ndarray, other: np.ndarray) -> None:
    """Claim that the mean squared error of `off` is significantly smaller than that of `other` (paired t-test).

    off, other : float[n], predicted minus true values, for the same rows.
    """
    found = ttest_rel(off**2, other**2)
    hold(found.statistic < 0 and found.pvalue < LEVEL, f"p = {found.pvalue:.2g}: the other tree may be as good")


def new_rows(scene: Scene, step: int, other: Scene, other_step: int) -> str:
    """Return a sentence that compares two trees on the test rows, with the result of an exact McNemar test."""
    rows = scene.rows[2]
    hold(np.array_equal(rows, other.rows[2]), "the test rows are not the same")
    return comparison_text(*(lookup.wrong_rows(one, k, 2) for one, k in ((scene, step), (other, other_step))))


def comparison_text(wrong: np.ndarray, other: np.ndarray) -> str:
    """Return the sentence of `new_rows` for two bool[n] that mark the misclassified test rows."""
    counts = f"{int(wrong.sum())} and {int(other.sum())} of {len(wrong)} new rows are misclassified"
    if np.array_equal(wrong, other):
        return f"{counts}, and they are the same rows"
    return (
        f"{counts} ({'a significant difference' if compared(wrong, other) else 'too few rows to tell which is better'})"
    )


def compared(wrong: np.ndarray, other: np.ndarray) -> int:
    """Return -1 or 1 if a tree misclassifies significantly fewer or more rows than another tree, else 0.

    wrong, other : bool[n], misclassified rows of both trees. The test is an exact McNemar test.
    """
    only = int((wrong & ~other).sum()), int((other & ~wrong).sum())
    chance = binomtest(only[0], sum(only)).pvalue if sum(only) else 1.0
    return int(np.sign(only[0] - only[1])) if chance < LEVEL else 0


def significantly_fewer(wrong: np.ndarray, other: np.ndarray) -> None:
    """Claim that a tree misclassifies significantly fewer rows than another tree."""
    hold(
        compared(wrong, other) < 0,
        f"{wrong.sum()} and {other.sum()} rows are misclassified: this difference may be chance",
    )


def fewer_by(wrong: np.ndarray, other: np.ndarray) -> str:
    """Return the 95 % interval for the reduction in errors per 100 rows, in words."""
    gain = 100 * (other.astype(float) - wrong)
    half = norm.ppf(1 - LEVEL / 2) * gain.std() / np.sqrt(gain.size)
    return f"{gain.mean() - half:.1f} to {gain.mean() + half:.1f}"


def low_and_high(wrong: float, n: float) -> tuple[float, float]:
    """Return the 95 % Wilson interval of a share, estimated from `wrong` of `n` rows."""
    return tuple(binomtest(int(wrong), int(n)).proportion_ci(method="wilson"))


def span(shares: Sequence[float]) -> str:
    """Return two shares in words: "12 to 24 %"."""
    return f"{100 * shares[0]:.0f} to {100 * shares[1]:.0f} %"


def best_threshold(x: np.ndarray, y: np.ndarray) -> int:
    """Return the smallest number of rows that a threshold on one feature misclassifies.

    x : float[n]; y : int[n], class codes. The function tries all thresholds; each side predicts its majority class.
    """
    order = np.argsort(x, kind="stable")
    values, classes = x[order], np.eye(int(y.max()) + 1, dtype=np.int64)[y[order]]
    below = classes.cumsum(axis=0)
    right = below.max(axis=1) + (below[-1] - below).max(axis=1)
    cuts = np.flatnonzero(values[1:] > values[:-1])
    return int(len(y) - (right[cuts].max() if cuts.size else below[-1].max()))


def best_line(X: np.ndarray, y: np.ndarray) -> int:
    """Return the smallest number of rows that one line in the plane misclassifies.

    X : float[n, 2], different points; y : int[n], 0 or 1. Each side predicts its majority class. The function turns a
    line around each point and counts the classes on both sides, O(n² log n).
    """
    n, ones, least = len(y), int(y.sum()), len(y)
    for i in range(n):
        off, others = np.delete(X, i, axis=0) - X[i], np.delete(y, i)
        angles = np.arctan2(off[:, 1], off[:, 0])
        order = np.argsort(angles)
        angles, counts = angles[order], np.concatenate([[0], np.tile(others[order], 2).cumsum()])
        last = np.searchsorted(np.concatenate([angles, angles + 2 * np.pi]), angles + np.pi)
        for first in (np.arange(n - 1), np.arange(1, n)):  # the point that the line meets is on either side
            for own in (0, 1):
                size, inside = last - first + own, counts[last] - counts[first] + own * y[i]
                outside = ones - inside
                wrong = np.minimum(inside, size - inside) + np.minimum(outside, n - size - outside)
                least = min(least, int(wrong.min()))
    return least


class Cut(NamedTuple):
    """A threshold midway between two values.

    wrong : number of misclassified rows; gini : mean impurity of both sides, weighted by their numbers of rows.
    """

    at: float
    wrong: int
    gini: float


def best_cuts(x: np.ndarray, y: np.ndarray) -> dict[str, Cut]:
    """Return the `Cut` with the smallest value of each criterion, as {"errors", "gini", "entropy": `Cut`}.

    The first one wins a tie. x : float[n]; y : int[n], class codes. The function tries all thresholds, and weights
    impurities by the number of rows on each side.
    """
    order = np.argsort(x, kind="stable")
    values = x[order]
    below = np.eye(int(y.max()) + 1)[y[order]].cumsum(axis=0)
    at = np.flatnonzero(values[1:] > values[:-1])
    wrong, gini, entropy = np.zeros((3, at.size))
    for side in (below[at], below[-1] - below[at]):
        n = side.sum(axis=1)
        wrong += n - side.max(axis=1)
        gini += n - (side**2).sum(axis=1) / n
        entropy -= xlogy(side, side / n[:, None]).sum(axis=1)
    first = {"errors": wrong.argmin(), "gini": gini.argmin(), "entropy": entropy.argmin()}
    return {
        name: Cut(float((values[at[k]] + values[at[k] + 1]) / 2), int(wrong[k]), float(gini[k]) / len(y))
        for name, k in first.items()
    }


def best_feature(X: np.ndarray, y: np.ndarray) -> tuple[int, int, int]:
    """Return the feature with the best threshold, with the numbers of rows that two rules classify correctly.

    The numbers are for this threshold, and for always predicting the majority class.
    """
    wrong = [best_threshold(X[:, feature].astype(np.float64), y) for feature in range(X.shape[1])]
    return int(np.argmin(wrong)), len(y) - min(wrong), int(np.bincount(y).max())


def places(image: np.ndarray, names: Mapping[Any, str], most: int = 2) -> str:
    """Name the thirds of an image that together contain at least half of the weights, the largest first.

    image : float[height, width] >= 0; names : {(row third, column third): words}; most : maximum number of thirds.
    """
    total = image.sum()
    hold(total > 0, "all weights are zero")
    rows, columns = (np.arange(size) * 3 // size for size in image.shape)
    shares = {place: image[np.ix_(rows == place[0], columns == place[1])].sum() / total for place in names}
    found = sorted(shares, key=lambda place: -shares[place])
    for k in range(1, most + 1):
        if sum(shares[place] for place in found[:k]) >= 0.5:
            return " and ".join(names[place] for place in found[:k])
    return "several places"
