"""`below_base`: paths of this server below `server.baseUrlPath`."""

import streamlit as st


def below_base(path: str) -> str:
    """Return the path on the server of an app path that begins with a slash."""
    base = st.get_option("server.baseUrlPath").strip("/")
    return f"{f'/{base}' * bool(base)}{path}"
