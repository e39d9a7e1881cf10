"""Parse the markup of lessons: ``**bold**`` and ``*emphasis*`` only."""

import re

_PART = re.compile(r"\*\*(?P<strong>[^*]+)\*\*|\*(?P<em>[^*]+)\*")
_TOGETHER = re.compile(r"(?<=[Cλ]) (?==)|(?<=[Cλ] =) |(?<=\d) (?=%)")


def spans(text: str) -> list[list[str]]:
    """Return a list of [kind, words] with the kinds "", "strong" and "em". Numbers stay on one line with their unit."""
    text = _TOGETHER.sub("\u00a0", text)
    found, end = [], 0
    for match in _PART.finditer(text):
        if match.start() > end:
            found.append(["", text[end : match.start()]])
        kind = match.lastgroup or ""
        found.append([kind, match[kind]])
        end = match.end()
    if end < len(text):
        found.append(["", text[end:]])
    return found
