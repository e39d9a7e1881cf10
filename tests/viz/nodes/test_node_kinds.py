"""Test that the kinds of nodes are sent to the browser, and that the browser computes them for edited trees."""

import re
from base64 import b64encode
from functools import cache
from pathlib import Path

import numpy as np

import sample_data
import viz
from tests.in_node import in_node
from tests.viz.tree.test_same_drawing import examples
from treecore import TAOClassifier, TAORegressor
from treecore.tree.decision_digits import decision_digits
from viz.nodes.category_columns import category_columns
from viz.nodes.node_contents import node_contents
from viz.nodes.node_kinds import KINDS, kinds_of
from viz.payload.stage_payload import stage_payload

STAGE = Path(viz.__file__).parent / "stage"
ASKED = re.compile(r"nFeatures === 2 \|\|.*nWeights|nWeights\([^)]*\) === 2 \|\||isinstance\(content")
ASK = """
const { decode, inflate } = await load("model/payload.js");
const { kindOf } = await load("model/node_kinds.js");
const { StageTree } = await load("model/tree.js");
const path = decode(await inflate(Buffer.from(value, "base64")));
const nodes = (tree) => Array.from(tree.left.keys(), (node) => kindOf(tree, node).name);
return path.trees.map((tree) => [nodes(tree), nodes(new StageTree(path, 0, { ...tree, kind: null }))]);
"""


@cache
def all_examples():
    """Return `examples`, numbers and linear leaves."""
    found = examples()
    for name in ("digits", "iris"):
        data = sample_data.load(name)
        model = TAOClassifier(leaf="linear", max_depth=1, lam=0.5, random_state=0, max_iter=1).fit(data.X, data.y)
        found[f"linear {name}"] = ([model.tree_], data)
    data = sample_data.load("diabetes")
    found["numbers"] = ([TAORegressor("univariate", 3000.0, init="cart", max_depth=2).fit(data.X, data.y).tree_], data)
    return found


def test_the_browser_finds_the_kinds_that_are_sent():
    seen = set()
    for trees, data in all_examples().values():
        payload = stage_payload(trees[0], data)
        ((sent, found),) = in_node(ASK, b64encode(payload).decode())
        columns = category_columns(data)
        digits = decision_digits(trees[0], data.X, columns=columns)
        kinds = kinds_of(trees[0], bool(data.image_shape), columns, digits=digits)
        assert sent == found == [KINDS[kind].name for kind in kinds]
        seen |= set(sent)
    of_two_categories = next(kind.name for kind in KINDS if {"category", "plane"} <= set(kind.needs))
    assert seen >= {kind.name for kind in KINDS} - {"constant", of_two_categories}


def test_contents_are_of_the_class_of_their_kind():
    for trees, data in all_examples().values():
        contents = node_contents(trees[0], data)
        for node, content in enumerate(contents.nodes):
            assert content.kind.is_leaf == (trees[0].left[node] < 0)
            assert np.isfinite(content.size(100.0, 80.0)).all()


def test_nothing_else_asks_for_the_kind():
    files = [*STAGE.rglob("*.js"), *STAGE.parent.glob("tree/*.py"), *STAGE.parent.glob("nodes/*.py")]
    assert [path.name for path in files if ASKED.search(path.read_text(encoding="utf-8"))] == []
