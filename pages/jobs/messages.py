"""Messages about jobs, limited calls and the storage on the server."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "jobs",
    {
        "call.cancelled": "Cancelled.",
        "call.seconds": "took longer than {seconds:g} s",
        "call.died": "The task failed ({why}).",
        "call.megabytes": "needed more than {megabytes:,} MB of memory",
        "call.no_process": "the server has too little memory or too many open files",
        "call.not_begun": "The task could not start: {why}. Try again later.",
        "job.failed": "The job failed unexpectedly ({type}: {error}).",
        "job.failed_piece": "The job failed unexpectedly ({error}).",
        "job.lost": "The training process ended unexpectedly (it may have run out of memory).",
        "worker.memory": "Out of memory.",
        "worker.failed": "The worker failed ({error}).",
        "results_not_kept": (
            "The server's jobs folder is not writable ({why}). Ask the server administrator to free space, then train "
            "again."
        ),
        "reading.damaged": "The stored content of the file is damaged. Open the file again.",
        "optimality.record": "The record of an optimality search is damaged.",
        "weights.number": "Enter a weight from {least:g} to {most:,.0f}.",
        "weights.zero": "A weight of 0 would remove the class. Enter at least {least:g}, or remove the rows of this "
        "class.",
        "weights.range": (
            "Unsupported weight {shown}: expected {least:g} to {most:,.0f}. Only the ratios between classes matter."
        ),
        "weights.count": (
            "The weights {text!r:.40} do not match these data. Enter one number for each of the {n_classes} classes."
        ),
        "folds.too_few": (
            "Too few rows for cross-validation: {count} folds need at least {fewest} training and validation rows, "
            "but the data have {n}."
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
            "The data set has no validation rows to compare the trees on. Choose a data split with validation rows."
        ),
        "sample.title": "{name}, sample",
        "sample_curve.record": "The record of a learning curve is damaged.",
        "point.of_another": "The stored record is not one of this job.",
        "point.other_data": "The stored tree does not have the features and the target of the data.",
        "point.figures": "The stored record of a tree is incomplete: metrics are missing.",
        "point.passes": "The stored record of a tree is incomplete: the list of passes is missing.",
        "point.no_tree": "The stored record contains no tree.",
        "tree.unknown": (
            "Unsupported model file. Supported: Model (JSON) from this app, {known}. Pickle files (.pkl, "
            ".joblib) can contain code, so they are not supported. Save scikit-learn models with skops.io.dump."
        ),
        "tree.marked": (
            "The file treats some values of {columns:comma 8} as missing or invalid. The app uses them as they are."
        ),
        "tree.no_form": "is not supported",
        "tree.no_table": "{name} is a tree ({tree}), not a table. Open it on the Data page under Import a tree.",
        "user_data.full": (
            "The server's storage for user data is full, mostly with data from your network address. Delete data on "
            "the Data page, or try again later."
        ),
        "user_data.not_saved": "{name} could not be saved: {why}.",
        "user_data.not_kept": "{name} could not be stored on the server: {why}. Try again later.",
        "user_data.gone": (
            "The data set {name:.40} was made from a visitor's file and is not available: {how}. Open the"
            " file again on the Data page."
        ),
        "user_data.deleted": "its owner deleted it",
        "user_data.unused": "data are deleted if they are unused for {hours:,} hours or exceed the storage limit",
        "user_data.no_upload": "The file could not be stored on the server: {why}. Try again later.",
        "user_data.nothing_kept": "The server cannot store anything: {why}. Try again later.",
        "edits.not_kept": (
            "The server cannot store your changes ({why}), so reloading the page discards them. Save the tree to a "
            "file."
        ),
        "edits.full": (
            "The storage for edited trees is full, mostly with trees from your network address. Reloading the page "
            "discards your changes, so save the tree to a file."
        ),
    },
)
