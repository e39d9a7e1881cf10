"""Identify the browser that sends a request."""

import hashlib
from collections.abc import Mapping

from streamlit.web.server.starlette.starlette_app_utils import decode_xsrf_token_string

COOKIE = "_streamlit_xsrf"  # name of the cookie with a random number that Streamlit stores in each browser


def browser(cookies: Mapping[str, str]) -> str | None:
    """Return 32 hexadecimal digits that identify a browser by its cookies, or None without a cookie."""
    number = decode_xsrf_token_string(cookies.get(COOKIE) or "")[0]
    return hashlib.sha256(number).hexdigest()[:32] if number else None
