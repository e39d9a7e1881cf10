"""Conversion of LightGBM trees from the text format, without the package."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from treecore.errors import TreeFormatError
from treecore.first_number import first_number
from treecore.foreign.file_content import file_content
from treecore.foreign.file_damage import report_damage
from treecore.foreign.foreign_columns import ForeignColumns, codes_of_categories, set_bits
from treecore.foreign.foreign_model import NO_TREE, ForeignModel, names_of_features, other_objective, sums_trees
from treecore.foreign.foreign_nodes import ForeignNodes
from treecore.foreign.margins import BoosterOutput, sigmoid
from treecore.messages import counted, joined
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
    `origin`. Each category of a categorical column is a 0/1 feature (`foreign_model(model).features` encodes rows), and
    a threshold on ordered categories is a set of categories. The file does not contain the columns of the categories.
    If several are possible, the tree is refused, or has a `ForeignWarning` if it is right without
    ``categorical_feature``. If a model has a single tree and one of the usual objectives, the converted tree predicts
    the same as the model. Otherwise, a tree is a regression tree that predicts margins. The model sums the margins and,
    for classification, converts the sum to probabilities. `foreign_model(model).alone` is the reason. LightGBM rounds
    whole numbers in arrays to float32, and `features` does so too.

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
        If the file is damaged or has another format, if leaves are linear, if a split treats zeros as missing and sends
        them to another side than its threshold does, or if the columns of the categories are unknown.

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
    output = BoosterOutput.of(model, "booster_")
    booster = model.booster_ if hasattr(model, "booster_") else model
    source = booster.model_to_string() if hasattr(booster, "model_to_string") else booster
    content = file_content(source, "a fitted LGBMClassifier, LGBMRegressor or Booster")
    try:
        text = content.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise TreeFormatError("The file is not UTF-8 text, the format of LightGBM models.") from None
    if not text.startswith("tree\n"):
        raise TreeFormatError(
            "Not a LightGBM text model (its first line must be 'tree'). JSON dumps are not supported. Save the "
            'model with booster.save_model("model.txt").'
        )
    with report_damage("The LightGBM text file"):
        return _model(text, output)


def _model(text, output):
    body, _, rest = text.partition("\nend of trees")
    head, *blocks = body.split("\nTree=")
    facts = _facts(head)
    if facts.get("version", "") not in VERSIONS:
        raise TreeFormatError(
            f"Unsupported LightGBM model version {facts.get('version', ''):.20}. Supported: {joined(VERSIONS)}. "
            "Save the model with a supported version."
        )
    trees = [_facts(block) for block in blocks]
    if not trees:
        raise TreeFormatError(NO_TREE)
    n_columns = int(facts["max_feature_idx"]) + 1
    names = facts["feature_names"].split(" ")
    if len(names) != n_columns:
        raise TreeFormatError(names_of_features(len(names), n_columns))
    columns, doubt = _columns(facts, trees, rest, tuple(names))
    objective, *details = facts.get("objective", "none").split(" ")
    n_trees, alone = len(trees), None
    slope = next((float(word.partition(":")[2]) for word in details if word.startswith("sigmoid:")), None)
    is_number = output.classes is None and objective in (*_SAME, *_EXPONENTS)
    if n_trees > 1:
        alone = (
            (f"The model averages the leaf values of its {n_trees:,} trees, so a single tree predicts a margin.")
            if "average_output" in head.split("\n")
            else sums_trees("model", n_trees)
        )
    elif not (is_number or (objective == "binary" and slope)) or "sqrt" in details:
        alone = other_objective(objective)

    def make(number):
        nodes, leaves = _nodes(trees[number], columns)
        if alone:
            return nodes.regression(leaves)
        if objective == "binary":
            return output.two_classes(nodes, sigmoid(slope * leaves))
        return nodes.regression(np.exp(leaves) if objective in _EXPONENTS else leaves)

    return ForeignModel("LightGBM", n_trees, columns, alone, make, doubt)


def _facts(block):
    """Return the lines of a block as {name: text}."""
    lines = (line.partition("=") for line in block.split("\n"))
    return {name: value for name, sign, value in lines if sign}


def _nodes(record, columns):
    """Return the ForeignNodes (decision nodes in order, then leaves) and the leaf values, float64[m]."""
    if record.get("is_linear", "0") != "0":
        raise TreeFormatError(
            "LightGBM trees with linear leaves (linear_tree=true) are not supported. Retrain without linear_tree."
        )
    n_leaves = int(record["num_leaves"])
    n = n_leaves - 1
    size = n + n_leaves
    if n_leaves < 1:
        raise TreeFormatError("The file is damaged: a tree has no leaves.")
    leaves = _numbers(record, "leaf_value", n_leaves)
    counts = _numbers(record, "leaf_count", n_leaves) if n and "leaf_count" in record else np.ones(n_leaves)
    kinds = _numbers(record, "decision_type", n).astype(np.int64)
    features = _numbers(record, "split_feature", n).astype(np.int64)
    limits = _numbers(
        record, "threshold", n, infinite=True
    )  # infinite thresholds separate missing values from all other values
    if n and not (features.min() >= 0 and features.max() < columns.n_columns):
        raise TreeFormatError("The file is damaged: a tree uses a feature that the model does not have.")
    is_set, default_left, missing = (kinds & 1).astype(bool), (kinds & 2).astype(bool), kinds >> 2 & 3
    sets = _sets(record, limits, np.flatnonzero(is_set), features, columns)
    zeros_missing = ~is_set & (missing == _ZEROS)
    is_compared = ~is_set & np.isin(features, list(columns.codes))  # thresholds on category codes
    against = zeros_missing & ~is_compared & np.where(default_left, limits < -_ZERO, limits > _ZERO)
    if against.any():
        node = int(np.argmax(against))
        raise TreeFormatError(
            f"Node {node} sends zeros to a different child than its threshold {limits[node]:g} does "
            "(zero_as_missing=True), which cannot be represented. Retrain with zero_as_missing=False."
        )
    missing_right = np.where(is_set, True, np.where(missing == _NONE, limits < 0, ~default_left))

    def goes_right(x):
        is_zero = np.abs(x) <= _ZERO  # LightGBM does not store such values
        return np.where(is_zero & zeros_missing, ~default_left, np.where(is_zero, 0.0, x) > limits)

    compared = np.flatnonzero(is_compared).tolist()
    n_codes = max((len(columns.codes[feature]) for feature in features[compared].tolist()), default=0)
    sides = np.array([goes_right(np.full(n, float(code))) for code in range(n_codes)])
    for node in compared:  # a set of the categories that do not go with the missing values
        codes = np.flatnonzero(sides[:, node] != missing_right[node])
        sets[node] = columns.set_features(int(features[node]), codes)

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
        sets_right=filled(is_compared & ~missing_right, False).astype(bool),
    )
    return nodes, np.concatenate([np.zeros(n), leaves])


def _numbers(record, name, n, infinite=False):
    """Return the numbers of a line, float64[n]. infinite : whether infinity is valid."""
    if n == 0:
        return np.zeros(0)
    found = np.array([float(word) for word in record[name].split()])
    if found.size != n or not (np.isfinite(found) | (infinite & np.isinf(found))).all():
        raise TreeFormatError(f"The file is damaged: '{name}' of a tree must have {n} finite numbers.")
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


def _columns(facts, trees, rest, names):
    """Return the `ForeignColumns`, and the reason why their categories are in doubt or None.

    LightGBM replaces columns of dtype category by codes, in the order of the table. The file contains the categories of
    these columns, but neither their names nor their positions. Other columns can be categorical too
    (``categorical_feature``), and codes of ordered categories are compared with thresholds.
    """
    infos = facts["feature_infos"].split(" ")
    if len(infos) != len(names):
        raise TreeFormatError(names_of_features(len(infos), len(names)))
    seen = {
        column: {int(code) for code in info.split(":") if int(code) >= 0}
        for column, info in enumerate(infos)
        if info != "none" and not info.startswith("[")
    }
    line = next((line for line in rest.split("\n") if line.startswith("pandas_categorical:")), "")
    listed = json.loads(line.partition(":")[2] or "null") or []
    fits = np.array([[_fits(len(called), info) for info in infos] for called in listed], bool)
    places = list_places(fits, set())
    is_assumed = len(places) > 1
    if is_assumed:  # those without categorical_feature=
        places = list_places(fits, _categorical_columns(rest, seen))
    if listed and len(places) != 1:
        raise TreeFormatError(
            f"The model was trained on {counted(len(listed), 'column')} of dtype category, and the file does not "
            f"contain which of {joined(names, 8)} they are. Retrain without categorical_feature, on a table in "
            "which exactly the unordered categories have the dtype category."
        )
    categories = dict(zip(places[0] if places else (), map(tuple, listed), strict=True))
    codes = {column: tuple(sorted(values)) for column, values in seen.items()}
    codes |= {column: tuple(range(len(called))) for column, called in categories.items() if called}
    compared = set()
    for record in trees:
        kinds, features = (record.get(name, "").split() for name in ("decision_type", "split_feature"))
        compared |= {int(feature) for kind, feature in zip(kinds, features, strict=True) if not int(kind) & 1}
    if unnamed := sorted(compared & codes.keys() - categories.keys()):
        raise TreeFormatError(codes_of_categories(names[unnamed[0]]))
    columns = ForeignColumns(
        len(names), names, codes, {column: called for column, called in categories.items() if called},
        unknown_missing=True, uses_dtypes=True, is_assumed=is_assumed, rounds_whole=True,
        compared=frozenset(compared & categories.keys()),
    )  # fmt: skip
    assumed = [names[column] for column in categories]
    return columns, (
        "The file contains categories, but not their columns. They are assumed to belong to the columns "
        f"{joined(assumed, 8)}, which is right unless the model was trained with categorical_feature. Check "
        "the names."
    ) if is_assumed else None


def _fits(n, info):
    """Return whether a column whose values are described by `info` can contain the codes of n categories."""
    if info == "none":
        return True
    if not info.startswith("["):
        return all(int(code) < n for code in info.split(":"))
    low, high = (float(number) for number in info.strip("[]").split(":"))
    return low >= 0 and high < n and low.is_integer() and high.is_integer()


def list_places(fits: np.ndarray, needed: set[int]) -> list[tuple[int, ...]]:
    """Return up to two ways to give a column to each list of categories, in increasing order.

    fits : bool[lists, columns]; needed : columns that must have a list.
    """
    if not len(fits):
        return []
    n_lists, n_columns = fits.shape
    ways = np.zeros((n_lists + 1, n_columns + 1), np.int64)  # of the lists from i on, with the columns from j on
    last = max(needed, default=-1)
    ways[n_lists, last + 1 :] = 1
    for i in range(n_lists - 1, -1, -1):
        for j in range(n_columns - 1, -1, -1):
            skips = 0 if j in needed else ways[i, j + 1]
            ways[i, j] = min(2, skips + (ways[i + 1, j + 1] if fits[i, j] else 0))
    found: list[tuple[int, ...]] = []
    stack: list[tuple[tuple[int, ...], int]] = [((), 0)] if ways[0, 0] else []
    while stack and len(found) < 2:
        chosen, j = stack.pop()
        i = len(chosen)
        if i == n_lists:
            found.append(chosen)
            continue
        if j not in needed and ways[i, j + 1]:
            stack.append((chosen, j + 1))
        if fits[i, j] and ways[i + 1, j + 1]:
            stack.append(((*chosen, j), j + 1))
    return found


def _categorical_columns(rest, seen):
    """Return the columns that are declared categorical or, without a declaration, those with categorical splits."""
    for line in rest.split("\n"):
        if line.startswith("[categorical_feature:"):
            listed = line.partition(":")[2].strip(" ]")
            if listed and all(word.strip().isdigit() for word in listed.split(",")):
                return {int(word) for word in listed.split(",")}
    return set(seen)
