"""Test the plots of splits on categories: every row is in one bar, on the side to which the tree sends it."""

import base64
from dataclasses import replace

import numpy as np

from tests.customers import customer_trees
from tests.in_node import in_node
from viz.payload.stage_payload import stage_payload

PICTURES = """
const { decode, inflate } = await load('model/payload.js');
const { categoryFrame, categoryMarks, sidesOf } = await load('draw/category_picture.js');
const { isOf } = await load('model/node_kinds.js');
const path = decode(await inflate(Buffer.from(value, 'base64')));
const [tree] = path.trees;
const box = { x: 200, y: 150, w: 220, h: 160 };
const look = { path, tree, set: 0, looks: path.looks, size: { small: 11 } };
const found = [];
for (const node of tree.left.keys()) {
  if (!isOf(tree, node, 'category')) continue;
  const frame = categoryFrame(look, node, box);
  const { rows, margins } = tree.reaching(0, node);
  const marks = categoryMarks(look, node, box);
  const { X, n } = path.sample;
  found.push(Array.from(rows, (row, p) => {
    const cell = frame.cells[frame.cellOf(row)];
    if (!cell) return [margins[p], null, false];
    const inside = ({ area }) => cell.left >= area.left - 1e-6 && cell.left + cell.w <= area.left + area.w + 1e-6 &&
      cell.top >= area.top && cell.top + cell.h <= area.top + area.h + 1e-6;
    const strips = frame.strips.filter(inside);
    const line = strips.find(({ at }) => at !== null);
    const { left, w } = frame.inner;
    const x = frame.axis === null ? 0 : left + ((X[frame.axis * n + row] - frame.low) / (frame.high - frame.low)) * w;
    const isRight = line ? (line.right ? x >= line.at - 1e-9 : x <= line.at + 1e-9) : strips.some(({ tint }) => tint);
    const parts = sidesOf(frame).filter(({ area, from, to }) => cell.top >= area.top && cell.top < area.top + area.h &&
      (line ? x >= from - 1e-9 && x <= to + 1e-9 : cell.left >= from - 1e-9 && cell.left + cell.w <= to + 1e-9));
    const mean = parts.length > 0 && parts.every(({ right }) => right === isRight) || (line && x === line.at);
    const hit = marks.at(cell.left + cell.w / 2, cell.top + cell.h / 2);
    return [margins[p], isRight, (hit?.rows.includes(row) ?? false) && mean];
  }));
}
return found;
"""


def test_every_row_is_in_a_bar_of_its_side():
    pictures = 0
    for name, (tree, data) in customer_trees().items():
        found = in_node(PICTURES, base64.b64encode(stage_payload(tree, data)).decode())
        pictures += len(found)
        for rows in filter(None, found):
            margins, sides, hits = zip(*rows, strict=True)
            assert [margin >= 0 for margin in margins] == list(sides), name
            assert all(hits)
    assert pictures > 10


def test_a_row_without_its_category_is_in_no_bar():
    tree, data = customer_trees()["customers one"]
    X = data.X.copy()
    X[::9, :3] = np.nan
    tree = replace(tree, missing_right=np.zeros(tree.n_nodes, np.bool_))
    found = in_node(PICTURES, base64.b64encode(stage_payload(tree, replace(data, X=X))).decode())
    lost = [row for rows in found for row in rows if row[1] is None]
    assert lost
    assert all(margin is None for margin, *_ in lost)  # NaN becomes null in JSON


TURNED = """
const { decode, inflate } = await load('model/payload.js');
const { columnOf } = await load('model/condition.js');
const { categorySides, turnCategory } = await load('model/edit_changes.js');
const { documentOf, treeOf } = await load('model/edited_tree.js');
const path = decode(await inflate(Buffer.from(value, 'base64')));
const [tree] = path.trees;
const document = documentOf(tree, new Set());
const found = [];
for (const node of tree.left.keys()) {
  if (tree.isLeaf(node) || columnOf(path, tree.split(node)) === null) continue;
  const before = categorySides(tree, node);
  for (const { feature } of before) {
    const change = turnCategory(tree, document, node, feature);
    if (change === null) continue;
    const now = categorySides(treeOf(path, change.document), node);
    found.push(now.every((one, i) => (one.right !== before[i].right) === (one.feature === feature)));
  }
}
return found;
"""


def test_a_category_is_sent_the_other_way_and_no_other_one():
    turned = 0
    for tree, data in customer_trees().values():
        found = in_node(TURNED, base64.b64encode(stage_payload(tree, data)).decode())
        assert all(found)
        turned += len(found)
    assert turned > 5
