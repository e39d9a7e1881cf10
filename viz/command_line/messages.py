"""Sentences of errors of the command line."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "command_line",
    {
        "app.missing": (
            "The explorer is not beside this library: install tao-explorer with pip, or start it by 'make app'."
        ),
        "figure.ending": "--out ends in .{ending}; allowed are {formats:comma} (or say --format).",
        "figure.pages": ("--pages is for PDF, not {format}: give --out a name that ends in .pdf, or --format pdf."),
        "figure.html": "--subtree and --way are for pictures; an HTML page folds and opens parts by itself.",
        "figure.unnamed": "The tree has {n_features} features without names; it is not drawn.",
        "figure.node": "The tree has no node {node!r:.40}; it has {names:comma} ...",
        "file.none": "There is no file {name!r:.200}.",
        "file.large": "{name} is larger than {most} MB.",
        "file.unreadable": "{name!r:.200} cannot be read: {reason}.",
        "file.model": "{name}: {error}",
        "file.folder": "{name!r} is a folder; name a file in it.",
        "file.unwritable": "{name!r:.200} cannot be written: {reason}",
        "file.unwritten": "{name!r:.200} cannot be written: {reason}.",
        "file.is_folder": "it is a folder",
        "file.no_folder": "the folder {folder!r:.200} is not there",
        "file.locked_folder": "the folder {folder!r:.200} may not be written to",
        "outputs": "Only one output can be standard output: give the others a file, or leave --json out.",
        "inputs": "Only one of the model and the rows can be standard input.",
        "choice": "{value!r:.40}: expected one of {choices:comma}",
        "value": "{value!r}: expected {allowed}",
        "path.validation": "There are no validation rows to choose a tree by; give --validation a share.",
        "predict.target": "The table has no column {column!r} to compare with.",
        "predict.files": "{name!r:.200} is no table: its rows are predicted alone, without other files.",
        "rows.read": "--read {text!r}: expected NAME=VALUE with {options:comma}.",
        "rows.data": "{title} has other features or classes than the data that the tree was trained on.",
        "rows.target": "The table has no column {column!r} with the {values}.",
        "rows.classes": "Column {column!r} holds none of the classes {classes:literals}.",
        "rows.numbers": "Column {column!r} holds no numbers, which the tree predicts.",
        "sparse.labels": (
            "{name} has no labels. Add them as the array y of the file: numpy.savez_compressed('with_y.npz', y=y, "
            "**numpy.load('matrix.npz'))."
        ),
        "sparse.texts": "--regression: the labels are texts such as {text!r}; leave it out.",
        "sparse.numbers": "The labels are numbers, not classes: give --regression to predict them.",
        "training.missing": (
            "Values are missing, in {names:literals 6}: oblique trees cannot have that. Use --split univariate or "
            "bivariate, which learn where such rows go, or --ignore."
        ),
        "training.option": "A tree that predicts {values} does not have this parameter. Remove {option}.",
        "data.table": "{option} is for tables; {name!r} has its classes and features already.",
        "data.splits": "{options:and} are both given: use one way to split the rows.",
        "data.column": "The table has no column {column!r}; it has {names:literals 12}.",
        "data.target": "--ignore {column!r} is what is to be predicted; name another column with --target.",
        "data.part": "Column {column!r} holds {text!r}; allowed are {parts:comma}.",
        "data.texts": (
            "The target {column!r} contains texts that are not plain numbers, such as {text!r}. Write them as "
            "numbers, or leave out --regression."
        ),
        "data.constant": (
            "The target {column!r} has fewer than two different numbers. Choose another target with --target."
        ),
        "data.rows": "{n} of {n_rows} rows can be used; drop the others first.",
    },
)
