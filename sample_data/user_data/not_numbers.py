"""Find the few values that prevent a column from being numeric."""

import numpy as np
import pandas

from sample_data.user_data.summary import ColumnSummary
from sample_data.user_data.values import is_missing, is_number

_LEAST = 0.9  # smallest share of cells that must be numbers


def not_numbers(values: pandas.Series, summary: ColumnSummary) -> dict[str, int]:
    """Return {text: number of cells} of the values that are not numbers, if nearly all cells are numbers, else {}."""
    if summary.kind not in ("category", "text") or summary.n_distinct < 5:
        return {}
    if not isinstance(values.dtype, pandas.CategoricalDtype):
        return {}
    words = [str(word) for word in values.cat.categories]
    some = words[:: max(len(words) // 1000, 1)]
    if sum(map(is_number, words[:50])) < 25 and sum(map(is_number, some)) < 0.8 * len(some):
        return {}
    are_numbers = pandas.to_numeric(pandas.Series(words), errors="coerce").notna().to_numpy()
    codes = values.cat.codes.to_numpy()
    counts = np.bincount(codes[codes >= 0], minlength=len(words))
    if counts[are_numbers].sum() < _LEAST * counts.sum():
        return {}
    counted_words = zip(words, are_numbers, counts.tolist(), strict=True)
    return {word: n for word, is_one, n in counted_words if n and not is_one and not is_missing(word)}
