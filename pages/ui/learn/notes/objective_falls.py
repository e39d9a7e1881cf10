"""Notes on the lesson about the objective."""

from pages.ui.learn.notes.notes import Notes

NOTES = Notes(
    minutes=6,
    aims=(
        "compute the objective of a tree from its errors, its splits and λ",
        "explain why no step of TAO raises the objective",
        "distinguish a tree that TAO no longer improves from the best tree",
    ),
    needs=("The lesson *Care points and the reduced problem*",),
    misconceptions=(
        (
            "A falling objective leads to the best tree.",
            "It leads to a tree that TAO no longer improves. Another initial tree can lead to a better one.",
        ),
        (
            "A step without a change is the end.",
            "After other nodes have changed, the same node may find a better split. TAO stops after a whole pass "
            "without a change.",
        ),
        (
            "Pruning after a pass makes the tree less accurate on the training points.",
            "It removes leaves that no training point reaches, so these predictions stay the same.",
        ),
    ),
    splits={
        "remove one split and add two errors": (
            "Write both terms on the board: the errors rise by two, and the penalty falls by less. The sum decides."
        ),
        "add errors at another": (
            "Follow one point from the root. It reaches only one node at each depth, so changes at the others do not "
            "affect it."
        ),
        "How many of them end lower": (
            "Draw a curve with several valleys. Each start rolls into the nearest one, so another start can end lower: "
            "{truth} do."
        ),
        "Does pruning change": "No training point reaches the removed leaves, so no training prediction changes.",
    },
)
