"""`LEAF_KINDS`: the kinds of leaves by name.

The parameter `leaf`, the texts of the app and files of trees read this table.
"""

from collections.abc import Mapping

from treecore.tree.leaf_model import ConstantLeaves, LeafModel
from treecore.tree.linear_leaves import LinearLeaves

LEAF_KINDS: Mapping[str, type[LeafModel]] = {kind.kind: kind for kind in (ConstantLeaves, LinearLeaves)}
