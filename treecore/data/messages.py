"""Sentences of errors of `treecore.data`."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "data",
    {
        "too_large": "{name} holds values beyond {most:g} in size; rescale {what} first.",
        "scale": "scale={scale!r}: use one of 'standard', 'minmax' or None.",
        "zero_weights": "Every sample weight is zero: give at least one row a positive weight.",
        "target.not_numbers": "{name} must hold numbers for a regression tree: {error}.",
        "target.missing": "{name} contains NaN or infinity; drop those rows first.",
        "labels.none_known": (
            "No label of {name}, such as {label!r}, is a class of y ({classes} ...); give both in the same type."
        ),
        "frame.dtype": "X has dtype {dtype}; give numbers, or a DataFrame whose text columns are encoded.",
        "frame.expected": (
            "The model was trained on a DataFrame with text columns, and X is none; give a DataFrame with the columns "
            "{names:comma} ..."
        ),
        "frame.mixed_column": "Column {column!r} holds neither numbers nor texts only: {error}.",
        "frame.empty_column": "Column {column!r} has no value at all; leave it out.",
        "frame.too_many_texts": (
            "Column {column!r} has {n_texts} different texts, such as {text!r}; at most {most} are made into "
            "features. Leave it out, or group its values."
        ),
        "frame.no_longer_numbers": "Column {column!r} held numbers in training; now: {error}.",
        "frame.missing_values": (
            "Column {column!r} has {n} missing values; fill them or drop those rows (TAO estimators can be trained "
            "with missing='learn')."
        ),
        "frame.no_level": (
            "Column {column!r} has the value {value!r}, which is none of its levels {levels}; make it one of them "
            "(estimators with missing='learn' take it as missing)."
        ),
        "frame.dates": "Column {column!r} holds dates or times; turn them into numbers first.",
        "folds.groups": "{n_folds} folds by group need {n_folds} groups, and there are {n_groups}: use fewer folds.",
        "folds.times": (
            "{n_folds} folds by time need {needed} different times, and there are {n_times}: use fewer folds."
        ),
        "folds.groups_and_times": (
            "groups and times are both given: use groups, or times, or call with folds of your own."
        ),
        "folds.shape": "{name} has shape {shape}: give one value for each of the {n_rows} rows.",
        "folds.dtype_of_times": "times has dtype {dtype}: use numbers or numpy's datetime64.",
    },
)
