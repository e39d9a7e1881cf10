"""Messages about user tables: recipes, notes on rows and columns, and stored data sets."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "user_data",
    {
        "table.columns": "{name} has {n_columns:,} columns (maximum {most:,}). Remove columns you do not need.",
        "table.rows": "{name} has {n_rows:,} rows (maximum {most:,}). Upload a random sample of the rows.",
        "table.cells": (
            "{name} has {n_rows:,} rows and {n_columns:,} columns, more than {most:,} values. Upload a "
            "random sample of the rows, or remove columns."
        ),
        "table.nearly_empty": (
            "{name} has {n_rows:,} rows and {n_columns:,} columns, but only {n_values:,} values. A table with more "
            "than {free:,} cells needs a value in {least:.0%} of them. Remove columns that are nearly empty. If absent "
            "values mean 0, save the file in svmlight format."
        ),
        "table.no_value": "{name} has no values.",
        "table.names": "Line {line:,} ({shown}) is read as column names. It could also be a row of data.",
        "table.data": "Line {line:,} ({shown}) is read as a row of data. It could also be the column names.",
        "table.long_headers": "{n:count header} of more than {most} characters shortened",
        "candidate.target": "its name means a target",
        "candidate.event": "its name means an outcome",
        "candidate.quantity": "its name means a measured quantity",
        "candidate.kind": "its name means a kind or grade",
        "candidate.first": "first column",
        "candidate.last": "last column",
        "candidate.only_classes": "only column of classes",
        "candidate.only_number": "only column of numbers",
        "candidate.in_title": "named in the title",
        "candidate.survival": "time and status belong together",
        "candidate.related": "related to the other columns",
        "recipe.target": "The target must be the name of a column.",
        "recipe.kinds": "The kind of each column must be one of: {kinds}.",
        "recipe.bins": "bins: expected 2 to 20 groups, or null.",
        "recipe.numbers": "numbers: expected true or false.",
        "recipe.numbers_and_bins": (
            "numbers and bins cannot be combined, because a target divided into groups is not predicted as a number. "
            "Remove one option."
        ),
        "recipe.drop_duplicates": "drop_duplicates: expected true or false.",
        "recipe.rare": "rare: expected 'drop', 'merge' or null.",
        "recipe.rare_below": "rare_below: expected a whole number >= 1.",
        "recipe.most_categories": "most_categories: expected a whole number from 1 to 200.",
        "recipe.values": "values: expected 1 to {most} strings of at most {length} characters for each column.",
        "recipe.missing": "missing: expected 1 to {most} strings of at most {length} characters for each column.",
        "recipe.group_below": "group_below: expected a whole number >= 2 for each column.",
        "recipe.levels": "levels: expected 2 to {most} different strings, from low to high, for an ordered column.",
        "recipe.labels": (
            "labels: expected strings of 1 to {most} characters without spaces at the ends, such as {{'0': 'died'}}."
        ),
        "recipe.spellings": (
            "spellings: expected strings, such as {{'Pos': 'pos'}}, none of which is replaced and also a class."
        ),
        "recipe.differences": "differences: expected the names of two other columns for each added column.",
        "difference.kinds": (
            "Column {name!r} is the difference of {columns:literals 2}. Both must be numbers, or both must be dates."
        ),
        "labels.twice": "Two classes have the label {label!r}. Give each class its own label.",
        "recipe.row_names": "The ID column must be the name of a column, or null.",
        "recipe.split": "The split must be one of: {splits}.",
        "recipe.split_column": "split_column: expected the name of a column.",
        "recipe.split_within": "split_within: expected the name of a column.",
        "recipe.no_split_column": "A split by {split} needs a column. Choose one.",
        "recipe.split_values": "Each value of the split column must belong to one of: {parts}.",
        "recipe.shares": (
            "The shares of training, validation and test rows must be 0 to 1 and sum to 1, with training above 0."
        ),
        "recipe.seed": "seed: expected a whole number from 0 to 4294967295.",
        "recipe.title": "title: expected at most 200 characters.",
        "recipe.object": "A recipe must be an object with a target, kinds and other fields.",
        "recipe.field": "Unknown recipe fields: {names}.",
        "recipe.target_and_kinds": "A recipe must have a target and kinds.",
        "no_column": "The table has no column {column!r}, so the recipe belongs to another file.",
        "no_feature": "All columns are ignored. Use at least one as a feature.",
        "rows.no_part": "{n:count row} excluded, because {column!r} assigns {n:one it|them} to no set",
        "rows.no_group": "{n:count row} without {column!r} excluded",
        "rows.repeated": "{n:count duplicate row} excluded",
        "rows.no_numbers": "Only {n:count row} would be left, without two different numbers to predict.",
        "rows.no_classes": (
            "Only {n:count row} from {n_classes:count class} would be left, but a tree needs at least two classes."
        ),
        "rows.memory": (
            "{n_rows:,} rows with {n_features:,} features need {size:.1f} GB (maximum {most:.0f} GB). "
            "Ignore columns, or keep fewer categories."
        ),
        "target.missing": "{n:count row} without {target!r} excluded",
        "target.no_number": "{n:count row} without a number in {target!r} excluded",
        "target.too_many": "{target!r} has {n:,} different values, more than {most:,} classes. To continue, {advice}.",
        "target.cut": "divide it into groups",
        "target.choose": "choose another target",
        "target.no_class": (
            "{target!r} has no class in the remaining rows, but a tree needs at least two classes. Choose another "
            "target."
        ),
        "target.one_class": (
            "{target!r} has only the class {name!r} in the remaining rows, but a tree needs at least two classes. "
            "Choose another target."
        ),
        "target.no_numbers": "{target!r} has no number in the remaining rows. Choose another target.",
        "target.one_number": "{target!r} has only the number {number} in the remaining rows. Choose another target.",
        "target.no_number_to_cut": "{target!r} contains no numbers, so it cannot be divided into groups.",
        "target.cut_into": "{target!r} divided into {n} groups of about equal size",
        "target.dropped": "{n:count class} with fewer than {below} rows ({n_rows:,} in all) excluded",
        "target.merged": "{n:count class} with fewer than {below} rows merged into {name!r}",
        "column.values": "{texts:list} {n:one is a value|are values} of '{name:.60}'",
        "column.grouped": "{name!r}: {n:count row} with rare values grouped as {group!r}",
        "column.most_frequent": "{name!r}: the {n} most frequent of {n_all:,} values are features",
        "column.levels": "{name!r}: {n:count value} outside the levels treated as missing",
        "column.not_ordered": (
            "Column {name!r} has {n:count different value}, but an ordered column needs 2 to {most}. Use this column "
            "as another kind."
        ),
        "column.no_dates": "Column {name!r} contains numbers, not dates. Use this column as a number.",
        "column.lost": "{name!r}: {n:count value} not read as a {kind}, treated as missing",
        "column.without_value": "columns without values in the rows used, excluded: {columns}",
        "no_value": "None of the columns in use has a value.",
        "column.decimal_point": (
            "{value} read with a decimal point (if the point separates thousands, choose the decimal comma)"
        ),
        "column.both_decimals": "decimal comma and decimal point",
        "column.thousands": "{text} read as {value} ({mark} as thousands separator)",
        "split.random": "{train:,} training, {validation:,} validation and {test:,} test rows, drawn at random",
        "split.by_column": "{train:,} training, {validation:,} validation and {test:,} test rows, by {column!r}",
        "split.in_order": (
            "{train:,} training, {validation:,} validation and {test:,} test rows, in the order of {column!r}"
        ),
        "split.newest_validate": (
            "the newest {n:count row} of the {n_rows:,} training rows used for validation, because the recipe assigns "
            "no validation rows"
        ),
        "split.drawn_validate": (
            "{n:count row} of the {n_rows:,} training rows used for validation (drawn within classes), because the "
            "recipe assigns no validation rows"
        ),
        "split.no_training": "The split by {by} leaves no training rows. Change the split.",
        "split.no_group": (
            "{name!r} has {n:count value} in {n_rows:count row}. No group can be used for testing, because each class "
            "needs a training group. Split the rows at random, or by another column."
        ),
        "split.groups": "rows with the same {name!r} ({n:count group}) always in the same set",
        "split.no_time": (
            "{column!r} cannot order the rows by time, because it contains neither dates nor numbers. Choose another "
            "column."
        ),
        "description.rows": "{n:,} of the {n_all:,} rows of {name}.",
        "description.numbers": "The target is the number {target!r}.",
        "description.values": "The {what} are the values of {target!r}.",
        "description.row_names": "The ID column is {row_names!r}.",
        "reading.estimate": "{size:,.1f} MB ({time}, up to {megabytes:,.0f} MB of memory)",
        "reading.fast": "less than one second",
        "stored.name": "{name!r} is not a valid data set name. Use only letters, digits, spaces, - and _.",
        "stored.disk": "{name} cannot be saved in {folder}: {why}.",
        "stored.no_arrays": "{name} does not contain X and y. Create the data set again from its file.",
        "stored.damaged": "{name} is damaged{reason}. Create the data set again from its file.",
        "stored.another": "{name} contains another data set than the one saved under this name. Create the data set "
        "again from its file.",
        "stored.gone": "The data set {name!r} no longer exists. Create it again from its file.",
        "stored.unread": "{name}.json cannot be read. Create the data set again from its file.",
        "stored.words": "{name}.json is damaged. Create the data set again from its file.",
        "stored.version": "{name}.json has another version or format. Create the data set again from its file.",
        "stored.table": "The stored table is damaged. Open the file again.",
        "stored.texts": (
            "{name}.json is damaged: a description or name is not text. Create the data set again from its file."
        ),
    },
)
