// Node with two features: its rows in the plane and the line.

import { number } from "./condition.js";
import { DETAIL } from "./detail.js";
import { limits } from "./limits.js";

const MAX_POINTS = { thumbnail: 90, line: 220, full: 1500 };

/** Two features: the rows in the plane, the side that goes right tinted, and the line. */
export function scatter(picture, node, box, w) {
  const { context, path, tree, colors } = picture;
  const [a, b] = path.nFeatures === 2 ? [0, 1] : tree.split(node).features;
  const { low, high } = limits(picture, node, [a, b]);
  const left = box.x - box.w / 2,
    bottom = box.y + box.h / 2;
  const px = (v) => left + ((v - low[0]) / (high[0] - low[0])) * box.w;
  const py = (v) => bottom - ((v - low[1]) / (high[1] - low[1])) * box.h;
  context.save();
  context.beginPath();
  context.rect(left, bottom - box.h, box.w, box.h);
  context.clip();
  picture.fill(box, colors.theme.background);
  const { features, weights, bias } = tree.split(node);
  const direction = [0, 0];
  features.forEach((j, i) => (direction[j === a ? 0 : 1] = weights[i]));
  const { corners, ends } = halfPlane(direction, bias, low, high);
  context.fillStyle = colors.theme.tint;
  if (corners.length > 2) {
    context.beginPath();
    corners.forEach(([x, y]) => context.lineTo(px(x), py(y)));
    context.fill();
  }
  drawPoints(picture, node, [a, b], px, py, w);
  if (ends.length === 2) {
    context.strokeStyle = colors.theme.text;
    context.lineWidth = w >= DETAIL.line ? 2 : 1.2;
    context.beginPath();
    ends.forEach(([x, y]) => context.lineTo(px(x), py(y)));
    context.stroke();
  }
  context.restore();
  picture.frame(box, colors.theme.line);
  const below = picture.linesBelow(node, box);
  if (below.caption) picture.caption(node, box, below.axes);
  if (picture.axes || below.axes) drawAxes(picture, box, [a, b], low, high);
}

function drawPoints(picture, node, [a, b], px, py, w) {
  const { context, path, tree, colors } = picture;
  const { rows } = tree.reaching(picture.set, node);
  const { X, n, y } = path.sample;
  const most = w < DETAIL.line ? MAX_POINTS.thumbnail : w < DETAIL.full ? MAX_POINTS.line : MAX_POINTS.full;
  const shown = Math.min(rows.length, most);
  const radius = w < DETAIL.line ? 0.9 : w < DETAIL.full ? 1.4 : 2.6;
  const groups = new Map();
  for (let i = 0; i < shown; i++) {
    const row = rows[Math.floor((i * rows.length) / shown)];
    if (!groups.has(y[row])) groups.set(y[row], []);
    groups.get(y[row]).push(row);
  }
  for (const [c, members] of groups) {
    context.fillStyle = colors.ofClass(c);
    context.beginPath();
    for (const row of members) {
      const x = px(X[a * n + row]),
        v = py(X[b * n + row]);
      if (radius < 1.5) context.rect(x - radius, v - radius, 2 * radius, 2 * radius);
      else {
        context.moveTo(x + radius, v);
        context.arc(x, v, radius, 0, 7);
      }
    }
    context.fill();
    if (radius > 2) {
      context.strokeStyle = colors.theme.outline;
      context.lineWidth = 0.5;
      context.stroke();
    }
  }
}

function drawAxes(picture, box, [a, b], low, high) {
  const { path, colors, size } = picture;
  const add = (label) => picture.text.add({ color: colors.theme.muted, size: size.small, kind: "axis", ...label });
  const left = box.x - box.w / 2,
    bottom = box.y + box.h / 2;
  add({ x: left, y: bottom + size.small, text: number(low[0]), align: "left", room: box.w / 3 });
  add({ x: left + box.w, y: bottom + size.small, text: number(high[0]), align: "right", room: box.w / 3 });
  add({ x: box.x, y: bottom + size.small * 2.2, text: path.features[a], room: box.w });
  add({
    x: left,
    y: bottom - box.h - size.small * 0.8,
    text: `↑ ${path.features[b]}: ${number(low[1])} to ${number(high[1])}`,
    align: "left",
    room: box.w,
  });
}

/** Corners of the part of a rectangle where direction . x + offset >= 0, and the ends of its border inside. */
function halfPlane(direction, offset, low, high) {
  const square = [
    [low[0], low[1]],
    [high[0], low[1]],
    [high[0], high[1]],
    [low[0], high[1]],
  ];
  const side = square.map(([x, y]) => direction[0] * x + direction[1] * y + offset);
  const corners = [],
    ends = [];
  for (let i = 0; i < 4; i++) {
    const j = (i + 1) % 4;
    if (side[i] >= 0) corners.push(square[i]);
    if (side[i] >= 0 !== side[j] >= 0) {
      const t = side[i] / (side[i] - side[j]);
      const crossing = [0, 1].map((c) => square[i][c] + t * (square[j][c] - square[i][c]));
      corners.push(crossing);
      ends.push(crossing);
    }
  }
  return { corners, ends };
}
