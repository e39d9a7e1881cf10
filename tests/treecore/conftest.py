"""Trees that several files of tests share."""

import pytest

from tests.treecore.rules.round_trip_trees import BUNDLED, examples


@pytest.fixture(scope="session")
def matrix():
    """Tuples of a name, a tree, its Example and its answers; trees with the same features follow each other."""
    return [
        (f"{kind}, {name}", tree, example, example.answers(tree))
        for name in BUNDLED
        for example in examples(name).values()
        for kind, tree in example.trees.items()
    ]
