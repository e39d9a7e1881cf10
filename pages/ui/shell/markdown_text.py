"""Text that came from outside, made safe for places that read Markdown."""

import re

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~$!&:])")
_LINK = re.compile(r"(https?|ftp|www|mailto)(?=[:.])", re.I)
_FIRST = re.compile(r"^(\d+)([.)])|^([-+=])")


def plain(text: object) -> str:
    """The text as it is, on one line: nothing in it becomes emphasis, a link, a picture, a formula or HTML."""
    # addresses become links even where every sign is escaped: an invisible joiner keeps them apart
    text = " ".join("".join(sign if sign.isprintable() else " " for sign in str(text)).split())
    text = _LINK.sub("\\1\u2060", text)
    text = _FIRST.sub(lambda found: f"{found[1] or ''}\\{found[2] or found[3]}", _SPECIAL.sub(r"\\\1", text))
    return text.replace("λ = ", "λ\u00a0=\u00a0")  # the value stays on the line of its name


def file_size(n_bytes: int) -> str:
    """A number of bytes in words."""
    return (
        f"{n_bytes / 1e6:.1f} MB"
        if n_bytes >= 100_000
        else f"{n_bytes / 1e3:.0f} kB"
        if n_bytes >= 10_000
        else f"{n_bytes:,} bytes"
    )
