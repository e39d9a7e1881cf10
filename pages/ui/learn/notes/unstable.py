"""Notes on the lesson about unstable trees."""

from pages.ui.learn.notes.notes import Notes

NOTES = Notes(
    minutes=7,
    aims=(
        "explain why a few points can change the first split and everything below it",
        "measure how alike two trees are by the share of equal predictions",
        "state how far the result of one data set holds on others",
    ),
    needs=("The lesson *Greedy fails on XOR*", "Random samples"),
    misconceptions=(
        (
            "Two trees with different splits make different predictions.",
            "Different splits can give nearly the same regions. Compare predictions, not splits.",
        ),
        (
            "TAO makes trees stable.",
            "It does on this data set, where CART finds no good first split. On other data sets it changes little.",
        ),
        (
            "Trees that agree are better.",
            "They can agree on errors. In this lesson, one tree becomes worse when the trees become more alike.",
        ),
    ),
    splits={
        "How often does the first split use": (
            "Both features have nearly the same lowest impurity, so the sample decides: {truth}. Do not treat any "
            "guess as careless."
        ),
        "also in the first draw": (
            "Each draw contains a fixed share of all points. The share squared gives the expected overlap, close to "
            "{truth}."
        ),
        "five other data sets": "Collect a reason for every guess, then show that the answer is only {truth}.",
    },
)
