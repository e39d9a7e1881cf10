"""Sentences of errors of the commands."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "command",
    {
        "app.not_there": (
            "The explorer is not beside this library: install tao-explorer with pip, or start it by 'make app'."
        ),
        "figure.ending": "--out ends in .{ending}; allowed are {choices:comma} (or say --format).",
        "figure.pages": ("--pages is for PDF, not {form}: give --out a name that ends in .pdf, or --format pdf."),
        "figure.part": "--subtree and --way are for pictures; an HTML page folds and opens parts by itself.",
        "figure.unnamed": "The tree has {n_features} features without names; it is not drawn.",
        "figure.no_node": "The tree has no node {asked!r:.40}; it has {nodes:comma 20} ...",
        "file.not_there": "There is no file {name!r:.200}.",
        "file.too_large": "{name} is larger than {most} MB.",
        "file.not_read": "{name!r:.200} cannot be read: {why}.",
        "file.not_written": "{name!r:.200} cannot be written: {why}.",
        "file.no_model": "{name}: {why}",
        "file.folder": "{name!r} is a folder; name a file in it.",
        "file.one_output": "Only one output can be standard output: give the others a file, or leave --json out.",
        "file.one_input": "Only one of the model and the rows can be standard input.",
        "path.no_validation": "There are no validation rows to choose a tree by; give --validation a share.",
        "predict.no_column": "The table has no column {column!r} to compare with.",
        "predict.no_table": "{name!r:.200} is no table: its rows are predicted alone, without other files.",
        "rows.reading": "--read {text!r}: expected NAME=VALUE with {names:comma}.",
        "rows.other_data": "{title} has other features or classes than the data that the tree was trained on.",
        "rows.no_target": "The table has no column {column!r} with the {noun}.",
        "rows.no_class": "Column {column!r} holds none of the classes {classes:literals 8}.",
        "rows.no_numbers": "Column {column!r} holds no numbers, which the tree predicts.",
        "sparse.no_labels": (
            "{name} has no labels. Add them as the array y of the file: numpy.savez_compressed('with_y.npz', y=y, "
            "**numpy.load('matrix.npz'))."
        ),
        "sparse.texts": "--regression: the labels are texts such as {label!r}; leave it out.",
        "sparse.numbers": "The labels are numbers, not classes: give --regression to predict them.",
        "fit.missing": (
            "Values are missing, in {names:literals 6}: oblique trees cannot have that. Use --split univariate or "
            "bivariate, which learn where such rows go, or --ignore."
        ),
        "fit.foreign": "A tree that predicts {target} has no {parameter}. Remove --{option}.",
        "table.only": "{option} is for tables; {data!r} has its classes and features already.",
        "table.two_splits": "{options:and} are both given: use one way to split the rows.",
        "table.no_column": "The table has no column {column!r}; it has {names:literals 12}.",
        "table.ignored_target": "--ignore {column!r} is what is to be predicted; name another column with --target.",
        "table.no_part": "Column {column!r} holds {value!r}; allowed are {parts:comma}.",
        "table.target_of_texts": (
            "The target {target!r} contains texts that are not plain numbers, such as {text!r}. Write them as numbers, "
            "or leave out --regression."
        ),
        "table.constant_target": (
            "The target {target!r} has fewer than two different numbers. Choose another target with --target."
        ),
        "table.few_rows": "{n} of {n_all} rows can be used; drop the others first.",
    },
)
