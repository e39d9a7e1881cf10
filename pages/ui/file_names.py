"""Names of files that are offered for saving."""

import re


def safe(text):
    """Letters, digits, dots and dashes of a text, so that it can be part of a file's name anywhere."""
    return re.sub(r"[^\w.-]+", "-", str(text)).strip("-.")[:60] or "file"
