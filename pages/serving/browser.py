"""`browser`: identify the browser of a request."""

import hashlib
from collections.abc import Mapping

from streamlit.web.server.starlette.starlette_app_utils import decode_xsrf_token_string

COOKIE = "_streamlit_xsrf"  # random number that Streamlit stores in each browser


def browser(cookies: Mapping[str, str]) -> str | None:
    """Return 32 hexadecimal digits that identify a browser by its cookies, or None if it stores none."""
    number = decode_xsrf_token_string(cookies.get(COOKIE) or "")[0]
    return hashlib.sha256(number).hexdigest()[:32] if number else None
