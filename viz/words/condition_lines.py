"""Break the text of a condition into lines that fit: between terms, then between words, never within a number.

viz/stage/draw/condition_lines.js does the same in the browser.
"""

import re
from functools import lru_cache

from viz.words import text_fit

SIGN = re.compile(r" (?=[+−≥≤<>] )|(?<=;) ")  # A line may end at these positions.
LEAST_NAME = 3  # minimum number of letters of a cut name; fewer would not identify it


@lru_cache(maxsize=1024)  # Several parts of a drawing request the same lines.
def condition_lines(text: str, pixels: float, room: float, most_lines: int = 3) -> tuple:
    """Return as few lines of at most `room` pixels as possible, as narrow as possible, as a tuple.

    Names are cut if they do not fit into `most_lines` lines. Numbers are never cut. If the numbers alone do not fit,
    the result is ().

    text : as returned by `decision_text`
    pixels : height of the text
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
    """Split a term into the part that is never cut and the name: ("+ 0.5 · ", "petal length")."""
    number, dot, name = part.partition(" · ")
    if dot:
        return number + dot, name
    return (part, "") if SIGN.match(f" {part}") else ("", part)


def _words(number, name):
    """Split a term into words, and keep the number with the first word: ["+ 0.5 · petal", "length"]."""
    first, *rest = name.split(" ")
    return [number + first, *rest]


def _cut(name, keep):
    return name if len(name) <= keep else text_fit.shortened(name, keep - 1)


def _fill(parts, pixels, room):
    """Fill lines with whole parts. Return None if a part is too wide."""
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
    """Return the same number of lines, with the widest line as narrow as possible."""
    while len(lines) > 1:
        widest = max(text_fit.width(line, pixels) for line in lines)
        narrower = _fill(parts, pixels, widest * (1 - 1e-6))
        if narrower is None or len(narrower) > len(lines):
            break
        lines = narrower
    return lines
