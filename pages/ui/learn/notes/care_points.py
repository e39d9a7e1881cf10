"""Notes on the lesson about care points."""

from pages.ui.learn.notes.notes import Notes

NOTES = Notes(
    minutes=7,
    aims=(
        "decide for a point whether it is a care point of a node, and which child is its pseudolabel",
        "explain why TAO can optimise all nodes at one depth together",
        "describe one pass of TAO from the leaves to the root",
    ),
    needs=("The lesson *What a tree is*", "The lesson *Greedy fails on XOR*, or the idea of improving a given tree"),
    misconceptions=(
        (
            "The colour of a care point is its class.",
            "It is the pseudolabel: the child that classifies the point correctly. Points of one class can have both "
            "pseudolabels.",
        ),
        (
            "A node must separate the classes.",
            "A node must send each care point to its better child. The nodes below separate the classes.",
        ),
        (
            "Don't-care points are classified correctly.",
            "For them both children are right, or both are wrong. Either way this node cannot change the error.",
        ),
    ),
    splits={
        "Where would you begin": (
            "Both orders are possible. TAO begins at the bottom, because a node needs the predictions of its children "
            "to compare them."
        ),
        "misclassify in the best case": (
            "A leaf cannot move points. It chooses the majority class, and the minority remains: {truth}."
        ),
        "For how many points does the side matter": (
            "Pick one point and send it down both children. If the predictions are equally good, the point is a "
            "don't-care point. Do this for two or three points before you show {truth}."
        ),
    },
)
