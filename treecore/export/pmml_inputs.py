"""`PmmlInputs`: the input fields of an exported PMML file."""

from __future__ import annotations

import math
import re
import sys
from xml.etree.ElementTree import Element

import numpy as np

from treecore.errors import ParameterError
from treecore.parameter_checks import LARGEST
from treecore.tables.table_columns import TableColumn, TableColumns
from treecore.tree.tree import Tree

# Characters that XML cannot contain, and the carriage return, which XML reads as a line feed.
_UNSUPPORTED = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_TEXTS = ("category", "ordered")


def element(tag: str, *children: Element, **attributes: str) -> Element:
    """Return an element with attributes and children."""
    found = Element(tag, attributes)
    found.extend(children)
    return found


def supported(text: str, what: str) -> str:
    """Return `text`. Raise ParameterError if it is empty or contains a character that XML does not support."""
    if not text or _UNSUPPORTED.search(text):
        raise ParameterError(
            f"PMML does not support the {what} {text!r:.60}, which is empty or contains a control character or "
            "an incomplete character (a lone surrogate). Rename it."
        )
    return text


def apply(function: str, *parts: Element) -> Element:
    """Return the expression of a built-in function."""
    return element("Apply", *parts, function=function)


def constant(value: float) -> Element:
    """Return the expression of a number."""
    found = element("Constant", dataType="double")
    found.text = repr(value)
    return found


class PmmlInputs:
    """Fields for the features that a tree uses, or for their columns in a table (TableColumns).

    A date is a field of days since 1970-01-01. A difference of two columns, and a label with the values yes and no, are
    fields of their own. Categories are text.
    """

    def __init__(self, tree: Tree, columns: TableColumns | None) -> None:
        used = tree.used_features.tolist()
        if columns is None:
            self._places = {feature: (TableColumn(tree.feature_name(feature)), 0) for feature in used}
        else:
            places = [
                (c, k) for c, group in zip(columns.columns, columns.groups(), strict=True) for k in range(len(group))
            ]
            self._places = {feature: places[feature] for feature in used}
        if spelled := [column.name for column, _ in self._places.values() if column.spellings]:
            raise ParameterError(
                f"PMML does not support the combined spellings of column {spelled[0]!r:.60}. Export Python, JavaScript "
                "or SQL, or correct the spellings in the file and retrain."
            )
        self._largest = sys.float_info.max if columns is None else LARGEST
        self._treatment = "returnInvalid" if columns is None else "asMissing"
        self._columns = list({self.name(column): column for column, _ in self._places.values()}.values())
        n_fields = len({id(column) for column, _ in self._places.values()})
        if len(self._columns) < n_fields:
            names = [self.name(column) for column, _ in self._places.values()]
            raise ParameterError(
                f"Two features have the name {max(names, key=names.count)!r:.60}. Rename one with tree.with_names."
            )

    @property
    def names(self) -> list[str]:
        """Names of the fields."""
        return [self.name(column) for column in self._columns]

    def name(self, column: TableColumn) -> str:
        """Return the field name of a column."""
        return supported(column.feature_names()[0] if column.kind == "date" else column.name, "feature name")

    def data_fields(self) -> list[Element]:
        """Return the elements of the DataDictionary."""
        return [self._data_field(column) for column in self._columns]

    def mining_fields(self) -> list[Element]:
        """Return the elements of the MiningSchema. An empty checkbox is a category, and an unknown level is missing."""
        found = []
        for column in self._columns:
            treatment = "asIs" if column.kind == "category" else self._treatment
            more = {"missingValueReplacement": column.blank} if column.blank else {}
            found.append(element("MiningField", name=self.name(column), invalidValueTreatment=treatment, **more))
        return found

    def text_column(self, features: np.ndarray) -> TableColumn | None:
        """Return the column of text that contains all `features`, or None."""
        columns = {id(column): column for column, _ in (self._places[feature] for feature in features.tolist())}
        column = columns.popitem()[1] if len(columns) == 1 else None
        return column if column is not None and column.kind in _TEXTS else None

    def column(self, feature: int) -> TableColumn:
        """Return the column of a feature."""
        return self._places[feature][0]

    def coded(self, column: TableColumn, features: np.ndarray) -> np.ndarray:
        """Return the features of each value of a text column, float64[n, k].

        The last row of a categorical column is for all other values.
        """
        if column.kind == "ordered":
            return np.arange(len(column.categories), dtype=np.float64)[:, None]
        places = [self._places[feature][1] for feature in features.tolist()]
        return (np.arange(len(column.values) + 1)[:, None] == places).astype(np.float64)

    def expression(self, feature: int) -> Element:
        """Return the expression of a feature, which is missing if the field is missing."""
        column, place = self._places[feature]
        name = self.name(column)
        if column.kind not in _TEXTS:
            return element("FieldRef", field=name)
        marks = [element("NormDiscrete", field=name, value=supported(value, "category")) for value in column.values]
        if column.kind == "ordered":
            return _total([apply("*", constant(float(at)), mark) for at, mark in enumerate(marks)])
        if place < len(marks):
            return marks[place]
        return apply("-", constant(1.0), _total(marks)) if marks else constant(1.0)

    def _data_field(self, column):
        is_text = column.kind in _TEXTS
        found = element(
            "DataField",
            name=self.name(column),
            optype={"category": "categorical", "ordered": "ordinal"}.get(column.kind, "continuous"),
            dataType="string" if is_text else "double",
        )
        if is_text:
            listed = dict.fromkeys((*column.values, *column.others))
            found.extend(element("Value", value=supported(value, "category")) for value in listed)
        else:
            limits = {"leftMargin": repr(-self._largest), "rightMargin": repr(self._largest)}
            found.append(element("Interval", closure="closedClosed", **limits))
        missing = (supported(text, "missing value") for text in column.missing if is_text or _is_number(text))
        found.extend(element("Value", value=text, property="missing") for text in missing if column.kind != "date")
        return found


def _is_number(text):
    """Return whether a field of numbers can have this value. Other texts are invalid, and so missing."""
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def _total(parts):
    """Return the sum of expressions of whole numbers, for which the order does not matter, as a flat expression."""
    while len(parts) > 1:
        pairs = zip(parts[::2], parts[1::2], strict=False)
        parts = [apply("+", *pair) for pair in pairs] + parts[len(parts) // 2 * 2 :]
    return parts[0]
