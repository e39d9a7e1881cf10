"""Draw the trees of a forest as thumbnails in one figure."""

from __future__ import annotations

import contextlib
from typing import Any

from treecore.docstrings import filled
from treecore.errors import ParameterError, TreecoreError
from treecore.foreign.foreign_model import ForeignModel
from treecore.foreign.sources import foreign_model
from treecore.parameter_checks import check_whole
from viz.drawing.check_output import check_theme
from viz.drawing.figure_entries import FIGURE
from viz.palette import THEMES
from viz.tree.thumbnails import HEIGHT, WIDTH, thumbnails

MOST = 50  # maximum number of trees in a figure
COLUMNS, GAP, CAPTION = 6, 14, 18


def forest_of(model: Any) -> ForeignModel | None:
    """Return the `ForeignModel` of a fitted model with several trees, or None for other models."""
    with contextlib.suppress(TreecoreError):  # The reader of single trees reports why it rejects this model.
        return _forest(model)
    return None


def _forest(model):
    found = model if isinstance(model, ForeignModel) else foreign_model(getattr(model, "best_estimator_", model))
    return found if found is not None and found.n_trees > 1 else None


@filled(FIGURE)
def forest_strip(model: Any, first: int = 0, most: int = MOST, theme: str = "light") -> bytes:
    """Draw the trees of a forest side by side, each with its number and number of leaves.

    To get one of the trees, use ``treecore.from_sklearn(model, tree=3)`` or a similar function, or
    ``model.estimators_[3]`` for a forest of treecore.

    Parameters
    ----------
    model : fitted forest
        Forest of treecore or scikit-learn, a search or pipeline that ends with such a forest, or an XGBoost, LightGBM
        or ONNX model with several trees.
    first : int, default=0
        Number of the first tree.
    most : int, default=50
        Number of trees to draw, 1 to 50.
    {theme}

    Returns
    -------
    bytes
        SVG text.

    Raises
    ------
    ParameterError
        If `model` is not a forest, or a number is out of range.
    TreeFormatError
        If the trees of the forest are not supported (see `treecore.from_sklearn`).

    See Also
    --------
    figure : Draws one tree.

    Examples
    --------
    >>> import viz
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> viz.forest_strip(RandomForestClassifier(5, random_state=0).fit(X, y))[:4]
    b'<svg'
    """
    check_theme(theme)
    check_whole(most, "most", 1)
    check_whole(first, "first", 0)
    forest = None
    with contextlib.suppress(ParameterError):  # raised for models that are not forests
        forest = _forest(model)
    if forest is None:
        raise ParameterError(f"model={type(model).__name__}: expected a fitted forest (a model of several trees).")
    if most > MOST or first >= forest.n_trees:
        raise ParameterError(
            f"first={first}, most={most}: expected first from 0 to {forest.n_trees - 1}, and most from 1 to {MOST}."
        )
    trees = [forest.tree(number) for number in range(first, min(first + most, forest.n_trees))]
    columns = min(COLUMNS, len(trees))
    cell = WIDTH + GAP, HEIGHT + CAPTION + GAP
    width, height = columns * cell[0] + GAP, -(-len(trees) // columns) * cell[1] + GAP
    look, parts = THEMES[theme], []
    for place, (tree, picture) in enumerate(zip(trees, thumbnails(trees, theme), strict=True)):
        row, column = divmod(place, columns)
        x, y = GAP + column * cell[0], GAP + row * cell[1]
        leaves = f"{tree.n_leaves:,} {'leaf' if tree.n_leaves == 1 else 'leaves'}"
        parts.append(
            f'<g transform="translate({x} {y})"><text y="12" font-size="12" font-family="sans-serif" '
            f'fill="{look.text}">Tree {first + place} · {leaves}</text>'
            f'<g transform="translate(0 {CAPTION})">{picture}</g></g>'
        )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
        f'<rect width="{width}" height="{height}" fill="{look.background}"/>{"".join(parts)}</svg>'
    ).encode()
