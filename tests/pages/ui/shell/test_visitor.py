"""Test how the app identifies a visitor."""

import pytest
import streamlit as st

from pages.ui.shell import owner


@pytest.fixture
def as_user(monkeypatch):
    """Return a function that opens the app, signed in with a `sub` or not, and returns the visitor."""

    def as_user(**claims):
        monkeypatch.setattr(st, "session_state", {})
        monkeypatch.setattr(st, "user", claims)
        monkeypatch.setattr(owner, "has_sign_in", lambda: True)
        return owner.visitor(), owner.tab()

    return as_user


def test_a_signed_in_visitor_is_the_same_in_every_tab(as_user):
    anna = {"is_logged_in": True, "iss": "https://id.example.edu", "sub": "anna", "name": "Anna"}
    (first, tab), (second, other_tab) = as_user(**anna), as_user(**anna | {"name": "Anna B."})
    assert first == second
    assert tab != other_tab
    assert as_user(**anna | {"sub": "bob"})[0] != first
    assert as_user(**anna | {"iss": "https://elsewhere.example"})[0] != first
    assert len(first) == len(tab) == 32
    assert "anna" not in first


def test_a_visitor_who_is_not_signed_in_is_a_tab(as_user):
    for claims in ({}, {"is_logged_in": False, "iss": "x", "sub": "y"}):
        who, tab = as_user(**claims)
        assert who == tab
        assert as_user(**claims)[0] != who
