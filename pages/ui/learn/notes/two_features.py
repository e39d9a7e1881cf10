"""Notes on the lesson about split types."""

from pages.ui.learn.notes.notes import Notes

NOTES = Notes(
    minutes=6,
    aims=(
        "compare a threshold, a line and a weighted sum as splits",
        "explain how the bivariate cost C decides between a threshold and a line",
        "weigh fewer errors against a decision that people can check",
    ),
    needs=("The lesson *Why thresholds form staircases*", "The lesson *λ prunes*"),
    misconceptions=(
        (
            "A line uses twice as much information, so it is always better.",
            "It is at least as good on training points. Its penalty is higher, and on new points it need not win.",
        ),
        (
            "The two best single features make the best pair.",
            "A pair can separate rows that neither of its features separates alone.",
        ),
        ("A tree that uses all features is more reliable.", "It is harder to check, and more weights can fit noise."),
    ),
    splits={
        "best threshold on one of these features": (
            "Let students project the points onto one axis with a ruler. Where the classes overlap on the axis, a "
            "threshold fails."
        ),
        "simpler split misclassify": (
            "A dearer line stays only if it corrects enough rows. Most lines are worth little more than a threshold, "
            "here {truth}."
        ),
    },
)
