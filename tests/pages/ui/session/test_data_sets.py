"""Data sets as the pages use them."""

from pages.ui.session import data_sets
from tests.refusals import refused
from treecore import DataSetNotFound


def test_a_set_that_nobody_knows_is_refused_without_a_word_for_those_who_set_up_the_server():
    with refused(DataSetNotFound, "page.session.no_data_set", name="gone") as caught:
        data_sets.load_shared("gone")
    assert "TREECORE_DATA" not in caught.value.sentence
