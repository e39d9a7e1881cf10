"""`Classes`: a tree predicts one of several classes."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from treecore.tree.condition_text import visible
from treecore.tree.number_text import percent
from treecore.tree.target import Target


@dataclass(frozen=True)
class Classes(Target):
    """groups : names of the classes; values are their codes."""

    groups: tuple[str, ...]
    is_ordered = False

    def group_of(self, values: np.ndarray) -> Any:
        return np.asarray(values, np.int64)

    def outputs(self, tree: Any) -> Any:
        return self.positions(tree)[tree.labels]

    def positions(self, tree: Any) -> np.ndarray:
        """int64[k]: code of each class of a tree, which may have been trained on the names or on their codes."""
        labels = [str(label) for label in tree.classes.tolist()]
        position = {name: i for i, name in enumerate(self.groups)}
        if all(label in position for label in labels):
            return np.array([position[label] for label in labels], np.int64)
        if self._are_codes(tree):
            return tree.classes.astype(np.int64)
        return np.arange(len(labels))

    def strangers(self, tree: Any) -> Any:
        if self._are_codes(tree):
            return []
        return sorted({str(label) for label in tree.classes.tolist()} - set(self.groups))

    def fits(self, tree: Any) -> Any:
        return tree.classes.size > 0 and self.positions(tree).max() < len(self.groups)

    def of_data(self, data: Any) -> Any:
        names = tuple(str(name) for name in data.class_names)
        return Classes(names + self.groups[len(names) :])

    def text(self, value: Any) -> Any:
        return self.groups[int(value)]

    def leaf_losses(self, tree: Any) -> Any:
        leaves = np.flatnonzero(tree.left < 0)
        weight = tree.values[leaves].sum(axis=1)
        return weight, weight - tree.values[leaves, tree.labels[leaves]]

    def summary(self, values: np.ndarray) -> Any:
        total = values.sum()
        return tuple((values / total if total > 0 else np.full(values.size, np.nan)).tolist())

    def change(self, before: Any, after: Any) -> Any:
        """The shares that change, the largest change first; at most three."""
        change = np.nan_to_num(np.subtract(after, before))
        order = [code for code in np.argsort(-np.abs(change), kind="stable")[:3].tolist() if change[code]]
        if not order:
            return "the shares stay"
        return ", ".join(
            f"{visible(self.groups[code])} {percent(before[code])} → {percent(after[code])}" for code in order
        )

    def stored(self, tree: Any) -> Any:
        leaves = np.flatnonzero(tree.left < 0)
        values, sizes = tree.values[leaves], tree.n_samples[leaves]
        total = values.sum(axis=1)
        if not (np.array_equal(total, sizes) and np.array_equal(values, np.rint(values))):
            values = values / total[:, None] * sizes[:, None]  # weights become shares of the leaf's rows
        counts = np.zeros((leaves.size, len(self.groups)), np.int64)
        counts[:, self.positions(tree)] = np.rint(values)
        right = counts[np.arange(leaves.size), self.outputs(tree)[leaves]]
        return counts, (counts.sum(axis=1) - right).astype(np.float64)

    def _are_codes(self, tree):
        labels = tree.classes
        return labels.dtype.kind in "iu" and labels.min() >= 0 and labels.max() < len(self.groups)
