"""Find texts and numbers that mark a missing value, such as "k.A." or -999."""

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas

from sample_data.user_data.checks.problem import Problem
from sample_data.user_data.known_orders import known_order
from sample_data.user_data.not_numbers import exceptions, means_missing
from sample_data.user_data.proposal import needs_bins, propose_kind, propose_values
from sample_data.user_data.recipe import Recipe
from sample_data.user_data.remove_markers import remove_markers
from sample_data.user_data.summary import ColumnSummary, summarise_column
from sample_data.user_data.table import Table
from sample_data.user_data.values import are_codes
from treecore.messages import counted, listed, plural
from treecore.tables.table_columns import category_text, marker_text

_NINES = re.compile(r"-?99+")  # such as -99 and 999
_FAR_DAYS = ("1900-01-01", "1899-12-30", "1970-01-01", "1800-01-01", "2099-12-31", "2999-12-31", "9999-12-31")
_LEAST_UNKNOWN = 0.01  # smallest share of the cells that contain a word outside _KNOWN


def missing_markers(table: Table, summaries: Sequence[ColumnSummary], recipe: Recipe) -> list[Problem]:
    """Return a question about each column with markers that the recipe does not contain yet.

    The severity is "warns" if the other values are numbers or dates, and "info" if the words may be regular values. The
    fix declares the markers as missing. The `wider` fix of the first question does this for all columns with the same
    markers.
    """
    features, found = set(recipe.features()), []
    for summary in summaries:
        if summary.name != recipe.target and summary.name not in features and summary.kind != "text":
            continue
        values = table.frame[summary.name]
        if isinstance(values.dtype, np.dtype) and values.dtype.kind in "uifM":
            marks, kind = _far_off(values.dropna()), "far"
        elif recipe.numbers and summary.name == recipe.target:
            continue  # rows without a number are left out anyway
        else:
            marks, kind = _words(values, summary)
        if marks:
            found.append((summary, kind, marks))
    known, questions = set(), []
    for summary, kind, marks in found:
        alike = [] if known & set(marks) else [other for other, _, others in found if set(others) & set(marks)]
        known |= set(marks)
        questions.append(_question(table, recipe, summary, kind, marks, alike))
    return questions


def _words(values, summary):
    """Return ({marker: number of cells}, kind of the other values: "numbers", "dates", or "" for words)."""
    codes, uniques = values.factorize(use_na_sentinel=True)
    texts = [category_text(value).strip() for value in uniques]
    if are_codes(texts):  # NV and ND are codes of US states; NA may be a code too
        return {"NA": int((codes == texts.index("NA")).sum())} if "NA" in texts else {}, ""
    found = exceptions(values, summary)
    if found is not None:
        marks = {text: n for text, n in found.texts.items() if means_missing(text)}
        if not marks and len(found.texts) == 1 and len(texts) > 10:
            marks = {text: n for text, n in found.texts.items() if n >= _LEAST_UNKNOWN * len(values)}
        return marks, found.what
    if summary.kind != "category":
        return {}, ""
    counts = np.bincount(codes[codes >= 0], minlength=len(texts))
    known = {text: int(n) for text, n in zip(texts, counts, strict=True) if n and means_missing(text)}
    if known and known_order(summary.name, texts):  # "None" below "1 to 3" is an answer
        return {}, ""
    return (known if len(known) < np.count_nonzero(counts) - 1 else {}), ""


def _far_off(values):
    """Return {text: number of cells} for values far from all others, such as -999 and 1900-01-01."""
    marks, present = {}, values.to_numpy()
    if present.dtype.kind != "M":
        present = present.astype(np.float64)  # differences of small integer types would overflow
    if len(present) < 10:
        return marks
    for end in (present.min(), present.max()):
        text = marker_text(pandas.Timestamp(end) if present.dtype.kind == "M" else end)
        if not (text in _FAR_DAYS or present.dtype.kind != "M" and _NINES.fullmatch(text)):
            continue
        others = present[present != end]
        n_cells = len(present) - len(others)
        if n_cells < 2 or len(others) < 2:
            continue
        low, high = others.min(), others.max()
        gap, width = (low - end, high - low) if end < low else (end - high, high - low)
        if gap > width or present.dtype.kind != "M" and end < 0 <= low:
            marks[text] = n_cells
    return marks


def _question(table, recipe, summary, kind, marks, alike):
    name, n_cells = summary.name, sum(marks.values())
    text = {
        "": (
            f"{n_cells:,} of {counted(table.n_rows, 'row')} {plural(n_cells, 'contains', 'contain')} "
            f"{listed(marks, 3)} in column '{name:.60}'. The app uses this as a value. Does it mean that the value "
            "is missing?"
        ),
        "far": (
            f"{n_cells:,} of {counted(table.n_rows, 'row')} {plural(n_cells, 'contains', 'contain')} "
            f"{listed(marks, 3)} in column '{name:.60}', far from all other values. Does this mark a missing value?"
        ),
        "numbers": (
            f"{n_cells:,} of {counted(table.n_rows, 'row')} {plural(n_cells, 'contains', 'contain')} "
            f"{listed(marks, 3)} in column '{name:.60}'. All other cells contain numbers. Does this mark a missing "
            "value?"
        ),
        "dates": (
            f"{n_cells:,} of {counted(table.n_rows, 'row')} {plural(n_cells, 'contains', 'contain')} "
            f"{listed(marks, 3)} in column '{name:.60}'. All other cells contain dates. Does this mark a missing "
            "value?"
        ),
    }[kind]
    wider = None
    if len(alike) > 1:
        every = recipe
        for other in alike:
            every = _declare_markers(table, every, other, marks)
        wider = (f"In all {len(alike)} columns", every)
    fix = ("Treat as missing", _declare_markers(table, recipe, summary, marks))
    return Problem("missing marker", (name,), text, "warns" if kind else "info", fix, wider)


def _declare_markers(table, recipe, summary, marks):
    """Return the recipe that declares the markers of one column, with the kind of the column without them."""
    name = summary.name
    missing = recipe.missing | {name: (*recipe.missing.get(name, ()), *marks)}
    values = [text for text in recipe.values.get(name, ()) if text not in marks]
    one = replace(recipe, missing=missing, values=recipe.values | {name: tuple(values)})
    alone = remove_markers(replace(table, frame=table.frame[[name]]), replace(one, missing={name: missing[name]}))
    new = summarise_column(name, alone.frame[name])
    if new.kind == summary.kind:
        return one
    if name == recipe.target:
        kind = "number" if new.kind == "number" and needs_bins(new) else "category"
        return replace(one.with_kinds({name: kind}), **propose_values(new))
    return one.with_kinds({name: propose_kind(new)})
