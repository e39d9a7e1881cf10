"""Test the bins of feature values."""

import numpy as np

from tests.each import each
from treecore.data.bins import MISSING, MOST_EDGES, code_rows, empty_ranges


@each("seed", range(30))
def test_codes_count_the_edges_up_to_a_value(seed):
    random = np.random.default_rng(seed)
    n = int(random.integers(1, 3000))
    kinds = (
        random.normal(size=n), random.integers(0, 5, n) * 1.0, np.exp(random.normal(0, 20, n)),
        random.normal(0, 1e-300, n), random.normal(0, 1e308, n), random.normal(1e9, 1e-6, n),
        np.where(random.random(n) < 0.1, -np.inf, random.normal(size=n)),
    )  # fmt: skip
    X = np.stack(kinds, axis=1)
    X[random.random(X.shape) < 0.05] = np.nan
    edges = np.full((len(kinds), MOST_EDGES), np.inf)
    for j, column in enumerate(X.T):
        some = column[np.isfinite(column)][: int(random.integers(0, 300))]
        near = some[:1].repeat(50) + np.arange(50) * np.spacing(np.abs(some[:1]).repeat(50))
        own = np.unique(np.concatenate([near, some]))[:MOST_EDGES]
        edges[j, : own.size] = own
    codes = np.empty(X.shape, np.uint8)
    lows, highs = empty_ranges(len(kinds))
    code_rows(X, np.arange(len(kinds), dtype=np.int32), edges, np.isfinite(edges).sum(axis=1), codes, lows, highs)
    for own, column, found in zip(edges, X.T, codes.T, strict=True):
        expected = np.searchsorted(own[np.isfinite(own)], column, side="right")
        assert np.array_equal(found, np.where(np.isnan(column), MISSING, expected))
    j, code = np.argwhere(np.isfinite(lows))[-1]
    own = X[codes[:, j] == code, j]
    assert (lows[j, code], highs[j, code]) == (own.min(), own.max())
