"""Texts of the data inside Markdown, as they are."""

import re

_MARKS = re.compile(r"([\\`*_{}\[\]()#+\-.!$~:<>|&])")


def plain(text):
    """Markdown that shows `text` itself, whatever it holds."""
    return _MARKS.sub(r"\\\1", " ".join(str(text).split()))
