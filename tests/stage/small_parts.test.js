// Test parts of the model that need no tree: polygons, nearest trees, offsets, histories, painted points.

import assert from "node:assert/strict";
import { test } from "node:test";

import { highestError, labelPlaces, ticksUpTo } from "../../viz/stage/draw/curves.js";
import { counted } from "../../viz/stage/model/number_text.js";
import { rowCalled } from "../../viz/stage/model/followed_row.js";
import { keepWhenScrolled } from "../../viz/stage/elements/dom.js";
import { placeOf as fallingAt } from "../../viz/stage/lesson/falling.js";
import { endsOf, piecesOf, shareOf } from "../../viz/stage/lesson/figure.js";
import { aroundAll, meanOf } from "../../viz/stage/lesson/draws.js";
import { cellsOf, voteOf } from "../../viz/stage/lesson/forest.js";
import { guessText, placeOf, verdictOf } from "../../viz/stage/lesson/guess.js";
import { interval, placesOf, sceneOf } from "../../viz/stage/lesson/knobs.js";
import { area, cutPolygon, rectangle } from "../../viz/stage/geometry/regions.js";
import { bestOffset } from "../../viz/stage/model/edit_changes.js";
import { EditHistory } from "../../viz/stage/edit/editor.js";
import {
  cut,
  editedNodes,
  grow,
  lastId,
  lock,
  nodeOf,
  relabel,
  resplit,
} from "../../viz/stage/model/edit_operations.js";
import { nearest } from "../../viz/stage/host/linked.js";
import { largestWithin } from "../../viz/stage/host/transport.js";
import { errorAtSize, leavesForError } from "../../viz/stage/model/comparison.js";
import { wilson } from "../../viz/stage/panels/headline.js";
import { quotedEnd } from "../../viz/stage/model/target.js";
import { inThousands } from "../../viz/stage/model/number_text.js";
import { monotoneText, withMarks } from "../../viz/stage/model/condition.js";
import { lowestMeasures, measuresOf } from "../../viz/stage/lesson/split_measures.js";
import { MOST_POINTS, PaintedPoints } from "../../viz/stage/geometry/painted_points.js";

test("a name that ends with a mark is in quotes", () => {
  // tests/viz/words/test_tree_sentence.py tests the same for Python.
  assert.equal(quotedEnd("price"), "price");
  assert.equal(quotedEnd("Is it late?"), "'Is it late?'");
  assert.equal(quotedEnd("wow!"), "'wow!'");
});

test("the scale of a chart contains 0 and all values, also if they are equal or missing", () => {
  const scales = [[2, 4], [0, null], [null], [-5, -5], [-3, 2]].map(endsOf);
  const expected = [
    [0, 4.2],
    [0, 1],
    [0, 1],
    [-5, 0],
    [-3, 2.1],
  ];
  assert.deepEqual(scales, expected);
  assert.ok([0, 5, -5].every((value) => Number.isFinite(shareOf(value, endsOf([value, value])))));
  assert.equal(shareOf(3, [3, 3]), 0.5); // a chart with one place
});

test("a typed size shows the largest tree that is small enough", () => {
  const sizes = [20, 11, 7, 2];
  assert.deepEqual([30, 20, 12, 10.5, 7, 3, 2, 1, -4].map((leaves) => largestWithin(sizes, leaves, 0, 3)), [0, 0, 1, 2, 2, 3, 3, 3, 3]); // prettier-ignore
  assert.deepEqual(
    [30, 9, 1].map((leaves) => largestWithin(sizes, leaves, 1, 2)),
    [1, 2, 2],
  );
});

test("another method is compared at the same size and at the same error", () => {
  const errors = [0.5, 0.2, 0.25, 0.1];
  const cart = { method: "CART", leaves: 3, errors: { test: 0.2 }, sizes: errors.map((test, i) => ({ leaves: 2 * i + 1, errors: { test } })) }; // prettier-ignore
  assert.deepEqual([1, 2, 3, 6, 7, 90].map((leaves) => errorAtSize(cart, leaves, "test")), [0.5, 0.5, 0.2, 0.25, 0.1, 0.1]); // prettier-ignore
  assert.deepEqual([0.6, 0.5, 0.3, 0.2, 0.15, 0.1, 0.09].map((error) => leavesForError(cart, error, "test")), [1, 1, 3, 3, 7, 7, null]); // prettier-ignore
  const plain = { ...cart, sizes: undefined };
  assert.deepEqual([errorAtSize(plain, 3, "test"), leavesForError(plain, 0.5, "test")], [null, null]);
  assert.equal(errorAtSize(cart, 3, "validation"), null);
});

test("a missing value is a gap in the line of a chart", () => {
  assert.deepEqual(piecesOf([1, null, 0, 2, null]), [
    [[0, 1]],
    [
      [2, 0],
      [3, 2],
    ],
  ]);
  assert.deepEqual(piecesOf([null, null]), []);
});

test("a cut through a corner or beside the polygon leaves it whole", () => {
  const square = rectangle([0, 0], [1, 1]);
  const parts = (direction, offset) => {
    const { yes, no, cut } = cutPolygon(square, direction, offset);
    return [area(yes), area(no), cut.length];
  };
  assert.deepEqual(parts([1, 0], -0.25), [0.75, 0.25, 2]);
  assert.deepEqual(parts([1, 0], 1), [1, 0, 0]);
  assert.deepEqual(parts([1, 0], -2), [0, 1, 0]);
  assert.deepEqual(parts([0, 0], 1), [1, 0, 0]);
  assert.deepEqual(parts([-1, -1], 0).slice(0, 2), [0, 1]);
  assert.deepEqual(parts([1, -1], 0).slice(0, 2), [0.5, 0.5]);
});

test("an interval is that of Wilson, and knobs stand for scenes, the last one turning first", () => {
  for (const [k, n, low, high] of [
    [26, 150, 0.12112, 0.24186],
    [11, 60, 0.10558, 0.2992],
    [0, 150, 0, 0.02497],
  ])
    interval(k, n).forEach((share, i) => assert.ok(Math.abs(share - [low, high][i]) < 1e-5));
  const knobs = [4, 3].map((size) => ({ name: "", values: Array(size).fill("") }));
  assert.deepEqual(placesOf(knobs, 10), [3, 1]);
  for (let scene = 0; scene < 12; scene++) assert.equal(sceneOf(knobs, placesOf(knobs, scene)), scene);
});

test("a plane is read from above row by row, and of voices that are as many the first group wins", () => {
  const tree = {
    ...{ n: 3, left: [1, -1, -1], right: [2, -1, -1], label: [0, 0, 1] },
    isLeaf: (node) => node > 0,
    split: () => ({ features: [1], weights: [1], bias: -0.5 }),
  };
  assert.deepEqual([...cellsOf(tree, { low: [0, 0], high: [1, 1] }, 2)], [1, 1, 0, 0]); // 0.5 and above goes right
  assert.deepEqual(
    [
      ...voteOf(
        [
          [0, 2, 1],
          [1, 2, 2],
          [1, 0, 0],
        ],
        3,
      ),
    ],
    [1, 2, 0],
  );
});

test("the mean of draws is taken cell by cell, on limits that contain all draws", () => {
  assert.deepEqual([...meanOf([[0, 4, 1], [1, 2, 1]])], [0.5, 3, 1]); // prettier-ignore
  const [a, b] = [[-1, 0], [1, 3]].map(([low, high]) => ({ low: [low, 0], high: [high, 1], first: [low, 0], last: [high, 1] })); // prettier-ignore
  assert.deepEqual(aroundAll([a, b]), { low: [-1, 0], high: [3, 1], first: [-1, 0], last: [3, 1] });
});

test("a point falls from its place to the foot of the node and down the edge", () => {
  const at = (share) => fallingAt([3, 2], [10, 20], [40, 90], 0.5, share).map((value) => Math.round(value));
  assert.deepEqual(
    [at(0), at(0.3), at(0.65), at(1)],
    [
      [3, 2],
      [10, 20],
      [25, 55],
      [40, 90],
    ],
  );
});

test("of trees that are equally near the smaller one is taken, then the later one", () => {
  const index = (sizes, size) => {
    const trees = sizes.map((n) => ({ size: n, error: 1 / n, weights: 3 * n }));
    return nearest(trees, { size }, "size");
  };
  assert.equal(index([9, 5, 3], 7), 1);
  assert.equal(index([9, 5, 5], 5), 2);
  assert.equal(index([4], 99), 0);
  assert.equal(index([8, 8, 2], 5), 2);
  assert.equal(index([3, 2, 1], 0), 2);
});

test("an offset moves only where that mends something", () => {
  const shift = (wrong) => bestOffset([0, 1, 2, 3], [1, 2, 3, 4], () => wrong);
  assert.equal(shift([1, 0]), 0);
  assert.ok(shift([0, 1]) > 3);
});

const LEAF = { left: null, right: null, features: [], weights: [], bias: 0, missing_right: false, locked: false };
const DOCUMENT = {
  nodes: [
    { ...LEAF, id: 0, left: 1, right: 2, features: [3], weights: [1], bias: -2, label: 0 },
    { ...LEAF, id: 1, label: 0 },
    { ...LEAF, id: 2, left: 5, right: 6, features: [1, 4], weights: [1, -1], bias: 0, label: 1 },
    { ...LEAF, id: 5, label: 1 },
    { ...LEAF, id: 6, label: 0 },
  ],
};

test("edits make new documents and leave the old one as it was", () => {
  const before = structuredClone(DOCUMENT);
  const split = { features: [4, 2, 0], weights: [1, 2, 0], bias: 0.5 };
  const grown = grow(DOCUMENT, 1, split, [1, 0], lastId(DOCUMENT));
  assert.deepEqual(nodeOf(grown, 1).features, [2, 4]); // ascending, without the weight of 0
  assert.deepEqual(nodeOf(grown, 1).weights, [2, 1]);
  assert.deepEqual(
    [7, 8].map((id) => nodeOf(grown, id).label),
    [1, 0],
  );
  assert.deepEqual(
    cut(DOCUMENT, 2, 1).nodes.map((node) => node.id),
    [0, 1, 2],
  );
  assert.deepEqual([...editedNodes(relabel(grown, 5, 0), DOCUMENT)].sort(), [1, 5, 7, 8]);
  assert.deepEqual([...editedNodes(resplit(DOCUMENT, 0, { features: [3], weights: [1], bias: -1 }), DOCUMENT)], [0]);
  assert.equal(editedNodes(lock(DOCUMENT, new Set([2]), true), DOCUMENT).size, 0);
  assert.deepEqual(DOCUMENT, before);
});

test("an edit after an undo forgets what was undone", () => {
  const history = new EditHistory("first");
  history.push("a");
  history.push("b");
  assert.equal(history.undo(), "b");
  assert.equal(history.redo(), "b");
  history.undo();
  history.push("c");
  assert.deepEqual(history.entries, ["first", "a", "c"]);
  assert.ok(history.canUndo && !history.canRedo);
});

test("painted points survive their text, stay in the plane and end at the limit", () => {
  const painted = new PaintedPoints();
  painted.begin();
  for (const point of [
    [0, 1023, 7],
    [511.6, -3, 0],
    [2000, 4, 2],
  ])
    assert.ok(painted.add(...point));
  assert.deepEqual(painted.points, [
    [0, 1023, 7],
    [512, 0, 0],
    [1023, 4, 2],
  ]);
  assert.deepEqual(new PaintedPoints(painted.text).points, painted.points);
  assert.deepEqual(new PaintedPoints(`${painted.text}!!!!ab`).points, painted.points);
  assert.equal(painted.erase(512, 0, 1), 1);
  assert.ok(painted.undo() && painted.n === 0 && !painted.undo());
  for (let i = 0; i < MOST_POINTS; i++) painted.add(i % 1000, 1, 0);
  assert.ok(painted.isFull && !painted.add(1, 1, 1));
});

test("a guess and the truth stand on one scale, and words say how near they are", () => {
  const guess = { low: 50, high: 100, step: 0.5, digits: 1, unit: "%", choices: [] };
  assert.equal(placeOf(guess, 75), 50);
  assert.equal(placeOf(guess, 500), 100);
  const numbers = (guessed) => verdictOf(guess, 88.3, guessed).match(/[\d.]+\u00a0%/g);
  const [own, near, truth] = [60, 89, 88.3].map((value) => guessText(guess, value));
  assert.deepEqual([60, 89, 88.3, null].map(numbers), [[own, truth], [near, truth], [truth], [truth]]);
  assert.deepEqual(
    [60, 89].map((value) => verdictOf(guess, 88.3, value).includes("close")),
    [false, true],
  );
  const choice = { ...guess, choices: ["smaller", "larger"] };
  const named = (guessed) => verdictOf(choice, 1, guessed).match(/'.*?'/g);
  assert.deepEqual([0, 1].map(named), [["'smaller'", "'larger'"], ["'larger'"]]);
});

test("a slider that a finger only scrolled over shows what it showed", () => {
  const slider = Object.assign(new EventTarget(), { type: "range", value: "3" });
  const told = [];
  slider.addEventListener("input", () => told.push(slider.value));
  keepWhenScrolled(slider);
  const touch = (last) => {
    slider.dispatchEvent(new Event("pointerdown"));
    slider.value = "7"; // the browser follows the finger
    slider.dispatchEvent(new Event(last));
  };
  touch("pointercancel");
  assert.deepEqual([slider.value, told], ["3", ["3"]]);
  touch("pointerup");
  assert.deepEqual([slider.value, told], ["7", ["3"]]);
});

test("a row is found by its number in the file or by its name", () => {
  const path = { sample: { numbers: [2, 7, 9], names: ["ann", "bob", "9"] } };
  assert.deepEqual(
    ["7", " bob ", "9", "8", ""].map((text) => rowCalled(path, [1, 2], text)),
    [1, 1, 2, undefined, undefined],
  );
  assert.equal(rowCalled({ sample: { numbers: [5] } }, [0], "5"), 0);
});

test("the axis of errors holds the cross-validated band down from the simplest good tree", () => {
  const errors = [0.02, 0.02, 0.03, 0.6];
  const recommended = { min: 0, one_se: 2 };
  const path = { sets: [{}], trees: [], recommended, target: { measure: { least: 0.01 } } };
  path.trees = errors.map((error) => ({ path, sizes: () => ({ error }) }));
  const choice = { errors: [0.1, 0.12, 0.11, 0.7], spreads: [0.02, 0.03, 0.02, 0.02] };
  const cell = { first: 0, last: 3 };
  assert.ok(highestError(path, cell, recommended) < 0.1);
  const top = highestError(path, cell, recommended, choice);
  assert.ok(top >= 0.15 && top < 0.3);
  const higher = { errors: [0.03, 0.2, 0.25, 0.7], spreads: [0, 0, 0, 0] };
  assert.ok(highestError(path, cell, { min: 0, one_se: 0 }, higher) >= 0.2); // most of them are visible
});

test("an axis of shares of errors ends at 100 % at most", () => {
  const path = { sets: [{}], trees: [], recommended: {}, target: { measure: { least: 0.01, most: 1 } } };
  path.trees = [0.9, 0.95, 1].map((error) => ({ path, sizes: () => ({ error }) }));
  assert.equal(highestError(path), 1);
  path.target.measure.most = null; // regression errors have no upper limit
  assert.ok(highestError(path) > 1);
});

test("nouns are counted", () => {
  const texts = [
    counted(1, "leaf"),
    counted(2, "leaf"),
    counted(1200, "row"),
    counted(1, "class"),
    counted(2, "class"),
  ];
  assert.deepEqual(texts, ["1 leaf", "2 leaves", "1,200 rows", "1 class", "2 classes"]);
});

test("a threshold is measured on both of its sides, and the lowest of each measure is found", () => {
  const values = [0, 1, 2, 3],
    classes = [0, 0, 1, 0];
  const round = ({ errors, gini, entropy }) => [errors, gini, entropy].map((value) => Number(value.toFixed(4)));
  const at = (threshold) => round(measuresOf(values, classes, 2, threshold));
  assert.deepEqual(at(1.5), [1, 0.25, 0.5]);
  assert.deepEqual(at(-1), [1, 0.375, 0.8113]);
  assert.deepEqual(round(lowestMeasures(values, classes, 2)), [1, 0.25, 0.5]);
});

test("a number without room is told in thousands, and a short one not at all", () => {
  const told = [171_600, -48_250, 9_999, 999_600, 2_345_678, 3e9, 2e15, 10_000].map(inThousands);
  assert.deepEqual(told, ["172k", "−48.3k", null, "1M", "2.35M", "3000M", null, "10k"]);
});

test("an interval of a share holds the share, and stays between 0 and 1", () => {
  // 25 of 359: 0.0476 to 0.1008, evaluated from the formula in Python
  const [low, high] = wilson(25 / 359, 359);
  assert.ok(Math.abs(low - 0.0476) < 5e-4 && Math.abs(high - 0.1008) < 5e-4, `${low} ${high}`);
  assert.deepEqual(wilson(0, 0), [0, 1]);
  for (const share of [0, 1]) {
    const [least, most] = wilson(share, 30);
    assert.ok(least >= 0 && most <= 1 && least <= share && most >= share && least < most);
  }
});

test("ticks are zero and round values that cover the range up to the top", () => {
  assert.deepEqual(ticksUpTo(0.21, 2), [0, 0.1, 0.2]);
  assert.deepEqual(ticksUpTo(130, 2), [0, 50, 100]);
  assert.deepEqual(
    ticksUpTo(0.1968, 3).map((v) => v.toFixed(2)),
    ["0.00", "0.05", "0.10", "0.15"],
  );
  for (const top of [0.01, 0.066, 0.5, 1, 7, 99, 1234])
    for (const most of [1, 2, 3, 6]) {
      const ticks = ticksUpTo(top, most);
      assert.ok(ticks.length >= 2 && ticks.length <= most + 1, `${top} ${most}: ${ticks}`);
      const last = ticks[ticks.length - 1];
      assert.ok(last <= top && last + ticks[1] > top, `${top} ${most}: ${ticks}`);
    }
});

test("the names of recommended trees do not overlap, and a name without room is left out", () => {
  const range = /** @type {[number, number]} */ ([46, 300]);
  const title = /** @type {[number, number]} */ ([46, 104]);
  const [simple, best] = [
    { x: 165, width: 80 },
    { x: 155, width: 28 },
  ];
  assert.deepEqual(labelPlaces([simple, best], [title], range, 5), [170, 122]);
  const [right] = labelPlaces([{ x: 280, width: 80 }], [title], range, 5);
  assert.equal(right, 195); // no room on the right
  assert.deepEqual(labelPlaces([simple, { x: 110, width: 70 }], [title], range, 5), [170, null]);
});

test("constrained features have a mark in the condition, and a sentence", () => {
  const split = (...features) => ({ features, weights: features.map(() => 1), bias: 0 });
  const treeOf = (edges, ...features) => ({
    path: {
      monotone: [1, -1, 0],
      features: ["age", "price", "size"],
      target: { edges, groups: ["yes", "no"] },
    },
    split: () => split(...features),
  });
  assert.equal(withMarks(treeOf(null, 0), 0, "age ≥ 4"), "age ≥ 4\u00a0↑");
  assert.equal(withMarks(treeOf(null, 2), 0, "size ≥ 4"), "size ≥ 4");
  assert.equal(withMarks(treeOf(null, 1, 2), 0, "sum ≥ 4"), "sum ≥ 4 (price\u00a0↓)");
  assert.equal(monotoneText(treeOf(null, 2), 0), null);
  assert.equal(
    monotoneText(treeOf(null, 0), 0),
    "↑ Monotone: the prediction never changes from yes to no as age rises.",
  );
  assert.equal(monotoneText(treeOf([1], 1), 0), "↓ Monotone: the prediction never rises as price rises.");
  const free = treeOf(null, 0);
  free.path.monotone = null;
  assert.equal(withMarks(free, 0, "age ≥ 4"), "age ≥ 4");
});
