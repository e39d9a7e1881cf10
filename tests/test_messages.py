"""Test sentences for users: catalogues named ``messages.py``, their uses in the code, and ``sentences.txt``.

``python -m tests.test_messages`` writes ``sentences.txt``, which lists all sentences.
"""

import ast
import importlib
import json
import re
import string
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from treecore import errors
from treecore.errors import TreecoreError
from treecore.messages import Catalogue, Sentence

ROOT = Path(__file__).resolve().parent.parent
SNAPSHOT = ROOT / "tests" / "sentences.txt"
LAYERS = ("treecore", "viz", "sample_data", "pages")


@cache
def catalogues():
    """Return {module: its `Catalogue`} of all files named messages.py."""
    paths = sorted(path for layer in LAYERS for path in (ROOT / layer).rglob("messages.py"))
    names = [path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".") for path in paths]
    return {name: importlib.import_module(name).MESSAGES for name in names}


def all_sentences():
    """Return the text of ``sentences.txt``."""
    lines = []
    for catalogue in sorted(catalogues().values(), key=lambda one: one.area):
        lines += [f"# {catalogue.area}", ""]
        for name, text in catalogue.texts.items():
            lines += [f"{catalogue.area}.{name}", *(f"    {line}" for line in text.splitlines()), ""]
    return "\n".join(lines)


def taken():
    """Return (file, line, catalogue, name, pattern or None, names of values or None) for every catalogue call."""
    for path in sorted(path for layer in LAYERS for path in (ROOT / layer).rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        imported = {
            alias.asname or alias.name: catalogues()[node.module]
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.module in catalogues()
            for alias in node.names
            if alias.name == "MESSAGES"
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and (called := _catalogue_of(node.func, imported)):
                catalogue, place = called
                first = node.args[place] if len(node.args) > place else None
                named = None if any(word.arg is None for word in node.keywords) else {one.arg for one in node.keywords}
                branches = [first.body, first.orelse] if isinstance(first, ast.IfExp) else [first]
                for one in branches:
                    yield path.name, node.lineno, catalogue, _name(one), named


def _catalogue_of(function, imported):
    """Return (catalogue, position of the name among the arguments) in a call of a catalogue or `require`, or None."""
    is_check = isinstance(function, ast.Attribute) and function.attr == "require"
    function = function.value if is_check else function
    found = imported.get(function.id) if isinstance(function, ast.Name) else None
    return None if found is None else (found, 2 if is_check else 0)


def _name(node):
    """Return the name in a call, a pattern if it is an f-string, else None."""
    if isinstance(node, ast.JoinedStr):
        parts = [re.escape(part.value) if isinstance(part, ast.Constant) else ".+" for part in node.values]
        return re.compile("".join(parts))
    return node.value if isinstance(node, ast.Constant) else None


def test_every_sentence_that_is_taken_is_there_with_its_values_and_no_other_is():
    used, faults = set(), []
    for file, line, catalogue, name, named in taken():
        if name is None:  # the name is computed elsewhere from a constant
            continue
        if isinstance(name, re.Pattern):
            used |= {f"{catalogue.area}.{one}" for one in catalogue.texts if name.fullmatch(one)}
            continue
        used.add(f"{catalogue.area}.{name}")
        if name not in catalogue.texts or (named is not None and not catalogue.fields(name) <= named):
            faults.append(f"{file}:{line}: {catalogue.area}.{name}")
    assert faults == []
    constants = "\n".join(path.read_text(encoding="utf-8") for layer in LAYERS for path in (ROOT / layer).rglob("*.py"))
    unused = [
        code
        for catalogue in catalogues().values()
        for code in (f"{catalogue.area}.{name}" for name in catalogue.texts)
        if code not in used and constants.count(f'"{code.removeprefix(catalogue.area + ".")}"') < 2
    ]
    assert unused == []


def test_every_error_of_the_project_has_a_code():
    kinds = {name for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, TreecoreError)}
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in sorted(path for layer in LAYERS for path in (ROOT / layer).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in kinds and node.args
        if isinstance(node.args[0], ast.JoinedStr | ast.BinOp | ast.Constant)
    ]
    assert found == []


def test_all_sentences_are_in_the_snapshot():
    assert SNAPSHOT.read_text(encoding="utf-8") == all_sentences(), "python -m tests.test_messages"


def test_areas_and_sentences_have_one_place_each():
    areas = [catalogue.area for catalogue in catalogues().values()]
    assert sorted(set(areas)) == sorted(areas)
    texts = [text for catalogue in catalogues().values() for text in catalogue.texts.values()]
    assert sorted(text for text in set(texts) if texts.count(text) > 1) == []


def test_every_text_can_be_filled():
    for catalogue in catalogues().values():
        for text in catalogue.texts.values():
            assert list(string.Formatter().parse(text))


def test_a_sentence_keeps_its_values():
    messages = Catalogue("table", {"short": "Row {row}: {n:count value} {n:one is|are} {names:list 1}, {x:.3}."})
    sentence = messages("short", row=3, n=2, names=["a", "b"], x="long text")
    assert sentence == "Row 3: 2 values are 'a' and 1 more, lon."
    assert messages("short", row=3, n=1, names=["a"], x="x") == "Row 3: 1 value is 'a', x."
    assert (sentence.code, sentence.values["x"]) == ("table.short", "long text")
    assert isinstance(sentence, Sentence)
    again = Sentence(**json.loads(json.dumps(messages("short", row=np.int8(3), n=1, names=["a"], x="x").plain())))
    assert (again, again.code, again.values["row"]) == ("Row 3: 1 value is 'a', x.", "table.short", 3)
    with pytest.raises(KeyError):
        messages("short", row=3)


def test_names_are_listed_and_values_kept_as_json_has_them():
    messages = Catalogue("table", {"names": "{a:comma 2}; {a:comma .4}; {a:and}; {a:literals 1}; {a:or}; {n!r}"})
    sentence = messages("names", a=np.array(["x", "y", "z"]), n=10**5000)
    assert sentence == (
        "x, y and 1 more; x, y; x and y and z; 'x' and 2 more; 'x' or 'y' or 'z'; a number with very many digits"
    )
    assert sentence.values["a"] == ["x", "y", "z"]
    with pytest.raises(ValueError, match="^x; x; x;"):
        messages.require(False, ValueError, "names", a=["x"], n=1)


def test_a_condition_that_holds_makes_no_sentence():
    Catalogue("table", {}).require(True, ValueError, "no_such_sentence")


if __name__ == "__main__":
    SNAPSHOT.write_text(all_sentences(), encoding="utf-8")
