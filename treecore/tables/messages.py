"""Error messages of `treecore.tables`."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "tables",
    {
        "description.not_an_object": "The description of the columns must be an object with a list `columns`.",
        "description.keys": "Column {index} must have name, kind, categories and others.",
        "description.texts": "Column {index}: name, kind, categories and others must be strings.",
        "description.missing": "Column {index}: `missing` must be a list of strings.",
        "description.of": "Column {index}: `of` must be a list of two columns of numbers or of dates.",
        "column.kind": "Column {column!r}: unsupported kind {kind!r}. Supported: {kinds:comma}.",
        "column.categories": "Column {column!r} has kind {kind} and {n_categories} categories, which do not match.",
        "column.others": "Column {column!r}: `others` must be one of its categories.",
        "column.day_first": "Column {column!r}: `day_first` must be true, false or absent, and applies to dates only.",
        "column.grouped": "Column {column!r}: `grouped` must be true, false or absent, and applies to categories only.",
        "column.missing": "Column {column!r}: `missing` must contain strings.",
        "column.of": "Column {column!r}: `of` must be two columns of numbers or of dates, and applies to numbers only.",
        "no_column": "The description has no column.",
        "equal_features": "Two features have the same name {feature!r}.",
        "other_columns": (
            "The table contains none of the columns {absent:literals 8}. Its columns: {columns:literals 8}."
        ),
        "without_columns": "The table contains none of the columns {absent:literals 8}. It has no columns.",
        "note.absent": "Columns not in the table, treated as missing: {columns:literals 8}.",
        "note.unused": "Columns not used by the tree: {columns:literals 8}.",
        "note.dates": "Column {column!r}: dates such as {example!r} are read as {order}.",
        "note.unknown_values": "Column {column!r}: values not seen in training: {values:literals 8}.",
        "note.unknown_values_grouped": (
            "Column {column!r}: values not seen in training: {values:literals 8}. They are treated as {group!r}."
        ),
        "note.lost_value": "Column {column!r}: 1 value is {what}, such as {example!r}, and is treated as missing.",
        "note.lost_values": (
            "Column {column!r}: {n:,} values are {what}, such as {example!r}, and are treated as missing."
        ),
        "lost.number": "not a number",
        "lost.date": "not a date",
        "lost.date_of_training": "not a date in the format of training ({order})",
        "lost.level": "not one of {levels}",
        "note.single_leaf": "The tree is a single leaf and uses no columns.",
        "note.absent_unused": "Columns not in the table, which the tree does not use: {columns:literals 8}.",
        "note.in_order": "The features of the tree have no names. The columns are used in their order.",
        "stopped.feature": "{node} needs {features:literals 8}, which is missing",
        "stopped.features": "{node} needs {features:literals 8}, which are missing",
        "no_row": "The table has no rows to predict.",
        "equal_columns": "The table has two columns named {column!r:.60}. Rename one.",
        "threshold.share": "share={share!r}: expected a class share from 0 to 1.",
        "threshold.label": "label={label!r}: expected a class of the tree: {classes}.",
    },
)
