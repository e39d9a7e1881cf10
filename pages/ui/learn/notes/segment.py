"""Notes on the story about image segments."""

from pages.ui.learn.notes.notes import Notes

NOTES = Notes(
    minutes=8,
    aims=(
        "describe the shape of a long tree and its effect on decision paths",
        "name the features that a tree selects, and give the reason",
        "find the classes that a tree confuses",
    ),
    needs=("The lesson *One feature, two, or many*", "The lesson *λ prunes*"),
    misconceptions=(
        (
            "A good tree is balanced.",
            "The objective does not contain the depth. A long tree is good if it separates one class after another.",
        ),
        (
            "Short decision paths are a goal of TAO.",
            "Only errors and splits count. Classes that are easy to separate leave early because this saves splits.",
        ),
        (
            "The largest tree is the best on new patches.",
            "The test rows do not show a difference between the small and the large tree.",
        ),
    ),
    splits={
        "19 features does it use": (
            "Features can occur several times, so count different ones. Each split has a penalty, which leaves {truth}."
        ),
        "largest tree on the path": (
            "Students expect either a clear gain or clear overfitting. The answer, {truth}, is too close to decide."
        ),
    },
)
