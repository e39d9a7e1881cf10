"""Find the rows for a model in a file, in a bundled data set or in the model itself, if there are any."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from treecore.errors import DataError, ParameterError
from treecore.messages import joined, literals
from treecore.model.model import Model
from treecore.tables.marked_numbers import renamed_columns
from treecore.tables.table_columns import TableColumn, TableColumns, category_text
from viz.command_line.files import STANDARD, is_there, not_found, read_bytes, tell

# arguments of `sample_data.user_data.read` for the format of a file
READING_OPTIONS = (*("delimiter", "decimal", "encoding", "sheet", "header", "header_line", "skip_below", "fill_short"),)

if TYPE_CHECKING:
    from sample_data.data_set import DataSet
    from sample_data.user_data.table import Table


_WORDS = {"true": True, "yes": True, "false": False, "no": False}


def add_reading(parser: argparse.ArgumentParser) -> None:
    """Add the option --read."""
    parser.add_argument("--read", metavar="NAME=VALUE", action="append", default=[],
                        help="reading option, such as header_line=3 or header='two lines' "
                        f"({', '.join(READING_OPTIONS)}); may be repeated")  # fmt: skip


def reading_ways(question: Any) -> str:
    """Return the options that answer a `ReadingQuestion`."""
    texts = [str(value).lower() if isinstance(value, bool) else str(value) for _, _, value in question.readings]
    ways = zip(question.readings, texts, strict=True)
    return " or ".join(f"--read {shlex.quote(f'{name}={text}')}" for (_, name, _), text in ways)


def reading_options(texts: Sequence[str]) -> dict[str, Any]:
    """Convert texts such as "header=false" to arguments of `sample_data.user_data.read`.

    Raise ParameterError for an unknown name or an invalid value.
    """
    found: dict[str, Any] = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign or name not in READING_OPTIONS:
            raise ParameterError(f"--read {text[:60]!r}: expected NAME=VALUE with {joined(list(READING_OPTIONS))}.")
        value = {"tab": "\t"}.get(value, value) if name == "delimiter" else value
        found[name] = _WORDS.get(value.lower(), value) if name in ("header", "fill_short") else value
    return found


def table_or_set(source: str, columns: TableColumns | None = None, reading: Sequence[str] = ()) -> Table | DataSet:
    """Return a table, or a `DataSet` if the source is a bundled name or a file of images.

    Raise TreecoreError if the source cannot be read.

    source : file, name, or - for standard input
    columns : columns of a model, whose date formats are used
    reading : values of --read
    """
    import sample_data

    if source != STANDARD and not is_there(source):
        if Path(source).suffix and source not in [entry.name for entry in sample_data.catalogue()]:
            raise DataError(not_found(source))
        return sample_data.load(source)
    from sample_data import user_data  # File formats need more packages.

    from_pipe = source == STANDARD
    return user_data.read(
        read_bytes(source) if from_pipe else Path(source),
        "standard input" if from_pipe else Path(source).name,
        day_first={} if columns is None else columns.day_first(),
        values={} if columns is None else columns.marker_values(),
        **reading_options(reading),
    )


def as_frame(table: Table | DataSet, model: Model) -> tuple:
    """Convert the result of `user_data.read` to (DataFrame, Model). The features of a DataSet become its columns."""
    import pandas

    import sample_data

    if not isinstance(table, sample_data.DataSet):
        return table.frame, model
    names = model.tree.feature_names if model.tree.n_features == table.n_features else None
    frame = pandas.DataFrame(table.X, columns=list(names or table.feature_names))
    target = "class" if model.data is None or model.data.target is None else model.data.target
    if target not in frame.columns:
        frame[target] = table.labels()
    return frame, replace(model, columns=None)


def data_of(model: Model, source: str | None) -> DataSet | None:
    """Return the DataSet for a Model, or None if there is none.

    Raise TreecoreError if the source cannot be read, or its rows do not fit the model. Without `source`, the result is
    the data set with the name and fingerprint of the model, or else the rows in the model file.

    source : file, name or -, or None
    """
    import sample_data

    if source is None:
        return _own(model) or _sample(model)
    found = table_or_set(source, model.columns)
    if isinstance(found, sample_data.DataSet):
        return _fitting(found, model)
    return _of_table(found, model)


def _fitting(data, model):
    """Return the data set if the tree can be applied to it, otherwise None."""
    names = model.tree.feature_names
    same = data.n_features == model.tree.n_features and (data.image_shape or names in (None, data.feature_names))
    same = same and model.tree.target.goes_with(data.class_names)
    if not same or not {category_text(label) for label in model.classes} <= set(data.class_names):
        raise DataError(f"{data.title} does not have the features and classes of the training data.")
    return data


def _own(model):
    import sample_data

    if model.data is None:
        return None
    entry = next((entry for entry in sample_data.catalogue() if entry.name == model.data.name), None)
    if entry is None or not entry.available:
        return None
    data = sample_data.load(entry.name)
    return data if data.fingerprint == model.data.fingerprint else None


def _sample(model):
    if model.sample is None:
        return None
    known = model.data
    return _data_set(model, known.title, model.sample.X, model.sample.y)


def _of_table(table, model):
    """Return the rows of a table that have a number, or a class of the tree, as their target."""
    kind, frame = model.tree.target, table.frame
    target = kind.value_noun if model.data is None or model.data.target is None else model.data.target
    others = [name for name in frame.columns if name == target or name not in model.column_names]
    there = next(iter(renamed_columns([target], others)), target)  # "w" becomes "w (kg)" if the values have this unit.
    frame = frame.rename(columns={there: target})
    if target not in frame.columns:
        raise DataError(f"The table has no column {target!r} with the {kind.values_noun}.")
    columns = model.columns
    if columns is None:
        columns = TableColumns(tuple(map(TableColumn.of_feature, model.tree.feature_names or model.column_names)))
    encoded = columns.encode(frame.drop(columns=target))
    for note in encoded.notes:
        tell(f"note: {note}")
    y, known = (_codes if kind.values_are_groups else _numbers)(frame[target], model)
    if not known.all():
        from treecore.messages import counted

        why = "with a class that the tree does not predict" if kind.values_are_groups else f"without {target!r}"
        tell(f"note: {counted(int((~known).sum()), 'row')} left out, {why}.")
    return _data_set(model, table.name, encoded.X[known], y[known])


def _codes(column, model):
    """Return (class codes of a column, whether each code is known)."""
    names = _class_names(model)
    place = {name: code for code, name in enumerate(names)}
    y = np.array([place.get(category_text(value), -1) for value in column])
    if not (y >= 0).any():
        raise DataError(f"Column {column.name!r} contains none of these classes: {literals(names, 8)}.")
    return y, y >= 0


def _numbers(column, model):
    """Return (numbers of a column, whether each number is known)."""
    import pandas

    y = pandas.to_numeric(column, errors="coerce").to_numpy(np.float64)
    if not np.isfinite(y).any():
        raise DataError(f"Column {column.name!r} contains no numbers, but the tree predicts numbers.")
    return y, np.isfinite(y)


def _class_names(model):
    return [category_text(label) for label in model.classes] if model.data is None else list(model.data.class_names)


def _data_set(model, title, X, y):
    import sample_data

    known = model.data
    features = tuple(model.tree.feature_name(feature) for feature in range(model.tree.n_features))
    return sample_data.DataSet(
        "rows", title, X, y, features, tuple(_class_names(model)), None if known is None else known.image_shape,
        columns=model.columns, target_name="" if known is None else known.target or "",
    )  # fmt: skip
