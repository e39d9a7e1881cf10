"""Error messages of `treecore.data`."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "data",
    {
        "too_large": "{name} contains values larger than {most:g} in absolute value. Rescale {what}.",
        "too_small": (
            "{name} contains values that differ by less than {least:g}, which is too little for their squares. "
            "Multiply {what} by a constant."
        ),
        "scale": "scale={scale!r}: expected 'standard', 'minmax' or None.",
        "zero_weights": "Every sample weight is zero. Pass a positive weight for at least one row.",
        "target.not_numbers": "{name} must contain numbers for a regression tree: {error}.",
        "target.missing": "{name} contains NaN or infinite values. Remove these rows.",
        "labels.none_known": (
            "No label of {name}, such as {label!r}, is a class of y ({classes} ...). Use the same type in both."
        ),
        "categories.features": (
            "categories={categories!r}: expected 'features', 'groups' or disjoint lists of features from 0 to {last}. "
            "No list may be empty."
        ),
        "categories.sparse": (
            "categories={categories!r} does not support sparse X. Use categories='features', or pass a dense array."
        ),
        "categories.values": (
            "The features {column} of `categories` are not the categories of one column. Every value must be 0 or 1, "
            "and at most one of them may be 1 in each row."
        ),
        "frame.dtype": "X has dtype {dtype}: expected numbers, or a DataFrame with text columns.",
        "frame.expected": (
            "X is not a DataFrame, but the model was fitted on a DataFrame with text columns. Pass a "
            "DataFrame with the columns {names:comma} ..."
        ),
        "frame.mixed_column": "Column {column!r} contains a mix of types: {error}. Use only numbers or only strings.",
        "frame.empty_column": "Column {column!r} has no values. Remove it.",
        "frame.too_many_texts": (
            "Column {column!r} has {n_texts} different strings, such as {text!r}, with fewer than two rows each on "
            "average. A tree could only memorise rows with it. Remove the column, or group its values."
        ),
        "frame.grouped": (
            "Column {column!r} has {n_texts:,} categories. The {kept} most frequent ones become features, and "
            "{group!r} combines all others. To choose another grouping, replace rare values before training."
        ),
        "frame.number_texts": (
            "The text columns {columns:literals} contain only numbers and are used as numbers. Convert them with "
            "pandas.to_numeric, or with astype('category') to use each value as a category."
        ),
        "frame.no_longer_numbers": (
            "Column {column!r} contained numbers in training, but now does not: {error}. Pass numbers."
        ),
        "frame.missing_values": (
            "Column {column!r} has {n} missing values. Fill them, remove these rows, or train a TAO "
            "estimator with missing='learn'."
        ),
        "frame.no_level": (
            "Column {column!r} contains {value!r}, which is not one of its levels {levels}. Correct the "
            "value, or train with missing='learn', which treats it as missing."
        ),
        "frame.rounded": (
            "The columns {columns:literals} contain whole numbers beyond 2**53, which are rounded to floating-point "
            "numbers. If the last digits matter, subtract a constant; if they are IDs, remove the column."
        ),
        "frame.dates": "Column {column!r} contains dates or times, which are not supported. Convert them to numbers.",
        "folds.groups": "{n_folds} folds by group need {n_folds} groups, but there are {n_groups}. Use fewer folds.",
        "folds.times": (
            "{n_folds} folds by time need {needed} different times, but there are {n_times}. Use fewer folds."
        ),
        "folds.groups_and_times": "groups and times: expected only one of them. Pass one, or pass custom folds.",
        "folds.shape": "{name} has shape {shape}: expected one value for each of the {n_rows} rows.",
        "folds.dtype_of_times": "times has dtype {dtype}: expected numbers or numpy datetime64.",
    },
)
