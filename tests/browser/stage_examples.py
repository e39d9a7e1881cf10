"""Make each standalone file for the stage tests once, and compute the expected values in Python."""

import re
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

import sample_data
from benchmarks.grown_trees import Point, grown_path, grown_tree, noisy_table
from sample_data.data_set import DataSet
from tests.customers import customer_trees
from tests.decoded_payload import decoded
from tests.treecore.tree.test_decision_text import pair_tree
from treecore import TAOClassifier, regularization_path
from treecore.tables.table_columns import TableColumn, TableColumns
from viz.page.stage_html import stage_page
from viz.payload.edit_payload import edit_payload
from viz.payload.stage_payload import stage_payload

LONG = "x" * 300
HOSTILE = (
    '</script><script>window.injected = 1</script>', "<img src=x onerror='window.injected = 1'>",
    "\"double\" 'single' `back` &amp; \\", "🌲🌳 emoji 👩‍👩‍👧", "שלום עולם مرحبا", LONG, "<b>bold</b>", "${name} {0}",
)  # fmt: skip


@dataclass(frozen=True)
class Example:
    """A path, its data, the rows of its sets (or None), and the bytes for the browser."""

    path: object
    data: DataSet
    rows: tuple | None
    payload: bytes

    @property
    def points(self):
        """Return the trees with their λ."""
        if hasattr(self.path, "left"):
            return [Point(0.0, self.path)]
        return list(getattr(self.path, "points", self.path))

    @property
    def trees(self):
        """Return the trees."""
        return [point.tree for point in self.points]

    @property
    def lams(self):
        """Return the λ values."""
        return [point.lam for point in self.points]

    @property
    def sets(self):
        """Return [(name, row numbers)] of the sets, named as on the stage."""
        if self.rows is None:
            return [("all rows", np.arange(self.data.n_rows))]
        return list(zip(("train", "validation", "test"), self.rows, strict=True))

    def sampled(self, part):
        """Return the row numbers in the sample of the set number `part`."""
        found = decoded(self.payload)
        return found["sample_rows"][found["sample_set"] == part]


def example(path, data, rows=None):
    """Return the `Example` with its payload."""
    return Example(path, data, rows, stage_payload(path, data, rows))


def trained(name, n_lams=8, data=None, **settings):
    """Return the `Example` of a path trained on a bundled data set."""
    data = data or sample_data.load(name)
    rows = sample_data.split_rows(data, seed=0)
    train, validation, _ = rows
    scale = "minmax" if data.image_shape else "standard"
    estimator = TAOClassifier(
        **({"init": "random", "max_depth": 5, "max_iter": 4, "scale": scale, "random_state": 0} | settings)
    )
    y = data.labels()
    path = regularization_path(estimator, data.X[train], y[train], n_lams, data.X[validation], y[validation])
    return example(path, data, rows)


def renamed(data):
    """Return the same data with feature names that are also Python names."""
    return replace(data, feature_names=tuple(f"x{j}" for j in range(data.n_features)))


def hostile():
    """Return an example in which every name is an attack or too long."""
    data = noisy_table(400, len(HOSTILE), len(HOSTILE))
    data = replace(data, title=HOSTILE[0], name=HOSTILE[1], feature_names=HOSTILE, class_names=HOSTILE)
    return example(grown_path(data, 41, 5, 3), data, sample_data.split_rows(data, 0))


def not_square():
    """Return images of 7 x 12 pixels."""
    rng = np.random.default_rng(0)
    y = np.arange(600) % 4
    X = (rng.random((600, 84)) * 120).astype(np.uint8)
    X[np.arange(600)[:, None], (y[:, None] * 21 + np.arange(14))] += 100
    names = tuple(f"pixel {r}, {c}" for r in range(7) for c in range(12))
    data = DataSet("bars", "Bars", X, y, names, ("top", "upper", "lower", "bottom"), image_shape=(7, 12))
    return example(grown_path(data, 15, 30, 3), data)


def categories():
    """Return an example with a column of four categories and a numeric one, and splits at integers on both."""
    columns = TableColumns((TableColumn("colour", "category", ("red", "green", "blue", "<b>")), TableColumn("size")))
    rng = np.random.default_rng(0)
    codes = rng.integers(4, size=400)
    X = np.column_stack([np.eye(4)[codes], rng.integers(9, size=400)])
    data = DataSet(
        "categories", "Categories", X, ((codes == 1) | (X[:, 4] > 5)).astype(np.int64), columns.feature_names(),
        ("no", "yes"), columns=columns,
    )  # fmt: skip
    tree = TAOClassifier(split="univariate", init="cart", lam=1.0, random_state=0).fit(X, data.labels()).tree_
    return example(tree, data)


def bivariate():
    """Return an example with bivariate splits on sixteen features, and a few univariate ones."""
    data = renamed(noisy_table(1500))
    two, one = grown_tree(data, 31, 2), grown_tree(data, 31, 1)
    return example([Point(0.1, two), Point(0.2, one)], data, sample_data.split_rows(data, 0))


def coarse():
    """Return an example with small integers, so that many rows lie exactly on thresholds."""
    data = renamed(noisy_table(1500, 4, 4))
    data = replace(data, X=np.round(data.X).astype(np.int16))
    trees = [grown_tree(data, 31, n_features) for n_features in (3, 2, 1)]
    rounded = [replace(tree, weights=np.sign(tree.weights), bias=np.round(tree.bias)) for tree in trees]
    return example([Point(0.1 * (i + 1), tree) for i, tree in enumerate(rounded)], data)


class MissingAware:
    """A replacement for a tree of the engine. `missing_right` decides where it sends rows without a value."""

    def __init__(self, tree):
        self.tree = tree
        self.missing_right = (np.arange(tree.n_nodes) % 3 != 1) & (tree.left >= 0)

    def __getattr__(self, name):
        return getattr(self.tree, name)

    def __reduce__(self):
        return MissingAware, (self.tree,)

    def goes_right(self, X, node):
        """Return which rows of `X` go right at a decision node, bool[n]."""
        features, weights, bias = self.tree.split(node)
        margin = np.full(len(X), bias)
        for feature, weight in zip(features, weights, strict=True):
            margin = margin + weight * X[:, feature]
        return np.where(np.isnan(margin), self.missing_right[node], margin >= 0)

    def apply(self, X, n_jobs=None):
        """Return the leaf of each row, int[n]."""
        leaf = np.zeros(len(X), int)
        for node in np.flatnonzero(self.tree.left >= 0):
            here = leaf == node
            right = self.goes_right(X[here], node)
            leaf[here] = np.where(right, self.tree.right[node], self.tree.left[node])
        return leaf


def with_holes(data, share=0.12):
    """Return the same data with some values missing."""
    X = data.X.astype(np.float64)
    X[np.random.default_rng(0).random(X.shape) < share] = np.nan
    holed = replace(data, name=f"{data.name} holes")
    object.__setattr__(holed, "X", X)  # DataSet would refuse these values
    return holed


def missing(data):
    """Return trees with splits on one, two and five features for data with missing values."""
    holed = with_holes(data)
    sizes = (1, 2, 5) if data.n_features > 2 else (1, 2)
    points = [Point(0.1 * n, MissingAware(grown_tree(data, 21, n))) for n in sizes]
    return example(points, holed, sample_data.split_rows(data, 0))


@cache
def clouds():
    """Return noisy data for trees of any size."""
    return noisy_table()


@cache
def mnist():
    """Return the bundled MNIST digits."""
    return sample_data.load("mnist-5k")


def grown(kind, n_nodes, n_trees=1):
    """Return the `Example` of grown trees.

    kind : "images" or "table".
    """
    data, n_features = (mnist(), 40) if kind == "images" else (clouds(), 5)
    return example(grown_path(data, n_nodes, n_features, n_trees), data, sample_data.split_rows(data, 0))


def editable(data, n_nodes, n_features, split, rows=None, tree=None):
    """Return an example with a grown or given tree that can be edited on the stage."""
    tree = grown_tree(data, n_nodes, n_features) if tree is None else tree
    payload, _ = edit_payload(Point(1.0, tree), data, rows, split=split, cost=1.25, scale="standard")
    return Example(tree, data, rows, payload)


def dated():
    """Return an editable example whose tree splits on dates."""
    tree, data = customer_trees()["customers one"]
    return editable(data, 0, 0, "univariate", tree=tree)


def difference():
    """Return an editable example whose tree splits on the difference of two lengths."""
    tree, data = pair_tree("lengths")
    return editable(data, 0, 0, "bivariate", tree=tree)


def by_category():
    """Return an editable example whose tree has splits with one threshold per category."""
    tree, data = customer_trees()["customers two"]
    return editable(data, 0, 0, "bivariate", tree=tree)


def board(n):
    """Return a checkerboard of n points."""
    X, y = sample_data.synthetic.checkerboard(n)
    return replace(sample_data.load("checkerboard"), X=X, y=y)


MAKERS = {
    "edited plane": lambda: editable(board(400), 15, 2, "bivariate"),
    "edited 2000 points": lambda: editable(board(2000), 21, 2, "bivariate"),
    "edited sample": lambda: editable(board(20_500), 9, 2, "bivariate"),
    "edited table": lambda: editable(
        noisy_table(900, 6, 4), 15, 1, "bivariate", sample_data.split_rows(noisy_table(900, 6, 4), 0)
    ),
    "edited dates": dated,
    "edited categories": by_category,
    "edited difference": difference,
    "edited digits": lambda: editable(
        sample_data.load("digits"), 15, 30, "oblique", sample_data.split_rows(sample_data.load("digits"), 0)
    ),
    "digits": lambda: trained("digits"),
    "wine": lambda: trained("wine", max_depth=4, max_iter=10),
    "wine x": lambda: trained("wine x", data=renamed(sample_data.load("wine")), max_depth=4, max_iter=10),
    "iris univariate": lambda: trained(
        "iris x", data=renamed(sample_data.load("iris")), split="univariate", init="cart", max_depth=None
    ),
    "cancer univariate": lambda: trained(
        "cancer x", data=renamed(sample_data.load("breast-cancer")), split="univariate", init="cart", max_depth=None
    ),
    "plane": lambda: trained("plane x", data=renamed(sample_data.load("checkerboard")), max_depth=5),
    "bivariate": bivariate,
    "categories": categories,
    "coarse": coarse,
    "hostile": hostile,
    "not square": not_square,
    "sixty classes": lambda: example(grown_path(noisy_table(1800, 6, 60), 141, 3, 3), noisy_table(1800, 6, 60)),
    "two thousand features": lambda: example(
        grown_path(noisy_table(400, 2000, 3), 21, 1500, 3), noisy_table(400, 2000, 3)
    ),
    "grown plane": lambda: example(grown_path(sample_data.load("clouds"), 31, 2, 2), sample_data.load("clouds")),
    "moons": lambda: trained("moons", split="bivariate", init="cart", max_depth=6),
    "missing": lambda: missing(renamed(noisy_table(900, 6, 4))),
    "missing plane": lambda: missing(sample_data.load("clouds")),
    "one leaf in the plane": lambda: example(grown_tree(sample_data.load("moons"), 1, 2), sample_data.load("moons")),
    "one leaf": lambda: example(grown_tree(sample_data.load("wine"), 1, 2), sample_data.load("wine")),
    "one lambda": lambda: trained("wine", n_lams=[1.0]),
    **{f"{kind} {n}": (lambda kind=kind, n=n: grown(kind, n, 3)) for kind in ("images", "table")
       for n in (11, 51, 199, 1001)},
}  # fmt: skip


@cache
def made(name):
    """Return the `Example` with this name, made only once."""
    return MAKERS[name]()


def opened_up(text):
    """Return a standalone page whose stage and module a test can reach as `window.stage` and `window.modules`."""
    modules = "const { standalone, modules } = await imported(module); window.modules = modules;"
    text, n = re.subn(r"const ?\{ ?standalone ?\} ?= ?await imported\(module\);", modules, text)
    assert n == 1
    text, n = re.subn(r'(?=await standalone\(element\("stage"\))', "window.bytes = bytes; window.stage = ", text)
    assert n == 2  # one occurrence for lessons, one for trees
    return text


def page_text(name):
    """Return the standalone HTML of an example."""
    found = made(name)
    return stage_page(found.payload, found.data.title)
