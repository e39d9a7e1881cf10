"""Test that a tree without errors is doubted, with the columns that separate the classes."""

import numpy as np
import pandas
import pytest

from treecore import CARTClassifier
from viz.words.sentences import tree_doubt


def grown(n_columns):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (300, 3)).astype(float)
    y = X[:, :n_columns].astype(int) @ [1, 2][:n_columns]
    return CARTClassifier(random_state=0).fit(pandas.DataFrame(X, columns=["paid", "sent", "x"]), y).tree_


@pytest.mark.parametrize(("n_columns", "words"), [(1, "'paid' repeats the target."), (2, "repeat the target.")])
def test_a_tree_without_errors_is_doubted(n_columns, words):
    tree = grown(n_columns)
    found = tree_doubt(tree, tree.target, 0.0)
    assert found.startswith("Too good to be true: ")
    assert found.endswith(words)
    assert ("'sent'" in found) == (n_columns == 2)
    assert tree_doubt(tree, tree.target, 0.0003) == found  # shown as 0.0 %
    assert tree_doubt(tree, tree.target, 0.02) == tree_doubt(tree, tree.target, None) == ""
