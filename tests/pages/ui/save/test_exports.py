"""Test that a file is offered in each language that supports the tree, and that other languages show the reason."""

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from pages.jobs.point import Point
from pages.ui.save import saving
from pages.ui.session.chosen_tree import ChosenTree
from tests.refusals import wording
from tests.treecore.export.export_examples import random_tree
from treecore.export import FORMATS


@pytest.mark.parametrize("names", [("age", "income"), ("Age", "age")])
def test_a_language_that_cannot_represent_the_tree_gives_a_reason(names):
    tree = random_tree(np.random.default_rng(0), 4, 2).with_names(names)
    files, told = saving.code_files(ChosenTree("tree", "", Point(0, 1.0, tree, {}), None, (), {}), "tree")
    here = {target.label for target in FORMATS.values() if target.missing is None}
    if names[0] == "age":
        assert {one.label for one in files} == here
    else:  # a database table cannot have both columns
        assert {one.label for one in files} == here - {"Code (SQL)"}
        (said,) = [one for one in told if one.startswith("Code (SQL)")]
        assert "ignores case" in said


def menu_of_figures(chosen):
    """Return the part of the menu with the warning."""
    from pages.ui.save import save_figures

    save_figures.font_note(chosen)


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("age", None),
        ("\U00013001", "No installed font contains … of this figure (…), so PNG and PDF show replacement characters"),
        ("\u05d0", "PNG and PDF show Arabic and Hebrew letters separately and from left to right"),
    ],
)
def test_names_without_a_font_are_named_next_to_the_figures(name, wanted):
    tree = random_tree(np.random.default_rng(0), 4, 2).with_names((name, "income"))
    chosen = ChosenTree("tree", "", Point(0, 1.0, tree, {}), None, (), {})
    app = AppTest.from_function(menu_of_figures, args=(chosen,)).run()
    assert not app.exception
    assert len(app.warning) == (wanted is not None)
    if wanted:
        assert wording(wanted).search(app.warning[0].value.replace("\\", ""))
