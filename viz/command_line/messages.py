"""Error messages of the commands."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "command",
    {
        "app.no_data_folder": "--data-folder: {folder} is not a folder. Pass the path of a folder of Parquet files.",
        "app.not_there": (
            "The explorer is not installed with this library. Install tao-explorer, or start it with 'make app'."
        ),
        "distil.no_test": "The test set is empty, so the fidelity cannot be measured. Pass --test above 0.",
        "distil.untrusted": (
            "{name} contains types that skops does not trust: {types:comma 8}. A damaged file with such types can "
            "crash Python. If you trust the source of the file, pass --trust {first}."
        ),
        "distil.no_skops": "The package skops is not installed. Run pip install skops.",
        "distil.trust": "--trust {names:comma}: expected types of scikit-learn, such as sklearn.tree._tree.Tree.",
        "distil.not_skops": (
            "{name} is not a readable skops file ({why}). Save the model with skops.io.dump. Pickles are not read."
        ),
        "distil.no_columns": (
            "The model was trained on columns that the table does not have as numbers: {names:literals 6}. Pass a "
            "table with these columns."
        ),
        "figure.ending": "--out ends in .{ending}: expected one of {choices:comma}. To use another file name, pass "
        "--format.",
        "figure.pages": (
            "--pages supports PDF only, not {form}. Use an --out name that ends in .pdf, or pass --format pdf."
        ),
        "figure.part": "--subtree and --way work for figures only. Remove these options. On an HTML page, readers can "
        "collapse nodes.",
        "figure.unnamed": "The tree cannot be drawn: its {n_features} features have no names.",
        "figure.no_node": "The tree has no node {asked!r:.40}. It has {nodes:comma 20} ...",
        "file.not_there": "File {name!r:.200} not found.",
        "file.too_large": "{name} is too large (maximum {most} MB).",
        "file.not_read": "{name!r:.200} cannot be read: {why}.",
        "file.not_written": "{name!r:.200} cannot be written: {why}.",
        "file.no_model": "{name}: {why}",
        "file.folder": "{name!r} is a folder. Pass a file.",
        "file.one_output": "Only one output can use standard output. Pass a file for each other output, or remove "
        "--json.",
        "file.one_input": "The model and the rows cannot both come from standard input.",
        "parts.option": "{option} requires a table in memory. Remove {option}, or pass a single file without --memory.",
        "parts.target": "Pass the column to predict with --target. The columns are {names:literals 12}.",
        "parts.shares": "--validation and --test: expected shares >= 0 whose sum is below 1.",
        "parts.save": "--save requires a table in memory. Remove --save, or pass a single file without --memory.",
        "parts.out": "{name!r} is a folder of rows, so --out must be a folder. Pass a folder that is new or empty.",
        "path.no_validation": "The validation set is empty, so no tree can be selected. Pass --validation above 0.",
        "predict.out": "--out: {why}.",
        "predict.no_column": "The table has no column {column!r} for the comparison.",
        "predict.no_table": "{name!r:.200} is not a table, so it cannot be combined with other files. Predict this "
        "file separately.",
        "rows.reading": "--read {text!r}: expected NAME=VALUE with {names:comma}.",
        "rows.other_data": "{title} does not have the features and classes of the training data.",
        "rows.no_target": "The table has no column {column!r} with the {noun}.",
        "rows.no_class": "Column {column!r} contains none of these classes: {classes:literals 8}.",
        "rows.no_numbers": "Column {column!r} contains no numbers, but the tree predicts numbers.",
        "sparse.no_labels": (
            "{name} has no labels. Add them to the file as the array y: numpy.savez_compressed('with_y.npz', y=y, "
            "**numpy.load('matrix.npz'))."
        ),
        "sparse.texts": "--regression requires numbers, but the labels are texts such as {label!r}. Remove "
        "--regression.",
        "sparse.numbers": "The labels are numbers, not classes. Pass --regression to predict them.",
        "fit.missing": (
            "Missing values in {names:literals 6}: oblique splits do not support them. Use --split univariate or "
            "bivariate, which learn where to send rows with missing values, or remove the columns with --ignore."
        ),
        "fit.foreign": "A tree that predicts {target} has no {parameter}. Remove --{option}.",
        "inspect.no_table": "{data!r} is a data set with fixed classes and features. Pass a table.",
        "table.proposed": (
            "{target!r} is predicted, the most likely target. Next candidates: {others:comma}. Pass --target to choose."
        ),
        "table.only": "{option} applies only to tables, but {data!r} is a data set with fixed classes and features.",
        "table.two_splits": "{options:and} cannot be combined. Use one option.",
        "table.no_column": "The table has no column {column!r}. It has {names:literals 12}.",
        "table.ignored_target": "--ignore {column!r}: this column is the target. Pass another target with --target.",
        "table.no_part": "Column {column!r} contains {value!r}: expected one of {parts:comma}.",
        "table.target_of_texts": (
            "The target {target!r} contains texts that are not plain numbers, such as {text!r}. Write them as "
            "numbers, "
            "or remove --regression."
        ),
        "table.constant_target": (
            "The target {target!r} has fewer than two different numbers. Choose another target with --target."
        ),
        "table.few_rows": "Only {n} of {n_all} rows can be used. Remove the other rows.",
    },
)
