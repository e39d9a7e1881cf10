"""Derive the methods, rows and folds of a comparison from its settings."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.model_selection import StratifiedShuffleSplit

from pages.jobs.settings import ComparisonSettings
from sample_data.data_set import TEST, DataSet
from treecore.comparison.folds import Fold, inner_folds, outer_folds
from treecore.comparison.method import Method
from treecore.comparison.methods import METHODS, chosen_methods, methods_for
from treecore.comparison.one_parameter import PARAMETERS, has_parameter, variants
from treecore.tree.target import Target
from viz.nodes.category_columns import grouped_columns

TEST_SHARE = 0.2
SHOWN_FOLD = 0  # fold whose trees the page shows side by side


@dataclass(frozen=True, eq=False)
class Plan:
    """Methods, labels, target and `Fold`s of a comparison.

    cv, methods : arguments of `treecore.comparison.compare`; left_out : titles of chosen methods that do not support
    the target, missing values or the varied parameter.
    """

    methods: list[Method]
    y: np.ndarray
    target: Target
    cv: Any
    folds: list[Fold]
    left_out: tuple[str, ...]


def plan(chosen: ComparisonSettings, data: DataSet) -> Plan:
    """Return the `Plan` of a comparison on a DataSet. Raises TreecoreError for settings that cannot be compared."""
    target, possible = data.target, methods_for(data.target)
    if data.has_missing:
        possible = {name: method for name, method in possible.items() if method.takes_missing}
    names = [name for name in chosen.methods if name in possible]
    if chosen.over:
        names = [name for name in names if has_parameter(possible[name], chosen.over)] or PARAMETERS[
            chosen.over
        ].methods
    methods = chosen_methods(names or None, target)
    methods = [method.for_pixels() if data.image_shape else method for method in methods]
    if chosen.categories == "groups":
        methods = [method.with_categories(grouped_columns(data)) for method in methods]
    if chosen.over:
        methods = variants(methods, chosen.over)
    y, cv = data.labels(), chosen.repeats
    dependence = data.dependence
    if chosen.protocol == "splits" and dependence.groups is not None:
        cv = _group_splits(target, data, chosen)
    elif chosen.protocol == "splits" and not dependence.is_known:
        cv = StratifiedShuffleSplit(chosen.repeats, test_size=TEST_SHARE, random_state=chosen.seed)
    elif chosen.protocol == "published" and data.split is not None:
        cv = [(np.flatnonzero(data.split != TEST), np.flatnonzero(data.split == TEST))]
    folds = outer_folds(data.X, y, cv, chosen.seed, target, dependence)
    inner_folds(y, chosen.inner, chosen.seed, target, dependence)
    left_out = tuple(METHODS[name].title for name in chosen.methods if name not in (names if chosen.over else possible))
    return Plan(methods, y, target, cv, folds, left_out)


def _group_splits(target: Target, data: DataSet, chosen: ComparisonSettings) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return random splits of the groups as (training rows, test rows)."""
    every, strata = np.arange(data.n_rows), target.group_of(data.y)
    labels = target.strata(data.labels())
    parts = [
        data.dependence.held_out(strata, labels, TEST_SHARE, chosen.seed + place) for place in range(chosen.repeats)
    ]
    return [(np.setdiff1d(every, part), part) for part in parts]
