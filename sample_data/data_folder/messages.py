"""Messages about the folder of the machine."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "data_folder",
    {
        "no_folder": "{folder} is not a folder. Restart the app with an existing folder.",
        "no_permission": "The app may not read {name}. Change the permissions of the file or folder.",
        "unread": "{name} cannot be read: {why}. Write the file again, or remove it.",
        "no_rows": "{name} has no rows. Remove the file, or write it again.",
        "no_columns": "{name} has no columns of numbers, dates or texts. Choose another file.",
        "too_wide": "{name} has {n_columns:,} columns; the maximum is {most:,}. Write a file with fewer columns.",
        "others": (
            "{n:count file} of {n:one another format is|other formats are} not listed. Only Parquet files are "
            "supported."
        ),
        "skipped": "Files or folders without permission are not listed, for example {name}. Change their permissions.",
        "most_files": "Only the first {most:,} Parquet files are listed. Choose a smaller folder when the app starts.",
        "gone": "{name} is not in the folder any more. Choose another entry.",
        "changed": "{name} has changed since its sample was read. Choose the entry again on the Data page.",
        "columns": "{name} does not have the columns {columns:literals 6} of the sample. Choose the entry again.",
        "refused.bins": (
            "Classes of equal size depend on all rows. Predict the target as a number to train on all rows."
        ),
        "refused.group": (
            "The test rows are whole groups of the sample. Choose another split on the Data page to train on all rows."
        ),
    },
)
