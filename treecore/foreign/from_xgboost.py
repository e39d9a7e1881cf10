"""Conversion of XGBoost trees from the JSON format, without the package."""

from __future__ import annotations

from typing import Any

import numpy as np

from treecore.errors import TreeFormatError
from treecore.first_number import first_number
from treecore.foreign.file_content import file_content
from treecore.foreign.file_damage import report_damage
from treecore.foreign.foreign_columns import ForeignColumns, codes_of_categories
from treecore.foreign.foreign_model import NO_TREE, ForeignModel, names_of_features, other_objective, sums_trees
from treecore.foreign.foreign_nodes import ForeignNodes
from treecore.foreign.margins import BoosterOutput, sigmoid
from treecore.tree import tree_json
from treecore.tree.tree import Tree

_SAME = (
    "reg:squarederror", "reg:linear", "reg:absoluteerror", "reg:pseudohubererror", "reg:quantileerror",
    "reg:squaredlogerror",
)  # fmt: skip
_EXPONENTS = ("count:poisson", "reg:gamma", "reg:tweedie")
NEWEST = 3  # newest supported major version of XGBoost
_TWO_CLASSES = "binary:logistic"


_XGBOOST_ARRAYS = "The file is damaged: the arrays of a tree have different lengths."


def from_xgboost(model: Any, tree: int = 0) -> Tree:
    """Convert one tree of an XGBoost model.

    `Tree.origin` contains the node numbers of XGBoost, so ``tree.origin[tree.apply(X)]`` equals ``pred_leaf`` for every
    row. XGBoost casts numbers to float32 before comparing, and the thresholds are adjusted so that float64 rows reach
    the same leaf. Missing values follow the default direction. Each category of a categorical column is a 0/1 feature
    (`foreign_model(model).features` encodes rows). The weight of a node is its sum of hessians. As in
    `XGBModel.predict`, trees after the best iteration of early stopping are ignored. If a model has a single tree and
    one of the usual objectives, the converted tree predicts the same as the model. Otherwise, a tree is a regression
    tree that predicts margins (times the weights of dart). The model sums the margins and, for classification, converts
    the sum to probabilities. `foreign_model(model).alone` is the reason.

    Parameters
    ----------
    model : XGBClassifier, XGBRegressor, Booster, path, bytes or str
        The model, or its JSON file saved by ``save_model("model.json")``.
    tree : int, default=0
        Number of the tree.

    Returns
    -------
    Tree
        The converted tree.

    Raises
    ------
    ParameterError
        If `model` is not an XGBoost model.
    TreeFormatError
        If the file is damaged or has another format, if the model is linear, or if leaves contain vectors.

    See Also
    --------
    from_lightgbm : Converts a tree of LightGBM.

    Examples
    --------
    >>> import xgboost
    >>> from sklearn.datasets import load_iris
    >>> from treecore import from_xgboost
    >>> X, y = load_iris(return_X_y=True)
    >>> model = xgboost.XGBClassifier(n_estimators=1, max_depth=2, n_jobs=1).fit(X, y == 2)
    >>> from_xgboost(model).n_leaves
    3
    """
    return xgboost_model(model).tree(tree)


def xgboost_model(model: Any) -> ForeignModel:
    """Return the `ForeignModel` of a model or file that `from_xgboost` supports."""
    output = BoosterOutput.of(model, "get_booster")
    booster = model.get_booster() if hasattr(model, "get_booster") else model
    source = booster.save_raw("json") if hasattr(booster, "save_raw") else booster
    content = file_content(source, "a fitted XGBClassifier, XGBRegressor or Booster")
    if not content.lstrip()[:2].startswith(b"{") or content[:2] in (b"{L", b"{i", b"{l", b"{#", b"{U", b"{I"):
        raise TreeFormatError(
            "Not an XGBoost JSON model. UBJSON files and text dumps are not supported. Save the model with "
            'booster.save_model("model.json").'
        )
    record = tree_json.parse(content)
    if isinstance(record, list):
        raise TreeFormatError(
            "XGBoost dumps (dump_model) are not supported, because they are incomplete. Save the model with "
            'booster.save_model("model.json").'
        )
    with report_damage("The XGBoost JSON file"):
        newest = record.get("version", [0])[0]
        if newest > NEWEST:
            raise TreeFormatError(
                f"Unsupported XGBoost version {newest!s:.20} (latest supported: {NEWEST}). Save the model with a "
                "supported version."
            )
        return _model(record["learner"], output)


def _model(learner, output):
    booster, weights = learner["gradient_booster"], None
    if booster["name"] == "dart":
        weights, booster = booster["weight_drop"], booster["gbtree"]
    elif booster["name"] != "gbtree":
        raise TreeFormatError(f"The booster {booster['name']!r:.40} has no trees. Use the booster gbtree or dart.")
    facts = learner["learner_model_param"]
    all_trees = booster["model"]["trees"]
    trees = all_trees[: _most_trees(learner, booster)]
    if weights is not None and len(weights) != len(all_trees):
        raise TreeFormatError(_XGBOOST_ARRAYS)
    n_columns = int(facts["num_feature"])
    names = learner.get("feature_names") or None
    if names is not None and len(names) != n_columns:
        raise TreeFormatError(names_of_features(len(names), n_columns))
    if not trees:
        raise TreeFormatError(NO_TREE)
    codes, categories = _categories(learner, trees, n_columns)
    names = None if names is None else tuple(map(str, names))
    columns = ForeignColumns(
        n_columns, names, codes, categories, is_closed=True, uses_dtypes=True, has_negatives=False
    )  # fmt: skip
    objective, margin = learner["objective"]["name"], _base_margin(learner)
    n_trees, alone = len(trees), None
    if n_trees > 1:
        alone = sums_trees("model", n_trees)
    elif objective != _TWO_CLASSES and (output.classes is not None or objective not in (*_SAME, *_EXPONENTS)):
        alone = other_objective(objective)
    elif len(all_trees) > 1 and not output.is_estimator:
        alone = (
            f"Early stopping kept 1 of {len(all_trees):,} trees. An XGBModel uses this tree, but a Booster uses "
            "all trees."
        )

    def make(number):
        nodes, leaves = _nodes(trees[number], columns)
        if weights is not None:
            leaves = leaves * np.float32(weights[number])
        if alone:
            return nodes.regression(leaves.astype(np.float64))
        total = leaves + margin
        if objective == _TWO_CLASSES:
            return output.two_classes(nodes, sigmoid(total))
        return nodes.regression((np.exp(total) if objective in _EXPONENTS else total).astype(np.float64))

    return ForeignModel("XGBoost", n_trees, columns, alone, make)


def _most_trees(learner, booster):
    """Return the number of trees up to the best iteration of early stopping, or None without early stopping."""
    best = learner.get("attributes", {}).get("best_iteration")
    if best is None:
        return None
    facts = learner["learner_model_param"]
    n_outputs = max(int(facts.get("num_class", 0)), int(facts.get("num_target", 1)), 1)
    parallel = int(booster["model"]["gbtree_model_param"]["num_parallel_tree"])
    return (int(best) + 1) * n_outputs * parallel


def _base_margin(learner):
    """Return the constant to which the leaf values are added, as float32."""
    text = str(learner["learner_model_param"]["base_score"]).strip("[]").split(",")[0]
    base, objective = np.float32(text), learner["objective"]["name"]
    with np.errstate(divide="ignore", invalid="ignore"):
        if objective == _TWO_CLASSES:
            return -np.log(np.float32(1) / base - np.float32(1))
        return np.log(base) if objective in _EXPONENTS else base


def _nodes(record, columns):
    """Return the ForeignNodes and leaf values (float32[m]) of a tree."""
    if int(record["tree_param"].get("size_leaf_vector", "1")) > 1:
        raise TreeFormatError(
            "Vector leaves (multi_strategy='multi_output_tree') are not supported. Retrain with "
            "multi_strategy='one_output_per_tree'."
        )
    left, right, features = (_whole(record[name]) for name in ("left_children", "right_children", "split_indices"))
    values, hessians = (np.array(record[name], np.float64) for name in ("split_conditions", "sum_hessian"))
    default_left = np.array(record["default_left"]).astype(np.bool_)
    kinds = _whole(record.get("split_type") or [0] * left.size)
    if {one.shape for one in (right, features, values, hessians, default_left, kinds)} != {
        left.shape
    } or left.ndim != 1:
        raise TreeFormatError(_XGBOOST_ARRAYS)
    decides = left >= 0
    if not left.size or (features[decides] >= columns.n_columns).any() or (features < 0).any():
        raise TreeFormatError(
            "The file is damaged: a tree has no nodes, or uses a feature that the model does not have."
        )
    limits = values.astype(np.float32)
    if np.isnan(limits).any() or np.isinf(limits[~decides]).any() or np.isnan(hessians).any():
        raise TreeFormatError("The file is damaged: a threshold or leaf value is not a number.")
    sets, first_features = {}, np.array(columns.first)
    for node, codes in _sets(record).items():
        sets[node] = columns.set_features(int(features[node]), codes)
    is_set = np.isin(np.arange(left.size), list(sets))
    if (decides & (is_set != (kinds != 0))).any():
        raise TreeFormatError(_XGBOOST_ARRAYS)
    compared = decides & np.isin(features, list(columns.codes)) & ~is_set
    if compared.any():
        column = int(features[compared][0])
        raise TreeFormatError(codes_of_categories(columns.names[column] if columns.names else column))
    nodes = ForeignNodes(
        left=np.where(decides, left, -1),
        right=np.where(decides, right, -1),
        features=first_features[np.where(decides, features, 0)],
        first=first_number(lambda x: x.astype(np.float32) >= limits, left.size),
        missing_right=~default_left,
        weights=np.where(hessians > 0, hessians, 1.0),
        ids=np.arange(left.size),
        n_features=columns.first[-1],
        feature_names=columns.feature_names,
        sets=sets,
        sets_right=True,
    )
    return nodes, limits


def _sets(record):
    """Return the categories that go right, {node: int[s]}."""
    nodes, values = record.get("categories_nodes", []), _whole(record.get("categories", []))
    starts, sizes = record.get("categories_segments", []), record.get("categories_sizes", [])
    return {node: values[start : start + size] for node, start, size in zip(nodes, starts, sizes, strict=True)}


def _whole(items):
    return np.array(items, np.int64)


def _categories(learner, trees, n_columns):
    """Return `codes` and `categories` for `ForeignColumns`."""
    kinds = learner.get("feature_types") or []
    columns = {column for column, kind in enumerate(kinds) if kind == "c"}
    seen: dict[int, set] = {column: set() for column in columns}
    for record in trees:
        for node, values in _sets(record).items():
            seen.setdefault(int(record["split_indices"][node]), set()).update(values.tolist())
    called = (
        learner["gradient_booster"].get("gbtree", learner["gradient_booster"])["model"].get("cats", {}).get("enc", [])
    )
    if called and len(called) != n_columns:
        raise TreeFormatError(_XGBOOST_ARRAYS)
    categories = {column: _category_names(called[column]) for column in seen if called}
    categories = {column: names for column, names in categories.items() if names}
    for column, names in categories.items():
        seen[column] = set(range(len(names)))
    return {column: tuple(sorted(values)) for column, values in seen.items() if values}, categories


def _category_names(record):
    """Return the tuple of category names of a column, which are stored as text in consecutive bytes or as numbers."""
    values, offsets = record.get("values", []), record.get("offsets")
    if offsets is None:
        return tuple(values)
    text = bytes(value & 0xFF for value in values)
    return tuple(text[low:high].decode("utf-8", "replace") for low, high in zip(offsets, offsets[1:], strict=False))
