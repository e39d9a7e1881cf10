"""Determine the rows, classes, features and split of a data set before computing the features."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas

from sample_data.data_set import TEST, TRAIN, VALIDATION, DataSet
from sample_data.splits import split_rows
from sample_data.user_data.added_columns import difference_column, with_added_columns
from sample_data.user_data.classes import class_codes, quantities, target_numbers
from sample_data.user_data.grouping import Grouping, group
from sample_data.user_data.known_orders import column_levels
from sample_data.user_data.limits import MAX_FEATURE_BYTES
from sample_data.user_data.recipe import Recipe
from sample_data.user_data.remove_markers import remove_markers
from sample_data.user_data.table import Table
from treecore.data.dependence import Dependence
from treecore.errors import DataError
from treecore.messages import counted, listed, plural
from treecore.parameter_checks import LARGEST
from treecore.tables.table_columns import TableColumn, TableColumns, category_text
from treecore.tables.table_dates import days, order_of
from treecore.tree.classes import Classes
from treecore.tree.quantity import Quantity
from treecore.tree.target import Target

_VALIDATION_SHARE = 0.2  # share of the training rows, used if the recipe defines no validation rows
_CODES = {"train": TRAIN, "validation": VALIDATION, "test": TEST}


def split_codes(
    frame: pandas.DataFrame, recipe: Recipe, rows: np.ndarray, classes: np.ndarray
) -> tuple[np.ndarray | None, list[str]]:
    """Return (int8[k] codes of `rows`, notes), or None for splits that are drawn later: stratified or by group.

    classes : int64[k], class of each row. A random split has exactly the shares of the recipe. A split by column
    follows `split_values`. A split by time uses the oldest rows for training and the newest for testing. Rows with the
    same time stay together, and rows without a time are training rows. If there are no validation rows, 20 % of the
    training rows become validation rows: the newest in a split by time, else stratified random rows. Raises DataError
    if there are no training rows.
    """
    if recipe.split in ("stratified", "group"):
        return None, []
    if recipe.split == "random":
        codes = np.empty(len(rows), np.int8)
        codes[np.random.default_rng(recipe.seed).permutation(len(rows))] = _in_order(len(rows), recipe.shares)
        notes = []
    elif recipe.split == "column":
        codes, notes = _by_value(frame[recipe.split_column], recipe, rows), []
    else:
        codes, notes = _by_time(frame[recipe.split_column], recipe, rows)
    counts = np.bincount(codes, minlength=3)
    if not counts[TRAIN]:
        raise DataError(
            f"The split by {recipe.split_column or recipe.split} leaves no training rows. Change the split."
        )
    if not counts[VALIDATION]:
        are_newest = _draw_validation(codes, frame, recipe, rows, classes)
        n_drawn, n_train = int((codes == VALIDATION).sum()), counts[TRAIN]
        if n_drawn and are_newest:
            notes.append(
                f"the newest {counted(n_drawn, 'row')} of the {n_train:,} training rows used for validation, "
                "because the recipe assigns no validation rows"
            )
        elif n_drawn:
            notes.append(
                f"{counted(n_drawn, 'row')} of the {n_train:,} training rows used for validation (drawn within "
                "classes), because the recipe assigns no validation rows"
            )
        counts = np.bincount(codes, minlength=3)
    train, validation, test = counts[TRAIN], counts[VALIDATION], counts[TEST]
    column = recipe.split_column
    parts = {
        "random": f"{train:,} training, {validation:,} validation and {test:,} test rows, drawn at random",
        "column": f"{train:,} training, {validation:,} validation and {test:,} test rows, by {column!r}",
        "time": f"{train:,} training, {validation:,} validation and {test:,} test rows, in the order of {column!r}",
    }[recipe.split]
    return codes, [parts, *notes]


def dependent_rows(
    frame: pandas.DataFrame, recipe: Recipe, rows: np.ndarray, y: np.ndarray, target: Target
) -> tuple[Dependence, list[str]]:
    """Return (groups or times of `rows`, notes), both empty for other splits.

    y : [k], target of each row. Raises DataError if no part of the groups can be the test set.
    """
    if recipe.split == "time":
        return Dependence(times=quantities(frame[recipe.split_column])[rows]), []
    if recipe.split != "group":
        return Dependence(), []
    groups = (
        frame[recipe.group_columns()].iloc[rows].groupby(recipe.group_columns(), sort=False, observed=True).ngroup()
    )
    found, n_groups = Dependence(groups.to_numpy(np.int64)), int(groups.max()) + 1
    name = " and ".join(recipe.group_columns()[::-1])
    if not found.held_out(target.group_of(y), target.strata(y), _VALIDATION_SHARE, recipe.seed).size:
        raise DataError(
            f"{name!r} has {counted(n_groups, 'value')} in {counted(len(rows), 'row')}. No group can be used for "
            "testing, because each class needs a training group. Split the rows at random, or by another column."
        )
    return found, [f"rows with the same {name!r} ({counted(n_groups, 'group')}) always in the same set"]


def _draw_validation(codes, frame, recipe, rows, classes) -> bool:
    """Mark training rows for validation in `codes`, and return whether they are the newest rows."""
    if recipe.split == "time":
        times = quantities(frame[recipe.split_column])[rows]
        present = np.sort(times[(codes == TRAIN) & ~np.isnan(times)])
        # The last row before the newest 20 %. Only rows with later times are for validation, so that rows with the same
        # time stay together.
        last = present[: max(len(present) - round(_VALIDATION_SHARE * len(present)), 1)][-1:]
        newest = (codes == TRAIN) & (times > (last[0] if last.size else np.inf))
        if newest.any():
            codes[newest] = VALIDATION
            return True
    # Draw the rows that training would draw from this split with the recipe's seed.
    drawn = DataSet("split", "", np.zeros((len(rows), 1), np.uint8), classes, ("row",), _names(classes), split=codes)
    codes[split_rows(drawn, recipe.seed, _VALIDATION_SHARE)[1]] = VALIDATION
    return False


def _names(classes):
    return tuple(str(k) for k in range(int(classes.max()) + 1))


def _in_order(n_rows, shares):
    """Return int8[n_rows]: first the training, then the validation, then the test rows.

    At least one row is for training.
    """
    ends = np.round(np.cumsum(shares) * n_rows).astype(np.int64)
    first, second = max(int(ends[0]), 1), max(int(ends[1]), 1)
    codes = np.full(n_rows, TEST, np.int8)
    codes[:second] = VALIDATION
    codes[:first] = TRAIN
    return codes


def _by_value(values, recipe, rows):
    codes, uniques = values.factorize(use_na_sentinel=True)
    known = recipe.split_values or {}
    parts = [_CODES[known[category_text(value)]] if category_text(value) in known else TRAIN for value in uniques]
    return np.array([*parts, TRAIN], np.int8)[codes[rows]]


def _by_time(values, recipe, rows):
    times = quantities(values)[rows]
    is_missing = np.isnan(times)
    if is_missing.all():
        raise DataError(
            f"{recipe.split_column!r} cannot order the rows by time, because it contains neither dates nor "
            "numbers. Choose another column."
        )
    present = np.sort(times[~is_missing])
    planned = _in_order(len(present), recipe.shares)
    codes = np.full(len(rows), TRAIN, np.int8)
    for part in (VALIDATION, TEST):
        first = np.flatnonzero(planned == part)
        if first.size:
            # Rows with the same time stay together, in the earlier part.
            start = present[first[0]]
            begins = times > start if first[0] and present[first[0] - 1] == start else times >= start
            codes[begins] = part
    words = f"{counted(int(is_missing.sum()), 'row')} without {recipe.split_column!r} used for training"
    return codes, [words] if is_missing.any() else []


_FACTOR = np.uint64(0x9E3779B97F4A7C15)


def row_hashes(frame: pandas.DataFrame, columns: list[str]) -> np.ndarray:
    """Return uint64[n]. Two different rows have the same hash with a probability of 2**-64."""
    hashes = np.zeros(len(frame), np.uint64)
    for name in columns:
        hashes *= _FACTOR
        hashes ^= pandas.util.hash_pandas_object(frame[name], index=False).to_numpy()
        hashes ^= hashes >> np.uint64(29)
    return hashes


@dataclass(frozen=True, eq=False)
class Plan:
    """Content of a data set before it is made.

    Parameters
    ----------
    rows : ndarray of int64, shape (k,)
        Row numbers of the kept rows of the table.
    y : ndarray, shape (k,)
        Target of each row; `target` describes these values.
    columns : TableColumns
        Columns that become features. Their `dtype` represents all values exactly.
    split : ndarray of int8, shape (k,), optional
        Split of the rows.
    dependence : Dependence
        Groups int64[k] or times float64[k] of the rows, if the split uses them.
    notes : tuple of str
        Notes on excluded rows and columns.
    table : Table
        The table, with the recipe's texts for missing values removed.
    groupings : dict of str to Grouping
        Columns with combined rare values.
    """

    rows: np.ndarray
    y: np.ndarray
    target: Target
    columns: TableColumns
    dtype: np.dtype
    split: np.ndarray | None
    notes: tuple[str, ...]
    table: Table
    groupings: dict[str, Grouping]
    dependence: Dependence = Dependence()


def plan(table: Table, recipe: Recipe) -> Plan:
    """Return the plan of a data set. Raises DataError if the recipe does not fit the table."""
    recipe = recipe.for_columns(table.frame.columns)
    _check_columns(table.frame, recipe)
    table = with_added_columns(remove_markers(table, recipe), recipe)
    frame, used = table.frame, set(recipe.features())
    features = [name for name in frame.columns if name in used]
    if recipe.numbers:
        values, notes = target_numbers(frame[recipe.target], recipe)
        keep = ~np.isnan(values)
    else:
        classes = class_codes(frame[recipe.target], recipe)
        values, notes = classes.codes, list(classes.notes)
        keep = values >= 0
    used.add(recipe.target)
    kept = {name: texts for name, texts in recipe.values.items() if name in used and name in table.marks}
    notes += [
        f"{listed(texts)} {plural(len(texts), 'is a value', 'are values')} of '{name:.60}'"
        for name, texts in kept.items()
    ]
    keep &= _in_a_part(frame, recipe, keep, notes)
    keep &= _in_a_group(frame, recipe, keep, notes)
    keep &= _first_of_its_kind(frame, recipe, features, keep, notes)
    rows = np.flatnonzero(keep)
    if recipe.numbers:
        y = values[rows]
        if not len(y) or y.min() == y.max():
            raise DataError(
                f"Only {counted(len(rows), 'row')} would be left, without two different numbers to predict."
            )
        target: Target = Quantity.of(y, name=recipe.target)
    else:
        y, names = _drop_empty_classes(values[rows], classes.names)
        if len(names) < 2:
            raise DataError(
                f"Only {counted(len(rows), 'row')} from {counted(len(names), 'class')} would be left, but a tree "
                "needs at least two classes."
            )
        target = Classes(tuple(names))
    columns, groupings = _columns(table, recipe, features, rows, notes)
    dtype = np.result_type(*(_dtype(frame[column.name], column.kind) for column in columns.columns))
    _check_bytes(len(rows), len(columns.feature_names()), dtype)
    split, more = split_codes(frame, recipe, rows, target.group_of(y))
    dependence, parts = dependent_rows(frame, recipe, rows, y, target)
    return Plan(rows, y, target, columns, dtype, split, (*notes, *more, *parts), table, groupings, dependence)


def _check_columns(frame, recipe):
    """Raise DataError if the table lacks a column, or if no column becomes a feature."""
    required = {recipe.target, *recipe.kinds, *recipe.missing, recipe.row_names, recipe.split_column}
    required = {*required, *recipe.group_columns()} - {None, ""}
    absent = sorted(recipe.sources(required) - set(frame.columns))
    if absent:
        raise DataError(f"The table has no column {absent[0][:60]!r}, so the recipe belongs to another file.")
    if not recipe.features():
        raise DataError("All columns are ignored. Use at least one as a feature.")


def _in_a_part(frame, recipe, keep, notes):
    """Keep only rows whose value in the split column belongs to a part of the split."""
    if recipe.split != "column":
        return np.ones(len(frame), bool)
    known = recipe.split_values or {}
    parted, uniques = frame[recipe.split_column].factorize(use_na_sentinel=True)
    has_part = np.array([*(category_text(value) in known for value in uniques), False])[parted]
    n_lost = int((keep & ~has_part).sum())
    if n_lost:
        notes.append(
            f"{counted(n_lost, 'row')} excluded, because {recipe.split_column!r} assigns "
            f"{plural(n_lost, 'it', 'them')} to no set"
        )
    return has_part


def _in_a_group(frame, recipe, keep, notes):
    """Keep only rows with a value in the group column."""
    if recipe.split != "group":
        return np.ones(len(frame), bool)
    has_group = frame[recipe.group_columns()].notna().all(axis=1).to_numpy()
    n_lost = int((keep & ~has_group).sum())
    if n_lost:
        notes.append(f"{counted(n_lost, 'row')} without {recipe.split_column!r} excluded")
    return has_group


def _first_of_its_kind(frame, recipe, features, keep, notes):
    if not recipe.drop_duplicates:
        return np.ones(len(frame), bool)
    used = [*features, recipe.target, *recipe.group_columns()]
    used += [recipe.split_column] if recipe.split == "column" else []
    used = list(dict.fromkeys(used))
    hashes = pandas.Series(row_hashes(frame, used))
    # Equal rows have equal hashes, so only these few rows are compared value by value.
    alike = np.flatnonzero(keep & hashes.duplicated(keep=False).to_numpy())
    again = np.zeros(len(frame), bool)
    again[alike] = frame[used].iloc[alike].duplicated().to_numpy()
    if again.any():
        notes.append(f"{counted(int(again.sum()), 'duplicate row')} excluded")
    return ~again


def _drop_empty_classes(codes, names):
    """Return (codes, names) without classes that have no rows."""
    counts = np.bincount(codes, minlength=len(names))
    return (np.cumsum(counts > 0) - 1)[codes], [name for name, count in zip(names, counts, strict=True) if count]


def _columns(table, recipe, features, rows, notes) -> tuple[TableColumns, dict[str, Grouping]]:
    frame, columns, empty, groupings = table.frame, [], [], {}
    for name in features:
        values, kind, label = frame[name], recipe.kinds[name], recipe.label_columns.get(name)
        markers = recipe.missing.get(label[0] if label else name, ())
        spellings = tuple(recipe.variants.get(name, {}).items()) if kind in ("category", "ordered") else ()
        if spellings:
            notes.append(f"{name!r}: {counted(len(spellings), 'spelling')} of other values combined with them")
        if kind == "category":
            found = group(values.iloc[rows], recipe.most_categories, recipe.group_below.get(name, 0))
            categories, others = found.kept, found.others
            if not categories:
                empty.append(name)
                continue
            if found.name:
                groupings[name] = found
                notes.append(f"{name!r}: {counted(found.n_rows, 'row')} with rare values grouped as {found.name!r}")
                categories = (*categories, found.name)
            elif len(others) > 1 or len(categories) > 1 and others:
                n_all = len(categories) + len(others)
                notes.append(f"{name!r}: the {len(categories)} most frequent of {n_all:,} values become features")
            of_rare = bool(found.name)
            columns.append(
                TableColumn(name, kind, categories, others, None, markers, of_rare, spellings=spellings, label=label)
            )
            continue
        if kind == "ordered":
            levels = recipe.levels.get(name) or column_levels(values)
            texts = values.iloc[rows].dropna().map(category_text)
            n_lost = int((~texts.isin(levels)).sum())
            if n_lost == len(texts):
                empty.append(name)
                continue
            if n_lost:
                notes.append(f"{name!r}: {counted(n_lost, 'value')} outside the levels treated as missing")
            columns.append(TableColumn(name, kind, levels, missing=markers, spellings=spellings, label=label))
            continue
        if kind == "date" and isinstance(values.dtype, np.dtype) and values.dtype.kind != "M":
            raise DataError(f"Column {name!r} contains numbers, not dates. Use this column as a number.")
        order = _day_first(table, name, rows) if kind == "date" else None
        n_lost, n_left = _count_lost(values, kind, rows, order)
        if n_lost:
            notes.append(f"{name!r}: {counted(n_lost, 'value')} not read as a {kind}, treated as missing")
        if n_left:
            parts, own = recipe.differences.get(name), TableColumn(name, kind, day_first=order, missing=markers)
            columns.append(difference_column(table, recipe, name, parts) if parts else own)
        else:
            empty.append(name)
    if empty:
        notes.append(
            f"columns without values in the rows used, excluded: {', '.join(repr(name) for name in empty[:8])}"
        )
    if not columns:
        raise DataError("None of the columns in use has a value.")
    return TableColumns(tuple(columns)), groupings


def _day_first(table, name, rows):
    """Test whether the dates of a column have the day first, or return None for other columns."""
    return table.day_first.get(name, order_of(table.frame[name].iloc[rows])[0])


def _count_lost(values, kind, rows, day_first) -> tuple[int, int]:
    """Return (number of values that do not fit the kind, number of values that do)."""
    present = values.notna().to_numpy()[rows]
    if isinstance(values.dtype, np.dtype) and values.dtype.kind in "uif":
        finite = np.abs(values.to_numpy()[rows]) <= LARGEST
    elif kind == "number":
        finite = ~np.isnan(quantities(values)[rows])
    else:
        finite = ~np.isnan(days(values.iloc[rows], day_first))
    return int((present & ~finite).sum()), int(finite.sum())


def _check_bytes(n_rows, n_features, dtype):
    n_bytes = n_rows * n_features * dtype.itemsize
    if n_bytes > MAX_FEATURE_BYTES:
        raise DataError(
            f"{n_rows:,} rows with {n_features:,} features need {n_bytes / 1000000000.0:.1f} GB (maximum "
            f"{MAX_FEATURE_BYTES / 1000000000.0:.0f} GB). Ignore columns, or keep fewer categories."
        )


def _dtype(values, kind):
    """Return the smallest dtype for the features of a column; 0/1 features with missing values are float32."""
    if kind == "category":
        return np.dtype(np.float32 if values.isna().any() else np.uint8)
    if kind == "ordered":
        return np.dtype(np.float32)
    if kind == "date":
        return np.dtype(np.float64)
    if isinstance(values.dtype, np.dtype) and values.dtype.kind in "uif":
        return values.dtype
    return np.dtype(np.float64)
