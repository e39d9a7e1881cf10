"""Convert the setting `class_weight` between its text in links and class weights."""

import math
from collections.abc import Iterable, Sequence

import numpy as np

from treecore.errors import ParameterError
from treecore.tree.number_text import number as number_text
from treecore.tree.number_text import significant

CLASS_WEIGHTS = {"equal": "none", "balanced": "balanced"}
RANGE = (0.01, 10_000.0)
MOST_CLASSES = 60  # maximum number of classes with custom weights
_BETWEEN = "-"


def parse_weights(text: str) -> tuple[float, ...] | None:
    """Return one weight per class from a text such as "1-50", or None if the text is invalid."""
    if len(text) > 9 * MOST_CLASSES or not set(text) <= set("0123456789.-"):
        return None
    try:
        numbers = tuple(map(float, text.split(_BETWEEN)))
    except ValueError:
        return None
    return numbers if len(numbers) <= MOST_CLASSES and not any(map(weight_fault, numbers)) else None


def format_weights(numbers: Iterable[float]) -> str:
    """Return the text that `parse_weights` reads."""
    return _BETWEEN.join(f"{number:g}" for number in numbers)


def weight_fault(number: float | None) -> str | None:
    """Return the reason why a number is not a valid weight, or None if it is valid."""
    if number is None or not math.isfinite(number):
        return f"Enter a weight from {RANGE[0]:g} to {RANGE[1]:,.0f}."
    if number == 0:
        return f"A weight of 0 would remove the class. Enter at least {RANGE[0]:g}, or remove the rows of this class."
    if not RANGE[0] <= number <= RANGE[1]:
        shown = number_text(number)
        return (
            f"Unsupported weight {shown}: expected {RANGE[0]:g} to {RANGE[1]:,.0f}. Only the ratios between "
            "classes matter."
        )
    return None


def valid_text(text: str) -> str | None:
    """Return `text` if it is a value of the setting, else None."""
    return text if text in CLASS_WEIGHTS or parse_weights(text) is not None else None


def balanced_weights(counts: np.ndarray) -> str:
    """Return balanced weights for these class counts, as text; the most frequent class has weight 1."""
    counts = np.maximum(counts, 1)
    return format_weights([min(significant(float(one), 2), RANGE[1]) for one in counts.max() / counts])


def class_weight(text: str | None, class_names: Sequence[str]) -> str | dict[str, float] | None:
    """Return the `class_weight` of an estimator.

    Raises ParameterError if the number of weights differs from the number of classes.
    """
    if text in (None, "equal"):
        return None
    if text == "balanced":
        return text
    numbers = parse_weights(text)
    if numbers is None or len(numbers) != len(class_names):
        raise ParameterError(
            f"The weights {text!r:.40} do not match these data. Enter one number for each of the "
            f"{len(class_names)} classes."
        )
    return dict(zip(class_names, numbers, strict=True))
