"""Notes on the lesson about thresholds, lines and weighted sums."""

from pages.ui.learn.lessons.lesson import BuiltLesson
from pages.ui.learn.notes.notes import Notes
from treecore.tree.number_text import count


def _figures(built: BuiltLesson) -> dict[str, str]:
    thresholds, _, sums = built.scenes
    step = next(moment.step for moment in built.moments if built.scenes[moment.scene] is sums)
    return {"largest": count(thresholds.tree(0).n_leaves), "weights": count(len(sums.tree(step).split(0)[0]))}


NOTES = Notes(
    minutes=7,
    aims=(
        "describe the comparison that a threshold, a line and a weighted sum make",
        "compare split types fairly, with trees of about the same number of leaves",
        "weigh fewer errors against splits that are harder to read",
    ),
    needs=("The lesson *Pixels as features*", "The lesson *One feature, two, or many*"),
    misconceptions=(
        (
            "Enough thresholds can do the work of a weighted sum.",
            "They form a staircase, and each step needs training rows. The trees of thresholds here grow to {largest} "
            "leaves, and none has as few errors as the weighted sums.",
        ),
        (
            "A tree with fewer leaves is easier to read.",
            "Its splits can be harder to read. The root of the last tree has {weights} weights, so people need a "
            "picture of them.",
        ),
        (
            "A weighted sum is always the best split.",
            "Not on every data set of the last question: a simpler split type can be as good or better on new rows.",
        ),
    ),
    splits={
        "does it misclassify": (
            "Compare the guesses with a random choice among ten digits. Then ask which digits one pixel can "
            "distinguish before you show {truth}."
        ),
        "percentage points does the error": (
            "The answer, {truth}, is a difference of two errors. Students who divide the errors mean a change in per "
            "cent."
        ),
        "does this tree misclassify": (
            "Students who repeat the last error expect little from more pixels. Show the weights of the root as an "
            "image: one split combines them all. The error is {truth}."
        ),
        "Does any tree of thresholds": (
            "Students who answer *Yes* often think of the training error. Move the slider and read the errors on new "
            "digits."
        ),
        "are weighted sums best": (
            "Collect a reason for every guess. A boundary along an axis needs no sum, and few rows determine many "
            "weights badly. The answer is {truth}."
        ),
    },
    figures=_figures,
)
