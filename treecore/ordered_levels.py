"""Ordered categorical columns: a single feature contains the index of the level.

The feature name lists the levels, such as ``size (ordered: small < medium < large)``.
"""

from collections.abc import Sequence

from treecore.errors import DataError
from treecore.messages import literal, literals

_OPENS, _BETWEEN, _ENDS = " (ordered: ", " < ", ")"


def ordered_name(column: str, levels: Sequence[str]) -> str:
    """Return the feature name of a column with these levels, in order.

    Raise DataError for unsupported levels.
    """
    name = f"{column}{_OPENS}{_BETWEEN.join(levels)}{_ENDS}"
    if levels_of(name) != tuple(levels):
        raise DataError(
            f"Column {column!r} has the ordered levels {literals(levels)[:200]}: expected at least two different "
            f"levels, none of which contains {literal(_BETWEEN)} or {literal(_OPENS)}. Rename the levels, or "
            "remove the order with Categorical.as_unordered."
        )
    return name


def levels_of(feature_name: str) -> tuple[str, ...]:
    """Return the levels in a feature name, in order, or none if the feature is not ordered."""
    _, opens, rest = feature_name.rpartition(_OPENS)
    levels = tuple(rest.removesuffix(_ENDS).split(_BETWEEN))
    return levels if opens and rest.endswith(_ENDS) and len(set(levels)) == len(levels) > 1 else ()


def without_levels(feature_name: str) -> str:
    """Return the column name of an ordered feature."""
    return feature_name.rpartition(_OPENS)[0] if levels_of(feature_name) else feature_name
