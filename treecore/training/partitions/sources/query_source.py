"""Rows of a polars LazyFrame or a DuckDB relation, written once to a temporary folder."""

import shutil
import tempfile
import weakref
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from treecore.errors import DataError
from treecore.training.partitions.sources.file_source import MOST_ROWS, FileSource
from treecore.training.partitions.sources.row_files import arrow


class QuerySource(FileSource):
    """Rows of a query, which is evaluated once. `close` removes the temporary files.

    query : polars LazyFrame or DuckDB relation; target, weight : names of columns, or None.
    """

    def __init__(self, query: Any, target: str | None = None, weight: str | None = None) -> None:
        arrow()
        folder = tempfile.mkdtemp(prefix="treecore-rows-")
        self.close = weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        is_lazy = hasattr(query, "sink_parquet")
        title = "the LazyFrame" if is_lazy else "the DuckDB relation"
        path = str(Path(folder, "rows.parquet"))
        with ExitStack() as on_error:
            on_error.callback(self.close)
            try:
                if is_lazy:
                    query.sink_parquet(path, row_group_size=MOST_ROWS)
                else:
                    query.write_parquet(path, row_group_size=MOST_ROWS)
            except (OSError, _error_of(is_lazy)) as error:
                why = str(error).strip().partition("\n")[0].rstrip(".")
                what = f"{title[0].upper()}{title[1:]}"
                raise DataError(f"{what} cannot be evaluated: {why[:200]}. Correct the query.") from None
            super().__init__(path, target, weight, title=title)
            on_error.pop_all()


def _error_of(is_lazy):
    """Return the base class of the errors of polars or DuckDB."""
    if is_lazy:
        from polars.exceptions import PolarsError

        return PolarsError
    import duckdb

    return duckdb.Error
