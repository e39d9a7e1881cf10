"""Sentences of errors of `treecore.comparison`."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "comparison",
    {
        "methods.not_a_list": "methods={methods!r}: give a list of names or Methods.",
        "methods.empty": "methods is empty: name at least one of {known:comma}.",
        "methods.unknown": "methods: {method!r} is not known; use {known:comma}, or a Method.",
        "methods.classes_only": (
            "methods: {methods:comma} predict classes only; for {nouns} there are {possible:comma}, or a Method."
        ),
        "methods.twice": "methods: {method!r} is there more than once; give each method a name of its own.",
        "parameter.nobody_has": "parameter={parameter!r}: {methods:comma} do not have it; take {able:comma}.",
        "parameter.not_compared": (
            "found is no comparison over one parameter: give compare(..., variants(methods, ...))."
        ),
        "seed": "seed={seed}: use a whole number up to {most}.",
        "n_jobs": "n_jobs={n_jobs!r}: use a number of workers, -1 for every core, or None for joblib's own.",
        "data.shape": "X has {n_dimensions} dimensions and y {n_label_dimensions}; use a table [n, d] and labels [n].",
        "data.lengths": "X has {n_rows} rows, but y has {n_labels} labels; give one label for each row.",
        "data.few_rows": "The data have {n_rows} rows: a comparison needs at least 4, two of each class.",
        "data.missing_labels": "y has missing labels; drop those rows first.",
        "data.infinity": "y holds infinity; drop those rows first.",
        "data.single_value": "The data have the single {noun} {value!r}: a comparison needs at least two {nouns}.",
        "data.sparse": "Sparse X cannot be compared on, since most methods need dense rows: use X.toarray().",
        "cv.not_folds": "cv={cv!r}: use a number of folds >= 2, a splitter, or a list of (train, test) rows.",
        "cv.too_many_folds": "cv={cv}: there are only {n_rows} rows; use fewer folds.",
        "cv.fewer_folds": (
            "{n_folds} folds need {n_folds} rows of every class, but some have fewer: {rare:comma}. Use fewer folds "
            "({fewest}), or leave such classes out."
        ),
        "cv.rare_classes": (
            "{n_folds} folds need {n_folds} rows of every class, but some have fewer: {rare:comma}. Leave such "
            "classes out."
        ),
        "cv.single_rows": "Every class needs a row to train and one to test, but some have a single one: {rare:comma}.",
        "cv.empty_fold": "cv has a fold without training or without test rows.",
        "cv.other_rows": "cv has a fold with other than row numbers from 0 to {last}.",
        "cv.test_rows_in_training": "cv has a fold whose test rows are also training rows.",
        "inner": "inner={inner!r}: use a number of folds >= 2, or a share of the rows in (0, 1).",
        "inner_empty": "The training rows are of too few groups or times: none are left to choose settings by.",
        "time_limit": "It took longer than its limit of {seconds:g} s.",
        "not_a_record": "The record is not one of a comparison: {kind} {error}.",
        "errors.shape": "errors of shape {shape}: give a finite number for each of at least 2 data sets and 2 methods.",
        "level": "level={level!r}: use a number between 0 and 1.",
    },
)
