"""Fit text to a width: measure it with the advance table of the font, and cut it in the middle if it is too long."""

import re
import threading
import unicodedata
from collections.abc import Iterable

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
