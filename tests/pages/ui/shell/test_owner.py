"""Test the owner of user data."""

import pytest
import streamlit as st
from streamlit.web.server.starlette.starlette_app_utils import generate_xsrf_token_string

from pages.ui.shell import visitor
from pages.ui.shell.owner import device, owner


class Context:
    def __init__(self, **cookies):
        self.cookies = cookies


@pytest.fixture
def as_browser(monkeypatch):
    """Return a function that opens the app in a new tab of a browser with a cookie, and returns its name."""

    def as_browser(cookie=None, user=None, name=owner):
        monkeypatch.setattr(st, "session_state", {})
        monkeypatch.setattr(st, "user", user or {})
        monkeypatch.setattr(visitor, "has_sign_in", lambda: True)
        monkeypatch.setattr(st, "context", Context(**({} if cookie is None else {"_streamlit_xsrf": cookie})))
        return name()

    return as_browser


def test_a_browser_is_known_again_after_a_reload(as_browser):
    first, again, other = (generate_xsrf_token_string(bytes([k]) * 16) for k in (1, 1, 2))
    assert first != again  # the cookie is masked differently each time
    assert as_browser(first) == as_browser(again)
    assert as_browser(first) != as_browser(other)
    assert len(as_browser(first)) == 32
    assert bytes([1] * 16).hex() != as_browser(first)


@pytest.mark.parametrize("cookie", [None, "", "2|x|y|z", "nonsense", "2|00000000||1", "\0"])
def test_a_browser_without_the_cookie_is_its_tab(as_browser, cookie):
    assert as_browser(cookie) == st.session_state["session"]
    assert as_browser(cookie) != as_browser(cookie)


def test_a_signed_in_visitor_is_the_same_in_every_browser(as_browser):
    anna = {"is_logged_in": True, "iss": "https://id.example.edu", "sub": "anna"}
    assert as_browser(generate_xsrf_token_string(), anna) == as_browser(generate_xsrf_token_string(), anna)


def test_students_who_share_an_account_have_several_devices_and_users_of_a_device_too(as_browser):
    users = [{"is_logged_in": True, "iss": "https://id.example.edu", "sub": name} for name in ("class", "anna")]
    cookies = [generate_xsrf_token_string(bytes([k]) * 16) for k in (1, 2)]
    found = [as_browser(cookie, user, device) for cookie in cookies for user in (None, *users)]
    assert len(set(found)) == 6
    assert found == [as_browser(cookie, user, device) for cookie in cookies for user in (None, *users)]
    assert as_browser(None, name=device) == as_browser("nonsense", users[0], device) == ""
