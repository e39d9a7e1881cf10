"""`browser`: which browser a request comes from."""

import hashlib
from collections.abc import Mapping

from streamlit.web.server.starlette.starlette_app_utils import decode_xsrf_token_string

COOKIE = "_streamlit_xsrf"  # Streamlit gives each browser one, a random number that it keeps


def browser(cookies: Mapping[str, str]) -> str | None:
    """32 hex digits that name a browser by its cookies (a mapping), None for one that keeps none."""
    number = decode_xsrf_token_string(cookies.get(COOKIE) or "")[0]
    return hashlib.sha256(number).hexdigest()[:32] if number else None
