"""Notes on the lesson about Gini impurity, entropy and errors."""

from pages.ui.learn.lessons import lookup
from pages.ui.learn.lessons.lesson import BuiltLesson
from pages.ui.learn.notes.notes import Notes


def _figures(built: BuiltLesson) -> dict[str, str]:
    greedy, tao = built.scenes[:2]
    return {"gini": str(lookup.wrong(greedy, greedy.last)), "least": str(lookup.wrong(tao, tao.last))}


NOTES = Notes(
    minutes=7,
    aims=(
        "compute the errors of a threshold when each side predicts its majority class",
        "explain why the lowest Gini impurity and the fewest errors can be at different thresholds",
        "contrast CART, which never revises a split, with TAO, which optimises it again",
    ),
    needs=("The lesson *What a tree is*", "Shares and probabilities"),
    misconceptions=(
        (
            "CART chooses the split with the fewest errors.",
            "CART chooses the lowest impurity. Here that split misclassifies {gini} points, and the best one {least}.",
        ),
        (
            "Gini impurity and entropy always give the same split.",
            "In this lesson they do. On other data, their minima can be at different thresholds.",
        ),
        (
            "A split that corrects no error is useless.",
            "It lowers the mean impurity of its two sides, and then the next split can correct errors.",
        ),
    ),
    splits={
        "How often does CART": (
            "Let both sides estimate the loss: the two thresholds usually differ by few points. So the answer is "
            "{truth}, and the number of additional errors is small."
        ),
        "every split of this tree correct errors": (
            "Let the class read the errors after each split. A split may only make one side purer."
        ),
        "percentage of the points is misclassified now": (
            "Students with a high guess expect that only the last splits change. TAO also changes the first one, so "
            "the error falls to {truth}."
        ),
    },
    figures=_figures,
)
