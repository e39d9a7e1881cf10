"""Problems of single columns: no information, IDs, misleading kinds, almost numbers, missing values, cells."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

import numpy as np
import pandas

from sample_data.user_data.checks.problem import Problem
from sample_data.user_data.classes import other_spellings
from sample_data.user_data.grouping import group, group_text, propose_below
from sample_data.user_data.known_orders import known_order
from sample_data.user_data.limits import MAX_CLASSES, MAX_NAME_LENGTH
from sample_data.user_data.natural_key import natural_key
from sample_data.user_data.not_numbers import exceptions, means_missing, not_numbers
from sample_data.user_data.proposal import (
    counters_within,
    is_id_like,
    needs_bins,
    propose_kind,
    propose_values,
    single_valued_target,
)
from sample_data.user_data.read_as_missing import cells_read_as_missing
from sample_data.user_data.recipe import Recipe
from sample_data.user_data.remove_markers import remove_markers
from sample_data.user_data.summary import ColumnSummary, summarise_column
from sample_data.user_data.table import Table
from sample_data.user_data.values import are_codes
from treecore.messages import counted, listed, plural
from treecore.parameter_checks import LARGEST
from treecore.tables.table_columns import category_text, marker_text
from treecore.tree.number_text import percent


def exceptions_as_missing(table: Table, recipe: Recipe) -> list[Problem]:
    """Return notes about cells that are treated as missing because the other cells are numbers or dates."""
    found = []
    for name, texts in recipe.missing.items():
        values = table.frame[name] if name in table.frame.columns else None
        if values is None or not isinstance(values.dtype, pandas.CategoricalDtype | pandas.StringDtype):
            continue
        counts = values.value_counts()
        there = [text for text in texts if counts.get(text, 0)]
        is_target = name == recipe.target
        kind = "number" if is_target and (recipe.numbers or recipe.bins) else recipe.kinds.get(name)
        if not there or kind not in ("number", "date"):
            continue
        n = int(sum(counts[text] for text in there))
        text = (
            (
                f"{counted(n, 'cell')} of '{name:.60}' {plural(n, f'is not a {kind}', f'are not {kind}s')}: "
                f"{listed(there, 3)}. {plural(n, 'This row is', 'These rows are')} excluded."
            )
            if is_target
            else (
                f"{counted(n, 'cell')} of '{name:.60}' {plural(n, f'is not a {kind}', f'are not {kind}s')}: "
                f"{listed(there, 3)}. {plural(n, 'It is', 'They are')} treated as missing."
            )
        )
        back = replace(recipe, missing={one: marks for one, marks in recipe.missing.items() if one != name})
        back = replace(back.with_kinds({name: "category"}), **({"numbers": False, "bins": None} if is_target else {}))
        found.append(Problem("exceptions", (name,), text, "info", ("Use as category", back)))
    return found


def almost_numbers(values: pandas.Series, summary: ColumnSummary, recipe: Recipe) -> list[Problem]:
    """Return one question about a column of texts that are mostly numbers, or an empty list."""
    name, is_target = summary.name, summary.name == recipe.target
    is_known = (recipe.numbers or recipe.bins) if is_target else recipe.kinds.get(name, "ignore") == "number"
    others = {} if is_known else not_numbers(values, summary)
    if not others:
        return []
    changed = recipe.with_kinds({name: "number"})
    n = sum(others.values())
    if is_target:
        severity = "stops" if summary.n_distinct > MAX_CLASSES else "warns"
        fix = ("Predict numbers", replace(changed, numbers=True))
        text = (
            f"Column '{name:.60}' contains numbers, but {counted(n, 'value')} "
            f"{plural(n, 'is not a number', 'are not numbers')}: {listed(others, 3)}. If the column is used as "
            "numbers, these rows are excluded."
        )
        return [Problem("almost numbers", (name,), text, severity, fix)]
    text = (
        f"Column '{name:.60}' contains numbers, but {counted(n, 'value')} "
        f"{plural(n, 'is not a number', 'are not numbers')}: {listed(others, 3)}. If the column is used as "
        "numbers, these values are missing."
    )
    return [Problem("almost numbers", (name,), text, "warns", ("Use as number", changed))]


_LARGE = 0.2  # share of rows without a class, above which the question is a warning


def marked_target(table: Table, recipe: Recipe) -> tuple[list[Problem], int]:
    """Return (the question about such texts in the target, number of rows without a class because of them)."""
    cells = cells_read_as_missing(table, recipe.target)
    if not cells:
        return [], 0
    n = sum(cells.values())
    share = n / table.n_rows
    text = (
        f"{counted(n, 'row')} ({percent(share)}) with {listed(list(cells))} in '{recipe.target:.60}' "
        f"{plural(n, 'is', 'are')} excluded, because this usually means a missing value. Is it a class?"
    )
    label = "Use as class" if len(cells) == 1 else "Use as classes"
    fix = (label, _with_values(recipe, {recipe.target: cells}))
    return [Problem("marked", (recipe.target,), text, "warns" if share > _LARGE else "info", fix)], n


def marked_features(table: Table, recipe: Recipe) -> list[Problem]:
    """Return one question about all features of categories with such texts, or an empty list."""
    used = [name for name in recipe.features() if recipe.kinds[name] == "category"]
    found = {name: cells for name in used if (cells := cells_read_as_missing(table, name))}
    if not found:
        return []
    texts = list(dict.fromkeys(text for cells in found.values() for text in cells))
    n = sum(sum(cells.values()) for cells in found.values())
    text = (
        f"{counted(n, 'cell')} {listed(texts, 3)} of {listed(list(found))} {plural(n, 'was', 'were')} read as "
        "missing. Does this text mean a value?"
    )
    label = "Use as value" if len(texts) == 1 else "Use as values"
    return [Problem("marked", tuple(found), text, "info", (label, _with_values(recipe, found)))]


def _with_values(recipe, found):
    """Return the recipe with {column: texts} as values."""
    values = {name: (*recipe.values.get(name, ()), *texts) for name, texts in found.items()}
    missing = {
        name: [text for text in recipe.missing.get(name, ()) if text not in texts] for name, texts in found.items()
    }
    return replace(recipe, values=recipe.values | values, missing=recipe.missing | missing)


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


_MOST_MISSING = 0.5
_MOST_FEATURES = 5000
_MOST_SHOWN = 5  # maximum number of columns whose rare values are listed one by one
DEFAULT_MOST = Recipe.most_categories


def column_problems(table: Table, summaries: Sequence[ColumnSummary], recipe: Recipe) -> list[Problem]:
    """Return the problems of single columns, with one problem for all columns of the same kind."""
    features = set(recipe.features())
    marked = missing_markers(table, summaries, recipe)
    found = list(marked)
    # These columns are texts only because of a marker.
    marked_names = {name for one in marked if one.severity == "warns" for name in one.columns}
    for kind, applies, severity in _KINDS:
        columns = [s.name for s in summaries if s.name != recipe.target and applies(s)]
        columns = [name for name in columns if kind != "text" or name not in marked_names]
        used = [name for name in columns if name in features and (kind != "text" or recipe.kinds[name] != "number")]
        if used:
            found.append(Problem(kind, tuple(used), _sentence(kind, used), severity, _ignore_fix(recipe, used)))
        left = [name for name in columns if recipe.kinds.get(name, "ignore") == "ignore" and kind != "missing"]
        left = [name for name in left if name != recipe.row_names]
        if left:
            text = _unused(kind, left)
            if kind == "constant" and (expected := single_valued_target(summaries)) in left:
                text = (
                    f"{text} A target needs at least two values, so '{recipe.target:.60}' is the target instead "
                    f"of '{expected:.60}'. Choose another target if necessary."
                )
            found.append(Problem(kind, tuple(left), text, "info"))
    found += _counters(table, summaries, recipe)
    found += _out_of_reach(table)
    handled = {recipe.target, *(name for one in marked for name in one.columns)}
    for summary in summaries:
        found += [] if summary.name in handled else almost_numbers(table.frame[summary.name], summary, recipe)
    found += _many_values(table, summaries, recipe, features)
    found += _formulas(table)
    return found


def ignore_columns(recipe: Recipe, columns: Sequence[str]) -> Recipe:
    """Return the recipe with these columns ignored."""
    return replace(recipe, kinds={**recipe.kinds, **dict.fromkeys(columns, "ignore")})


def _ignore_fix(recipe, columns):
    label = "Ignore column" if len(columns) == 1 else f"Ignore {len(columns):,} columns"
    return label, ignore_columns(recipe, columns)


def _is_constant(summary):
    return summary.n_distinct == 1 and not summary.distinct_is_capped


def _is_text(summary):
    return summary.kind == "text" and not is_id_like(summary)


def _is_mostly_missing(summary):
    return _MOST_MISSING * summary.n_rows < summary.n_missing < summary.n_rows


_KINDS = (
    ("empty", lambda s: s.kind == "empty", "info"),
    ("constant", _is_constant, "warns"),
    ("id", is_id_like, "warns"),
    ("text", _is_text, "warns"),
    ("missing", _is_mostly_missing, "warns"),
)


def _sentence(kind, columns):
    n = len(columns)
    one, several = {
        "empty": (f"Column {listed(columns)} has no values.", f"{n:,} columns have no values: {listed(columns)}."),
        "constant": (
            f"Column {listed(columns)} has the same value in every row.",
            f"{n:,} columns have the same value in every row: {listed(columns)}.",
        ),
        "id": (
            (
                f"Column {listed(columns)} has a different value in (nearly) every row, like an ID column. A tree "
                "could use this column to memorise rows."
            ),
            f"{n:,} columns have a different value in (nearly) every row, like ID columns: {listed(columns)}.",
        ),
        "text": (
            f"Column {listed(columns)} contains free text with many different values.",
            f"{n:,} columns contain free text with many different values: {listed(columns)}.",
        ),
        "missing": (
            f"Column {listed(columns)} has missing values in more than half of the rows.",
            f"{n:,} columns have missing values in more than half of the rows: {listed(columns)}.",
        ),
    }[kind]
    return one if n == 1 else several


def _unused(kind, columns):
    return f"{_sentence(kind, columns)} {plural(len(columns), 'It is', 'They are')} not used."


def _counters(table, summaries, recipe) -> list[Problem]:
    names = [name for name in counters_within(table.frame, summaries) if recipe.kinds.get(name) == "ignore"]
    names = [name for name in names if name not in (recipe.target, recipe.row_names, *recipe.group_columns())]
    if not names:
        return []
    text = (
        f"{plural(len(names), 'Column', 'Columns')} {listed(names)} {plural(len(names), 'numbers', 'number')} the rows "
        f"within groups. {plural(len(names), 'It is', 'They are')} not used."
    )
    back = replace(recipe, kinds={**recipe.kinds, **dict.fromkeys(names, "number")})
    label = "Use as number" if len(names) == 1 else "Use as numbers"
    return [Problem("counter", tuple(names), text, "info", (label, back))]


def _out_of_reach(table) -> list[Problem]:
    """Return the problem of columns with infinite numbers, or numbers too large for training."""
    floats = table.frame.select_dtypes("floating")
    cells = {name: int((np.abs(values.to_numpy()) > LARGEST).sum()) for name, values in floats.items()}
    found = {name: n for name, n in cells.items() if n}
    if not found:
        return []
    text = (
        f"{counted(sum(found.values()), 'value')} of {listed(list(found))} "
        f"{plural(sum(found.values()), 'is', 'are')} infinite or larger than {LARGEST:g} in absolute value, and "
        f"{plural(sum(found.values()), 'is', 'are')} treated as missing. To keep these values, rescale the "
        "column."
    )
    return [Problem("out of reach", tuple(found), text, "warns")]


def _many_values(table, summaries, recipe, features) -> list[Problem]:
    many = [s for s in summaries if s.name in features and recipe.kinds[s.name] == "category"
            and s.n_distinct > recipe.most_categories and not is_id_like(s) and s.kind != "text"]  # fmt: skip
    grouped = [s for s in many if s.name in recipe.group_below]
    found = [one for summary in grouped[:_MOST_SHOWN] for one in _group_problems(table, summary, recipe)]
    if many := [s for s in many if s not in grouped]:
        names = tuple(s.name for s in many)
        most = max(s.n_distinct for s in many)
        text = (
            f"{plural(len(names), 'Column', 'Columns')} {listed(names)} "
            f"{plural(len(names), 'has', 'have up to')} {most:,} different values. The {recipe.most_categories} "
            "most frequent values in a column become features. All other values become 'none of these'."
        )
        more = min(200, most)
        fix = (f"Keep {more} values", replace(recipe, most_categories=more)) if more > recipe.most_categories else None
        if recipe.most_categories == DEFAULT_MOST:
            below = {s.name: propose_below(table.frame[s.name]) for s in many}
            fix = ("Combine rare values", replace(recipe, group_below=recipe.group_below | below))
        found.append(Problem("many values", names, text, "info", fix))
    n_features = sum(min(s.n_distinct, recipe.most_categories) if recipe.kinds[s.name] == "category" else 1
                     for s in summaries if s.name in features)  # fmt: skip
    if n_features > _MOST_FEATURES:
        text = (
            f"The table has {n_features:,} features. Bivariate trees test all pairs of features, so training can "
            "take a long time."
        )
        found.append(Problem("many features", (), text, "warns"))
    return found


def _group_problems(table, summary, recipe):
    """Return the problem of a column's combined rare values, with a fix that keeps them separate, or an empty list."""
    name, below = summary.name, recipe.group_below[summary.name]
    found = group(table.frame[name], recipe.most_categories, below)
    if not found.name:
        return []
    text = (
        f"Column '{name:.60}' has {summary.n_distinct:,} different values. {len(found.kept):,} of them are "
        f"features. The rare values are combined as {group_text(found)}."
    )
    others = {column: rows for column, rows in recipe.group_below.items() if column != name}
    more = min(200, max(summary.n_distinct, recipe.most_categories))
    fix = (f"Keep {more} values", replace(recipe, group_below=others, most_categories=more))
    return [Problem("rare values", (name,), text, "info", fix)]


def _formulas(table) -> list[Problem]:
    names = tuple(name for name in table.frame.columns if name[0] in "=+-@")
    if not names:
        return []
    text = (
        f"Column {plural(len(names), 'name', 'names')} {listed(names)} would run as a formula in a spreadsheet. "
        "This app treats names as text."
    )
    return [Problem("formula", names, text, "info")]
