"""Sentences on the Explain page."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "page.explain",
    {
        "change.linear_leaves": (
            "The nearest other input is not worked out for leaves that are linear models, since their answer "
            "changes with the row. Change a value of the row on the stage below, and see what the tree predicts "
            "then."
        ),
        "change.always": (
            "This tree predicts {predicted} whatever the input: nothing can change that. Choose a larger tree."
        ),
        "change.already": "This row is predicted as {predicted} already; want another {noun}.",
        "change.none": "There is none: no input is predicted {how} {limits}. {advice}",
        "change.reach": "The leaves of this tree predict {low} to {high}.",
        "change.no_number": "Say what the prediction is to be above or below.",
        "change.frozen": "with {n} {nouns} kept as they are",
        "change.nearest": "No input within these limits is nearer",
        "change.nearer": "Nearer ones may be possible",
        "change.whole": ", where whole numbers, whole days and categories stay such.",
        "change.more_features": "let more features change",
        "change.leave_ranges": "leave the ranges of the data",
        "features.no_data": "This needs the data that the tree was trained on; load them to see it.",
        "features.permutations": (
            "Means of {n} permutations, always the same ones; the lines show one standard deviation. A category "
            "column is permuted as a whole. Features that say the same can stand in for each other, so both may "
            "look less important than they are."
        ),
        "features.no_row": "No row has a value of it.",
        "features.effects": (
            "The mean (partial dependence) and single rows: the {what} the leaf that a row gets to. A row may "
            "become one that cannot be, where columns depend on each other."
        ),
        "no_section": "This page has no part “{asked}”; it opens at “{shown}”.",
        "features.others": "; the others cannot matter to it: theirs is exactly 0.",
        "row.not_here": "This link asks for row {row:,}, which is not among these {n_rows:,}; shown is another one.",
        "row.alike": " {n} {verb} it, such as {example}.",
        "row.unknown": "No row is called {name}.{hint} The page still shows {row}.",
        "change.missing": "{n:count missing value} {n:one stays|stay} missing: {names:comma}.",
        "row.none": "There is no such row.",
    },
)
