"""Messages on the Explain page."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "page.explain",
    {
        "change.linear_leaves": (
            "Counterfactual explanations do not support linear leaves. To see how a prediction changes, change a "
            "value of the row on the stage below."
        ),
        "change.always": "This tree predicts {predicted} for every input. Choose a larger tree.",
        "change.already": "This row is already predicted as {predicted}. Choose another {noun}.",
        "change.none": "No input is predicted {how} {limits}. {advice}",
        "change.reach": "The leaves of this tree predict {low} to {high}.",
        "change.no_number": "Enter a limit for the prediction.",
        "change.frozen": "with {n} {nouns} fixed",
        "change.nearest": "No input within these limits is closer",
        "change.nearer": "A closer input may exist",
        "change.whole": ". Integers, dates and categories keep their type.",
        "change.more_features": "let more features change",
        "change.leave_ranges": "allow values outside the ranges of the data",
        "features.no_data": "This section needs the training data of the tree. Load these data first.",
        "features.permutations": (
            "Mean over {n} permutations with fixed seeds. Lines show one standard deviation. The 0/1 "
            "features of one column are permuted together. Features with the same information can replace each "
            "other, so each can appear less important than it is."
        ),
        "features.no_row": "No row has a value of this feature.",
        "features.effects": (
            "Mean (partial dependence) and single rows. The chart shows the {what} the leaf that a row reaches. If "
            "columns depend on each other, some changed rows are unrealistic."
        ),
        "no_section": "This link contains an unsupported section: '{asked}'. Showing '{shown}'.",
        "features.others": "; all other features have importance 0.",
        "row.not_here": "Row {row:,} does not exist (the data have {n_rows:,} rows). Showing another row.",
        "row.alike": " {n} {verb} this text, such as {example}.",
        "row.unknown": "No row is named {name}.{hint} The page still shows {row}.",
        "change.missing": "{n:count missing value} cannot change: {names:comma}.",
        "row.none": "This row does not exist.",
    },
)
