"""Sentences on tables of visitors: their recipes, what becomes of rows and columns, and data sets that are stored."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "user_data",
    {
        "table.columns": (
            "{name} has {n_columns:,} columns; at most {most:,} are read. Leave out columns that tell nothing."
        ),
        "table.rows": (
            "{name} has {n_rows:,} rows; at most {most:,} are read. Draw a random part of them and upload that."
        ),
        "table.cells": (
            "{name} has {n_rows:,} rows of {n_columns:,} columns; at most {most:,} values are read. Draw a "
            "random part of the rows, or leave out columns."
        ),
        "table.no_value": "{name} has no value in any column.",
        "table.names": "Line {line:,} ({shown}) is read as the names of the columns. It could also be a row of data.",
        "table.data": "Line {line:,} ({shown}) is read as a row of data. It could also be the names of the columns.",
        "table.long_headers": "{n:count header} of more than {most} characters cut",
        "recipe.target": "The target must be the name of a column.",
        "recipe.kinds": "The kind of each column must be one of {kinds}.",
        "recipe.bins": "A target of numbers is cut into 2 to 20 groups (or none).",
        "recipe.numbers": "numbers must be true or false.",
        "recipe.numbers_and_bins": "Numbers that are cut into groups are not predicted as numbers.",
        "recipe.drop_duplicates": "drop_duplicates must be true or false.",
        "recipe.rare": "Rare classes are kept, dropped ('drop') or merged ('merge').",
        "recipe.rare_below": "rare_below must be a whole number of at least 1.",
        "recipe.most_categories": "most_categories must be a whole number from 1 to 200.",
        "recipe.missing": "What is missing must be texts of each column: 1 to {most} of at most {length} characters.",
        "recipe.group_below": "group_below must be a whole number of at least 2 for each column.",
        "recipe.levels": "An ordered column has 2 to {most} different texts as levels, low to high.",
        "recipe.row_names": "The column that names the rows must be the name of a column, or null.",
        "recipe.split": "The split must be one of {splits}.",
        "recipe.split_column": "split_column must be a name.",
        "recipe.no_split_column": "A split by {split} needs a column: choose one.",
        "recipe.split_values": "Each value of the column that splits belongs to one of {parts}.",
        "recipe.shares": "Train, validation and test shares must be 0 to 1, sum to 1, train above 0.",
        "recipe.seed": "The seed must be a whole number from 0 to 4294967295.",
        "recipe.title": "The title must be 200 characters at most.",
        "recipe.object": "A recipe must be an object with target, kinds and so on.",
        "recipe.field": "A recipe has no field {names}.",
        "recipe.target_and_kinds": "A recipe must have a target and kinds.",
        "no_column": "The table has no column {column!r}; the recipe was made for another file.",
        "no_feature": "All columns are ignored; at least one must be a feature.",
        "rows.no_part": "{n:count row} left out, whose {column!r} belongs to no part",
        "rows.no_group": "{n:count row} left out, without {column!r}",
        "rows.repeated": "{n:count row} left out that {n:one repeats|repeat} another one",
        "rows.no_numbers": "{n:count row} would be left, without two different numbers to predict.",
        "rows.no_classes": "{n:count row} of {n_classes:count class} would be left; a tree needs two classes.",
        "rows.memory": (
            "{n_rows:,} rows of {n_features:,} features need {size:.1f} GB; at most {most:.0f} GB are used. "
            "Ignore columns, or keep fewer values of categories."
        ),
        "target.missing": "{n:count row} without {target!r} left out",
        "target.no_number": "{n:count row} without a number in {target!r} left out",
        "target.too_many": "{target!r} has {n:,} different values; at most {most:,} can be classes: {advice}.",
        "target.cut": "cut it into groups",
        "target.choose": "choose another target",
        "target.no_class": "{target!r} has no class in the rows that are left; a tree needs at least two.",
        "target.one_class": (
            "{target!r} has only the class {name!r} in the rows that are left; a tree needs at least two."
        ),
        "target.no_numbers": "{target!r} has no number in the rows that are left; there is nothing to predict.",
        "target.one_number": (
            "{target!r} has only the number {number} in the rows that are left; there is nothing to predict."
        ),
        "target.no_number_to_cut": "{target!r} holds no number, so it cannot be cut into groups.",
        "target.cut_into": "{target!r} cut into {n} groups of about equal size",
        "target.dropped": "{n:count class} of fewer than {below} rows ({n_rows:,} in all) left out",
        "target.merged": "{n:count class} of fewer than {below} rows merged into {name!r}",
        "column.grouped": "{name!r}: {n:count row} of rare values count as {group!r}",
        "column.most_frequent": "{name!r}: the {n} most frequent of {n_all:,} values are features",
        "column.levels": "{name!r}: {n:count value} outside of its levels, taken as missing",
        "column.not_ordered": (
            "Column {name!r} cannot be ordered: it has {n:count different value}, and ordered are 2 to {most}. "
            "Use it as something else."
        ),
        "column.no_dates": "Column {name!r} holds numbers, which are no dates; take it as a number.",
        "column.lost": "{name!r}: {n:count value} not read as a {kind}, taken as missing",
        "column.without_value": "without a value in the rows in use, left out: {columns}",
        "no_value": "No column that is in use holds a value.",
        "column.decimal_point": (
            "{value} read with a decimal point; if it means thousands, choose the decimal comma yourself"
        ),
        "column.thousands": "{text} read as {value}, thousands marked by a {mark}",
        "split.random": "{train:,} rows train, {validation:,} validate, {test:,} test, drawn at random",
        "split.by_column": "{train:,} rows train, {validation:,} validate, {test:,} test, by {column!r}",
        "split.in_order": "{train:,} rows train, {validation:,} validate, {test:,} test, in the order of {column!r}",
        "split.newest_validate": (
            "{n:count row} of the {n_rows:,} training rows validate, the newest, for the recipe names none"
        ),
        "split.drawn_validate": (
            "{n:count row} of the {n_rows:,} training rows validate, drawn within the classes, for the "
            "recipe names none"
        ),
        "split.no_training": "The split by {by} leaves no row to train on.",
        "split.no_group": (
            "{n:count value} of {name!r} in {n_rows:count row}: no group can test, for each class needs a group "
            "that trains. Split the rows at random, or by another column."
        ),
        "split.groups": "rows with the same {name!r} ({n:count group}) are never in two parts",
        "split.no_time": "{column!r} holds no date and no number, so the rows have no order in time.",
        "description.rows": "{n:,} of the {n_all:,} rows of {name}.",
        "description.numbers": "What is predicted are the numbers of {target!r}.",
        "description.values": "{what} are the values of {target!r}.",
        "description.row_names": "{row_names!r} names the rows.",
        "reading.estimate": "{size:,.1f} MB: {time}, up to {megabytes:,.0f} MB of memory",
        "reading.fast": "less than a second",
        "stored.name": "{name!r} cannot be the name of a data set: letters, digits, blanks, - and _ only.",
        "stored.disk": "{name} cannot be saved in {folder}: {why}.",
        "stored.no_arrays": "{name} holds no X and y. Make the data set again from its file.",
        "stored.damaged": "{name} is damaged{reason}. Make the data set again from its file.",
        "stored.another": "{name} is not what was saved under this name. Make the data set again from its file.",
        "stored.gone": "There is no data set {name!r} any more. Make it again from its file.",
        "stored.unread": "{name}.json cannot be read. Make the data set again from its file.",
        "stored.words": "{name}.json is damaged. Make the data set again from its file.",
        "stored.version": "{name}.json is not the description of a data set of this version. Make the set again.",
        "stored.texts": "{name}.json is damaged: words or names are no texts. Make the set again.",
    },
)
