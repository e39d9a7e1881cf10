"""Rules as text, Markdown, LaTeX and CSV. Names may come from anybody, so each is escaped."""

from treecore.comparison import tables
from treecore.conditions import visible

_HEADER = ("if", "then", "rows", "share %", "confidence")
_LATEX_SIGNS = {
    r"\textless{}=": r"$\leq$",
    r"\textgreater{}=": r"$\geq$",
    r"\textless{}": "$<$",
    r"\textgreater{}": "$>$",
}


def to_text(found):
    """A rule a line, then the warning of the `RuleSet` `found`."""
    return "".join(f"{line}\n" for line in (*map(str, found.rules), *_warning(found)))


def to_else_if(found):
    """The chain of a `RuleSet`: IF, ELSE IF, ..., ELSE."""
    lines = []
    for condition, rule in found.chain:
        start = "ELSE " if lines else ""
        if condition is not None:
            shown = condition
            if condition is not True and found.precision:
                shown = condition.rounded(found.precision)
            start += f"IF {'always' if condition is True else shown} THEN "
        lines.append(f"{start}{rule.label_text}\n")
    return "".join(lines) + "".join(f"{line}\n" for line in _warning(found))


def to_markdown(found):
    """Table of GitHub's Markdown; the warning, if there is one, below it."""
    warning = "".join(f"\n{line}\n" for line in _warning(found))
    return tables.to_markdown(_header(found), _rows(found)) + warning


def to_latex(found):
    """``tabular`` with the rules of the package booktabs; the warning, if there is one, as a comment."""
    text = tables.to_latex(_header(found), _rows(found))
    for escaped, sign in _LATEX_SIGNS.items():
        text = text.replace(escaped, sign)
    return text + "".join(f"% {line}\n" for line in _warning(found))


def to_csv(found):
    """CSV: leaf, conditions, prediction, rows, share, confidence, and the count of every class."""
    header = ("leaf", *_HEADER, *(f"count of {visible(label)}" for label in found.classes))
    rows = []
    for rule in found.rules:
        label = rule.label if found.classes else repr(rule.label)
        figures = (rule.n_rows, f"{100 * rule.share:.6g}", "" if rule.confidence is None else f"{rule.confidence:.6g}")
        counts = [f"{count:.17g}" for count in rule.class_counts or ()]
        rows.append(tuple(map(visible, (rule.leaf, rule.condition_text, label, *figures, *counts))))
    return tables.to_csv(header, rows)


def _header(found):
    return _HEADER if found.classes else _HEADER[:-1]


def _rows(found):
    for rule in found.rules:
        confidence = "" if rule.confidence is None else f"{rule.confidence:.3f}"
        row = (rule.condition_text, rule.label_text, str(rule.n_rows), f"{100 * rule.share:.1f}", confidence)
        yield row[: len(_header(found))]


def _warning(found):
    return [found.warning] if found.warning else []
