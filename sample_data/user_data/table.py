"""Define `Table`, the content of a file before the kinds of its columns are chosen."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas

from sample_data.user_data.limits import FREE_CELLS, LEAST_FILLED, MAX_CELLS, MAX_COLUMNS, MAX_NAME_LENGTH, MAX_ROWS
from treecore.errors import DataError
from treecore.messages import counted
from treecore.tree.number_text import percent


@dataclass(frozen=True)
class ReadingQuestion:
    """Ambiguity in the form of a file.

    Parameters
    ----------
    text : str
        Description of the ambiguity, and how the file was read.
    readings : tuple
        ((label, option of `read`, value), ...), the current reading first.
    """

    text: str
    readings: tuple[tuple[str, str, object], ...]


def header_question(first: Sequence[str], line: int, has_header: bool) -> ReadingQuestion:
    """Return the question of whether a line contains column names or a row of data."""
    shown = ", ".join(field[:20] for field in first[:6]) + (", …" if len(first) > 6 else "")
    readings = (("Column names", "header", True), ("Row of data", "header", False))
    text = (
        f"Line {line:,} ({shown}) is read as column names. It could also be a row of data."
        if has_header
        else f"Line {line:,} ({shown}) is read as a row of data. It could also be the column names."
    )
    return ReadingQuestion(text, readings[:: 1 if has_header else -1])


@dataclass(frozen=True, eq=False)
class Table:
    """Rows and columns of a file.

    Parameters
    ----------
    frame : pandas.DataFrame
        Columns with unique, non-empty names: numbers, dates (datetime64), categories or texts.
    name : str
        Name of the file for the user.
    format : str
        "CSV", "Excel", "Parquet", "Arrow" or "ARFF".
    notes : tuple of str, default=()
        Notes on how the file was read: "delimiter ;", "decimal comma", "encoding windows-1252".
    n_bytes : int, default=0
        Size of the file.
    day_first : dict of str to bool, default={}
        Whether the day comes first, for each column with dates such as 03/05/2020.
    first_row : int, default=1
        Number of the first row in the file, as in a spreadsheet, such as 2 below one line of names.
    gaps : tuple of int, default=()
        Numbers of the lines in the file that are not rows of the table (blank lines, comments), ascending.
    questions : tuple of ReadingQuestion, default=()
        Ambiguities of the file; `save_table` does not store them.
    marks : dict of str to Categorical, default={}
        For columns of categories, the texts of the cells that were read as missing, such as "NA".
    """

    frame: pandas.DataFrame
    name: str
    format: str
    notes: tuple[str, ...] = ()
    n_bytes: int = 0
    day_first: dict[str, bool] = field(default_factory=dict)
    first_row: int = 1
    gaps: tuple[int, ...] = ()
    questions: tuple[ReadingQuestion, ...] = ()
    marks: dict[str, pandas.Categorical] = field(default_factory=dict)

    @property
    def n_rows(self) -> int:
        return len(self.frame)

    @property
    def row_numbers(self) -> np.ndarray:
        """Return the number of each row in the file, int32[n_rows], ascending."""
        return row_numbers(self.first_row, self.gaps, self.n_rows)

    @property
    def n_columns(self) -> int:
        return self.frame.shape[1]


def row_numbers(first_row: int, gaps: Sequence[int], n_rows: int) -> np.ndarray:
    """Return the numbers of the first `n_rows` rows from `first_row` on, without the lines `gaps`, int32[n_rows]."""
    last = first_row + n_rows + len(gaps)
    return np.setdiff1d(np.arange(first_row, last), gaps, assume_unique=True)[:n_rows].astype(np.int32)


def cut_marks(
    marks: dict[str, pandas.Categorical | None], frame: pandas.DataFrame, kept: np.ndarray
) -> dict[str, pandas.Categorical]:
    """Return the marks of the columns of categories in a table with the rows `kept` of those that were read."""
    found = {name: own[kept] for name, own in marks.items() if own is not None and name in frame.columns}
    return {name: own for name, own in found.items() if isinstance(frame[name].dtype, pandas.CategoricalDtype)}


def check_size(name: str, n_rows: int, n_columns: int) -> None:
    """Raise DataError if a table is empty or too large."""
    if n_columns > MAX_COLUMNS:
        raise DataError(f"{name} has {n_columns:,} columns (maximum {MAX_COLUMNS:,}). Remove columns you do not need.")
    if n_rows > MAX_ROWS:
        raise DataError(f"{name} has {n_rows:,} rows (maximum {MAX_ROWS:,}). Upload a random sample of the rows.")
    if n_rows * n_columns > MAX_CELLS:
        raise DataError(
            f"{name} has {n_rows:,} rows and {n_columns:,} columns, more than {MAX_CELLS:,} values. Upload a "
            "random sample of the rows, or remove columns."
        )


def check_filled(name: str, n_rows: int, n_columns: int, n_values: int) -> None:
    """Raise DataError if nearly all cells of a large table are empty.

    A file of such a table can be small, but the table in memory and on the disk is not.
    """
    n_cells = n_rows * n_columns
    if n_cells > FREE_CELLS and n_values < LEAST_FILLED * n_cells:
        raise DataError(
            f"{name} has {n_rows:,} rows and {n_columns:,} columns, but only {n_values:,} values. A table with "
            f"more than {FREE_CELLS:,} cells needs a value in {percent(LEAST_FILLED, 0)} of them. Remove columns "
            "that are nearly empty. If absent values mean 0, save the file in svmlight format."
        )


def repair_names(names: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return (unique, non-empty names, notes on changed names)."""
    repaired, taken, empty, twice, long = [], set(), [], [], []
    last = {}  # last number given to each repeated name, so that thousands of equal names take linear time
    cleaned = [" ".join("".join(c if c.isprintable() else " " for c in str(name)).split()) for name in names]
    all_names = set(cleaned)
    for i, text in enumerate(cleaned):
        name = text
        if not name:
            name = f"column {i + 1}"
            while name in all_names or name in taken:
                name += "_"
            empty.append(name)
        if len(name) > MAX_NAME_LENGTH:
            name = name[: MAX_NAME_LENGTH - 3] + "..."
            long.append(name)
        if name in taken:
            stem, k = name, last.get(name, 1)
            while name in taken or name in all_names:
                k += 1
                name = f"{stem} ({k})"
            last[stem] = k
            twice.append(name)
        taken.add(name)
        repaired.append(name)
    notes = []
    if empty:
        notes.append(f"{_count(empty, 'empty header')} named {_some(empty)}")
    if twice:
        notes.append(f"{_count(twice, 'repeated header')} named {_some(twice)}")
    if long:
        notes.append(f"{counted(len(long), 'header')} of more than {MAX_NAME_LENGTH} characters shortened")
    return repaired, notes


def _count(items, what):
    return f"{len(items)} {what}{'' if len(items) == 1 else 's'}"


def _some(names):
    shown = ", ".join(f"'{name[:40]}'" for name in names[:4])
    return shown + (f" and {len(names) - 4} more" if len(names) > 4 else "")
