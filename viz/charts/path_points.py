"""Trees of a path with the metrics of its figures, read from any kind of object, and their curves over lambda."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from treecore.errors import ParameterError
from treecore.messages import counted
from treecore.training.path import RegularizationPath
from treecore.tree.data_set_like import DataSetLike
from treecore.tree.tree import Tree
from viz.palette import ERROR_COLORS, SIZE_COLORS, THEMES
from viz.words.error_names import ERRORS, error_name, weighted
from viz.words.text_fit import UNKNOWN

FIGURES = ("validation_error", "test_error", "train_error", "validation_spread")
FIGURES += ("cross_validated_error", "cross_validated_spread")
RECOMMENDED = {"one_se": "simplest good tree", "min": "best tree"}


class PathTree(NamedTuple):
    """Tree of a path with its errors: shares in [0, 1] for classification, other values for regression, or None.

    is_weighted : whether rows count with their class weights
    cross_validated_error : mean over the folds at the same lambda; its standard error is a separate field
    is_simplified : whether subtrees were regrown, which the trees of the folds were not
    size : number of leaves for which the tree was trained, or None
    """

    lam: float
    tree: Tree
    validation_error: float | None
    test_error: float | None
    train_error: float | None
    # standard error of the validation error; if it is None, the standard error of a share is computed
    validation_spread: float | None = None
    is_weighted: bool = False
    cross_validated_error: float | None = None
    cross_validated_spread: float | None = None
    is_simplified: bool = False
    size: float | None = None

    @property
    def place(self) -> str:
        """Value of lambda, or number of leaves of a tree that was trained for its size."""
        return f"λ = {number_text(self.lam)}" if self.size is None else counted(self.tree.n_leaves, "leaf")

    def named_errors(self) -> list[tuple]:
        """Return a list of (name, error) of the known errors, the most relevant to new data first."""
        known = ((name, getattr(self, name)) for name in ERRORS)
        return [(error_name(name, self.is_weighted), error) for name, error in known if error is not None]


def path_points(path: RegularizationPath | Sequence) -> list:
    """Return a list of `PathTree` in order of lambda. Trees that were trained for a size are in decreasing order.

    Raise ParameterError if the path is empty.

    path : RegularizationPath, or objects with `lam`, `tree` and optional errors, as attributes or in a dict `figures`
    """
    if isinstance(path, Tree):
        raise ParameterError(
            "path is a Tree: expected a RegularizationPath, or a sequence of points. Use figure(tree)."
        )
    points = []
    for p in path:
        known: dict[str, Any] = {name: figure_of(p, name) for name in (*FIGURES, "size")}
        known |= {name: bool(figure_of(p, name)) for name in ("is_weighted", "is_simplified")}
        points.append(PathTree(float(p.lam), p.tree, **known))
    if not points:
        raise ParameterError("path is empty: expected at least one tree.")
    return sorted(points, key=lambda point: _order(point, point.size))


def place_of(path: RegularizationPath | Sequence, index: int) -> int:
    """Return the index in `path_points` of the tree with this index on the path."""
    keys = [_order(p, figure_of(p, "size")) for p in path]
    return sorted(range(len(keys)), key=keys.__getitem__).index(index)


def _order(point, size):
    return float(point.lam) if size is None else -size


def figure_of(point: Any, name: str) -> float | None:
    """Return a value of a point, which is an attribute or in the dict `figures`, or None."""
    value = getattr(point, name, None)
    value = getattr(point, "figures", {}).get(name) if value is None else value
    return None if value is None else float(value)


def recommended(path: RegularizationPath | Sequence) -> dict[str, int]:
    """Return {rule: index of the recommended tree, in order of lambda}, or {} if there are no errors to select by.

    "min" has the smallest error of `judged`. "one_se" is the simplest tree within one standard error of "min", if the
    number of validation rows or of folds is known.
    """
    known = judged(path)
    if known is None:
        return {}
    return {rule: known.best_index(rule) for rule in (("one_se", "min") if known.has_spread else ("min",))}


class Judged(NamedTuple):
    """Path with the errors that select a tree.

    path : RegularizationPath whose validation errors are these errors
    name : name of the errors, one of `ERRORS`
    has_spread : whether their standard errors are known
    eligible : indices of the trees with errors of their own; others have that of the path at their lambda
    """

    path: RegularizationPath
    name: str
    has_spread: bool
    eligible: tuple[int, ...]

    def best_index(self, rule: str) -> int:
        """Return the index of the tree that a rule, "min" or "one_se", selects among the eligible ones."""
        part = RegularizationPath(tuple(self.path[index] for index in self.eligible), self.path.n_validation)
        return self.eligible[part.best_index(rule)]


def judged(path: RegularizationPath | Sequence) -> Judged | None:
    """Return the `Judged` path: by cross-validated errors if all trees have them, otherwise by validation errors."""
    points = path_points(path)
    if all(point.cross_validated_error is not None for point in points):
        crossed = (
            point._replace(validation_error=point.cross_validated_error, validation_spread=point.cross_validated_spread)
            for point in points
        )
        eligible = tuple(index for index, point in enumerate(points) if not point.is_simplified)
        return Judged(RegularizationPath(tuple(crossed), 1), "cross_validated_error", True, eligible)
    if any(point.validation_error is None for point in points):
        return None
    n_validation = number_of_validation_rows(path)
    return Judged(
        RegularizationPath(tuple(points), n_validation or 1),
        "validation_error",
        n_validation > 0,
        (*range(len(points)),),
    )


def number_of_validation_rows(path: RegularizationPath | Sequence) -> int:
    """Return the number of validation rows of a path, 0 if unknown."""
    return int(getattr(path, "n_validation", 0) or figure_of(path[0], "n_validation") or 0)


def weighted_errors(points: Sequence, set_name: str) -> np.ndarray | None:
    """Return float64[n], the weighted errors of points, NaN if unknown, or None.

    The result is None if the rows are not weighted, or if no point has a weighted error.

    set_name : "train", "validation" or "test"
    """
    values = np.array(
        [figure_of(p, f"{set_name}_error") if figure_of(p, "is_weighted") else None for p in points], np.float64
    )
    return None if np.isnan(values).all() else values


def summary(point: PathTree) -> list[str]:
    """Return the size and the errors of a tree as texts: `["17 leaves", "validation error 8.2 %"]`."""
    target = point.tree.target
    leaves = point.tree.n_leaves
    texts = [f"{leaves} {'leaf' if leaves == 1 else 'leaves'}"]
    return texts + [f"{name} {target.error_text(error)}" for name, error in point.named_errors()[:1]]


def path_places(points: Sequence[PathTree]) -> np.ndarray:
    """Return lambda of each tree, or minus the leaves of a tree trained for its size: float64[n], increasing."""
    return np.array([point.lam if point.size is None else -point.tree.n_leaves for point in points], np.float64)


def number_text(value: float) -> str:
    """Format a positive number with three significant digits, without an exponent if the number is short."""
    return f"{value:.0f}" if 1e3 <= value < 1e6 else f"{value:.3g}"


def errors_of(points: Sequence[PathTree], name: str) -> np.ndarray | None:
    """Return errors as float64[n], NaN if unknown, or None if no tree has them.

    The errors are in percent for classification, else in the unit of the target.
    """
    scale = points[0].tree.target.error_scale
    values = np.array([np.nan if getattr(p, name) is None else getattr(p, name) * scale for p in points])
    return None if np.isnan(values).all() else values


def title_of(data: DataSetLike) -> str:
    """Return the title of a data set on one line."""
    title = str(getattr(data, "title", "") or getattr(data, "name", "") or "")
    return "".join(c if c.isprintable() else UNKNOWN for c in title)


ERROR_CURVES = (("train_error", "training"), ("validation_error", "validation"), ("test_error", "test"))
SIZE_CURVES = ("leaves", "features per node", "mean path length")
DASHES = ((4, 3), None, (8, 3))
CROSSED = "cross_validated_error", "cross_validated_spread"
SIZE_TICKS = (0, 1, 3, 10, 30, 100, 300, 1000, 3000)


class Curve(NamedTuple):
    """One curve.

    values : float64[n], NaN if unknown
    colors : {theme name: hex}
    dashes : pixels on and off, or None
    spreads : float64[n], half the height of the band around the curve, or None
    """

    label: str
    values: np.ndarray
    colors: dict
    dashes: tuple | None = None
    spreads: np.ndarray | None = None


class Panel(NamedTuple):
    """Curves on one axis.

    top : end of the axis; curves may exceed it
    is_log : whether the axis is scaled like log(1 + value)
    """

    title: str
    curves: tuple
    ticks: tuple
    top: float
    is_log: bool = False


def error_panel(points: Sequence[PathTree], n_ticks: int = 5) -> Panel | None:
    """Return the `Panel` of the errors, or None if the points have no errors.

    The errors are in percent for classification, else in the unit of the target.
    """
    curves = [
        Curve(label, values, _by_theme(ERROR_COLORS, place), DASHES[place])
        for place, (name, label) in enumerate(ERROR_CURVES)
        if (values := errors_of(points, name)) is not None
    ]
    if not curves:
        return None
    if (crossed := errors_of(points, CROSSED[0])) is not None:
        colors = {name: theme.text for name, theme in THEMES.items()}
        curves.append(Curve("cross-validated", crossed, colors, (2, 2), errors_of(points, CROSSED[1])))
    target = points[0].tree.target
    least = target.error_scale * target.least_error
    top = target.top_of_axis(_highest_error(points, np.concatenate([curve.values for curve in curves]), least))
    even = _even_ticks(top, n_ticks)
    ticks = tuple(tick for place, tick in enumerate(even) if place < 2 or tick <= max(top, least) * 1.001)
    return Panel(weighted(target.axis_title, points[0].is_weighted), tuple(curves), ticks, max(top, ticks[-1]))


def _highest_error(points, errors, least):
    """Return the top of the error axis, which the smallest trees may exceed because they are often far worse.

    The axis covers `least`, the recommended trees and most cross-validated errors. From the largest tree to the
    simplest recommended tree, it covers all cross-validated errors with their band. It covers all errors if that is
    not much higher.
    """
    errors = np.sort(errors[np.isfinite(errors)])
    most = max(float(errors[-1]), least)
    needed = [
        float(values[index])
        for index in recommended(points).values()
        for name, _ in ERROR_CURVES
        if (values := errors_of(points, name)) is not None and np.isfinite(values[index])
    ]
    if (crossed := errors_of(points, CROSSED[0])) is not None:
        spreads = errors_of(points, CROSSED[1])
        band = crossed if spreads is None else crossed + np.nan_to_num(spreads)
        needed.append(float(np.nanmax(band[: max(recommended(points).values()) + 1], initial=0.0)))
        known = np.sort(crossed[np.isfinite(crossed)])
        needed.append(float(known[int(0.65 * (known.size - 1))]) if known.size else 0.0)
    top = max(least, 1.6 * float(errors[int(0.65 * (errors.size - 1))]), *(1.2 * value for value in needed))
    return most * 1.05 if top > 0.6 * most else top


def size_panel(points: Sequence[PathTree]) -> Panel:
    """Return the `Panel` of the sizes of the trees."""
    trees = [point.tree for point in points]
    sizes = (
        [tree.n_leaves for tree in trees],
        [tree.features_per_node for tree in trees],
        [tree.n_samples[tree.left >= 0].sum() / max(tree.n_samples[0], 1) for tree in trees],
    )
    curves = tuple(
        Curve(label, np.array(values, float), _by_theme(SIZE_COLORS, place), DASHES[place])
        for place, (label, values) in enumerate(zip(SIZE_CURVES, sizes, strict=True))
    )
    top = 1.15 * max(2.0, *(float(curve.values.max()) for curve in curves))
    return Panel("size", curves, tuple(tick for tick in SIZE_TICKS if tick <= top), top, is_log=True)


def _by_theme(colors, place):
    return {theme: own[place] for theme, own in colors.items()}


def _even_ticks(top, count):
    """Return round numbers from 0 to at least `top`."""
    step = max(top, 1e-9) / count
    power = 10.0 ** np.floor(np.log10(step))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= step * (1 - 1e-9))
    return tuple(float(tick) for tick in step * np.arange(np.ceil(top / step - 1e-9) + 1)) if top > 0 else (0.0, 1.0)
