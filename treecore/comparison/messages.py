"""Error messages of `treecore.comparison`."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "comparison",
    {
        "methods.not_a_list": "methods={methods!r}: expected a list of names or Methods.",
        "methods.empty": "methods is empty: expected at least one of {known:comma}.",
        "methods.unknown": "methods: unknown method {method!r}. Use {known:comma} or a Method.",
        "methods.classes_only": (
            "methods: {methods:comma} support classification only. For {nouns}, use {possible:comma} or a Method."
        ),
        "methods.twice": "methods: {method!r} appears more than once. Give each method a different name.",
        "parameter.nobody_has": "parameter={parameter!r} is not supported by {methods:comma}. Use {able:comma}.",
        "parameter.not_compared": (
            "found does not vary one parameter. Pass the result of compare(..., variants(methods, ...))."
        ),
        "seed": "seed={seed}: expected a whole number up to {most}.",
        "n_jobs": ("n_jobs={n_jobs!r}: expected a number of workers, -1 for every core, or None for joblib's default."),
        "data.shape": (
            "X has {n_dimensions} dimensions and y has {n_label_dimensions}: expected X of shape [n, d] "
            "and y of shape [n]."
        ),
        "data.lengths": "X has {n_rows} rows, but y has {n_labels} labels. Pass one label for each row.",
        "data.few_rows": "The data have {n_rows} rows: expected at least 4, two of each class.",
        "data.missing_labels": "y has missing labels. Remove these rows.",
        "data.infinity": "y contains infinite values. Remove these rows.",
        "data.single_value": "The data have the single {noun} {value!r}: expected at least two {nouns}.",
        "data.sparse": "A comparison does not support sparse X, because most methods need dense rows. Use X.toarray().",
        "cv.not_folds": "cv={cv!r}: expected a number of folds >= 2, a splitter, or a list of (train, test) rows.",
        "cv.too_many_folds": "cv={cv}: expected at most {n_rows} folds, the number of rows. Use fewer folds.",
        "cv.fewer_folds": (
            "{n_folds} folds need {n_folds} rows of every class, but some classes have fewer: "
            "{rare:comma}. Use fewer folds ({fewest}), or remove these classes."
        ),
        "cv.rare_classes": (
            "{n_folds} folds need {n_folds} rows of every class, but some classes have fewer: "
            "{rare:comma}. Remove these classes."
        ),
        "cv.single_rows": (
            "Every class needs at least one training row and one test row, but some classes have a single"
            " row: {rare:comma}. Remove these classes."
        ),
        "cv.empty_fold": "cv contains a fold without training or test rows. Remove it.",
        "cv.other_rows": "cv contains a fold with invalid row numbers: expected 0 to {last}.",
        "cv.test_rows_in_training": "cv contains a fold with the same row in training and test. Use disjoint rows.",
        "inner": "inner={inner!r}: expected a number of folds >= 2, or a share of the rows in (0, 1).",
        "inner_empty": (
            "The training rows have too few groups or times, so no validation rows are left. Use fewer "
            "folds, or more rows."
        ),
        "time_limit": "The method exceeded its time limit of {seconds:g} s.",
        "not_a_record": "The record is not a result of a comparison: {kind} {error}.",
        "errors.shape": "errors has shape {shape}: expected finite errors of at least 2 data sets and 2 methods.",
        "level": "level={level!r}: expected a number between 0 and 1.",
    },
)
