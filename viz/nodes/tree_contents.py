"""Contents of all nodes of a tree."""

from typing import NamedTuple

from treecore.statistics.node_statistic import NodeStatistic
from treecore.tree.number_text import count
from treecore.tree.target import Target
from treecore.tree.tree import Tree
from viz.nodes.figures import Figures


class TreeContents(NamedTuple):
    """Contents of all nodes of a tree, with their common properties.

    nodes : list of the `NodeContent` of every node of `tree`, None for nodes that were not requested
    target : `Target`
    image_shape : (height, width) of the images in the rows, or None
    colors : {theme name: hex colour of each group}
    branches : {decision node: (text of the left branch, text of the right branch)}
    statistics : {view of the node: its `NodeStatistic`}
    """

    tree: Tree
    nodes: list
    target: Target
    image_shape: tuple[int, int] | None
    colors: dict
    branches: dict[int, tuple[str, str]]
    statistics: dict[str, list[NodeStatistic]]

    @property
    def is_image(self) -> bool:
        """Return whether the rows are images."""
        return self.image_shape is not None

    def phrases(self, face: str, figures: Figures, is_bare: bool = False) -> list[str]:
        """Return the text of each statistic of a node for one view of it.

        is_bare : whether the first text is the value alone
        """
        words = {"set": "the rows", "n_rows": count(figures.n), "n_all_rows": count(figures.n_all)}
        found = [(one, figures.statistics[one.name]) for one in self.statistics[face] if one.name in figures.statistics]
        phrases = [one.phrase(face, value, self.target, **words) for one, value in found]
        return [found[0][0].text(found[0][1], self.target), *phrases[1:]] if is_bare and phrases else phrases
