"""Notes on the story about breast cancer."""

from pages.ui.learn.notes.notes import Notes

NOTES = Notes(
    minutes=8,
    aims=(
        "read a tree with lines as a few rules on real data",
        "judge how far a leaf with few rows can be trusted",
        "explain why a small test set often cannot decide between two trees",
    ),
    needs=("The lesson *One feature, two, or many*", "Test rows"),
    misconceptions=(
        (
            "Features that the tree leaves out are unrelated to the disease.",
            "Many are nearly equivalent to a feature in the tree, so they are not worth their penalty.",
        ),
        (
            "A leaf without errors is a safe rule.",
            "With few rows, a leaf without errors can be chance. New rows must test it.",
        ),
        (
            "The tree with fewer errors on the test rows is the better tree.",
            "A difference of a few rows can be chance. The lesson tests it before it draws a conclusion.",
        ),
    ),
    splits={
        "new rows reach this leaf": (
            "Compare the shares: few training rows reach the leaf, and there are fewer test rows. So {truth} is "
            "plausible."
        ),
        "do most of the rows need": "Let students count the rows at each leaf and the splits above it.",
        "better on new rows": "Ask how many rows would have to change sides for the opposite result.",
    },
)
