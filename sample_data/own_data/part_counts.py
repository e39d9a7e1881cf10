"""`part_counts`: how many rows train, validate and test, before a data set is made."""

from typing import NamedTuple

import numpy as np

from sample_data.data_set import TEST, TRAIN, VALIDATION
from sample_data.own_data.classes import class_codes
from sample_data.own_data.recipe import Recipe
from sample_data.own_data.split import split_codes
from sample_data.own_data.table import Table
from treecore.table_columns import category_text


class PartCounts(NamedTuple):
    """Rows of each part and of each class, and how many are left out; rows that repeat others are counted."""

    train: int
    validation: int
    test: int
    left_out: int
    classes: dict[str, int]


def part_counts(table: Table, recipe: Recipe) -> PartCounts:
    """Return the counts for a recipe. Raises DataError where the target or the split does not fit."""
    classes = class_codes(table.frame[recipe.target], recipe)
    rows = np.flatnonzero((classes.codes >= 0) & _in_a_part(table.frame, recipe))
    codes, _ = split_codes(table.frame, recipe, rows)
    if codes is None:
        validation, test = (int(share * len(rows) + 0.5) for share in recipe.shares[1:])
        counts = {TRAIN: len(rows) - validation - test, VALIDATION: validation, TEST: test}
    else:
        counts = dict(enumerate(np.bincount(codes, minlength=3).tolist()))
    of_classes = np.bincount(classes.codes[rows], minlength=len(classes.names)).tolist()
    return PartCounts(
        counts[TRAIN], counts[VALIDATION], counts[TEST], table.n_rows - len(rows),
        dict(zip(classes.names, of_classes, strict=True)),
    )  # fmt: skip


def _in_a_part(frame, recipe):
    if recipe.split != "column":
        return np.ones(len(frame), bool)
    known = recipe.split_values or {}
    codes, uniques = frame[recipe.split_column].factorize(use_na_sentinel=True)
    return np.array([*(category_text(value) in known for value in uniques), False])[codes]
