"""Notes on the lesson about forests."""

from pages.ui.learn.notes.notes import Notes

NOTES = Notes(
    minutes=7,
    aims=(
        "explain why a vote of different trees makes fewer errors than each tree",
        "describe a bootstrap sample",
        "weigh the smaller error of a forest against one tree that people can read",
    ),
    needs=("The lesson *Trees are unstable*", "The lesson *Overfitting*"),
    misconceptions=(
        (
            "The trees of a forest are better than a single tree.",
            "Here each one is worse, because it sees fewer different points. Their vote is better.",
        ),
        ("More trees always help as much as the first ones.", "The error falls quickly at first, then slowly."),
        (
            "A forest is always the better choice.",
            "Here one tree with lines has a smaller error, and people can read it.",
        ),
    ),
    splits={
        "does the vote misclassify": "Different trees err at different places, so many errors are outvoted: {truth}.",
        "see on average": (
            "Let students draw slips with replacement. About a third of the points is never drawn, so a tree sees "
            "{truth}."
        ),
        "How many splits does a point pass": "Multiply the splits on one path by the number of trees, about {truth}.",
        "fewer new points than the vote": "Let students look at the slanted stripes before they compare trees.",
    },
)
