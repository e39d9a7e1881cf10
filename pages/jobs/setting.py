"""Declare a setting of a page once, as a field of a dataclass.

Links, controls, parameters of estimators and the table of the documentation follow from the declaration.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import cache
from typing import Any, TypeVar

from treecore.declarations import DeclarationError, Declared, Kind, Number, Whole, check_declarations
from treecore.errors import ParameterError
from treecore.training.parameters import PARAMETERS

Kinds = TypeVar("Kinds", bound=type)


@dataclass(frozen=True)
class Setting(Declared):
    """One setting.

    Parameters
    ----------
    link : str, default=""
        Name in links, if it differs from the name of the field.
    parameter : str, default=""
        Parameter of the estimator that receives the value; None keeps the default of the estimator.
    options : dict or callable, optional
        Options of the control as {value: words}, or a function that returns them for the current settings.
    is_slider : bool, default=False
    step : float, optional
        Distance between two values of the control.
    placeholder : str, default=""
        Text in an empty field.
    is_of_data : bool, default=False
        Whether choosing another data set resets the setting.
    is_rare : bool, default=False
        Whether the control is below those that most visitors need.
    """

    link: str = ""
    parameter: str = ""
    options: Mapping[Any, str] | Callable[[Any], Mapping[Any, str]] | None = None
    is_slider: bool = False
    step: float | None = None
    placeholder: str = ""
    is_of_data: bool = False
    is_rare: bool = False

    def choices(self, now: Any) -> dict[Any, str] | None:
        """Return {value: words} of a control with options, or None for other controls.

        now : current settings.
        """
        options: Any = self.options(now) if callable(self.options) else self.options
        if options is None and (options := getattr(self.kind, "words", None)) is None:
            return None
        return ({None: self.none} if self.none else {}) | dict(options)


def setting(default: Any, kind: Kind, **others: Any) -> Any:
    """Return a dataclass field that declares a `Setting`."""
    return field(default=default, metadata={"setting": Setting("", default, kind, **others)})


def of(name: str, **others: Any) -> Any:
    """Return a dataclass field whose `Setting` follows a parameter of the estimators.

    others : fields of the `Setting` that replace those of the parameter.
    """
    one = PARAMETERS[name]
    known = {part: getattr(one, part) for part in ("default", "kind", "none", "words", "help", "applies")}
    known["parameter"] = name
    return setting(**known | others)


@cache
def settings_of(kind: type[Any]) -> dict[str, Setting]:
    """Return {name: Setting} of a dataclass in order."""
    found = {one.name: one.metadata["setting"] for one in fields(kind) if "setting" in one.metadata}
    return {name: replace(one, name=name, link=one.link or name) for name, one in found.items()}


def check_settings(kind: Kinds) -> Kinds:
    """Check the settings of a dataclass against each other and against the parameters of the estimators.

    Class decorator. Raises DeclarationError.
    """
    known = settings_of(kind)
    check_declarations(known, {name: one.link for name, one in known.items()})
    for one in known.values():
        if one.parameter:
            _check_parameter(one)
    return kind


def _check_parameter(one: Setting) -> None:
    if one.parameter not in PARAMETERS:
        raise DeclarationError(f"{one.name} follows {one.parameter!r}, which is not a parameter of the estimators.")
    bounds = (one.kind.low, one.kind.high) if isinstance(one.kind, Whole | Number) else tuple(one.choices(None) or ())
    for value in {one.default, *bounds} - {None, float("inf")}:
        try:
            PARAMETERS[one.parameter].check(value)
        except ParameterError as error:
            raise DeclarationError(f"{one.name} accepts a value that its parameter rejects: {error}") from None


def values_of(settings: Any) -> dict[str, Any]:
    """Return {name: value} of a dataclass of settings, without settings outside `NAMED` that have their default.

    Jobs and models that are older than a setting therefore keep their names.
    """
    known = settings_of(type(settings))
    return {
        name: values_of(value) if is_dataclass(value) else value
        for name, value in vars(settings).items()
        if name not in known or name in NAMED or value != known[name].default
    }


# Every job name contains these settings. Settings that were added later are not in the list.
NAMED = (
    "data_set", "split", "init", "max_depth", "n_lambdas", "node_solver", "surrogate", "bivariate_cost", "seed", "rows",
    "class_weight", "lambdas", "leaf", "lam", "refine", "costs", "methods", "protocol", "repeats", "inner", "rule",
    "limit", "over",
)  # fmt: skip
