"""Messages on the Predict page."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "page.predict",
    {
        "threshold.why": (
            "A leaf predicts the majority class of its training rows, so a rare class may never be "
            "predicted. Set a lower probability threshold for the class to see how many rows are flagged and how many "
            "flags are correct."
        ),
        "threshold.no_need": (
            "Some leaves contain only this class (probability 100 %), so every threshold flags some rows."
        ),
        "threshold.holds": (
            "The {words} applies to predictions, charts, rules, code and model files on the Predict, Rules and "
            "Explain pages, but not on the Tree and Edit pages. A threshold selected on these rows performs better on "
            "these rows than on new rows."
        ),
        "balanced_error": "Balanced error (all classes with equal weight): {error}.",
        "threshold.none": "Thresholds are not available. {why}",
        "threshold.no_row": "None of the {rows} has class {name}, so recall is undefined.",
        "threshold.nobody": (
            "**No row is flagged** as {name}, because no leaf that these {rows} reach predicts this class. All {n} "
            "{name} rows are missed, and precision is undefined. Lower the threshold, or balance the class weights "
            "(under More on the Tree page)."
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
            "Each point is a threshold. The ring marks the current threshold. Click a point to use its threshold."
        ),
        "rows.unknown_source": "Unsupported source of new rows: '{source}'. Choose a source below.",
        "rows.template": (
            "Empty table with the columns of the training data. Columns can be in any order. Columns that the tree "
            "does not use are optional."
        ),
        "rows.formats": "{formats}. Columns are matched by name.",
        "rows.typed": (
            "Paste from a spreadsheet or type rows. Commas, semicolons and tabs separate columns. Press "
            "Ctrl+Enter to apply."
        ),
        "rows.not_kept": "The server no longer stores {name}. Upload it again.",
        "rows.too_slow": "{name} {error}. Upload fewer rows or columns at a time.",
        "rows.gone": "The server no longer stores these rows. Upload them again.",
        "rows.no_training": " not used for training.",
        "what": (
            "Upload a file, or paste rows from a spreadsheet. The result shows the prediction, probability, decision "
            "path and margin of each row."
        ),
        "no_part": "This link contains an unsupported section: '{asked}'. Showing '{part}'.",
        "refused": (
            "{n:,} of {n_rows:count row} have no prediction, because a split on the decision path tests a missing "
            "value and this tree does not support missing values. The table shows the split."
        ),
        "nothing_to_compare": "{column} contains none of the classes of the tree, so the error is undefined.",
        "unknown_classes": (
            "{n:count row} with a class that is not in the tree ({names}) {n:one counts|count} as errors."
        ),
        "cut": "Showing {shown}. The file contains all rows.",
        "trained.took_part": "{which} took part in training",
        "trained.equal": "{which} equal a training row in every column",
        "trained.equals": "{which} equals a training row in every column",
        "trained.no_test": "{words}, so this error is not an estimate of the test error.",
        "data_not_here": "the data set is not available",
        "use_template": "Columns are matched by name. Use the template.",
    },
)
