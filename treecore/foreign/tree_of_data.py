"""`tree_of_data`: a tree from another source, matched to the features and classes of a data set."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from treecore.errors import DataError
from treecore.foreign.foreign_columns import UNNAMED
from treecore.messages import joined
from treecore.tree.data_set_like import DataSetLike
from treecore.tree.tree import Tree


class PlacedTree(NamedTuple):
    """Tree with the features and class labels of the data.

    notes : tuple of str, notes on features and classes that were matched by position.
    """

    tree: Tree
    notes: tuple


def tree_of_data(tree: Tree, data: DataSetLike) -> PlacedTree:
    """Match a Tree to a data set and return the `PlacedTree`.

    Features are matched by name, or by position if they have no names. Classes are matched by name, or by position if
    they are the whole numbers from 0. Features that no split uses may be absent in the data. Raise DataError if the
    data do not match.
    """
    tree.leaf_model.require("place")
    target = tree.target
    if not target.goes_with(data.class_names):
        raise DataError(
            (
                f"The tree is a regression tree, but the target of {data.title} has classes. Choose the data "
                "that the tree was trained on."
            )
            if data.class_names
            else (
                f"The tree is a classification tree, but the target of {data.title} is numeric. Choose the data "
                "that the tree was trained on."
            )
        )
    rests = _remaining_categories(data)
    places, notes = _places(tree, data, list(rests))
    placed = _placed(tree, places, list(rests.values()), data.feature_names)
    _check_missing(placed, data)
    if not target.values_are_groups:
        return PlacedTree(placed, notes)
    codes, told = _codes(tree, data)
    used = np.unique(codes if not data.y.size else np.r_[codes, np.unique(data.y)])
    names, order = np.unique(np.array(data.class_names)[used], return_index=True)
    place = np.empty(len(data.class_names), np.int64)
    place[used[order]] = np.arange(used.size)
    values = np.zeros((tree.n_nodes, used.size))
    values[:, place[codes]] = tree.values
    return PlacedTree(replace(placed, labels=place[codes][tree.labels], values=values, classes=names), notes + told)


def _remaining_categories(data):
    """Return the categories without a feature, {name: range of features that are all 0 for it}."""
    columns = getattr(data, "columns", None)
    return {} if columns is None else {
        f"{column.name} = {column.others[0]}": group
        for column, group in zip(columns.columns, columns.groups(), strict=True)
        if len(column.others) == 1 and not column.grouped
    }  # fmt: skip


def _placed(tree, places, rests, names):
    """Return the tree with the features of the data.

    Index len(names) + k stands for 1 minus the sum of the k-th of `rests`.
    """
    width, bias = len(names), tree.bias.copy()
    nodes, at, weights = np.repeat(np.arange(tree.n_nodes), np.diff(tree.indptr)), places[tree.features], tree.weights
    for place, group in enumerate(rests, width):
        hit = at == place
        np.add.at(bias, nodes[hit], weights[hit])
        nodes = np.concatenate([nodes[~hit], np.tile(nodes[hit], len(group))])
        at = np.concatenate([at[~hit], np.repeat(list(group), hit.sum())])
        weights = np.concatenate([weights[~hit], np.tile(-weights[hit], len(group))])
    keys, place = np.unique(nodes * width + at, return_inverse=True)
    counts = np.bincount(keys // width, minlength=tree.n_nodes)
    return replace(
        tree, indptr=np.concatenate([[0], np.cumsum(counts)]), features=keys % width, bias=bias,
        weights=np.bincount(place, weights, keys.size), n_features=width, feature_names=names,
        feature_quantiles=None,
    )  # fmt: skip


def _places(tree, data, rests):
    """Return the index of each feature among the data's features and `rests`, int[n_features], and notes.

    The index is -1 for absent features that no split uses.
    """
    names, wanted = tree.feature_names, tuple(data.feature_names)
    known = _spellings((*wanted, *rests))
    is_unnamed = names is None or all(UNNAMED.fullmatch(name) for name in names) and not set(names) & known.keys()
    if is_unnamed:
        if tree.n_features != len(wanted):
            raise DataError(
                f"The tree was trained on {tree.n_features:,} features without names, but {data.title} has "
                f"{len(wanted):,}. Choose the data that the tree was trained on."
            )
        return np.arange(tree.n_features), (
            "The features of the tree have no names, so the columns of the data are used in order.",
        )
    places = np.array([known.get(name, -1) for name in names])
    lacking = [names[feature] for feature in np.unique(tree.features[places[tree.features] < 0]).tolist()]
    if lacking:
        raise DataError(
            f"The tree uses {joined(lacking, 8)}, but {data.title} does not have them. Its features: "
            f"{joined(wanted, 8)}. Choose the data that the tree was trained on, or rename the columns."
        )
    return places, _unknown_categories(tree, names, (*wanted, *rests), places)


def _spellings(names):
    """Return the places of names by their spellings, which include those of LightGBM and of 0/1 columns in pandas.

    A spelling of several names is left out, unless it is the name itself.
    """
    known = {name: place for place, name in enumerate(names)}
    others = defaultdict(set)
    for place, name in enumerate(names):
        for one in (name, name.replace(" = ", "_")):
            others[one].add(place)
            others[re.sub(r"\s", "_", one)].add(place)
    return {name: next(iter(places)) for name, places in others.items() if len(places) == 1} | known


def _unknown_categories(tree, names, wanted, places):
    """Return a note on the categories of the data that the tree does not know, in the columns that it uses."""
    used = {names[feature].partition(" = ")[0] for feature in tree.used_features.tolist() if " = " in names[feature]}
    placed = set(places.tolist())
    unknown = [
        name
        for place, name in enumerate(wanted)
        if place not in placed and " = " in name and name.partition(" = ")[0] in used
    ]
    return (
        (
            (
                f"The tree does not know the categories {joined(unknown, 8)}. The program that trained it can send "
                "them to another leaf."
            ),
        )
        if unknown
        else ()
    )


def _check_missing(tree, data):
    if tree.missing_right is not None or data.X.dtype.kind != "f":
        return
    used = np.unique(tree.features)
    lacking = used[np.isnan(data.X[:, used]).any(axis=0)]
    if np.isnan(data.X).any():
        name = data.feature_names[int(lacking[0])] if lacking.size else "some features"
        raise DataError(
            f"{data.title} has missing values (in {name}), but the tree does not contain where they go: it was "
            "trained without missing values, or its file makes no prediction for them. Choose data without them, "
            "or fill them."
        )


def _codes(tree, data):
    """Return the code in the data of each class of the tree, int64[k], and notes."""
    names, labels = list(data.class_names), tree.classes.tolist()
    texts = [str(int(label)) if isinstance(label, float) and label.is_integer() else str(label) for label in labels]
    if all(text in names for text in texts):
        return np.array([names.index(text) for text in texts]), ()
    are_codes = all(text.isdigit() and int(text) < len(names) for text in texts)
    if not are_codes:
        strangers = [text for text in texts if text not in names]
        raise DataError(
            f"The tree predicts {joined(strangers, 8)}, but the classes of {data.title} are {joined(names, 8)}. "
            "Choose the data that the tree was trained on."
        )
    told = [f"{text} for {names[int(text)]}" for text in texts[:8]]
    return np.array([int(text) for text in texts]), (
        f"The classes of the tree are numbers, so they are matched in order: {joined(told)}.",
    )
