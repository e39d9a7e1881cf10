"""Count the rows, classes and features of a user data set before it is made."""

from typing import NamedTuple

import numpy as np

from sample_data import TEST, TRAIN, VALIDATION, DataSet, split_rows
from sample_data.user_data.grouping import group_text
from sample_data.user_data.plan import Plan, plan
from sample_data.user_data.recipe import Recipe
from sample_data.user_data.table import Table

SHARES = (0.2, 0.2)  # shares of validation and test rows in a stratified split, as in `sample_data.splits`


class Counts(NamedTuple):
    """Counts of a data set: rows by part and by group of the target, left-out rows, and features.

    grouped : for each column with a group of rare values, the name of the group; levels : for each ordered column, its
    levels from low to high.
    """

    train: int
    validation: int
    test: int
    left_out: int
    groups: dict[str, int]
    n_features: int
    grouped: dict[str, str]
    levels: dict[str, tuple[str, ...]]


def counts(table: Table, recipe: Recipe) -> Counts:
    """Return the `Counts` of a table and a recipe. Raises DataError if no data set can be made from them."""
    planned = plan(table, recipe)
    n_rows = len(planned.rows)
    if planned.dependence.groups is not None:
        parts = dict(enumerate(map(len, _by_group(planned))))
    elif planned.split is None:
        validation, test = (int(share * n_rows + 0.5) for share in SHARES)
        parts = {TRAIN: n_rows - validation - test, VALIDATION: validation, TEST: test}
    else:
        parts = dict(enumerate(np.bincount(planned.split, minlength=3).tolist()))
    groups = planned.target.groups
    sizes = np.bincount(planned.target.group_of(planned.y), minlength=len(groups)).tolist()
    of_groups = dict(zip(groups, sizes, strict=True))
    n_features = len(planned.columns.feature_names())
    grouped = {name: group_text(grouping) for name, grouping in planned.groupings.items()}
    levels = {column.name: column.categories for column in planned.columns.columns if column.kind == "ordered"}
    left_out = table.n_rows - n_rows
    return Counts(parts[TRAIN], parts[VALIDATION], parts[TEST], left_out, of_groups, n_features, grouped, levels)


def _by_group(planned: Plan) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the training, validation and test rows for seed 0."""
    empty = np.zeros((len(planned.rows), 1), np.uint8)
    names = planned.target.groups
    codes = planned.target.group_of(planned.y)
    train, validation, test = split_rows(
        DataSet("rows", "", empty, codes, ("row",), names, groups=planned.dependence.groups), 0
    )
    return train, test, validation  # order of TRAIN, TEST and VALIDATION
