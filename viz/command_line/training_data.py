"""Data that a command trains on: a bundled data set, or the user's table with options about its columns."""

import argparse
import hashlib
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np

from treecore.data.dependence import Dependence
from treecore.errors import DataError, ParameterError
from treecore.messages import joined, literal, literals
from treecore.tables.marked_numbers import renamed_columns
from treecore.tables.table_columns import TableColumns, category_text
from treecore.tree.data_set_like import DataSetLike
from viz.command_line.files import tell
from viz.command_line.rows import add_reading, reading_ways, table_or_set
from viz.command_line.sparse_data import sparse_parts, sparse_rows

PARTS = ("train", "validation", "test")
_WAYS = {"marked": "--value-text TEXT", "missing marker": "--missing-text TEXT"}  # {kind of problem: option}


@dataclass(frozen=True, eq=False)
class TrainingData:
    """Training data with its target and sets.

    data : DataSet, or `Quantities` for regression (y : float64[n], class_names : ())
    target : name of the target column, or None
    labels : [n], the target values
    rows : {"train", "validation", "test": row numbers}
    dependence : which rows belong together or are ordered in time
    """

    data: DataSetLike
    target: str | None
    labels: np.ndarray
    rows: dict
    dependence: Dependence = Dependence()


@dataclass(frozen=True, eq=False)
class Quantities:
    """Rows with a numeric target, as a DataSet without classes."""

    name: str
    title: str
    X: np.ndarray
    y: np.ndarray
    feature_names: tuple
    columns: TableColumns
    fingerprint: str
    class_names: tuple = ()
    image_shape: None = None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options about the data."""
    parser.add_argument(
        "data", help="a file of any format that the app opens (CSV, Excel, ...), the name of a bundled data set, or -"
    )
    add_reading(parser)
    parser.add_argument("--target", metavar="COLUMN", help="column to predict (default: the most likely target)")
    parser.add_argument("--ignore", metavar="COLUMN", action="append", default=[],
                        help="column to ignore; may be repeated")  # fmt: skip
    parser.add_argument("--type", metavar="COLUMN=KIND", action="append", default=[],
                        help="number, category, ordered, date or ignore, or levels from low to high (size='small < "
                        "large'); may be repeated")  # fmt: skip
    parser.add_argument("--missing-text", metavar="TEXT", action="append", default=[],
                        help="text that means a missing value, such as -999; may be repeated")  # fmt: skip
    parser.add_argument("--value-text", metavar="TEXT", action="append", default=[],
                        help="text such as NA that is a value or a class instead of a missing value; may be "
                        "repeated")  # fmt: skip
    parser.add_argument("--split-column", metavar="COLUMN",
                        help="column that assigns each row to train, validation or test")  # fmt: skip
    parser.add_argument("--group", metavar="COLUMN",
                        help="column such as the patient, not used as a feature: rows with the same value stay in "
                        "the same set and fold")  # fmt: skip
    parser.add_argument("--time", metavar="COLUMN",
                        help="column of dates or numbers: in each split or fold, the oldest rows are for training "
                        "and the newest for testing")  # fmt: skip
    parser.add_argument(
        "--no-group", action="store_true", help="split rows at random even if they form subjects or a time order"
    )
    parser.add_argument(
        "--validation", metavar="SHARE", type=float, default=0.2, help="share of validation rows (default 0.2)"
    )
    parser.add_argument("--test", metavar="SHARE", type=float, default=0.2, help="share of test rows (default 0.2)")
    parser.add_argument(
        "--seed", type=int, default=0, help="random seed for dividing the rows and for the initial tree (default 0)"
    )
    parser.add_argument("--regression", action="store_true", help="predict numbers instead of classes")


def load(options: argparse.Namespace) -> TrainingData:
    """Return the `TrainingData` that the options describe, and print remarks about a table.

    Raise TreecoreError if the data cannot be read, or the options do not fit the data.
    """
    import sample_data
    from sample_data.data_set import split_words

    if (sparse := sparse_rows(options)) is not None:
        found, labels, parts, dependence = sparse_parts(sparse, options)
        return TrainingData(found, "label", labels, dict(zip(PARTS, parts, strict=True)), dependence)
    data = table_or_set(options.data, reading=options.read)
    if isinstance(data, sample_data.DataSet):
        _refuse_table_options(options, data)
        target, labels = data.target_name or data.target.value_noun, data.labels()
    else:
        data, target, labels = _of_table(data, options)
    parts = sample_data.split_rows(data, options.seed, options.validation, options.test)
    if hasattr(options, "split") and (words := split_words(data, parts[2])):  # `compare` has its own folds.
        tell(words)
    dependence = data.dependence
    if options.regression and data.class_names:
        data = _quantities(data, labels)
    return TrainingData(data, target, labels, dict(zip(PARTS, parts, strict=True)), dependence)


def _refuse_table_options(options, data):
    names = [
        "target",
        "ignore",
        "type",
        "missing_text",
        "value_text",
        "split_column",
        "group",
        "time",
        *(["regression"] if data.class_names else []),
    ]
    given = [name for name in names if getattr(options, name)]
    if given:
        option = f"--{given[0].replace('_', '-')}"
        raise ParameterError(
            f"{option} applies only to tables, but {literal(options.data)} is a data set with fixed classes and "
            "features."
        )


def _of_table(table, options):
    """Return (DataSet, name of the target, labels) of the user's table."""
    from sample_data import user_data

    for question in table.questions:
        tell(f"warning: {question.text} To choose, pass {reading_ways(question)}.")
    summaries = user_data.summarise(table)
    recipe = recipe_of(table, summaries, options)
    numbers = None
    if options.regression:
        table, numbers = _with_numbers(table, recipe)
        recipe = replace(recipe, bins=min(3, np.unique(numbers).size))
    for problem in user_data.problems(table, summaries, recipe):
        about_classes = recipe.target in problem.columns or not problem.columns
        if numbers is None or not about_classes:
            way = f" If so, pass {_WAYS[problem.kind]}." if problem.kind in _WAYS else ""
            tell(f"{'note' if problem.severity == 'info' else 'warning'}: {problem.text}{way}")
    data = user_data.make_data_set(table, recipe)
    features = f"{len(data.columns.columns)} columns become {data.n_features:,} features"
    numbers_text = f"{data.n_rows:,} rows; {features}; {recipe.target!r} is predicted."
    tell(f"data: {data.description if numbers is None else numbers_text}")
    return data, recipe.target, data.labels() if numbers is None else numbers


def recipe_of(table, summaries, options):
    """Return the proposed column settings, changed by the options."""
    from sample_data import user_data
    from sample_data.user_data.not_numbers import columns_with, without_exceptions
    from sample_data.user_data.proposal import needs_bins, propose_kind

    missing = columns_with(table, options.missing_text)
    table, summaries = without_exceptions(table, summaries, missing)
    names = {summary.name: summary for summary in summaries}
    options = _as_named(options, names)
    typed = list(map(_column_and_kind, options.type))
    levels = {column: tuple(map(str.strip, kind.split("<"))) for column, _, kind in typed if "<" in kind}
    kinds = {column: kind for column, _, kind in typed} | dict.fromkeys(levels, "ordered")
    kinds |= dict.fromkeys(options.ignore, "ignore")
    splits = [name for name in ("split_column", "group", "time") if getattr(options, name)]
    if len(splits) > 1:
        given = [f"--{name.replace('_', '-')}" for name in splits]
        raise ParameterError(f"{joined(given, between=' and ')} cannot be combined. Use one option.")
    for column in [*kinds, *filter(None, [options.target, *(getattr(options, name) for name in splits)])]:
        if column not in names:
            raise ParameterError(no_column(column, list(names)))
    recipe = user_data.propose(table, summaries)
    table, summaries = without_exceptions(table, summaries, recipe.missing)
    names = {summary.name: summary for summary in summaries}
    both = {*missing, *recipe.missing}
    missing = {name: (*missing.get(name, ()), *recipe.missing.get(name, ())) for name in both}
    recipe = replace(recipe, missing=missing, values=_values(table, options, recipe.target))
    if recipe.numbers:  # --regression reads the numbers from the table.
        recipe = replace(recipe, numbers=False, bins=3)
    target = options.target or recipe.target
    if target in options.ignore:
        raise ParameterError(f"--ignore {target!r}: this column is the target. Pass another target with --target.")
    if options.target is None and len(recipe.candidates) > 1:
        others = [candidate.name for candidate in recipe.candidates if candidate.name != target][:2]
        proposed = (
            f"{target!r} is predicted, the most likely target. Next candidates: {joined(others)}. Pass --target "
            "to choose."
        )
        tell(f"note: {proposed}")
    if target != recipe.target:
        recipe = replace(
            recipe,
            target=target,
            bins=3 if needs_bins(names[target]) else None,
            kinds=recipe.kinds | {recipe.target: propose_kind(names[recipe.target])},
        )
    if recipe.bins and not options.regression:
        tell(f"note: {target!r} contains numbers, so the classes are ranges. Pass --regression to predict the numbers.")
    split = {"seed": options.seed, "shares": (1 - options.validation - options.test, options.validation, options.test)}
    if options.split_column:
        values = _part_words(table.frame[options.split_column], options.split_column)
        split |= {"split": "column", "split_column": options.split_column, "split_values": values}
        kinds = {options.split_column: "ignore"} | kinds
    elif options.group:
        split |= {"split": "group", "split_column": options.group, "split_within": None}
        kinds = {options.group: "ignore"} | kinds
    elif options.time:
        split |= {"split": "time", "split_column": options.time}
    elif recipe.split in ("group", "time") and (
        options.no_group or target in (recipe.split_column, recipe.split_within)
    ):
        split |= {"split": "stratified", "split_column": None}
    own_kind = {target: "number" if recipe.bins else "category"}
    return replace(recipe.with_kinds(kinds | own_kind), levels=levels, **split)


def _values(table, options, proposed):
    """Return {column: texts read as missing that are values of it}, by the options, and for the target by default."""
    from sample_data.user_data.read_as_missing import cells_read_as_missing, likely_classes

    target = options.target or proposed
    found = {name: tuple(cells_read_as_missing(table, name).keys() & set(options.value_text)) for name in table.marks}
    default = likely_classes(table, target).get(target, ()) if target in table.marks else ()
    default = tuple(text for text in default if text not in options.missing_text)
    return found | {target: tuple(dict.fromkeys((*found.get(target, ()), *default)))}


def _as_named(options, names):
    """Return the options with the column names of the table: "w" becomes "w (kg)" if its values have this unit."""
    lists = [options.ignore, [_column_and_kind(text)[0] for text in options.type]]
    single = {name: getattr(options, name) for name in ("target", "split_column", "group", "time")}
    given = {name for name in (*single.values(), *chain(*lists)) if name}
    present = {wanted: there for name in given for there, wanted in renamed_columns([name], names).items()}
    return argparse.Namespace(**vars(options) | {
        **{option: present.get(name, name) for option, name in single.items()},
        "ignore": [present.get(name, name) for name in options.ignore],
        "type": ["".join((present.get(name, name), *kind)) for name, *kind in map(_column_and_kind, options.type)],
    })  # fmt: skip


def _column_and_kind(text):
    return text.rpartition("=") if "=" in text else (text, "=", "")


def _part_words(values, name):
    found = {}
    for text in {category_text(value) for value in values.dropna().unique()}:
        word = next((part for part in PARTS if text.strip().lower()[:3] == part[:3]), None)
        if word is None:
            raise ParameterError(
                f"Column {name!r} contains {literal(text[:40])}: expected one of {joined(list(PARTS))}."
            )
        found[text] = word
    return found


def _no_numbers(values, numbers):
    """Return the reason why the numbers of a target cannot be predicted."""
    texts = values[~np.isfinite(numbers)].dropna()
    if len(texts):
        return (
            f"The target {values.name!r} contains texts that are not plain numbers, such as "
            f"{category_text(texts.iloc[0])[:40]!r}. Write them as numbers, or remove --regression."
        )
    return f"The target {values.name!r} has fewer than two different numbers. Choose another target with --target."


def _with_numbers(table, recipe):
    """Return (the table without rows that have no target number, the target numbers)."""
    from sample_data.user_data.classes import quantities
    from sample_data.user_data.remove_markers import remove_markers
    from treecore.messages import counted

    numbers = quantities(remove_markers(table, recipe).frame[recipe.target])
    keep = np.isfinite(numbers)
    if recipe.split == "column":
        values = table.frame[recipe.split_column].map(category_text, na_action="ignore")
        keep &= values.isin(list(recipe.split_values)).to_numpy()
    elif recipe.split == "group":
        keep &= table.frame[recipe.group_columns()].notna().all(axis=1).to_numpy()
    if np.unique(numbers[keep]).size < 2:
        raise DataError(_no_numbers(table.frame[recipe.target], numbers))
    if not keep.all():
        n_out = counted(int((~keep).sum()), "row")
        tell(f"note: {n_out} left out (no number in {recipe.target!r}, or no set assigned).")
    marks = {name: own[keep] for name, own in table.marks.items()}
    return replace(table, frame=table.frame[keep].reset_index(drop=True), marks=marks), numbers[keep]


def _quantities(data, y):
    if len(y) != data.n_rows:
        raise DataError(f"Only {data.n_rows} of {len(y)} rows can be used. Remove the other rows.")
    digest = hashlib.sha256(data.fingerprint.encode() + np.ascontiguousarray(y).data).hexdigest()
    return Quantities(data.name, data.title, data.X, y, data.feature_names, data.columns, digest)


def no_column(column: Any, names: Any) -> str:
    """Return the message about an unknown column."""
    return f"The table has no column {column!r}. It has {literals(names, 12)}."
