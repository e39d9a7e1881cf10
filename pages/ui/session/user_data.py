"""Manage user data: the open file of the Data page, and the data sets made from files.

A file goes through three stages. It is read into a table with a proposed `Recipe`; the visitor looks at it and changes
the recipe; a data set is made. Each stage calls functions of `pages.jobs.reading_task` in another process.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFile

from pages.jobs import job_files, readings, user_store
from pages.jobs.limited_process import LimitedCall, LimitReached
from pages.ui.shell import reader
from pages.ui.shell.computed import computed
from pages.ui.shell.owner import keep_upload, owner
from sample_data import DataSet, Entry
from sample_data.data_folder.entries import FolderEntry, data_folder, find_entry, sample_size
from sample_data.user_data import store
from sample_data.user_data.checks.problem import Problem
from sample_data.user_data.recipe import Candidate, Recipe
from treecore.errors import TreecoreError

if TYPE_CHECKING:
    import pandas

    from pages.jobs.user_counts import Counts
    from sample_data.user_data.summary import ColumnSummary
    from sample_data.user_data.table import ReadingQuestion

SETS, FILES = "own_sets", "own_files"
_DRAFT_FILE = "draft.json"
_SMALLER = "Use a random sample of the rows, remove columns, or save the table as Parquet (the fastest format to read)."


@dataclass(frozen=True)
class File:
    """A stored file of the visitor, and how it is read.

    token : of the upload; options : arguments of `read`.
    """

    token: str
    name: str
    n_bytes: int = field(compare=False, repr=False)
    options: tuple[tuple[str, Any], ...] = ()

    @property
    def folder(self) -> Path:
        """Return the folder of the files made from the upload with these options."""
        key = hashlib.sha256(json.dumps(self.options).encode()).hexdigest()[:12]
        return user_store.place_of_upload(self.token) / f"read-{key}"

    @property
    def gone(self) -> TreecoreError:
        """Return the error for a file that is no longer stored."""
        return TreecoreError(f"The server no longer stores {self.name}. Open the file again.")


@dataclass(frozen=True)
class Opening:
    """A file that is being read.

    entry : name of an entry of the folder of the machine, of which a sample is read.
    """

    file: File
    call: LimitedCall
    entry: str = ""


@dataclass(frozen=True)
class Draft:
    """The open file.

    recipe : decisions of the visitor, None for a file that already is a data set; version : number of decisions so far;
    source : see `sample_data.data_folder.source`, for a sample of an entry of the folder; asks : whether the visitor
    still has to choose the target.
    """

    file: File
    recipe: Any = None
    version: int = 0
    source: Any = None
    asks: bool = False


@dataclass
class Files:
    """The files of a visitor: the open one, one that is being read, one that waits for a confirmation.

    fault : fault of the last action.
    """

    draft: Draft | None
    opening: Opening | None = None
    pending: File | None = None
    fault: str | None = None


def files() -> Files:
    """Return the `Files` of this visitor, after a reload with the file that was open."""
    if FILES not in st.session_state:
        st.session_state[FILES] = Files(_load_draft())
    return st.session_state[FILES]


@dataclass(frozen=True)
class Reading:
    """The content of a file, which is a table or a `DataSet`.

    A table has a size, summaries, a proposed recipe, first rows and open questions about how to read it. The table
    itself is in another file, see `pages.jobs.reading_task`.
    """

    format: str
    notes: tuple[str, ...]
    n_rows: int
    n_columns: int
    summaries: tuple[ColumnSummary, ...]
    proposed: Recipe | None
    first_rows: pandas.DataFrame | None
    first_numbers: tuple[int, ...]
    set_name: str = ""
    data_set: DataSet | None = None
    questions: tuple[ReadingQuestion, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    asks: bool = False  # whether no candidate is likely enough

    def summary(self, name: str) -> ColumnSummary:
        """Return the summary of a column."""
        return next(summary for summary in self.summaries if summary.name == name)


@dataclass(frozen=True)
class Inspection:
    """The problems of a recipe, and its `Counts` or the reason why they are not available."""

    problems: tuple[Problem, ...]
    counts: Counts | None
    why_no_counts: str


def take(name: str, content: bytes | memoryview, options: tuple[tuple[str, Any], ...] = ()) -> None:
    """Store uploaded or pasted bytes and start reading them; see `finish_opening`."""
    try:
        open_file(File(keep_upload(content), name, len(content), options))
    except TreecoreError as error:
        files().fault = str(error)


def defer(name: str, content: bytes | memoryview) -> None:
    """Store a large file until the visitor confirms reading it."""
    try:
        files().pending = File(keep_upload(content), name, len(content))
    except TreecoreError as error:
        files().fault = str(error)


def confirm() -> None:
    """Read the file that waits for a confirmation."""
    pending, files().pending = files().pending, None
    if pending is not None:
        open_file(pending)


def drop_pending() -> None:
    """Delete the file that waits for a confirmation."""
    pending, files().pending = files().pending, None
    if pending is not None:
        user_store.drop_upload(pending.token)


def release(uploaded: UploadedFile) -> None:
    """Release the bytes of an `UploadedFile`, up to 200 MB, which are now stored in a file."""
    context = get_script_run_ctx()
    # Remove the upload as st.chat_input does. Otherwise its bytes stay in memory until the visitor leaves.
    if context is not None and isinstance(context.uploaded_file_mgr, MemoryUploadedFileManager):
        context.uploaded_file_mgr.remove_file(session_id=context.session_id, file_id=uploaded.file_id)


def open_file(file: File) -> None:
    """Start reading a stored file; see `finish_opening`."""
    stop_opening()
    try:
        files().opening = Opening(file, _begin_reading(file))
    except TreecoreError as error:
        files().fault = str(error)


def open_entry(name: str) -> None:
    """Start reading a sample of an entry of the folder of the machine; see `finish_opening`."""
    stop_opening()
    try:
        files().opening = Opening(*_begin_sample(find_entry(data_folder(), name)), name)
    except TreecoreError as error:
        files().fault = str(error)


def _begin_reading(file: File) -> LimitedCall:
    path = user_store.upload(file.token)
    if path is None:
        raise file.gone
    places = {"path": str(path), "folder": str(file.folder)}
    return reader.start("read_file", owner(), name=file.name, options=dict(file.options), **places)


def _begin_sample(entry: FolderEntry) -> tuple[File, LimitedCall]:
    n, token = sample_size(entry), keep_upload(b"")
    words = entry.title if n == entry.n_rows else f"{entry.title}, sample of {n:,} of {entry.n_rows:,} rows"
    file = File(token, words, entry.n_bytes)
    path = user_store.place_of_upload(token) / user_store.FILE
    file.folder.mkdir(mode=0o700, exist_ok=True)
    places = {"root": str(data_folder()), "path": str(path), "folder": str(file.folder)}
    return file, reader.start("read_sample", owner(), entry=entry.name, name=words, **places)


def finish_opening() -> None:
    """Open a file that has been read. After a fault, store the fault and keep the previous file open."""
    ended, files().opening = files().opening, None
    if ended is None:
        return
    if ended.call.is_abandoned:
        open_entry(ended.entry) if ended.entry else open_file(ended.file)
        return
    before, file = files().draft, ended.file
    try:
        source = ended.call.result()
        user_store.trim_uploads(file.token)
        found = _reading(file)
    except TreecoreError as error:
        files().fault = _in_words(file.name, error)
        _drop_read(file)
        return
    file = replace(file, n_bytes=user_store.place_of_upload(file.token).joinpath(user_store.FILE).stat().st_size)
    _keep(Draft(file, found.proposed, 0 if before is None else before.version + 1, source, found.asks))
    if before is not None and before.file.token != file.token:
        _forget(before)


def stop_opening() -> None:
    """Stop reading a file, and forget it."""
    stopped, files().opening = files().opening, None
    if stopped is not None:
        stopped.call.cancel()
        _drop_read(stopped.file)
        files().fault = f"Reading {stopped.file.name} was cancelled."


def _drop_read(file: File) -> None:
    """Delete the result of a reading. Delete the upload too, unless it is open with other options."""
    now = files().draft
    if now is None or now.file.token != file.token:
        user_store.drop_upload(file.token)
    elif now.file.options != file.options:
        shutil.rmtree(file.folder, ignore_errors=True)


def draft() -> Any:
    """Return the open `Draft` of this visitor, or None."""
    return files().draft


def _keep(draft: Draft) -> None:
    """Make a draft the open one, without a fault, and store it for a reload."""
    files().draft, files().fault = draft, None
    recipe = None if draft.recipe is None else draft.recipe.to_dict()
    record = {"name": draft.file.name, "n_bytes": draft.file.n_bytes, "options": draft.file.options, "recipe": recipe}
    record |= {"source": draft.source, "asks": draft.asks}
    with contextlib.suppress(OSError):  # on a full disk, the draft is lost at the next reload
        job_files.write_json(user_store.place_of_upload(draft.file.token) / _DRAFT_FILE, record)


def _load_draft() -> Draft | None:
    """Return the last open `Draft` of this visitor, or None."""
    for token in user_store.uploads_of(owner()):
        kept = job_files.read_json(user_store.place_of_upload(token) / _DRAFT_FILE)
        try:
            recipe = None if kept["recipe"] is None else Recipe.from_dict(kept["recipe"])
            options = tuple((name, value) for name, value in kept["options"])
            file = File(token, str(kept["name"]), int(kept["n_bytes"]), options)
            _reading(file)
        except (TreecoreError, KeyError, TypeError, ValueError):  # nothing is stored, or the stored draft is damaged
            continue
        return Draft(file, recipe, source=kept.get("source"), asks=kept.get("asks") is True)
    return None


def reading(draft: Draft) -> Reading:
    """Return the `Reading` of a draft. Raises TreecoreError.

    The summaries of the columns exclude texts that the recipe treats as missing, and include its added columns.
    """
    found = _reading(draft.file)
    recipe = draft.recipe
    if recipe is not None and (recipe.missing or recipe.values or recipe.variants or recipe.added()):
        changed = {one.name: one for one in _changed_summaries(draft.file, recipe)}
        before = {one.name: one for one in found.summaries}
        found = replace(found, summaries=tuple((before | changed).values()))
    if found.set_name:
        return replace(found, data_set=_load_set(draft.file, found.set_name))
    return found


def change(recipe: Recipe) -> None:
    """Change the recipe of the open file."""
    _keep(replace(draft(), recipe=recipe, version=draft().version + 1))


def decide(**values: Any) -> None:
    """Change some fields of the recipe of the open file."""
    change(replace(draft().recipe, **values))


def revise(revised: Callable[..., Recipe], *others: Any) -> None:
    """Change the recipe of the open file to `revised(recipe, *others)`."""
    change(revised(draft().recipe, *others))


def choose_target(name: str, otherwise: Callable[[Recipe, str], Recipe]) -> None:
    """Choose the target of the open file.

    otherwise : function that changes the target of a recipe that the visitor has already changed. An unchanged recipe
    is proposed again for the target, with its own kinds and division of the rows.
    """
    now = draft()
    try:
        if now.recipe == _reading(now.file).proposed:
            recipe = Recipe.from_dict(_ask("propose_for", now.file, target=name))
            recipe = replace(recipe, title=now.recipe.title)
        else:
            recipe = otherwise(now.recipe, name)
    except TreecoreError as error:
        files().fault = str(error)
        return
    _keep(replace(now, recipe=recipe, version=now.version + 1, asks=False))


def close() -> None:
    """Close the open file."""
    closed, files().draft, files().fault = files().draft, None, None
    if closed is not None:
        _forget(closed)


def list_problems(draft: Draft) -> tuple[Problem, ...]:
    """Return the problems of the draft's recipe, the most severe first. Raises TreecoreError."""
    return _look(draft.file, draft.recipe).problems


def counts(draft: Draft) -> Counts:
    """Return the `Counts` of the draft's recipe. Raises TreecoreError."""
    found = _look(draft.file, draft.recipe)
    if found.counts is None:
        raise TreecoreError(found.why_no_counts)
    return found.counts


def column_values(name: str) -> list[str]:
    """Return the values of a column of the open file as texts, in order. Raises TreecoreError."""
    return _column_values(draft().file, name)


def fix(recipe: Recipe) -> None:
    """Apply a proposed recipe, except for its title."""
    revise(lambda now: replace(recipe, title=now.title))


def finish() -> str | None:
    """Make and store the data set of the open file. Return its name, or None after a fault (see `fault`)."""
    now = draft()
    try:
        name = reading(now).set_name
        if not name:
            sets, recipe = str(user_store.folder()), now.recipe.to_dict()
            name = _ask("make", now.file, recipe=recipe, sets=sets)
            user_store.own(name, owner())
        else:
            user_store.take_over(name, now.file.folder, owner())
        user_store.note_origin(name, now.file.name, now.file.options, now.source)
    except TreecoreError as error:
        files().fault = str(error)
        return None
    files().fault = None
    return name


def remake(
    name: str,
    content: bytes | memoryview,
    options: tuple[tuple[str, Any], ...],
    recipe: dict[str, Any] | None,
    expected: str,
) -> None:
    """Make the data set with the name `expected` again from its file (name and bytes).

    options : pairs of plain values; recipe : dict, or None for a file that is a data set. The open file stays open.
    Raises TreecoreError if the result is another data set.
    """
    file = File(keep_upload(content), name, len(content), options)
    try:
        _result(_begin_reading(file), name)
        found = _reading(file).set_name or None
        if found is None and recipe is not None:
            found = _ask("make", file, recipe=recipe, sets=str(file.folder))
        _take_remade(file, found, expected)
    finally:
        user_store.drop_upload(file.token)


def remake_sample(entry: str, digest: str | None, recipe: dict[str, Any] | None, expected: str) -> None:
    """Make the data set with the name `expected` again from an entry of the folder, see `remake`.

    digest : of the entry when the data set was made.
    """
    file, call = _begin_sample(find_entry(data_folder(), entry, digest))
    try:
        source = _result(call, file.name)
        _take_remade(file, _ask("make", file, recipe=recipe, sets=str(file.folder)), expected, source)
    finally:
        user_store.drop_upload(file.token)


def _take_remade(file: File, found: Any, expected: str, source: Any = None) -> None:
    """Keep a data set that was made again. Raises TreecoreError if it is another one."""
    if found != expected:
        made, wanted = str(found).removeprefix("own-"), expected.removeprefix("own-")
        raise TreecoreError(
            f"{file.name} does not match the training data of these trees (fingerprint {made} instead of {wanted}). "
            "Either it is another file, it was changed, or another version of this app read it differently."
        )
    user_store.take_over(expected, file.folder, owner())
    user_store.note_origin(expected, file.name, file.options, source)


def remember(data: DataSet) -> None:
    """Add a data set to all lists of this visitor."""
    kind = "images" if data.image_shape else "2D" if data.n_features == 2 else "table"
    st.session_state.setdefault(SETS, {})[data.name] = Entry(
        data.name, data.title, kind, data.n_rows, data.n_features, data.n_classes, data.source
    )


def entries() -> dict[str, Entry]:
    """Return {name: entry} of the data sets that this visitor has made, or opened by a link."""
    return st.session_state.get(SETS, {})


def _forget(draft: Draft) -> None:
    _reading.clear(draft.file)
    user_store.drop_upload(draft.file.token)


def _in_words(name: str, error: TreecoreError) -> str:
    return f"{name} {error}. {_SMALLER}" if isinstance(error, LimitReached) else str(error)


def _ask(function: str, file: File, **arguments: Any) -> Any:
    """Call a function of `reading_task` for the table of a file and return its result. Raises TreecoreError."""
    if user_store.upload(file.token) is None or not (file.folder / readings.READING).is_file():
        raise file.gone
    return _result(reader.start(function, owner(), folder=str(file.folder), **arguments), f"Reading {file.name}")


def _result(call: LimitedCall, words: str) -> Any:
    while not call.wait(1.0):
        pass
    try:
        return call.result()
    except LimitReached as error:
        raise TreecoreError(_in_words(words, error)) from error


@computed(4, ttl=3600, hash_funcs={File: repr})
def _reading(file: File) -> Reading:
    is_stored = user_store.upload(file.token) is not None
    found = job_files.read_json(file.folder / readings.READING, is_checked=True) if is_stored else None
    if found is None:
        raise file.gone
    if "data_set" in found:
        return Reading("", (), 0, 0, (), None, None, (), found["data_set"])
    from sample_data.user_data.table_file import load_table  # slow import

    try:
        first = load_table(file.folder / readings.FIRST)
    except OSError as fault:
        raise file.gone from fault
    return Reading(
        found["format"],
        tuple(found["notes"]),
        found["n_rows"],
        found["n_columns"],
        readings.summaries_of(found),
        Recipe.from_dict(found["proposed"]),
        first.frame,
        tuple(first.row_numbers.tolist()),
        questions=readings.questions_of(found),
        candidates=tuple(Candidate(*one) for one in found.get("candidates", ())),
        asks=found.get("asks", False),
    )


@computed(2, ttl=3600, hash_funcs={File: repr})
def _load_set(file: File, name: str) -> DataSet:
    return store.load(name, file.folder)


def _key(recipe: Recipe) -> str:
    return repr(replace(recipe, title=""))  # the title has no effect on the result


@computed(10, ttl=3600, show_spinner="Checking the data …", hash_funcs={File: repr, Recipe: _key})
def _look(file: File, recipe: Recipe) -> Inspection:
    from pages.jobs.user_counts import Counts  # slow import

    found = _ask("look", file, recipe=recipe.to_dict())
    counts = found.get("counts")
    return Inspection(
        tuple(_problem(one, recipe) for one in found["problems"]),
        None if counts is None else Counts(**counts),
        found.get("why_no_counts", ""),
    )


def _problem(found: dict[str, Any], recipe: Recipe) -> Problem:
    ways = (found["fix"], found["wider"])
    fixed = [None if way is None else (way[0], readings.recipe_with(recipe, way[1])) for way in ways]
    return Problem(found["kind"], tuple(found["columns"]), found["text"], found["severity"], *fixed)


def _changed(recipe: Recipe) -> str:
    values = recipe.to_dict()
    changed = [values[name] for name in ("missing", "values", "variants", "differences", "label_columns")]
    return json.dumps([*changed, recipe.kinds if recipe.added() else None])


@computed(10, ttl=3600, hash_funcs={File: repr, Recipe: _changed})
def _changed_summaries(file: File, recipe: Recipe) -> tuple[ColumnSummary, ...]:
    return readings.summaries_of(_ask("summarise_changed", file, recipe=recipe.to_dict()))


@computed(20, ttl=3600, hash_funcs={File: repr})
def _column_values(file: File, column: str) -> list[str]:
    return _ask("values", file, column=column)
