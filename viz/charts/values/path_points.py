"""Trees of a path with the metrics that its figures show, read from any kind of object."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from treecore.errors import ParameterError
from treecore.messages import counted
from treecore.training.path import RegularizationPath
from treecore.tree.data_set_like import DataSetLike
from treecore.tree.tree import Tree
from viz.words.error_names import ERRORS, error_name
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
