"""The words of a condition broken into lines that fit: between its terms, then between its words, and with every number
whole. viz/stage/draw/condition_lines.js is its twin."""

import re
from functools import lru_cache

from viz.words import text_fit

SIGN = re.compile(r" (?=[+−≥≤<>] )|(?<=;) ")  # there a line may end
LEAST_NAME = 3  # letters; what is left of a name that is cut to fewer says nothing


@lru_cache(maxsize=1024)  # where a node is, what its edges leave free and what is written ask for the same lines
def condition_lines(text: str, pixels: float, room: float, most_lines: int = 3) -> tuple:
    """Tuple of lines, each at most `room` pixels wide at this height of text: as few as can be, and then as narrow.

    text : as `decision_text` gives it; pixels : height of the text. Names are cut where `most_lines` lines
    do not hold them, numbers never: () when those alone do not fit.
    """
    parts = [_number_and_name(part) for part in SIGN.split(text_fit.clean(text, any_glyph=True))]
    longest = max(len(name) for _, name in parts)
    whole = [number + name for number, name in parts]
    words = [word for number, name in parts for word in _words(number, name)]
    cut = ([number + _cut(name, keep) for number, name in parts] for keep in range(longest - 1, LEAST_NAME - 1, -1))
    for shown in (whole, words, *cut):
        lines = _fill(shown, pixels, room)
        if lines is not None and len(lines) <= most_lines:
            return tuple(_balance(lines, shown, pixels))
    return ()


def _number_and_name(part):
    """("+ 0.5 · ", "petal length"): what is never cut, and what may be."""
    number, dot, name = part.partition(" · ")
    if dot:
        return number + dot, name
    return (part, "") if SIGN.match(f" {part}") else ("", part)


def _words(number, name):
    """["+ 0.5 · petal", "length"]."""
    first, *rest = name.split(" ")
    return [number + first, *rest]


def _cut(name, keep):
    return name if len(name) <= keep else text_fit.shortened(name, keep - 1)


def _fill(parts, pixels, room):
    """Lines of whole parts, or None when one of them is too wide."""
    lines = []
    for part in parts:
        longer = f"{lines[-1]} {part}" if lines else part
        if lines and text_fit.width(longer, pixels) <= room:
            lines[-1] = longer
        elif text_fit.width(part, pixels) <= room:
            lines.append(part)
        else:
            return None
    return lines


def _balance(lines, parts, pixels):
    """As many lines, the widest of them as narrow as it can be."""
    while len(lines) > 1:
        widest = max(text_fit.width(line, pixels) for line in lines)
        narrower = _fill(parts, pixels, widest * (1 - 1e-6))
        if narrower is None or len(narrower) > len(lines):
            break
        lines = narrower
    return lines
