"""Tables as CSV, Markdown and LaTeX. Names are escaped, because they can contain any characters."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas

_LATEX = {c: "\\" + c for c in "&%$#_{}"} | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}"}
_LATEX |= {"^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}"}
_LATEX |= {"[": "{[}", "*": "{*}"}  # LaTeX reads these characters as options after the end of a row
_MARKDOWN = {c: "\\" + c for c in "\\|*_`[]~"}
_TAG_OR_ENTITY = re.compile(r"<(?=[A-Za-z/!?])|&(?=[#A-Za-z])")  # Markdown reads other `<` and `&` as text
_INSIDE_WORDS = re.compile(
    r"(?<=[A-Za-z0-9])_(?=[A-Za-z0-9])"
)  # Markdown does not interpret an underscore inside a word

_UNSEEN = ("Cc", "Cf", "Cs", "Co", "Zs", "Zl", "Zp", "Mn", "Mc", "Me")  # character classes that programs may omit
_LIKE_UNSEEN = '\u115f\u1160\u2800\u3164\uffa0"'  # letters that look like blanks, and possible CSV quotes
_NUMBER = re.compile(r"[ \t]*[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?[ \t]*", re.ASCII | re.IGNORECASE)


def to_csv(header: Sequence[str], rows: Sequence) -> str:
    """Return CSV text. A cell that a spreadsheet could read as a formula starts with an apostrophe."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([[_harmless(text) for text in row] for row in (header, *rows)])
    return out.getvalue()


def frame_to_csv(frame: pandas.DataFrame) -> str:
    """Return a pandas DataFrame as CSV text, without the index.

    Texts and names are protected as in `to_csv`. Numbers have all digits.
    """
    safe = frame.set_axis([harmless(str(name)) for name in frame.columns], axis=1)
    for place, kind in enumerate(frame.dtypes):
        if kind.kind not in "biufM":
            column = frame.iloc[:, place].astype(object)
            safe.isetitem(place, column.map(lambda value: harmless(value) if isinstance(value, str) else value))
    return safe.to_csv(index=False, lineterminator="\n")


def harmless(text: str) -> str:
    """Return the text, with an apostrophe before it if a spreadsheet could read it as a formula.

    This applies to texts that start with a tab or a line break, and to texts whose first visible character is ``=``,
    ``+``, ``-``, ``@`` or a wide, small or raised form of these (NFKC). Numbers are unchanged.
    viz/stage/elements/csv.js implements the same rule.
    """
    if _NUMBER.fullmatch(text):
        return text
    start = next((c for c in text if c not in _LIKE_UNSEEN and unicodedata.category(c) not in _UNSEEN), "")
    is_formula = any(sign in "=+-@" for sign in unicodedata.normalize("NFKC", start))
    return f"'{text}" if is_formula or text.startswith(("\t", "\r", "\n")) else text


def to_markdown(header: Sequence[str], rows: Sequence) -> str:
    """Return a GitHub Markdown table."""
    lines = [header, ["---"] + ["---:"] * (len(header) - 1), *rows]
    body = [lines[1] if line is lines[1] else [_in_markdown(text) for text in line] for line in lines]
    return "".join(f"| {' | '.join(line)} |\n" for line in body)


def to_latex(header: Sequence[str], rows: Sequence) -> str:
    """Return a ``tabular`` environment for the package booktabs."""
    lines = [" & ".join("".join(_LATEX.get(c, c) for c in _one_line(text)) for text in row) for row in (header, *rows)]
    first, *others = (f"{line} \\\\\n" for line in lines)
    columns = "l" + "r" * (len(header) - 1)
    rules = f"\\toprule\n{first}\\midrule\n{''.join(others)}\\bottomrule\n"
    return f"\\begin{{tabular}}{{{columns}}}\n{rules}\\end{{tabular}}\n"


def _one_line(text):
    return " ".join(str(text).split())


def _in_markdown(text):
    parts = _INSIDE_WORDS.split(_one_line(text))
    escaped = "_".join("".join(_MARKDOWN.get(c, c) for c in part) for part in parts)
    return _TAG_OR_ENTITY.sub(lambda found: {"<": "&lt;", "&": "&amp;"}[found[0]], escaped)


def _harmless(text):
    return harmless(_one_line(text))
