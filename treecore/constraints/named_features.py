"""Constraints by column name for features whose names are known, but whose table is not."""

from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from treecore.column_groups import column_groups
from treecore.constraints.column_values import check_costs, check_sets, check_signs, costs_of, sets_of, signs_of
from treecore.constraints.constraints import sets_of_features
from treecore.ordered_levels import without_levels

CHECKS = {"feature_costs": check_costs, "monotonic_cst": check_signs, "interaction_cst": check_sets}


def of_named_features(parameters: Mapping[str, Any], feature_names: Sequence[str]) -> dict[str, Any]:
    """Return the parameters with constraints as lists for the features, instead of by column name.

    feature_names : names of the features, such as ``colour = red`` for a category. Raise ParameterError for values that
    do not match them.
    """
    chosen = {name: value for name, value in parameters.items() if name in CHECKS and value is not None}
    if not chosen:
        return dict(parameters)
    categories = {group.start: group for group in column_groups(feature_names)}
    groups, place = [], 0
    while place < len(feature_names):
        groups.append(categories.get(place, range(place, place + 1)))
        place = groups[-1].stop
    names = [
        feature_names[group.start].rpartition(" = ")[0]
        if len(group) > 1
        else without_levels(feature_names[group.start])
        for group in groups
    ]
    columns: Any = (len(groups), names)
    encoder: Any = SimpleNamespace(columns=[names if len(group) > 1 else None for group in groups], groups=groups)
    sizes = [len(group) for group in groups]
    for name, value in chosen.items():
        CHECKS[name](value, name)
        if name == "feature_costs":
            chosen[name] = np.repeat(costs_of(value, columns), sizes).tolist()
        elif name == "monotonic_cst":
            chosen[name] = np.repeat(signs_of(value, columns, encoder), sizes).tolist()
        elif not isinstance(value, str) or categories:
            table = sets_of_features(*sets_of(value, columns), groups)
            chosen[name] = [np.flatnonzero(row).tolist() for row in table]
    return dict(parameters) | chosen
