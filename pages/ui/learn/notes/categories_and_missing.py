"""Notes on the lesson about categories and missing values."""

from pages.ui.learn.lessons.lesson import BuiltLesson
from pages.ui.learn.notes.notes import Notes
from treecore.tree.number_text import count


def _figures(built: BuiltLesson) -> dict[str, str]:
    columns = built.scenes[0].data.columns
    n_bands = len(columns.columns[0].categories) if columns is not None else 0
    return {"bands": count(n_bands), "ways": count(2 ** (n_bands - 1) - 1)}


NOTES = Notes(
    minutes=8,
    aims=(
        "contrast a split on one category with a split on a group of categories",
        "predict where a split sends a category that the training rows do not contain",
        "decide whether a missing value can be information, and compare both treatments on new rows",
    ),
    needs=("The lesson *Regression trees*", "The lesson *Care points and the reduced problem*", "The mean of a column"),
    misconceptions=(
        (
            "Categories must be numbered before a tree can use them.",
            "Numbers impose an order that the categories may not have. A split on a group needs no order. If there "
            "is an "
            "order, as for frequencies, numbers can be as good.",
        ),
        (
            "To find the best group, a program must try all groups.",
            "{bands} bands have {ways} divisions into two groups. TAO only adds up for each band which child is "
            "better for its rows.",
        ),
        (
            "The mean is a neutral value for a missing one.",
            "It sends all these rows to the same child, although their true values can be far from the mean.",
        ),
    ),
    splits={
        "be divided into two groups": (
            "Let students list the divisions of three categories and then of four. Each further category about "
            "doubles their number: {truth}."
        ),
        "RMSE with groups": (
            "Students who expect no change argue that both trees have equally many leaves. Count how many splits on "
            "one band do the work of one group. The RMSE is {truth}."
        ),
        "split on a group send it": (
            "Read the split aloud: is the band in the group? A new band is not, so the answer needs no guess."
        ),
        "do both make the same test error": (
            "If the holes are random, they carry no information, and there is little to learn: {truth}."
        ),
        "In how many of ten draws": (
            "Let students act as the instrument and hide all large values. A hole then means a large value, and the "
            "mean hides this: {truth}."
        ),
        "In how many of the 50 trials": (
            "Students who expect all trials generalise from the tumours. Other columns of a table often contain the "
            "same information: {truth}."
        ),
    },
    figures=_figures,
)
