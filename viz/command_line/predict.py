"""``predict``: apply a model to new rows."""

import argparse
from dataclasses import replace
from pathlib import Path

from treecore.errors import ParameterError
from treecore.tables.marked_numbers import renamed_columns
from treecore.tables.predict_table import beside
from treecore.tables.prediction_figures import prediction_figures
from treecore.tables.text_tables import frame_to_csv
from viz.command_line.files import (
    STANDARD,
    add_json,
    check_outputs,
    expanded,
    output,
    read_model,
    tell,
    write,
    write_figures,
)
from viz.command_line.predict_parts import predict_parts
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
