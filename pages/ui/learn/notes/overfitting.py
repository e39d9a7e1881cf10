"""Notes on the lesson about overfitting."""

from pages.ui.learn.notes.notes import Notes

NOTES = Notes(
    minutes=8,
    aims=(
        "draw the training error and the test error against the size of a tree",
        "explain how noise makes large trees worse on new points",
        "weigh the number of training points against the width of the interval for the test error",
    ),
    needs=("The lesson *What a tree is*", "Training, validation and test points"),
    misconceptions=(
        (
            "A tree overfits because it has too many leaves.",
            "Without noise, a large tree need not be worse. Size and noise together cause overfitting.",
        ),
        (
            "A leaf with few points is a precise rule.",
            "It often fits points that noise has moved. In such leaves, new points are misclassified most often.",
        ),
        (
            "The test error is the true error.",
            "It is an estimate from few points. Its interval becomes narrower with more test points.",
        ),
    ),
    splits={
        "Which size misclassifies the fewest": (
            "Students who choose the largest tree rely on the training error; those who choose the smallest expect "
            "overfitting everywhere. The answer is {truth}."
        ),
        "such a leaf": (
            "Zoom in on a sliver: its points are where noise moved them. A new point there usually belongs to the "
            "class around it, so the error is {truth}."
        ),
    },
)
