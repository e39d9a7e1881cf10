"""Notes on the lesson about staircases."""

from pages.ui.learn.notes.notes import Notes

NOTES = Notes(
    minutes=6,
    aims=(
        "explain why splits on one feature turn a slanted boundary into a staircase",
        "compare the number of leaves of trees with thresholds and with lines",
        "name a data set for which thresholds are the better choice",
    ),
    needs=("The lesson *What a tree is*", "Equations of lines in the plane"),
    misconceptions=(
        (
            "The staircase is a pattern in the data.",
            "The boundaries of the fields are slanted. The stairs come from the split type.",
        ),
        (
            "With enough leaves, stairs are as good as lines.",
            "More leaves help less and less. Here even the largest tree has a higher error on new points.",
        ),
        (
            "Lines are always better than thresholds.",
            "They are better for slanted boundaries. If boundaries are parallel to the axes, thresholds are simpler.",
        ),
    ),
    splits={
        "boxes approximate": (
            "Let students cover the fields with four rectangles on paper. The corners that stick out are the errors, "
            "{truth} in total."
        ),
        "better than the tree with": (
            "Students who choose *Much better* rely on the training error. Point at the thin steps, which follow "
            "single points."
        ),
        "tree with lines has only": (
            "Let students draw three lines on paper that separate the fields. Only plants near the boundaries remain "
            "misclassified, {truth}."
        ),
        "lines predict new points better": (
            "Students with a low guess expect that chance decides. The boundaries are slanted in every draw, so lines "
            "win in {truth}."
        ),
    },
)
