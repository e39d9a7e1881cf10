"""Test Mermaid flowcharts. Mermaid 11.17 in Chromium shows all names in these tests unchanged."""

import html
import re

import numpy as np
import pytest

from tests.refusals import is_said
from tests.strategies import small_tree
from tests.treecore.export.export_examples import random_regression_tree, random_tree, with_linear_leaves
from tests.treecore.export.test_export_names import HOSTILE
from treecore import ParameterError, export
from treecore.export.diagram import boxes

NODE = re.compile(r'    n(\d+)(?:\["([^"]*)"\]|\(\["([^"]*)"\]\))')
ARROW = re.compile(r"    n(\d+) -->\|(yes|no)\| n(\d+)")
LABEL = re.compile(r"(?:[^\W_]|[ .,()+=/-]|#\d+;|<br/>)+")


def read(text):
    """Return ({node: lines}, {(node, child): label}) of a chart in which every line is a node or an arrow."""
    first, *lines = text.splitlines()
    assert first == "flowchart TD"
    shown, arrows = {}, {}
    for line in lines:
        if found := NODE.fullmatch(line):
            label = found[2] or found[3]
            assert LABEL.fullmatch(label), label
            plain = re.sub(r"#(\d+);", lambda sign: chr(int(sign[1])), label.replace("<br/>", "\n"))
            shown[int(found[1])] = plain.replace("\u2060", "").split("\n")
        else:
            found = ARROW.fullmatch(line)
            arrows[int(found[1]), int(found[3])] = found[2]
    return shown, arrows


def test_a_chart_is_written_as_it_is():
    assert export.mermaid(small_tree(classes=["a", "b c", "d"])).splitlines() == [
        "flowchart TD", '    n0["x0 #62;= 1.5"]', "    n0 -->|no| n1", "    n0 -->|yes| n2",
        '    n1(["a<br/>4 rows<br/>a#58; 4"])', '    n2["x2 #60;= x0"]', "    n2 -->|no| n3", "    n2 -->|yes| n4",
        '    n3(["b c<br/>3 rows<br/>b c#58; 3"])', '    n4(["d<br/>2 rows<br/>d#58; 2"])',
    ]  # fmt: skip


@pytest.mark.parametrize("make", [random_tree, random_regression_tree])
def test_every_kind_of_tree_has_its_boxes_and_arrows(make):
    rng = np.random.default_rng(0)
    for tree in (
        make(rng, missing=True),
        make(rng, n_leaves=1),
        make(rng, n_leaves=251),
        with_linear_leaves(rng, make(rng)),
    ):
        shown, arrows = read(export.mermaid(tree))
        assert shown == {box.number: list(box.lines) for box in boxes(tree)}
        assert arrows == {(box.number, child): label for box in boxes(tree) for label, child in box.arrows}


def test_hostile_names_stay_texts():
    names = [
        *HOSTILE, "1. a", "- a", "*a*", "_a_", "`a`", "~~a~~", "end", "style x: a#b;", "classDef a:b#c;", "&lt;",
        "#quot;", "<br/>", '"] --> n9["', "%%{init: {}}%%", "---", "a-->b", "$$x$$", "fa:fa-car", "ﬂ°°35¶ß", "\\n",
    ]  # fmt: skip
    for name in names:
        tree = small_tree(classes=[name, f"{name}|{name}", f"1{name}"], feature_names=(name, f"{name}2", f"3{name}"))
        shown, arrows = read(export.mermaid(tree))
        assert shown == {box.number: list(box.lines) for box in boxes(tree)}
        assert len(arrows) == 4
        text = export.mermaid(tree)
        assert not re.search(r"\$\$|:fa-|\\n|ﬂ°|¶ß", html.unescape(re.sub("#", "&#", text)))


def test_charts_that_mermaid_refuses_are_refused():
    rng = np.random.default_rng(0)
    with pytest.raises(ParameterError) as refused:
        export.mermaid(random_tree(rng, 252))
    assert is_said(str(refused.value), "the tree has 503")
    long = random_tree(rng, 251, feature_names=tuple("abcd"[k] * 300 for k in range(4)))
    with pytest.raises(ParameterError) as refused:
        export.mermaid(long)
    assert is_said(str(refused.value), "Mermaid supports at most … characters; the chart has")
