"""Comparison over one parameter. Each method is trained with several values of this parameter, not only the best."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from treecore.errors import ParameterError
from treecore.messages import joined, literal
from treecore.parameter_checks import check_choice

if TYPE_CHECKING:
    import pandas

    from treecore.comparison.comparison import Comparison

ROWS = "rows"
MARK = "~"
# metrics of a model and their titles
MEASURES = {
    "test_error": "test error", "train_error": "training error", "n_leaves": "leaves", "depth": "mean depth",
    "fit_seconds": "training time (s)",
}  # fmt: skip


class Parameter(NamedTuple):
    """Parameter to vary: title, values, whether its axis is logarithmic, and the methods that have it.

    name : name of the parameter, if its key differs; each : second parameter, with one curve for each of its values
    """

    words: str
    values: tuple[float, ...]
    is_log: bool
    methods: tuple[str, ...]
    name: str = ""
    each: str = ""

    @property
    def title(self) -> str:
        """Title that is unique among `PARAMETERS`."""
        return f"{self.words}, a curve for each {PARAMETERS[self.each].words}" if self.each else self.words


PARAMETERS = {
    ROWS: Parameter("number of training rows", (0.0625, 0.125, 0.25, 0.5, 1.0), True, ("cart", "tao_univariate")),
    "max_depth": Parameter("depth", (2, 4, 6, 8, 10, 12), False, ("cart", "co2")),
    "nu": Parameter("ν", (0.1, 1.0, 10.0, 100.0), True, ("co2", "non_greedy")),
    "depth_by_nu": Parameter("depth", (2, 4, 6, 8, 10), False, ("co2",), "max_depth", "nu"),
    "nu_by_depth": Parameter("ν", (0.1, 1.0, 10.0, 100.0), True, ("co2",), "nu", "max_depth"),
    "n_estimators": Parameter("number of trees", (1, 3, 10, 30), True, ("random_forest", "co2_forest")),
}


def variants(methods: Sequence, parameter: str, values: Sequence[float] | None = None) -> list:
    """Return one `Method` for each value of a parameter and each method that has the parameter.

    parameter : key of `PARAMETERS`; values : values of the parameter (for "rows", shares of the training rows), or None
    for those in `PARAMETERS`. Other parameters of a method are still selected by validation. Raise ParameterError if no
    method has the parameter.
    """
    check_choice(parameter, "parameter", tuple(PARAMETERS))
    one = PARAMETERS[parameter]
    words, usual, set_by, found = one.words, one.values, one.name or parameter, []
    able = [method for method in methods if has_parameter(method, parameter)]
    for method in itertools.chain.from_iterable(_at_each(each, one.each) for each in able):
        for value in usual if values is None else values:
            named = replace(
                method,
                name=MARK.join((method.name, parameter, f"{value:g}")),
                title=f"{method.title}, {words} {value:g}",
            )
            if parameter == ROWS:
                found.append(replace(named, share=float(value)))
                continue
            found.append(_fixed(named, set_by, value))
    if not found:
        titles = [method.title for method in methods]
        raise ParameterError(
            f"parameter={literal(parameter)} is not supported by {joined(titles)}. Use "
            f"{joined(PARAMETERS[parameter].methods)}."
        )
    return found


def has_parameter(method, parameter: str) -> bool:
    """Return whether a `Method` has one of `PARAMETERS`."""
    one, known = PARAMETERS[parameter], method.estimator.get_params(deep=False)
    return parameter == ROWS or (_full_name(method, one.name or parameter) != "" and one.each in ("", *known))


def _full_name(method, parameter):
    """Return the name of a parameter of the estimator or of the last step of a pipeline, or "" if there is none."""
    names = method.estimator.get_params()
    return next((name for name in (parameter, f"forest__{parameter}") if name in names), "")


def _at_each(method, parameter):
    """Return one method for each value of a parameter, or the method itself if it does not have the parameter."""
    if not parameter:
        return [method]
    words, values, *_ = PARAMETERS[parameter]
    return [
        replace(
            _fixed(method, parameter, value), name=f"{method.name}_{parameter}_{value:g}",
            title=f"{method.title}, {words} {value:g}",
        )
        for value in values
    ]  # fmt: skip


def _fixed(method, parameter, value):
    """Return the method with a fixed value of a parameter."""
    from sklearn.base import clone  # slow import

    grid = {name: tried for name, tried in method.grid.items() if name != parameter}
    changes = {_full_name(method, parameter): value}
    return replace(method, estimator=clone(method.estimator).set_params(**changes), grid=grid)


def parameter_of(found: Comparison) -> str:
    """Return the parameter of a Comparison of `variants`. Raise ParameterError for other comparisons."""
    parts = next(iter(found.methods), "").split(MARK)
    if len(parts) != 3:
        raise ParameterError(
            "found does not vary one parameter. Pass the result of compare(..., variants(methods, ...))."
        )
    return parts[1]


def parameter_table(found: Comparison) -> pandas.DataFrame:
    """Convert a Comparison of `variants` to a DataFrame with one row for each method and value that has a result.

    The columns are method (key), title, value (of the parameter, or the mean number of rows for "rows") and folds. Two
    further columns for each of `MEASURES` contain the mean over the folds and, with the suffix `_deviation`, the
    standard deviation (NaN for one fold).
    """
    import pandas  # slow import

    rows, parameter = [], parameter_of(found)
    for key, title in found.methods.items():
        cells = found.of(key)
        if not cells:
            continue
        name, _, value = key.split(MARK)
        at = float(np.mean([cell.n_train for cell in cells])) if parameter == ROWS else float(value)
        row = {"method": name, "title": title.rsplit(", ", 1)[0], "value": at, "folds": len(cells)}
        for measure in MEASURES:
            numbers = [getattr(cell, measure, getattr(cell.size, measure, None)) for cell in cells]
            known = np.array([np.nan if number is None else number for number in numbers], float)
            row[measure] = float(known.mean())
            row[f"{measure}_deviation"] = float(known.std(ddof=1)) if known.size > 1 else np.nan
        rows.append(row)
    columns = ["method", "title", "value", "folds"]
    return pandas.DataFrame(rows, columns=columns + [name + end for name in MEASURES for end in ("", "_deviation")])
