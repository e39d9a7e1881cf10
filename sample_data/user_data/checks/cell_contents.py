"""Name columns with several labels in one cell, and features with different spellings of one value."""

from collections.abc import Sequence
from itertools import chain

import pandas

from sample_data.user_data.checks.problem import Problem
from sample_data.user_data.classes import other_spellings
from sample_data.user_data.recipe import Recipe
from sample_data.user_data.summary import ColumnSummary
from sample_data.user_data.table import Table
from treecore.messages import listed
from treecore.tables.table_columns import category_text

_SIGNS = (";", "|", ", ")
_MOST_TEXTS = 5000  # number of different texts that are compared
_LEAST_SHARE = 0.25  # smallest share of different texts with several labels
_LEAST_LABELS, _MOST_LABELS = (3, 100)  # numbers of different labels
_REPEATED = 0.6  # smallest share of labels that occur in several texts


def _labels_text(name: str, role: str, n: int, example: str) -> str:
    column = f"the target '{name:.60}'" if role == "target" else f"'{name:.60}'"
    what = {
        "feature": "Each combination is a category. To use the labels, add a yes/no column for each of them, or ignore "
        "the column.",
        "target": "Each combination is a class. To predict one label, add a yes/no column for it.",
        "unused": "The column is not used. To use the labels, add a yes/no column for each of them.",
    }[role]
    return f"Cells of {column} contain several labels, such as '{example:.40}' ({n} labels). {what}"


def cell_contents(table: Table, summaries: Sequence[ColumnSummary], recipe: Recipe) -> list[Problem]:
    """Return notes about columns of texts with several labels in a cell, and about spellings of a value."""
    used, found, spellings = set(recipe.features()), [], {}
    for summary in summaries:
        name, values = summary.name, table.frame[summary.name]
        if summary.kind not in ("category", "text") or name in (recipe.row_names, recipe.split_column):
            continue
        counts = values.value_counts()
        texts = [category_text(text) for text, n in counts.items() if n][:_MOST_TEXTS]
        if several := labels_in(texts):
            labels, example = several
            role = "feature" if name in used else "target" if name == recipe.target else "unused"
            text = _labels_text(name, role, len(labels), example)
            found.append(Problem("labels", (name,), text, "info"))
        elif name in used and recipe.kinds[name] == "category":
            same = other_spellings({category_text(text): int(n) for text, n in counts.items() if n})
            if same:
                spellings[name] = sorted({*same, *same.values()})
    for name, texts in spellings.items():
        text = (
            f"Some values of '{name:.60}' differ only in their spelling: {listed(texts)}. Each of them is a "
            "category. If they mean the same, correct them in the file."
        )
        found.append(Problem("spellings of values", (name,), text, "info"))
    return found


def labels_in(texts: Sequence[str]) -> tuple[set[str], str] | None:
    """Return (labels, example) of texts with several labels such as "a;b", or None.

    Most labels occur in several texts, unlike the parts of names and addresses.
    """
    for sign in _SIGNS:
        several = [text for text in texts if sign in text]
        if len(several) < max(_LEAST_SHARE * len(texts), 2):
            continue
        parts = [{part.strip() for part in text.split(sign)} - {""} for text in texts]
        counts = pandas.Series(list(chain.from_iterable(parts))).value_counts()
        if _LEAST_LABELS <= len(counts) <= _MOST_LABELS and (counts > 1).mean() >= _REPEATED:
            return set(counts.index), several[0]
    return None
