"""Test the settings with which a page opens, and those that another data set brings along."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from pages.jobs.settings import FIRST
from pages.ui.session import page_settings
from pages.ui.session.page_settings import COMPARE, EXPLORE


@pytest.fixture(autouse=True)
def session(monkeypatch):
    """Replace Streamlit by an empty session, and return the session."""
    state = {}
    monkeypatch.setattr(page_settings, "st", SimpleNamespace(session_state=state))
    return state


@pytest.mark.parametrize("page", [EXPLORE, COMPARE], ids=["tree", "compare"])
def test_a_page_opens_with_the_categories_of_its_data_set(page):
    assert page._read({}, {}) == (FIRST if page is EXPLORE else page.default)
    assert page._read({}, {"data_set": "abalone"}).categories == "groups"
    assert page._read({}, {"data_set": "iris"}).categories == "features"


def test_an_address_determines_all_settings_unless_it_has_only_a_data_set():
    assert EXPLORE._read({"data_set": "abalone"}, {}).categories == "groups"
    assert EXPLORE._read({"data_set": "abalone"}, {"seed": 3}).seed == 3
    of_link = [{"data_set": "abalone", "split": "univariate"}, {"data_set": "abalone", "tree": "2"}]
    for query in of_link:
        assert EXPLORE._read(query, {}).categories == "features"
        assert EXPLORE._read(query | {"categories": "groups"}, {}).categories == "groups"
    assert COMPARE._read({"data_set": "abalone"}, {}).categories == "features"


def test_another_data_set_brings_its_categories():
    for page, now in ((EXPLORE, FIRST), (COMPARE, COMPARE.default)):
        grouped = page._with_changes(now, {"data_set": "abalone"})
        assert (grouped.data_set, grouped.categories) == ("abalone", "groups")
        chosen = replace(grouped, categories="features")
        assert page._with_changes(chosen, {"data_set": "abalone"}).categories == "features"
        assert page._with_changes(chosen, {"seed": 5}).categories == "features"
        assert page._with_changes(grouped, {"data_set": "iris"}).categories == "features"
        assert page._with_changes(now, {"data_set": "abalone", "categories": "features"}).categories == "features"


@pytest.mark.parametrize("is_kept", [False, True])
def test_a_chosen_split_type_stays_and_the_categories_follow_the_data(session, is_kept):
    session["settings_split_kept"] = is_kept
    opened = EXPLORE._with_changes(FIRST, {"data_set": "iris"})
    chosen = opened if is_kept else replace(opened, split="univariate", max_depth=7)
    found = EXPLORE._with_changes(chosen, {"data_set": "abalone"})
    assert (found.split, found.max_depth, found.categories) == (chosen.split, chosen.max_depth, "groups")
    assert EXPLORE._with_changes(found, {"data_set": "iris"}).categories == "features"


def test_a_chosen_depth_stays():
    opened = EXPLORE._with_changes(FIRST, {"data_set": "iris"})
    assert EXPLORE._with_changes(replace(opened, max_depth=3), {"data_set": "abalone"}).max_depth == 3
