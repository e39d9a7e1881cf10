"""Escape external text for Markdown, and split our own text into spans."""

import re

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~$!&:])")
_LINK = re.compile(r"(https?|ftp|www|mailto)(?=[:.])", re.I)
_FIRST = re.compile(r"^(\d+)([.)])|^([-+=])")


def plain(text: object) -> str:
    """Return the text on one line, escaped so that Markdown shows it literally."""
    # Markdown turns a URL into a link even if every character is escaped, so an invisible joiner breaks it.
    text = " ".join("".join(sign if sign.isprintable() else " " for sign in str(text)).split())
    text = _LINK.sub("\\1\u2060", text)
    text = _FIRST.sub(lambda found: f"{found[1] or ''}\\{found[2] or found[3]}", _SPECIAL.sub(r"\\\1", text))
    return text.replace("λ = ", "λ\u00a0=\u00a0")  # keeps the name and the value on one line


def file_size(n_bytes: int) -> str:
    """Return a number of bytes in words."""
    return (
        f"{n_bytes / 1e6:.1f} MB"
        if n_bytes >= 100_000
        else f"{n_bytes / 1e3:.0f} kB"
        if n_bytes >= 10_000
        else f"{n_bytes:,} bytes"
    )


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
