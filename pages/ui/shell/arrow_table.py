"""Convert a data frame once for all reruns of a page."""

from typing import Any

import pandas
import pyarrow


def arrow_table(frame: pandas.DataFrame) -> Any:
    """Return the columns of a frame for `st.dataframe`, which would otherwise convert a frame in every run.

    Returns the frame itself if a column has values of several types, which Streamlit shows as text.
    """
    try:
        return pyarrow.Table.from_pandas(frame, preserve_index=False)
    except pyarrow.ArrowException:
        return frame
