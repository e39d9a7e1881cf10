"""Read the constraints on features from settings, or from the parameters of a saved model."""

from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from treecore.constraints.constraints import Constraints, constraints_of_features
from treecore.constraints.named_features import CHECKS, of_named_features
from treecore.errors import ParameterError
from treecore.training.parameters import PARAMETERS


def constraint_values(parameters: Mapping[str, Any], feature_names: Sequence[str]) -> dict[str, Any]:
    """Return the constraints among training parameters as lists for the features, by name.

    A text is read as in a link. Lists are those of a saved model. Raise ParameterError for values that do not match the
    features.
    """
    given = {name: parameters[name] for name in CHECKS if parameters.get(name) is not None}
    texts = {name: PARAMETERS[name].kind.read(value) for name, value in given.items() if isinstance(value, str)}
    return given | of_named_features(texts, feature_names)


def tree_constraints(parameters: Mapping[str, Any], feature_names: Sequence[str]) -> Constraints:
    """Return the `Constraints` that a tree with these training parameters satisfies. Unreadable ones are left out."""
    values = SimpleNamespace(**{name: one.default for name, one in PARAMETERS.items()} | dict(parameters))
    known = {name: parameters.get(name) for name in CHECKS if PARAMETERS[name].is_effective(values)}
    most = parameters.get("max_leaf_nodes") if PARAMETERS["max_leaf_nodes"].is_effective(values) else None
    try:
        lists = constraint_values(known, feature_names)
        return constraints_of_features(lists, len(feature_names), most if isinstance(most, int) else None)
    except (ParameterError, TypeError, ValueError):  # a file may have values for other features
        return Constraints()


def monotone_signs(parameters: Mapping[str, Any], feature_names: Sequence[str]) -> np.ndarray | None:
    """Return the sign of each feature under a monotone constraint, int8[d], or None without such constraints."""
    monotone = tree_constraints(parameters, feature_names).monotone
    return None if monotone is None else monotone.signs
