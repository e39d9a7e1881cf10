"""`PartEncoding`: features, class codes and weights of the rows of a part."""

from typing import Any

import numpy as np

from treecore.data.feature_encoder import FeatureEncoder
from treecore.errors import DataError
from treecore.node_solvers import SPLITS
from treecore.training.partitions.sources.row_checks import check_values, naming
from treecore.training.partitions.sources.row_files import changed_file
from treecore.training.partitions.sources.row_source import PartRows


class PartEncoding:
    """Function of the rows of a part that returns (features [n, d], targets [n], weights float64[n] or None).

    encoder : fitted FeatureEncoder; estimator : the estimator that it belongs to; classes : sorted labels, or None for
    numbers; balance : float64[k], weight of each class, or None.
    """

    def __init__(
        self, encoder: FeatureEncoder, estimator: Any, classes: np.ndarray | None, balance: np.ndarray | None
    ) -> None:
        self.encoder, self.estimator, self.classes, self.balance = encoder, estimator, classes, balance

    def __call__(self, rows: PartRows, part: str) -> tuple:
        """Return the features, targets and weights. part : name for messages. Raise DataError for unusable rows."""
        X = rows.X
        if self.encoder.columns is None and not hasattr(X, "iloc"):
            X = np.asarray(X)
            split = getattr(self.estimator, "split", "univariate")
            missing = self.encoder.missing and SPLITS[split].takes_missing
            check_values(X, part, missing, self.encoder.feature_names)
        elif not len(X):
            X = np.empty((0, self.encoder.groups[-1].stop))
        else:
            with naming(part):
                X = self.encoder.transform(self.estimator, X)
        y = np.asarray(rows.y)
        weights = None if rows.weights is None else np.asarray(rows.weights, np.float64)
        if self.classes is None:
            y = y.astype(np.float64)
        else:
            codes = np.minimum(np.searchsorted(self.classes, y), self.classes.size - 1)
            if not np.array_equal(self.classes[codes], y):
                raise DataError(changed_file(part))
            y = codes.astype(np.min_scalar_type(max(self.classes.size - 1, 1)))
            if self.balance is not None:
                own = self.balance[y]
                weights = own if weights is None else weights * own
        if weights is not None and not (weights > 0).all():
            keep = weights > 0
            X, y, weights = X[keep], y[keep], weights[keep]
        return X, y, weights
