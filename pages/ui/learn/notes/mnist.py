"""Notes on the story about handwritten digits."""

from pages.ui.learn.notes.notes import Notes

NOTES = Notes(
    minutes=8,
    aims=(
        "read from the weights of a node which strokes it tests",
        "follow a digit from the root to its leaf",
        "explain why a tree that is easy to read need not be the most accurate one",
    ),
    needs=("The lesson *Pixels as features*",),
    misconceptions=(
        (
            "A node recognises a whole digit.",
            "A node tests a few pixels. Only the nodes of a decision path together determine the digit.",
        ),
        (
            "A model must use the whole image.",
            "The pixels outside the decision path can have any value, and the prediction stays the same.",
        ),
        (
            "The same λ is right for every use.",
            "To explain, choose a tree with few pixels. To sort mail, choose the smaller error.",
        ),
    ),
    splits={
        "pixels does the tree use on this path": (
            "Estimate the pixels per node and the nodes on the path together. The product is close to {truth}."
        ),
        "How many does the node classify correctly": (
            "The answer is between a single leaf and all digits. Some digits of other classes reach the node and "
            "must be "
            "misclassified: {truth}."
        ),
        "test digits does this tree misclassify": (
            "Ask whether more pixels must help. Here they do: {truth}, but the nodes are harder to read."
        ),
    },
)
