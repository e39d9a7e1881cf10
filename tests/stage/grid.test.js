// Test trees of every λ and C: their positions, and which ones the slider of λ visits.

import assert from "node:assert/strict";
import { test } from "node:test";

import { cellFacts, cellOf, colorAt, indexAt, placeText } from "../../viz/stage/model/grid.js";
import { frozen } from "../../viz/stage/model/remembered.js";
import { Store } from "../../viz/stage/model/store.js";
import { Target } from "../../viz/stage/model/target.js";
import { StageTree } from "../../viz/stage/model/tree.js";

/** Return the first `count` trees of a grid of 4 λ and 3 C. A tree has the split x >= index and the rows 0 .. 5. */
function gridOf(count) {
  const path = {
    ...{ name: "line", features: ["x"], categories: {}, columns: [0], nFeatures: 1, edit: null, recording: null },
    target: new Target({
      ...{ groups: ["a", "b"], colors: [], edges: null, loss: "unequal", tolerance: 0 },
      error: { scale: 100, digits: 1, unit: "%", least: 0.01 },
    }),
    sets: [{ name: "train", n: 6 }],
    lams: Float64Array.from({ length: count }, (_, k) => 2 ** (k % 4)),
    sample: { n: 6, rows: [0, 1, 2, 3, 4, 5], set: new Uint8Array(6), y: [0, 0, 1, 1, 1, 1], X: [0, 1, 2, 3, 4, 5] },
    grid: { costs: [1, 1.25, 5], nLams: 4 },
  };
  const shared = { missingRight: null, leafCounts: null, leafLosses: null, value: [0, 0, 1], label: [0, 0, 1] };
  path.trees = Array.from(
    { length: count },
    (_, k) =>
      new StageTree(path, k, {
        ...{ ...shared, left: [1, -1, -1], right: [2, -1, -1], origin: [0, 1, 2] },
        ...{ bias: [-k, 0, 0], start: [0, 1, 1, 1], feature: [0], weight: [1] },
      }),
  );
  return frozen(path);
}

test("a tree has a row of C and a column of lambda; a path is one row", () => {
  const grid = gridOf(12);
  assert.deepEqual(cellOf(grid, 6), { row: 1, column: 2, first: 4, last: 7 });
  assert.deepEqual(cellOf(gridOf(7), 6), { row: 1, column: 2, first: 4, last: 6 });
  assert.deepEqual(cellOf({ trees: [1, 2, 3], grid: null }, 2), { row: 0, column: 2, first: 0, last: 2 });
  for (let k = 0; k < 12; k++) {
    const { row, column } = cellOf(grid, k);
    assert.equal(indexAt(grid, row, column), k);
  }
  assert.equal(placeText(grid, 6), "λ = 4, C = 1.25");
  assert.equal(placeText({ ...grid, grid: null }, 6), "λ = 4");
});

test("where there is no tree the nearest one is taken", () => {
  assert.equal(indexAt(gridOf(12), 9, 2), 10);
  assert.equal(indexAt(gridOf(12), -1, 9), 3);
  assert.equal(indexAt(gridOf(7), 1, 3), 6);
  assert.equal(indexAt(gridOf(7), 2, 0), 4);
});

test("another C keeps lambda, the selected node, the selected rows and the pinned tree", () => {
  const store = new Store();
  store.set({ path: gridOf(12), k: 1, node: 2, pinned: 1 });
  const { path, trees } = store;
  assert.deepEqual(trees.map((tree) => tree.index), [0, 1, 2, 3]); // prettier-ignore
  store.set({ k: indexAt(store.path, 2, store.cell.column) });
  assert.equal(store.path, path); // nothing is loaded
  assert.equal(store.tree.index, 9);
  assert.deepEqual(store.trees.map((tree) => tree.index), [8, 9, 10, 11]); // prettier-ignore
  assert.equal(store.state.node, 2);
  assert.equal(store.pinned.index, 1);
  store.set({ k: 10 });
  assert.equal(store.trees, store.trees); // made once per C
});

test("a cell says its errors and its size", () => {
  const [errors, size] = cellFacts(gridOf(12), 2);
  assert.equal(errors, "training 0.0 %");
  assert.deepEqual(size.match(/\d+/g), ["1", "0", "1"]); // decision nodes, bivariate nodes, depth
  assert.equal(cellFacts(gridOf(12), 5)[0], "training 50.0 %");
});

test("colours between the stops are mixed", () => {
  const stops = ["#000000", "#ffffff", "#ff0000"];
  assert.equal(colorAt(stops, 0), "rgb(0,0,0)");
  assert.equal(colorAt(stops, 0.25), "rgb(128,128,128)");
  assert.equal(colorAt(stops, 0.5), "rgb(255,255,255)");
  assert.equal(colorAt(stops, 1), "rgb(255,0,0)");
  assert.equal(colorAt(stops, 7), "rgb(255,0,0)");
});
