"""Make a `DataSet` from a table and a recipe."""

from dataclasses import replace

import numpy as np

from sample_data.data_set import DataSet
from sample_data.user_data.plan import Plan, plan
from sample_data.user_data.recipe import Recipe
from sample_data.user_data.table import Table
from treecore.messages import literal
from treecore.tables.table_columns import marker_text

_LONGEST_NAME = 80  # characters
_CHUNK = 50_000  # number of rows encoded at a time, so that their float64 copy stays small


def make_data_set(table: Table, recipe: Recipe) -> DataSet:
    """Return the data set, with NaN for missing values and the smallest dtype that represents all features exactly.

    The `columns` of the data set make the same features from any other table. `split` is None for a stratified split,
    which `sample_data.split_rows` draws with the recipe's seed. The name consists of `own-` and the first 12 digits of
    the fingerprint. Raises DataError if the recipe does not fit the table.
    """
    recipe = recipe.for_columns(table.frame.columns)
    planned = plan(table, recipe)
    data_set = DataSet(
        name="own",
        title=recipe.title or table.name,
        X=_encode(planned),
        y=planned.y,
        feature_names=planned.columns.feature_names(),
        class_names=() if recipe.numbers else recipe.labelled(planned.target.groups),
        description=_description(table, recipe, planned),
        source=f"Your file {table.name}",
        licence="yours",
        split=planned.split,
        columns=planned.columns,
        row_numbers=table.row_numbers[planned.rows],
        row_names=_names(table.frame, recipe, planned.rows),
        target_name=recipe.target,
        groups=planned.dependence.groups,
        times=planned.dependence.times,
        kept_apart_by=(" and ".join(recipe.group_columns()[::-1]) or recipe.split_column or "")
        if planned.dependence.is_known
        else "",
    )
    return replace(data_set, name=f"own-{data_set.fingerprint[:12]}")


def _encode(planned: Plan) -> np.ndarray:
    """Return the features of the rows as a read-only array, so that the data set need not copy it."""
    columns, rows = planned.columns, planned.rows
    X = np.empty((len(rows), len(columns.feature_names())), planned.dtype)
    part = planned.table.frame[columns.names()]
    for start in range(0, len(rows), _CHUNK):
        chunk = rows[start : start + _CHUNK]
        X[start : start + len(chunk)] = columns.encode(part.iloc[chunk]).X
    X.flags.writeable = False
    return X


def _names(frame, recipe, rows) -> tuple[str, ...] | None:
    """Return the shortened names of the rows, "" for rows without a name, or None without an ID column."""
    if recipe.row_names is None:
        return None
    values = frame[recipe.row_names].iloc[rows]
    codes, uniques = values.factorize(use_na_sentinel=True)
    texts = [" ".join(marker_text(value).split())[:_LONGEST_NAME] for value in uniques]
    return tuple(texts[code] if code >= 0 else "" for code in codes.tolist())


def _description(table, recipe, planned: Plan) -> str:
    words = [f"{len(planned.rows):,} of the {table.n_rows:,} rows of {table.name}."]
    used = {*planned.columns.names(), recipe.target, recipe.row_names, *recipe.group_columns()}
    unused = [name for name in table.frame.columns if name not in used]
    if table.notes:
        words.append("Read with " + "; ".join(table.notes) + ".")
    words.append(
        f"The target is the number {recipe.target!r}."
        if recipe.numbers
        else f"The {planned.target.nouns} are the values of {recipe.target!r}."
    )
    if recipe.row_names is not None:
        words.append(f"The ID column is {literal(recipe.row_names)}.")
    if unused:
        shown = ", ".join(repr(name[:60]) for name in unused[:8])
        words.append(f"Columns not used: {shown}" + (f" and {len(unused) - 8} more." if len(unused) > 8 else "."))
    words += [f"{note[0].upper()}{note[1:]}." for note in planned.notes]
    return " ".join(words)
