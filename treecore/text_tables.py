"""Tables as text: CSV, Markdown, LaTeX. Names may come from anybody, so each is escaped."""

import csv
import io
import re

_LATEX = {c: "\\" + c for c in "&%$#_{}"} | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}"}
_LATEX |= {"^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}"}
_LATEX |= {"[": "{[}", "*": "{*}"}  # after the end of a row they would be its options
_MARKDOWN = {c: "\\" + c for c in "\\|*_`[]~"} | {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_INSIDE_WORDS = re.compile(r"(?<=[A-Za-z0-9])_(?=[A-Za-z0-9])")  # there an underscore is only itself

_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?", re.ASCII | re.IGNORECASE)


def to_csv(header, rows):
    """CSV text; a cell that a spreadsheet would take for a formula begins with an apostrophe."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([[_harmless(text) for text in row] for row in (header, *rows)])
    return out.getvalue()


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
    text = _one_line(text)
    return f"'{text}" if text[:1] in ("=", "+", "-", "@") and not _NUMBER.fullmatch(text) else text
