"""Feature values of the rows, for splits on several features, and the form of a tree that routes them."""

from collections.abc import Sequence

import numpy as np

from treecore.training.partitions.value_kernels import HEAD
from treecore.tree.split import Split
from treecore.tree.working_tree import WorkingTree


def compact(X: np.ndarray) -> np.ndarray:
    """Return `X` ([n, d]) as float32 if this is exact, else as float64."""
    values = X.astype(np.float32)
    if X.dtype != np.float32 and not np.array_equal(values, X, equal_nan=X.dtype.kind == "f"):
        return X.astype(np.float64)
    return values


class ValueTree:
    """Routing of values through a working tree."""

    def __init__(self, tree: WorkingTree) -> None:
        self.tree = tree

    def nodes(self) -> np.ndarray:
        """Return the array of the current tree for the kernels, see `split_rows`. Both children of a leaf are -1."""
        found = split_rows(self.tree.splits)
        found[:, 0], found[:, 1] = self.tree.left, self.tree.right
        return found


def split_rows(splits: Sequence[Split | None]) -> np.ndarray:
    """Return splits on at most k features in the form of the kernels, float64[n, HEAD + 2 k].

    A row contains left and right child, bias, whether missing values go right, number of features, and then each
    feature with its weight.
    """
    most = max((split.features.size for split in splits if split is not None), default=0)
    found = np.zeros((len(splits), HEAD + 2 * most))
    for row, split in zip(found, splits, strict=True):
        if split is not None:
            stop = HEAD + 2 * split.features.size
            row[2:HEAD] = split.bias, split.missing_right, split.features.size
            row[HEAD:stop:2], row[HEAD + 1 : stop : 2] = split.features, split.weights
    return found
