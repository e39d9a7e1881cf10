"""Name columns with several labels in one cell, and features with different spellings of one value."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

import pandas

from sample_data.user_data.checks.problem import Problem
from sample_data.user_data.classes import other_spellings
from sample_data.user_data.limits import MAX_NAME_LENGTH
from sample_data.user_data.natural_key import natural_key
from sample_data.user_data.recipe import Recipe
from sample_data.user_data.summary import ColumnSummary
from sample_data.user_data.table import Table
from treecore.messages import counted, listed, plural
from treecore.tables.table_columns import category_text

_SIGNS = (";", "|", ", ")
_MOST_TEXTS = 5000  # number of different texts that are compared
_LEAST_SHARE = 0.25  # smallest share of different texts with several labels
_LEAST_LABELS, _MOST_LABELS = (3, 100)  # numbers of different labels
_MOST_ADDED, _LEAST_ROWS = (30, 2)  # maximum number of added columns, and fewest rows of their labels
_REPEATED = 0.6  # smallest share of labels that occur in several texts


def _labels_text(name: str, role: str, n: int, example: str) -> str:
    column = f"the target '{name:.60}'" if role == "target" else f"'{name:.60}'"
    what = {
        "feature": "Each combination is a category. A tree can use single labels as yes/no columns.",
        "target": "Each combination is a class. To predict one label, add a yes/no column for it to the file.",
        "unused": "The column is not used. A tree can use single labels as yes/no columns.",
    }[role]
    return f"Cells of {column} contain several labels, such as '{example:.40}' ({n} labels). {what}"


def cell_contents(table: Table, summaries: Sequence[ColumnSummary], recipe: Recipe) -> list[Problem]:
    """Return notes about columns of texts with several labels in a cell, and about spellings of a value.

    A fix adds a yes/no column for each label, or combines the spellings, and another one takes this back.
    """
    used, found = set(recipe.features()), _in_use(recipe)
    for summary in summaries:
        name, values = summary.name, table.frame[summary.name]
        if summary.kind not in ("category", "text") or name in (recipe.row_names, recipe.split_column):
            continue
        if name in recipe.label_columns or any(name == column for column, *_ in recipe.label_columns.values()):
            continue
        counts = values.value_counts()
        texts = [category_text(text) for text, n in counts.items() if n][:_MOST_TEXTS]
        if several := labels_in(texts):
            labels, example, sign = several
            role = "feature" if name in used else "target" if name == recipe.target else "unused"
            text = _labels_text(name, role, len(labels), example)
            fix = None if role == "target" else _with_label_columns(recipe, name, sign, counts, table.frame.columns)
            found.append(Problem("labels", (name,), text, "info", fix))
        elif name in used and recipe.kinds[name] == "category":
            same = other_spellings({category_text(text): int(n) for text, n in counts.items() if n})
            if not same:
                continue
            spelled = sorted({*same, *same.values()})
            text = (
                f"Some values of '{name:.60}' differ only in their spelling: {listed(spelled)}. "
                "Each of them is a category. Do they mean the same?"
            )
            former = {one: same.get(value, value) for one, value in recipe.variants.get(name, {}).items()}
            fix = ("Combine spellings", replace(recipe, variants=recipe.variants | {name: former | same}))
            found.append(Problem("spellings of values", (name,), text, "info", fix))
    return found


def _in_use(recipe) -> list[Problem]:
    """Return notes about combined spellings and about yes/no columns, with a way back."""
    found, features = [], set(recipe.features())
    for name, texts in recipe.variants.items():
        if name in features:
            values = ", ".join(f"'{text:.30}' as '{value:.30}'" for text, value in list(texts.items())[:3])
            text = f"Spellings of '{name:.60}' are combined: {values}{', …' if len(texts) > 3 else ''}."
            others = {column: own for column, own in recipe.variants.items() if column != name}
            back = ("Keep spellings", replace(recipe, variants=others))
            found.append(Problem("combined spellings", (name,), text, "info", back))
    for column in dict.fromkeys(one[0] for one in recipe.label_columns.values()):
        names = [name for name, one in recipe.label_columns.items() if one[0] == column]
        text = (
            f"{counted(len(names), 'yes/no column')} {plural(len(names), 'shows', 'show')} which labels the cells of "
            f"'{column:.60}' contain. New rows need this column."
        )
        others = {name: one for name, one in recipe.label_columns.items() if name not in names}
        kinds = {name: kind for name, kind in recipe.kinds.items() if name not in names} | {column: "category"}
        missing = recipe.target in names or not {*kinds} - {recipe.target}
        back = None if missing else ("Use combinations", replace(recipe, label_columns=others, kinds=kinds))
        found.append(Problem("label columns", (column,), text, "info", back))
    return found


def _with_label_columns(recipe, name, sign, counts, taken):
    """Return a fix that replaces a column by a yes/no column for each of its frequent labels, or None."""
    rows: Counter[str] = Counter()
    for text, n in counts.items():
        for label in {part.strip() for part in category_text(text).split(sign)} - {""}:
            rows[label] += int(n)
    labels = [label for label, n in rows.most_common(_MOST_ADDED) if _LEAST_ROWS <= n < counts.sum()]
    added = {f"{name}: {label}": (name, sign, label) for label in sorted(labels, key=natural_key)}
    added = {one: parts for one, parts in added.items() if one not in taken and len(one) <= MAX_NAME_LENGTH}
    if not added:
        return None
    kinds = recipe.kinds | dict.fromkeys(added, "category") | {name: "ignore"}
    label = f"Add {counted(len(added), 'yes/no column')}"
    return label, replace(recipe, label_columns=recipe.label_columns | added, kinds=kinds)


def labels_in(texts: Sequence[str]) -> tuple[set[str], str, str] | None:
    """Return (labels, example, separator) of texts with several labels such as "a;b", or None.

    Most labels occur in several texts, unlike the parts of names and addresses.
    """
    for sign in _SIGNS:
        several = [text for text in texts if sign in text]
        if len(several) < max(_LEAST_SHARE * len(texts), 2):
            continue
        parts = [{part.strip() for part in text.split(sign)} - {""} for text in texts]
        counts = pandas.Series(list(chain.from_iterable(parts))).value_counts()
        if _LEAST_LABELS <= len(counts) <= _MOST_LABELS and (counts > 1).mean() >= _REPEATED:
            return set(counts.index), several[0], sign
    return None
