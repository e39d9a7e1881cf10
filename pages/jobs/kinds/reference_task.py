"""The task of the reference of a path: CART on the same training rows."""

import time
from collections.abc import Iterator
from typing import Any

from sklearn.utils.class_weight import compute_sample_weight

from pages.jobs.kinds.training_task import TrainingTask
from treecore.baselines.cart import CARTClassifier, CARTRegressor
from treecore.training.path import PathPoint
from treecore.tree.metrics import error_of, tree_metrics
from viz.nodes.category_columns import grouped_columns
from viz.payload.reference_facts import errors_of_sizes

FOLDS = 10


class ReferenceTask(TrainingTask):
    """Grow CART and prune it by ten-fold cross-validation on the training rows.

    The trace of the record contains the errors of its other subtrees, in the order of their leaves.
    """

    is_whole = True

    def results(self, arguments: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield the record."""
        X, y = self.train_rows
        kind = CARTClassifier if self.data.target.values_are_groups else CARTRegressor
        missing = "learn" if self.data.has_missing else "error"
        weights = None if self.class_weight is None else compute_sample_weight(self.class_weight, y)
        categories = grouped_columns(self.data) if self.settings.get("categories") == "groups" else "features"
        model = kind(
            cv=FOLDS, rule="min", missing=missing, random_state=self.settings["seed"], categories=categories, n_jobs=-1
        )
        began = time.perf_counter()
        tree = model.fit(X, y, weights).tree_
        seconds = time.perf_counter() - began
        size = tree_metrics(tree)
        record = self.record(
            PathPoint(
                index=0,
                total=1,
                lam=0.0,
                tree=tree,
                train_error=error_of(tree, X, y, weights),
                validation_error=error_of(tree, *self.validating.values()) if self.validating else None,
                n_decision=size.n_decision,
                n_leaves=size.n_leaves,
                depth=size.depth,
                n_nonzero=size.n_nonzero,
                mean_path_length=size.mean_path_length,
                max_path_length=size.max_path_length,
                inference_cost=size.inference_cost,
                n_iter=0,
                seconds=seconds,
                is_weighted=weights is not None,
            )  # fmt: skip
        )
        sets = {"train": (X, y, weights)}
        if self.validating:
            sets["validation"] = (*self.validating.values(), None)
        if len(self.test[1]):
            sets["test"] = (*self.test, self.test_weights)
        yield record | {"trace": errors_of_sizes(model, sets)}
