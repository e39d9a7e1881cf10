"""Names of files that are offered for saving."""

import re
from typing import Any

from pages.jobs import user_store


def safe(text: object) -> str:
    """Letters, digits and dashes of a text, so that it can be part of a file's name anywhere."""
    return re.sub(r"[^A-Za-z0-9]+", "-", str(text)).strip("-")[:40] or "data"


def of_data(data: Any) -> str:
    """Name of a data set for files: its fingerprint says which version it was; own data have their title before it."""
    return f"{safe(data.title) if user_store.is_own(data.name) else data.name}-{user_store.fingerprint(data)}"
