"""General statements of lessons, as functions of fresh draws.

A lesson shows one draw of its data. A sentence about more than this draw is a `Claim`: it has a generator or random
splits of real data, a statistic, and a condition that refutes it. `fresh.json` contains the values of many draws, from
which the lessons take their numbers. `pages.ui.learn.fresh_values` computes them again.
"""

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import binom, binomtest, t

from treecore.tree.number_text import number

FILE = Path(__file__).with_suffix(".json")
FIRST, N_DRAWS = 70_000, 60  # first seed and usual number of the stored draws; no lesson shows these seeds
LEVEL = 0.05  # significance level of the sentences in lessons
REFUTED = 0.001  # largest probability, under the claim, of draws that refute it


class ClaimIsRefuted(AssertionError):
    """Raised if fresh draws refute a claim."""


@dataclass(frozen=True)
class Claim:
    """A statement about most draws.

    Parameters
    ----------
    name : str
        Key in `fresh.json`.
    statement : str
        Sentence that is true for a draw if its statistic is larger than `above`.
    source : str
        Generator with the number of points of a draw, or real data with random splits.
    statistic : str
        Name of the statistic, with its unit in parentheses.
    draw : callable
        Function of a seed that returns the values of a fresh draw. The first one is the statistic. NaN is undefined.
    own : callable
        Function of the `BuiltLesson` that returns the statistic of the draw that the lesson shows.
    above : float, default=0.0
    least, most : float, default=0.5 and 1.0
        The statement is refuted if it is true in significantly less than the share `least` of the draws, or in
        significantly more than the share `most` (exact binomial test at the level `REFUTED`).
    n_draws : int, default=60
        Number of stored draws.
    """

    name: str
    statement: str
    source: str
    statistic: str
    draw: Callable[[int], Sequence[float]]
    own: Callable[[Any], float]
    above: float = 0.0
    least: float = 0.5
    most: float = 1.0
    n_draws: int = N_DRAWS

    @property
    def stored(self) -> "Found":
        """Return the stored values."""
        rows = stored()[self.name]["draws"]
        return Found(self, np.array([[math.nan if one is None else one for one in row] for row in rows]))

    @property
    def shown(self) -> float:
        """Return the stored statistic of the draw that the lesson shows."""
        return stored()[self.name]["own"]

    def check(self, seeds: Iterable[int]) -> "Found":
        """Return the values for these seeds. Raise ClaimIsRefuted, with seeds and values, if they refute the claim."""
        values = {seed: tuple(map(float, self.draw(seed))) for seed in seeds}
        found = Found(self, np.array(list(values.values())))
        if found.is_refuted:
            shown = ", ".join(f"seed {seed}: {number(row[0], 4)}" for seed, row in values.items())
            raise ClaimIsRefuted(
                f"{self.name}: '{self.statement}' is true in {found.n_true} of {found.n} draws, expected a share of "
                f"{self.least:g} to {self.most:g}. {self.statistic}: {shown}."
            )
        return found


@dataclass(frozen=True)
class Found:
    """The values of some draws of a claim, float[draws, values]."""

    claim: Claim
    values: np.ndarray

    @property
    def statistic(self) -> np.ndarray:
        """Return the defined values of the statistic."""
        first = self.values[:, 0]
        return first[~np.isnan(first)]

    @property
    def n(self) -> int:
        """Return the number of draws on which the statistic is defined."""
        return self.statistic.size

    @property
    def n_true(self) -> int:
        """Return the number of draws for which the statement is true."""
        return int((self.statistic > self.claim.above).sum())

    @property
    def is_refuted(self) -> bool:
        """Test whether these draws refute the claim. Draws that are all undefined refute it, too."""
        if not self.n:
            return True
        few = binom.cdf(self.n_true, self.n, self.claim.least)
        many = binom.sf(self.n_true - 1, self.n, self.claim.most)
        return bool(min(few, many) < REFUTED)

    @property
    def often(self) -> str:
        """Return how often the statement is true: "in 57 of 60 new draws"."""
        return how_often(self.n_true, self.n)

    def column(self, k: int) -> np.ndarray:
        """Return one value of all draws."""
        return self.values[:, k]

    def usual(self, k: int = 0) -> tuple[float, float]:
        """Return the 10th and the 90th percentile of a value, between which it is in four of five draws."""
        low, high = np.nanquantile(self.values[:, k], [0.1, 0.9])
        return float(low), float(high)


@cache
def stored() -> dict[str, dict[str, Any]]:
    """Return {name of a claim: {"own": statistic of the lesson, "draws": values of the fresh draws}}."""
    return json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}


def how_often(some: int, n: int) -> str:
    """Return "in all 60 new draws", "in 57 of 60 new draws" or "in none of 60 new draws"."""
    part = "all" if some == n else f"{some or 'none'} of"
    return f"in {part} {n} new draws"


def sentence(words: str) -> str:
    """Return words as a sentence."""
    return f"{words[0].upper()}{words[1:]}."


def sign_test(differences: np.ndarray) -> float:
    """Return the p value of the sign test for independent draws. Draws without a difference are left out."""
    better, worse = int((differences > 0).sum()), int((differences < 0).sum())
    return float(binomtest(better, better + worse).pvalue) if better + worse else 1.0


def split_test(differences: np.ndarray, n_train: int, n_test: int) -> float:
    """Return the p value of the corrected t-test for random splits of the same rows.

    Overlapping splits are not independent. The test adds n_test / n_train to 1 / splits in the variance of the mean
    (Nadeau and Bengio 2003, section 3).
    """
    variance = differences.var(ddof=1)
    if variance == 0.0:
        return 1.0 if differences.mean() == 0.0 else 0.0
    score = differences.mean() / np.sqrt(variance * (1 / differences.size + n_test / n_train))
    return float(2 * t.sf(abs(score), differences.size - 1))


def holm(p_values: Mapping[str, float]) -> list[str]:
    """Return the names whose p values are significant after Holm's correction for the number of tests."""
    names = sorted(p_values, key=lambda name: p_values[name])
    chosen = []
    for k, name in enumerate(names):
        if p_values[name] > LEVEL / (len(names) - k):
            break
        chosen.append(name)
    return chosen
