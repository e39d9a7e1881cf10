"""Train a tree of every kind on every bundled data set quickly, with rows on which its exports are run."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pandas

import sample_data
from tests.budget import budget
from tests.treecore.export.export_examples import boundary_rows, extremes
from treecore import (
    BiDTClassifier,
    BivariateCARTClassifier,
    BivariateCARTRegressor,
    C50Classifier,
    CARTClassifier,
    CARTRegressor,
    CO2Classifier,
    CO2ForestClassifier,
    NonGreedyClassifier,
    ObliqueCARTClassifier,
    TAOClassifier,
    TAOForestClassifier,
    TAORegressor,
    Tree,
    TwoProbeForestClassifier,
)
from treecore.tables.table_columns import TableColumn, TableColumns

MOST_ROWS = 200  # training rows of a tree
# `make test` uses only some of the data sets that are alike.
BUNDLED = [entry.name for entry in sample_data.catalogue() if entry.name in {
    "mnist-5k", "iris",
    *budget((), (
        "wine", "diabetes-classes", "spirals", "digits", "breast-cancer", "clouds", "checkerboard", "moons", "stripes",
        "xor",
    )),
}]  # fmt: skip


class Example(NamedTuple):
    """Trees with the same features, their names, and hard rows for all of them, some with NaN or infinity."""

    trees: dict[str, Tree]
    X: np.ndarray

    def answers(self, tree):
        """Return the predictions of the tree as a list, with None for refused rows."""
        allowed = self.allowed(tree)
        found = iter(tree.predict(self.X[allowed]).tolist())
        return [next(found) if is_allowed else None for is_allowed in allowed]

    def allowed(self, tree):
        """Return which rows the tree accepts, bool[n]."""
        return ~np.isinf(self.X).any(axis=1) if tree.missing_right is not None else np.isfinite(self.X).all(axis=1)


def examples(name):
    """Return {kind of features: Example} of a bundled data set: its numbers, and a table with a category column."""
    data = sample_data.load(name)
    rng = np.random.default_rng(0)
    kept = np.sort(rng.permutation(data.n_rows)[:MOST_ROWS])
    # Use one dtype for all data sets, so that no kernel is compiled for another one.
    X, labels = data.X[kept].astype(np.float64), data.labels()[kept]
    codes = data.y[kept] * 1.5 + X[:, 0]
    found = numbers(X, labels, codes, rng)
    trees = {kind: tree.with_names(data.feature_names) for kind, tree in found.items()}
    frame, columns, features = categories(X, data.feature_names)
    one_hot = {
        "TAO, one-hot": tao("univariate", init="cart").fit(features, labels).tree_,
        "TAO, one-hot, oblique": tao("oblique").fit(features, labels).tree_,
        "TAO, one-hot, missing": tao("univariate", missing="learn").fit(with_holes(features, rng), labels).tree_,
    }
    one_hot = {kind: tree.with_names(columns.feature_names()) for kind, tree in one_hot.items()}
    one_hot["C5.0 with groups"] = C50Classifier(max_depth=5).fit(frame, labels).tree_
    return {
        "numbers": Example(trees, rows(trees, X, rng)),
        "categories": Example(one_hot, rows(one_hot, features, rng)),
    }


def numbers(X, labels, codes, rng):
    """Return {kind: Tree} of every kind that supports a table of numbers."""
    holed = with_holes(X, rng)
    few = {"max_depth": 3, "random_state": 0}
    models = {
        "TAO, univariate": tao("univariate", init="cart"), "TAO, bivariate": tao("bivariate", init="cart"),
        "TAO, oblique": tao("oblique", init="random"), "TAO, one leaf": tao("univariate", lam=1e9),
        "CART": CARTClassifier(cv=3, max_depth=5, random_state=0), "C5.0": C50Classifier(max_depth=5),
        "bivariate CART": BivariateCARTClassifier(**few), "OC1": ObliqueCARTClassifier(**few),
        "non-greedy": NonGreedyClassifier(**few), "CO2": CO2Classifier(**few),
        "TAO forest": TAOForestClassifier(1, max_iter=1, **few), "CO2 forest": CO2ForestClassifier(1, **few),
        "two-probe forest": TwoProbeForestClassifier(1, random_state=0),
    }  # fmt: skip
    means = {f"TAO, {split} regression": tao(split, TAORegressor) for split in ("univariate", "bivariate", "oblique")}
    means |= {"CART regression": CARTRegressor(cv=3, max_depth=5, random_state=0)}
    means |= {"bivariate CART regression": BivariateCARTRegressor(**few)}
    lacking = {f"TAO, {split}, missing": tao(split, missing="learn") for split in ("univariate", "bivariate")}
    lacking |= {"C5.0, missing": C50Classifier(max_depth=5, missing="learn")}
    lacking |= {"CART, missing": CARTClassifier(cv=3, max_depth=5, random_state=0, missing="learn")}
    if X.shape[1] <= 13:
        models["BiDT"] = BiDTClassifier(max_depth=2)
    parts = ((models, X, labels), (means, X, codes), (lacking, holed, labels))
    return {kind: _tree(kind, model, *table) for group, *table in parts for kind, model in group.items()}


def tao(split, kind=TAOClassifier, **parameters):
    """Return an estimator that is fast and gives a tree that is neither a leaf nor large."""
    settings = {"lam": 0.5, "init": "cart", "max_depth": 4, "max_iter": 2, "random_state": 0}
    return kind(split=split, **(settings | parameters))


def _tree(kind, model, X, y):
    columns = np.arange(X.shape[1])
    if columns.size > 100 and any(word in kind for word in ("bivariate", "CO2", "non-greedy")):
        # Pairs of all pixels take long to train, and databases take long to read sums of all pixels.
        columns = varied(X, 24)
    model.fit(X[:, columns], y)
    tree = model.tree_ if hasattr(model, "tree_") else model.estimators_[0]
    return replace(tree, features=columns[tree.features], n_features=X.shape[1], feature_quantiles=None)


def varied(X, n):
    """Return the n features with the largest variance, in order."""
    return np.sort(np.argsort(-np.nanvar(np.asarray(X, np.float64), axis=0), kind="stable")[:n])


def with_holes(X, rng):
    """Return X as float64 with a tenth of the values missing."""
    return np.where(rng.random(X.shape) < 0.1, np.nan, X)


def categories(X, names):
    """Return (DataFrame, TableColumns, features) with up to five columns of X, one of them as six categories."""
    used = varied(X, 5).tolist()
    place = used[0]
    cuts = np.quantile(X[:, place], [0.17, 0.33, 0.5, 0.67, 0.83])
    values = np.array(["low", "it's high", 'the "rest"', "a, b", "<b>", "über"])[np.digitize(X[:, place], cuts)]
    others = used[1:]
    frame = pandas.DataFrame({"level": values} | {names[feature]: X[:, feature] for feature in others})
    numeric = tuple(TableColumn(names[feature]) for feature in others)
    columns = TableColumns((TableColumn("level", "category", tuple(sorted(set(values)))), *numeric))
    return frame, columns, columns.encode(frame).X


def _leaves_below(tree, node):
    if tree.left[node] < 0:
        return [node]
    return [leaf for child in (tree.left[node], tree.right[node]) for leaf in _leaves_below(tree, child)]


def rows(trees, X, rng):
    """Return rows of X, rows on a boundary of every tree and one ulp next to it, extremes, NaN and infinity."""
    X = np.asarray(X, np.float64)
    found = [X[rng.permutation(len(X))[:20]], extremes(rng, 3, X.shape[1])]
    for tree in trees.values():
        decisions = [node for node in np.flatnonzero(tree.left >= 0).tolist() if tree.split(node)[0].size]
        leaves = tree.apply(X) if tree.missing_right is None else None
        for node in rng.permutation(decisions)[:3].tolist():
            here = X if leaves is None else X[np.isin(leaves, _leaves_below(tree, node))]
            found.append(boundary_rows(tree, node, here[0] if len(here) else X[0], rng))
    found = np.concatenate(found)
    holed = with_holes(found[rng.permutation(len(found))[:40]], rng)
    holed[0] = np.nan
    infinite = found[:4].copy()
    infinite[range(4), rng.integers(0, X.shape[1], 4)] = [np.inf, -np.inf, np.inf, -np.inf]
    infinite[3, 0] = np.nan
    return np.concatenate([found, holed, infinite])
