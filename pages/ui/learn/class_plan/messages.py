"""Messages about class plans."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "page.class_plan",
    {
        "gone": "This class plan contains the lesson '{name}', which does not exist. The plan skips it.",
        "twice": "This class plan contains '{title}' more than once. The plan keeps the first one.",
        "minutes": "The minutes '{text}' of '{title}' are not a number from 1 to 90. The plan uses {number}.",
        "long": "This class plan is too long. The plan keeps its first {most} lessons.",
        "more": "{n} more entries were skipped or changed.",
        "empty": "This class plan contains no lesson. Choose lessons below.",
        "contest": (
            "Everybody separates the same points with straight lines. Each misclassified point costs 1, each line "
            "costs λ = {lam:g}. The lowest sum wins, and TAO takes part."
        ),
    },
)
