"""Prediction of a folder of Parquet or Arrow files: one output file for each file, written part by part."""

import argparse
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self

import numpy as np

from treecore.errors import ParameterError
from treecore.model.model import Model
from treecore.tables.predict_table import FIRST, beside
from treecore.tables.prediction_figures import prediction_figures
from treecore.training.partitions.sources.file_source import FileSource, listed
from treecore.training.partitions.sources.row_files import RowFile, arrow, reading
from viz.command_line.files import progress, tell, write_figures, writing

NO_REASON = "why no prediction"  # column that each part must have, because a file has one schema


def predict_parts(options: argparse.Namespace, folder: str, model: Model) -> None:
    """Predict the rows of a folder, and write a Parquet file for each file to the folder ``--out``."""
    if options.out is None or (Path(options.out).exists() and not _is_empty_folder(Path(options.out))):
        raise ParameterError(
            f"{folder!r} is a folder of rows, so --out must be a folder. Pass a folder that is new or empty."
        )
    parts = FileSource(folder, features=model.column_names).parts()
    target = options.compare or (model.data.target if model.data is not None else None)
    total, n, n_rows, n_refused, told = 0.0, 0, 0, 0, set()
    is_root = model.tree.target.is_root
    for path, *_ in listed(folder):
        own = [part for part in parts if part.path == path]
        own_name = Path(path).relative_to(folder)
        if own_name.suffix != ".parquet":  # a.feather and a.parquet can be in one folder
            own_name = own_name.with_name(f"{own_name.name}.parquet")
        out = Path(options.out, own_name)
        with _Output(out) as output:
            for part in own:
                rows = _table(part)
                frame = rows.to_pandas()
                idle = {target} - set(model.column_names)
                found = model.predict_table(frame.drop(columns=[name for name in frame.columns if name in idle]))
                for note in set(found.notes) - told:
                    told.add(note)
                    tell(f"note: {note}")
                if target in frame.columns and (judged := prediction_figures(found, frame[target])).error is not None:
                    total += judged.n * (judged.error**2 if is_root else judged.error)
                    n += judged.n
                n_rows, n_refused = n_rows + len(frame), n_refused + found.n_refused
                output.write(beside(found, frame), rows.columns, sum(name in FIRST for name in found.to_frame()))
                progress(f"{n_rows:,} rows predicted")
    error = None if not n else float(np.sqrt(total / n)) if is_root else total / n
    if n_refused:
        tell(f"note: {n_refused:,} of {n_rows:,} rows have no prediction (see the reasons in the table).")
    if error is not None:
        tell(f"{model.tree.target.error_name}: {model.tree.target.error_text(error)} ({n:,} rows)")
    write_figures(options, {"n_rows": n_rows, "n_refused": n_refused, "n": n, "error": error})


def _table(part):
    """Return all columns of a part as a pyarrow.Table."""
    with RowFile(part.path, part.filesystem) as file, reading(part.path):
        names = list(file.layout().columns)
        rows = slice(part.start, part.stop)
        found: dict[str, Any] = dict(zip(names, file.columns(part.groups, names, rows), strict=True))
    keys = {name: arrow().array([value] * part.n_rows) for name, value in part.keys.items()}
    return arrow().table(found | keys)


class _Output:
    """Parquet file, for `with`, which removes it if it is not complete. path : Path."""

    def __init__(self, path: Path) -> None:
        self._path, self._writer, self._stack = path, None, ExitStack()

    def __enter__(self) -> Self:
        self._stack.callback(self._path.unlink, missing_ok=True)
        return self

    def __exit__(self, kind: type | None, *_: object) -> None:
        with self._stack, writing(str(self._path)):
            if self._writer is not None:
                self._writer.close()
            if kind is None:
                self._stack.pop_all()

    def write(self, frame: Any, columns: Sequence, first: int) -> None:
        """Write rows below the earlier ones, with the types of the first part.

        columns : columns of the file, which are the columns of `frame` from the place `first` and keep their types.
        """
        pyarrow = arrow()
        kept = dict(zip(frame.columns[first : first + len(columns)], columns, strict=True))
        if NO_REASON not in frame.columns:
            frame[NO_REASON] = None
        with writing(str(self._path)):
            own = pyarrow.Table.from_pandas(frame.drop(columns=list(kept)), preserve_index=False)
            table = pyarrow.table({name: kept[name] if name in kept else own[name] for name in frame.columns})
            if self._writer is None:
                types = [pyarrow.string() if pyarrow.types.is_null(one.type) else one.type for one in table.schema]
                self._path.parent.mkdir(parents=True, exist_ok=True)
                schema = pyarrow.schema(list(zip(table.schema.names, types, strict=True)))
                self._writer = pyarrow.parquet.ParquetWriter(str(self._path), schema)
            schema = self._writer.schema
            self._writer.write_table(table.select(schema.names).cast(schema))


def _is_empty_folder(path):
    return path.is_dir() and not any(path.iterdir())
