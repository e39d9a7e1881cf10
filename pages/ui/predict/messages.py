"""Sentences on the Predict page."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "page.predict",
    {
        "threshold.why": (
            "A leaf predicts what most of its training rows have. With a rare class that may be never: then flag "
            "the class from a lower share on, and see what that finds and what it costs."
        ),
        "threshold.no_need": (
            "No threshold flags nobody here: some leaves have this class alone, 100 % of it. Where nobody is to "
            "be flagged, no tree is needed."
        ),
        "threshold.holds": (
            "The {words} holds on the pages Predict, Rules and Explain: for predictions, pictures, rules, code "
            "and model files. The pages Tree and Edit, with their errors and files, are without it. A threshold "
            "that is chosen by these rows looks better on them than on others."
        ),
        "balanced_error": "Balanced error, in which every class counts the same: {error}.",
        "threshold.none": "No threshold can be set: {why}",
        "threshold.no_row": "None of the {rows} is {name}, so nothing can be said of finding it.",
        "threshold.nobody": (
            "**Nobody is flagged** as {name}: no leaf that these {rows} come to predicts it. All {n} that are "
            "{name} are missed, and there is no precision. A lower threshold, or classes that weigh the same "
            "(More on the Tree page), may find some."
        ),
        "threshold.flagged": (
            "**{n_flagged} of {rows}** ({share}) are flagged as {name}: {n_right} of them rightly (**precision "
            "{precision}**), of {n_class} that there are (**recall {recall}**)."
        ),
        "costs": (
            "{n_alarms:count false alarm} × {alarm} + {n_missed} missed × {miss} = **{cost}** on these rows. "
            "Cheapest is {cheapest}: **{least}**."
        ),
        "curve.probability": "A point is a probability from which on a row would be flagged.",
        "curve.threshold": (
            "A point is a threshold, the ring is where the predictions are; a click on a point moves them there."
        ),
        "rows.unknown_source": "New rows do not come from “{source}”: choose below where they come from.",
        "rows.template": (
            "An empty table with the columns that the tree was trained on. Their order does not matter, and "
            "columns that the tree does not use may be left out."
        ),
        "rows.formats": "{formats}. Columns are found by their names.",
        "rows.typed": "From a spreadsheet, or typed: commas, semicolons and tabs are understood. Ctrl+Enter to apply.",
        "rows.not_kept": "{name} is not kept any more. Bring it again.",
        "rows.too_slow": "{name} {error}. Bring fewer rows or columns at a time.",
        "rows.gone": "The rows are not kept any more. Bring them again.",
        "rows.no_training": " that took no part in training.",
        "what": (
            "Bring rows with the columns of the data: a file, or pasted from a spreadsheet. Each is sent down "
            "the tree; the result says what is predicted, how surely, on which way, and how close it was."
        ),
        "no_part": "This page has no part “{asked}”; it opens at “{part}”.",
        "refused": (
            "{n:,} of {n_rows:count row} got no prediction: a decision on the way needs a value that is missing, "
            "and this tree was trained without missing values. The table says which."
        ),
        "nothing_to_compare": (
            "{column} holds none of the values that the tree predicts, so there is nothing to compare."
        ),
        "unknown_classes": (
            "{n:count row} with a class that the tree does not know ({names}) {n:one counts|count} as wrong."
        ),
        "cut": "Here are {shown}; the file has all of them.",
        "trained.took_part": "{which} took part in training",
        "trained.equal": "{which} equal a training row in every column",
        "trained.equals": "{which} equals a training row in every column",
        "trained.no_test": "{words}: how well the tree does there is no test of it.",
        "data_not_here": "the data set itself is not here",
        "use_template": "Columns are found by their names: take those of the template.",
    },
)
