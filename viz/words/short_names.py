"""`short_names`: long names of columns, cut in the middle, no two of them alike."""

from collections import Counter
from collections.abc import Iterable, Mapping

from viz.words.text_fit import shortened

MOST_LETTERS = 40  # of a name in a list of conditions; a question of a survey has more
_LONGEST = 5  # times as many letters at the most; names that are alike in those keep all of theirs


def short_names(names: Iterable[str], most: int = MOST_LETTERS) -> dict[str, str]:
    """{name: short name} of the names with more than `most` letters; names that would be alike keep more of them."""
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
    """A text with the short names of `short_names`."""
    for name in sorted(short, key=len, reverse=True):
        text = text.replace(name, short[name])
    return text
