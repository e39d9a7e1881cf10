"""Test that pages report every part of a link that they cannot show."""

import pytest

from pages.ui.pages import PAGES, Page, check_pages, faults
from pages.ui.session import settings_for_data
from tests.pages.conftest import wait_for_path
from tests.refusals import is_said, wording

pytestmark = pytest.mark.xdist_group("app")
SMALL = {"data_set": "iris", "max_depth": "3", "n_lambdas": "6"}


def warnings(app):
    assert not app.exception
    return " ".join(warning.value for warning in app.warning)


def test_unknown_names_and_texts_of_a_page_are_reported():
    assert faults("", SMALL | {"tree": "3", "node": "0", "seed": "1"}) == []
    assert faults("rules", {"source": "bivariate", "lam": "0.5", "tree": "1"}) == []
    assert is_said(
        faults("", {"max_depth": "99"})[0], "This link contains an unsupported value: 'max_depth = 99' (expected …)"
    )
    assert faults("data", {"from": "file", "data_set": "wine"}) == []
    assert is_said(faults("compare", {"methods": "cart-zzz"})[0], "This link contains an unsupported method: 'zzz'")
    assert faults("learn", {"lesson": "all", "present": "1"}) == []
    unknown, misread, count = faults("", {"tree": "-1", "colour": "*red*", "max_depth": "99"})
    assert is_said(unknown, "This link contains an unsupported name: 'colour'")
    (several,) = faults("about", {"x": "1", "y": "2", "z": "3"})
    assert is_said(several, "This link contains unsupported names: 'x', 'y' and 'z'")
    assert is_said(misread, "This link contains an unsupported value: 'max_depth = 99' (expected …)")
    assert is_said(count, "This link contains an unsupported value: 'tree = \\-1' (expected …)")
    assert len(faults("about", {"x" * 5000: "1"})[0]) < 120
    assert len(faults("explain", {"source": "bivariate", "lam": "9" * 5000, "row": "٣"})) == 2


@pytest.mark.parametrize(
    ("page", "query", "said"),
    [
        (
            "pages/rules.py",
            {"source": "model-mine", **SMALL},
            wording("The tree 'model-mine' in this link is not available"),
        ),
        ("pages/edit.py", {"edit": "0" * 32, **SMALL}, wording("The server no longer stores the changes in this link")),
        ("pages/explain.py", {"part": "soul", **SMALL}, wording("This link contains an unsupported section: 'soul'")),
        ("pages/explain.py", {"tree": "77", **SMALL}, wording("Tree 77 does not exist (the path has trees 0 to 5)")),
        (None, {"tree": "77", **SMALL}, wording("Tree 77 does not exist (the path has trees 0 to …)")),
        ("pages/data.py", {"from": "space"}, wording("Unsupported source 'space'")),
        ("pages/data.py", {"from": "list", "data_set": "gone"}, wording("Your list contains no data set 'gone'")),
        ("pages/rules.py", {"node": "777", **SMALL}, wording("The node in this link does not exist in this tree")),
        (None, {"node": "777", **SMALL}, wording("This link selects a node but no tree")),
        (None, {"tree": "2", "node": "777", **SMALL}, wording("The node in this link does not exist in this tree")),
        (
            "pages/edit.py",
            {"edit": "0" * 32, "node": "777", **SMALL},
            wording("The node in this link does not exist in this tree"),
        ),
        (None, {"costs": "x", **SMALL}, wording("This link contains an unsupported value: 'costs = x'")),
    ],
)
def test_faults_of_a_link_are_reported_in_every_run(open_app, page, query, said):
    if page is None or "rules" in page or "explain" in page:
        wait_for_path(open_app(**SMALL))
    app = open_app(page, **query)
    assert said.search(warnings(app))
    assert sum(said.search(warning.value) is not None for warning in app.run().warning) == 1


@pytest.mark.parametrize("page", [None, "pages/rules.py"])
def test_settings_that_these_data_cannot_have_are_changed_on_every_page(open_app, page):
    app = open_app(page, data_set="diabetes", class_weight="balanced", max_depth="2", n_lambdas="3")
    assert not app.error
    assert app.session_state["settings"].class_weight == "equal"
    assert any(settings_for_data.NO_CLASSES in info.value for info in app.info)


def test_a_good_link_is_silent_and_a_note_ends_with_its_page(open_app):
    wait_for_path(open_app(**SMALL))
    assert warnings(open_app("pages/rules.py", **SMALL, tree="2", source="explore")) == ""
    app = open_app(colour="red", **SMALL)
    assert "'colour'" in warnings(app)
    assert warnings(app.switch_page("pages/about.py").run()) == ""


def test_the_menu_that_holds_a_page_is_marked(open_app):
    for page, place in (("pages/about.py", 2), ("pages/data.py", 0)):
        blocks = open_app(page).main.children.values()
        keys = [block.proto.id for block in blocks if "address" in getattr(block.proto, "id", "")]
        assert [key.rpartition("address-")[2] for key in keys] == [f"{place}-{page[6:-3]}"]


@pytest.mark.parametrize("other", [Page("rules", "Rules again"), Page("more", "More", keys={"edit_link": {"other"}})])
def test_pages_that_contradict_each_other_are_refused(other):
    with pytest.raises(ImportError):
        check_pages((*PAGES, other))


@pytest.mark.parametrize("page", [page for page in PAGES if page.name not in ("explore", "learn", "room")])
def test_each_page_has_its_title_and_those_about_a_tree_have_no_sidebar(open_app, page):
    wait_for_path(open_app(**SMALL))
    app = open_app(f"pages/{page.name}.py", **SMALL)
    titles = [one.proto.body for one in app.get("html") if 'class="page-title"' in one.proto.body]
    assert [f"<h1>{page.title}</h1>" in title for title in titles] == [True]
    assert bool(app.sidebar.children) == (page.name == "compare")
