"""Position the rows of a categorical split in its plot, and find the side whose rows go right."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from treecore.tree.category_columns import Cases, Category
from treecore.tree.condition_text import visible
from treecore.tree.conditions import Interval
from treecore.tree.data_set_like import DataSetLike
from treecore.tree.date_text import column_name
from viz.nodes.category_columns import only_other

OTHERS = "others"
_UNIT = {"low": 0.0, "high": 1.0, "first": 0.0, "last": 1.0}  # ends of an axis that has no numbers


def category_fields(
    condition: Category | Cases, split: tuple, data: DataSetLike, used: np.ndarray, rows: np.ndarray, ends: Callable
) -> dict:
    """Return the fields of `CategoryContent` from `columns` to `high`, without `n_weights`.

    condition : condition of the split
    split : (features, weights, bias)
    used : int64[u], ascending, all features in the plot
    rows : int[k], the displayed rows
    ends : function that returns the `Ends` of the axis of a feature, as numbers
    """
    features, weights, bias = split
    weight_of = dict(zip(features.tolist(), weights.tolist(), strict=True))
    if isinstance(condition, Category):
        first = _same_column(data, used, features[0])
        names, places = _by_category(data, used, first, rows)
        sides = [bool(bias + weight_of.get(j, 0.0) >= 0) for j in first] + [bool(bias >= 0)]
        order = np.argsort(sides[: len(names)], kind="stable")  # the categories of a side are together
        places = np.where(places < 0, -1, np.argsort(order)[places])
        names = tuple(names[place] for place in order)
        found = {
            "columns": (condition.name,),
            "sides": tuple(sides[place] for place in order),
            "axis": None,
            "values": np.zeros(rows.size),
        }
        return found | {"names": names, "places": places, "others": (), **_UNIT}
    first, (j, *_) = list(condition.features), [j for j in features.tolist() if j not in condition.features]
    names, places = _by_category(data, used, first, rows)
    second = str(data.feature_names[j])
    if any(isinstance(part, Category) for part in condition.parts):
        features = _same_column(data, used, j)
        others, values = _by_category(data, used, features, rows)
        of_others = [weight_of.get(feature, 0.0) for feature in features] + [0.0]
        sums = [bias + weight_of[feature] for feature in first] + [bias]
        sides = tuple(
            _side(part, tuple(bool(total + own >= 0) for own in of_others[: len(others)]))
            for part, total in zip(condition.parts, sums, strict=True)
        )
        found = {"columns": (condition.name, _column(second)), "axis": None, "others": others, **_UNIT}
        return found | {"names": names, "places": places, "sides": sides[: len(names)],
                        "values": np.where(values < 0, np.nan, values)}  # fmt: skip
    sides = tuple(_side(part) for part in condition.parts)
    bounds = [side[0] for side in sides if isinstance(side, tuple)]
    low, high, first_value, last_value = ends(j)
    return {
        "columns": (condition.name, column_name(second)), "names": names,
        "places": places, "sides": sides[: len(names)],
        "axis": second, "values": data.X[rows, j].astype(np.float64), "others": (),
        "low": min([low, *bounds]), "high": max([high, *bounds]),
        "first": min([first_value, *bounds]), "last": max([last_value, *bounds]),
    }  # fmt: skip


def _side(part, of_others=()):
    if part is None:
        return True
    if isinstance(part, Interval):
        return (part.low, True) if np.isfinite(part.low) else (part.high, False)
    return of_others if isinstance(part, Category) else False


def _column(name):
    return visible(name.rpartition(" = ")[0])


def _same_column(data, used, feature):
    """Return the features in the plot that belong to the same column as `feature`."""
    column = str(data.feature_names[feature]).rpartition(" = ")[0]
    return [j for j in used.tolist() if str(data.feature_names[j]).rpartition(" = ")[0] == column]


def _by_category(data, used, features, rows):
    """Return (names of the categories, int64[rows] with the index of each row's category, -1 if missing)."""
    X = data.X[np.ix_(rows, features)]
    places = np.where((X == 1).any(axis=1), (X == 1).argmax(axis=1), len(features))
    places[np.isnan(X[:, 0].astype(np.float64))] = -1
    names = tuple(visible(str(data.feature_names[j]).rpartition(" = ")[2]) for j in features)
    if not (places == len(features)).any():
        return names, places
    same = _same_column(data, used, features[0])
    return (*names, (only_other(data, same) if len(same) == len(features) else None) or OTHERS), places
