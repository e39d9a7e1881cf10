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
        "critical": ("lams='critical' requires rows in memory. Use a number of values, or load the rows into memory."),
    },
)
