"""Short forms of long column names, cut in the middle and all different."""

from collections import Counter
from collections.abc import Iterable, Mapping

from viz.words.text_fit import shortened

MOST_LETTERS = 40  # maximum length of a name in a list of conditions; survey questions are longer
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
