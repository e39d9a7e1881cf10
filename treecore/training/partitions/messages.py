"""Error messages of training on rows that are read in parts."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "partitions",
    {
        "fixed": (
            "{name}={value!r:.60}: rows that are read in parts require {name}={only!r}. Use this value, or load the"
            " rows into memory."
        ),
        "leaves": (
            "max_leaf_nodes={most}: the initial tree has {n_leaves} leaves. Use init='cart', a smaller tree, or rows in"
            " memory."
        ),
        "critical": ("lams='critical' requires rows in memory. Use a number of values, or load the rows into memory."),
        "cv": "cv is a {kind}: rows that are read in parts require a number of folds or None.",
        "in_part": "{part}: {why}",
        "not_finite": (
            "{part}: column {column!r} has missing or infinite values. Remove these rows, or set missing='learn' if"
            " values are only missing."
        ),
        "dask.no_column": "y={name!r:.60}: expected the name of a column. The columns are: {columns}.",
        "dask.partitions_differ": (
            "X and y have different numbers of partitions: {counts}. Use columns of one DataFrame, or call repartition."
        ),
        "dask.lengths_differ": "X has {X} rows, but y has {y}. Pass one target for each row.",
        "dask.shape": "{name} has {n_axes} axes: expected {expected}. Reshape the array.",
        "dask.failed": "{part} cannot be computed: {why}. Correct the tasks of the collection.",
        "dask.closed": "The Dask client was closed during training. Keep it open until training ends.",
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
        "infinite": "{part}: column {column!r} has infinite values. Remove these rows.",
        "too_large": "{part}: column {column!r} has values larger than {most:g} in absolute value. Rescale the column.",
        "missing_target": (
            "{part}: the target is missing or infinite in {n:count row}. Remove these rows, for example with a filter"
            " of polars or DuckDB."
        ),
        "no_numbers": (
            "{part}: the target has the type {kind}, but regression requires numbers. Use a classifier, or convert the"
            " target."
        ),
        "no_classes": (
            "{part}: the target contains numbers that are not whole, such as {value:g}. Use a regressor, or convert the"
            " target to classes."
        ),
        "negative_weights": "{part}: the sample weights must be finite numbers >= 0. Correct the weights.",
        "zero_weights": "Every sample weight is zero. Use a positive weight for at least one row.",
        "other_levels": (
            "{part}: column {column!r} has the ordered levels {others:literals .200}, but {levels:literals .200} in"
            " {first}. Use the same levels, or store texts."
        ),
        "too_many_texts": (
            "Column {column!r} has {n_texts:,} different strings, such as {text!r} (maximum {most:,}). Remove the "
            "column, or group its values."
        ),
        "other_kind": (
            "{part}: column {column!r} has another kind of values than in {first} ({kinds}). Use the same type in all"
            " parts."
        ),
        "other_target": (
            "{part}: the target has another kind of values than in {first} (numbers and text). Use the same type in all"
            " parts."
        ),
        "mixed_target": "{part}: the target contains both texts and numbers. Convert all of them to texts.",
        "large_target": ("{part}: the target has values larger than {most:g} in absolute value. Rescale the target."),
        "pyarrow": (
            "Rows in files need the package pyarrow, which is not installed. Run pip install pyarrow, or load the rows"
            " into memory."
        ),
        "file.gone": "{path} does not exist. Check the path.",
        "file.empty": "{path} is empty. Remove the file, or write it again.",
        "file.format": (
            "{path} is not a Parquet, Arrow or Feather file. Move the file, pass a pattern such as 'data/*.parquet', or"
            " pass a LazyFrame such as polars.scan_csv(path)."
        ),
        "file.damaged": "{path} cannot be read: {why}. Write the file again.",
        "file.full": "{path} cannot be written: {why}. Free disk space, or use more memory.",
        "file.changed": "{path} has changed during training. Train again.",
        "no_files": "{path} contains no files. Check the path.",
        "files": "files is a {kind}: expected a path, a list of paths, or a pyarrow.dataset.",
        "dataset_in_memory": "X is a pyarrow.dataset of tables in memory. Pass X.to_table().to_pandas() instead.",
        "dataset_filtered": (
            "X is a pyarrow.dataset with a filter. Pass a LazyFrame, such as polars.scan_parquet(path).filter(...)."
        ),
        "same_names": "{path} has several columns with the name {column!r}. Rename them.",
        "features_list": (
            "features={features!r:.60}: expected a list of different names, without the target and the weight."
        ),
        "weight_type": (
            "{path}: column {column!r} has the type {type}, but sample weights must be numbers. Use another column."
        ),
        "keys": (
            "{path} has the keys {keys!r} in the names of its folders, but the first file has {expected!r}. Use the"
            " same keys for all files."
        ),
        "no_column": "{path} has no column {column!r}. It has {names:literals 12}.",
        "no_features": "{path} has no column except the target. Add a feature.",
        "no_rows": "{path} contains no rows. Check the file.",
        "absent": "{path} does not have the columns {names:literals 6} of {first}. Add them, or move the file.",
        "more_columns": (
            "{path} has the columns {names:literals 6}, which {first} does not have. Remove them, or list the columns"
            " to use in a FileSource."
        ),
        "type": (
            "{path}: column {column!r} has the type {type}, which is not supported. Convert the column to numbers or"
            " texts, or remove it."
        ),
        "other_type": (
            "{path}: column {column!r} has the type {type}, but {known} in {first}. Use the same type in all files."
        ),
        "features": (
            "{path} does not have the columns {names:literals 6} of the training rows. Add them, or use another file."
        ),
        "target_name": (
            "y={y!r:.60}: expected the name of the target column, because X is read in parts. Pass a name such as 'y'."
        ),
        "weight_name": (
            "sample_weight={weight!r:.60}: expected the name of a column, because X is read in parts. Pass a name or"
            " None."
        ),
        "no_source": (
            "y and sample_weight belong to X, which already contains them. Leave them out, or set them in the source."
        ),
        "lazy": "{what} cannot be evaluated: {why}. Correct the query.",
        "kept": ("Training stopped early, and the tree of the last complete pass was kept. Cause: {why}"),
        "curve.rows": "The source has {n_rows:count row}: a learning curve needs {least:,}. Train on all rows.",
        "advice.all_rows": (
            "Train on all {n_rows:,} rows: {n_last:,} instead of {n_first:,} training rows lowered the test error by"
            " {gain} ± {spread}{unit}."
        ),
        "advice.sample": (
            "A sample is sufficient: {n_last:,} instead of {n_first:,} training rows changed the test error by"
            " only {gain} ± {spread}{unit}."
        ),
    },
)
