"""Provide trees that several test files share."""

import pytest

from tests.treecore.rules.round_trip_trees import BUNDLED, examples


@pytest.fixture(scope="session")
def matrix():
    """Return tuples (name, tree, its Example, its predictions). Trees with equal features are adjacent."""
    return [
        (f"{kind}, {name}", tree, example, example.answers(tree))
        for name in BUNDLED
        for example in examples(name).values()
        for kind, tree in example.trees.items()
    ]
