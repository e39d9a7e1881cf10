"""`file_button`: upload a file from any page."""

from typing import Literal

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from pages.ui.session import user_data
from pages.ui.shell import address

ASK_ABOVE = 25_000_000  # bytes above which the visitor must confirm reading a file
COUNT = "own_uploads"


def file_button(width: int | Literal["stretch"] = "stretch") -> None:
    """Draw an uploader as a button. A file opens the Data page."""
    with st.container(key="own_button", width=width):
        uploaded = st.file_uploader("Upload a file", key=f"own_button_{st.session_state.get(COUNT, 0)}")
    if uploaded is not None:
        take_file(uploaded)
        address.go_to("pages/data.py", {"from": "file"})


def take_file(uploaded: UploadedFile) -> None:
    """Start reading an uploaded file; if it is large, ask first."""
    # A new key empties the uploader and frees its memory, because the file is now stored.
    st.session_state[COUNT] = st.session_state.get(COUNT, 0) + 1
    user_data.drop_pending()
    with uploaded.getbuffer() as content:
        name, n_bytes = uploaded.name, len(content)
        if n_bytes > ASK_ABOVE:
            user_data.defer(name, content)
        else:
            user_data.take(name, content)
    user_data.release(uploaded)
