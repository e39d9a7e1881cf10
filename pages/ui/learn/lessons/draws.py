"""Draw a generated data set again, to check how far a claim of a lesson holds."""

from dataclasses import replace

import sample_data
from sample_data import DataSet, synthetic

SEEDS = range(11, 21)  # of ten draws that no lesson shows


def another(name: str, seed: int) -> DataSet:
    """Return a two-dimensional data set with as many new points from the same distribution."""
    data = sample_data.load(name)
    X, y = getattr(synthetic, name)(data.n_rows, seed=seed)
    return replace(data, X=X, y=y, split=None, source="generated for this lesson")
