"""``predict``: apply a model to new rows."""

import argparse
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

import numpy as np

from treecore.errors import ParameterError
from treecore.model.model import Model
from treecore.tables.marked_numbers import renamed_columns
from treecore.tables.predict_table import FIRST, beside
from treecore.tables.prediction_figures import prediction_figures
from treecore.tables.text_tables import frame_to_csv
from treecore.training.partitions.sources.file_source import FileSource, listed
from treecore.training.partitions.sources.row_files import RowFile, arrow, reading
from viz.command_line.files import (
    STANDARD,
    add_json,
    check_outputs,
    expanded,
    output,
    progress,
    read_model,
    tell,
    write,
    write_figures,
    writing,
)
from viz.command_line.rows import add_reading, as_frame, table_or_set

EXAMPLES = (
    "predict model.json new.csv --out result.csv",
    "predict model.json 'parts/*.csv' --out result.csv",
    "predict model.json folder --out predictions",
    "predict model.json - < new.csv > result.csv",
    "predict model.json known.xlsx --compare outcome --out result.csv",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("model", help="model or tree file, or -")
    parser.add_argument("rows", nargs="+",
                        help="table with the columns of the training data in any order, a bundled data set, or -; "
                        "several files (or a pattern such as '*.csv') are combined")  # fmt: skip
    add_reading(parser)
    parser.add_argument("--out", metavar="FILE",
                        help="CSV file (default: standard output), or the folder of the predictions of a folder of "
                        "Parquet or Arrow files")  # fmt: skip
    parser.add_argument("--compare", metavar="COLUMN",
                        help="column with the true values, to compute the error (default: the target, if the table "
                        "has that column)")  # fmt: skip
    add_json(parser)


def run(options: argparse.Namespace) -> None:
    """Predict, report warnings and save."""
    if len(options.rows) == 1 and options.rows[0] != STANDARD and Path(options.rows[0]).is_dir():
        predict_parts(options, options.rows[0], read_model(options.model))
        return
    if options.out is not None:
        _check_file(options.out)
    check_outputs(options, options.out)
    sources = expanded(options.rows)
    if [options.model, *sources].count(STANDARD) > 1:
        raise ParameterError("The model and the rows cannot both come from standard input.")
    model = read_model(options.model)
    rows, files = _rows(sources, model.columns, options.read)
    frame, model = as_frame(rows, model)
    target = options.compare or (model.data.target if model.data is not None else None)
    if target is not None:  # The table may have "w (kg)" instead of "w".
        others = [name for name in frame.columns if name == target or name not in model.column_names]
        target = next(iter(renamed_columns([target], others)), target)
    if options.compare and target not in frame.columns:
        raise ParameterError(f"The table has no column {options.compare!r} for the comparison.")
    idle = {target} - set(model.column_names)
    found = model.predict_table(frame.drop(columns=[column for column in frame.columns if column in idle]))
    for note in found.notes:
        tell(f"note: {note}")
    if found.n_refused:
        tell(f"note: {found.n_refused:,} of {len(frame):,} rows have no prediction (see the reasons in the table).")
    figures = {"n_rows": len(frame), "n_refused": found.n_refused, "n": 0, "error": None}
    if target in frame.columns:
        figures |= _judge(found, frame[target], target, model.tree.target)
    write_figures(options, figures)
    if options.out is not None or not options.json:
        if files is not None:  # The model does not use this column.
            frame.insert(0, _free_name("file", frame), files)
        write(options.out or STANDARD, frame_to_csv(beside(found, frame)))


def _check_file(name):
    """Raise ParameterError for a file that cannot be written, as `output` does."""
    try:
        output(name)
    except argparse.ArgumentTypeError as error:
        raise ParameterError(f"--out: {error}.") from None


def _rows(sources, columns, reading):
    """Return (table, source of each row) of one or several sources. With one source, the second value is None."""
    tables = [table_or_set(source, columns, reading) for source in sources]
    if len(tables) == 1:
        return tables[0], None
    import pandas

    no_table = [source for source, table in zip(sources, tables, strict=True) if not hasattr(table, "frame")]
    if no_table:
        raise ParameterError(
            f"{no_table[0]!r:.200} is not a table, so it cannot be combined with other files. Predict this file "
            "separately."
        )
    frame = pandas.concat([table.frame for table in tables], ignore_index=True)
    files = pandas.Series(sources).repeat([len(table.frame) for table in tables]).to_numpy()
    return replace(tables[0], frame=frame, marks={}), files


def _free_name(name, frame):
    while name in frame.columns:
        name += "_"
    return name


def _judge(found, truth, column, target):
    compared = prediction_figures(found, truth)
    if compared.error is None:
        tell(f"note: column {column!r} contains no value that the tree predicts, so no error is computed.")
    else:
        error = target.error_text(compared.error) if target.unit else f"{compared.error:.6g}"
        tell(f"{target.error_name}: {error} ({compared.n:,} rows)")
    return {"n": compared.n, "error": compared.error}


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
