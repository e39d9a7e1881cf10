"""Test the owner of user data."""

import re

import pytest
import streamlit as st
from streamlit.web.server.starlette.starlette_app_utils import generate_xsrf_token_string

from pages.serving.browser import _FORMER as FORMER
from pages.serving.browser import COOKIE, browser, set_cookie
from pages.ui.shell import owner as shell_owner
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
        monkeypatch.setattr(shell_owner, "has_sign_in", lambda: True)
        monkeypatch.setattr(st, "context", Context(**({} if cookie is None else {COOKIE: cookie})))
        return name()

    return as_browser


def test_a_browser_is_known_again_after_a_reload(as_browser):
    first, other = "1" * 32, "2" * 32
    assert as_browser(first) == as_browser(first)
    assert as_browser(first) != as_browser(other)
    assert len(as_browser(first)) == 32
    assert as_browser(first) != first


def test_a_browser_of_a_previous_version_keeps_its_data():
    first, again, other = (generate_xsrf_token_string(bytes([k]) * 16) for k in (1, 1, 2))
    assert first != again  # the cookie is masked differently each time
    assert browser({FORMER: first}) == browser({FORMER: again}) != browser({FORMER: other})
    cookie = set_cookie({FORMER: first}, 168).partition(";")[0].partition("=")[2]
    assert browser({COOKIE: cookie}) == browser({COOKIE: cookie, FORMER: other}) == browser({FORMER: first})
    for damaged in ("", "2|x|y|z", "nonsense", "2|00000000||1", "\0"):
        assert browser({FORMER: damaged}) is None


def test_the_cookie_lasts_as_long_as_the_data_and_no_script_reads_it():
    new, *attributes = set_cookie({}, 168).split("; ")
    assert re.fullmatch("tao_owner=[0-9a-f]{32}", new)
    assert attributes == ["Path=/", "Max-Age=604800", "HttpOnly", "SameSite=Lax"]
    assert set_cookie({}, 1) != set_cookie({}, 1)
    known = set_cookie({COOKIE: "a" * 32}, 0.5)
    assert known.startswith(f"tao_owner={'a' * 32}; ")
    assert "Max-Age=1800;" in known


@pytest.mark.parametrize("cookie", [None, "", "a" * 31, "A" * 32, "nonsense", "\0"])
def test_a_browser_without_the_cookie_is_its_tab(as_browser, cookie):
    assert as_browser(cookie) == st.session_state["session"]
    assert as_browser(cookie) != as_browser(cookie)


def test_a_signed_in_visitor_is_the_same_in_every_browser(as_browser):
    anna = {"is_logged_in": True, "iss": "https://id.example.edu", "sub": "anna"}
    assert as_browser("1" * 32, anna) == as_browser("2" * 32, anna)


def test_students_who_share_an_account_have_several_devices_and_users_of_a_device_too(as_browser):
    users = [{"is_logged_in": True, "iss": "https://id.example.edu", "sub": name} for name in ("class", "anna")]
    cookies = ["1" * 32, "2" * 32]
    found = [as_browser(cookie, user, device) for cookie in cookies for user in (None, *users)]
    assert len(set(found)) == 6
    assert found == [as_browser(cookie, user, device) for cookie in cookies for user in (None, *users)]
    assert as_browser(None, name=device) == as_browser("nonsense", users[0], device) == ""
