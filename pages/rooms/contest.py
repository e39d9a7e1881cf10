"""Let a class draw splits in a plane and compete with TAO for a lower objective."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from pages.jobs.point import Point
from sample_data import DataSet
from treecore.errors import DataError
from treecore.training.phase import tree_objective
from treecore.tree.editing import checked_nodes, edited_tree, tree_document
from treecore.tree.metrics import training_loss
from treecore.tree.target import Target
from treecore.tree.tree import Tree
from viz.payload.edit_payload import edit_payload

MOST_LINES = 31


class ContestError(DataError):
    """Raised for points or a tree that a contest does not support."""


@dataclass(frozen=True, eq=False)
class Entry:
    """A tree with its objective.

    document : see `treecore.tree.editing`; tree : Tree whose leaves predict their majority classes; errors, n_lines :
    int >= 0;
    objective : errors + λ * n_lines.
    """

    document: dict
    tree: Tree
    errors: int
    n_lines: int
    objective: float


@dataclass(frozen=True, eq=False)
class Contest:
    """The points of a contest and TAO's tree for them.

    data : DataSet with two features and classes; rows : its row numbers; lam : float >= 0, penalty of a line, relative
    to 1 for a misclassified point; tao_tree : Tree that TAO trained on these rows; most_lines : int, 1 to MOST_LINES;
    most_features : 1 for univariate splits only, else 2; feature : feature whose threshold every student moves with a
    slider, instead of drawing lines; is_question : whether TAO's objective is the answer, hidden until it is shown.
    Raises ContestError.
    """

    data: DataSet
    rows: np.ndarray
    lam: float
    tao_tree: Tree
    most_lines: int = MOST_LINES
    most_features: int = 2
    feature: int | None = None
    is_question: bool = False

    def __post_init__(self) -> None:
        if self.data.n_features != 2 or self.data.target.is_root:
            raise ContestError(
                "The contest needs a classification data set with two features. Choose another data set."
            )
        if np.isnan(self.X.astype(np.float64)).any():
            raise ContestError(
                "Some points have missing values, so they cannot be drawn in the plane. Choose another data set."
            )
        if np.unique(self.labels).size < 2:
            raise ContestError("All points have the same class. Use at least two classes.")

    @property
    def X(self) -> np.ndarray:
        """Return the points, float[n, 2]."""
        return self.data.X[self.rows]

    @property
    def labels(self) -> np.ndarray:
        """Return the classes of the points, see `DataSet.labels`."""
        return self.data.labels()[self.rows]

    @cached_property
    def target(self) -> Target:
        """Return the target of the data."""
        return self.data.target

    @cached_property
    def leaf(self) -> Entry:
        """Return the `Entry` of the tree without lines, with which every student starts."""
        positions = self.target.positions(self.tao_tree)
        root = tree_document(self.tao_tree, positions=positions)["nodes"][0]
        bare = {"left": None, "right": None, "features": [], "weights": [], "bias": 0.0, "missing_right": False}
        return self.entry({"nodes": [root | bare]})

    @cached_property
    def tao_entry(self) -> Entry:
        """Return the `Entry` of TAO's tree."""
        return self.entry(tree_document(self.tao_tree, positions=self.target.positions(self.tao_tree)))

    @cached_property
    def content(self) -> bytes:
        """Return the payload of the stage on which students draw."""
        split = "univariate" if self.most_features == 1 else "bivariate"
        one = Point(0, self.lam, self.leaf.tree, {})
        no_rows = np.empty(0, np.int64)
        rows = (self.rows, no_rows, no_rows)
        return edit_payload(one, self.data, rows, split, 1.0, None, self.most_lines)[0]

    @property
    def thresholds(self) -> tuple[float, float]:
        """Return the lowest and highest threshold on `feature`."""
        values = self.X[:, self.feature]
        return float(values.min()), float(values.max())

    def threshold_document(self, at: float) -> dict:
        """Return the document of a tree with one threshold on `feature`."""
        (root,) = self.leaf.document["nodes"]
        below = [root | {"id": root["id"] + k} for k in (1, 2)]
        split = {"left": below[0]["id"], "right": below[1]["id"], "features": [self.feature], "weights": [1.0]}
        return {"nodes": [root | split | {"bias": -at}, *below]}

    def entry(self, document: dict) -> Entry:
        """Return the `Entry` of a tree document.

        Only the lines of the document are used; everything else is computed here. Raises TreecoreError.
        """
        positions = self.target.positions(self.tao_tree)
        nodes = checked_nodes(document, self.tao_tree, positions)
        widths = [len(node["features"]) for node in nodes if node["left"] is not None]
        if len(widths) > self.most_lines:
            raise ContestError(f"You drew {len(widths)} lines (maximum {self.most_lines}). Remove some.")
        if min(widths, default=1) == 0:
            raise ContestError("A line has no direction. Draw it again.")
        if max(widths, default=1) > self.most_features:
            raise ContestError(
                "A line is slanted, but only vertical and horizontal lines are allowed. Draw it along an axis."
            )
        tree = edited_tree(document, self.tao_tree, self.X, self.labels, positions=positions)
        tree = replace(tree, labels=tree.values.argmax(axis=1).astype(tree.labels.dtype))
        errors = round(training_loss(tree))
        return Entry({"nodes": document["nodes"]}, tree, errors, len(widths), tree_objective(tree, self.lam, 1.0))
