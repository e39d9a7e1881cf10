"""Attributes of C5.0: numeric features unchanged, and one column of codes for each categorical column."""

import numpy as np

from treecore.data.feature_encoder import FeatureEncoder


def attributes(features: np.ndarray, encoder: FeatureEncoder) -> tuple:
    """Convert encoded features to attributes and return (columns, n_values).

    features : [d, n], any dtype; encoder : FeatureEncoder that made them. columns : float64[a, n], one row per column
    of X: numbers, or codes 0 .. v - 1 of categories; NaN for a missing value or an unknown category. n_values :
    int64[a], number v of categories, 0 for numbers.
    """
    if encoder.columns is None:
        return np.ascontiguousarray(features, np.float64), np.zeros(features.shape[0], np.int64)
    n_values = np.array([len(categories or ()) for categories in encoder.columns], np.int64)
    columns = np.empty((n_values.size, features.shape[1]))
    for column, group, values in zip(columns, encoder.groups, n_values, strict=True):
        flags = features[group.start : group.stop]
        column[:] = np.where(flags.max(axis=0) == 1, flags.argmax(axis=0), np.nan) if values else flags[0]
    return columns, n_values


def attribute_names(encoder: FeatureEncoder) -> list:
    """Return the list of column names of X, with names such as ``x3`` for unnamed columns."""
    if encoder.columns is not None:
        return encoder.names
    return list(encoder.feature_names or (f"x{column}" for column in range(len(encoder.groups))))
