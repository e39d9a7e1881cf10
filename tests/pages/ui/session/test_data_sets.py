"""Test data sets as the pages use them."""

from pages.ui.session import data_sets, page_settings
from tests.refusals import refused
from treecore import DataSetNotFound


def test_an_unknown_set_is_refused_without_advice_for_administrators():
    with refused(DataSetNotFound, "The data set 'gone' does not exist") as caught:
        data_sets.load_shared("gone")
    assert "TREECORE_DATA" not in str(caught.value)


def test_categories_form_groups_at_first_and_links_without_them_keep_their_meaning():
    assert data_sets.opening("abalone")["categories"] == "groups"
    assert "categories" not in data_sets.opening("iris")
    assert page_settings.EXPLORE.text.read({"data_set": "abalone"}).categories == "features"
