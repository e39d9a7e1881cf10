"""Name the files that visitors save."""

import re
from typing import Any

from pages.jobs import user_store


def safe(text: object) -> str:
    """Return only the letters, digits and dashes of a text, for file names on any system."""
    return re.sub(r"[^A-Za-z0-9]+", "-", str(text)).strip("-")[:40] or "data"


def of_data(data: Any) -> str:
    """Return the name of a data set for file names.

    The name contains the fingerprint, and for user data also the title.
    """
    return f"{safe(data.title) if user_store.is_own(data.name) else data.name}-{user_store.fingerprint(data)}"
