"""Tables as text: CSV, Markdown, LaTeX. Names may come from anybody, so each is escaped."""

import csv
import io
import re
import unicodedata

_LATEX = {c: "\\" + c for c in "&%$#_{}"} | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}"}
_LATEX |= {"^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}"}
_LATEX |= {"[": "{[}", "*": "{*}"}  # after the end of a row they would be its options
_MARKDOWN = {c: "\\" + c for c in "\\|*_`[]~"} | {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_INSIDE_WORDS = re.compile(r"(?<=[A-Za-z0-9])_(?=[A-Za-z0-9])")  # there an underscore is only itself

_FORMULA = "=+-@\uff1d\uff0b\uff0d\uff20"  # the last four are full width
_UNSEEN = ("Cc", "Cf", "Zs", "Zl", "Zp")  # control and format characters, blanks: programs may leave them out
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?", re.ASCII | re.IGNORECASE)


def to_csv(header, rows):
    """CSV text; a cell that a spreadsheet would take for a formula begins with an apostrophe."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([[_harmless(text) for text in row] for row in (header, *rows)])
    return out.getvalue()


def frame_to_csv(frame):
    """CSV text of a pandas DataFrame without its index; texts and names as safe as in `to_csv`, numbers in full."""
    safe = frame.set_axis([harmless(str(name)) for name in frame.columns], axis=1)
    for place, kind in enumerate(frame.dtypes):
        if kind.kind not in "biufM":
            column = frame.iloc[:, place].astype(object)
            safe.isetitem(place, column.map(lambda value: harmless(value) if isinstance(value, str) else value))
    return safe.to_csv(index=False, lineterminator="\n")


def harmless(text):
    """The text; with an apostrophe before it where a spreadsheet would take it for a formula."""
    start = next((sign for sign in text if unicodedata.category(sign) not in _UNSEEN), None)
    return f"'{text}" if start and start in _FORMULA and not _NUMBER.fullmatch(text.strip()) else text


def to_markdown(header, rows):
    """Table of GitHub's Markdown."""
    lines = [header, ["---"] + ["---:"] * (len(header) - 1), *rows]
    body = [lines[1] if line is lines[1] else [_in_markdown(text) for text in line] for line in lines]
    return "".join(f"| {' | '.join(line)} |\n" for line in body)


def to_latex(header, rows):
    """``tabular`` environment with the rules of the package booktabs."""
    lines = [" & ".join("".join(_LATEX.get(c, c) for c in _one_line(text)) for text in row) for row in (header, *rows)]
    first, *others = (f"{line} \\\\\n" for line in lines)
    columns = "l" + "r" * (len(header) - 1)
    rules = f"\\toprule\n{first}\\midrule\n{''.join(others)}\\bottomrule\n"
    return f"\\begin{{tabular}}{{{columns}}}\n{rules}\\end{{tabular}}\n"


def _one_line(text):
    return " ".join(str(text).split())


def _in_markdown(text):
    parts = _INSIDE_WORDS.split(_one_line(text))
    return "_".join("".join(_MARKDOWN.get(c, c) for c in part) for part in parts)


def _harmless(text):
    return harmless(_one_line(text))
