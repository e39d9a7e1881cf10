"""Sentences on the Predict page."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "page.predict",
    {
        "threshold.why": (
            "A leaf predicts the majority class of its training rows, so a rare class may never be "
            "predicted. Set a lower probability threshold for the class to see how many rows are flagged "
            "and how many of them correctly."
        ),
        "threshold.no_need": (
            "Some leaves contain this class only (probability 100 %), so every threshold flags some rows."
        ),
        "threshold.holds": (
            "The {words} applies to the Predict, Rules and Explain pages: to predictions, pictures, "
            "rules, code and model files. It does not apply to the Tree and Edit pages. A threshold "
            "selected on these rows looks better on them than on new rows."
        ),
        "balanced_error": "Balanced error (all classes with equal weight): {error}.",
        "threshold.none": "No threshold can be set. {why}",
        "threshold.no_row": "None of the {rows} is {name}, so recall is undefined.",
        "threshold.nobody": (
            "**No row is flagged** as {name}: no leaf reached by these {rows} predicts it. All {n} {name}"
            " rows are missed, and precision is undefined. Lower the threshold, or balance the class "
            "weights (More on the Tree page)."
        ),
        "threshold.flagged": (
            "**{n_flagged} of {rows}** ({share}) are flagged as {name}; {n_right} of them are correct "
            "(**precision {precision}**), out of {n_class} in total (**recall {recall}**)."
        ),
        "costs": (
            "{n_alarms:count false alarm} × {alarm} + {n_missed} missed × {miss} = **{cost}** on these "
            "rows. The minimum is at {cheapest}: **{least}**."
        ),
        "curve.probability": "Each point is a probability threshold.",
        "curve.threshold": (
            "Each point is a threshold; the ring is the current one. Click a point to use its threshold."
        ),
        "rows.unknown_source": "Unsupported source “{source}” of new rows. Choose one below.",
        "rows.template": (
            "An empty table with the columns of the training data. The order of columns does not matter. "
            "Columns that the tree does not use are optional."
        ),
        "rows.formats": "{formats}. Columns are matched by name.",
        "rows.typed": (
            "Paste from a spreadsheet or type rows. Commas, semicolons and tabs separate columns. Press "
            "Ctrl+Enter to apply."
        ),
        "rows.not_kept": "The server does not store {name} any more. Upload it again.",
        "rows.too_slow": "{name} {error}. Upload fewer rows or columns at a time.",
        "rows.gone": "The server does not store these rows any more. Upload them again.",
        "rows.no_training": " that took no part in training.",
        "what": (
            "Upload a file, or paste rows from a spreadsheet. The result shows the prediction of each "
            "row, its probability, its decision path and its margin."
        ),
        "no_part": "Unsupported section “{asked}” in this link. Showing “{part}”.",
        "refused": (
            "{n:,} of {n_rows:count row} have no prediction: a split on their decision path needs a "
            "missing value, and this tree was trained without missing values. The table shows the split."
        ),
        "nothing_to_compare": "{column} contains none of the classes of the tree, so the error is undefined.",
        "unknown_classes": (
            "{n:count row} with a class that is not in the tree ({names}) {n:one counts|count} as errors."
        ),
        "cut": "Showing {shown}; the file contains all rows.",
        "trained.took_part": "{which} took part in training",
        "trained.equal": "{which} equal a training row in every column",
        "trained.equals": "{which} equals a training row in every column",
        "trained.no_test": "{words}, so this error does not estimate the test error.",
        "data_not_here": "the data set is not available",
        "use_template": "Columns are matched by name. Use the template.",
    },
)
