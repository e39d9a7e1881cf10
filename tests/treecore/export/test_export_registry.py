"""A language is a file and an entry: the command line and the pages list what is registered."""

import pytest

from pages.jobs.point import Point
from pages.ui.save import saving
from pages.ui.session.chosen_tree import ChosenTree
from tests.strategies import small_tree
from treecore import export
from treecore.errors import ParameterError
from treecore.export.export_target import ExportTarget
from viz import command_line


def test_a_new_language_is_offered_everywhere(monkeypatch, tmp_path):
    monkeypatch.setitem(
        export.TARGETS, "count", ExportTarget("Count", "cnt", "text/plain", lambda tree: str(tree.n_nodes))
    )
    tree = small_tree()
    model, out = tmp_path / "tree.json", tmp_path / "tree.cnt"
    model.write_text(tree.to_json(), encoding="utf-8")
    assert command_line.main(["export", str(model), "--to", "count", "--out", str(out)]) == 0
    assert out.read_text() == str(tree.n_nodes)

    files, _ = saving.code_files(ChosenTree("tree", "", Point(0, 1.0, tree, {}), None, (), {}), "tree")
    assert [one.label for one in files] == [
        target.words for target in export.TARGETS.values() if target.missing is None
    ]


def test_what_is_not_installed_says_how_to_get_it():
    target = ExportTarget("Model (X)", "x", "text/plain", export.json, package="no_such_package")
    assert target.missing == "Model (X): install the package no_such_package (pip install no_such_package)."
    assert export.TARGETS["python"].missing is None


@pytest.mark.parametrize("name", export.TARGETS)
def test_targets_take_what_they_say(name):
    target = export.TARGETS[name]
    if target.missing:
        pytest.skip(target.missing)
    content = target(small_tree(), columns=None, table="rows", nothing=1)
    assert isinstance(content, str if target.is_text else bytes)
    with pytest.raises(ParameterError, match="give a Tree"):
        target(None)
