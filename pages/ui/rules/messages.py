"""Sentences on the Rules page."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "page.rules",
    {
        "detail.decision": (
            "A decision node is selected. The list shows the rules of the leaves below it. Click a leaf, "
            "or a rule in the list."
        ),
        "detail.click": "Click a rule in the list or a leaf of the tree to see its path, conditions and rows.",
        "detail.no_rows": "The training rows of this tree are not available. The counts are read from the tree.",
        "detail.empty": "None of these rows reaches this rule.",
        "detail.cut": "Showing {limits}; the file contains all.",
        "detail.images": ", {most} of them shown",
        "single_leaf": " · the tree is a single leaf, with one prediction for all rows",
        "none_passes": "None of the {n} rules matches the filters.",
        "chain.lopsided": (
            "A decision list needs a tree in which every decision node has a leaf as a child. This tree "
            "has a decision node with two decision nodes as children. Use the rules instead."
        ),
        "chain.how": (
            "Each line applies to the rows that no line above it matches, so each condition is a single split."
        ),
        "chain.begin": "First lines only; the file under Save contains all.",
    },
)
