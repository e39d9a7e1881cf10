"""Error messages of training on rows that are read in parts."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "partitions",
    {
        "fixed": (
            "{name}={value!r}: rows that are read in parts require {name}={only!r}. Use this value, or load the rows"
            " into memory."
        ),
        "not_finite": (
            "{part}: column {column} has missing or infinite values. Remove these rows, or set missing='learn' if"
            " values are only missing."
        ),
        "curve.rows": "The source has {n_rows:count row}: a learning curve needs {least:,}. Train on all rows.",
        "advice.all_rows": (
            "Train on all {n_rows:,} rows: {n_last:,} instead of {n_first:,} training rows lowered the test error by"
            " {gain} ± {spread}{unit}."
        ),
        "advice.sample": (
            "A sample is sufficient: {n_last:,} instead of {n_first:,} training rows changed the test error by"
            " only {gain} ± {spread}{unit}."
        ),
        "critical": ("lams='critical' requires rows in memory. Use a number of values, or load the rows into memory."),
    },
)
