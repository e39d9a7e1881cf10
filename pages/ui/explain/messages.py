"""Sentences on the Explain page."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "page.explain",
    {
        "change.linear_leaves": (
            "Counterfactual explanations do not support linear leaves, whose predictions vary with the "
            "row. Change a value of the row on the stage below to see the new prediction."
        ),
        "change.always": "This tree predicts {predicted} for every input. Choose a larger tree.",
        "change.already": "This row is already predicted as {predicted}. Choose another {noun}.",
        "change.none": "No input is predicted {how} {limits}. {advice}",
        "change.reach": "The leaves of this tree predict {low} to {high}.",
        "change.no_number": "Enter a limit that the prediction must exceed or stay below.",
        "change.frozen": "with {n} {nouns} fixed",
        "change.nearest": "No input within these limits is nearer",
        "change.nearer": "Nearer inputs may exist",
        "change.whole": ". Integers, dates and categories keep their type.",
        "change.more_features": "let more features change",
        "change.leave_ranges": "allow values outside the ranges of the data",
        "features.no_data": "This section needs the data that the tree was trained on. Load them first.",
        "features.permutations": (
            "Mean over {n} permutations with fixed seeds; lines show one standard deviation. The columns "
            "of one category are permuted together. Features with the same information can replace each "
            "other, so both can appear less important than they are."
        ),
        "features.no_row": "No row has a value of this feature.",
        "features.effects": (
            "Mean (partial dependence) and single rows: the {what} the leaf that a row reaches. If "
            "columns depend on each other, some changed rows are impossible in practice."
        ),
        "no_section": "Unsupported section “{asked}” in this link. Showing “{shown}”.",
        "features.others": "; the importance of all other features is exactly 0.",
        "row.not_here": "Row {row:,} does not exist (the data have {n_rows:,} rows). Showing another row.",
        "row.alike": " {n} {verb} this text, such as {example}.",
        "row.unknown": "No row has the name {name}.{hint} The page still shows {row}.",
        "change.missing": "{n:count missing value} {n:one stays|stay} missing: {names:comma}.",
        "row.none": "This row does not exist.",
    },
)
