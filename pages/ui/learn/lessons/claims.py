"""What the words of a lesson may claim: each computes its numbers on the data, and fails where it does not hold."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.stats import binomtest, norm, ttest_rel

from pages.ui.learn.lessons import lookup
from pages.ui.learn.lessons.lesson import Scene

SURE = 0.05  # probability of a difference by chance at which it is told as one


class ClaimDoesNotHold(AssertionError):
    """A sentence that is false of the trees or the data at hand."""


def hold(claim: Any, words: str) -> None:
    """Raise ClaimDoesNotHold unless `claim` is true."""
    if not claim:
        raise ClaimDoesNotHold(words)


def fewer_wrong(scene: Scene, step: int, other: Scene, other_step: int, part: int = 0) -> tuple[int, int]:
    """(wrong, wrong of the other): rows of a part that two trees get wrong; claim: fewer than the other."""
    found = lookup.wrong(scene, step, part), lookup.wrong(other, other_step, part)
    hold(found[0] < found[1], f"{found[0]} are wrong, and {found[1]} with the other tree")
    return found


def surely_nearer(off: np.ndarray, other: np.ndarray) -> None:
    """Claim: of the same rows the squares of `off` are smaller on average than those of `other`, and chance does not
    make such a difference (paired t-test).

    off, other : float[n], what is predicted less what is true.
    """
    found = ttest_rel(off**2, other**2)
    hold(found.statistic < 0 and found.pvalue < SURE, f"p = {found.pvalue:.2g}: the other tree may be as near")


def new_rows(scene: Scene, step: int, other: Scene, other_step: int) -> str:
    """How two trees do on the test rows, in words that say whether so many rows can tell them apart (exact McNemar
    test)."""
    rows = scene.rows[2]
    hold(np.array_equal(rows, other.rows[2]), "the test rows are not the same")
    return compared(*(lookup.wrong_rows(one, k, 2) for one, k in ((scene, step), (other, other_step))))


def compared(wrong: np.ndarray, other: np.ndarray) -> str:
    """The same of two bool[n], which of the new rows are wrong."""
    counts = f"{int(wrong.sum())} and {int(other.sum())} of {len(wrong)} new rows are wrong"
    if np.array_equal(wrong, other):
        return f"{counts}, the very same"
    return f"{counts}: {'more than chance would make' if sure(wrong, other) else 'too few rows to say which is better'}"


def sure(wrong: np.ndarray, other: np.ndarray) -> int:
    """-1, 0, 1: whether of the same rows fewer are wrong than with another tree, or more; 0 where chance may make the
    difference (exact McNemar test)."""
    only = int((wrong & ~other).sum()), int((other & ~wrong).sum())
    chance = binomtest(only[0], sum(only)).pvalue if sum(only) else 1.0
    return int(np.sign(only[0] - only[1])) if chance < SURE else 0


def surely_fewer(wrong: np.ndarray, other: np.ndarray) -> None:
    """Claim: of the same rows fewer are wrong than with another tree, and chance does not make such a difference."""
    hold(sure(wrong, other) < 0, f"{wrong.sum()} and {other.sum()} are wrong, which may be chance")


def fewer_by(wrong: np.ndarray, other: np.ndarray) -> str:
    """How many fewer of 100 rows are wrong than with another tree, of the same rows: 95 %, in words."""
    gain = 100 * (other.astype(float) - wrong)
    half = norm.ppf(1 - SURE / 2) * gain.std() / np.sqrt(gain.size)
    return f"{gain.mean() - half:.1f} to {gain.mean() + half:.1f}"


def low_and_high(wrong: float, n: float) -> tuple[float, float]:
    """(low, high) between which the share of all rows may lie where `wrong` of `n` are: 95 %, by Wilson."""
    return tuple(binomtest(int(wrong), int(n)).proportion_ci(method="wilson"))


def span(shares: Sequence[float]) -> str:
    """Two shares in words: "12 to 24 %"."""
    return f"{100 * shares[0]:.0f} to {100 * shares[1]:.0f} %"


def best_threshold(x: np.ndarray, y: np.ndarray) -> int:
    """Smallest number of rows on the wrong side of a threshold on one feature, when each side says its largest class.

    x : float[n]; y : int[n], class codes. All thresholds are tried.
    """
    order = np.argsort(x, kind="stable")
    values, classes = x[order], np.eye(int(y.max()) + 1, dtype=np.int64)[y[order]]
    below = classes.cumsum(axis=0)
    right = below.max(axis=1) + (below[-1] - below).max(axis=1)
    cuts = np.flatnonzero(values[1:] > values[:-1])
    return int(len(y) - (right[cuts].max() if cuts.size else below[-1].max()))


class Cut(NamedTuple):
    """A threshold, midway between two values; wrong : rows on the wrong side; gini : impurity of both sides, each by
    its rows."""

    at: float
    wrong: int
    gini: float


def best_cuts(x: np.ndarray, y: np.ndarray) -> dict[str, Cut]:
    """{"errors", "gini", "entropy": `Cut`} with the lowest of each, all thresholds tried; of equals the first.

    x : float[n]; y : int[n], class codes. Impurities are those of both sides, each by its number of rows.
    """
    values = np.unique(x)
    found = []
    for at in (values[1:] + values[:-1]) / 2:
        sides = [np.bincount(y[side]) for side in (x < at, x >= at)]
        wrong = len(y) - sum(int(side.max()) for side in sides)
        shares = [side[side > 0] / side.sum() for side in sides]
        gini = sum(side.sum() * (1 - share @ share) for side, share in zip(sides, shares, strict=True))
        entropy = -sum(side.sum() * (share @ np.log2(share)) for side, share in zip(sides, shares, strict=True))
        found.append((wrong, gini, entropy, Cut(float(at), wrong, float(gini) / len(y))))
    return {name: min(found, key=lambda one: one[k])[3] for k, name in enumerate(("errors", "gini", "entropy"))}


def best_feature(X: np.ndarray, y: np.ndarray) -> tuple[int, int, int]:
    """(feature, rows that it gets right, rows that the most frequent class alone gets right) of the best threshold."""
    wrong = [best_threshold(X[:, feature].astype(np.float64), y) for feature in range(X.shape[1])]
    return int(np.argmin(wrong)), len(y) - min(wrong), int(np.bincount(y).max())


def places(image: np.ndarray, names: Mapping[Any, str], most: int = 2) -> str:
    """The thirds of a picture that hold at least half of some weights, the largest first, in words.

    image : float[height, width] >= 0; names : {(row third, column third): words}; most : how many may be named
    """
    total = image.sum()
    hold(total > 0, "there are no such weights")
    rows, columns = (np.arange(size) * 3 // size for size in image.shape)
    shares = {place: image[np.ix_(rows == place[0], columns == place[1])].sum() / total for place in names}
    found = sorted(shares, key=lambda place: -shares[place])
    for k in range(1, most + 1):
        if sum(shares[place] for place in found[:k]) >= 0.5:
            return " and ".join(names[place] for place in found[:k])
    return "several places"
