"""Identify the visitor of the app."""

import hashlib
import uuid
from functools import cache

import streamlit as st


def visitor() -> str:
    """Return 32 hexadecimal digits for the signed-in user, else for this browser tab."""
    if is_signed_in():
        # OpenID Connect Core 1.0, section 2, guarantees that this pair is never reassigned to another person.
        return hashlib.sha256(f"{st.user.get('iss')} {st.user.get('sub')}".encode()).hexdigest()[:32]
    return tab()


def is_signed_in() -> bool:
    """Test whether the visitor has signed in."""
    return has_sign_in() and bool(st.user.get("is_logged_in"))


@cache
def has_sign_in() -> bool:
    """Test whether this server has a sign-in. `st.user` would read the configuration again at each access."""
    return st.secrets.load_if_toml_exists() and "auth" in st.secrets


def tab() -> str:
    """Return 32 hexadecimal digits that identify this browser tab while it is open."""
    return st.session_state.setdefault("session", uuid.uuid4().hex)
