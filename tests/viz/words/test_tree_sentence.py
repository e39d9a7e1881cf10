"""Test the sentence about a tree."""

from dataclasses import replace

import numpy as np
import pytest

from treecore import CARTClassifier
from viz.words.sentences import tree_sentence


@pytest.mark.parametrize(("name", "shown"), [("price", "price"), ("Is it late?", "'Is it late?'"), ("wow!", "'wow!'")])
def test_a_target_that_ends_with_a_mark_is_in_quotes(name, shown):
    X = np.arange(20.0)[:, None]
    tree = CARTClassifier(random_state=0).fit(X, X[:, 0] > 9).tree_
    found = tree_sentence(tree, replace(tree.target, name=name), 0.1, 50)
    assert found.startswith(f"One split predicts {shown}: 10.0 % wrong")
