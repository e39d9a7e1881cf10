"""Sentences of errors of `treecore.tables`."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "tables",
    {
        "description.not_an_object": "The description of the table's columns must be an object with a list `columns`.",
        "description.keys": "Column {index} must have name, kind, categories and others.",
        "description.texts": "Column {index}: its name, kind, categories and others must be texts.",
        "description.missing": "Column {index}: what is missing must be a list of texts.",
        "column.kind": "Column {column!r} is said to be {kind!r}; allowed are {kinds:comma}.",
        "column.categories": "Column {column!r} is a {kind} with {n_categories} categories.",
        "column.others": "Column {column!r} has other values that are no category, or one of its categories.",
        "column.day_first": "Column {column!r}: day_first is for dates, and true, false or not there.",
        "column.grouped": "Column {column!r}: grouped is for categories, and true, false or not there.",
        "column.missing": "Column {column!r}: what is missing must be texts.",
        "no_column": "There is no column.",
        "equal_features": "Two features have the name {feature!r}.",
        "other_columns": "The table has none of the columns {absent:literals 8}; it has {columns:literals 8}.",
        "without_columns": "The table has none of the columns {absent:literals 8}; it has no column.",
        "note.absent": "Not in the table, taken as missing: {columns:literals 8}.",
        "note.unused": "Not known to the tree, not used: {columns:literals 8}.",
        "note.dates": "Column {column!r}: dates such as {example!r} are read as {order}.",
        "note.unknown_values": "Column {column!r}: values that training did not have: {values:literals 8}.",
        "note.unknown_values_grouped": (
            "Column {column!r}: values that training did not have: {values:literals 8}; they count as {group!r}."
        ),
        "note.lost_value": "Column {column!r}: 1 value is {what}, such as {example!r}; taken as missing.",
        "note.lost_values": "Column {column!r}: {n:,} values are {what}, such as {example!r}; taken as missing.",
        "lost.number": "no number",
        "lost.date": "no date",
        "lost.date_of_training": "no date as in training ({order})",
        "lost.level": "none of {levels}",
        "note.single_leaf": "The tree is a single leaf: it looks at no column.",
        "note.absent_unused": "Not in the table, but the tree does not use them: {columns:literals 8}.",
        "note.in_order": "The tree has no names of features: the columns are taken in their order.",
        "stopped.feature": "{node} needs {features:literals 8}, which is missing",
        "stopped.features": "{node} needs {features:literals 8}, which are missing",
        "no_row": "The table has no row to predict.",
        "equal_columns": "The table has two columns with the name {column!r:.60}; rename one.",
        "threshold.share": "share={share!r}: use a share of the training points of a leaf, from 0 to 1.",
        "threshold.label": "label={label!r} is no class of the tree; its classes are {classes}.",
    },
)
