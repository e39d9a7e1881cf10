"""The table of a comparison as text: CSV, Markdown, LaTeX. Names may come from anybody, so each is escaped."""

import csv
import io
import re

HEADER = (
    "method", "test error %", "standard error", "leaves", "nodes", "depth", "features per node", "inference cost",
    "fit s", "folds", "p", "remark",
)  # fmt: skip
_LATEX = {c: "\\" + c for c in "&%$#_{}"} | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}"}
_LATEX |= {"^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}"}
_LATEX |= {"[": "{[}", "*": "{*}"}  # after the end of a row they would be its options
_MARKDOWN = {c: "\\" + c for c in "\\|*_`[]~"} | {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_INSIDE_WORDS = re.compile(r"(?<=[A-Za-z0-9])_(?=[A-Za-z0-9])")  # there an underscore is only itself


def table_rows(comparison, reference=None):
    """List of tuples of str, one per method, under `HEADER`; p : of the paired test against the method `reference`."""
    rows = []
    for row in comparison.summary().itertuples():
        p = None
        if reference is not None and row.method != reference and row.n_folds:
            p = comparison.paired_test(row.method, reference).p
        rows.append((
            row.title, _number(row.test_error, 2, 100), _number(row.standard_error, 2, 100), _number(row.n_leaves, 1),
            _number(row.n_nodes, 1), _number(row.depth, 1), _number(row.features_per_node, 2),
            _number(row.inference_cost, 1), _number(row.fit_seconds, 3), str(row.n_folds), p_text(p),
            row.failure if isinstance(row.failure, str) else "",
        ))  # fmt: skip
    return rows


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


def p_text(p):
    """Text of a p value (float, or None)."""
    return f"{p:.1e}" if p is not None and 0 < p < 0.0005 else _number(p, 3)


def _number(value, digits, factor=1):
    """Text of a number; "" when there is none (None, or NaN in a data frame)."""
    return "" if value is None or value != value else f"{value * factor:.{digits}f}"


def _one_line(text):
    return " ".join(str(text).split())


def _in_markdown(text):
    parts = _INSIDE_WORDS.split(_one_line(text))
    return "_".join("".join(_MARKDOWN.get(c, c) for c in part) for part in parts)


def _harmless(text):
    text = _one_line(text)
    is_number = text.lstrip("+-").replace(".", "", 1).isdigit()
    return f"'{text}" if text[:1] in ("=", "+", "-", "@") and not is_number else text
