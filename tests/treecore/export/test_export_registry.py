"""Test that a language needs only a file and an entry: command line and pages list the registered languages."""

import pytest

from pages.jobs.point import Point
from pages.ui.save import saving
from pages.ui.session.chosen_tree import ChosenTree
from tests.strategies import small_tree
from treecore import export
from treecore.artifact import Artifact, artifact, by_name
from treecore.errors import ParameterError
from viz import command_line


def test_a_new_language_is_offered_everywhere(monkeypatch, tmp_path):
    monkeypatch.setitem(
        export.FORMATS, "count", Artifact("count", "Count", "C", "cnt", "text/plain", lambda tree: str(tree.n_nodes))
    )
    tree = small_tree()
    model, out = tmp_path / "tree.json", tmp_path / "tree.cnt"
    model.write_text(tree.to_json(), encoding="utf-8")
    assert command_line.main(["export", str(model), "--to", "count", "--out", str(out)]) == 0
    assert out.read_text() == str(tree.n_nodes)

    files, _ = saving.code_files(ChosenTree("tree", "", Point(0, 1.0, tree, {}), None, (), {}), "tree")
    assert [one.label for one in files] == [
        target.label for target in export.FORMATS.values() if target.missing is None
    ]


def test_a_missing_package_is_reported_with_its_installation():
    target = Artifact("x", "Model", "X", "x", "text/plain", export.json, package="no_such_package")
    assert target.missing.startswith(f"{target.label} ")
    assert "pip install no_such_package" in target.missing
    assert export.FORMATS["python"].missing is None


@pytest.mark.parametrize(("name", "value", "named"), [
    ("suffix", ".py", "suffix"), ("mime", "python", "mime"), ("needs", (), "needs"), ("needs", ("forest",), "needs"),
    ("needs", ("tree", "data"), "make"), ("takes", ("table",), "make"), ("about", "two\nlines", "about"),
])  # fmt: skip
def test_a_declaration_that_contradicts_itself_fails(name, value, named):
    right = {"name": "x", "kind": "Code", "form": "X", "suffix": "x", "mime": "text/plain", "make": export.json}
    with pytest.raises(ValueError, match=f"'x': invalid.* {named}"):
        Artifact(**(right | {name: value}))
    with pytest.raises(ValueError, match="same name"):
        by_name([Artifact(**right), Artifact(**right)])


def test_an_artifact_is_made_of_what_is_known():
    @artifact("Code", "X", "x", "text/plain", needs=("tree", "data"), takes=("rows",))
    def x(tree, data, rows=0):
        return f"{tree} {data} {rows}"

    (one,) = by_name([x]).values()
    assert (one.name, one.of({"tree": 1, "data": 2, "rows": 3, "theme": 4})) == ("x", "1 2 3")
    assert one.of({"tree": 1, "data": 2, "rows": None}) == "1 2 0"
    with pytest.raises(ParameterError, match="its data set"):
        one.of({"tree": 1})


@pytest.mark.parametrize("name", export.FORMATS)
def test_targets_take_what_they_say(name):
    target = export.FORMATS[name]
    if target.missing:
        pytest.skip(target.missing)
    content = target(small_tree(), columns=None, table="rows", nothing=1)
    assert isinstance(content, bytes if name == "onnx" else str)
    with pytest.raises(ParameterError, match="expected a Tree"):
        target(None)
