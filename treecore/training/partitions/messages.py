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
        "dask.no_column": "y={name!r}: expected the name of a column. The columns are: {columns}.",
        "dask.partitions_differ": (
            "X and y have different numbers of partitions: {counts}. Use columns of one DataFrame, or call repartition."
        ),
        "dask.lengths_differ": "X has {X} rows, but y has {y}. Pass one target for each row.",
        "dask.no_workers": "The Dask cluster has no workers. Start workers, then train again.",
        "dask.other_version": (
            "Worker {worker} has {found}, but this process has treecore {own}. Install the same version on all workers."
        ),
        "dask.worker_ended": (
            "Worker {worker} (memory limit {limit}) ended repeatedly while it processed {parts}. Use more memory per"
            " worker, more workers or smaller parts."
        ),
        "dask.worker_paused": (
            "Worker {worker} paused because it uses {used} of {limit} of memory. Use more memory per worker, more"
            " workers or smaller parts."
        ),
        "critical": ("lams='critical' requires rows in memory. Use a number of values, or load the rows into memory."),
    },
)
