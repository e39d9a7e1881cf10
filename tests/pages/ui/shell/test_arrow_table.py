"""Test the conversion of data frames."""

import pandas
import pyarrow

from pages.ui.shell.arrow_table import arrow_table


def test_a_frame_is_converted_without_its_index_and_mixed_values_are_left_to_streamlit():
    frame = pandas.DataFrame({"row": [3, 1], "name": ["a", None]}, index=[7, 8])
    found = arrow_table(frame)
    assert isinstance(found, pyarrow.Table)
    assert found.to_pandas().equals(frame.reset_index(drop=True))
    mixed = pandas.DataFrame({"value": [1, "a"]})
    assert arrow_table(mixed) is mixed
