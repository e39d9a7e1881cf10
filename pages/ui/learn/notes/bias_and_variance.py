"""Notes on the lesson about bias and variance."""

import numpy as np

from pages.ui.learn.lessons.further.bias_and_variance import POINTS, SEEDS, SIZES, parts_of, truth
from pages.ui.learn.lessons.lesson import BuiltLesson
from pages.ui.learn.notes.notes import Notes


def _figures(built: BuiltLesson) -> dict[str, str]:
    X, heights = truth()
    first = SIZES.index(POINTS) * len(SEEDS)
    drawn = built.scenes[first : first + len(SEEDS)]
    small, large = (parts_of(np.array([scene.tree(step).predict(X) for scene in drawn]), heights) for step in (0, 1))
    return {"error": f"{large.error:.1f} m", "bias": f"{large.bias:.1f} m", "small": f"{small.bias:.1f} m"}


NOTES = Notes(
    minutes=8,
    aims=(
        "define the bias and the spread of trees that are trained on different draws",
        "predict how both change with the size of the tree and with the number of points",
        "explain why the mean of several large trees is better than each of them",
    ),
    needs=("The lesson *Regression trees*", "The lesson *Overfitting*", "Mean and standard deviation"),
    misconceptions=(
        (
            "The bias is the error of one tree.",
            "It is the error of the mean prediction of many trees. On average, a large tree misses by {error} here, "
            "and the mean of all by {bias}.",
        ),
        (
            "The mean of enough trees is exact.",
            "The mean removes only differences by chance. The mean of the small trees still misses by {small}.",
        ),
        (
            "A larger tree always has more spread.",
            "Usually, but not on every data set. On moons and clouds, the boundaries are simple and the noise is "
            "small, so large trees are much the same for all draws.",
        ),
    ),
    splits={
        "do their trees differ": (
            "Choose one place, press *New draw*, and note the heights there on the board. Their standard deviation is "
            "the spread at this place. On average it is {truth}."
        ),
        "this mean from the true height": (
            "Students who guess almost 0 expect that the mean removes every error. Show a region: its prediction is "
            "flat, and the hill is round. The bias is {truth}."
        ),
        "happens to the spread and to the bias": (
            "Ask which of both is about chance. A leaf with more points has a mean with less noise, but its region "
            "is as coarse as before. {truth}."
        ),
        "differ from draw to draw, compared": (
            "Let students describe a leaf with one or two points: it follows them, and so also their noise. {truth}."
        ),
        "mean of all ten from the true height": (
            "Students who guess a number between those of the single trees forget that some trees are too high at a "
            "place and others too low. These differences cancel out, which leaves {truth}."
        ),
        "Which depth has the smallest error": (
            "Let both sides square and add bias and spread for their depth. The sum is smallest for this answer: "
            "{truth}."
        ),
        "did they have more spread": (
            "Ask for which data sets 200 points show the boundaries well. There, large trees differ little. The "
            "answer is "
            "{truth}."
        ),
    },
    figures=_figures,
)
