"""Short forms of names that stay different. viz/stage/model/target.js contains the same forms."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from viz.words.text_fit import shortened

MOST_LETTERS = 40  # maximum length of a name in a list of conditions; survey questions are longer
_WORD = re.compile(r"[^\s_.\-]+[\s_.\-]*|[\s_.\-]+")  # a word with the characters that separate it from the next one
_LONGEST = 5  # names that are equal up to this multiple of the length stay whole


def short_names(names: Iterable[str], most: int = MOST_LETTERS) -> dict[str, str]:
    """Return {name: short name} of the names with more than `most` letters.

    Names that would become equal keep more letters.
    """
    whole = set(names)
    found: dict[str, str] = {}
    for keep in range(most, _LONGEST * most):
        cut = {name: shortened(name, keep - 1) for name in whole - found.keys() if len(name) > keep}
        if not cut:
            break
        taken = Counter([*cut.values(), *found.values(), *whole])
        found |= {name: short for name, short in cut.items() if taken[short] == 1}
    return found


def with_short_names(text: str, short: Mapping[str, str]) -> str:
    """Replace the names in a text with the short names from `short_names`."""
    for name in sorted(short, key=len, reverse=True):
        text = text.replace(name, short[name])
    return text


def without_shared(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names with an ellipsis instead of the words with which all of them begin or end."""
    words = [_WORD.findall(name) for name in names]
    least = min(map(len, words), default=0) - 1  # each name keeps a word
    if len(set(names)) < 2 or least < 1:
        return tuple(names)
    start = _n_shared(words, least)
    end = _n_shared([one[::-1] for one in words], least - start)
    kept = ["".join(one[start : len(one) - end]).strip() for one in words]
    if len(set(kept)) < len(set(names)):
        return tuple(names)
    return tuple("…" * (start > 0) + text + "…" * (end > 0) for text in kept)


def _n_shared(words: Sequence[Sequence[str]], most: int) -> int:
    """Return how many first words all lists share, at most `most`."""
    n = 0
    while n < most and len({one[n].strip() for one in words}) == 1:
        n += 1
    return n
