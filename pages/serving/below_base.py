"""Convert paths of the app to paths below `server.baseUrlPath`."""

import streamlit as st


def below_base(path: str) -> str:
    """Return the path on the server for a path of the app, which begins with a slash."""
    base = st.get_option("server.baseUrlPath").strip("/")
    return f"{f'/{base}' * bool(base)}{path}"
