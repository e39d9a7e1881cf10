"""Sentences on jobs, calls with limits, and what visitors keep on the server."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "jobs",
    {
        "call.cancelled": "It was cancelled.",
        "call.seconds": "took longer than {seconds:g} s",
        "call.died": "It could not be done ({why}).",
        "call.megabytes": "needed more than {megabytes:,} MB of memory",
        "call.not_begun": "It cannot be begun: {why}. Try again later.",
        "job.failed": "An unexpected error ended it ({type}: {error}).",
        "job.failed_piece": "An unexpected error ended it ({error}).",
        "job.lost": "The training process ended unexpectedly (it may have run out of memory).",
        "worker.memory": "There is not enough memory for it.",
        "worker.failed": "The worker could not do it ({error}).",
        "results_not_kept": (
            "The results cannot be kept in the jobs folder of this server ({why}). Whoever runs it can make room "
            "there; then train again."
        ),
        "weights.number": "A weight is a number from {least:g} to {most:,.0f}.",
        "weights.zero": (
            "With a weight of 0 a class would not be there at all: use at least {least:g}, or take its rows out."
        ),
        "weights.range": "{shown} is no weight: use {least:g} to {most:,.0f}. Only the ratios between classes matter.",
        "weights.count": (
            "The weights {text!r:.40} do not fit these data: give a number for each of the {n_classes} classes."
        ),
        "folds.too_few": (
            "There are too few rows to cross-validate: {count} folds need {fewest} rows besides the test rows, "
            "and there are {n}."
        ),
        "folds.too_few_of_classes": (
            "There are too few rows to cross-validate: {count} folds need {fewest} rows of two {nouns} with at least "
            "{count} rows each besides the test rows, and there are {n}."
        ),
        "folds.one_too_small": (
            "There are too few rows to cross-validate: one of {count} folds would have {n} rows to judge, or a "
            "single class to train on."
        ),
        "improvement.no_validation": "The data have no validation rows, by which the better tree would be chosen.",
        "point.figures": "The record of a tree lacks some of its figures.",
        "point.passes": "The record of a tree has no list of passes.",
        "point.no_tree": "The record has no tree.",
        "tree.unknown": (
            "It is no model file that is known here: Model (JSON) of this program, {known}. Pickles (.pkl, "
            ".joblib) can hold code and are never opened: save scikit-learn's models by skops.io.dump."
        ),
        "tree.no_form": "has no form here",
        "tree.no_table": "{name} is a tree ({tree}), not a table: open it on the Data page as A tree of yours.",
        "user_data.full": (
            "This server keeps too much data, most of it from your network address. Delete your data on the Data "
            "page, or try again later."
        ),
        "user_data.not_saved": "{name} cannot be saved: {why}.",
        "user_data.not_kept": "{name} cannot be kept on the server: {why}. Try again later.",
        "user_data.gone": (
            "The data set {name:.40} was made from somebody's own file and is not here any more: {how}. Open the "
            "file again on the Data page."
        ),
        "user_data.deleted": "its owner has deleted it",
        "user_data.unused": "what nobody has used for {hours:,} hours is deleted, and so is what is too much",
        "user_data.no_upload": "The file cannot be kept on the server: {why}. Try again later.",
        "user_data.nothing_kept": "Nothing can be kept on the server: {why}. Try again later.",
        "edits.not_kept": (
            "This server cannot keep your changes ({why}): a reload of the page loses them. Save them to a file."
        ),
        "edits.full": (
            "This server keeps too many edited trees, most of them from your network address: a reload of the "
            "page loses your changes. Save them to a file."
        ),
    },
)
