"""Make Streamlit components from the files in this folder."""

from functools import cache
from pathlib import Path

import streamlit as st

FOLDER = Path(__file__).parent


@cache
def component(name):
    """Return the function that mounts the component with this name, see `st.components.v2.component`."""
    texts = {
        kind: path.read_text(encoding="utf-8")
        for kind in ("js", "css")
        if (path := FOLDER / f"{name}.{kind}").is_file()
    }
    return st.components.v2.component(name, **texts)
