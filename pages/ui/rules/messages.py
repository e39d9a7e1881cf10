"""Messages on the Rules page."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "page.rules",
    {
        "detail.decision": (
            "A decision node is selected, so the list shows the rules of the leaves below this node. Click a leaf, or "
            "a rule in the list."
        ),
        "detail.click": "Click a rule in the list or a leaf in the tree to see the decision path, conditions and rows.",
        "detail.no_rows": "The training rows of this tree are not available. The counts come from the tree itself.",
        "detail.empty": "None of these rows reaches this rule.",
        "detail.cut": "Showing {limits}. The file contains all of them.",
        "detail.images": ", {most} shown",
        "single_leaf": " · the tree is a single leaf, with one prediction for all rows",
        "none_passes": "None of the {n} rules matches the filters.",
        "chain.lopsided": (
            "A decision list requires that every decision node has a leaf as a child. This tree has a decision node "
            "without one. Use the rules instead."
        ),
        "chain.how": (
            "Each line applies only to rows that no earlier line matches, so each condition is a single split."
        ),
        "chain.begin": "Only the first lines are shown. The file under Save contains all lines.",
    },
)
