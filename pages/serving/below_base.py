"""`below_base`: paths of this server below `server.baseUrlPath`."""

import streamlit as st


def below_base(path: str) -> str:
    """Path of the server, for a path of the app that begins with a slash."""
    base = st.get_option("server.baseUrlPath").strip("/")
    return f"{f'/{base}' * bool(base)}{path}"
