"""Contents of every node of a tree as plain data, which all figures use."""

from collections.abc import Iterable

import numpy as np

from treecore.statistics.declared import STATISTICS
from treecore.statistics.node_statistic import in_face
from treecore.tree.data_set_like import DataSetLike
from treecore.tree.tree import Tree
from viz.nodes.category_content import CategoryContent
from viz.nodes.leaf import ImageLeaf, LeafContent, NumberLeaf
from viz.nodes.linear_leaf import ImageModel, LinearLeaf
from viz.nodes.node_kinds import KINDS
from viz.nodes.node_maker import NodeMaker
from viz.nodes.projection import Projection
from viz.nodes.scatter import SplitScatter
from viz.nodes.tree_contents import TreeContents
from viz.nodes.weight_image import WeightImage
from viz.palette import THEMES, group_colors

CLASSES = {  # {kind: class of the content}
    "image model": ImageModel,
    "linear leaf": LinearLeaf,
    "image leaf": ImageLeaf,
    "number leaf": NumberLeaf,
    "class leaf": LeafContent,
    "image": WeightImage,
    "categories in the plane": CategoryContent,
    "categories of two features": CategoryContent,
    "categories": CategoryContent,
    "plane": SplitScatter,
    "constant": Projection,
    "difference": Projection,
    "univariate": Projection,
    "bivariate": SplitScatter,
    "oblique": Projection,
}
if CLASSES.keys() != {kind.name for kind in KINDS}:
    raise ValueError("Every kind of node needs a class of its content.")


def node_contents(
    tree: Tree, data: DataSetLike, rows: np.ndarray | None = None, nodes: Iterable[int] | None = None
) -> TreeContents:
    """Return the `TreeContents` of `tree`, or of a subset of its nodes.

    data : DataSet of the training
    rows : int[k], the displayed rows, None for all. The axes cover all rows.
    nodes : the nodes to include, None for all
    """
    maker = NodeMaker(tree, data, rows)
    requested = set(range(tree.n_nodes) if nodes is None else map(int, nodes))
    found = [
        CLASSES[maker.kind(node).name].of(maker, node, maker.figures(node)) if node in requested else None
        for node in range(tree.n_nodes)
    ]
    return TreeContents(
        tree,
        found,
        maker.target,
        data.image_shape,
        {theme: group_colors(maker.target, data.y, theme) for theme in THEMES},
        {
            node: maker.words(node)[:0:-1]
            for node, content in enumerate(found)
            if content is not None and not content.kind.is_leaf
        },
        {face: in_face(STATISTICS.values(), face, maker.target, maker.statistics) for face in ("inspector", "leaf")},
    )
