"""Sentences on the Rules page."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "page.rules",
    {
        "detail.decision": (
            "A decision is selected. Its rules are those of the leaves below it: click a leaf, or a rule in the list."
        ),
        "detail.click": (
            "Click a rule in the list, or a leaf of the tree: its path is lit, and its conditions and rows stand here."
        ),
        "detail.no_rows": "The rows that this tree was trained on are not here; the counts are those that it stores.",
        "detail.empty": "No row of these comes to this rule.",
        "detail.cut": "Shown are {limits}; the file has all.",
        "detail.images": ", of which {most} are shown",
        "single_leaf": " · the tree is a single leaf, which always predicts the same",
        "none_passes": "None of the {n} rules passes the filters.",
        "chain.lopsided": (
            "Only a lopsided tree, whose every decision has a leaf below it, can be written as one chain. This "
            "one has a decision with two decisions below it: use the rules."
        ),
        "chain.how": "Every line is tried where none before it held, so each condition is a single decision.",
        "chain.begin": "This is its begin; the file under Save has all of it.",
    },
)
