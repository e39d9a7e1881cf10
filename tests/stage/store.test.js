// Test the state of a stage and its consequences, without a browser.

import assert from "node:assert/strict";
import { test } from "node:test";

import { frozen, remembered } from "../../viz/stage/model/remembered.js";
import { partsOf, rings, rows } from "../../viz/stage/draw/overview.js";
import { placesOf } from "../../viz/stage/geometry/places.js";
import { FIELDS, namesOf, openState } from "../../viz/stage/model/state.js";
import { Colors } from "../../viz/stage/model/colors.js";
import { leavesText } from "../../viz/stage/panels/tools.js";
import { Store } from "../../viz/stage/model/store.js";
import { visibleNodes } from "../../viz/stage/model/shown_nodes.js";
import { Target } from "../../viz/stage/model/target.js";
import { StageTree } from "../../viz/stage/model/tree.js";

/** Return a path of two trees on one feature: x >= 0, and a single leaf. The rows -2, -1, 1, 2 have the classes 0, 0,
 * 1, 1. */
function twoTrees() {
  const path = {
    ...{ name: "line", features: ["x"], columns: [0], nFeatures: 1, edit: null },
    target: new Target({ groups: ["a", "b"], colors: [], edges: null, loss: "unequal", tolerance: 0 }),
    sets: [{ name: "train", n: 4 }],
    sample: {
      n: 4,
      rows: [10, 11, 12, 13],
      set: [0, 0, 0, 0],
      y: [0, 0, 1, 1],
      value: [0, 0, 1, 1],
      X: Float64Array.of(-2, -1, 1, 2),
    },
  };
  const split = {
    left: [1, -1, -1],
    right: [2, -1, -1],
    origin: [0, 1, 2],
    label: [0, 0, 1],
    value: [0, 0, 1],
    bias: [0, 0, 0],
  };
  const leaf = {
    left: [-1],
    right: [-1],
    origin: [0],
    label: [0],
    value: [0],
    bias: [0],
    start: [0, 0],
    feature: [],
    weight: [],
  };
  const counts = { missingRight: null, leafCounts: null, leafLosses: null };
  path.trees = [
    new StageTree(path, 0, { ...split, ...counts, start: [0, 1, 1, 1], feature: [0], weight: [1] }),
    new StageTree(path, 1, { ...leaf, ...counts }),
  ];
  return frozen(path);
}

function withPath() {
  const store = new Store();
  store.set({ path: twoTrees() });
  return store;
}

test("folds choose the trees as soon as they are known, and of no other path", () => {
  const store = withPath();
  const notes = { 1: { note: "A single leaf", better: 0 } };
  const choice = { errors: [0.1, 0.2], spreads: [0, 0], recommended: { min: 0 }, notes };
  assert.equal(store.choice, null);
  store.set({ choice });
  assert.deepEqual(store.recommended, { min: 0 });
  assert.equal(store.notes, notes);
  store.set({ choice: { ...choice, errors: [0.1] } });
  assert.equal(store.choice, null);
});

test("the state is changed by set alone, and knows its fields", () => {
  const store = withPath();
  assert.throws(() => (store.state.k = 1), TypeError);
  assert.throws(() => store.set({ tree: 1 }), /no field "tree".*collapsed/);
  assert.equal(store.state.k, 0);
  for (const [name, { initial }] of Object.entries(FIELDS)) assert.ok(initial !== undefined, name);
  assert.ok(namesOf("taste").includes("edges") && !namesOf("taste").includes("k"));
});

test("listeners hear what has changed, once, and no longer than they want", () => {
  const store = withPath();
  const heard = [];
  const end = store.subscribe((names, before) => heard.push([names, before.k]));
  store.set({ k: 1 });
  store.set({ k: 1 });
  end();
  store.set({ k: 0 });
  assert.deepEqual(heard, [[["k"], 0]]);
});

test("what follows from a change: projector and inspector, another row, a focus that has gone", () => {
  const store = withPath();
  store.set({ projector: true });
  assert.deepEqual([store.state.panel, store.state.type], [false, 1.45]);
  store.set({ row: { values: [1], label: 1 }, whatIf: [-1] });
  assert.deepEqual(
    store.way.map(({ node }) => node),
    [0, 1],
  );
  store.set({ row: { values: [1], label: 1 } });
  assert.equal(store.state.whatIf, null);
  assert.deepEqual([...store.wayNodes], [0, 2]);
  store.set({ focus: 2 });
  store.set({ k: 1 });
  assert.equal(store.state.focus, null);
});

test("what stands out: the way of a row, survivors of another tree, selected rows", () => {
  const store = withPath();
  assert.equal(store.litNodes, null);
  store.set({ lightsPath: true, node: 2 });
  assert.deepEqual([[...store.litNodes], store.isOneWay], [[0, 2], true]);
  store.set({ survivors: 1 });
  assert.deepEqual([[...store.litNodes], store.isOneWay], [[], false]);
});

test("leaves are found by their rows and their confidence, and say so when there is none", () => {
  const store = withPath();
  const leafFilter = { rows: 2, relation: "any", share: 0 };
  /** @param {object} patch */
  const found = (patch) => {
    store.set({ leafFilter: { ...leafFilter, ...patch } });
    return [store.filteredLeaves.leaves, store.litNodes && [...store.litNodes].sort(), leavesText(store)];
  };
  assert.equal(store.filteredLeaves, null);
  assert.deepEqual(found({}), [[1, 2], [0, 1, 2], "2 of 2 leaves"]);
  assert.deepEqual(found({ rows: 3 }), [[], null, "none of 2 leaves"]);
  // an edited tree whose second leaf has rows of both classes (1 and 3)
  const { path } = store;
  const [{ left, right, origin, label, value, bias, start, feature, weight }] = path.trees;
  const mixed = { leafCounts: [[2, 0, 1, 3]], leafLosses: null, missingRight: null };
  const edited = new StageTree(path, 0, { left, right, origin, label, value, bias, start, feature, weight, ...mixed });
  store.set({ edited });
  assert.deepEqual(found({ relation: "least", share: 0.75 })[0], [1, 2]);
  assert.deepEqual(found({ relation: "least", share: 0.76 }), [[1], [0, 1], "1 of 2 leaves"]);
  assert.deepEqual(found({ relation: "most", share: 0.75 })[0], [2]);
  store.set({ collapsed: new Set([0]) });
  assert.deepEqual(found({ relation: "most", share: 0.75 })[2], "1 of 2 leaves, 1 hidden");
});

test("the colour of a node tells the class of most of its rows, how many have it, or the errors below", () => {
  const theme = { surface: "#ffffff", text: "#000000", alarm: "#ff0000" };
  const palette = {
    themes: { light: theme },
    diverging: { light: { map: ["#000000", "#000000"] } },
    grey: [],
    other: "",
  };
  const colors = new Colors(
    { ...palette, classes: { light: [] } },
    { light: ["#0000ff", "#00ff00"] },
    "light",
    "map",
    null,
  );
  const { path, tree } = withPath();
  const { left, right, origin, label, value, bias, start, feature, weight } = tree;
  /** @param {number[]} counts of the leaves */
  const of = (...counts) =>
    new StageTree(path, 0, {
      ...{ left, right, origin, label, value, bias, start, feature, weight },
      ...{ leafCounts: [counts], leafLosses: null, missingRight: null },
    });
  const node = (/** @type {number[]} */ counts, /** @type {string} */ shade, at = 0) =>
    colors.ofNode(of(...counts), 0, at, shade);
  assert.equal(node([6, 0, 0, 2], "class"), "#0000ff");
  assert.equal(node([6, 0, 0, 2], "confidence"), colors.ofConfidence("#0000ff", 0.75));
  assert.equal(node([2, 2, 0, 4], "errors"), colors.ofErrors(0.25)); // of the leaves below, not of their parent
  assert.equal(node([2, 2, 0, 4], "errors", 1), colors.ofErrors(0.5));
  assert.equal(node([2, 2, 0, 4], "confidence", 1), colors.ofConfidence("#0000ff", 0.5));
  assert.equal(node([0, 0, 0, 0], "class"), null);
  assert.equal(node([0, 0, 0, 0], "class", 1), "#0000ff");
});

test("derived values are made anew only when what they are made of changes", () => {
  const store = withPath();
  store.set({ row: { values: [1], label: 1 } });
  const { way, visible } = store;
  store.set({ hover: 1, message: { text: "" } });
  assert.ok(store.way === way && store.visible === visible);
  store.set({ collapsed: new Set([0]) });
  assert.ok(store.way === way && store.visible !== visible);
});

test("an edited tree stands in the place of the path's own, which stays as it was", () => {
  const store = withPath();
  const [first, second] = store.path.trees;
  store.set({ edited: second });
  assert.ok(store.tree === second && store.path.trees[0] === first);
  assert.throws(() => (store.path.trees[0] = second), TypeError);
  assert.throws(() => (store.path.limits = new Map()), TypeError);
  assert.throws(() => (first.bias = null), TypeError);
});

test("what a tree works out is kept beside it", () => {
  const [tree] = twoTrees().trees;
  assert.ok(tree.figures(0) === tree.figures(0));
  assert.deepEqual([...tree.figures(0).n], [4, 2, 2]);
  let made = 0;
  for (let i = 0; i < 3; i++) remembered(tree, "once", () => made++);
  assert.equal(made, 1);
});

test("a place of the overview, in rows or in rings, is that of the node that is drawn there", () => {
  const { tree } = withPath();
  const { n } = tree.figures(0);
  const parts = partsOf(tree, n);
  const levels = tree.maxDepth + 1;
  for (let node = 0; node < tree.n; node++) {
    const middle = parts.left[node] + parts.wide[node] / 2;
    assert.ok(Math.abs(parts.wide[node] - n[node] / n[0]) < 1e-9);
    const inRows = rows(parts, 300, 20).at(middle * 300, 20 * tree.depth[node] + 10);
    const turn = (middle - 0.25) * 2 * Math.PI;
    const radius = (92 / levels) * (tree.depth[node] + 0.5);
    const inRings = rings(parts, 300, 200, levels).at(150 + radius * Math.cos(turn), 100 + radius * Math.sin(turn));
    for (const { share, depth } of [inRows, inRings]) {
      assert.equal(depth, tree.depth[node]);
      assert.ok(Math.abs(share - middle) < 1e-9);
    }
  }
});

test("while there is no tree yet the picture has nothing but the plane", () => {
  const store = withPath();
  for (const [pictureWidth, side] of [
    [390, 390],
    [1000, 1000],
  ]) {
    store.set({ pictureWidth, pictureHeight: 500, isBare: true });
    assert.equal(store.layout.plane.side, side);
  }
});

test("the picture is shared by overview, plane and tree", () => {
  const store = withPath();
  store.set({ pictureWidth: 1000, pictureHeight: 500 });
  assert.deepEqual(store.layout.view, { width: 1000, height: 500, left: 0, top: 0 });
  store.set({ overview: "icicle" });
  const { overview, above, view } = store.layout;
  assert.equal(view.height, 500 - above);
  assert.ok(overview.height > 0 && above > overview.height);
  store.set({ overview: "sunburst" });
  const round = store.layout;
  assert.ok(round.overview.isBeside && round.above === 0 && round.view.left > round.overview.width);
  assert.equal(round.view.width, 1000 - round.view.left);
  store.set({ pictureWidth: 390 });
  assert.equal(store.layout.view.width, 390);
  assert.ok(store.layout.above > 0);
});

test("a lesson gives most of the width to the plot of the selected decision node, and to the tree without one", () => {
  const store = withPath();
  store.set({ inLesson: true, pictureWidth: 1300, pictureHeight: 800 });
  const { origin, n } = store.tree;
  const nodes = Array.from({ length: n }, (_, i) => i);
  const [decision, leaf] = [false, true].map((is) => nodes.find((node) => store.tree.isLeaf(node) === is));
  assert.deepEqual([store.plottedNode, store.layout.plane.side, store.layout.view.width], [null, 0, 1300]);
  store.set({ node: origin[leaf] });
  assert.equal(store.plottedNode, null);
  store.set({ node: origin[decision] });
  const { plane, view, isStacked } = store.layout;
  assert.equal(store.plottedNode, decision);
  assert.ok(plane.side >= 760 && plane.room === 800 && plane.ticks > 0 && !isStacked);
  assert.deepEqual([view.left, view.width], [plane.side, 1300 - plane.side]);
  store.set({ pictureWidth: 356, pictureHeight: 450 });
  assert.ok(store.layout.isStacked && store.layout.plane.side === 356);
  assert.equal(store.layout.view.top, store.layout.plane.room);
  store.set({ inLesson: false });
  assert.equal(store.plottedNode, null);
});

test("of a path that grows the visitor has the last word, until the page speaks again", () => {
  const path = twoTrees();
  const page = { whole: "path", tree: 0, node: null, turn: 0 };
  const store = new Store();
  /** @param {object} initial the selection that the page sends while the next trees unpack */
  const comes = (initial) => {
    store.set(openState(store.state, twoTrees(), { ...page, ...initial }, false));
    return [store.state.k, store.state.node];
  };
  store.set({ path });
  assert.deepEqual(comes({}), [0, null]);
  assert.deepEqual(comes({ tree: 1 }), [1, null]); // without a move of the visitor, the page's selection applies
  store.set({ k: 0, node: 2 });
  assert.deepEqual(comes({ tree: 1 }), [0, 2]); // moved while it unpacked, which the page does not know
  store.set({ k: 1 });
  assert.deepEqual(comes({ tree: 0 }), [1, 2]);
  store.set({ k: 0 });
  assert.deepEqual(comes({ tree: 1, node: 1, turn: 1 }), [1, 1]); // Back, or a link
  store.set({ k: 0 });
  assert.deepEqual(comes({ tree: 1, whole: "another", turn: 1 }), [1, 1]); // another path of the same data
  store.set({ k: 0 });
  assert.deepEqual(comes({ tree: 1, whole: null }), [1, 1]);
});

test("playing stops at the simplest good tree, else the best one, else the last one", () => {
  const store = withPath();
  const end = (recommended) => {
    store.set({ path: { ...twoTrees(), recommended } });
    return store.restingTree;
  };
  assert.equal(end({}), 1);
  assert.equal(end({ one_se: 1, min: 0 }), 1);
  assert.equal(end({ one_se: 0 }), 1); // the first tree has nothing before it to play
});

test("few parts are shown of a path only, and the inspector is closed then", () => {
  const store = withPath();
  store.set({ isNarrow: false });
  assert.equal(store.state.panel, true);
  store.set({ simple: true });
  assert.deepEqual([store.isSimple, store.state.panel], [true, false]);
  store.set({ panel: true });
  assert.deepEqual([store.isSimple, store.state.panel], [true, true]);
  store.set({ table: true });
  assert.equal(store.isSimple, false);
  store.set({ table: false, compact: true });
  assert.equal(store.isSimple, false);
});

/** Return a complete tree with this many levels. @param {number} levels @returns {any} */
function completeTree(levels) {
  const n = 2 ** levels - 1;
  const all = Array.from({ length: n }, (_, i) => i);
  return {
    ...{ n, origin: all, nodeOf: new Map(all.map((i) => [i, i])) },
    depth: all.map((i) => Math.floor(Math.log2(i + 1))),
    figures: () => ({ n: all.map(() => 1) }),
    isLeaf: (/** @type {number} */ i) => 2 * i + 1 >= n,
    children: (/** @type {number} */ i) => (2 * i + 1 >= n ? [] : [2 * i + 1, 2 * i + 2]),
  };
}

test("levels with more nodes than there is room for are folded, and count what is below", () => {
  const tree = completeTree(5);
  const seen = (/** @type {any[]} */ ...[focus, collapsed, open, widest]) =>
    visibleNodes(tree, focus, collapsed, 0, 0, Infinity, open, widest);
  const none = new Set();
  assert.equal(seen(null, none, null, 16).hidden, 0);
  const folded = seen(null, none, null, 15);
  assert.equal(folded.nodes.length, 15);
  assert.deepEqual([...folded.folded.values()], Array(8).fill(2));
  const narrow = seen(null, none, null, 2); // three levels stay
  assert.deepEqual([narrow.nodes.length, narrow.hidden, [...narrow.folded.values()]], [7, 24, Array(4).fill(6)]);
  assert.equal(seen(1, none, null, 8).hidden, 0); // the subtree has more room
  const way = seen(null, none, new Set([0, 1, 3, 7, 15]), 2); // the nodes of a decision path stay visible
  assert.ok([3, 7, 15].every((node) => way.kept.has(node)) && !way.folded.has(3));
  assert.deepEqual([...seen(null, new Set([1]), null, 16).folded], [[1, 14]]); // a collapsed branch
});

test("the root ends below the headline, so that none of its edges crosses the text", () => {
  const places = {
    ...{ largest: 280, wide: 0.92, leastWide: 3, level: 40, root: 5, tallest: 1.3, gap: 16, gapShare: 0.15 },
    ...{ roomy: 26, close: 12, leastHigh: 5, leaf: 0.75, leastLeaf: 16, mostLeaf: 50, leafLong: 3.4 },
    ...{ longestLeaf: 132, leafImage: 0.75, flat: 1.3, long: 1.75 },
  };
  const words = { kept: 20.4, free: 14.4, each: 16.8, line: 15.6, least: 40, clear: 4 };
  for (const [imageShape, kinds, below] of [
    [[8, 8], [5, 2], 0],
    [null, [11, 4], words.kept],
  ]) {
    const path = /** @type {any} */ ({ imageShape, looks: { places, words } });
    const shape = completeTree(5);
    const tree = { ...shape, path, kind: Array.from({ length: 31 }, (_, i) => kinds[Number(shape.isLeaf(i))]) };
    const visible = visibleNodes(tree, null, new Set(), 0, 0, Infinity, null, Infinity);
    const rootOf = (/** @type {Covered | null} */ corners) =>
      placesOf(path, tree, visible, {
        frame: null,
        width: 836,
        height: 420,
        type: 1,
        words: null,
        fills: true,
        corners,
      }).places;
    for (const height of [60, 100, 140]) {
      const found = rootOf({ left: 380, right: 240, height });
      const [root, child] = [found.get(0), found.get(1)];
      assert.ok(root.y + root.h / 2 + below >= height - 1e-9, `${root.y + root.h / 2} < ${height}`);
      assert.ok(root.y + root.h / 2 + below < child.y - child.h / 2);
      assert.ok(root.x - root.w / 2 >= 380 && root.x + root.w / 2 <= 836 - 240);
    }
  }
});
