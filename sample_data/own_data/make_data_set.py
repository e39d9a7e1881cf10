"""`make_data_set`: a table and a recipe become a `DataSet`."""

from dataclasses import replace

import numpy as np
import pandas

from sample_data.data_set import DataSet
from sample_data.own_data.classes import class_codes, quantities
from sample_data.own_data.limits import MAX_FEATURE_BYTES
from sample_data.own_data.natural_order import natural_key
from sample_data.own_data.recipe import Recipe
from sample_data.own_data.split import split_codes
from sample_data.own_data.table import Table
from treecore.errors import DataError
from treecore.table_columns import TableColumn, TableColumns, category_text

_CHUNK = 50_000  # rows that are encoded at a time: their float64 copy stays small


def make_data_set(table: Table, recipe: Recipe) -> DataSet:
    """Return the data set: features in the smallest dtype that holds them exactly, NaN for missing values.

    Its `columns` make the same features of any other table; `split` is None for a stratified split, which
    `sample_data.split_rows` draws from the recipe's seed. The name is `own-` and the first 12 digits of the
    fingerprint. Raises DataError where the recipe does not fit the table.
    """
    frame = table.frame
    features = _checked(frame, recipe)
    classes = class_codes(frame[recipe.target], recipe)
    notes = list(classes.notes)
    keep = classes.codes >= 0
    keep &= _in_a_part(frame, recipe, keep, notes)
    keep &= _first_of_its_kind(frame, recipe, features, keep, notes)
    rows = np.flatnonzero(keep)
    codes, names = _used(classes.codes[rows], classes.names)
    if len(names) < 2:
        raise DataError(f"Only {len(rows):,} rows of {len(names)} class are left; a tree needs at least two classes.")
    columns = _columns(frame, recipe, features, rows, notes)
    X = _encoded(frame, columns, rows)
    split, more = split_codes(frame, recipe, rows)
    data_set = DataSet(
        name="own",
        title=recipe.title or table.name,
        X=X,
        y=codes,
        feature_names=columns.feature_names(),
        class_names=names,
        description=_description(table, recipe, columns, X, [*notes, *more]),
        source=f"Your file {table.name}",
        licence="yours",
        split=split,
        columns=columns,
    )
    return replace(data_set, name=f"own-{data_set.fingerprint[:12]}")


def _checked(frame, recipe) -> list[str]:
    """Return the columns that become features, in the order of the table."""
    names = set(frame.columns)
    wanted = {recipe.target, *recipe.kinds} | ({recipe.split_column} if recipe.split_column else set())
    absent = sorted(wanted - names)
    if absent:
        raise DataError(f"The table has no column {absent[0][:60]!r}; the recipe was made for another file.")
    features = set(recipe.features())
    if not features:
        raise DataError("All columns are ignored; at least one must be a feature.")
    return [name for name in frame.columns if name in features]


def _in_a_part(frame, recipe, keep, notes):
    """Rows whose value of the splitting column belongs to a part."""
    if recipe.split != "column":
        return np.ones(len(frame), bool)
    known = recipe.split_values or {}
    parted, uniques = frame[recipe.split_column].factorize(use_na_sentinel=True)
    has_part = np.array([*(category_text(value) in known for value in uniques), False])[parted]
    n_lost = int((keep & ~has_part).sum())
    if n_lost:
        notes.append(f"{n_lost:,} rows left out, whose {recipe.split_column!r} belongs to no part")
    return has_part


def _first_of_its_kind(frame, recipe, features, keep, notes):
    if not recipe.drop_duplicates:
        return np.ones(len(frame), bool)
    used = [*features, recipe.target] + ([recipe.split_column] if recipe.split == "column" else [])
    again = np.zeros(len(frame), bool)
    again[np.flatnonzero(keep)] = frame.loc[keep, list(dict.fromkeys(used))].duplicated().to_numpy()
    if again.any():
        notes.append(f"{int(again.sum()):,} rows left out that repeat another one")
    return ~again


def _used(codes, names):
    """Return (codes, names) without classes that have no row left."""
    counts = np.bincount(codes, minlength=len(names))
    return (np.cumsum(counts > 0) - 1)[codes], [name for name, count in zip(names, counts, strict=True) if count]


def _columns(frame, recipe, features, rows, notes) -> TableColumns:
    columns, empty = [], []
    for name in features:
        values, kind = frame[name], recipe.kinds[name]
        if kind == "category":
            categories, n_all = _categories(values, rows, recipe.most_categories)
            if not categories:
                empty.append(name)
                continue
            if n_all > max(len(categories), 2):
                notes.append(f"{name!r}: the {len(categories)} most frequent of {n_all:,} values are features")
            columns.append(TableColumn(name, kind, tuple(categories)))
            continue
        if kind == "date" and isinstance(values.dtype, np.dtype) and values.dtype.kind != "M":
            raise DataError(f"Column {name!r} holds numbers, which are no dates; take it as a number.")
        n_lost, n_left = _lost(values, kind, rows)
        if n_lost:
            notes.append(f"{name!r}: {n_lost:,} values are no {kind} and count as missing")
        if n_left:
            columns.append(TableColumn(name, kind))
        else:
            empty.append(name)
    if empty:
        notes.append(f"without a value in the rows in use, left out: {', '.join(repr(name) for name in empty[:8])}")
    if not columns:
        raise DataError("No column that is in use holds a value.")
    return TableColumns(tuple(columns))


def _categories(values, rows, most) -> tuple[list[str], int]:
    """Return (the most frequent values in the order of the table's values, number of values).

    Of two values one is enough: a 0/1 feature tells them apart.
    """
    codes, uniques = values.factorize(use_na_sentinel=True)
    codes = codes[rows]
    counts = np.bincount(codes[codes >= 0], minlength=len(uniques))
    frequency = {}
    for value, count in zip(uniques, counts, strict=True):
        if count:
            text = category_text(value)
            frequency[text] = frequency.get(text, 0) + int(count)
    ordered = sorted(frequency, key=lambda text: (-frequency[text], natural_key(text)))
    chosen = sorted(ordered[:most], key=natural_key)
    return (chosen[1:] if len(ordered) == 2 and len(chosen) == 2 else chosen), len(ordered)


def _lost(values, kind, rows) -> tuple[int, int]:
    """Return (values that are there but none of the kind, values of the kind)."""
    present = values.notna().to_numpy()[rows]
    if isinstance(values.dtype, np.dtype) and values.dtype.kind in "uif":
        finite = np.isfinite(values.to_numpy()[rows])
    elif kind == "number":
        finite = ~np.isnan(quantities(values)[rows])
    else:
        finite = pandas.to_datetime(values.iloc[rows], errors="coerce", utc=True, format="mixed").notna().to_numpy()
    return int((present & ~finite).sum()), int(finite.sum())


def _encoded(frame, columns: TableColumns, rows):
    """Return the features of the rows in the smallest dtype that holds them all exactly; read-only."""
    names = [column.name for column in columns.columns]
    kind = np.result_type(*(_dtype(frame[column.name], column.kind) for column in columns.columns))
    n_features = len(columns.feature_names())
    n_bytes = len(rows) * n_features * kind.itemsize
    if n_bytes > MAX_FEATURE_BYTES:
        raise DataError(
            f"{len(rows):,} rows of {n_features:,} features need {n_bytes / 1e9:.1f} GB; at most "
            f"{MAX_FEATURE_BYTES / 1e9:.0f} GB are used. Ignore columns, or keep fewer values of categories."
        )
    X = np.empty((len(rows), n_features), kind)
    part = frame[names]
    for start in range(0, len(rows), _CHUNK):
        chunk = rows[start : start + _CHUNK]
        X[start : start + len(chunk)] = columns.encode(part.iloc[chunk]).X
    X.flags.writeable = False
    return X


def _dtype(values, kind):
    """Return the smallest dtype that holds the features of a column; 0/1 features with missing ones are float32."""
    if kind == "category":
        return np.dtype(np.float32 if values.isna().any() else np.uint8)
    if kind == "date":
        return np.dtype(np.float64)
    if isinstance(values.dtype, np.dtype) and values.dtype.kind in "uif":
        return values.dtype
    return np.dtype(np.float64)


def _description(table, recipe, columns, X, notes) -> str:
    words = [f"{len(X):,} of the {table.n_rows:,} rows of {table.name}."]
    unused = [name for name in table.frame.columns if name not in {c.name for c in columns.columns} | {recipe.target}]
    if table.notes:
        words.append("Read with " + "; ".join(table.notes) + ".")
    words.append(f"Classes are the values of {recipe.target!r}.")
    if unused:
        shown = ", ".join(repr(name[:60]) for name in unused[:8])
        words.append(f"Not used: {shown}" + (f" and {len(unused) - 8} more." if len(unused) > 8 else "."))
    words += [f"{note[0].upper()}{note[1:]}." for note in notes]
    return " ".join(words)
