"""Lesson: data on which TAO is not better than CART."""

from typing import NamedTuple

import numpy as np
from scipy.stats import binomtest

from pages.jobs.settings import Settings
from pages.ui.learn.lessons import claims, elsewhere, scenes
from pages.ui.learn.lessons.lesson import BuiltLesson, Figure, Guess, Lesson, Moment, Series
from treecore.tree.number_text import percent
from treecore.tree.tree import Tree

TABLES = ("iris", "wine", "breast-cancer", "diabetes-classes", "segment")
SETS = (*TABLES, "xor", *elsewhere.PLANES)
DRAWS = range(20)
NOTHING, LITTLE, WORSE, MUCH = "wine", "breast-cancer", "diabetes-classes", "spirals"
TAO = "Carreira-Perpiñán and Tavallali 2018, section 3"
NEW = "Carreira-Perpiñán and Tavallali 2018, section 4 (classification accuracy)"


class Errors(NamedTuple):
    """Errors of CART's tree and of the tree that TAO makes of it, for each draw: training and test, float[draws]."""

    cart: np.ndarray
    tao: np.ndarray
    new_cart: np.ndarray
    new_tao: np.ndarray

    @property
    def sure(self) -> int:
        """Return 1 or -1 if TAO's test error is smaller or larger in significantly more draws (sign test), else 0."""
        better, worse = (int((sign * (self.new_cart - self.new_tao) > 0).sum()) for sign in (1, -1))
        if better + worse == 0 or binomtest(better, better + worse).pvalue >= claims.SURE:
            return 0
        return int(np.sign(better - worse))


def build() -> BuiltLesson:
    """Build this lesson."""
    draws = {name: drawn(name) for name in SETS}
    found = {name: errors(draws[name]) for name in SETS}
    shown = [scenes.recording(_settings(name), f"{title}, TAO from CART") for name, title in (
        (NOTHING, "Wine"), (LITTLE, "Breast cancer"), (WORSE, "Diabetes"), (MUCH, "Spirals"),
    )]  # fmt: skip
    wine, tumours, patients, spirals = (found[name] for name in (NOTHING, LITTLE, WORSE, MUCH))
    changed = int((wine.new_cart != wine.new_tao).sum())
    better = int((patients.new_tao < patients.new_cart).sum())
    claims.hold(changed <= 1 and wine.cart.mean() < 0.01, "TAO corrects errors of wines")
    claims.hold(tumours.tao.mean() < tumours.cart.mean(), "TAO's training error is not smaller")
    claims.hold(better < len(DRAWS) / 2, "TAO is usually better for these patients")
    claims.hold((patients.tao <= patients.cart).all(), "a training error rises")
    claims.hold(spirals.sure > 0, "TAO does not help surely on spirals")
    moved = sum(_root(draw.cart) != _root(draw.tao) for draw in draws[MUCH] if draw.tao is not None)
    claims.hold(2 * moved > len(DRAWS), "TAO rarely moves the first split")
    lower = [name for name, one in found.items() if one.new_tao.mean() < one.new_cart.mean()]
    sure = [name for name, one in found.items() if one.sure > 0]
    harmed = [name for name, one in found.items() if one.sure < 0]
    claims.hold(0 < len(lower) < len(SETS) and set(sure) <= set(lower), "TAO helps always or never")
    claims.hold(not set(sure) & {"iris", "wine", "breast-cancer", "diabetes-classes"}, "TAO helps on a small table")
    n = str(len(DRAWS))
    return BuiltLesson(
        tuple(shown),
        (
            Moment(
                0,
                0,
                (
                    f"This CART tree sorts wines by their growers. On average, it misclassifies "
                    f"{percent(wine.cart.mean())} of the training rows.",
                    f"TAO continues from this tree. We repeat this in {n} random draws of the rows.",
                ),
                ask="In how many of the draws does TAO change the test error?",
                answer=f"In {changed or 'none'}. CART's tree has almost no errors on the training rows, so TAO "
                "finds nothing to correct.",
                guess=Guess(changed, 0, len(DRAWS), unit="draws"),
                source=TAO,
            ),
            Moment(
                1,
                shown[1].last,
                (
                    "These rows are tumours. TAO never raises the **training** error, so on these rows it cannot lose.",
                    f"The mean training error falls from {percent(tumours.cart.mean())} to "
                    f"{percent(tumours.tao.mean())}.",
                ),
                ask="What happens to the mean error on new rows, over these draws?",
                answer=f"It is {percent(tumours.new_cart.mean())} for CART and {percent(tumours.new_tao.mean())} for "
                f"TAO. The difference is {'significant' if tumours.sure else 'not significant'}.",
                guess=Guess(1 - tumours.sure, choices=("It falls", "No significant difference", "It rises")),
                source=NEW,
            ),
            Moment(
                2,
                shown[2].last,
                (
                    "A hard table: ten measurements of patients, and three courses of diabetes. TAO lowers the mean "
                    f"training error from {percent(patients.cart.mean())} to {percent(patients.tao.mean())}.",
                ),
                ask="In how many of the draws is TAO's tree better on new rows?",
                answer=f"In {better}. Mean test errors: {percent(patients.new_cart.mean())} for CART "
                f"and {percent(patients.new_tao.mean())} for TAO. TAO fits the noise better, too.",
                guess=Guess(better, 0, len(DRAWS), unit="draws"),
                source=NEW,
            ),
            Moment(
                3,
                shown[3].last,
                (
                    "Two spirals have no good first threshold, so greedy growth begins badly.",
                    f"CART's mean test error is {percent(spirals.new_cart.mean())}.",
                ),
                ask="What is TAO's mean test error, with the same depth?",
                answer=f"{percent(spirals.new_tao.mean())}, a significant difference. In {moved} of the {n} draws, TAO "
                "moves the first split.",
                guess=Guess(100 * float(spirals.new_tao.mean()), 0, 50, 0.5, 1, "%"),
                source=TAO,
            ),
            Moment(
                3,
                0,
                (f"We compare {len(SETS)} data sets, {n} draws each, with thresholds only and at most depth 4.",),
                ask="On how many data sets is TAO's mean test error smaller than CART's?",
                answer=f"On {len(lower)}: {_list(lower)}.",
                guess=Guess(len(lower), 0, len(SETS), unit="data sets"),
                figure=_errors_figure(found),
                source=NEW,
            ),
            Moment(
                2,
                0,
                ("A smaller mean may be chance. A sign test compares how often TAO is better and how often worse.",),
                ask="On how many data sets is TAO *surely* better on new rows?",
                answer=f"On {len(sure)}: {_list(sure)}. Surely worse on {_list(harmed)}.",
                guess=Guess(len(sure), 0, len(SETS), unit="data sets"),
                figure=_draws_figure(found),
                source=NEW,
            ),
        ),
    )


def errors(draws: list[elsewhere.Draw]) -> Errors:
    """Return the errors of CART's trees and of TAO's trees."""
    trees = [(draw, (draw.cart, draw.tao)) for draw in draws if draw.tao is not None]
    return Errors(*(
        np.array([draw.error(pair[which], part) for draw, pair in trees]) for part in (0, 2) for which in (0, 1)
    ))  # fmt: skip


def drawn(name: str) -> list[elsewhere.Draw]:
    """Return CART's trees and TAO's trees for all draws of a data set."""
    return elsewhere.draws(_settings(name), DRAWS, with_tao=True)


def _root(tree: Tree) -> tuple[int, float]:
    """Return the feature and the threshold of the first split."""
    features, weights, bias = tree.split(0)
    return int(features[0]), round(float(-bias / weights[0]), 9)


def _errors_figure(found: dict[str, Errors]) -> Figure:
    """Return the mean test errors of both methods on each data set, large ones first."""
    names = sorted(found, key=lambda name: -found[name].new_cart.mean())
    return Figure(
        "Mean error on new rows, for each data set",
        "test error (%)",
        tuple(names),
        (
            Series("CART", tuple(100 * found[name].new_cart.mean() for name in names)),
            Series("TAO from CART", tuple(100 * found[name].new_tao.mean() for name in names), late=True),
        ),
    )


def _draws_figure(found: dict[str, Errors]) -> Figure:
    """Return in how many draws TAO's test error is smaller and larger, for each data set."""
    counts = {
        name: [int((sign * (one.new_cart - one.new_tao) > 0).sum()) for sign in (1, -1)] for name, one in found.items()
    }
    names = sorted(found, key=lambda name: counts[name][1] - counts[name][0])
    return Figure(
        f"How often TAO's tree has fewer and more errors on new rows, in {len(DRAWS)} draws",
        "draws",
        tuple(names),
        tuple(
            Series(words, tuple(counts[name][k] for name in names))
            for k, words in ((1, "more errors than CART"), (0, "fewer errors than CART"))
        ),
    )


def _settings(name: str) -> Settings:
    return Settings(data_set=name, split="univariate", init="cart", max_depth=4)


def _list(names: list[str]) -> str:
    return ", ".join(names) or "none"


LESSON = Lesson(
    "where-tao-does-not-help",
    "Where TAO does not help",
    "Data sets on which CART is as good or better, measured on new rows.",
    build,
    icon=":material/balance:",
    picture=3,
    keep="TAO never raises the training error, but on new rows it helps on some data sets only.",
    task="Switch on *Compare with CART*. Then choose *spirals*. Where does TAO help on test points?",
)
