"""Effect of one column on the predictions: the mean (partial dependence) and single rows (ICE)."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from treecore.explain.feature_effect import effect_grid, feature_effect
from treecore.tree.data_set_like import DataSetLike
from treecore.tree.tree import Tree
from viz.words.row_words import column_texts, open_category

MOST_ROWS, SINGLE_ROWS = 400, 40


class FeatureEffects(NamedTuple):
    """Predictions for some rows as the value of one column varies.

    column, predicted : labels of the column and of the prediction
    kind : kind of the column, one of `treecore.tables.table_columns.KINDS`
    texts : g values of the column as texts
    values : float64[g], positions of these values
    rows : float64[g, n], predictions for single rows
    mean : float64[g], means over all rows
    places : values of the rows, as texts of dates or as numbers
    """

    column: str
    predicted: str
    kind: str
    texts: tuple[str, ...]
    values: np.ndarray
    rows: np.ndarray
    mean: np.ndarray
    places: list

    @property
    def description(self) -> str:
        """Describe the lowest and the highest mean."""
        low, high = int(self.mean.argmin()), int(self.mean.argmax())
        return (
            f"{self.predicted} when only {self.column} changes: from {self.mean[low]:.3g} at "
            f"{self.texts[low]} to {self.mean[high]:.3g} at {self.texts[high]}"
        )


def feature_effects(
    tree: Tree, data: DataSetLike, rows: np.ndarray, column: str, features: Sequence[int], place: int, predicted: str
) -> FeatureEffects | None:
    """Return the `FeatureEffects` of a column on the probability of one class, or None if no row has a value.

    place : index of the class of the tree
    rows : int[n], row numbers of the data. At most 400 of them are used, evenly spaced.
    """
    X = np.asarray(data.X[rows[:: -(-len(rows) // MOST_ROWS)]], np.float64)
    if (is_open := open_category(data, features)) is None:
        values = effect_grid(tree, X, features[0])[:, None]
    else:
        # A row without any of these categories has another category.
        values = np.eye(len(features) + is_open, len(features))
    if not values.size:
        return None
    kind, texts = column_texts(data, features, values)
    curves = feature_effect(tree, X, features, values)[:, :, place]
    single = slice(None, None, max(1, len(X) // SINGLE_ROWS))
    there = X[single][:, list(features)]
    there = there[np.isfinite(there[:, 0])]
    places = column_texts(data, features, there)[1] if kind == "date" else there[:, 0].tolist()
    mean, rows = curves.mean(axis=1), curves[:, single]
    return FeatureEffects(column, predicted, kind, tuple(texts), values[:, 0], rows, mean, places)
