"""Test exports of very deep and very large trees."""

import numpy as np
import pytest

from tests.treecore.export.export_examples import RUNNERS, hard_rows, predicted, random_tree


@pytest.fixture(scope="module")
def examples():
    """Return trees with 5000 leaves, with more than 400 levels, and complete to depth 10, with rows."""
    rng = np.random.default_rng(0)
    m = 2**11 - 1
    leaves = np.arange(m) >= 2**10 - 1
    kept = [
        random_tree(rng, 5000, most_terms=1), random_tree(rng, 1200, chain=True, missing=True),
        random_tree(
            rng, 2**10, left=np.where(leaves, -1, 2 * np.arange(m) + 1), missing=True,
            right=np.where(leaves, -1, 2 * np.arange(m) + 2), indptr=np.cumsum(np.r_[0, ~leaves]),
            features=rng.integers(0, 4, m // 2), weights=rng.standard_normal(m // 2),
        ),
    ]  # fmt: skip
    assert kept[1].depth > 400
    return kept, [hard_rows(tree, rng, n_random=30, n_nodes=10) for tree in kept]


@pytest.mark.parametrize("target", RUNNERS)
def test_large_trees(target, examples, tmp_path):
    kept, tables = examples
    assert RUNNERS[target](kept, tables, tmp_path) == [predicted(*pair) for pair in zip(kept, tables, strict=True)]
