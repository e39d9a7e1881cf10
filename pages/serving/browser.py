"""Identify the browser that sends a request, by a cookie of this app."""

import hashlib
import re
import secrets
from collections.abc import Mapping

from streamlit.web.server.starlette.starlette_app_utils import decode_xsrf_token_string

from pages.serving.below_base import below_base

COOKIE = "tao_owner"  # name of the cookie with a random number, which no script of a page can read
_FORMER = "_streamlit_xsrf"  # name of the cookie that previous versions used, with a random number of Streamlit
_TOKEN = re.compile(r"[0-9a-f]{32}")


def browser(cookies: Mapping[str, str]) -> str | None:
    """Return 32 hexadecimal digits that identify a browser by its cookies, or None without a cookie."""
    token = _token(cookies)
    return None if token is None else hashlib.sha256(bytes.fromhex(token)).hexdigest()[:32]


def set_cookie(cookies: Mapping[str, str], hours: float) -> str:
    """Return the value of a Set-Cookie header, which makes a browser known from now on.

    Each page that a browser opens extends the lifetime, because the data are kept for so long after their last use. A
    browser that has data from a previous version keeps them.

    cookies : cookies of the request; hours : lifetime.
    """
    token = _token(cookies) or secrets.token_hex(16)
    return f"{COOKIE}={token}; Path={below_base('/')}; Max-Age={round(3600 * hours)}; HttpOnly; SameSite=Lax"


def _token(cookies: Mapping[str, str]) -> str | None:
    own = str(cookies.get(COOKIE) or "")
    if _TOKEN.fullmatch(own):
        return own
    number = decode_xsrf_token_string(cookies.get(_FORMER) or "")[0]
    return number.hex() if number and _TOKEN.fullmatch(number.hex()) else None
