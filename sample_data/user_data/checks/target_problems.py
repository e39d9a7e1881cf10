"""Problems of the target and of the rows: few rows, ordered answers, rows in time order, rows of one subject."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas

from sample_data.user_data.checks.column_problems import almost_numbers, marked_target
from sample_data.user_data.checks.problem import Problem
from sample_data.user_data.classes import class_codes, other_spellings, target_numbers
from sample_data.user_data.known_orders import answer_levels, is_ordered
from sample_data.user_data.limits import MAX_CLASSES
from sample_data.user_data.not_numbers import not_numbers
from sample_data.user_data.proposal import is_id_like, needs_bins, propose_values
from sample_data.user_data.proposed_split import find_dependence, split_by_order, split_by_subjects
from sample_data.user_data.recipe import Recipe
from sample_data.user_data.subjects import Subjects
from sample_data.user_data.summary import ColumnSummary
from sample_data.user_data.table import Table
from sample_data.user_data.time_order import TimeOrder
from treecore.errors import DataError
from treecore.messages import counted, listed, plural
from treecore.tables.table_columns import marker_text
from treecore.tree.number_text import percent

_SHOWN = 3
_LONGEST = 120  # maximum number of characters for the shown levels of a column


def ordered_answers(table: Table, summaries: Sequence[ColumnSummary], recipe: Recipe) -> list[Problem]:
    """Return a note about columns that are ordered by the words in their values, and an offer to order others."""
    used, taken, offered = set(recipe.features()), {}, {}
    for summary in summaries:
        kind = recipe.kinds.get(summary.name)
        if summary.name not in used or kind not in ("ordered", "category") or is_ordered(table.frame[summary.name]):
            continue
        levels = answer_levels(table.frame[summary.name], summary)
        if not levels:
            continue
        if kind == "category":
            offered[summary.name] = levels
        elif recipe.levels.get(summary.name, levels) == levels:
            taken[summary.name] = levels
    found = []
    if taken:
        text = f"{_columns(taken)}. {plural(len(taken), 'It is an ordered feature', 'They are ordered features')}."
        back = replace(recipe, kinds={**recipe.kinds, **dict.fromkeys(taken, "category")})
        label = "Use as category" if len(taken) == 1 else "Use as categories"
        found.append(Problem("ordered answers", tuple(taken), text, "info", (label, back)))
    if offered:
        text = f"{_columns(offered)}. A tree can split an ordered column between two adjacent levels."
        kinds = {**recipe.kinds, **dict.fromkeys(offered, "ordered")}
        ordered = replace(recipe, kinds=kinds, levels=recipe.levels | offered)
        found.append(Problem("order", tuple(offered), text, "info", ("Use as ordered", ordered)))
    return found


def _columns(found):
    shown = [f"'{name[:60]}' ({_levels(levels)})" for name, levels in list(found.items())[:_SHOWN]]
    if len(found) == 1:
        return f"Column {shown[0]} has an order"
    more = f" and {len(found) - _SHOWN:,} more" if len(found) > _SHOWN else ""
    return f"{len(found):,} columns have an order: {', '.join(shown) + more}"


def _levels(levels):
    text = " < ".join(levels)
    return text if len(text) <= _LONGEST else f"{levels[0][:40]} < … < {levels[-1][:40]}"


def subject_problems(table: Table, summaries: Sequence[ColumnSummary], recipe: Recipe) -> list[Problem]:
    """Return the advice to split by time or by subjects, or a note that this split is in use, with the evidence."""
    if recipe.split == "column":
        return []
    summaries = [summary for summary in summaries if summary.name not in recipe.added()]  # they follow from others
    found = find_dependence(table.frame, summaries, recipe.target)
    order, subjects = found.order, found.subjects
    if order is not None and recipe.split == "time" and recipe.split_column == order.column:
        return _in_use(
            "order",
            f"{_why_order(order)} The oldest rows are for training and the newest for testing.",
            order.column,
            recipe,
        )
    if subjects is not None and recipe.split == "group" and recipe.split_column == subjects.column:
        return _in_use(
            "subjects",
            (
                f"{_why_subjects(subjects)} All rows of the same value are in the same set, and the column is not a "
                "feature."
            ),
            subjects.column,
            recipe,
        )
    if recipe.split in ("time", "group"):
        return []
    by_group = split_by_subjects(table, recipe, subjects) if found.by == "group" or order is None else None
    if subjects is not None and by_group is not None:
        return _offered(
            "subjects",
            (
                f"{_why_subjects(subjects)} If rows of the same value occur in both training and test rows, the test "
                "error is too low."
            ),
            subjects.column,
            by_group,
        )
    if order is not None and (by_time := split_by_order(table, recipe, order)) is not None:
        return _offered(
            "order",
            (
                f"{_why_order(order)} With a random split, a tree is tested on times between its training rows, so "
                "the test error of a forecast is too low."
            ),
            order.column,
            by_time,
        )
    return []


def _in_use(kind, text, column, recipe) -> list[Problem]:
    back = replace(recipe, split="stratified", split_column=None)
    return [Problem(kind, (column,), text, "info", ("Split at random", back))]


def _offered(kind, text, column, fixed) -> list[Problem]:
    return [Problem(kind, (column,), text, "warns", (f"Split by {column[:40]}", fixed))]


def _why_order(order: TimeOrder) -> str:
    if order.reason == "panel":
        return (
            (
                f"'{order.column:.60}' orders the rows, because each '{(order.unit or ''):.60}' has each value "
                "at most once."
            )
            if order.unit
            else f"'{order.column:.60}' orders the rows, because rows repeat at each of its values."
        )
    return {
        "series": f"'{order.column:.60}' has a different value in every row, as the time of a series does.",
        "named": f"'{order.column:.60}' orders the rows, as its name and its values show.",
        "sorted": f"The rows of the file are sorted by '{order.column:.60}'.",
        "repeated": f"'{order.column:.60}' orders the rows, because each of its values has the same number of rows.",
    }[order.reason]


def _why_subjects(found: Subjects) -> str:
    rows = f"{found.least:,} rows" if found.least == found.most else f"{found.least:,} to {found.most:,} rows"
    counts = (
        (
            f"'{found.column:.60}' and '{(found.within or ''):.60}' together have {found.n_subjects:,} values "
            f"with {rows} each"
        )
        if found.within
        else f"'{found.column:.60}' has {found.n_subjects:,} values with {rows} each"
    )
    if found.occasion:
        return f"{counts}, and each of them has each '{found.occasion:.60}' at most once."
    if found.fixed:
        return (
            f"{counts}, and {listed(list(found.fixed), 3)} "
            f"{plural(len(found.fixed), 'never changes', 'never change')} within them."
        )
    return f"{counts}."


FEW_ROWS = 5  # smallest useful class; fewer rows cannot be split into training, validation and test rows
_MANY_CLASSES = 50
FEW_VALUES = 5  # smallest number of rows per value of a number that may be a class
_IMBALANCE = 20
_RARE = 0.5  # share of the largest class, below which classes may be merged
_NEARLY_ALL, _FAR, _MOST_FAR = (
    0.99,
    1000,
    10,
)  # share of usual rows, distance relative to theirs, most different values


def target_problems(
    table: Table, summaries: Sequence[ColumnSummary], recipe: Recipe
) -> tuple[list[Problem], np.ndarray | None]:
    """Return (problems, classes). `classes` is int64[n] with -1 for rows without a class, or None without classes."""
    summary = next(s for s in summaries if s.name == recipe.target)
    if recipe.numbers:
        return _of_numbers(table.frame[recipe.target], summary, recipe)
    found = almost_numbers(table.frame[recipe.target], summary, recipe) or _of_kind(summary, recipe)
    try:
        classes = class_codes(table.frame[recipe.target], recipe)
    except DataError as fault:
        if found and found[0].severity == "stops":
            return found, None
        return [*found, Problem("classes", (recipe.target,), str(fault), "stops", _way_out(summary, recipe))], None
    counts = np.bincount(classes.codes[classes.codes >= 0], minlength=len(classes.names))
    found += _spellings(counts, classes.names, recipe)
    found += _missing(table, classes.codes, recipe)
    found += _sizes(counts, classes.names, recipe)
    return found, classes.codes


def _spellings(counts, names, recipe) -> list[Problem]:
    """Return a question about classes that differ only in their spelling."""
    same = {} if recipe.bins else other_spellings(dict(zip(names, counts.tolist(), strict=True)))
    if not same:
        return []
    whole = [name for name in names if name in same or name in same.values()]
    text = (
        f"Some classes of '{recipe.target:.60}' differ only in their spelling: {listed(whole)}. Do they mean the "
        "same class?"
    )
    # Further texts of a class that is replaced belong to the same class.
    former = {one: same.get(name, name) for one, name in recipe.spellings.items()}
    fix = ("Combine spellings", replace(recipe, spellings=former | same))
    return [Problem("spellings", (recipe.target,), text, "warns", fix)]


def _of_numbers(values, summary, recipe) -> tuple[list[Problem], np.ndarray | None]:
    """Return the problems of a numeric target, and row codes that are equal for equal numbers."""
    columns = (recipe.target,)
    as_classes = replace(recipe, numbers=False, kinds={**recipe.kinds, recipe.target: "category"})
    way = ("Use as classes", as_classes)
    try:
        numbers, _ = target_numbers(values, recipe)
    except DataError as fault:
        are_texts = summary.kind in ("category", "text") and 2 <= summary.n_distinct <= MAX_CLASSES
        return [Problem("classes", columns, str(fault), "stops", way if are_texts else None)], None
    n_lost = int(np.isnan(numbers).sum())
    found = []
    if n_lost:
        share = n_lost / len(numbers)
        words = list(not_numbers(values, summary))
        text = (
            (
                f"{counted(n_lost, 'row')} ({percent(share)}) without a number in '{recipe.target:.60}', such as "
                f"{listed(words[:3])}, {plural(n_lost, 'is', 'are')} excluded."
            )
            if words
            else (
                f"{counted(n_lost, 'row')} ({percent(share)}) without a number in '{recipe.target:.60}' "
                f"{plural(n_lost, 'is', 'are')} excluded."
            )
        )
        found.append(Problem("no target", columns, text, "warns" if share > 0.2 else "info"))
    if (far := _far(numbers[~np.isnan(numbers)])).size:
        words = [marker_text(value) for value in np.unique(far)]
        text = (
            f"{counted(far.size, 'row')} of the target '{recipe.target:.60}' ({listed(words, 3)}) "
            f"{plural(far.size, 'is', 'are')} extreme. The distance to the median is more than {_FAR:,} times "
            "the distance of nearly all other values. These rows alone would determine the error."
        )
        missing = recipe.missing | {recipe.target: (*recipe.missing.get(recipe.target, ()), *words)}
        way_out = (f"Exclude {counted(far.size, 'row')}", replace(recipe, missing=missing))
        found.append(Problem("far", columns, text, "warns", way_out))
    if summary.n_distinct <= FEW_VALUES:
        text = f"The target '{recipe.target:.60}' has only {summary.n_distinct} different numbers. Are they classes?"
        found.append(Problem("few numbers", columns, text, "warns" if summary.n_distinct == 2 else "info", way))
    if is_id_like(summary):
        text = f"The target '{recipe.target:.60}' has a different number in every row, as an ID column does."
        found.append(Problem("target", columns, text, "info"))
    return found, pandas.factorize(numbers)[0]


def _far(numbers):
    """Return the numbers that are extremely far from all others, if there are only a few."""
    distances = np.abs(numbers - np.median(numbers))
    usual = np.quantile(distances, _NEARLY_ALL, method="lower")
    far = numbers[distances > _FAR * usual] if usual > 0 else numbers[:0]
    return far if np.unique(far).size <= _MOST_FAR else numbers[:0]


def _of_kind(summary, recipe) -> list[Problem]:
    """Return the problem of a target whose classes are quantities, free texts or row names."""
    columns = (recipe.target,)
    values = propose_values(summary)
    way = "Predict numbers" if values["numbers"] else "Divide into 3 groups"
    cut = (way, replace(recipe, **values, kinds={**recipe.kinds, recipe.target: "number"}))
    n = f"{'at least ' * summary.distinct_is_capped}{summary.n_distinct:,}"
    too_many = summary.n_distinct > MAX_CLASSES
    if recipe.bins:
        return []
    if summary.kind in ("number", "date") and needs_bins(summary) and summary.n_distinct > FEW_VALUES:
        text = f"The target '{recipe.target:.60}' has {n} different {summary.kind}s. Each of them would be a class."
        return [Problem("numeric target", columns, text, "stops" if too_many else "warns", cut)]
    if is_id_like(summary) or summary.kind == "text":
        text = (
            f"The target '{recipe.target:.60}' has {n} different values in {summary.n_rows:,} rows. Choose "
            "another target."
        )
        return [Problem("target", columns, text, "stops" if too_many else "warns")]
    return []


def _way_out(summary, recipe):
    if summary.kind == "number" and not recipe.bins and summary.n_distinct > MAX_CLASSES:
        return "Predict numbers", replace(recipe, numbers=True)
    if recipe.rare == "drop":
        return "Keep rare classes", replace(recipe, rare=None)
    return None


def _missing(table, codes, recipe) -> list[Problem]:
    marked, n_marked = marked_target(table, recipe)
    n_missing = int((codes < 0).sum()) - n_marked
    if not n_missing or recipe.rare == "drop":
        return marked
    share = n_missing / len(codes)
    text = (
        f"{counted(n_missing, 'row')} ({percent(share)}) without a value in '{recipe.target:.60}' "
        f"{plural(n_missing, 'is', 'are')} excluded."
    )
    return [*marked, Problem("no target", (recipe.target,), text, "warns" if share > 0.2 else "info")]


def _sizes(counts, names, recipe) -> list[Problem]:
    found, columns = [], (recipe.target,)
    single = [name for name, count in zip(names, counts, strict=True) if count == 1]
    few = [name for name, count in zip(names, counts, strict=True) if 1 < count < FEW_ROWS]
    if single:
        text = (
            f"Class {listed(single)} has one row, which is used for training, never for testing."
            if len(single) == 1
            else (
                f"{len(single):,} classes have one row each: {listed(single)}. These rows are used for training, "
                "never for testing."
            )
        )
        found.append(Problem("single", columns, text, "warns", _rare(recipe, 2, len(counts) - len(single))))
    if few:
        text = (
            f"Class {listed(few)} has fewer than {FEW_ROWS} rows, so the error on this class is unreliable."
            if len(few) == 1
            else (
                f"{len(few):,} classes have fewer than {FEW_ROWS} rows each: {listed(few)}. The errors on these "
                "classes are unreliable."
            )
        )
        left = len(counts) - len(few) - len(single)
        found.append(Problem("few", columns, text, "warns", _rare(recipe, FEW_ROWS, left)))
    if len(counts) > _MANY_CLASSES:
        floor = int(np.sort(counts)[-_MANY_CLASSES]) + 1
        if floor <= _RARE * counts.max():
            text = (
                f"The target has {len(counts):,} classes. A tree needs at least one leaf for each class that it "
                "predicts, and only twelve classes have their own colour. Merge rare classes, or choose another "
                "target."
            )
            fix = (f"Merge classes below {floor:,} rows", replace(recipe, rare="merge", rare_below=floor))
            found.append(Problem("many classes", columns, text, "warns", fix))
        else:
            text = (
                f"The target has {len(counts):,} classes. A tree needs at least one leaf for each class that it "
                "predicts, and only twelve classes have their own colour. Choose these twelve in the legend, or "
                "search for a class by name."
            )
            found.append(Problem("many classes", columns, text, "info"))
    largest, smallest = int(counts.max()), int(counts.min())
    if largest >= 0.95 * counts.sum() or largest > _IMBALANCE * smallest:
        most = names[int(counts.argmax())]
        text = (
            f"Class {listed([most])} has {largest:,} of {int(counts.sum()):,} rows; the smallest class has "
            f"{smallest:,}. Compare each tree with a tree that always predicts the largest class, or balance the "
            "class weights."
        )
        found.append(Problem("imbalance", columns, text, "warns" if largest >= 0.95 * counts.sum() else "info"))
    return found


def _rare(recipe, below, n_left):
    """Return a fix that drops rare classes if at least two classes are left, else None."""
    if n_left >= 2:
        return f"Exclude classes below {below} rows", replace(recipe, rare="drop", rare_below=below)
    return None
