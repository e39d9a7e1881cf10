"""Messages on the Data page."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "page.data",
    {
        "target.question": "What do you want to predict?",
        "target.none": "No column looks like an outcome. Choose what you want to predict.",
        "target.single_valued": (
            ":orange[:material/warning:] Column {target} has the same value in every row, so it cannot be predicted."
        ),
        "target.texts": (
            "All columns contain texts or IDs with another value in nearly every row, so no column can be predicted. "
            "Add a column of classes or numbers to the file."
        ),
        "target.why": "Proposed: {why}.",
        "target.shape": "{n:,} different values ({kind}).",
        "target.proposed": "The target {target} is proposed: {why}. Next candidates: {others}.",
        "unknown_source": "Unsupported source '{source}'. Choose a source below.",
        "unknown_set": "Your list contains no data set '{name}'. Choose another data set.",
        "facts": "Source: {source} · Licence: {licence} · Fingerprint: {fingerprint}",
        "most_frequent": "The {shown} most frequent of {n:,} {nouns}.",
        "kept.files": "- {n:count file} that you opened",
        "kept.nothing": "The server stores no data of yours.",
        "kept.how_long": (
            "The server deletes data that are unused for {hours:,} hours, and open files after {file_hours} hours. It "
            "stores the newest {most} data sets of each visitor."
        ),
        "kept.deletion": (
            "This deletes {what}, edited trees and opened models immediately and in every tab. They cannot be "
            "restored, and links to them stop working."
        ),
        "kept.sets_gone": "{n:count data set} and all files",
        "kept.deleted": "Deleted: {sets}, including trees and results.",
        "project.what": (
            "A project is one file with several trees and a reference to their data. To create a project, press "
            "*Save* in the upper right corner of a tree. The project contains the tree on screen and the trees that "
            "you saved, opened or edited. It contains no data, except a few rows for each tree if you include sample "
            "rows. To open a project on your own data, you need the data file again, or an app that was started with "
            "the same data folder."
        ),
        "project.too_large": "Projects can have up to {most} MB.",
        "project.option": "The data set {title} in this project has an unsupported option: {option:.40}.",
        "project.settings": "The tree {title} in this project has unsupported settings: {wrong}.",
        "project.renamed": (
            "These trees come from an earlier version of the app, which named rare values of {names} 'other (…)' "
            "instead of 'others (…)'. The columns of {file} now have different names, so they do not match the trees. "
            "You can still use the trees for rules and predictions. To train further, open the file as your own data "
            "on this page and save a new project."
        ),
        "project.no_folder": (
            "The trees were trained on a sample of {entry} in a data folder. Restart the app with this folder to open "
            "the data."
        ),
        "project.another": "{why} The trees are unchanged. Choose another file.",
        "folder.none": "This server has no folder of data. Upload a file.",
        "folder.empty": "The folder of this machine contains no Parquet files. Add files, or upload a file.",
        "folder.what": (
            "Parquet file, or folder of Parquet files with the same columns. The app reads a random sample of up to "
            "{most:,} rows. On the Tree page, you can then train on all rows."
        ),
        "tree.what": (
            "A tree from scikit-learn (`skops.io.dump`), XGBoost (`save_model` to JSON), LightGBM "
            "(`save_model` to text), another program (ONNX, PMML) or this app. First open the training data, as a file "
            "or from the list. Columns are matched by name. All pages then show the tree, and TAO can simplify it. "
            "The app never executes the content of a file, so pickle files are not supported."
        ),
        "tree.too_large": "Tree files can have up to {most} MB.",
        "tree.alone": "{why} The predictions of a single tree differ from those of the model.",
        "tree.own_files": "This list contains the files that you opened.",
        "tree.too_deep": "The tree has depth {depth:,}; the maximum is {most}. Train it with a smaller max_depth.",
        "tree.gone": "The server no longer stores this tree. Open its file again.",
        "columns.shown": "First {shown} of {n:,} columns. ",
        "columns.rare": (
            "Values with fewer rows than this are combined into one category, together with values that occur only in "
            "new rows. 0 keeps each value, up to {most} values."
        ),
        "columns.in_use": "{n_used:,} of {n_columns:,} columns in use; {n_features:count feature}.",
        "columns.used": "{n_used:,} of {n_columns:,} columns in use.",
        "problems.stop": "{icon} These data cannot be used for training yet. Correct the problem listed below.",
        "still_open": "{name} is still open below.",
        "file_waits": "Another file is waiting above. Read it or discard it.",
        "rows.shown": (
            "{shown}, as read. Empty cells are missing values. Row numbers count the lines of the file from 1."
        ),
        "problems.ignored": "*Fix all* ignores {n:count column}: {columns:list}.",
        "problems.other_fixes": "*Fix all* also applies: {fixes}.",
        "problems.none": "No problems found.",
        "problems.to_look_at": "{n:count thing} to review",
        "problems.to_mend": "{words}; correct {n} before training",
        "reading.rows": (
            "A table has one row for each observation, one column for each feature and one column for the target. The "
            "first line contains the column names. The app detects delimiter, encoding and decimal comma, and "
            "supports missing values (empty cells)."
        ),
        "reading.looked_over": (
            "The app shows the type of each column, and you can change it. It reports ID columns, constant columns, "
            "duplicate rows and columns that reveal the target, and offers a fix for each."
        ),
        "reading.private": (
            "Your data stay on this server. Files can have up to {most:.0f} MB and two million rows. Only you see "
            "your data in your list, but anyone with a link to one of your trees can open its data. The server "
            "deletes data that are unused for {hours:,} hours."
        ),
        "split.groups": (
            "About 60 % of the groups are for training, 20 % for validation and 20 % for testing. The random seed on "
            "each page selects the groups. Folds keep groups together too. The group column is not a feature."
        ),
        "split.shares": (
            "60 % training, 20 % validation and 20 % test rows. The random seed on each page selects the rows."
        ),
        "split.no_column": "The table has no column of {kinds} except the target.",
    },
)
