"""Finish a table with steps that need whole columns: units in names, dates written as numbers, check boxes."""

import re

import numpy as np
import pandas

from sample_data.user_data.limits import MAX_NAME_LENGTH
from sample_data.user_data.readers.text_column import column_of_texts
from treecore.messages import counted, plural
from treecore.tables.marked_numbers import PARENTHESES, TRAILING
from treecore.tables.table_columns import BLANK, category_text
from treecore.tables.table_dates import compact_dates

_LEAST_ROWS, _LEAST_SHARE = (10, 0.05)  # minimum number of rows, and minimum share of rows with (or without) a value
_TOTAL = re.compile(
    r"((grand|sub|over ?all)[ -]?)?total(e|es|s|en)?( general)?|(gesamt)?summe|sum|insgesamt|gesamt|totaal|suma|soma|"
    r"somme|(gesamt)?(durchschnitt|mittelwert)|mean|average|moyenne|promedio|media|ensemble",
    re.IGNORECASE,
)
_TOTAL_IN = re.compile(rf"({_TOTAL.pattern})([ :–-].*)?|.*[ :–-]({_TOTAL.pattern})", re.IGNORECASE)
_LONGEST_TOTAL = 60  # characters
_MOST_TOTALS = 0.5  # largest share of rows of totals within a table
_LEAST_SUMS, _LEAST_SUM = 0.8, 10  # smallest share of rows with such a word that are sums, and smallest single sum
_ROUNDED = 0.51  # largest error of a rounded number in units of its last digit, here of 1
_MOST_FOOTNOTES = 20  # maximum number of rows
_LEAST_DATES = 3  # minimum number of different dates


def finish_table(
    frame: pandas.DataFrame, units: dict[str, str], notes: list[str], totals: str = "last"
) -> tuple[pandas.DataFrame, np.ndarray]:
    """Return (a table with final columns, int64[n] places of its rows in `frame`), and add the changes to `notes`.

    Names of numeric columns get their unit, numbers such as 20240115 become dates, and empty check boxes become
    "(blank)". units : {column: unit or ""}; totals : rows of totals that are left out, "all", "last" (and footnotes) or
    "none".
    """
    kept = np.arange(len(frame))
    if totals != "none":
        frame = _without_totals(_without_footnotes(frame, units, notes), units, notes)
    kept = kept[: len(frame)]
    if totals == "all" and (places := _subtotals(frame)):
        labels = {name: word for name, values in frame.iloc[places].items() for word in values if _is_called(word)}
        notes.append(
            f"{counted(len(places), 'row')} of totals left out, such as '{next(iter(labels.values())).strip():.40}' "
            f"(to keep {plural(len(places), 'it', 'them')}, set Footer lines to 0)"
        )
        kept = np.delete(kept, places)
        frame = _some_rows(frame, kept, labels, units, notes)
    frame = _with_dates(frame, notes)
    frame = _with_check_boxes(frame, notes)
    names = {name: _with_unit(name, unit, frame.columns) for name, unit in units.items() if unit}
    return frame.rename(columns=names), kept


def _without_totals(frame, units, notes):
    """Leave out a last row of totals: the only row with such a word, and without a value in another column."""
    if len(frame) < _LEAST_ROWS or frame.shape[1] < 2:
        return frame
    last = frame.iloc[-1]
    for name in frame.columns:
        if not isinstance(last[name], str) or not _TOTAL.fullmatch(last[name].strip()):
            continue
        if not last.isna().any() or (frame[name].iloc[:-1] == last[name]).any():
            continue
        notes.append(f"last row {last[name].strip()!r} left out (to keep it, set Footer lines to 0)")
        return _some_rows(frame, np.arange(len(frame) - 1), [name], units, notes)
    return frame


def _is_called(cell):
    return isinstance(cell, str) and len(cell) <= _LONGEST_TOTAL and _TOTAL_IN.fullmatch(cell.strip()) is not None


def _subtotals(frame):
    """Return the places of rows of totals: their word means a total, and their numbers are sums of rows above."""
    if len(frame) < _LEAST_ROWS:
        return []
    called = np.zeros(len(frame), bool)
    for values in (own for _, own in frame.items() if isinstance(own.dtype, pandas.CategoricalDtype)):
        called |= np.array([*map(_is_called, values.cat.categories), False])[values.cat.codes.to_numpy()]
    numbers = [values.to_numpy(np.float64) for _, values in frame.items()
               if isinstance(values.dtype, np.dtype) and values.dtype.kind in "uif"]  # fmt: skip
    if not 0 < called.sum() <= _MOST_TOTALS * len(frame) or not numbers:
        return []
    rows = np.stack(numbers, axis=1)
    ends = [-1, *np.flatnonzero(called).tolist()]
    places = []
    for before, place in zip(ends[:-1], ends[1:], strict=True):
        blocks = [rows[before + 1 : place], rows[:place][~called[:place]], rows[np.array(places, int)]]
        if any(_is_total(rows[place], block) for block in blocks):
            places.append(place)
    return places if len(places) >= _LEAST_SUMS * called.sum() else []


def _is_total(row, block):
    """Test whether most numbers of a row are the sums of at least two rows.

    A single sum must be far above the numbers of the rows, so that small counts are not sums by chance.
    """
    if len(block) < 2:
        return False
    has_value = ~np.isnan(row) & ~np.isnan(block).all(axis=0) & (np.nanmax(np.abs(block), axis=0, initial=0) > 0)
    if not has_value.any():
        return False
    row, block = row[has_value], block[:, has_value]
    error = _ROUNDED * len(block) + 1e-6 * np.abs(row)
    are_sums = np.abs(np.nansum(block, axis=0) - row) <= np.minimum(error, 0.01 * np.abs(row))
    is_large = np.abs(row) > np.maximum(_LEAST_SUM, 1.2 * np.nanmax(np.abs(block), axis=0))
    return bool(2 * are_sums.sum() > len(row) and (are_sums.sum() > 1 or (are_sums & is_large).any()))


def _without_footnotes(frame, units, notes):
    """Leave out last rows that contain nothing but a sentence in one column."""
    places = []
    while len(frame) - len(places) > _LEAST_ROWS and frame.shape[1] > 2 and len(places) < _MOST_FOOTNOTES:
        row = frame.iloc[-1 - len(places)].dropna()
        if len(row) != 1 or not isinstance(row.iloc[0], str) or len(row.iloc[0].split()) < 2:
            break
        places.append(row.index[0])
    usual = frame.iloc[: len(frame) - len(places)].notna().sum(axis=1).median() if places else 0
    if usual <= 2:
        return frame
    text = str(frame[places[-1]].iloc[-len(places)]).strip()
    notes.append(
        f"{counted(len(places), 'row')} below the table left out, such as '{text:.40}' (to keep "
        f"{plural(len(places), 'it', 'them')}, set Footer lines to 0)"
    )
    return _some_rows(frame, np.arange(len(frame) - len(places)), set(places), units, notes)


def _some_rows(frame, rows, names, units, notes):
    """Return some rows, with columns that may now be numbers or dates read again."""
    frame = frame.iloc[rows].reset_index(drop=True)
    for name in names:
        texts = [None if value is None or value != value else str(value) for value in frame[name].tolist()]
        found = column_of_texts(str(name), texts)
        frame[name], units[name] = found.values, found.unit or units.get(name, "")
        notes += found.notes
    return frame


def _with_unit(name, unit, names):
    longer = f"{name} ({unit})"
    is_told = unit in (PARENTHESES, TRAILING) or unit in name
    return name if is_told or longer in names or len(longer) > MAX_NAME_LENGTH else longer


def _with_dates(frame, notes):
    found = {}
    for name, values in frame.items():
        if isinstance(values.dtype, np.dtype) and values.dtype.kind in "if":
            dates = compact_dates(values.to_numpy())
            if dates is not None and len(np.unique(dates[~np.isnat(dates)])) >= _LEAST_DATES:
                found[name] = dates
    notes += [f"dates of '{name:.60}' read as year, month and day, such as 20240115" for name in found]
    return frame.assign(**found) if found else frame


def _with_check_boxes(frame, notes):
    """Convert columns with one value or none, such as "Corn" or 1, to columns with two values."""
    found = [str(name) for name, values in frame.items() if _is_check_box(values)]
    if not found:
        return frame
    shown = ", ".join(f"'{name[:40]}'" for name in found[:4]) + (f" and {len(found) - 4} more" if found[4:] else "")
    notes.append(f"empty cells of {shown} read as the value {BLANK}")
    return frame.assign(**{name: _fill_blanks(frame[name]) for name in found})


def _is_check_box(values):
    if isinstance(values.dtype, pandas.CategoricalDtype):
        has_one_answer = len(values.dtype.categories) == 1
    else:
        has_one_answer = values.dtype.kind == "f" and _are_ones(values.to_numpy())
    return has_one_answer and len(values) >= _LEAST_ROWS and _is_in_between(float(values.notna().mean()))


def _are_ones(numbers):
    return bool((np.isnan(numbers) | (numbers == 1)).all())


def _is_in_between(share):
    return _LEAST_SHARE <= share <= 1 - _LEAST_SHARE


def _fill_blanks(values):
    if not isinstance(values.dtype, pandas.CategoricalDtype):
        codes = np.where(values.isna(), -1, 0)
        words = pandas.Index([category_text(values.dropna().iloc[0])], dtype="str")
        values = pandas.Series(pandas.Categorical.from_codes(codes, words), values.index)
    return values.cat.add_categories([BLANK]).fillna(BLANK)
