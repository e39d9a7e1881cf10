"""``predict``: a model applied to new rows."""

import argparse
from pathlib import Path

from treecore.command_line.files import STANDARD, read_bytes, read_model, tell, write
from treecore.command_line.rows import as_frame
from treecore.errors import ParameterError
from treecore.tables.predict_table import beside
from treecore.tables.prediction_figures import prediction_figures
from treecore.tables.text_tables import frame_to_csv

HELP = "Predict the rows of a table: class, probability, leaf, path, margin, beside the table's columns, as CSV."
EXAMPLES = (
    "predict model.json new.csv --out result.csv",
    "predict model.json - < new.csv > result.csv",
    "predict model.json known.xlsx --compare outcome --out result.csv",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options."""
    parser.add_argument("model", help="model or tree file, or -")
    parser.add_argument("rows", help="table with the columns of the data, in any order, or -")
    parser.add_argument("--out", metavar="FILE", default=STANDARD, help="CSV file (default: standard output)")
    parser.add_argument("--compare", metavar="COLUMN", help="column with what is true, to tell the error (default: "
                        "the one that was predicted in training, where the table has it)")  # fmt: skip


def run(options: argparse.Namespace) -> None:
    """Predict, tell what was noticed, save."""
    from sample_data import user_data

    if options.model == options.rows == STANDARD:
        raise ParameterError("Only one of the model and the rows can be standard input.")
    model = read_model(options.model)
    from_pipe = options.rows == STANDARD
    source, name = (
        (read_bytes(STANDARD), "standard input") if from_pipe else (Path(options.rows), Path(options.rows).name)
    )
    day_first = {} if model.columns is None else model.columns.day_first()
    frame, model = as_frame(user_data.read(source, name, day_first=day_first), model)
    target = options.compare or (model.data.target if model.data is not None else None)
    if options.compare and options.compare not in frame.columns:
        raise ParameterError(f"The table has no column {options.compare!r} to compare with.")
    idle = {target} - set(model.column_names)
    found = model.predict_table(frame.drop(columns=[column for column in frame.columns if column in idle]))
    for note in found.notes:
        tell(f"note: {note}")
    if found.n_refused:
        tell(f"note: {found.n_refused:,} of {len(frame):,} rows have no prediction; the table says why.")
    if target in frame.columns:
        _judge(found, frame[target], target, model.tree.target)
    write(options.out, frame_to_csv(beside(found, frame)))


def _judge(found, truth, column, target):
    compared = prediction_figures(found, truth)
    if compared.error is None:
        tell(f"note: column {column!r} holds nothing that the tree predicts, so it is not compared.")
    else:
        error = target.error_text(compared.error, 2) if target.unit else f"{compared.error:.6g}"
        tell(f"{target.error_name}: {error} ({compared.n:,} rows)")
