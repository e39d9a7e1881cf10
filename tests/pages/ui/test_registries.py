"""Test that pages and the command line offer registered parts without further code."""

import pytest

from pages.jobs import settings
from pages.jobs.settings_text import PATH_TEXT
from pages.ui.learn import learn_settings
from tests.strategies import small_tree
from treecore.initial import INITIAL_TREES, InitialTree
from treecore.node_solvers import SPLITS, SplitKind
from treecore.rules.rule_formats import RULE_FORMATS
from treecore.rules.rule_set import rules
from treecore.training.estimators import TAOClassifier
from viz import command_line
from viz.figure_format import FIGURE_FORMATS


def refusal(capsys, *arguments):
    """Return the error message of the command line for invalid arguments."""
    try:
        code = command_line.main(arguments)
    except SystemExit as end:
        code = end.code
    assert code == 2
    return capsys.readouterr().err


def test_kinds_of_splits_and_initial_trees_are_those_of_the_engine():
    assert list(settings.SPLITS) == list(SPLITS)
    assert list(settings.INITIAL_TREES) == list(INITIAL_TREES)
    assert set(learn_settings.INITIAL_TREES) == {*settings.INITIAL_TREES, "drawn"}
    for name in SPLITS:
        assert PATH_TEXT.read({"split": name}).split == name
    assert PATH_TEXT.read({"split": "made_up"}) == settings.PathSettings()
    known = TAOClassifier().get_params()
    assert all(parameter in known for kind in SPLITS.values() for parameter in kind.parameters)
    assert all(kind.usual_init in INITIAL_TREES for kind in SPLITS.values())


def test_the_command_line_offers_what_is_registered(monkeypatch, capsys):
    assert "invalid choice" in refusal(capsys, "fit", "no-such-data", "--split", "made_up")
    monkeypatch.setitem(SPLITS, "made_up", SplitKind("made up", lambda data: None))
    monkeypatch.setitem(INITIAL_TREES, "made_up", InitialTree("made up", lambda *given: None))
    message = refusal(capsys, "fit", "no-such-data", "--split", "made_up", "--init", "made_up")
    assert "invalid choice" not in message
    assert "no-such-data" in message
    for name in FIGURE_FORMATS:
        assert "invalid choice" not in refusal(capsys, "figure", "no-such-file", "--format", name)


@pytest.mark.parametrize("name", RULE_FORMATS)
def test_rules_have_every_form(name, tmp_path, capsys):
    tree, form = small_tree(), RULE_FORMATS[name]
    path = tmp_path / "tree.json"
    path.write_text(tree.to_json(), encoding="utf-8")
    wanted = form(rules(tree))
    out = tmp_path / f"rules.{form.suffix}"
    assert command_line.main(["rules", str(path), "--format", name, "--out", str(out)]) == 0
    assert out.read_text(encoding="utf-8") == wanted
