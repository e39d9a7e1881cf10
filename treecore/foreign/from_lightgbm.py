"""Conversion of LightGBM trees from the text format, without the package."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from treecore.errors import TreeFormatError
from treecore.first_number import first_number
from treecore.foreign.file_content import file_content
from treecore.foreign.file_damage import report_damage
from treecore.foreign.foreign_columns import ForeignColumns, set_bits
from treecore.foreign.foreign_model import ForeignModel
from treecore.foreign.foreign_nodes import ForeignNodes
from treecore.foreign.margins import sigmoid, two_classes
from treecore.foreign.messages import MESSAGES
from treecore.tree.tree import Tree

_SAME = ("regression", "regression_l1", "huber", "fair", "quantile", "mape")
_EXPONENTS = ("poisson", "gamma", "tweedie")
VERSIONS = ("v2", "v3", "v4")
_ZERO = float(np.float32(1e-35))  # largest absolute value that LightGBM treats as zero
_NONE, _ZEROS = 0, 1  # codes for how a split treats missing values; any other code is NaN


def from_lightgbm(model: Any, tree: int = 0) -> Tree:
    """Convert one tree of a LightGBM model.

    Every row reaches the same leaf as in LightGBM, including rows with zeros and missing values. The leaf numbers of
    LightGBM (``pred_leaf``) are ``tree.origin[tree.apply(X)] - tree.n_decision``, and its numbers of decision nodes are
    `origin`. Each category of a categorical column is a 0/1 feature (`foreign_model(model).features` encodes rows). If
    a model has a single tree, the converted tree predicts the same as the model. Otherwise, a tree is a regression tree
    that predicts margins. The model sums the margins and, for classification, converts the sum to
    probabilities.

    Parameters
    ----------
    model : LGBMClassifier, LGBMRegressor, Booster, path, bytes or str
        The model, or its file saved by ``save_model``.
    tree : int, default=0
        Number of the tree.

    Returns
    -------
    Tree
        The converted tree.

    Raises
    ------
    ParameterError
        If `model` is not a LightGBM model.
    TreeFormatError
        If the file is damaged or has another format, if leaves are linear, or if a split treats zeros as missing and
        sends them to another side than its threshold does.

    See Also
    --------
    from_xgboost : Converts a tree of XGBoost.

    Examples
    --------
    >>> import lightgbm
    >>> from sklearn.datasets import load_iris
    >>> from treecore import from_lightgbm
    >>> X, y = load_iris(return_X_y=True)
    >>> data = lightgbm.Dataset(X, y == 2)
    >>> model = lightgbm.train({"objective": "binary", "num_leaves": 4, "verbose": -1, "num_threads": 1}, data, 1)
    >>> from_lightgbm(model).n_leaves
    4
    """
    return lightgbm_model(model).tree(tree)


def lightgbm_model(model: Any) -> ForeignModel:
    """Return the `ForeignModel` of a model or file that `from_lightgbm` supports."""
    classes = getattr(model, "classes_", None)
    booster = model.booster_ if hasattr(model, "booster_") else model
    source = booster.model_to_string() if hasattr(booster, "model_to_string") else booster
    content = file_content(source, MESSAGES("lightgbm.accepted"))
    try:
        text = content.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise TreeFormatError(MESSAGES("lightgbm.not_text")) from None
    if not text.startswith("tree\n"):
        raise TreeFormatError(MESSAGES("lightgbm.not_a_model"))
    with report_damage(MESSAGES("lightgbm.file")):
        return _model(text, classes)


def _model(text, classes):
    body, _, rest = text.partition("\nend of trees")
    head, *blocks = body.split("\nTree=")
    facts = _facts(head)
    if facts.get("version", VERSIONS[-1]) not in VERSIONS:
        raise TreeFormatError(MESSAGES("lightgbm.version", version=facts["version"], versions=VERSIONS))
    trees = [_facts(block) for block in blocks]
    if not trees:
        raise TreeFormatError(MESSAGES("no_tree"))
    n_columns = int(facts["max_feature_idx"]) + 1
    names = facts["feature_names"].split(" ")
    if len(names) != n_columns:
        raise TreeFormatError(MESSAGES("names_of_features", n_names=len(names), n_features=n_columns))
    columns = ForeignColumns(n_columns, tuple(names), *_categories(facts, trees, rest))
    objective, *details = facts.get("objective", "none").split(" ")
    n_trees, alone = len(trees), None
    known = objective == "binary" or (objective in (*_SAME, *_EXPONENTS) and "sqrt" not in details)
    if n_trees > 1:
        name = "lightgbm.averages" if "average_output" in head.split("\n") else "adds_up"
        alone = MESSAGES(name, model="model", n_trees=n_trees)
    elif not known:
        alone = MESSAGES("other_objective", objective=objective)
    slope = next((float(word.partition(":")[2]) for word in details if word.startswith("sigmoid:")), 1.0)

    def make(number):
        nodes, leaves = _nodes(trees[number], columns)
        if alone:
            return nodes.regression(leaves)
        if objective == "binary":
            return two_classes(nodes, sigmoid(slope * leaves), [0, 1] if classes is None else classes)
        return nodes.regression(np.exp(leaves) if objective in _EXPONENTS else leaves)

    return ForeignModel("LightGBM", n_trees, columns, alone, make)


def _facts(block):
    """Return the lines of a block as {name: text}."""
    lines = (line.partition("=") for line in block.split("\n"))
    return {name: value for name, sign, value in lines if sign}


def _nodes(record, columns):
    """Return the ForeignNodes (decision nodes in order, then leaves) and the leaf values, float64[m]."""
    if record.get("is_linear", "0") != "0":
        raise TreeFormatError(MESSAGES("lightgbm.linear_leaves"))
    n_leaves = int(record["num_leaves"])
    n = n_leaves - 1
    size = n + n_leaves
    if n_leaves < 1:
        raise TreeFormatError(MESSAGES("lightgbm.no_leaf"))
    leaves = _numbers(record, "leaf_value", n_leaves)
    counts = _numbers(record, "leaf_count", n_leaves) if n and "leaf_count" in record else np.ones(n_leaves)
    kinds = _numbers(record, "decision_type", n).astype(np.int64)
    features = _numbers(record, "split_feature", n).astype(np.int64)
    limits = _numbers(
        record, "threshold", n, infinite=True
    )  # infinite thresholds separate missing values from all other values
    if n and not (features.min() >= 0 and features.max() < columns.n_columns):
        raise TreeFormatError(MESSAGES("lightgbm.unknown_feature"))
    is_set, default_left, missing = (kinds & 1).astype(bool), (kinds & 2).astype(bool), kinds >> 2 & 3
    sets = _sets(record, limits, np.flatnonzero(is_set), features, columns)
    zeros_missing = ~is_set & (missing == _ZEROS)
    against = zeros_missing & np.where(default_left, limits < -_ZERO, limits > _ZERO)
    if against.any():
        node = int(np.argmax(against))
        raise TreeFormatError(MESSAGES("lightgbm.zero_as_missing", node=node, threshold=limits[node]))
    missing_right = np.where(is_set, True, np.where(missing == _NONE, limits < 0, ~default_left))

    def goes_right(x):
        is_zero = np.abs(x) <= _ZERO  # LightGBM does not store such values
        return np.where(is_zero & zeros_missing, ~default_left, np.where(is_zero, 0.0, x) > limits)

    def filled(values, others):
        return np.concatenate([values, np.full(n_leaves, others)])

    children = [_numbers(record, name, n).astype(np.int64) for name in ("left_child", "right_child")]
    left, right = (np.where(child >= 0, child, n + ~child) for child in children)
    internal = _numbers(record, "internal_count", n) if n and "internal_count" in record else np.ones(n)
    weights = np.concatenate([internal, counts])
    nodes = ForeignNodes(
        left=filled(left, -1),
        right=filled(right, -1),
        features=filled(np.array(columns.first)[features], 0),
        first=filled(first_number(goes_right, n), 0.0),
        missing_right=filled(missing_right, False).astype(bool),
        weights=np.where(weights > 0, weights, 1.0),
        ids=np.arange(size),
        n_features=columns.first[-1],
        feature_names=columns.feature_names,
        n_samples=weights,
        sets=sets,
        sets_right=False,
    )
    return nodes, np.concatenate([np.zeros(n), leaves])


def _numbers(record, name, n, infinite=False):
    """Return the numbers of a line, float64[n]. infinite : whether infinity is valid."""
    if n == 0:
        return np.zeros(0)
    found = np.array([float(word) for word in record[name].split()])
    if found.size != n or not (np.isfinite(found) | (infinite & np.isinf(found))).all():
        raise TreeFormatError(MESSAGES("lightgbm.short_array", name=name, n=n))
    return found


def _sets(record, limits, nodes, features, columns):
    """Return the features of the categories that go left, {node: int[s]}."""
    if not nodes.size:
        return {}
    bounds, words = (np.array(record[name].split(), np.int64) for name in ("cat_boundaries", "cat_threshold"))
    found = {}
    for node in nodes.tolist():
        place = int(limits[node])
        codes = set_bits(words[bounds[place] : bounds[place + 1]])
        found[node] = columns.set_features(int(features[node]), codes)
    return found


def _categories(facts, trees, rest):
    """Return `codes` and `categories` for `ForeignColumns`."""
    seen = {}
    for column, info in enumerate(facts.get("feature_infos", "").split(" ")):
        if info != "none" and not info.startswith("["):
            seen[column] = {int(code) for code in info.split(":") if int(code) >= 0}
    line = next((line for line in rest.split("\n") if line.startswith("pandas_categorical:")), "")
    called = json.loads(line.partition(":")[2] or "null") if line else None
    order = _categorical_columns(rest, sorted(seen))
    categories = {}
    if called and len(called) == len(order):
        categories = {column: tuple(names) for column, names in zip(order, called, strict=True)}
    codes = {
        column: tuple(range(len(categories[column]))) if column in categories else tuple(sorted(values))
        for column, values in seen.items()
    }
    return codes, {column: names for column, names in categories.items() if column in codes}


def _categorical_columns(rest, seen):
    """Return the columns that are declared categorical or, without a declaration, those with categorical splits."""
    for line in rest.split("\n"):
        if line.startswith("[categorical_feature:"):
            listed = line.partition(":")[2].strip(" ]")
            if listed and all(word.strip().isdigit() for word in listed.split(",")):
                return sorted(int(word) for word in listed.split(","))
    return seen
