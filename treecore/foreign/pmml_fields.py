"""`PmmlFields`: what a PMML file says of its columns."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property
from xml.etree.ElementTree import Element

import numpy as np

from treecore.errors import TreeFormatError
from treecore.foreign.foreign_columns import ForeignColumns

_WORD = re.compile(r'"((?:\\.|[^"\\])*)"|([^\s"]+)')


class PmmlFields:
    """The columns of the data dictionary of a file (its root), but for those that are predicted (targets)."""

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
                raise TreeFormatError(f"The field {field.get('name')!r:.60} is derived in two ways, which is not read.")
        self.names = tuple(name for name in self._given if name not in self.targets)
        self._place = {name: place for place, name in enumerate(self.names)}
        used = {field.get("name"): field for field in root.iter("MiningField")}
        self.replaces_missing = any(field.get("missingValueReplacement") is not None for field in used.values())
        cut = [name for name, field in used.items() if field.get("outliers", "asIs") != "asIs"]
        if cut:
            raise TreeFormatError(f"The file changes outliers of {cut[0]!r:.60} before the tree, which is not read.")
        self._named: dict[str, dict[str, None]] = {}
        for predicate in root.iter():
            if predicate.tag in ("SimplePredicate", "SimpleSetPredicate"):
                values = [predicate.get("value")] if predicate.tag == "SimplePredicate" else set_values(predicate)
                named = self._named.setdefault(self._source(predicate.get("field")), {})
                named.update(dict.fromkeys(value for value in values if value is not None))

    @cached_property
    def columns(self) -> ForeignColumns:
        """`ForeignColumns`: a column of categories has those of the dictionary, and of the decisions on it."""
        categories = {self._place[name]: self.categories(name) for name in self.names if self.is_category(name)}
        codes = {column: tuple(range(len(values))) for column, values in categories.items()}
        return ForeignColumns(len(self.names), self.names, codes, categories)

    def column(self, name: str) -> int:
        """Place of the column that a field of a decision comes from."""
        return self._place[self._source(name)]

    def is_category(self, name: str) -> bool:
        """Whether a field holds categories."""
        field = self._given[self._source(name)]
        return field.get("optype", "continuous") != "continuous" or field.get("dataType") in ("string", "boolean")

    def categories(self, name: str) -> tuple[str, ...]:
        """Categories of a field."""
        name = self._source(name)
        return tuple(dict.fromkeys([*self.values(name), *map(self.text, self._named.get(name, ()))]))

    def values(self, name: str) -> list[str]:
        """The valid values that the dictionary lists."""
        listed = self._given[name].findall("Value")
        return [self.text(value.attrib["value"]) for value in listed if value.get("property", "valid") == "valid"]

    def data_type(self, name: str | None) -> str:
        """Type of a column, "" of none."""
        return self._given[name].get("dataType", "") if name in self._given else ""

    @staticmethod
    def text(value: str) -> str:
        """A category as tables have it."""
        return {"true": "True", "false": "False"}.get(value, value)

    def rounding(self, name: str) -> Callable[[np.ndarray], np.ndarray]:
        """How numbers float64[n] of a field are rounded before they are compared."""
        types = {field.get("dataType") for field in self._way(name)}
        return (lambda x: x.astype(np.float32).astype(np.float64)) if "float" in types else (lambda x: x)

    def _source(self, name):
        return self._way(name)[-1].get("name")

    def _way(self, name):
        """The fields from one of a decision to its column."""
        way: list[Element] = []
        while name in self._derived and len(way) <= len(self._derived):
            field = self._derived[name]
            way.append(field)
            source = field.find("FieldRef")
            if source is None or source.get("mapMissingTo") is not None:
                kinds = [child.tag for child in field if child.tag != "Extension"]
                raise TreeFormatError(
                    f"The field {name!r:.60} is computed ({', '.join(kinds)[:40]}) before the tree decides on it. "
                    "Write the tree alone, on the columns themselves."
                )
            name = source.get("field")
        if name not in self._given or len(way) > len(self._derived):
            raise TreeFormatError(f"A decision asks for {name!r:.60}, which the file does not describe.")
        return [*way, self._given[name]]


def set_values(predicate: Element) -> list[str]:
    """The values of the array of a SimpleSetPredicate."""
    text = predicate.findtext("Array", "")
    return [bare or re.sub(r"\\(.)", r"\1", quoted) for quoted, bare in _WORD.findall(text)]
