"""Notes on the lesson about splits on images."""

from pages.ui.learn.notes.notes import Notes

NOTES = Notes(
    minutes=6,
    aims=(
        "read the weights of a node as an image",
        "explain why a weighted sum of pixels separates digits better than one pixel",
        "relate λ to the number of pixels in a node and to the test error",
    ),
    needs=("The lesson *One feature, two, or many*", "Images as tables of numbers"),
    misconceptions=(
        (
            "A model for images needs all pixels.",
            "A tree needs only the pixels on one decision path. The values of all others do not matter.",
        ),
        (
            "The colours in a node show a digit.",
            "They show weights: where ink raises the sum, and where it lowers the sum.",
        ),
        (
            "More pixels always make a better tree.",
            "A smaller λ gives more pixels per node, and from some point on the test error does not fall any more.",
        ),
    ),
    splits={
        "single pixel distinguish": (
            "Let students choose a pixel that an 8 has and a 3 does not. The best pixel classifies {truth} "
            "correctly; for "
            "most pairs of digits, a weighted sum does more."
        ),
        "How many multiplications": (
            "Multiplications are needed only at the nodes on the path and only for weights that are not 0: {truth}."
        ),
        "better on new digits": "More weights fit the training digits better. Compare test errors before you agree.",
    },
)
