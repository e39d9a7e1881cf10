"""What the nodes of a tree show."""

from typing import NamedTuple

from treecore.tree.target import Target
from treecore.tree.tree import Tree


class TreeContents(NamedTuple):
    """nodes : list with the `NodeContent` of every node of `tree`, None where it was not asked for; target : `Target`;
    is_image : whether the rows are pictures; colors : {name of the theme: hex of each group}; branches : {decision:
    words of its left and its right branch}."""

    tree: Tree
    nodes: list
    target: Target
    is_image: bool
    colors: dict
    branches: dict[int, tuple[str, str]]
