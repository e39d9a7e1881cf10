"""Sentences on the Data page."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "page.data",
    {
        "unknown_source": "Data do not come from “{source}”: choose below where they come from.",
        "unknown_set": "There is no data set “{name}” in your list; choose another one.",
        "facts": "Source: {source} · Licence: {licence} · Fingerprint: {fingerprint}",
        "most_frequent": "The {shown} most frequent of {n:,} {nouns}.",
        "kept.files": "- {n:count file} that you have opened",
        "kept.nothing": "Nothing of yours is kept here.",
        "kept.how_long": (
            "What nobody uses for {hours:,} hours is deleted by itself, an open file after {file_hours}. Of one "
            "visitor the newest {most} data sets are kept."
        ),
        "kept.deletion": (
            "{what}, trees that you changed by hand and models that you opened go at once, in every tab, and "
            "cannot be had back. Links to them no longer open."
        ),
        "kept.sets_gone": "{n:count data set} and all files",
        "kept.deleted": "{sets} of yours are deleted, with what was made of them.",
        "project.what": (
            "A project is one file with several trees and the way to their data. *Save* in the upper right "
            "corner of a tree makes it: the tree on screen goes into it, with those that you have kept, opened "
            "or changed by hand. It holds no data but a few rows of each tree, if you like; for data of your own "
            "it asks for their file again."
        ),
        "project.too_large": "Projects of at most {most} MB are opened.",
        "project.option": "Its data {title} cannot be read with the option {option:.40}.",
        "project.settings": "Its tree {title} has settings that are not possible here: {wrong}.",
        "project.renamed": (
            "These trees are of a former version, which called the rare values of {names} “other (…)” where this "
            "one says “others (…)”: {file} gives data with other columns now, and does not fit. The trees stay, "
            "with their rules and predictions. To go on training, open the file as your own data on this page, "
            "and save a new project."
        ),
        "project.another": "{why} The trees stay as they are; choose another file.",
        "tree.what": (
            "A tree that scikit-learn (`skops.io.dump`), XGBoost (`save_model` to JSON), LightGBM (`save_model` "
            "to text) or another program (ONNX, PMML) has grown, or that was saved here. Open its data first, as "
            "a file or from the list: its columns are found by their names. It is then on every page as the "
            "trees of this program are, and TAO can make it smaller. Files are data: nothing in them is run, and "
            "pickles are not opened."
        ),
        "tree.too_large": "Trees of at most {most} MB are opened.",
        "tree.alone": "{why} What one of them says is not what the model says.",
        "tree.own_files": "Of files of yours those that you have opened are in this list.",
        "tree.too_deep": (
            "The tree is {depth:,} levels deep, and at most {most} can be drawn: grow it with a limit (max_depth)."
        ),
        "tree.gone": "It is not kept any more: open it again.",
        "columns.shown": "The first {shown} of {n:,} columns are shown. ",
        "columns.rare": (
            "Rare values are one category, and so are values that only new rows have. 0: each stays as it is, up "
            "to {most}."
        ),
        "columns.in_use": "{n_used:,} of {n_columns:,} columns are in use; features: {n_features:,}.",
        "columns.used": "{n_used:,} of {n_columns:,} columns are in use.",
        "problems.stop": "{icon} No tree can be grown on this yet: {why}",
        "still_open": "{name} is still open below.",
        "file_waits": "Another file waits above: read it, or leave it.",
        "rows.shown": (
            "{shown}, as they were read. Empty cells are missing values. Rows have the numbers of the file, "
            "whose first line is row 1."
        ),
        "problems.none": "No problem was found.",
        "problems.to_look_at": "{n:count thing} to look at",
        "problems.to_mend": "{words}, {n} of them must be mended",
        "reading.rows": (
            "A column for each thing that is known of it, and one with the class to predict. Names in the first "
            "line. Delimiter, encoding and decimal comma are found out; empty cells are missing values, and may "
            "stay."
        ),
        "reading.looked_over": (
            "You see what each column is taken for and can change it. Numbers of rows, constant columns, "
            "repeated rows or a column that gives the answer away are pointed out, each with a fix in one click."
        ),
        "reading.private": (
            "Nothing is sent anywhere. Files have up to {most:.0f} MB and two million rows. Your data are in "
            "your own list only; whoever has a link to a tree of them can open them by it. What nobody uses for "
            "{hours:,} hours is deleted."
        ),
        "split.groups": (
            "About 60 % of the groups train, 20 % validate and 20 % test, drawn by the random seed of each page. "
            "Folds keep groups together too. The column is no feature."
        ),
        "split.shares": "60 % train, 20 % validate, 20 % test; drawn anew for the random seed of each page.",
        "split.no_column": "There is no column of {kinds} besides the target.",
    },
)
