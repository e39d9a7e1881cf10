"""Split rows into training, validation and test rows according to a recipe."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sample_data.data_set import TEST, TRAIN, VALIDATION, DataSet
from sample_data.splits import split_rows
from sample_data.user_data.classes import quantities
from sample_data.user_data.recipe import Recipe
from treecore.data.dependence import Dependence
from treecore.errors import DataError
from treecore.messages import counted
from treecore.tables.table_columns import category_text
from treecore.tree.target import Target

if TYPE_CHECKING:
    import pandas

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
