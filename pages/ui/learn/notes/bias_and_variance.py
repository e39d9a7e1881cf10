"""Notes on the lesson about bias and variance."""

import numpy as np

from pages.ui.learn.lessons.further.bias_and_variance import Parts, parts_of, truth
from pages.ui.learn.lessons.lesson import BuiltLesson, Scene
from pages.ui.learn.notes.notes import Notes
from treecore.tree.number_text import number


def _parts(scene: Scene) -> Parts:
    X, heights = truth()
    return parts_of(np.array([point.tree.predict(X) for point in scene.points]), heights)


def _figures(built: BuiltLesson) -> dict[str, str]:
    small, large = map(_parts, built.scenes)
    return {
        "error": f"{number(large.error, 3)} m",
        "bias": f"{number(large.bias, 3)} m",
        "small": f"{number(small.bias, 3)} m",
    }


NOTES = Notes(
    minutes=8,
    aims=(
        "define the bias and the spread of trees that are trained on different draws",
        "predict how both change with the size of the tree",
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
            "small, so "
            "large trees are much the same for all draws.",
        ),
    ),
    splits={
        "predictions of these trees differ": (
            "Choose one place, move the slider, and note the predictions on the board. Their standard deviation is the "
            "spread at this place. On average it is {truth}."
        ),
        "this mean from the true height": (
            "Students who guess almost 0 expect that the mean removes every error. Show a region: its prediction is "
            "flat, and the hill is round. The bias is {truth}."
        ),
        "happens to the spread and to the bias": (
            "Let students describe a leaf with one or two points: it follows them, and so also their noise. {truth}."
        ),
        "nearer to the truth than the best": (
            "Students who answer *No* think that bad trees make the mean worse. Some trees are too high at a place and "
            "others too low, so these differences cancel out."
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
