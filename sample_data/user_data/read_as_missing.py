"""Texts such as "NA" that were read as missing, although they may be values of their column."""

from sample_data.user_data.table import Table
from sample_data.user_data.values import WEAK

_LIKE_A_CLASS = 0.5  # smallest number of cells of a class, relative to the mean of the other classes


def cells_read_as_missing(table: Table, name: str) -> dict[str, int]:
    """Return {text: number of cells} of the texts of a column of categories that were read as missing."""
    marks = table.marks.get(name)
    if marks is None or name not in table.frame.columns:
        return {}
    is_empty = table.frame[name].isna().to_numpy()
    counts = marks[is_empty].value_counts()
    return {text: int(n) for text, n in counts.items() if n}


def likely_classes(table: Table, target: str) -> dict[str, tuple[str, ...]]:
    """Return {target: texts read as missing that are as frequent as its classes}, or {}."""
    counts = table.frame[target].value_counts()
    n_classes = int((counts > 0).sum())
    least = _LIKE_A_CLASS * counts.sum() / max(n_classes, 1)
    cells = cells_read_as_missing(table, target).items()
    texts = tuple(text for text, n in cells if text in WEAK and n >= least)
    return {target: texts} if texts else {}
