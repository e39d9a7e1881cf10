"""Width of texts in pixels, and ways to shorten or break them: conditions, names of features, labels."""

import re
import threading
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from viz.looks import LOOKS

SMALLEST = LOOKS.text.smallest  # in pixels; smaller text is unreadable and is left out
UNKNOWN_WIDTH = 1.3  # assumed width of characters that the font lacks, such as emoji, as a multiple of the height
HINTING = 1.06  # maximum factor by which rounding to whole pixels widens small text
UNKNOWN = "\N{REPLACEMENT CHARACTER}"
ISOLATES = "\u2066\u2067\u2068\u2069"

# All fonts in matplotlib share one FreeType library, in which only one thread at a time may open, use or close a font.
# While a font reads its file, the interpreter runs other threads. Threads that measure or draw therefore hold this
# lock.
FONTS_LOCK = threading.Lock()
_TABLES: dict = {}  # {bold: {code: advance}}, each filled once
_FALLBACKS: dict[str, str | None] = {}  # {character: installed font that draws it}
_CHARACTERS: dict[str, frozenset] = {}  # {font: codes of its characters}
# Fonts of these names have many characters, so they are read first. Others contain only marks for missing characters,
# or the letters of formulas under other codes.
_WIDE_FONTS = re.compile(r"Noto|CJK|Gothic|Ming|Hei|Song|Han|Emoji|Unicode|Naskh|Arial|Segoe|WenQuanYi|Nanum|Droid")
_NO_FONTS = re.compile(r"Last ?Resort|^cm[a-z]+\d+$|STIXSize")


def clean(text: str, any_glyph: bool = False) -> str:
    """Replace the characters that XML does not allow (control characters, lone surrogates).

    Isolates of bidirectional text remain only in SVG, because matplotlib ignores them.

    any_glyph : keep characters that the font lacks, because the reader's program has more fonts
    """
    if any_glyph:
        return "".join(c if c.isprintable() or c in ISOLATES else UNKNOWN for c in text)
    return "".join(c if c.isprintable() and _is_drawn(c) else UNKNOWN for c in text if c not in ISOLATES)


def lacking(texts: Iterable[str]) -> str:
    """Return the characters that no installed font contains. Figures as PNG and PDF replace them."""
    found = dict.fromkeys(c for text in texts for c in text if c.isprintable() and c not in ISOLATES)
    return "".join(c for c in found if not _is_drawn(c))


def right_to_left(texts: Iterable[str]) -> str:
    """Return the letters that are written from right to left, which matplotlib draws unjoined and in reverse order."""
    found = dict.fromkeys(c for text in texts for c in text)
    return "".join(c for c in found if unicodedata.bidirectional(c) in ("R", "AL"))


def families(text: str) -> list[str] | None:
    """Return the fonts that draw a text, or None if the usual font has all of its characters."""
    fonts = [font for c in text if ord(c) not in _advances(False) and (font := _fallback(c)) is not None]
    return ["sans-serif", *dict.fromkeys(fonts)] if fonts else None


def width(text: str, pixels: float, bold: bool = False) -> float:
    """Return the width of `text` in pixels at this height, including rounding to whole pixels."""
    return HINTING * pixels * sum(_advance(character, bold) for character in text)


def fit(text: str, pixels: float, room: float, bold: bool = False, whole: bool = False) -> tuple[str, float]:
    """Return (text, pixels) that fit into `room` pixels, or ("", 0) if nothing fits.

    The text is first made smaller, then cut with an ellipsis.

    whole : do not cut, because half a number would mislead
    """
    wide = width(text, 1.0, bold)
    if pixels < SMALLEST or wide <= 0:
        return "", 0.0
    pixels = max(float(SMALLEST), min(pixels, room / wide))
    # Rounding errors must not reject text that fits exactly.
    if wide * pixels <= room * (1 + 1e-9):
        return text, pixels
    if not whole:
        for keep in range(min(len(text) - 1, int(room / (0.25 * pixels))), 0, -1):
            cut = shortened(text, keep)
            if width(cut, pixels, bold) <= room:
                return cut, pixels
    return "", 0.0


def wrapped(text: str, pixels: float, room: float, most_lines: int, bold: bool = False) -> list:
    """Break `text` at its spaces into a list of lines. The last line contains the rest."""
    lines, words = [""], text.split(" ")
    for word in words:
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and len(lines) < most_lines and width(longer, pixels, bold) > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def shortened(text: str, keep: int) -> str:
    """Return `keep` characters from each end around an ellipsis, because many names differ only at their end."""
    end = keep // 2
    return text[: keep - end].rstrip() + "…" + text[len(text) - end :].lstrip()


def _is_drawn(character):
    return ord(character) in _advances(False) or _fallback(character) is not None


def _fallback(character):
    """Return an installed font that has a character which the usual font lacks, or None."""
    if character not in _FALLBACKS:
        with FONTS_LOCK:
            code = ord(character)
            _FALLBACKS[character] = next((name for name, path in _fonts() if code in _characters(name, path)), None)
    return _FALLBACKS[character]


def _fonts():
    """Return (name, path) of the installed upright fonts, those with many characters first."""
    from matplotlib.font_manager import fontManager

    fonts = {
        one.name: one.fname for one in fontManager.ttflist if one.style == "normal" and not _NO_FONTS.search(one.name)
    }
    return sorted(fonts.items(), key=lambda font: (_WIDE_FONTS.search(font[0]) is None, font[0]))


def _characters(name, path):
    """Return the codes of the characters that matplotlib can draw with a font."""
    from matplotlib.ft2font import FT2Font

    if name not in _CHARACTERS:
        try:
            font = FT2Font(path)
            _CHARACTERS[name] = frozenset(font.get_charmap()) if font.scalable else frozenset()
        except (OSError, RuntimeError):  # fonts of coloured images
            _CHARACTERS[name] = frozenset()
    return _CHARACTERS[name]


def _advance(character, bold):
    """Return the width of a character as a share of the font height."""
    return _advances(bold).get(ord(character), UNKNOWN_WIDTH)


def _advances(bold):
    """Return {code: width} of all characters in the font, as shares of its height."""
    if bold not in _TABLES:
        with FONTS_LOCK:
            if bold not in _TABLES:
                _TABLES[bold] = _read_advances(bold)
    return _TABLES[bold]


def _read_advances(bold):
    from matplotlib.font_manager import FontProperties, findfont
    from matplotlib.ft2font import FT2Font, LoadFlags

    font = FT2Font(findfont(FontProperties(weight="bold" if bold else "normal")))
    height = font.units_per_EM
    return {
        code: font.load_glyph(glyph, flags=LoadFlags.NO_SCALE).horiAdvance / height
        for code, glyph in font.get_charmap().items()
    }


SIGN = re.compile(r" (?=[+−≥≤<>] )|(?<=;) ")  # A line may end at these positions.
LEAST_NAME = 3  # minimum number of letters of a cut name; fewer would not identify it


@lru_cache(maxsize=1024)  # Several parts of a drawing request the same lines.
def condition_lines(text: str, pixels: float, room: float, most_lines: int = 3) -> tuple:
    """Return as few lines of at most `room` pixels as possible, as narrow as possible, as a tuple.

    Names are cut if they do not fit into `most_lines` lines. Numbers are never cut. If the numbers alone do not fit,
    the result is ().

    text : as in `decision_words`
    pixels : height of the text
    """
    parts = [_number_and_name(part) for part in SIGN.split(clean(text, any_glyph=True))]
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
    return name if len(name) <= keep else shortened(name, keep - 1)


def _fill(parts, pixels, room):
    """Fill lines with whole parts. Return None if a part is too wide."""
    lines = []
    for part in parts:
        longer = f"{lines[-1]} {part}" if lines else part
        if lines and width(longer, pixels) <= room:
            lines[-1] = longer
        elif width(part, pixels) <= room:
            lines.append(part)
        else:
            return None
    return lines


def _balance(lines, parts, pixels):
    """Return the same number of lines, with the widest line as narrow as possible."""
    while len(lines) > 1:
        widest = max(width(line, pixels) for line in lines)
        narrower = _fill(parts, pixels, widest * (1 - 1e-6))
        if narrower is None or len(narrower) > len(lines):
            break
        lines = narrower
    return lines


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
