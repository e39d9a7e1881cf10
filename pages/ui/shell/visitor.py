"""`visitor`: who looks at the app."""

import hashlib
import uuid

import streamlit as st


def visitor() -> str:
    """32 hex digits that name this visitor: the same at every visit of who is signed in, else of this browser tab."""
    if st.user.get("is_logged_in"):
        # what an OIDC provider promises never to give to another person (OpenID Connect Core 1.0, section 2)
        return hashlib.sha256(f"{st.user.get('iss')} {st.user.get('sub')}".encode()).hexdigest()[:32]
    return tab()


def tab() -> str:
    """32 hex digits that name this browser tab, as long as it stays open."""
    return st.session_state.setdefault("session", uuid.uuid4().hex)
