"""`Classes`: target of a classification tree."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from treecore.errors import DataError, ParameterError
from treecore.messages import literal
from treecore.tree.condition_text import isolated, quoted
from treecore.tree.data_set_like import DataSetLike
from treecore.tree.number_text import percent
from treecore.tree.target import Target
from treecore.tree.tree_arrays import TreeArrays

CAP = 6.0  # a class without points in a linear leaf is e^CAP times less probable than the majority class


# Labels that mean nothing without the name of the target.
_BARE = re.compile(r"[-+]?[0-9.,]+|yes|no|y|n|true|false|t|f|positive|negative|low|medium|high", re.IGNORECASE)


@dataclass(frozen=True)
class Classes(Target):
    """Target of a classification tree. groups : class names; values are their codes; name : of the target, or ""."""

    groups: tuple[str, ...]
    name: str = field(default="", compare=False)
    is_ordered = False

    @classmethod
    def of_tree(cls, tree: TreeArrays) -> Target:
        return cls(tuple(str(label) for label in tree.classes.tolist()))

    @staticmethod
    def width(n_classes: int) -> int:
        return n_classes

    @staticmethod
    def amounts(values: np.ndarray) -> np.ndarray:
        return values

    @staticmethod
    def weights(values: np.ndarray) -> np.ndarray:
        return values.sum(axis=-1)

    @staticmethod
    def is_pure(values: np.ndarray) -> np.ndarray:
        return np.count_nonzero(values, axis=1) == 1

    @staticmethod
    def best_labels(values: np.ndarray) -> np.ndarray:
        return values.argmax(axis=1)

    @staticmethod
    def impurities(values: np.ndarray) -> np.ndarray:
        weight = values.sum(axis=1)
        return weight - (values**2).sum(axis=1) / np.where(weight > 0, weight, 1.0)

    @staticmethod
    def predictions(tree: TreeArrays, labels: np.ndarray | None = None) -> np.ndarray:
        tree.leaf_model.require("outputs")
        codes = tree.leaf_model.codes(tree)
        return codes if labels is None else labels[codes]

    @staticmethod
    def values_of(tree: TreeArrays, labels: ArrayLike) -> np.ndarray:
        code_of = {label: code for code, label in enumerate(tree.classes.tolist())}
        return np.array([code_of.get(label, len(code_of)) for label in np.asarray(labels).tolist()], np.int64)

    @staticmethod
    def strata(labels: np.ndarray) -> np.ndarray:
        from sklearn.utils.multiclass import check_classification_targets  # slow import

        check_classification_targets(labels)
        return labels

    @staticmethod
    def codes(labels: np.ndarray, known: np.ndarray) -> np.ndarray:
        return np.searchsorted(np.unique(known), labels).astype(np.int32)

    def with_labels(self, known: np.ndarray) -> Target:
        return Classes(tuple(str(label) for label in np.unique(known).tolist()), self.name)

    @staticmethod
    def label_codes(tree: TreeArrays, positions: ArrayLike | None = None) -> dict:
        places = range(tree.classes.size) if positions is None else np.asarray(positions).tolist()
        return {int(place): code for code, place in enumerate(places)}

    @staticmethod
    def row_values(node: np.ndarray, y: np.ndarray, weights: np.ndarray, tree: TreeArrays) -> np.ndarray:
        shape = tree.n_nodes, tree.classes.size
        return np.bincount(node * np.int64(shape[1]) + y, weights, shape[0] * shape[1]).reshape(shape)

    @staticmethod
    def scores(values: np.ndarray) -> np.ndarray:
        """Return log-odds against the majority class, at most CAP. With two classes, the score of the first is 0."""
        with np.errstate(divide="ignore"):
            scores = np.log(values / values.max()) if values.any() else np.zeros(values.size)
        scores = np.maximum(scores, -CAP)
        return scores - scores[0] if scores.size == 2 else scores

    @staticmethod
    def answers(scores: np.ndarray, classes: Any) -> np.ndarray:
        return classes[scores.argmax(axis=1)]

    @staticmethod
    def labelled(values: np.ndarray, labels: np.ndarray, is_leaf: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return values, np.where(is_leaf, labels, values.argmax(axis=1)).astype(np.int32)

    @staticmethod
    def shares(tree: TreeArrays) -> np.ndarray:
        tree.leaf_model.require("shares")
        return tree.values / np.maximum(tree.values.sum(axis=1, keepdims=True), np.finfo(float).tiny)

    @staticmethod
    def leaf_figures(
        tree: TreeArrays, reached: np.ndarray | None = None, y: np.ndarray | None = None
    ) -> dict[int, dict]:
        counts, weight = tree.values, tree.values.sum(axis=1)
        if y is not None:  # unknown labels in y count as errors
            codes = {label: code for code, label in enumerate(Classes.counted_labels(tree, y))}
            code = [codes[_label(label)] for label in y.tolist()]
            counts = np.zeros((tree.n_nodes, len(codes)))
            np.add.at(counts, (reached, code), 1.0)
            weight = np.bincount(reached, minlength=tree.n_nodes)
        return {
            leaf: {
                "label": tree.classes[code].item(),
                "confidence": float(counts[leaf, code] / weight[leaf]) if weight[leaf] > 0 else None,
                "class_counts": tuple(counts[leaf].tolist()),
            }
            for leaf, code in enumerate(Classes.predictions(tree).tolist())
            if tree.left[leaf] < 0
        }

    @staticmethod
    def counted_labels(tree: TreeArrays, y: np.ndarray | None = None) -> tuple:
        return tuple(dict.fromkeys([*tree.classes.tolist(), *map(_label, () if y is None else y.tolist())]))

    @staticmethod
    def label_text(label: object, precision: int | str | None = None) -> str:
        return quoted(label) if isinstance(label, str) else str(label)

    @staticmethod
    def goes_with(class_names: tuple) -> bool:
        return bool(class_names)

    @staticmethod
    def holds(y: np.ndarray, class_names: tuple) -> bool:
        return y.dtype.kind == "i" and y.min() >= 0 and y.max() < len(class_names)

    def matching_nodes(
        self,
        tree: TreeArrays,
        before: object,
        label: object = None,
        above: float | None = None,
        below: float | None = None,
    ) -> np.ndarray:
        if above is not None or below is not None:
            raise ParameterError("above and below apply to regression trees only. Pass a class as target.")
        classes = tree.classes.tolist()
        if label is None:
            return self.predictions(tree, tree.classes) != before
        if label not in classes:
            raise DataError(f"target={literal(label)}: expected a class of the tree: {classes[:20]}.")
        return self.predictions(tree) == classes.index(label)

    def group_of(self, values: np.ndarray) -> np.ndarray:
        return np.asarray(values, np.int64)

    def outputs(self, tree: TreeArrays) -> np.ndarray:
        return self.positions(tree)[self.predictions(tree)]

    def positions(self, tree: TreeArrays) -> np.ndarray:
        """Return the code of each class of a tree, int64[k]. The tree may be trained on class names or on codes."""
        labels = [str(label) for label in tree.classes.tolist()]
        position = {name: i for i, name in enumerate(self.groups)}
        if all(label in position for label in labels):
            return np.array([position[label] for label in labels], np.int64)
        if self._are_codes(tree):
            return tree.classes.astype(np.int64)
        return np.arange(len(labels))

    def unknown_classes(self, tree: TreeArrays) -> list[str]:
        if self._are_codes(tree):
            return []
        return sorted({str(label) for label in tree.classes.tolist()} - set(self.groups))

    def fits(self, tree: TreeArrays) -> bool:
        return tree.classes.size > 0 and self.positions(tree).max() < len(self.groups)

    def of_data(self, data: DataSetLike) -> Target:
        names = tuple(str(name) for name in data.class_names)
        return Classes(names + self.groups[len(names) :], self.name or getattr(data, "target_name", ""))

    def text(self, value: float) -> str:
        return self.groups[int(value)]

    @property
    def leaf_name(self) -> str:
        return self.name if any(_BARE.fullmatch(group.strip()) for group in self.groups) else ""

    def node_losses(self, tree: TreeArrays) -> np.ndarray:
        return tree.values.sum(axis=1) - tree.values[np.arange(tree.n_nodes), tree.labels]

    def summary(self, values: np.ndarray) -> tuple[float, ...]:
        total = values.sum()
        return tuple((values / total if total > 0 else np.full(values.size, np.nan)).tolist())

    def parts(self, tree: TreeArrays) -> tuple[str, ...]:
        return tuple(self.groups[position] for position in self.positions(tree).tolist())

    def difference(self, predicted: float, truth: float) -> str:
        return "correct" if predicted == truth else f"it is {self.text(truth)}"

    def change(self, before: tuple, after: tuple) -> str:
        """Return the text of at most three class shares that change, largest change first."""
        change = np.nan_to_num(np.subtract(after, before))
        order = [code for code in np.argsort(-np.abs(change), kind="stable")[:3].tolist() if change[code]]
        if not order:
            return "class shares unchanged"
        return ", ".join(
            f"{isolated(self.groups[code])}: {percent(before[code])} → {percent(after[code])}" for code in order
        )

    def leaf_counts(self, tree: TreeArrays) -> tuple:
        leaves = np.flatnonzero(tree.left < 0)
        values, sizes = tree.values[leaves], tree.n_samples[leaves]
        total = values.sum(axis=1)
        if not (np.array_equal(total, sizes) and np.array_equal(values, np.rint(values))):
            values = values / total[:, None] * sizes[:, None]  # convert weights to numbers of rows in the leaf
        counts = np.zeros((leaves.size, len(self.groups)), np.int64)
        counts[:, self.positions(tree)] = np.rint(values)
        right = counts[np.arange(leaves.size), self.outputs(tree)[leaves]]
        return counts, (counts.sum(axis=1) - right).astype(np.float64)

    def _are_codes(self, tree):
        labels = tree.classes
        return labels.dtype.kind in "iu" and labels.min() >= 0 and labels.max() < len(self.groups)


def _label(label):
    """Return a label, or None if it is missing (NaN)."""
    return label if label == label else None
