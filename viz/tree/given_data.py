"""Convert the arguments of a figure (a tree or fitted model, a data set or table) to a tree and a data set."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import scipy.sparse

from treecore.errors import DataError, ParameterError
from treecore.foreign.fitted_tree import FittedTree, fitted_tree
from treecore.messages import literal
from treecore.parameter_checks import wrong_labels
from treecore.tree.routing import check_rows
from treecore.tree.tree import Tree
from viz.tree.bare_data import BareData


class GivenData(NamedTuple):
    """Tree or path with its data.

    path_or_tree : Tree or path
    data : DataSet, or None
    rows : (training, validation, test) row numbers, or None
    """

    path_or_tree: Any
    data: Any
    rows: Any


def given_data(model: Any, data: Any = None, y: Any = None, rows: Any = None) -> GivenData:
    """Return the `GivenData` of a tree, a path, or a model that `fitted_tree` accepts.

    Raise ParameterError for unsupported models or data, and DataError for rows that do not fit the tree.

    data : DataSet, None, or a table X (DataFrame or array) as the model accepts it
    y : [n], labels of a table as text or numbers
    rows : (training, validation, test) row numbers. With a DataSet, they may also be passed in the position of y.
    """
    found = None if _is_path(model) else fitted_tree(model)
    path_or_tree = model if found is None else found.tree
    if data is None:
        if y is not None:
            raise ParameterError("y was passed without its rows. Pass X and y.")
        return GivenData(path_or_tree, None, rows)
    if hasattr(data, "class_names") and not hasattr(data, "iloc"):
        if y is not None and rows is not None:
            raise ParameterError("A data set contains its own y. Remove y.")
        _check_order(path_or_tree if isinstance(path_or_tree, Tree) else path_or_tree[0].tree, data)
        return GivenData(path_or_tree, data, y if rows is None else rows)
    found = fitted_tree(model[0].tree) if found is None else found
    if y is None:
        raise ParameterError(
            f"data={type(data).__name__}: expected a DataSet (sample_data.load returns one), or a table X with its y."
        )
    return GivenData(path_or_tree, _table(found, data, y), rows)


def _check_order(tree, data):
    """Raise DataError if the features of a data set are those of the tree in another order."""
    names, own = tree.feature_names, getattr(data, "feature_names", None)
    if names is not None and own is not None and tuple(own) != names and sorted(own) == sorted(names):
        at = next(i for i, name in enumerate(names) if own[i] != name)
        raise DataError(
            f"Feature {at} of the tree is {names[at]!r}, but that of the data set is {literal(own[at])}. Pass "
            "the features in the order of the tree."
        )


def _is_path(model):
    """Return whether the model is a path, that is, a sequence of objects with a `tree`."""
    sized = hasattr(model, "__len__") and hasattr(model, "__getitem__")
    if (
        not sized
        or hasattr(model, "fit")
        or isinstance(model, str | bytes | dict | np.ndarray)
        or hasattr(model, "iloc")
    ):
        return False
    return all(isinstance(getattr(point, "tree", None), Tree) for point in model)


def _table(found: FittedTree, X, y):
    tree = found.tree
    X = check_rows(found.features(X), tree.n_features, tree.missing_right is not None)
    X = X.toarray() if scipy.sparse.issparse(X) else X
    name = getattr(y, "name", None)  # of a Series
    y = np.asarray(y)
    y = y[:, 0] if y.ndim == 2 and y.shape[1] == 1 else y
    if y.shape != (len(X),):
        raise DataError(wrong_labels(y.shape, len(X)))
    features = tuple(tree.feature_name(feature) for feature in range(tree.n_features))
    classes = tuple(str(label) for label in tree.classes.tolist())
    if not tree.target.values_are_groups:
        try:
            y = y.astype(np.float64)
        except (TypeError, ValueError) as error:
            raise DataError(f"The tree predicts numbers, but y contains other values: {error}.") from None
        if not np.isfinite(y).all():
            raise DataError("y contains NaN or infinity. Remove these rows.")
    else:
        codes = tree.target.values_of(tree, y)
        new_labels = sorted({str(label) for label in y[codes == len(classes)].tolist()})
        place = {label: len(classes) + code for code, label in enumerate(new_labels)}
        unknown = np.flatnonzero(codes == len(classes))
        codes[unknown] = [place[str(label)] for label in y[unknown].tolist()]
        y, classes = codes, (*classes, *new_labels)
    return BareData(X, y, features, classes, "data", target_name=name if isinstance(name, str) else "")
