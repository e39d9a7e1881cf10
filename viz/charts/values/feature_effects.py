"""Effect of one column on the predictions: their mean (partial dependence) and single rows (ICE)."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from treecore.explain.feature_effect import effect_grid, feature_effect
from treecore.tree.data_set_like import DataSetLike
from treecore.tree.tree import Tree
from viz.words.row_words import column_texts, open_category

MOST_ROWS, SINGLE_ROWS = 400, 40


class FeatureEffects(NamedTuple):
    """Predictions of some rows for several values of one column.

    column, predicted : labels of the column and of the prediction; kind : of the column, one of
    `treecore.tables.table_columns.KINDS`; texts : of the g values; values : float64[g], their positions; rows :
    float64[g,
    n], predictions of single rows; mean : float64[g], over all rows; places : values of the rows, as texts of dates or
    as numbers.
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
    """Return `FeatureEffects` of a column on the share of the class at `place` of a tree, or None if no row has a
    value.

    rows : int[n] of the data, of which at most 400 are used, evenly spaced.
    """
    X = np.asarray(data.X[rows[:: -(-len(rows) // MOST_ROWS)]], np.float64)
    if (is_open := open_category(data, features)) is None:
        values = effect_grid(tree, X, features[0])[:, None]
    else:
        values = np.eye(len(features) + is_open, len(features))  # a row without a category has another category
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
