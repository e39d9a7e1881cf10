"""`ScenePicture`: the current picture of a lesson for the devices of students, without its answer."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from sample_data import DataSet
from treecore.tree.tree import Tree
from viz.page.contest_html import image_html, lines_html, points_html
from viz.tree.thumbnails import small_drawings


@dataclass(frozen=True, eq=False)
class ScenePicture:
    """The rows and the tree on the stage.

    rows : numbers of the drawn rows; tree : Tree, or None if the stage shows points only.
    """

    data: DataSet
    rows: np.ndarray
    tree: Tree | None

    @property
    def is_plane(self) -> bool:
        """Test whether the rows are points of several classes in a plane."""
        return self.data.n_features == 2 and self.data.target.values_are_groups and not np.isnan(self.X).any()

    @property
    def X(self) -> np.ndarray:
        """Return the drawn rows, float64[n, k]."""
        return self.data.X[self.rows].astype(np.float64)


@lru_cache(maxsize=100)
def picture_layers(picture: ScenePicture, has_tree: bool, theme: str) -> tuple[str, ...]:
    """Return the layers of the picture as HTML, the lowest first; () if nothing can be drawn without the tree.

    has_tree : whether to draw the tree, which may contain the answer; theme : "light" or "dark".
    """
    data, tree = picture.data, picture.tree if has_tree else None
    if picture.is_plane:
        words = f"{len(picture.rows)} points from {data.title}"
        points = points_html(picture.X, data.y[picture.rows], words, theme)
        positions = None if tree is None else data.target.positions(tree)
        return (points,) if positions is None else (lines_html(picture.X, [], tree, None, positions, theme), points)
    if tree is None:
        return ()
    words = f"Tree with {tree.n_leaves:,} leaves for {data.title}"
    return (image_html(small_drawings([tree], theme)[0], words, "5 / 3"),)
