"""Declarations of values: parameters of estimators and settings of pages.

All code that shows, reads, writes or checks such a value uses its `Declared`.
"""

import math
import numbers
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from treecore.parameter_checks import check_choice, check_number, check_whole

LONGEST_NUMBER = 30  # maximum number of characters of a number in a link or an option
LONGEST_WHOLE = 8


class DeclarationError(Exception):
    """Error for an inconsistent declaration."""


class Kind(Protocol):
    """Kind of a value. `allowed` describes the possible values in words, and `source` in Python notation."""

    @property
    def allowed(self) -> str: ...

    @property
    def source(self) -> str: ...

    def check(self, value: Any, name: str) -> None:
        """Raise ParameterError unless `value` is possible."""

    def read(self, text: str | None) -> Any:
        """Return the value of a text, or None if it is not possible."""


@dataclass(frozen=True)
class Whole:
    """Whole number from `low` to `high`."""

    low: int = 0
    high: float = math.inf

    @property
    def allowed(self) -> str:
        return f"a whole number {_range(self)}"

    @property
    def source(self) -> str:
        return f"int {_bounds(self)}"

    def check(self, value: Any, name: str) -> None:
        check_whole(value, name, self.low)
        if self.high < math.inf:
            check_number(value, name, self.low, self.high)

    def read(self, text: str | None) -> int | None:
        if text is None:
            return None
        fine = text.isascii() and text.isdigit() and len(text) <= LONGEST_WHOLE
        return int(text) if fine and self.low <= int(text) <= self.high else None


@dataclass(frozen=True)
class Number:
    """Finite number from `low` to `high`."""

    low: float = -math.inf
    high: float = math.inf

    @property
    def allowed(self) -> str:
        return f"a number {_range(self)}"

    @property
    def source(self) -> str:
        return f"float {_bounds(self)}"

    def check(self, value: Any, name: str) -> None:
        check_number(value, name, self.low, self.high)

    def read(self, text: str | None) -> float | None:
        if text is None:
            return None
        try:
            value = float(text) if text.isascii() and len(text) < LONGEST_NUMBER else math.nan
        except ValueError:
            return None
        return value if math.isfinite(value) and self.low <= value <= self.high else None


@dataclass(frozen=True)
class Choice:
    """One of several texts. words : {text: label}, a table that is read at each use."""

    words: Mapping[str, str]

    @property
    def allowed(self) -> str:
        return f"one of {', '.join(self.words)}"

    @property
    def source(self) -> str:
        return f"{{{', '.join(map(repr, self.words))}}}"

    def check(self, value: Any, name: str) -> None:
        check_choice(value, name, tuple(self.words))

    def read(self, text: str | None) -> str | None:
        return text if text in self.words else None


@dataclass(frozen=True)
class Switch:
    """True or False; "1" or "0" in a text."""

    allowed: str = "0 or 1"
    source: str = "bool"

    def check(self, value: Any, name: str) -> None:
        check_choice({False: "0", True: "1"}.get(value), name, ("0", "1"))

    def read(self, text: str | None) -> bool | None:
        return {"0": False, "1": True}.get(text or "")


@dataclass(frozen=True)
class Special:
    """Other values.

    reader : function like `read`, None if the values have no text form; checker : function like `check`.
    """

    source: str = ""
    allowed: str = ""
    reader: Callable[[str], Any] | None = None
    checker: Callable[[Any, str], None] | None = None

    def check(self, value: Any, name: str) -> None:
        if self.checker is not None:
            self.checker(value, name)

    def read(self, text: str | None) -> Any:
        return None if self.reader is None or text is None else self.reader(text)


@dataclass(frozen=True)
class Declared:
    """Declaration of a parameter or setting.

    Parameters
    ----------
    name : str
        Name of the value.
    default : object
        Default value.
    kind : Kind
        Kind of the value.
    none : str, default=""
        Meaning of None; "" if None is not a value.
    words : str, default=""
        Label of the control.
    help : str, default=""
        Help of the control and of the option.
    applies : dict, default={}
        For names of other declared values, the values with which this one has an effect.
    follows : dict, default={}
        For each value of this one (... stands for all others), a dict of other values that change with it.
    """

    name: str
    default: Any
    kind: Any
    none: str = ""
    words: str = ""
    help: str = ""
    applies: Mapping[str, tuple] = field(default_factory=dict)
    follows: Mapping[Any, Mapping[str, Any]] = field(default_factory=dict)

    def check(self, value: Any) -> None:
        """Raise ParameterError unless `value` is possible."""
        if value is not None or not self.none:
            self.kind.check(value, self.name)

    def is_default(self, value: Any) -> bool:
        """Return whether `value` is the default, or an empty list."""
        if isinstance(value, str | numbers.Number):
            return value == self.default
        return value is self.default or (isinstance(value, list | tuple) and len(value) == 0)

    def following(self, value: Any) -> dict:
        """Return the other values that change if this one becomes `value`."""
        return dict(self.follows.get(value, self.follows.get(..., {})))

    def is_effective(self, values: Any) -> bool:
        """Return whether this value has an effect. values : object with the other values as attributes."""
        return all(getattr(values, name) in options for name, options in self.applies.items())


def check_declarations(declared: Mapping[str, Declared], links: Mapping[str, str] | None = None) -> None:
    """Raise DeclarationError if declarations are inconsistent. declared : declarations by name.

    links : name of each value in a link. Duplicate names are an error.
    """
    for one in declared.values():
        _check(one, one.default, "default")
        for name, options in one.applies.items():
            for option in options:
                _check(_known(declared, name, f"{one.name}.applies"), option, f"{one.name}.applies")
        for value, changes in one.follows.items():
            if value is not ...:
                _check(one, value, f"{one.name}.follows")
            for name, changed in changes.items():
                _check(_known(declared, name, f"{one.name}.follows"), changed, f"{one.name}.follows")
    found = {}
    for name, link in (links or {}).items():
        if link in found:
            raise DeclarationError(f"{found[link]} and {name} have the same name in a link: {link}.")
        found[link] = name


def _known(declared, name, place):
    if name not in declared:
        raise DeclarationError(f"{place} names {name!r}, which is not declared.")
    return declared[name]


def _check(one, value, place):
    try:
        one.check(value)
    except ValueError as error:
        raise DeclarationError(f"{place} of {one.name}: {error}") from None


def _range(kind):
    if kind.high < math.inf:
        return f"from {kind.low:g} to {kind.high:,g}"
    return f"of at least {kind.low:g}"


def _bounds(kind):
    is_bounded = kind.high < math.inf
    return f"in [{kind.low:g}, {kind.high:g}]" if is_bounded else f">= {kind.low:g}"
