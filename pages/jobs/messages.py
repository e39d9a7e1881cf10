"""Sentences on jobs, limited calls and the storage of the server."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "jobs",
    {
        "call.cancelled": "Cancelled.",
        "call.seconds": "took longer than {seconds:g} s",
        "call.died": "The task failed ({why}).",
        "call.megabytes": "needed more than {megabytes:,} MB of memory",
        "call.not_begun": "The task could not start: {why}. Try again later.",
        "job.failed": "The job failed unexpectedly ({type}: {error}).",
        "job.failed_piece": "The job failed unexpectedly ({error}).",
        "job.lost": "The training process ended unexpectedly (it may have run out of memory).",
        "worker.memory": "Out of memory.",
        "worker.failed": "The worker failed ({error}).",
        "results_not_kept": (
            "The jobs folder of this server is not writable ({why}). Ask its administrator to free space,"
            " then train again."
        ),
        "weights.number": "A weight is a number from {least:g} to {most:,.0f}.",
        "weights.zero": "A weight of 0 removes the class. Use at least {least:g}, or remove its rows.",
        "weights.range": (
            "Unsupported weight {shown}: expected {least:g} to {most:,.0f}. Only the ratios between classes matter."
        ),
        "weights.count": (
            "The weights {text!r:.40} do not match these data. Enter one number for each of the {n_classes} classes."
        ),
        "folds.too_few": (
            "Too few rows for cross-validation: {count} folds need {fewest} training and validation rows;"
            " the data have {n}."
        ),
        "folds.too_few_of_classes": (
            "Too few rows for cross-validation: {count} folds need {fewest} training and validation rows "
            "of two {nouns} with at least {count} rows each; the data have {n}."
        ),
        "folds.one_too_small": (
            "Too few rows for cross-validation: one of {count} folds would have {n} validation rows, or a"
            " single class to train on."
        ),
        "improvement.no_validation": (
            "The data set has no validation rows, so the better tree cannot be selected. Choose a split with"
            " validation rows."
        ),
        "point.figures": "The record of a tree lacks some of its metrics.",
        "point.passes": "The record of a tree lacks its list of passes.",
        "point.no_tree": "The record has no tree.",
        "tree.unknown": (
            "Unsupported model file. Supported: Model (JSON) of this app, {known}. Pickle files (.pkl, "
            ".joblib) can contain code and are not supported; save scikit-learn models with "
            "skops.io.dump."
        ),
        "tree.no_form": "is not supported",
        "tree.no_table": "{name} is a tree ({tree}), not a table. Open it on the Data page under A tree of yours.",
        "user_data.full": (
            "The storage of this server for user data is full, mostly with data from your network "
            "address. Delete data on the Data page, or try again later."
        ),
        "user_data.not_saved": "{name} could not be saved: {why}.",
        "user_data.not_kept": "{name} could not be stored on the server: {why}. Try again later.",
        "user_data.gone": (
            "The data set {name:.40} was made from a visitor's file and is not available: {how}. Open the"
            " file again on the Data page."
        ),
        "user_data.deleted": "its owner deleted it",
        "user_data.unused": "data that are not used for {hours:,} hours, or that exceed the storage limit, are deleted",
        "user_data.no_upload": "The file could not be stored on the server: {why}. Try again later.",
        "user_data.nothing_kept": "The server cannot store anything: {why}. Try again later.",
        "edits.not_kept": (
            "The server cannot store your changes ({why}). Reloading the page loses them. Save them to a file."
        ),
        "edits.full": (
            "The storage for edited trees is full, mostly from your network address. Reloading the page "
            "loses your changes. Save them to a file."
        ),
    },
)
