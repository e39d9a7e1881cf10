"""Rows of an entry: a random sample as a Parquet file, and all rows as parts with the recipe of the sample."""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas
import pyarrow
from pyarrow import parquet

from sample_data.data_folder.entries import (
    FolderEntry,
    draw,
    entry_changed,
    entry_gone,
    find_entry,
    no_permission,
    unread_entry,
)
from sample_data.data_set import DataSet
from sample_data.user_data.classes import OTHERS, quantities
from sample_data.user_data.limits import MAX_COLUMNS
from sample_data.user_data.readers.parquet_file import column_values, is_text_column, usable_columns
from sample_data.user_data.recipe import Recipe
from sample_data.user_data.table import repair_names
from treecore.errors import DataError
from treecore.messages import literals
from treecore.tables.marked_numbers import renamed_columns
from treecore.tables.table_columns import TableColumns, category_text, without_markers
from treecore.tables.table_dates import compact_dates
from treecore.training.partitions.sources.row_source import PartRows

_CELLS_AT_A_TIME = 20_000_000
_FAULTS = (pyarrow.ArrowException, OSError, ValueError, KeyError, OverflowError, MemoryError)


@contextmanager
def reading(name: str) -> Generator[None]:
    """Convert the faults of reading a file to a DataError that contains its name."""
    try:
        yield
    except DataError:
        raise
    except FileNotFoundError as fault:
        raise DataError(entry_gone(name)) from fault
    except PermissionError as fault:
        raise DataError(no_permission(name)) from fault
    except _FAULTS as fault:
        raise DataError(unread_entry(name, str(fault).partition("\n")[0][:120].rstrip("."))) from fault


def write_sample(entry: FolderEntry, path: Path, report: Callable[..., None], seed: int = 0) -> None:
    """Write the sample of an entry as a Parquet file.

    report : called with done, total and words. Raises DataError if a file cannot be read.
    """
    if entry.n_columns > MAX_COLUMNS:
        raise DataError(
            f"{entry.name} has {entry.n_columns:,} columns; the maximum is {MAX_COLUMNS:,}. Write a file with "
            "fewer columns."
        )
    drawn, tables = draw(entry, seed), []
    for done, one in enumerate(drawn):
        report(done, len(drawn), "reading rows")
        tables.append(_rows(entry, one))
    parquet.write_table(pyarrow.concat_tables(tables).unify_dictionaries(), path)


def _rows(entry, drawn):
    source = entry.files[drawn.file]
    with reading(Path(source.path).name), parquet.ParquetFile(source.path) as file:
        fields = list(file.schema_arrow)
        names = list(dict.fromkeys(fields[k].name for k in usable_columns(fields)))
        if not names:
            raise DataError(f"{entry.title} has no columns of numbers, dates or texts. Choose another file.")
        if drawn.group >= file.metadata.num_row_groups or (
            file.metadata.row_group(drawn.group).num_rows != source.n_rows[drawn.group]
        ):
            raise DataError(entry_changed(entry.title))
        step, rows, parts = max(_CELLS_AT_A_TIME // source.n_rows[drawn.group], 1), pyarrow.array(drawn.rows), []
        for start in range(0, len(names), step):
            parts.append(file.read_row_group(drawn.group, columns=names[start : start + step]).take(rows))
    columns = [column for part in parts for column in part.columns]
    return pyarrow.Table.from_arrays(columns, schema=pyarrow.schema([f for part in parts for f in part.schema]))


def refusal(recipe: Recipe) -> str | None:
    """Return the reason why a recipe of a sample cannot be applied to all rows, or None."""
    if recipe.bins:
        return "Classes of equal size depend on all rows. Predict the target as a number to train on all rows."
    return (
        ("The test rows are whole groups of the sample. Choose another split on the Data page to train on all rows.")
        if recipe.split == "group"
        else None
    )


MOST_ROWS = 250_000  # of a part
MOST_BYTES = 200_000_000  # larger row groups are divided, although each piece then reads all of them


class Source(NamedTuple):
    """Origin of a sample.

    entry : name of the `FolderEntry`; digest : its digest; n_rows : its number of rows; n_sample : rows of the sample;
    texts : columns of texts that the sample does not convert to numbers or dates.
    """

    entry: str
    digest: str
    n_rows: int
    n_sample: int
    texts: tuple[str, ...]


def source_of(entry: FolderEntry, frame: pandas.DataFrame) -> Source:
    """Return the `Source` of a sample with the columns `frame`."""
    texts = [str(name) for name, values in frame.items() if not isinstance(values.dtype, np.dtype)]
    return Source(entry.name, entry.digest, entry.n_rows, len(frame), tuple(texts))


class RowRecipe(NamedTuple):
    """Conversion of the rows of an entry to features and targets, as for its sample.

    columns : features; recipe : decisions of the visitor; labels : sorted class names, None for numbers; texts : see
    `Source`; first_held_out : time of the first held-out row, or None.
    """

    columns: TableColumns
    recipe: Recipe
    labels: tuple[str, ...] | None
    texts: frozenset[str]
    first_held_out: float | None

    def names(self) -> list[str]:
        """Return the names of the needed columns."""
        by = self.recipe.split_column if self.recipe.split in ("column", "time") else None
        needed = self.columns.names() + [self.recipe.target, *([by] if by else [])]
        return list(dict.fromkeys(needed))

    def rows(self, frame: pandas.DataFrame) -> PartRows:
        """Return the training rows of a frame. y : float64[n], or positions in `labels`."""
        keep, y = self._targets(frame)
        if self.recipe.split == "column":
            known = self.recipe.split_values or {}
            keep &= np.array([part == "train" for part in _matched(frame[self.recipe.split_column], known)], bool)
        if self.first_held_out is not None:
            keep &= ~(quantities(frame[self.recipe.split_column]) >= self.first_held_out)
        return PartRows(self.columns.encode(frame[keep]).X, y[keep])

    def _targets(self, frame):
        values = without_markers(frame[self.recipe.target], self.recipe.missing.get(self.recipe.target, ()))
        if self.labels is None:
            y = quantities(values)
            return ~np.isnan(y), y
        place = {label: k for k, label in enumerate(self.labels)}
        rest = next((k for k, label in enumerate(self.labels) if label.rstrip("_") == OTHERS), -1)
        codes, uniques = values.factorize(use_na_sentinel=True)
        rest = rest if self.recipe.rare == "merge" else -1
        y = np.array([*(place.get(category_text(value), rest) for value in uniques), -1], np.int64)[codes]
        return y >= 0, y


def _matched(values, known):
    codes, uniques = values.factorize(use_na_sentinel=True)
    parts = np.array([*(known.get(category_text(value)) for value in uniques), None], object)
    return parts[codes]


class EntryPart(NamedTuple):
    """Some rows of a file.

    name : for messages; groups : row groups; start, stop : rows within these; held_out : int64, sorted rows within the
    part that are not for training; n_rows : rows of `groups`.
    """

    name: str
    path: str
    groups: tuple[int, ...]
    start: int
    stop: int
    n_rows: int
    held_out: np.ndarray
    recipe: RowRecipe

    def read(self) -> PartRows:
        """Return the training rows. Raises DataError if the file cannot be read, or has changed."""
        with reading(Path(self.path).name), parquet.ParquetFile(self.path) as file:
            fields = list(file.schema_arrow)
            if max(self.groups) >= file.metadata.num_row_groups:
                raise DataError(entry_changed(Path(self.path).name))
            frame = self._frame(file, fields)
        pyarrow.default_memory_pool().release_unused()
        kept = np.ones(len(frame), bool)
        kept[self.held_out] = False
        return self.recipe.rows(frame[kept])

    def _frame(self, file, fields):
        names = repair_names([field.name for field in fields])[0]
        known = self.recipe.names()
        renamed = renamed_columns(known, names)
        places = {renamed.get(names[k], names[k]): k for k in usable_columns(fields)}
        absent = [name for name in known if name not in places]
        if absent:
            raise DataError(
                f"{Path(self.path).name} does not have the columns {literals(absent, 6)} of the sample. Choose "
                "the entry again."
            )
        wanted = list(dict.fromkeys(fields[places[name]].name for name in known))
        table = file.read_row_groups(list(self.groups), columns=wanted, use_threads=False)
        if table.num_rows != self.n_rows:
            raise DataError(entry_changed(Path(self.path).name))
        found = {}
        for name in known:
            field = fields[places[name]]
            same = [k for k, one in enumerate(fields) if one.name == field.name]
            column = table.column(table.schema.get_all_field_indices(field.name)[same.index(places[name])])
            found[name] = self._values(name, column.slice(self.start, self.stop - self.start))
        return pandas.DataFrame(found, copy=False)

    def _values(self, name, column):
        if is_text_column(column.type) and name in self.recipe.texts:
            return _categories(column)
        values = column_values(name, column).values
        columns = [part for column in self.recipe.columns.columns for part in (column, *column.of)]
        kind = next((one.kind for one in columns if one.name == name), None)
        if kind == "date" and isinstance(values, np.ndarray) and values.dtype.kind in "uif":
            dates = compact_dates(values)
            return values if dates is None else dates
        return values


def _categories(column):
    """Return texts as a Categorical."""
    encoded = column if pyarrow.types.is_dictionary(column.type) else column.cast(pyarrow.string()).dictionary_encode()
    encoded = encoded.unify_dictionaries().combine_chunks()
    if isinstance(encoded, pyarrow.ChunkedArray):  # no chunk, or too many values for one chunk
        encoded = pyarrow.concat_arrays(encoded.chunks)
    codes = encoded.indices.cast(pyarrow.int64()).fill_null(-1).to_numpy(zero_copy_only=False)
    words = pandas.Index(encoded.dictionary.cast(pyarrow.string()).to_pylist(), dtype="str")
    return pandas.Categorical.from_codes(codes, words)


class EntrySource:
    """Training rows of an entry of the folder of the machine, without the held-out rows of its sample.

    folder : folder of the machine; known : `Source` with "recipe" as a dict; data : data set of the sample; train : its
    training rows, int64. Raises DataError if the entry is absent or has changed, or if the recipe cannot be applied to
    all rows.
    """

    def __init__(self, folder: Path, known: dict[str, Any], data: DataSet, train: np.ndarray) -> None:
        recipe = Recipe.from_dict(known["recipe"])
        if (why := refusal(recipe)) is not None:
            raise DataError(why)
        self.entry, self.data = find_entry(folder, known["entry"], known["digest"]), data
        self.feature_names = None
        held_out = np.setdiff1d(np.arange(data.n_rows), train)
        first = None
        if recipe.split == "time" and data.times is not None and held_out.size:
            first = float(np.nanmin(data.times[held_out]))
        labels = tuple(sorted(data.class_names)) if data.class_names else None
        columns: Any = data.columns  # a data set made from a table has columns and row numbers
        numbers: Any = data.row_numbers
        self._recipe = RowRecipe(columns, recipe, labels, frozenset(known["texts"]), first)
        self._held_out = numbers[held_out].astype(np.int64) - 1

    @cached_property
    def _held_out_rows(self) -> dict[tuple[int, int], np.ndarray]:
        """Return {(file, row group): rows of the sample that are not for training}."""
        drawn = draw(self.entry)
        ends = np.cumsum([0] + [len(one.rows) for one in drawn])
        return {
            (one.file, one.group): one.rows[
                self._held_out[slice(*np.searchsorted(self._held_out, [first, last]))] - first
            ]
            for one, first, last in zip(drawn, ends[:-1], ends[1:], strict=True)
        }

    def parts(self) -> Sequence[EntryPart]:
        """Return the parts: joined row groups, or pieces of a large one."""
        width, found = 8 * self.data.n_features, []
        size = max(1000, min(MOST_ROWS, MOST_BYTES // width))
        for i, file in enumerate(self.entry.files):
            groups, n_rows, before = [], 0, 0
            for group, rows in [*enumerate(file.n_rows), (-1, size + 1)]:
                if groups and n_rows + rows > size:
                    found += self._pieces(i, groups, before, n_rows, width)
                    groups, before, n_rows = [], before + n_rows, 0
                if rows:
                    groups.append(group)
                    n_rows += rows
        return found

    def _pieces(self, i, groups, before, n_rows, width):
        """Return the parts of some row groups of a file. before : rows of the file before these."""
        file = self.entry.files[i]
        firsts = np.cumsum([0] + [file.n_rows[group] for group in groups])
        held_out = [
            first + self._held_out_rows.get((i, group), np.empty(0, np.int64))
            for first, group in zip(firsts, groups, strict=False)
        ]
        held_out = np.concatenate(held_out)
        edges = np.linspace(0, n_rows, -(-n_rows * width // MOST_BYTES) + 1).astype(int).tolist()
        return [
            EntryPart(
                f"{Path(file.path).name}, rows {before + start + 1:,} to {before + stop:,}", file.path, tuple(groups),
                start, stop, n_rows,
                held_out[slice(*np.searchsorted(held_out, [start, stop]))] - start, self._recipe,
            )
            for start, stop in zip(edges[:-1], edges[1:], strict=True)
        ]  # fmt: skip
