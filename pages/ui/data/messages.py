"""Sentences on the Data page."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "page.data",
    {
        "unknown_source": "Unsupported source “{source}”. Choose a source below.",
        "unknown_set": "Your list does not contain a data set “{name}”. Choose another one.",
        "facts": "Source: {source} · Licence: {licence} · Fingerprint: {fingerprint}",
        "most_frequent": "The {shown} most frequent of {n:,} {nouns}.",
        "kept.files": "- {n:count file} that you opened",
        "kept.nothing": "The server stores no data of yours.",
        "kept.how_long": (
            "Data that are not used for {hours:,} hours are deleted automatically, open files after "
            "{file_hours}. The server stores the newest {most} data sets of each visitor."
        ),
        "kept.deletion": (
            "{what}, edited trees and opened models are deleted immediately, in every tab, and cannot be "
            "restored. Links to them stop working."
        ),
        "kept.sets_gone": "{n:count data set} and all files",
        "kept.deleted": "Deleted: {sets}, with their trees and results.",
        "project.what": (
            "A project is one file with several trees and a reference to their data. To make one, use "
            "*Save* in the upper right corner of a tree: the project contains the tree on screen and the "
            "trees that you saved, opened or edited. It contains no data except a few rows of each tree, "
            "if you choose so. For your own data, it asks for the data file again."
        ),
        "project.too_large": "Projects can have up to {most} MB.",
        "project.option": "The data set {title} of this project has an unsupported option {option:.40}.",
        "project.settings": "The tree {title} of this project has unsupported settings: {wrong}.",
        "project.renamed": (
            "These trees come from an earlier version, which named rare values of {names} “other (…)” "
            "instead of “others (…)”. The columns of {file} have other names now and do not match. The "
            "trees remain available, with their rules and predictions. To continue training, open the file as your "
            "own data on this page and save a new project."
        ),
        "project.another": "{why} The trees are unchanged. Choose another file.",
        "tree.what": (
            "A tree from scikit-learn (`skops.io.dump`), XGBoost (`save_model` to JSON), LightGBM "
            "(`save_model` to text) or another program (ONNX, PMML), or a tree saved here. First open its"
            " data, as a file or from the list; columns are matched by name. All pages then show the "
            "tree, and TAO can simplify it. Files are read as data: nothing in them is executed, and "
            "pickle files are not supported."
        ),
        "tree.too_large": "Tree files can have up to {most} MB.",
        "tree.alone": "{why} A single tree of an ensemble does not predict the same as the ensemble.",
        "tree.own_files": "This list contains the files that you opened.",
        "tree.too_deep": "The tree has depth {depth:,}; the maximum is {most}. Train it with a smaller max_depth.",
        "tree.gone": "The server does not store this tree any more. Open its file again.",
        "columns.shown": "First {shown} of {n:,} columns. ",
        "columns.rare": (
            "Values with fewer rows are combined into one category, together with values that occur only "
            "in new rows. 0 keeps each value, up to {most}."
        ),
        "columns.in_use": "{n_used:,} of {n_columns:,} columns in use; {n_features:,} features.",
        "columns.used": "{n_used:,} of {n_columns:,} columns in use.",
        "problems.stop": "{icon} These data cannot be used for training yet. {why}",
        "still_open": "{name} is still open below.",
        "file_waits": "Another file is waiting above. Read it or discard it.",
        "rows.shown": (
            "{shown}, as read. Empty cells are missing values. Row numbers refer to the file; the first line is row 1."
        ),
        "problems.none": "No problems found.",
        "problems.to_look_at": "{n:count thing} to review",
        "problems.to_mend": "{words}, {n} to correct before training",
        "reading.rows": (
            "One row for each observation, one column for each feature and one for the target, names in "
            "the first line. Delimiter, encoding and decimal comma are detected. Empty cells are missing "
            "values, which are supported."
        ),
        "reading.looked_over": (
            "The app shows the type of each column, and you can change it. It reports ID columns, "
            "constant columns, duplicate rows and columns that give the target away, each with a fix in "
            "one click."
        ),
        "reading.private": (
            "Your data stay on this server. Files can have up to {most:.0f} MB and two million rows. Your"
            " data are in your own list only; anyone with a link to one of your trees can open its data. "
            "Data that are not used for {hours:,} hours are deleted."
        ),
        "split.groups": (
            "About 60 % of the groups for training, 20 % for validation and 20 % for testing, drawn by "
            "the random seed of each page. Folds keep groups together too. The group column is not a "
            "feature."
        ),
        "split.shares": "60 % training, 20 % validation and 20 % test rows, drawn by the random seed of each page.",
        "split.no_column": "The table has no column of {kinds} except the target.",
    },
)
