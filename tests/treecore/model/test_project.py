"""Test that projects survive their files unchanged, and that every other file gives a typed error."""

import json
from dataclasses import replace

import pytest

from tests.refusals import refused
from tests.treecore.model.model_examples import small_data, small_model
from treecore import Model, Project
from treecore.errors import TreeFormatError
from treecore.model.model_json import checksum
from treecore.model.project_parts import DataSource, ProjectTree

ODD = (None, True, -1, 1.5, 1e308, 10**30, "", "x" * 400, "\ud800", [], {}, [[]], {"a": None}, "own-../../x")


def small_project():
    """Return a project with two trees: one from a path on uploaded data, and one without data."""
    data = small_data()
    recipe = {"target": "kind", "kinds": {"length": "number", "colour": "category"}}
    source = DataSource(data.name, data.title, data.fingerprint, "my file.csv", {"delimiter": ";"}, recipe)
    path = ProjectTree("Small", small_model(data), {"data_set": "small", "tree": "3"})
    return Project((path, ProjectTree("Bare", Model(small_model().tree))), (source,), 1)


def signed(record):
    """Return the text of a changed project (dict) with correct checksums."""
    content = record.get("content")
    for tree in content["trees"] if isinstance(content, dict) and isinstance(content.get("trees"), list) else []:
        model = tree.get("model") if isinstance(tree, dict) else None
        if isinstance(model, dict) and "content" in model:
            model["checksum"] = mended(model["content"])
    return json.dumps(record | {"checksum": mended(content)})


def mended(content):
    try:
        return checksum(content)
    except TreeFormatError:
        return "0" * 64


def places(value, way=()):
    """Return the positions of everything in plain values, except in models, which have their own tests.

    Of long lists, only the first items are included.
    """
    yield way
    if "model" in way and way[-1] == "content":
        return
    items = value.items() if isinstance(value, dict) else enumerate(value[:2]) if isinstance(value, list) else ()
    for key, item in items:
        yield from places(item, (*way, key))


def changed(record, way, value):
    """Return a copy of a record with another value at one position."""
    copy = json.loads(json.dumps(record))
    at = copy
    for key in way[:-1]:
        at = at[key]
    at[way[-1]] = value
    return copy


def test_a_project_comes_back_unchanged():
    project = small_project()
    text = project.to_json()
    found = Project.from_json(text.encode())
    assert found.to_json() == text
    assert found.trees[0].model == project.trees[0].model
    assert found.data == project.data
    assert found.source(found.trees[0]).file == "my file.csv"
    assert found.source(found.trees[1]) is None
    assert found.opened == 1


def test_a_sample_of_a_folder_is_named_and_other_data_are_written_as_before():
    project = small_project()
    assert '"entry"' not in project.to_json()
    first = replace(project.data[0], entry="trips/", digest="0123456789abcdef")
    sampled = replace(project, data=(first, *project.data[1:]))
    assert Project.from_json(sampled.to_json()).data == sampled.data
    with refused(TreeFormatError, "'entry' of the data must be a string"):
        Project.from_json(replace(sampled, data=(replace(first, entry=1), *project.data[1:])).to_json())


def test_a_file_without_a_project_is_refused():
    text = small_project().to_json()
    for content, match in (
        (text.replace('"version": 1', '"version": 2', 1), "Unsupported version 2 of the project file (supported"),
        (
            text.replace('"version": 1', '"version": "1"', 1),
            "Unsupported version '1' of the project file (supported: 1)",
        ),
        (text.replace('"version": 1, ', "", 1), "The … file has no version (supported"),
        (text.replace('"checksum"', '"sum"', 1), "The … has no 'checksum', and has the unsupported keys 'sum'"),
        (
            text.replace("my file.csv", "your file"),
            "The … file was changed or damaged after it was saved (its checksum does not match)",
        ),
        (text[: len(text) // 2], "The file is not JSON, or is incomplete"),
        (small_model().to_json(), "The file is a model (format …), not a project ('…')"),
        ("[1]", "The file has no format (expected '…')"),
        ('{"format": []}', "Unsupported file format … (expected '…')"),
        (b"\xff\xfe", "The file is not UTF-8 text"),
    ):
        with refused(TreeFormatError, match):
            Project.from_json(content)
    with refused(TreeFormatError, "Unsupported file format … (expected '…' or '…')"):
        Model.from_json(text)


def test_parts_that_do_not_fit_together_are_refused():
    project = small_project()
    for changes, match in (
        ({"trees": ()}, "The project has … trees (expected 1 to 60)"),
        ({"trees": project.trees[:1] * 2}, "Two trees of the project have the same title"),
        ({"opened": 2}, "The project does not contain the tree that was open"),
        ({"data": ()}, "The project does not contain the source of its data"),
        ({"data": project.data * 2}, "The project lists the same data twice"),
    ):
        with refused(TreeFormatError, match):
            replace(project, **changes)
    with refused(TreeFormatError, "The settings of a tree must be strings of at most 300 characters"):
        replace(project.trees[0], settings={"tree": 3})


def test_any_value_at_any_place_of_a_file_gives_an_error_or_a_project():
    record = json.loads(small_project().to_json())
    refused = 0
    for way in filter(None, places(record)):
        for value in ODD:
            try:
                found = Project.from_json(signed(changed(record, way, value)))
            except TreeFormatError:
                refused += 1
            else:  # a project that was read survives another round trip
                assert Project.from_json(found.to_json()).to_json() == found.to_json()
    assert refused > 300


def test_half_files_are_never_taken():
    text = small_project().to_json()
    for end in range(0, len(text) - 2, 97):
        with pytest.raises(TreeFormatError):
            Project.from_json(text[:end])
