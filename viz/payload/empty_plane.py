"""Empty plane that can be painted on the stage."""

from collections.abc import Sequence

import numpy as np

from treecore.tree.tree import Tree
from viz.payload.stage_payload import stage_payload
from viz.tree.bare_data import BareData


def empty_plane(feature_names: Sequence[str], class_names: Sequence[str], title: str) -> bytes:
    """Return bytes for a stage with a single leaf over two features, without rows."""
    leaf = Tree(
        left=[-1], right=[-1], indptr=[0, 0], features=[], weights=[], bias=[0.0], labels=[0],
        values=np.eye(1, len(class_names)), n_samples=[0], origin=[0], classes=np.array(class_names), n_features=2,
    )  # fmt: skip
    rows = np.empty((0, 2)), np.empty(0, np.int64)
    return stage_payload(leaf, BareData(*rows, tuple(feature_names), tuple(class_names), "empty", title))
