"""`PmmlFields`: the columns of a PMML file."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property
from xml.etree.ElementTree import Element

import numpy as np

from treecore.errors import TreeFormatError
from treecore.foreign.column_reading import TREATMENTS, ColumnReading, value_text
from treecore.foreign.foreign_columns import ForeignColumns
from treecore.messages import joined, literal

_BOOLEANS = {"true": "True", "1": "True", "false": "False", "0": "False"}  # spellings in PMML and R, in lower case
_ORDERS = ("lessThan", "lessOrEqual", "greaterThan", "greaterOrEqual")
_WORD = re.compile(r'"((?:\\.|[^"\\])*)"|([^\s"]+)')


class PmmlFields:
    """Columns in the data dictionary of a file (given its root), without the targets."""

    def __init__(self, root: Element) -> None:
        self._given = {field.attrib["name"]: field for field in root.findall("DataDictionary/DataField")}
        self.targets = {
            field.get("name")
            for field in root.iter("MiningField")
            if field.get("usageType") in ("target", "predicted") and field.get("name") in self._given
        }
        self._derived: dict[str | None, Element] = {}
        for field in root.iter("DerivedField"):
            source = field.find("FieldRef")
            before = self._derived.setdefault(field.get("name"), field)
            same = before.find("FieldRef")
            if before is not field and (source is None or same is None or source.attrib != same.attrib):
                raise TreeFormatError(f"The field {field.get('name')!r:.60} is derived twice, which is not supported.")
        self.names = tuple(name for name in self._given if name not in self.targets)
        self._place = {name: place for place, name in enumerate(self.names)}
        used = {field.get("name"): field for field in root.iter("MiningField")}
        # the elements of the outermost model that treat invalid and missing values
        self._treated: dict[str | None, Element] = {}
        self._replaced: dict[str | None, Element] = {}
        for field in root.iter("MiningField"):
            if field.get("invalidValueTreatment") is not None:
                self._treated.setdefault(field.get("name"), field)
            if field.get("missingValueReplacement") is not None or field.get("missingValueTreatment") is not None:
                self._replaced.setdefault(field.get("name"), field)
        cut = [name for name, field in used.items() if field.get("outliers", "asIs") != "asIs"]
        if cut:
            raise TreeFormatError(
                f"Outlier treatment of field {cut[0]!r:.60} is not supported. Export the PMML model without it."
            )
        self._named: dict[str, dict[str, None]] = {}
        self._are_compared: set[str] = set()  # columns compared by <, <=, > or >=
        for predicate in root.iter():
            if predicate.tag in ("SimplePredicate", "SimpleSetPredicate"):
                if predicate.get("operator") in _ORDERS:
                    self._are_compared.add(self.source(predicate.get("field")))
                values = [predicate.get("value")] if predicate.tag == "SimplePredicate" else set_values(predicate)
                named = self._named.setdefault(self.source(predicate.get("field")), {})
                named.update(dict.fromkeys(value for value in values if value is not None))

    @cached_property
    def columns(self) -> ForeignColumns:
        """`ForeignColumns`. A categorical column has the categories of the dictionary and of the splits."""
        categories = {self._place[name]: self.categories(name) for name in self.names if self.is_category(name)}
        codes = {column: tuple(range(len(values))) for column, values in categories.items()}
        readings = {self._place[name]: reading for name in self.names if (reading := self._reading(name)) is not None}
        return ForeignColumns(len(self.names), self.names, codes, categories, readings)

    def column(self, name: str) -> int:
        """Return the index of the column of a field."""
        return self._place[self.source(name)]

    def is_category(self, name: str) -> bool:
        """Return whether a field is categorical.

        R compares logical columns with 0.5, so such a column contains the numbers 0 and 1.
        """
        name = self.source(name)
        field = self._given[name]
        if field.get("optype") is None and field.get("dataType") is None:
            raise TreeFormatError(f"The field {name!r:.60} has no optype and no dataType. Add them to its DataField.")
        if self._is_boolean(name) and name in self._are_compared:
            return False
        return field.get("optype", "continuous") != "continuous" or field.get("dataType") in ("string", "boolean")

    def categories(self, name: str) -> tuple[str, ...]:
        """Return the categories of a field."""
        name = self.source(name)
        return tuple(
            dict.fromkeys([*self.values(name), *(self.text(value, name) for value in self._named.get(name, ()))])
        )

    def values(self, name: str) -> list[str]:
        """Return the valid values that the dictionary lists."""
        return [self.text(value, name) for value in self._listed(name, "valid")]

    def _listed(self, name, kind):
        """Return the values that the dictionary lists for a column. kind : "valid", "invalid" or "missing"."""
        listed = self._given[name].findall("Value")
        return [value.attrib["value"] for value in listed if value.get("property", "valid") == kind]

    def _is_boolean(self, name):
        return self.data_type(name) == "boolean"

    def _reading(self, name):
        """Return the `ColumnReading` of a column, or None if its values need no conversion."""
        is_category = self.is_category(name)

        def taken(text):
            """Return a value of the file in the form that the tree requires."""
            if is_category:
                return self.text(text, name)
            return float({"True": 1, "False": 0}.get(self.text(text, name), text))

        def key(text):
            return text if is_category else value_text(_number_or_text(text))

        read_as = dict.fromkeys(map(key, self._listed(name, "missing")))
        if self._is_boolean(name):
            spelled = {form: taken(text) for text in _BOOLEANS for form in (text, text.upper(), text.title())}
            read_as = spelled | read_as
        treatment, replacement = self.treatment(name)
        is_used = name in self._named  # programs do not check the other columns
        found = ColumnReading(
            read_as,
            frozenset(map(key, self._listed(name, "invalid"))),
            tuple(self.values(name)) if is_category and is_used else (),
            () if is_category or not is_used else tuple(_range(one) for one in self._given[name].findall("Interval")),
            treatment,
            None if replacement is None else taken(replacement),
            self.refuses_missing(name) and is_used,
        )
        has_limits = bool(found.valid or found.ranges) and treatment != "asIs"
        return found if found.read_as or found.invalid or has_limits or found.needs_value else None

    def treatment(self, name: str) -> tuple[str, str | None]:
        """Return the treatment of invalid values of a field, one of `TREATMENTS`, and their replacement or None."""
        field = self._treated.get(self.source(name))
        treatment = "returnInvalid" if field is None else field.get("invalidValueTreatment", "")
        replacement = None if field is None else field.get("invalidValueReplacement")
        if treatment not in TREATMENTS:
            raise TreeFormatError(
                f"invalidValueTreatment={literal(treatment, 40)} of field {name!r:.60}: expected one of "
                f"{joined(TREATMENTS)}."
            )
        if treatment == "asValue" and replacement is None:
            raise TreeFormatError(f"The field {name!r:.60} has no invalidValueReplacement. Add it to its MiningField.")
        return treatment, replacement

    def replacement(self, name: str) -> str | None:
        """Return the value that replaces missing values of a field, or None."""
        field = self._replaced.get(self.source(name))
        return None if field is None else field.get("missingValueReplacement")

    def refuses_missing(self, name: str) -> bool:
        """Return whether a missing value of a field is invalid."""
        field = self._replaced.get(self.source(name))
        if field is None or field.get("missingValueReplacement") is not None:
            return False
        return field.get("missingValueTreatment") == "returnInvalid"

    def number(self, text: str, name: str | None) -> float:
        """Return a number of a predicate, in the precision of its field."""
        is_single = self._way(name)[0].get("dataType") == "float"
        return float(np.float32(text)) if is_single else float(text)

    def cell(self, text: str | None, name: str | None, known: np.ndarray | tuple) -> int:
        """Return the cell of a value among the `known` values of a field (see `PmmlPredicate.truth`)."""
        if isinstance(known, tuple):
            value = self.text(str(text), self.source(name))
            return known.index(value) if value in known else len(known) - 1
        number = self.number(str(text), name)
        place = int(np.searchsorted(known, number))
        return 2 * place + int(place < len(known) and known[place] == number)

    def data_type(self, name: str | None) -> str:
        """Return the data type of a column, or "" if it has none."""
        return self._given[name].get("dataType", "") if name in self._given else ""

    def text(self, value: str, name: str | None) -> str:
        """Return a category in the spelling of tables, which is True or False for a Boolean column."""
        return _BOOLEANS.get(value.lower(), value) if self._is_boolean(name) else value

    def rounding(self, name: str) -> Callable[[np.ndarray], np.ndarray]:
        """Return the function that rounds the numbers of a field (float64[n]) before comparisons."""
        types = {field.get("dataType") for field in self._way(name)}
        return (lambda x: x.astype(np.float32).astype(np.float64)) if "float" in types else (lambda x: x)

    def source(self, name: str | None) -> str:
        """Return the name of the column of a field."""
        return self._way(name)[-1].get("name")

    def _way(self, name):
        """Return the fields on the path from the field of a split to its column."""
        way: list[Element] = []
        while name in self._derived and len(way) <= len(self._derived):
            field = self._derived[name]
            way.append(field)
            source = field.find("FieldRef")
            if source is None or source.get("mapMissingTo") is not None:
                kinds = [child.tag for child in field if child.tag != "Extension"]
                raise TreeFormatError(
                    f"The derived field {name!r:.60} ({joined(kinds)[:40]}) is not supported. Export the tree on "
                    "the original columns."
                )
            name = source.get("field")
        if name not in self._given or len(way) > len(self._derived):
            raise TreeFormatError(f"A predicate uses the field {name!r:.60}, which the file does not declare.")
        return [*way, self._given[name]]


def _range(interval):
    """Return (low, high, whether low is included, whether high is included) of an Interval."""
    low, high = float(interval.get("leftMargin", "-inf")), float(interval.get("rightMargin", "inf"))
    closure = interval.attrib["closure"]
    return low, high, closure.startswith("closed"), closure.endswith("Closed")


def _number_or_text(text):
    try:
        return float(text)
    except ValueError:
        return text


def set_values(predicate: Element) -> list[str]:
    """Return the values in the array of a SimpleSetPredicate."""
    text = predicate.findtext("Array", "")
    return [bare or re.sub(r"\\(.)", r"\1", quoted) for quoted, bare in _WORD.findall(text)]
