"""`owner`: whose own data these are, so that a visitor who comes back can still delete them."""

import hashlib

import streamlit as st
from streamlit.web.server.starlette.starlette_app_utils import decode_xsrf_token_string

from pages.ui.shell.visitor import visitor

_COOKIE = "_streamlit_xsrf"  # Streamlit gives each browser one, a random number that it keeps


def owner():
    """32 hex digits: of who is signed in, else of this browser, else (where it takes no cookies) of this tab."""
    if st.user.get("is_logged_in"):
        return visitor()
    number = decode_xsrf_token_string(st.context.cookies.get(_COOKIE) or "")[0]
    return hashlib.sha256(number).hexdigest()[:32] if number else visitor()
