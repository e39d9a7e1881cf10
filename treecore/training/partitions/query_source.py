"""Rows of a polars LazyFrame or a DuckDB relation, written once to a temporary folder."""

import shutil
import tempfile
import weakref
from pathlib import Path
from typing import Any

from treecore.errors import DataError
from treecore.training.partitions.file_source import MOST_ROWS, FileSource
from treecore.training.partitions.messages import MESSAGES
from treecore.training.partitions.row_files import arrow


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
        try:
            if is_lazy:
                query.sink_parquet(path, row_group_size=MOST_ROWS)
            else:
                query.write_parquet(path, row_group_size=MOST_ROWS)
            super().__init__(path, target, weight, title=title)
        except Exception as error:
            self.close()
            if isinstance(error, DataError):
                raise
            why = str(error).strip().partition("\n")[0].rstrip(".")
            raise DataError(MESSAGES("lazy", what=f"{title[0].upper()}{title[1:]}", why=why[:200])) from None
