"""What a link asks for and cannot have is said in words."""

import pytest

from pages.ui.pages import faults
from tests.pages.conftest import wait_for_path

pytestmark = pytest.mark.xdist_group("app")
SMALL = {"data_set": "iris", "max_depth": "3", "n_lambdas": "6"}


def warnings(app):
    assert not app.exception
    return " ".join(warning.value for warning in app.warning)


def test_names_and_texts_that_a_page_does_not_know_are_told():
    assert faults("", SMALL | {"tree": "3", "node": "0", "seed": "1"}) == []
    assert faults("rules", {"source": "bivariate", "lam": "0.5", "tree": "1"}) == []
    assert "“max_depth = 99”" in faults("", {"max_depth": "99"})[0]
    assert faults("data", {"from": "file", "data_set": "wine"}) == []
    assert "no method “zzz”" in faults("compare", {"methods": "cart-zzz"})[0]
    assert faults("learn", {"lesson": "all", "present": "1"}) == []
    unknown, misread, count = faults("", {"tree": "-1", "colour": "*red*", "max_depth": "99"})
    assert "“colour” means nothing" in unknown
    several = faults("about", {"x": "1", "y": "2", "z": "3"})
    assert several == ["“x”, “y” and “z” mean nothing in a link to this page; they were left out."]
    assert "“max_depth = 99” in this link is not possible" in misread
    assert "“tree = \\-1”" in count
    assert len(faults("about", {"x" * 5000: "1"})[0]) < 120
    assert len(faults("explain", {"source": "bivariate", "lam": "9" * 5000, "row": "٣"})) == 2


@pytest.mark.parametrize(
    ("page", "query", "words"),
    [
        ("pages/rules.py", {"source": "model-mine", **SMALL}, "asks for the tree “model-mine”, which is not here"),
        ("pages/edit.py", {"edit": "0" * 32, **SMALL}, "changes that this link names are not kept here"),
        ("pages/explain.py", {"part": "soul", **SMALL}, "no part “soul”"),
        ("pages/explain.py", {"tree": "77", **SMALL}, "asks for tree 77, and this path has the trees 0 to 5"),
        (None, {"tree": "77", **SMALL}, "asks for tree 77"),
        ("pages/data.py", {"from": "space"}, "do not come from “space”"),
        ("pages/data.py", {"from": "list", "data_set": "gone"}, "no data set “gone” in your list"),
        ("pages/rules.py", {"node": "777", **SMALL}, "a node that this tree does not have"),
        (None, {"node": "777", **SMALL}, "names no tree that has it"),
        (None, {"tree": "2", "node": "777", **SMALL}, "a node that this tree does not have; none is selected"),
        ("pages/edit.py", {"edit": "0" * 32, "node": "777", **SMALL}, "a node that this tree does not have; the root"),
        (None, {"costs": "x", **SMALL}, "“costs = x” in this link is not possible"),
    ],
)
def test_what_a_page_cannot_open_is_said_and_stays_said(open_app, page, query, words):
    if page is None or "rules" in page or "explain" in page:
        wait_for_path(open_app(**SMALL))
    app = open_app(page, **query)
    assert words in warnings(app)
    assert warnings(app.run()).count(words) == 1


@pytest.mark.parametrize("page", [None, "pages/rules.py"])
def test_settings_that_these_data_cannot_have_are_changed_on_every_page(open_app, page):
    app = open_app(page, data_set="diabetes", class_weight="balanced", max_depth="2", n_lambdas="3")
    assert not app.error
    assert app.session_state["settings"].class_weight == "equal"
    assert any("no classes to weigh" in info.value for info in app.info)


def test_a_good_link_is_silent_and_a_note_ends_with_its_page(open_app):
    wait_for_path(open_app(**SMALL))
    assert warnings(open_app("pages/rules.py", **SMALL, tree="2", source="explore")) == ""
    app = open_app(colour="red", **SMALL)
    assert "“colour”" in warnings(app)
    assert warnings(app.switch_page("pages/about.py").run()) == ""


def test_the_menu_that_holds_a_page_is_marked(open_app):
    marked = [
        [
            place
            for place in (1, 2)
            if any(f"nth-child({place} of" in one.proto.body for one in open_app(page).get("html"))
        ]
        for page in ("pages/about.py", "pages/data.py")
    ]
    assert marked == [[2], []]
