"""Test Graphviz graphs, as read by Graphviz itself."""

import re
import subprocess
from xml.etree import ElementTree

import numpy as np
import pytest

from tests.strategies import small_tree
from tests.treecore.export.export_examples import program, random_regression_tree, random_tree, with_linear_leaves
from tests.treecore.export.test_export_names import HOSTILE
from treecore import export
from treecore.export.diagram import boxes

SVG = "{http://www.w3.org/2000/svg}"


def drawn(text, option="-Tsvg"):
    """Return the output of `dot` for a graph."""
    answer = subprocess.run([program("dot"), option], input=text.encode(), capture_output=True, check=False)
    assert (answer.returncode, answer.stderr) == (0, b""), answer.stderr[:2000]
    return answer.stdout


def texts(svg):
    """Return {title of a node or an edge: its lines of text}."""
    groups = [one for one in ElementTree.fromstring(svg).iter(f"{SVG}g") if one.get("class") in ("node", "edge")]
    return {one.find(f"{SVG}title").text: [text.text for text in one.iter(f"{SVG}text")] for one in groups}


def test_a_graph_is_written_as_it_is():
    assert export.dot(small_tree()) == (
        'digraph tree {\n    node [shape=box, fontname="sans-serif"];\n    edge [fontname="sans-serif"];\n'
        '    ordering=out;\n    n0 [label="x0 >= 1.5"];\n    n0 -> n1 [label="no"];\n    n0 -> n2 [label="yes"];\n'
        '    n1 [label="a\\n4 rows\\na: 4", style=rounded];\n    n2 [label="x2 <= x0"];\n'
        '    n2 -> n3 [label="no"];\n    n2 -> n4 [label="yes"];\n'
        '    n3 [label="b\\n3 rows\\nb: 3", style=rounded];\n    n4 [label="c\\n2 rows\\nc: 2", style=rounded];\n}\n'
    )


def test_every_kind_of_tree_is_drawn_with_its_boxes():
    rng = np.random.default_rng(0)
    for make in (random_tree, random_regression_tree):
        for tree in (make(rng, missing=True), make(rng, n_leaves=1), with_linear_leaves(rng, make(rng))):
            found = texts(drawn(export.dot(tree)))
            for box in boxes(tree):
                assert found[f"n{box.number}"] == list(box.lines)
                assert [found[f"n{box.number}->n{child}"] for _, child in box.arrows] == [
                    [label] for label, _ in box.arrows
                ]


def test_hostile_names_stay_texts():
    names = [
        *HOSTILE,
        "a\\nb",
        "\\N",
        "\\G",
        "&lt;",
        "&amp;",
        "&#34;",
        "<b>x</b>",
        '"] ; n9 [label="',
        "{a|b}",
        "<table>",
    ]
    trees = [
        small_tree(classes=[name, f"{name}|{name}", f"1{name}"], feature_names=(name, f"{name}2", f"3{name}"))
        for name in names
    ]
    pictures = drawn("".join(map(export.dot, trees))).split(b"<?xml")[1:]
    for tree, picture in zip(trees, pictures, strict=True):
        found = texts(b"<?xml" + picture)
        assert len(found) == 9
        for box in boxes(tree):
            # Graphviz may write a line of spaces, or spaces at its ends, differently.
            got = [re.sub(r"\s+", " ", text or "").strip() for text in found[f"n{box.number}"]]
            assert got == [re.sub(r"\s+", " ", line).strip() for line in box.lines]


@pytest.mark.parametrize("n_leaves", [1, 2, 150])
def test_graphs_of_any_size_are_read(n_leaves):
    tree = random_tree(np.random.default_rng(0), n_leaves)
    assert drawn(export.dot(tree), "-Tcanon").count(b"->") == tree.n_nodes - 1
