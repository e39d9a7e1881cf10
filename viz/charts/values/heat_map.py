"""Maps of the errors of a comparison: errors by class (or range of numbers) and method, or a confusion matrix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from treecore.comparison.comparison import Comparison
from treecore.tree.number_text import number
from viz.charts.values.color_scale import ColorScale
from viz.palette import MAP_RAMPS, colors_on, text_on

MOST_NUMBERS = 12  # maximum number of columns with numbers in the cells


class HeatMap(NamedTuple):
    """Cells coloured from 0 up.

    values : float64[rows, columns], NaN for empty cells
    texts : str[rows, columns], texts in the cells
    details : more values of the cells, as {name: array[rows, columns]}
    row_title, column_title, value_title : labels of the axes and of the values
    value_texts : str[rows, columns], the values as texts
    unit : unit of the values
    least : minimum for the value of the deepest colour
    """

    values: np.ndarray
    texts: np.ndarray
    details: dict
    row_names: tuple[str, ...]
    column_names: tuple[str, ...]
    row_title: str
    column_title: str
    value_title: str
    value_texts: np.ndarray
    unit: str = "%"
    least: float = 1.0

    @property
    def largest(self) -> float:
        """Return the value of the deepest colour."""
        return max(float(np.nanmax(self.values)) if np.isfinite(self.values).any() else 0.0, self.least)

    @property
    def has_numbers(self) -> bool:
        """Return whether the texts fit in the cells."""
        return len(self.column_names) <= MOST_NUMBERS

    def scale(self, theme: str) -> ColorScale:
        """Return the `ColorScale` of the values."""
        ticks = tuple((share, number(share * self.largest)) for share in (0.0, 0.5, 1.0))
        return ColorScale(MAP_RAMPS[theme]["sequential"], ticks)

    def inks(self, theme: str) -> np.ndarray:
        """Return str[rows, columns]: hex colours of the texts in the cells. The text of an empty cell is empty."""
        shares = np.nan_to_num(self.values).ravel() / self.largest
        inks = [text_on(color) for color in colors_on(MAP_RAMPS[theme]["sequential"], shares)]
        return np.array(inks).reshape(self.values.shape)

    @property
    def description(self) -> str:
        """Describe the map and its largest value."""
        text = f"Heat map of {self.value_title} by {self.row_title} and {self.column_title}"
        if not np.isfinite(self.values).any():
            return text
        row, column = np.unravel_index(np.nanargmax(self.values), self.values.shape)
        largest = f"{self.value_texts[row, column]} {self.unit}".rstrip()
        return f"{text}; largest: {largest} at {self.row_names[row]}, {self.column_names[column]}"


def class_error_map(found: Comparison, methods: Sequence[str], order: Sequence[str] | None = None) -> HeatMap | None:
    """Return a `HeatMap` of the error of each method (row) on each class or range of numbers (column).

    found : Comparison
    methods : keys of the methods
    order : names of the classes in display order, or None
    """
    names, turn = _ordered_groups(found, order)
    target, titles = found.target, tuple(found.methods[name] for name in methods)
    errors = np.array([found.group_errors(name)[turn] for name in methods])
    counts = np.array([found.confusion(name) for name in methods])
    rows, right = counts.sum(axis=2)[:, turn], np.diagonal(counts, axis1=1, axis2=2)[:, turn]
    details = {f"predicted as another {target.noun}": rows - right, "rows": rows}
    texts = np.array([["" if np.isnan(error) else target.bare_error_text(error) for error in row] for row in errors])
    return HeatMap(
        target.error_scale * errors, texts, details, titles, names, "method", target.title, target.short_axis_title,
        texts, target.unit, target.error_scale * target.least_error,
    )  # fmt: skip


def confusion_map(found: Comparison, method: str, order: Sequence[str] | None = None) -> HeatMap:
    """Return a `HeatMap` of the test rows by true class or range (row) and predicted class or range (column).

    The colours show shares of a row.
    """
    names, turn = _ordered_groups(found, order)
    counts = found.confusion(method)[np.ix_(turn, turn)]
    values = 100 * counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    title = found.target.title
    return HeatMap(
        values, counts.astype(str), {"rows": counts}, names, names, f"true {title}", f"predicted {title}",
        f"% of the true {title}", np.char.mod("%.1f", values),
    )  # fmt: skip


def _ordered_groups(found, order):
    """Return (names, their positions), in the order of `order` and then all other names."""
    position = {name: place for place, name in enumerate(found.target.groups)}
    names = [name for name in order or () if name in position]
    names += [name for name in position if name not in names]
    return tuple(names), [position[name] for name in names]
