"""Determine the encoding of a text file, and whether the file contains text."""

import codecs
from typing import BinaryIO, NamedTuple

from treecore.errors import DataError
from treecore.messages import literal

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# Supported encodings, by the names of `codecs.lookup`. Python's other codecs are not for text, or out of use.
ENCODINGS = (
    *("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "iso8859-1", "iso8859-2", "iso8859-15"),
    *("cp1250", "cp1251", "cp1252", "cp1253", "cp1254", "cp1255", "cp1256", "cp437", "cp850", "mac-roman", "koi8-r"),
    *("shift_jis", "euc_jp", "euc_kr", "gb18030", "big5"),
)
# Encodings that are recognised without a choice of the user: {name of charset-normalizer: name for the user}.
_LIKELY = {
    "cp1251": "windows-1251", "koi8_r": "koi8_r", "cp1253": "windows-1253", "cp1255": "windows-1255",
    "cp1256": "windows-1256", "cp932": "shift_jis", "gb18030": "gb18030", "euc_kr": "euc_kr", "big5": "big5",
    "euc_jp": "euc_jp",
}  # fmt: skip
_MOST_GUESSES = 3
_LEAST_SHARE, _LEAST_SIGNS = 0.4, 8  # share of bytes beyond ASCII among letters in lines with such bytes, and number
_SAMPLE = 20_000  # bytes of lines
_HIGH = bytes(range(128, 256))
_LETTERS = [bytes([letter]) for letter in b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"]
_CHUNK = 1 << 22
_CONTROLS = bytes(sorted(set(range(32)) - {7, 8, 9, 10, 11, 12, 13, 26, 27}))


class Encoding(NamedTuple):
    """Encoding of a file.

    codec : name of a Python codec; note : sentence for the user, "" for plain UTF-8; guesses : names of the likely
    encodings, the best first, if none is certain.
    """

    codec: str
    note: str
    guesses: tuple[str, ...] = ()


def find_encoding(stream: BinaryIO, name: str, requested: str | None = None) -> Encoding:
    """Return the encoding of a binary stream, checked on the whole stream.

    The encoding is UTF-8 or UTF-16, else windows-1252 or latin-1. requested : encoding chosen by the user, or None.
    Raises DataError for binary content, and if the text is not in the chosen encoding.
    """
    stream.seek(0)
    head = stream.read(_CHUNK)
    if requested is not None:
        return _find_by_name(stream, name, requested)
    for mark, codec in _MARKS:
        if head.startswith(mark):
            _require(stream, name, codec)
            return Encoding(codec, f"encoding {codec.upper().removesuffix('-SIG')} (marked)")
    guess = _utf16_without_mark(head)
    if guess is not None and _decodes(stream, guess):
        _refuse_binary(head.decode(guess, errors="ignore").encode("utf-8", errors="ignore"), name)
        return Encoding(guess, "encoding UTF-16 (without a byte order mark)")
    _refuse_binary(head, name)
    if _decodes(stream, "utf-8"):
        return Encoding("utf-8", "")
    if guesses := _guess(stream):
        others = (*guesses, "windows-1252" if _decodes(stream, "cp1252") else "latin-1")
        return Encoding(codecs.lookup(guesses[0]).name, f"encoding {guesses[0]} (guessed)", others)
    if _decodes(stream, "cp1252"):
        return Encoding("cp1252", "encoding windows-1252")
    return Encoding("latin-1", "encoding latin-1")


def _guess(stream) -> list[str]:
    """Return the names of the likely encodings, the best first, of a text most of whose letters are beyond ASCII."""
    lines = _lines_beyond_ascii(stream)
    n_high, n_letters = len(lines) - len(lines.translate(None, _HIGH)), sum(map(lines.count, _LETTERS))
    if n_high < _LEAST_SHARE * (n_high + n_letters) or n_high < _LEAST_SIGNS:
        return []
    import charset_normalizer  # slow import; a dependency of requests, which Streamlit needs

    matches = charset_normalizer.from_bytes(lines, cp_isolation=list(_LIKELY), threshold=0.8)
    places = {codec: place for place, codec in enumerate(_LIKELY)}
    ranked = sorted(matches, key=lambda one: (round(one.chaos, 1), -round(one.coherence, 1), places[one.encoding]))
    return [_LIKELY[one.encoding] for one in ranked if _decodes(stream, _LIKELY[one.encoding])][:_MOST_GUESSES]


def _lines_beyond_ascii(stream) -> bytes:
    """Return lines with signs beyond ASCII, which show the encoding."""
    stream.seek(0)
    found, size = [], 0
    for line in stream:
        if size > _SAMPLE:
            break
        if not line.isascii():
            found.append(line)
            size += len(line)
    return b"".join(found)


def _utf16_without_mark(head: bytes) -> str | None:
    """Return UTF-16 if every second byte is zero, as in mostly Latin texts."""
    start = head[:4096]
    if len(start) < 8:
        return None
    even, odd = start[::2].count(0) / len(start[::2]), start[1::2].count(0) / len(start[1::2])
    if odd > 0.4 and even < 0.05:
        return "utf-16-le"
    return "utf-16-be" if even > 0.4 and odd < 0.05 else None


def _refuse_binary(head: bytes, name: str) -> None:
    n_controls = len(head) - len(head.translate(None, _CONTROLS))
    if b"\0" in head or n_controls > 0.01 * len(head):
        raise DataError(
            f"{name} is not a text file. If it is a spreadsheet, an image or an archive under another name, "
            "export its table as CSV."
        )


def _decodes(stream, codec: str) -> bool:
    decoder = codecs.getincrementaldecoder(codec)()
    stream.seek(0)
    try:
        while chunk := stream.read(_CHUNK):
            decoder.decode(chunk)
        decoder.decode(b"", final=True)
    except UnicodeError:
        return False
    return True


def _require(stream, name, codec) -> None:
    if not _decodes(stream, codec):
        raise DataError(
            f"{name} contains bytes that are invalid in the encoding {codec.upper().removesuffix('-SIG')}. It "
            "may be incomplete or damaged. Save it again as UTF-8, or choose another encoding."
        )


def _find_by_name(stream, name, requested) -> Encoding:
    try:
        codec = codecs.lookup(requested).name
    except (LookupError, ValueError, TypeError):
        codec = None
    if codec not in ENCODINGS:
        raise DataError(f"Unsupported encoding {literal(str(requested)[:40])}. Supported: {', '.join(ENCODINGS)}.")
    _require(stream, name, codec)
    return Encoding(codec, f"encoding {requested}")
