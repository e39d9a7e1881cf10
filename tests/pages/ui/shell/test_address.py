"""Test that links apply their settings regardless of the previous page, and that a reload changes nothing."""

import pytest
from streamlit.testing.v1 import AppTest

from pages.ui.explore.explorer import USES
from pages.ui.pages import faults
from pages.ui.session.choose_tree import PATH_PAGE

LINKS = [
    *((f"pages/{page}.py", *(query or ({},))) for page, _, _, _, *query in USES),
    ("pages/data.py", {"from": "file"}),
    ("pages/data.py", {"from": "list"}),
    ("pages/learn.py", {"lesson": "what-a-tree-is"}),
    ("pages/rules.py", {"node": "0"}),
    ("pages/explain.py", {"part": "change"}),
    ("pages/explain.py", {"row": "7"}),
    ("pages/predict.py", {"from": "paste"}),
    ("pages/edit.py", {"node": "4"}),
    ("pages/compare.py", {"size": "depth"}),
    ("pages/learn.py", {"lesson": "care-points", "moment": "2"}),
    ("pages/explore.py", {"source": "model-mine"}),
    ("pages/explore.py", {"tree": "3", "data_set": "iris"}),
    PATH_PAGE,
]
# Settings that each page showed before, by their names in the address.
OTHERS = {
    "source": "model-other", "part": "features", "from": "file", "row": "3", "node": "2", "size": "n_leaves",
    "lesson": "pixels", "moment": "3", "tree": "1", "data_set": "mnist-5k",
}  # fmt: skip


def _visits(*visits):
    """Return the settings that the last visit reads. Each visit (page, URL parameters) is one run of the same tab."""

    def script():
        from types import SimpleNamespace

        import streamlit as st

        from pages.ui import frame
        from pages.ui.compare import comparison_results
        from pages.ui.edit import edit_panel
        from pages.ui.explain import explain_panel
        from pages.ui.learn import lessons_panel
        from pages.ui.predict import new_rows, predictions
        from pages.ui.rules import rules_panel
        from pages.ui.session import choose_tree, page_settings, shown_path
        from pages.ui.shell import address

        def source():
            if address.is_from_address(choose_tree.ON_TREE_PAGE):
                st.session_state[choose_tree.ON_TREE_PAGE] = st.query_params.get("source")
            return st.session_state[choose_tree.ON_TREE_PAGE]

        def lesson():
            slug = st.query_params.get("lesson")
            return slug, lessons_panel.opening_moment(SimpleNamespace(slug=slug), SimpleNamespace(moments=range(5)))

        def way():
            if address.is_from_address("data_way"):
                st.session_state["data_way"] = st.query_params.get("from")
            return st.session_state["data_way"]

        readers = {
            "": [source, page_settings.EXPLORE.current, lambda: shown_path.view_of(page_settings.EXPLORE, "path")],
            "explain": [explain_panel.asked_section, explain_panel.current_row],
            "predict": [predictions.current_part, new_rows.source],
            "rules": [rules_panel.node_for_address],
            "edit": [lambda: edit_panel.selected_node()[0]],
            "compare": [comparison_results.size],
            "learn": [lesson],
            "data": [way],
        }
        page, query = st.session_state["visit"]
        path = "" if (name := page[6:-3]) == "explore" else name
        st.query_params.from_dict(query)
        frame.begin_page(path)
        st.session_state["found"] = [read() for read in readers.get(path, [])]
        address.write({"page": path})

    app = AppTest.from_function(script, default_timeout=60)
    for visit in visits:
        app.session_state["visit"] = visit
        app.run()
        assert not app.exception
    return app.session_state["found"]


@pytest.mark.parametrize(("page", "query"), LINKS, ids=[f"{page[6:-3]} {query}" for page, query in LINKS])
def test_a_link_applies_what_it_names_whatever_was_there_before(page, query):
    name = page[6:-3]
    others = {"part": "good" if query.get("part") == "rows" else "rows"} if name == "predict" else {}
    others |= {"from": "list" if query.get("from") == "file" else "file"} if name == "data" else {}
    before = {key: text for key, text in (OTHERS | others).items() if key in query}
    expected = _visits((page, query))
    about = ("pages/about.py", {})
    assert _visits((page, before), about, (page, query)) == expected
    assert faults("" if name == "explore" else name, query) == []


@pytest.mark.parametrize("way", ["in the bar", "while the address is still that of the page before"])
def test_a_page_that_is_reached_without_a_link_keeps_what_it_showed(way):
    before = ("pages/explain.py", {"part": "features", "row": "3"})
    given = {} if way == "in the bar" else {"page": "about"}  # as typed into the address bar
    assert _visits(before, ("pages/about.py", {}), ("pages/explain.py", given)) == ["features", 3]


def _settings_after(*changes):
    """Return the settings of the Tree page after some choices of data set and split in the sidebar."""

    def script(changes):
        import streamlit as st

        from pages.ui.session import page_settings
        from pages.ui.session.controls import Controls
        from pages.ui.shell import address

        store = page_settings.EXPLORE
        address.begin("", {})
        store.current()
        controls = Controls(store)
        for name, value in changes:
            st.session_state[f"{store.key}_{name}"] = value
            controls._store(name)
        store.share_in_url()
        st.session_state["found"] = store.current()

    def of(**query):
        app = AppTest.from_function(script, default_timeout=60, args=(changes,))
        for name, value in query.items():
            app.query_params[name] = value
        app.run()
        assert not app.exception
        return app.session_state["found"], app.session_state["_address_said"]

    return of


MNIST, SEGMENT, IRIS = (("data_set", name) for name in ("mnist-5k", "segment", "iris"))


@pytest.mark.parametrize(
    ("query", "changes", "split"),
    [
        ({}, [], "oblique"),
        ({}, [MNIST], "oblique"),
        ({}, [("data_set", "wine")], "oblique"),
        ({}, [MNIST, SEGMENT], "bivariate"),
        ({}, [IRIS, MNIST, ("data_set", "digits")], "oblique"),
        ({}, [("split", "univariate"), MNIST], "univariate"),
        ({}, [MNIST, ("split", "bivariate"), SEGMENT, MNIST], "bivariate"),
        ({"data_set": "mnist-5k"}, [], "oblique"),
        ({"data_set": "mnist-5k"}, [SEGMENT], "bivariate"),
        ({"data_set": "mnist-5k", "split": "bivariate"}, [], "bivariate"),
        ({"data_set": "segment", "split": "univariate"}, [MNIST], "univariate"),
        ({"data_set": "segment"}, [], "bivariate"),
        ({"data_set": "segment"}, [IRIS], "bivariate"),
        ({"data_set": "segment"}, [("split", "oblique")], "oblique"),
        ({"data_set": "segment", "split": "bivariate", "init": "cart"}, [MNIST], "oblique"),
    ],
)
def test_the_kind_of_split_follows_the_data_set_until_it_is_chosen(query, changes, split):
    found, address = _settings_after(*changes)(**query)
    assert found.split == split
    assert address["data_set"] == found.data_set
    assert _settings_after()(**address)[0] == found  # a reload shows the same
    if not query and not any(name == "split" for name, _ in changes):
        assert found.init == ("random" if split == "oblique" else "cart")


def test_a_link_that_names_no_setting_opens_with_the_app_s_own():
    """The link opens as in a new tab."""
    assert _settings_after()(part="good")[0] == _settings_after()()[0]
    assert _settings_after()(tree="3")[0] == _settings_after()()[0]
    assert _settings_after()(split="bivariate")[0].data_set == "mnist-5k"  # a link of a previous version
    assert _settings_after()(data_set="segment", tree="3")[0].split != "bivariate"  # likewise


def test_only_a_choice_of_the_visitor_adds_an_entry_to_the_history():
    def script():
        import streamlit as st

        from pages.ui.shell import address

        times = st.session_state["times"] = st.session_state.get("times", 0) + 1
        address.begin("", {})
        address.write({"tree": str(times)})

    app = AppTest.from_function(script, default_timeout=60).run()
    assert "tree" not in app.query_params  # the first address replaces its entry, in the browser
    app.run()
    assert app.query_params["tree"] == "2"
