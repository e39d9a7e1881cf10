"""Identify the visitor of the app."""

import hashlib
import uuid

import streamlit as st


def visitor() -> str:
    """Return 32 hexadecimal digits for the signed-in user, else for this browser tab."""
    if st.user.get("is_logged_in"):
        # OpenID Connect Core 1.0, section 2, guarantees that this pair is never reassigned to another person.
        return hashlib.sha256(f"{st.user.get('iss')} {st.user.get('sub')}".encode()).hexdigest()[:32]
    return tab()


def tab() -> str:
    """Return 32 hexadecimal digits that identify this browser tab while it is open."""
    return st.session_state.setdefault("session", uuid.uuid4().hex)
