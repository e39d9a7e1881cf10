"""A file is offered in each language that can say the tree; for the others the reason stands there."""

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from tests.treecore.export.export_examples import random_tree
from treecore.export import TARGETS


def page(tree):
    from pages.ui.save import saving

    saving.exports(tree, "tree", None)


def offered(app):
    return {button.proto.label for button in app.get("download_button")}


@pytest.mark.parametrize("names", [("age", "income"), ("Age", "age")])
def test_a_language_that_cannot_say_the_tree_is_no_file_but_a_sentence(names):
    tree = random_tree(np.random.default_rng(0), 4, 2).with_names(names)
    app = AppTest.from_function(page, args=(tree,), default_timeout=60).run()
    assert not app.exception
    here = {target.words for target in TARGETS.values() if target.missing is None}
    if names[0] == "age":
        assert offered(app) == here
    else:  # a table of a database cannot have both
        assert offered(app) == here - {"Code (SQL)"}
        (told,) = [one.value for one in app.caption if one.value.startswith("Code (SQL)")]
        assert "appears twice" in told
