// Test plane geometry: cameras, polygons, shapes drawn with the pointer, turning lines.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Camera } from "../../viz/stage/geometry/camera.js";
import { frameInMap, mapOf } from "../../viz/stage/draw/minimap.js";
import { area, cutPolygon, rectangle } from "../../viz/stage/geometry/regions.js";
import { boxOf, holds, span } from "../../viz/stage/geometry/shapes.js";
import { biasOfMove, clamp, lineOf, splitThrough, turned } from "../../viz/stage/geometry/split_geometry.js";
import { SplitMotion, motionTime } from "../../viz/stage/geometry/split_motion.js";
import { tidy } from "../../viz/stage/geometry/places.js";

const FRAME = {
  low: [0, -1],
  high: [4, 1],
  area: { left: 10, top: 20, w: 200, h: 100 },
  px: (value) => 10 + (value / 4) * 200,
  py: (value) => 20 + ((1 - value) / 2) * 100,
};

test("a camera holds the point that it zooms at and never loses the picture", () => {
  const camera = new Camera();
  const before = camera.point(30, 40);
  camera.zoomAt(30, 40, 3, 400, 300);
  assert.deepEqual(camera.point(30, 40), before);
  camera.pan(9999, -9999, 400, 300);
  const [left] = camera.point(0, 0);
  const [, bottom] = camera.point(0, 300);
  assert.ok(left <= 400 - 80 && bottom >= 80 - 1e-9);
  camera.frame({ left: 10, top: 10, right: 20, bottom: 20 }, 4, 400, 300);
  assert.deepEqual(camera.point(15, 15), [200, 150]);
});

test("a camera keeps the nearest node in view", () => {
  const camera = new Camera();
  camera.nodes = [
    { x: 50, y: 40, w: 40, h: 30 },
    { x: 350, y: 260, w: 40, h: 30 },
  ];
  const inView = () =>
    camera.nodes.filter(({ x, y, w, h }) => {
      const [left, top] = camera.point(x - w / 2, y - h / 2);
      const [right, bottom] = camera.point(x + w / 2, y + h / 2);
      return right >= 48 && bottom >= 48 && left <= 400 - 48 && top <= 300 - 48;
    });
  camera.zoomAt(160, 110, 20, 400, 300); // a gap, nearer to the first node
  assert.deepEqual(inView(), [camera.nodes[0]]);
  const { zoom } = camera;
  for (let step = 0; step < 40; step++) {
    camera.pan(-90, -70, 400, 300);
    assert.equal(inView().length, 1);
    assert.equal(camera.zoom, zoom);
  }
  assert.deepEqual(inView(), [camera.nodes[0]]); // Small steps stop at the edge of the node.
  camera.centre(330, 200, zoom, 400, 300);
  assert.deepEqual(inView(), [camera.nodes[1]]);
  camera.fit();
  assert.ok(camera.holds(camera.nodes, 400, 300));
  camera.pan(-60, 0, 400, 300);
  assert.ok(!camera.holds(camera.nodes, 400, 300));
});

/** @param {number} a @param {number} b */
const near = (a, b) => assert.ok(Math.abs(a - b) < 1e-9, `${a} is not ${b}`);

test("the frame on the map is the part in view", () => {
  const camera = new Camera();
  const map = mapOf(800, 500);
  assert.ok(map.w <= 200 && Math.abs(map.w / map.h - 800 / 500) < 1e-9);
  assert.deepEqual(frameInMap(map, camera, 800, 500), { left: 0, top: 0, w: map.w, h: map.h });
  camera.centre(600, 100, 4, 800, 500);
  const { left, top, w, h } = frameInMap(map, camera, 800, 500);
  near(left + w / 2, 600 * map.scale);
  near(top + h / 2, 100 * map.scale);
  near(w, map.w / 4);
  camera.pan(9999, 0, 800, 500);
  const edge = frameInMap(map, camera, 800, 500);
  assert.ok(edge.left === 0 && edge.w > 0 && edge.w < w);
});

test("both parts of a cut polygon make up the whole", () => {
  const box = rectangle([0, 0], [2, 1]);
  for (const [direction, offset] of [
    [[1, 0], -0.5],
    [[1, 1], -1.2],
    [[-2, 0.3], 1],
  ]) {
    const { yes, no, cut } = cutPolygon(box, direction, offset);
    assert.equal(cut.length, 2);
    assert.ok(Math.abs(area(yes) + area(no) - 2) < 1e-12);
    for (const [x, y] of cut) assert.ok(Math.abs(direction[0] * x + direction[1] * y + offset) < 1e-12);
  }
  assert.deepEqual(cutPolygon(box, [0, 0], -1), { yes: [], no: box, cut: [] });
});

test("a shape holds what is inside, whichever way it was drawn", () => {
  const corners = boxOf([5, 1], [2, 7]);
  assert.deepEqual(corners, [
    [2, 1],
    [5, 1],
    [5, 7],
    [2, 7],
  ]);
  assert.deepEqual(span(corners), [2, 5]);
  for (const shape of [corners, corners.toReversed()]) {
    assert.ok(holds(shape, 3, 3));
    assert.ok(!holds(shape, 1, 3));
  }
  const crossed = [
    [0, 0],
    [4, 4],
    [4, 0],
    [0, 4],
  ];
  assert.ok(holds(crossed, 3.5, 2) && !holds(crossed, 2, 3.5));
});

test("a line on the screen is the split of the data, moved, turned and drawn anew", () => {
  const direction = [1, -2];
  const line = lineOf(FRAME, direction, -1, []);
  for (const [x, y] of [
    [0, 0],
    [3, 0.5],
    [1, -1],
  ]) {
    const margin = direction[0] * x + direction[1] * y - 1;
    const { normal, offset } = line;
    assert.ok(Math.abs(normal[0] * FRAME.px(x) + normal[1] * FRAME.py(y) + offset - margin) < 1e-9);
  }
  const moved = { direction, bias: -1 + biasOfMove(line, [50, 0]) };
  assert.ok(Math.abs(moved.bias - -2) < 1e-9); // 50 pixels are 1 unit of the first feature
  const same = splitThrough(FRAME, line.normal, line.anchor);
  assert.ok(Math.abs(same.bias / same.direction[0] - -1) < 1e-9);
  const half = turned(FRAME, line, line.anchor, Math.PI);
  assert.ok(Math.abs(half.direction[0] + 1) < 1e-9 && Math.abs(half.bias - 1) < 1e-9);
  const [x, y] = lineOf(FRAME, [1, 0], -100, []).anchor; // far to the right of the plot
  assert.deepEqual([x, y], [210, 70]);
  assert.deepEqual(clamp(FRAME.area, [0, 500]), [10, 120]);
});

test("motions fit between two steps, or there is none", () => {
  assert.equal(motionTime(100), 0);
  assert.equal(motionTime(10_000), 480);
  assert.ok(motionTime(400) < 400);
});

test("neighbours keep a slot between them and parents stand over the middle of their children", () => {
  const children = [[1, 2], [3, 4], [], [], [5, 6], [], []];
  const { x, nSlots } = tidy(0, (node) => children[node]);
  assert.deepEqual([...x.keys()].sort(), [0, 1, 2, 3, 4, 5, 6]);
  children.forEach(([left, right], node) => {
    if (left !== undefined) assert.equal(x.get(node), (x.get(left) + x.get(right)) / 2);
  });
  for (const level of [
    [1, 2],
    [3, 4],
    [5, 6],
  ])
    assert.ok(x.get(level[1]) - x.get(level[0]) >= 1);
  assert.equal(Math.min(...x.values()), 0.5);
  assert.equal(Math.max(...x.values()) + 0.5, nSlots);
});

test("a line that is new comes in over the edge, what the leaf said going last", () => {
  const split = { features: [0], weights: [1], bias: -1 };
  const shape = { nodeOf: new Map([[7, 0]]), once: (_, make) => make() };
  const leaf = { ...shape, n: 1, left: [-1], right: [-1], label: [1], isLeaf: () => true, split: () => null };
  for (const [label, all] of [
    [[1, 0, 1], "yes"],
    [[0, 1, 0], "no"],
  ]) {
    const isLeaf = (node) => node > 0;
    const stump = { ...shape, n: 3, left: [1, -1, -1], right: [2, -1, -1], origin: [7, 8, 9], label, isLeaf };
    const motion = new SplitMotion(leaf, { ...stump, split: () => split }, { low: [0, 0], high: [4, 4] }, 1000);
    const { weights, bias } = motion.split(0);
    const plane = rectangle([0, 0], [4, 4]);
    assert.equal(area(cutPolygon(plane, weights, bias)[all]), 16);
    motion.began -= 2000;
    assert.ok(motion.isOver);
    assert.deepEqual(motion.split(0), split);
  }
});
