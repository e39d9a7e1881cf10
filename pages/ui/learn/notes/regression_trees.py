"""Notes on the lesson about regression trees."""

from pages.ui.learn.notes.notes import Notes

NOTES = Notes(
    minutes=6,
    aims=(
        "explain why a leaf predicts the mean of its points",
        "compare trees by their RMSE on new points",
        "describe the care points of a regression tree",
    ),
    needs=("The lesson *What a tree is*", "Mean and squared error"),
    misconceptions=(
        (
            "A regression tree interpolates between leaves.",
            "It predicts one constant in each region and jumps at the boundary.",
        ),
        (
            "An RMSE of 0 on the training points is the goal.",
            "Then leaves with single points predict their noise, and the RMSE on new points rises.",
        ),
        (
            "Care points exist only for classes.",
            "In regression, a point matters to a node if its squared errors in the two children differ.",
        ),
    ),
    splits={
        "typical error on the training points": (
            "The prediction is the mean height. Let students estimate how far the heights are from it, most of them "
            "about {truth}."
        ),
        "RMSE on new points": "Students with a guess near 0 use the training points. Point at leaves with one point.",
        "simplest good tree with lines": (
            "Let students sketch the cliff. One line can follow it, but thresholds need one step after another."
        ),
        "five more times": "Ask what could be special about the first draw. The comparison holds in {truth}.",
    },
)
