"""Test data sets as the pages use them."""

from pages.ui.session import data_sets
from tests.refusals import refused
from treecore import DataSetNotFound


def test_an_unknown_set_is_refused_without_advice_for_administrators():
    with refused(DataSetNotFound, "page.session.no_data_set", name="gone") as caught:
        data_sets.load_shared("gone")
    assert "TREECORE_DATA" not in caught.value.sentence
