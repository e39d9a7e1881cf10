"""Predictions of a model for the rows of a table, with probability, decision path and notes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from treecore.errors import DataError
from treecore.messages import literals
from treecore.ordered_levels import without_levels
from treecore.statistics.declared import STATISTICS
from treecore.statistics.node_statistic import in_face
from treecore.tables.marked_numbers import renamed_columns
from treecore.tables.table_columns import TableColumn, TableColumns
from treecore.tree.feature_statistics import MARGIN_WORDS, feature_deviation, margin_units
from treecore.tree.text_tree import node_names

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, eq=False)
class TablePrediction:
    """Predictions for the n rows of a table, in order.

    Nodes are given by id (`Tree.origin`), and in tables by name. prediction : object[n], class or number, None if the
    tree makes no prediction; reason : object[n], reason for a missing prediction, else None; classes : list of the k
    classes, empty for regression; probability : float64[n], probability of the predicted class, and probabilities :
    float64[n, k], of all classes (NaN without a prediction, None for regression); leaf : int64[n], -1 without a
    prediction; path : object[n], node names on the decision path, such as "node 1 > leaf 2 of 3";
    margin : float64[n], smallest margin on the decision path in `margin_units`, >= 0 if the row goes right there, NaN
    if there is none; margin_node : int64[n], node of that margin, -1 if there is none; notes : tuple of str, notes on
    columns and categories; names : {id: name} of all nodes, see `node_names`; statistics : {name of a `NodeStatistic`:
    {id: value}}; order : places of the classes in the order of the training data, as in the columns of `to_frame`.
    """

    prediction: np.ndarray
    reason: np.ndarray
    classes: list
    probability: np.ndarray | None
    probabilities: np.ndarray | None
    leaf: np.ndarray
    path: np.ndarray
    margin: np.ndarray
    margin_node: np.ndarray
    notes: tuple
    names: dict
    statistics: Mapping[str, dict]
    order: tuple[int, ...] = ()

    @property
    def n_refused(self) -> int:
        """Number of rows without a prediction."""
        return int(np.count_nonzero(self.leaf < 0))

    def part(self, taken: np.ndarray) -> Self:
        """Return the predictions for some rows. taken : bool[n]."""
        of_rows = {name: value for name, value in vars(self).items() if isinstance(value, np.ndarray)}
        return replace(self, **{name: value[taken] for name, value in of_rows.items()})

    def of_leaves(self, values: dict) -> pandas.Series:
        """Return the value of each row's leaf as a pandas Series [n]. values : {id of a node: value}."""
        import pandas  # slow import

        return pandas.Series(self.leaf).map(values)

    def to_frame(self) -> pandas.DataFrame:
        """Return a pandas DataFrame with one row per row of the table, the prediction first, probabilities last."""
        import pandas  # slow import

        found = {column.name: column.values(self) for column in COLUMNS}
        columns = {name: values for name, values in found.items() if values is not None}
        if self.probabilities is not None:
            for code in self.order or range(len(self.classes)):
                columns[f"probability of {self.classes[code]}"] = self.probabilities[:, code]
        return pandas.DataFrame(columns)


class PredictionColumn(NamedTuple):
    """Column in a table of predictions.

    name, help : texts; values : function that returns the column [n] of a `TablePrediction`, or None if it has no such
    column; form : "percent", "deviations" or "".
    """

    name: str
    help: str
    values: Callable[[TablePrediction], Any]
    form: str = ""


def _of_statistic(statistic):
    return PredictionColumn(
        statistic.title("predict"),
        statistic.help,
        lambda found: found.of_leaves(found.statistics[statistic.name]) if statistic.name in found.statistics else None,
        "percent" if statistic.form in ("percent", "share") else "",
    )


COLUMNS = (  # followed by the columns of the table and the probabilities of all classes
    PredictionColumn("prediction", "Prediction of the leaf that the row reaches", lambda found: found.prediction),
    PredictionColumn(
        "probability", "Class share among the training rows of the leaf, or the probability from its linear model",
        lambda found: found.probability, "percent",
    ),
    PredictionColumn(
        "leaf", "Leaf number, from left to right as on the stage and in rules",
        lambda found: found.of_leaves(found.names),
    ),
    PredictionColumn("path", "Decision path: nodes from the root to the leaf", lambda found: found.path),
    PredictionColumn(
        "smallest margin", f"Smallest margin on the decision path. {MARGIN_WORDS}", lambda found: found.margin,
        "deviations",
    ),
    PredictionColumn(
        "at node", "Decision node with the smallest margin",
        lambda found: replace(found, leaf=found.margin_node).of_leaves(found.names),
    ),
    *(_of_statistic(one) for one in STATISTICS.values() if "predict" in one.faces),
    PredictionColumn(
        "why no prediction", "Missing value, and the node that needs it",
        lambda found: found.reason if found.n_refused else None,
    ),
)  # fmt: skip
FIRST = tuple(column.name for column in COLUMNS)


def beside(found: TablePrediction, frame: pandas.DataFrame) -> pandas.DataFrame:
    """Combine a TablePrediction and its table in a pandas DataFrame.

    The order is: prediction and decision path, columns of the table (renamed if names clash), class probabilities.
    """
    import pandas  # slow import

    table = found.to_frame()
    first = [name for name in table.columns if name in FIRST]
    names = []
    for name in map(str, frame.columns):
        while name in table.columns or name in names:
            name = f"{name} (table)"
        names.append(name)
    others = frame.set_axis(names, axis=1).reset_index(drop=True)
    return pandas.concat([table[first], others, table.drop(columns=first)], axis=1)


def predict_table(model: Any, frame: pandas.DataFrame, deviation: np.ndarray | None = None) -> TablePrediction:
    """Return the `TablePrediction` of a Model for the rows of a pandas DataFrame.

    deviation : float64[d], standard deviation of each feature of the tree, the unit of margins. None computes it from
    the model's sample of training rows or, without a sample, from the table.

    Columns are matched by name. If the model has no `columns`, they are the features of the tree, as numbers. If the
    features have no names, columns are matched by position. Only columns that the tree uses are required. If a split on
    the decision path needs a value that is missing or not a number, and the tree has not learnt its side, the row has
    no prediction, but a reason. An unknown category is not a missing value: it equals none of the known categories.
    Raise DataError if the table has no rows or none of the required columns.
    """
    if len(frame) == 0:
        raise DataError("The table has no rows to predict.")
    X, used, notes = _features(model, frame)
    tree = model.tree
    small = replace(
        tree,
        features=np.searchsorted(used, tree.features),
        n_features=max(used.size, 1),
        feature_names=None,
        feature_quantiles=None,
        leaf_model=tree.leaf_model.on_features(used),
        # Missing values cause no error here. Rows whose decision path needs a missing value are stopped below.
        missing_right=np.zeros(tree.n_nodes, np.bool_) if tree.missing_right is None else tree.missing_right,
    )
    leaf, names = small.apply(X).astype(np.int64), node_names(tree)
    if deviation is None:
        spread = feature_deviation(X if model.sample is None or not used.size else model.sample.X[:, used])
    else:
        spread = deviation[used]
    way = _Way(tree, small, X, leaf, used, margin_units(small, spread), names)
    stopped = way.stopped >= 0
    prediction, probability, probabilities = _answers(model, small, X, leaf)
    prediction[stopped] = None
    if probabilities is not None:
        probabilities[stopped], probability[stopped] = np.nan, np.nan
    path = _paths(tree, np.where(stopped, way.stopped, leaf), names)
    leaf = np.where(stopped, -1, tree.origin[leaf])
    return TablePrediction(
        prediction,
        way.reason,
        model.classes,
        probability,
        probabilities,
        leaf,
        path,
        way.margin,
        way.node,
        tuple(notes),
        dict(zip(tree.origin.tolist(), names, strict=True)),
        _statistics(tree),
        tuple(model.ordered_classes),
    )


def _statistics(tree):
    """Return the statistics shown for the leaf of a predicted row, {name: {id of a node: value}}."""
    quantities = {"training_rows": tree.n_samples, "all_training_rows": tree.n_samples[0], "depth": tree.depths}
    values = {one.name: one.values(quantities) for one in in_face(STATISTICS.values(), "predict", tree.target)}
    ids = tree.origin.tolist()
    return {
        name: dict(zip(ids, of_nodes.tolist(), strict=True))
        for name, of_nodes in values.items()
        if np.isfinite(of_nodes).any()
    }


def _answers(model, small, X, leaf):
    """Return the predictions, their probabilities (or None) and all class probabilities (or None).

    The shapes are object[n], float64[n] and float64[n, k]. small : the tree for the columns of X; leaf : int[n], leaf
    of each row. Stopped rows have arbitrary values.
    """
    target, classes = small.target, np.array(model.classes, object)
    predicted = small.leaf_model.predict(small, target, np.arange(classes.size), X, leaf)
    if not target.values_are_groups:
        return predicted.astype(object), None, None
    of_all = small.leaf_model.probabilities(small, X, leaf)
    return classes[predicted], of_all[np.arange(leaf.size), predicted], of_all


class _Way:
    """Smallest margin of each row, and the node that stops the row because of a missing value (-1: none)."""

    def __init__(self, tree, small, X, leaf, used, units, names):
        n = X.shape[0]
        self.margin, self.node = np.full(n, np.nan), np.full(n, -1, np.int64)
        self.stopped, self.reason = np.full(n, -1, np.int64), np.full(n, None, object)
        closest = np.full(n, np.inf)
        place, count = tree.leaf_ranges
        order = np.argsort(place[leaf], kind="stable")
        bounds = np.searchsorted(place[leaf][order], np.arange(tree.n_leaves + 1))
        for node in np.flatnonzero(tree.left >= 0).tolist():
            rows = order[bounds[place[node]] : bounds[place[node] + count[node]]]
            rows = rows[self.stopped[rows] < 0]  # parents precede their children
            features, weights, bias = small.split(node)
            with np.errstate(over="ignore", invalid="ignore"):
                margins = np.full(rows.size, bias)
                for feature, weight in zip(features, weights, strict=True):
                    margins += weight * X[rows, feature]
            unknown = np.isnan(margins)
            if tree.missing_right is None and unknown.any():
                self._stop(tree, node, rows[unknown], X[np.ix_(rows[unknown], features)], used[features], names[node])
            margins /= units[node]
            size = np.abs(margins)
            closer = size < closest[rows]  # False if the margin is NaN
            closest[rows[closer]] = size[closer]
            self.margin[rows[closer]] = margins[closer]
            self.node[rows[closer]] = tree.origin[node]
        for node in np.flatnonzero(tree.leaf_model.sizes(tree)).tolist():
            needed = tree.leaf_model.features_of(node)
            rows = order[bounds[place[node]] : bounds[place[node] + 1]]
            rows = rows[self.stopped[rows] < 0]
            values = X[np.ix_(rows, np.searchsorted(used, needed))]
            self._stop(tree, node, rows, values, needed, names[node])

    def _stop(self, tree, node, rows, values, features, name):
        """Stop rows with missing values. Rows whose margin is NaN because of overflow continue, as in the tree."""
        patterns, which = np.unique(np.isnan(values), axis=0, return_inverse=True)
        for code, pattern in enumerate(patterns):
            if pattern.any():
                these = rows[which.ravel() == code]
                lacking = [tree.feature_name(feature) for feature in features[pattern]]
                self.stopped[these] = node
                self.reason[these] = (
                    f"{name} needs {literals(lacking, 8)}, which is missing"
                    if len(lacking) == 1
                    else f"{name} needs {literals(lacking, 8)}, which are missing"
                )


def _paths(tree, ends, names):
    """Return the names of the nodes from the root to each of some nodes, object[n]."""
    ends, place = np.unique(ends, return_inverse=True)
    paths = np.empty(ends.size, object)
    for number, node in enumerate(ends.tolist()):
        way = []
        while node >= 0:
            way.append(names[node])
            node = int(tree.parents[node])
        paths[number] = " > ".join(reversed(way))
    return paths[place]


def _features(model, frame):
    """Return the used features of the rows, float64[n, used], their sorted numbers, and notes."""
    tree = model.tree
    used = tree.used_features
    if used.size == 0:
        return np.zeros((len(frame), 1)), used, ["The tree is a single leaf and uses no columns."]
    frame, notes = _named(model, frame)
    if model.columns is None:
        columns = tuple(TableColumn.of_feature(tree.feature_name(feature)) for feature in used.tolist())
        wanted = np.arange(used.size)
        others = [] if tree.feature_names is None else list(map(without_levels, tree.feature_names))
    else:
        groups = model.columns.groups()
        looked_at = set(used.tolist())
        kept = [i for i, group in enumerate(groups) if not looked_at.isdisjoint(group)]
        columns = tuple(model.columns.columns[i] for i in kept)
        features = np.concatenate([np.array(groups[i]) for i in kept])
        wanted = np.searchsorted(features, used)
        others = model.columns.names()
    needed = {name for column in columns for name in (column.name, *column.sources())}
    idle = set(others) - needed
    present = {str(name) for name in frame.columns}
    target = None if model.data is None else model.data.target
    frame = frame.loc[:, [str(name) not in idle and str(name) != target for name in frame.columns]]
    encoded = TableColumns(columns).encode(frame)
    absent = [name for name in others if name in idle and name not in present]
    if absent:
        notes.append(f"Columns not in the table, which the tree does not use: {literals(absent, 8)}.")
    return np.asfortranarray(encoded.X[:, wanted]), used, [*notes, *encoded.notes]


def _named(model, frame):
    """Rename the columns of the table to those of the model."""
    known = set(model.column_names)
    names = [str(name) for name in frame.columns]
    if renamed := renamed_columns(known, names):
        names = [renamed.get(name, name) for name in names]
        frame = frame.set_axis(names, axis=1)
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise DataError(f"The table has two columns named {twice!r:.60}. Rename one.")
    tree = model.tree
    if tree.feature_names is None and not known & set(names) and len(names) == tree.n_features:
        named = frame.set_axis([tree.feature_name(feature) for feature in range(tree.n_features)], axis=1)
        return named, ["The features of the tree have no names. The columns are used in their order."]
    # An apostrophe keeps spreadsheets from reading a name as a formula, see treecore/tables/text_tables.py.
    plain = [name[1:] if name not in known and name[:1] == "'" and name[1:] in known else name for name in names]
    return frame.set_axis(plain if len(set(plain)) == len(plain) else names, axis=1), []
