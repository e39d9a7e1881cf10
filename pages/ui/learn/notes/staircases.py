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
            "The data have slanted stripes. The stairs come from the split type.",
        ),
        (
            "With enough leaves, stairs are as good as lines.",
            "More leaves help on new points, but in this lesson even the largest tree has a higher test error.",
        ),
        (
            "Lines are always better than thresholds.",
            "They are better for slanted boundaries. If boundaries are parallel to the axes, thresholds are simpler.",
        ),
    ),
    splits={
        "a few boxes": (
            "Let students cover one stripe with two or three rectangles on paper. The corners that stick out are the "
            "errors, {truth} in total."
        ),
        "percentage of the new points": (
            "Students with a low guess rely on the training error. Point at the thin steps, which follow single points."
        ),
        "leaves does the tree need now": (
            "Count the slanted boundaries in the plane first. The answer, {truth}, is close to this number."
        ),
    },
)
