"""Data sets as the pages use them."""

import pytest

from pages.ui.session import data_sets
from treecore import DataSetNotFound


def test_a_set_that_nobody_knows_is_refused_without_a_word_for_those_who_set_up_the_server():
    with pytest.raises(DataSetNotFound, match="no data set “gone” here. Choose one on the Data page") as refused:
        data_sets.shared("gone")
    assert "TREECORE_DATA" not in str(refused.value)
