"""Notes on the lesson about splits, leaves and regions."""

from pages.ui.learn.notes.notes import Notes

NOTES = Notes(
    minutes=8,
    aims=(
        "name the root, a split, a leaf and a decision path in a tree",
        "draw the regions of a small tree in the plane, and read a region as a rule",
        "explain why the error on new points is a different number from the training error",
    ),
    needs=("Points in a plane with coordinates", "Percentages"),
    misconceptions=(
        (
            "Each split divides the whole plane.",
            "Only the first split does. Every other split divides the region of its own node.",
        ),
        (
            "A leaf contains points of one class only.",
            "A leaf predicts the majority class. Its other points are misclassified.",
        ),
        (
            "The training error measures how good a tree is.",
            "The tree was fitted to these points. Only points that it has not seen can test it.",
        ),
    ),
    splits={
        "A tree without a split": (
            "Let students with a low guess name the class that the tree predicts. All points of the other classes are "
            "misclassified, which is {truth}."
        ),
        "How many leaves": (
            "Draw a tree with one split on the board and count leaves. Each further split replaces one leaf by two."
        ),
        "How many points are misclassified after the last split": (
            "Let students point at the region that is still mixed. The last split can only correct points there, so "
            "{truth} remain."
        ),
        "every point in this region": (
            "Let students point at a cross in the region. A leaf has one prediction, so it misclassifies its minority."
        ),
        "test error larger than the training error": (
            "Compare with an exam: students who have seen the questions make fewer errors. Stress that this holds for "
            "most trees, {truth}, not for all."
        ),
    },
)
