"""Read an uploaded file in a separate process (see `limited_process`). Each function is one call.

Each call stores its large results in a folder: the table, its first rows, or the data set.
"""

import contextlib
import json
import os
import warnings
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pandas

from pages.jobs import job_files, user_counts
from pages.jobs.readings import FIRST, READING, TABLE, summaries_of
from sample_data import DataSet
from sample_data.data_folder.entries import find_entry
from sample_data.data_folder.source import source_of, write_sample
from sample_data.user_data import Recipe, Table, make_data_set, problems, propose, read, store
from sample_data.user_data.added_columns import with_added_columns
from sample_data.user_data.proposal import single_valued_target
from sample_data.user_data.remove_markers import remove_markers
from sample_data.user_data.summary import ColumnSummary, summarise_column
from sample_data.user_data.table_file import load_table, save_table
from sample_data.user_data.target_choice import is_sure
from treecore.errors import DataError, ForeignWarning, TreecoreError, TreeFormatError
from treecore.foreign.sources import SOURCES, foreign_model
from treecore.messages import counted, joined
from treecore.model.model import Model
from treecore.tables.table_columns import category_text
from viz.tree.thumbnails import thumbnails

Report = Callable[..., None]  # called with done, total and words, see `limited_process`
FIRST_ROWS, FIRST_COLUMNS = 100, 200
_ENDS = 100_000  # bytes at both ends of a tree file that identify it
_SHOWN = 200  # maximum length of a displayed value, in characters
_MOST_VALUES = 200  # maximum number of values of a column that names the training rows


def read_file(report: Report, path: str, name: str, options: dict[str, Any], folder: str) -> None:
    """Read a file into a folder, as a table with summaries and a proposed recipe, or as a data set."""
    report(0, 1, "reading")
    content, place = _read(path, name, options, folder), Path(folder)
    if isinstance(content, DataSet):
        store.save(content, place)
        found = {"data_set": content.name}
    else:
        summaries = []
        for k, column in enumerate(content.frame.columns):
            report(k, content.n_columns, "looking at column")
            summaries.append(summarise_column(column, content.frame[column]))
        recipe = propose(content, summaries)
        save_table(content, place / TABLE)
        save_table(replace(content, frame=_first_rows(content.frame)), place / FIRST)
        facts = {name: getattr(content, name) for name in ("format", "notes", "n_rows", "n_columns")}
        facts["questions"] = list(map(asdict, content.questions))
        found = facts | {"summaries": list(map(_plain, summaries)), "proposed": recipe.to_dict()}
        asks = not is_sure(recipe.candidates) or single_valued_target(summaries) is not None
        found |= {"candidates": list(recipe.candidates), "asks": asks}
    job_files.write_json(place / READING, json.loads(json.dumps(found, default=lambda value: value.item())))


def read_sample(report: Report, root: str, entry: str, path: str, name: str, folder: str) -> dict[str, Any]:
    """Write a sample of an entry of the folder `root` to `path`, read it and return its `Source` as a dict."""
    found = find_entry(Path(root), entry)
    write_sample(found, Path(path), report)
    read_file(report, path, name, {}, folder)
    place = Path(folder) / READING
    reading = _stored_reading(folder)
    reading["proposed"]["title"] = name if name == found.title else f"{found.title}, sample"
    job_files.write_json(place, reading)
    return source_of(found, load_table(Path(folder) / TABLE).frame)._asdict()


def propose_for(report: Report, folder: str, target: str) -> dict[str, Any]:
    """Return the recipe that is proposed for another target."""
    table = load_table(Path(folder) / TABLE)
    return propose(table, [*summaries_of(_stored_reading(folder))], target).to_dict()


def look(report: Report, folder: str, recipe: dict[str, Any]) -> dict[str, Any]:
    """Return the problems of a recipe, and its row counts or the reason why the rows cannot be counted."""
    table, chosen = load_table(Path(folder) / TABLE), Recipe.from_dict(recipe)
    report(0, 2, "looking for problems")
    found = [
        {
            "kind": one.kind,
            "columns": one.columns[:20],
            "text": one.text,
            "severity": one.severity,
            **{
                name: None if way is None else [way[0], _changes(chosen, way[1])]
                for name, way in (("fix", one.fix), ("wider", one.wider))
            },
        }
        for one in problems(table, [*summaries_of(_stored_reading(folder))], chosen)
    ]
    report(1, 2, "counting rows")
    try:
        return {"problems": found, "counts": user_counts.counts(table, chosen)._asdict()}
    except DataError as fault:
        return {"problems": found, "why_no_counts": str(fault)}


def summarise_changed(report: Report, folder: str, recipe: dict[str, Any]) -> dict[str, Any]:
    """Return summaries of the columns with declared missing values, excluding these values, and of added columns."""
    table, chosen = load_table(Path(folder) / TABLE), Recipe.from_dict(recipe)
    wanted = {*chosen.missing, *chosen.values, *chosen.variants, *chosen.added()}
    part = replace(table, frame=table.frame[[name for name in table.frame if name in chosen.sources(wanted)]])
    frame = with_added_columns(remove_markers(part, chosen), chosen).frame
    found = [_plain(summarise_column(name, frame[name])) for name in frame.columns if name in wanted]
    return json.loads(json.dumps({"summaries": found}, default=lambda value: value.item()))


def values(report: Report, folder: str, column: str) -> list[str]:
    """Return the first distinct values of a column as sorted texts."""
    found = load_table(Path(folder) / TABLE).frame[column].dropna().unique()
    return sorted({category_text(value) for value in found[:_MOST_VALUES]})


def make(report: Report, folder: str, recipe: dict[str, Any], sets: str) -> str:
    """Convert the table in `folder` to a data set, save it in the folder `sets`, and return its name."""
    chosen = Recipe.from_dict(recipe)
    data = make_data_set(load_table(Path(folder) / TABLE), chosen)
    store.save(data, Path(sets), chosen, keep=None)
    return data.name


def read_rows(report: Report, path: str, name: str, options: dict[str, Any], folder: str) -> str | None:
    """Read a file of new rows into a folder.

    Stores the table and returns None, or stores the data set and returns its name.
    """
    report(0, 1, "reading")
    content = _read(path, name, options, folder)
    if isinstance(content, Table):
        save_table(content, Path(folder) / TABLE)
        return None
    store.save(content, Path(folder))
    return content.name


def read_tree(report: Report, path: str, number: int) -> dict[str, Any]:
    """Return a tree of a model file as a dict, or {"program": None} for a file of this app.

    The keys are "tree" (JSON), "program" (which trained the tree), "n_trees" (of the model), "alone" and "doubts". The
    value of "alone" is the reason why the tree alone predicts differently from the model, or None. The "doubts" are the
    assumptions that the conversion makes.
    """
    report(0, 1, "reading")
    content = Path(path).read_bytes()
    found = foreign_model(content)
    if found is not None:
        facts = {name: getattr(found, name) for name in ("program", "n_trees", "alone")}
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", ForeignWarning)
            tree = found.tree(number)
        doubts = [str(one.message) for one in caught if issubclass(one.category, ForeignWarning)]
        if marked := found.columns.marked:
            doubts.append(
                f"The file treats some values of {joined(marked, 8)} as missing or invalid. The app uses them as "
                "they are."
            )
        return facts | {"tree": tree.to_json(), "doubts": doubts}
    if content.lstrip()[:1] != b"{":
        known = ", ".join(source.words for source in SOURCES.values())
        raise TreeFormatError(
            f"Unsupported model file. Supported: Model (JSON) from this app, {known}. Pickle files (.pkl, "
            ".joblib) can contain code, so they are not supported. Save scikit-learn models with skops.io.dump."
        )
    Model.from_json(content)
    return {"program": None}


def read_strip(report: Report, path: str, first: int, most: int, theme: str) -> list[list[str | None]]:
    """Return [[SVG text or None, words], ...] for trees of a model file, starting at number `first`."""
    report(0, 1, "drawing")
    found = foreign_model(Path(path).read_bytes())
    trees = {}
    for number in range(first, min(first + most, found.n_trees)):
        with contextlib.suppress(TreecoreError):  # the error is reported when the visitor chooses the tree
            trees[number] = found.tree(number)
    pictures = dict(zip(trees, thumbnails(list(trees.values()), theme), strict=True))
    return [
        [pictures.get(number), counted(trees[number].n_leaves, "leaf")]
        if number in trees
        else [None, "is not supported"]
        for number in range(first, min(first + most, found.n_trees))
    ]


def _read(path: str, name: str, options: dict[str, Any], folder: str) -> DataSet | Table:
    with open(path, "rb") as stream:
        ends = stream.read(_ENDS)
        stream.seek(max(stream.seek(0, os.SEEK_END) - _ENDS, len(ends)))
        ends += stream.read()
    tree = next((source.words for source in SOURCES.values() if source.is_file(ends)), None)
    if tree is not None:
        raise DataError(f"{name} is a tree ({tree}), not a table. Open it on the Data page under Import a tree.")
    Path(folder).mkdir(mode=0o700, exist_ok=True)
    return read(Path(path), name, **options)


def _stored_reading(folder: str) -> dict[str, Any]:
    found = job_files.read_json(Path(folder) / READING, is_checked=True)
    if found is None:
        raise DataError("The stored content of the file is damaged. Open the file again.")
    return found


def _plain(summary: ColumnSummary) -> dict[str, Any]:
    """Return a summary as a dict. Long texts are cut, because the browser receives the summary."""
    values = asdict(summary)
    values["examples"] = [text[:_SHOWN] for text in summary.examples]
    values["top"] = [(text[:_SHOWN], count) for text, count in summary.top]
    return values


def _changes(recipe: Recipe, fixed: Recipe) -> dict[str, Any]:
    """Return the fields of the recipe that a fix changes, with only the changed kinds; None for removed columns."""
    old, new = recipe.to_dict(), fixed.to_dict()
    kinds = {name: kind for name, kind in new.pop("kinds").items() if old["kinds"].get(name) != kind}
    kinds |= dict.fromkeys(old["kinds"].keys() - fixed.kinds.keys())
    return {name: value for name, value in new.items() if old[name] != value} | ({"kinds": kinds} if kinds else {})


def _first_rows(frame: pandas.DataFrame) -> pandas.DataFrame:
    first = frame.iloc[:FIRST_ROWS, :FIRST_COLUMNS].copy()
    for k, kind in enumerate(first.dtypes):
        if kind.kind == "O":
            texts = [value[:_SHOWN] if isinstance(value, str) else None for value in first.iloc[:, k]]
            first.isetitem(k, pandas.array(texts, dtype="str"))
    return first
