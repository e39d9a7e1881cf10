"""Sentences on what may be wrong with a table and its recipe, in the order of the checks."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "problem",
    {
        "no_feature": "All columns are ignored. Take at least one as a number, a category or a date.",
        "one_column": (
            "The table has one column, which is what is predicted; a tree needs another one. If a line of the "
            "file holds several values, set the delimiter under Read it differently."
        ),
        "no_such_column": "The recipe is about {columns:list}, which the table has not. Was it made for another file?",
        "few_rows": "The table has {n:count row}. Errors measured on a part of so few are guesses.",
        "no_dates": "Column '{name:.60}' holds numbers, which are no dates.",
        "target.distinct": "The target '{target:.60}' has {n} different {kind}s; each would be a class of its own.",
        "target.names": "The target '{target:.60}' has {n} different values in {n_rows:,} rows. Choose another.",
        "target.few_numbers": "The target '{target:.60}' has {n} different numbers. Are they classes?",
        "target.numbers_of_rows": "The target '{target:.60}' has another number in every row, as names of rows have.",
        "target.no_numbers": (
            "Rows without a number in '{target:.60}': {n:,} ({share:.1%}), such as {words:list}. They are left out."
        ),
        "target.no_numbers_at_all": "Rows without a number in '{target:.60}': {n:,} ({share:.1%}). They are left out.",
        "target.far": (
            "{n:count row} of the target '{target:.60}' ({values:list 3}) {n:one lies|lie} more than {times:,} "
            "times as far from the middle as nearly all others: errors would be about such rows alone."
        ),
        "target.missing": "Rows without '{target:.60}': {n:,} ({share:.1%}). They are left out.",
        "target.single": "A class has one row: {classes:list}. It is trained on, never tested.",
        "target.singles": "{n:,} classes have one row each: {classes:list}. It is trained on, never tested.",
        "target.few": "A class has fewer than {below} rows: {classes:list}. Errors on so few rows say little.",
        "target.several_few": (
            "{n:,} classes have fewer than {below} rows each: {classes:list}. Errors on so few rows say little."
        ),
        "target.many_classes": (
            "The target has {n:,} classes. A tree that tells them all apart has as many leaves, too many to read at "
            "once, and only ten classes have a colour of their own: merge rare ones, or choose another target."
        ),
        "target.many_even_classes": (
            "The target has {n:,} classes. A tree that tells them all apart has as many leaves, too many to read at "
            "once, and only ten classes have a colour of their own: choose them in the legend, and find a class by its "
            "name."
        ),
        "target.imbalance": (
            "Class {classes:list} has {largest:,} of {n:,} rows, the smallest has {smallest:,}. A tree that "
            "always says the largest is right that often: compare with it, or weigh the classes."
        ),
        "almost_numbers.target": (
            "Column '{name:.60}' holds numbers, but {n:count value} {n:one is not a number|are not numbers}: "
            "{others:list 3}. As numbers, their rows would be left out."
        ),
        "almost_numbers": (
            "Column '{name:.60}' holds numbers, but {n:count value} {n:one is not a number|are not numbers}: "
            "{others:list 3}. As numbers, these would be missing."
        ),
        "marker": (
            "{marks:list 3} {n:one stands|stand} in {n_cells:,} of {n_rows:count row} of column '{name:.60}'. It is "
            "used as a value. Is it one, or does it stand for a missing value?"
        ),
        "marker.numbers": (
            "{marks:list 3} {n:one stands|stand} in {n_cells:,} of {n_rows:count row} of column '{name:.60}'; it holds "
            "numbers otherwise. Does it stand for a missing value?"
        ),
        "marker.dates": (
            "{marks:list 3} {n:one stands|stand} in {n_cells:,} of {n_rows:count row} of column '{name:.60}'; it holds "
            "dates otherwise. Does it stand for a missing value?"
        ),
        "marker.far": (
            "{marks:list 3} {n:one stands|stand} in {n_cells:,} of {n_rows:count row} of column '{name:.60}'; other "
            "values are far away from it. Does it stand for a missing value?"
        ),
        "empty.column": "Column {columns:list} has no value.",
        "empty.columns": "{n:,} columns have no value: {columns:list}.",
        "constant.column": "Column {columns:list} has the same value in every row.",
        "constant.columns": "{n:,} columns have one value each: {columns:list}.",
        "id.column": (
            "Column {columns:list} has another value in (nearly) every row, like a number or name of it; a tree would "
            "learn rows by heart."
        ),
        "id.columns": (
            "{n:,} columns have another value in (nearly) every row, like numbers or names of the rows: {columns:list}."
        ),
        "text.column": "Column {columns:list} is free text of many different values.",
        "text.columns": "{n:,} columns are free texts of many different values: {columns:list}.",
        "missing.column": "Column {columns:list} has no value in more than half of the rows.",
        "missing.columns": "{n:,} columns have no value in more than half of the rows: {columns:list}.",
        "unused": "{what} {n:one It is|They are} not used.",
        "out_of_reach": (
            "Infinite, or beyond {largest:g} in size: {n:count value} of {columns:list}. They count as missing; "
            "rescale the column where they are meant."
        ),
        "many_values": (
            "{n:one Column|Columns} {columns:list} {n:one has|have} up to {most:,} different values; the "
            "{most_categories} most frequent of a column become features, the others are 'none of these'."
        ),
        "many_features": (
            "The table makes {n:,} features. Bivariate trees look at all pairs of them: expect long training."
        ),
        "rare_values": (
            "Column '{name:.60}' has {n:,} different values. {kept:,} are features; the rare ones count as one: "
            "{group}."
        ),
        "formula": (
            "Column {n:one name|names} {columns:list} would run as a formula in a spreadsheet. Here a name is "
            "text and nothing else."
        ),
        "order.offered": "{columns}. A tree can split between two of them.",
        "order.taken": "{columns}. {n:one It is an ordered feature|They are ordered features}.",
        "order.column": "Column {column} has an order",
        "order.columns": "{n:,} columns have an order: {columns}",
        "leak.several": (
            "{n:,} columns give the class away, each alone (checked on {n_rows:,} rows): {columns:list}. Are "
            "they the target in other words, or known only when the class is known?"
        ),
        "leak": (
            "Column '{name:.60}' gives the class away: {how} it right in {right} (checked on {n_rows:,}). Is it "
            "the target under another name, or known only when the class is known?"
        ),
        "leak.by_value": "its value alone tells",
        "leak.by_cuts": "a few cuts of it tell",
        "leak.of_every_row": "every row",
        "leak.of_rows": "{share:.1%} of the rows",
        "leak.column": (
            "Column '{name:.60}' {what} (checked on {n_rows:,} rows). Leave it out unless it is known before the "
            "target is."
        ),
        "leak.pair": (
            "Columns '{first:.60}' and '{second:.60}' {what} (checked on {n_rows:,} rows). Leave them out unless they "
            "are known before the target is."
        ),
        "leak.several_numbers": (
            "{n:,} columns are the target in other forms, each alone (checked on {n_rows:,} rows): "
            "{columns:list}. Leave them out unless they are known before the target is."
        ),
        "leak.unit": "is the target in another unit: {target:.60} = {slope:.4g} × {name:.60}{start}",
        "leak.order": (
            "has the order of the target in all rows, as its logarithm, its rounded numbers or ranges of them have"
        ),
        "leak.values": "has one number of the target for each of its values",
        "leak.sum": "give the target: it is their sum",
        "leak.difference": "give the target: it is their difference",
        "leak.product": "give the target: it is their product",
        "leak.quotient": "give the target: it is their quotient",
        "leak.weighted_sum": "give the target: it is a weighted sum of them",
        "leak.powers": "give the target: it is a product of powers of them",
        "split.no_column": "The table has no column '{name!s:.60}' to split by.",
        "split.feature": (
            "The rows are split by '{name:.60}', which is a feature too: test rows have values never trained on."
        ),
        "split.no_training": "No value of '{name:.60}' is said to be for training.",
        "split.no_part": "Rows that belong to no part ({values:list}) and are left out: {n:,}.",
        "split.missing": "Rows that belong to no part and are left out: {n:,}.",
        "split.no_test": "No value of '{name:.60}' is said to be for testing: there will be no test error.",
        "duplicates": (
            "Rows that repeat another one in all columns in use: {n:,} ({share:.1%}). Where they are the same "
            "case, a test row may have been trained on."
        ),
        "contradictions": (
            "Rows with the same features as a row of another class: {n:,}. No tree can get all of them right."
        ),
        "contradictions.numbers": (
            "Rows with the same features as a row of another number: {n:,}. No tree can get all of them right."
        ),
        "subjects": (
            "Rows of one '{column:.60}' repeat: {n:,} of them have {rows} rows each on average. If training and test "
            "share them, the test error is too low."
        ),
        "subjects.grouped": (
            "Rows of one '{column:.60}' repeat: {n:,} of them have {rows} rows each on average. All rows of one are in "
            "the same part, and the column is no feature."
        ),
    },
)
