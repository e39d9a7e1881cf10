"""Test the sentences of errors and warnings in the sources, and the functions for their values."""

import ast
import re
from pathlib import Path

import numpy as np

from treecore import errors
from treecore.errors import TreecoreError
from treecore.messages import counted, joined, listed, literal, literals, plural

ROOT = Path(__file__).resolve().parent.parent
LAYERS = ("treecore", "viz", "sample_data", "pages")
KINDS = {
    name
    for name, kind in vars(errors).items()
    if isinstance(kind, type) and issubclass(kind, TreecoreError | UserWarning)
}


def raised():
    """Yield (place, text) of every error and warning of the project that contains its text.

    Each inserted value is "x".
    """
    for path in sorted(path for layer in LAYERS for path in (ROOT / layer).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in KINDS and node.args:
                texts = (
                    [node.args[0].body, node.args[0].orelse] if isinstance(node.args[0], ast.IfExp) else node.args[:1]
                )
                for text in texts:
                    if isinstance(text, ast.JoinedStr):
                        parts = [part.value if isinstance(part, ast.Constant) else "x" for part in text.values]
                        yield f"{path.relative_to(ROOT)}:{node.lineno}", "".join(parts)
                    elif isinstance(text, ast.Constant) and isinstance(text.value, str):
                        yield f"{path.relative_to(ROOT)}:{node.lineno}", text.value


def test_errors_are_whole_sentences():
    found = list(raised())
    assert len(found) > 800
    assert [one for one in found if not re.search(r"[.?!x)]$|csv$|17:2$", one[1])] == []
    assert [one for one in found if "  " in one[1]] == []
    assert [one for one in found if re.search(r"\b(please|sorry|oops|simply|just)\b", one[1], re.IGNORECASE)] == []


def test_quotation_marks_and_brackets_are_closed():
    faults = []
    for place, text in raised():
        text = re.sub(r"(?<=\w)'(?=\w)|(?<=s)'(?= )", "", text)  # apostrophes
        if text.count('"') % 2 or text.count("(") - text.count(")") not in (0, 1, -1):
            faults.append((place, text))
    assert faults == []


def test_numbers_have_their_noun():
    assert [counted(n, "row") for n in (0, 1, 1200)] == ["0 rows", "1 row", "1,200 rows"]
    assert (counted(2, "class"), counted(3, "leaf")) == ("2 classes", "3 leaves")
    assert [plural(n, "is", "are") for n in (0, 1, 2)] == ["are", "is", "are"]


def test_names_are_listed_and_long_ones_cut():
    assert listed(["a", "b", "c"], 1) == "'a' and 2 more"
    assert listed(np.array(["x" * 100])) == f"'{'x' * 60}'"
    assert joined(["x", "y", "z"], 2) == "x, y and 1 more"
    assert joined(["x", "y"], between=" and ") == "x and y"
    assert literals(["x", "y", 3], between=" or ") == "'x' or 'y' or 3"
    assert literals(["y" * 100]) == repr("y" * 60)


def test_numbers_with_more_digits_than_python_formats_are_described():
    assert (literal(np.float64(1.2)), literals(np.arange(2))) == ("1.2", "0, 1")
    for value in (10**5000, -(10**5000)):
        assert literal(value) == literal(value, 20) == "a number with very many digits"


def test_values_of_users_are_quoted_and_cut():
    assert literal("a'b\n") == repr("a'b\n")
    assert literal("x" * 100, 10) == "'xxxxxxxxx"
