"""``inspect``: show the proposals for a table before training."""

import argparse
import re
from typing import Any

from treecore.errors import DataError
from treecore.messages import literal
from treecore.tree.number_text import percent
from viz.command_line.files import STANDARD, add_json, write, write_figures
from viz.command_line.rows import add_reading, reading_ways, table_or_set
from viz.command_line.training_data import no_column

EXAMPLES = ("inspect mine.csv", "inspect mine.csv --target price", "inspect mine.csv --json")
_SHOWN, _MOST_CLASSES = (5, 20)
_LEAKS = ("leak", "suspect")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("data", help="a table of any format that the app opens (CSV, Excel, ...), or -")
    add_reading(parser)
    parser.add_argument("--target", metavar="COLUMN", help="column to predict (default: the most likely target)")
    add_json(parser)


def run(options: argparse.Namespace) -> None:
    """Print readable lines, or JSON."""
    from sample_data.user_data.table import Table

    table = table_or_set(options.data, reading=options.read)
    if not isinstance(table, Table):
        raise DataError(f"{literal(options.data)} is a data set with fixed classes and features. Pass a table.")
    found = inspected(table, options.target)
    if options.json:
        write_figures(options, found)
    else:
        write(STANDARD, "\n".join([*_lines(found), ""]))


def inspected(table: Any, target: str | None = None) -> dict[str, Any]:
    """Return the proposals for a table as plain values.

    Raise DataError if the table has no column `target`, or no values.
    """
    from sample_data.user_data import problems, propose, summarise

    if target is not None and target not in table.frame.columns:
        raise DataError(no_column(target, list(table.frame.columns)))
    summaries = summarise(table)
    recipe = propose(table, summaries, target)
    found = problems(table, summaries, recipe)
    is_nameless = all(re.fullmatch(r"column \d+", str(name)) for name in table.frame.columns)
    reason = [problem for problem in found if problem.kind in ("subjects", "split")]
    leaks = [problem for problem in found if problem.kind in _LEAKS]
    return {
        "rows": table.n_rows,
        "header_line": 0 if is_nameless else table.first_row - 1,
        "columns": dict(recipe.kinds),
        "target": recipe.target,
        "candidates": [{"name": one.name, "score": round(one.score, 3), "why": one.why} for one in recipe.candidates],
        "task": "number" if recipe.numbers else "classes",
        "classes": [] if recipe.numbers else _classes(table, recipe),
        "split": {
            "kind": recipe.split,
            "column": recipe.split_column,
            "why": str(reason[0].text) if reason and recipe.split_column else "",
        },
        "ignored": [name for name, kind in recipe.kinds.items() if kind == "ignore"],
        "leaks": [{"columns": list(problem.columns), "why": str(problem.text)} for problem in leaks],
        "questions": [f"{one.text} To choose, pass {reading_ways(one)}." for one in table.questions],
        "notes": [*map(str, table.notes), *(str(problem.text) for problem in found if problem not in leaks)],
    }


def _classes(table, recipe):
    """Return the names of the classes in their order, as in the app."""
    from sample_data.user_data.classes import class_codes
    from sample_data.user_data.remove_markers import remove_markers

    try:
        return list(class_codes(remove_markers(table, recipe).frame[recipe.target], recipe).names)
    except DataError:  # the notes contain the problem
        return []


def _lines(found):
    first, *others = found["candidates"]
    yield f"rows: {found['rows']:,}"
    yield f"target: {found['target']} ({found['task']})" + (f", {first['why']}" if first["why"] else "")
    if found["classes"]:
        more = ", ..." if len(found["classes"]) > _MOST_CLASSES else ""
        yield f"classes: {', '.join(found['classes'][:_MOST_CLASSES])}{more}"
    if others:
        yield "next candidates: " + ", ".join(f"{one['name']} ({percent(one['score'], 0)})" for one in others[:_SHOWN])
    for kind in dict.fromkeys(found["columns"].values()):
        names = [name for name, its in found["columns"].items() if its == kind and name != found["target"]]
        if names:
            yield f"{kind}: {', '.join(names)}"
    split = found["split"]
    yield f"split: {split['kind']}" + (f" by {split['column']}" if split["column"] else "")
    yield from (f"known too late? {leak['why']}" for leak in found["leaks"])
    yield from (f"question: {question}" for question in found["questions"])
    yield from (f"note: {note}" for note in found["notes"])
