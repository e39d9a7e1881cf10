// The plane at a step of a recorded run: the optimised nodes, their old and new lines, and the care points.

import { FADED_POINTS, careHeights, careRadius, drawCarePoints, sideColor } from "../draw/care_points.js";
import { textWidth } from "../draw/labels.js";
import { binBox } from "../draw/projection.js";
import { drawRing, drawRows, spaced } from "../draw/scatter.js";
import { MOST_POINTS } from "../geometry/painted_points.js";
import { cutPolygon, directionOf, rectangle } from "../geometry/regions.js";
import { threshold } from "../model/condition.js";

const BADGE = { away: 17, radius: 9 }; // distance from the line, and radius, in pixels
const AWAY = BADGE.radius + 2; // distance from the centre of a badge to its text
const ROOMY = 220; // minimum size in pixels of a plane with labelled marks
const TRIED = 60; // maximum number of points of one kind next to which a place for a label is tried

/**
 * Draw the contents of the plane. `rows`: rows of the displayed set.
 * @param {Recorder} recorder @param {Plane} plane @param {Picture} picture @param {PlaneFrame} frame
 * @param {Int32Array} rows @param {Box} box
 */
export function drawRecordedPlane(recorder, plane, picture, frame, rows, box) {
  const { tree, state, colors, shownNode: shown } = plane.store;
  const { split } = picture.looks;
  const { context } = picture;
  if (shown) picture.layer = null; // A layer caches one drawing of points, but here there are several drawings.
  const node = shown ? tree.nodeOf.get(shown.origin) : undefined;
  const below = node === undefined || tree.isLeaf(node) ? null : subtree(tree, node);
  fillRegions(recorder, plane, context, frame, below);
  plane.outline(context, frame, state.hover, colors.theme.muted, 2);
  context.save();
  context.beginPath();
  context.rect(box.x - box.w / 2, box.y - box.h / 2, box.w, box.h);
  context.clip();
  if (!recorder.on.hidesRows()) drawPoints(recorder, plane, picture, frame, rows, box, shown, below);
  for (const other of recorder.step.nodes) {
    const at = tree.nodeOf.get(other.origin);
    if (at === undefined || other === shown || tree.isLeaf(at) || !other.rows.length) continue;
    stroke(plane, context, frame, plane.regions.polygons[at], colors.theme.accent, 1.5, [], true);
    stroke(plane, context, frame, plane.regions.cuts[at], colors.theme.split, split.width, []);
  }
  if (node === undefined && state.node !== null) plane.outline(context, frame, state.node, colors.theme.accent, 3);
  if (node !== undefined) drawNode(recorder, plane, picture, frame, node);
  context.restore();
  if (node !== undefined && box.w >= ROOMY) nameMarks(recorder, plane, picture, frame, node, rows, box);
  if (state.point !== null && rows.includes(state.point)) drawRing(picture, frame, state.point, box.w);
}

/** @param {StageTree} tree @param {number} node */
function subtree(tree, node) {
  const inside = new Set([node]);
  for (const at of inside) for (const child of tree.children(at)) inside.add(child);
  return inside;
}

/**
 * @param {Recorder} recorder @param {Plane} plane @param {Context} context @param {PlaneFrame} frame
 * @param {Set<number> | null} below
 */
function fillRegions(recorder, plane, context, frame, below) {
  const { tree, colors, state, path } = plane.store;
  if (!path.sample.n) return; // The sample is still empty.
  context.lineWidth = 1;
  for (let node = 0; node < tree.n; node++) {
    const corners = plane.regions.polygons[node];
    if (!tree.isLeaf(node) || !corners.length) continue;
    plane.trace(context, frame, corners);
    context.closePath();
    context.fillStyle = context.strokeStyle = colors.ofGroup(tree.label[node]);
    const far = below && !below.has(node);
    context.globalAlpha = tree.origin[node] === state.hover ? 0.6 : far ? 0.15 : 0.34;
    context.fill();
    context.strokeStyle = colors.theme.muted;
    context.globalAlpha = recorder.idle.get(node) ? 0.18 : far ? 0.35 : 0.55;
    context.stroke();
  }
  context.globalAlpha = 1;
}

/**
 * Draw the points. Points that are irrelevant for the node are faded, and care points are on top.
 * @param {Recorder} recorder @param {Plane} plane @param {Picture} picture @param {PlaneFrame} frame
 * @param {Int32Array} rows @param {Box} box @param {RecordedNode | null} shown @param {Set<number> | null} below
 */
function drawPoints(recorder, plane, picture, frame, rows, box, shown, below) {
  const { tree, state } = plane.store;
  if (!shown || !below || state.set !== 0) {
    drawRows(picture, frame, rows, box.w, MOST_POINTS);
    plane.crosses(picture, frame, rows);
    return;
  }
  const { context } = picture;
  const { leaf } = tree.route(state.set);
  const cares = new Set(shown.rows);
  const others = rows.filter((row) => !cares.has(row));
  const inside = others.filter((row) => below.has(leaf[row]));
  const outside = others.filter((row) => !below.has(leaf[row]));
  const isSplit = recorder.step.kind === "split"; // Every point counts while a tree grows greedily.
  for (const { some, alpha } of [
    { some: outside, alpha: isSplit ? 0.3 : 0.14 },
    { some: inside, alpha: isSplit ? 1 : FADED_POINTS },
  ]) {
    context.globalAlpha = alpha;
    drawRows(picture, frame, some, box.w, MOST_POINTS);
  }
  context.globalAlpha = isSplit ? 1 : 0.4;
  plane.crosses(picture, frame, inside);
  context.globalAlpha = 1;
  const roomy = box.w > 400 && shown.rows.length < 800;
  drawCarePoints(picture, frame, shown, roomy ? 5.4 : 4);
}

/**
 * @param {Plane} plane @param {Context} context @param {PlaneFrame} frame @param {Corners} corners
 * @param {string} color @param {number} width @param {number[]} dash
 */
function stroke(plane, context, frame, corners, color, width, dash, closed = false) {
  if (corners.length < 2) return;
  plane.trace(context, frame, corners);
  if (closed) context.closePath();
  context.setLineDash(dash);
  context.strokeStyle = color;
  context.lineWidth = width;
  context.stroke();
  context.setLineDash([]);
}

/**
 * Draw the displayed node: its region, its old line faded, its new line, and its sides.
 * @param {Recorder} recorder @param {Plane} plane @param {Picture} picture @param {PlaneFrame} frame
 * @param {number} node
 */
function drawNode(recorder, plane, { context, looks }, frame, node) {
  const { tree, colors } = plane.store;
  const { theme } = colors;
  const corners = plane.regions.polygons[node];
  if (!corners.length) return;
  stroke(plane, context, frame, corners, theme.accent, 3, [], true);
  const old = recorder.oldSplit(node);
  if (old && tree.nWeights(node) + old.features.length > 0 && recorder.isMoved(node)) {
    const { cut } = cutPolygon(corners, directionOf(old, frame.features), old.bias);
    stroke(plane, context, frame, cut, theme.background, 5, []);
    stroke(plane, context, frame, cut, theme.muted, 2.4, [7, 5]);
  }
  const line = plane.regions.cuts[node];
  if (line.length < 2) return;
  stroke(plane, context, frame, line, theme.background, 6, []);
  stroke(plane, context, frame, line, theme.split, 1.6 * looks.split.width, []);
  badges(
    context,
    theme,
    badgePlaces(frame, line, directionOf(recorder.splitOf(node) ?? tree.split(node), frame.features)),
  );
}

/**
 * Return the positions of the arrows for the left and the right child on both sides of a line. A short line has no
 * arrows.
 * @param {PlaneFrame} frame @param {Corners} line @param {Pair} right
 */
function badgePlaces({ px, py }, [from, to], [wx, wy]) {
  const a = [px(from[0]), py(from[1])],
    b = [px(to[0]), py(to[1])];
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
  if (length < 40) return [];
  let normal = [-(b[1] - a[1]) / length, (b[0] - a[0]) / length];
  // direction of the right child on the screen, where y points down
  const ahead = [px(from[0] + wx) - px(from[0]), py(from[1] + wy) - py(from[1])];
  if (normal[0] * ahead[0] + normal[1] * ahead[1] < 0) normal = [-normal[0], -normal[1]];
  return [-1, 1].map((side) => {
    const [nx, ny] = normal.map((part) => side * part);
    return { side, nx, ny, x: (a[0] + b[0]) / 2 + nx * BADGE.away, y: (a[1] + b[1]) / 2 + ny * BADGE.away };
  });
}

/**
 * Draw an arrow on each side of a line for the child on this side.
 * @param {Context} context @param {Theme} theme @param {ReturnType<typeof badgePlaces>} places
 */
function badges(context, theme, places) {
  for (const { side, x, y } of places) {
    context.beginPath();
    context.arc(x, y, BADGE.radius, 0, 7);
    context.fillStyle = theme.background;
    context.fill();
    context.strokeStyle = context.fillStyle = sideColor(theme, side);
    context.lineWidth = 2;
    context.stroke();
    context.beginPath();
    context.moveTo(x + side * 5, y);
    context.lineTo(x - side * 3.2, y - 4.2);
    context.lineTo(x - side * 3.2, y + 4.2);
    context.closePath();
    context.fill();
  }
}

/**
 * Label the marks: the numbers of care points on each side, the don't-care points, and the old line.
 * @param {Recorder} recorder @param {Plane} plane @param {Picture} picture @param {PlaneFrame} frame
 * @param {number} node @param {Int32Array} rows @param {Box} box
 */
function nameMarks(recorder, plane, picture, frame, node, rows, box) {
  const { tree, colors, state, path } = plane.store;
  const { theme } = colors;
  const { px, py, features } = frame;
  const size = picture.size.normal;
  const care = recorder.careOf(node);
  const line = plane.regions.cuts[node];
  if (!care) return;
  const { X, n } = path.sample;
  /** @param {number} row @returns {Pair} */
  const place = (row) => [px(X[row]), py(X[n + row])];
  /** @param {string} text @param {string} color @param {number} x @param {number} y @param {number} nx @param {number} ny */
  const name = (text, color, x, y, nx, ny) => {
    const half = textWidth(text, size, 600) / 2 + 4;
    const [left, top] = [x + nx * half, y + ny * size];
    return picture.text.add({
      ...{ text, color, size, weight: 600, room: box.w, kind: "axis", background: theme.background },
      x: Math.max(box.x - box.w / 2 + half, Math.min(box.x + box.w / 2 - half, left)),
      y: Math.max(box.y - box.h / 2 + size, Math.min(box.y + box.h / 2 - size, top)),
    });
  };
  const direction = directionOf(recorder.splitOf(node) ?? tree.split(node), features);
  const badges = line.length < 2 ? [] : badgePlaces(frame, line, direction);
  for (const side of [-1, 1]) {
    const wanting = Array.from(care.rows).filter((_, i) => care.sides[i] === side);
    const badge = badges[side < 0 ? 0 : 1];
    const [x, y] = badge ? [badge.x + badge.nx * AWAY, badge.y + badge.ny * AWAY] : place(wanting[wanting.length >> 1]);
    const many = state.isGuessing ? "" : `${wanting.length} `;
    const words = `${many}care point${wanting.length === 1 ? "" : "s"}: ${side < 0 ? "left" : "right"}`;
    if (wanting.length) name(words, sideColor(theme, side), x, y, badge?.nx ?? 0, badge?.ny ?? 0);
  }
  const old = recorder.isMoved(node) && recorder.oldSplit(node);
  const [end] = old ? cutPolygon(plane.regions.polygons[node], directionOf(old, features), old.bias).cut : [];
  if (end) name("old line", theme.text, px(end[0]), py(end[1]), 0, 0);
  const cares = new Set(care.rows);
  const { leaf } = tree.route(state.set);
  const below = subtree(tree, node);
  const sure = Array.from(rows).filter((row) => below.has(leaf[row]));
  const [free, taken] = [false, true].map((is) =>
    spaced(
      sure.filter((row) => cares.has(row) === is),
      TRIED,
    ).map(place),
  );
  // The label is next to a don't-care point that is far from care points.
  free
    .map(([x, y]) => ({ x, y, far: Math.min(...taken.map((one) => Math.hypot(one[0] - x, one[1] - y))) }))
    .sort((a, b) => b.far - a.far)
    .some(({ x, y }) => name("don’t-care points", theme.text, x, y, 0, 0));
}

/**
 * Draw the rows of a node at its step as points, with don't-care points faded, care points on top, and the old line
 * faded.
 * @param {Picture} picture @param {PlaneFrame} frame @param {number} node @param {RecordedNode} recorded
 * @param {Split | null} old @param {number} w
 */
export function careScatter(picture, frame, node, recorded, old, w) {
  const { context } = picture;
  const cares = new Set(recorded.rows);
  const alpha = context.globalAlpha;
  context.globalAlpha = alpha * FADED_POINTS;
  drawRows(
    picture,
    frame,
    picture.tree.reaching(picture.set, node).rows.filter((row) => !cares.has(row)),
    w,
  );
  context.globalAlpha = alpha;
  drawCarePoints(picture, frame, recorded, careRadius(picture.looks, w, recorded.rows.length));
  if (old && old.features.length && Array.from(old.features).every((feature) => frame.features.includes(feature)))
    ghostLine(picture, frame, old);
}

/** @param {Picture} picture @param {PlaneFrame} frame @param {Split} split */
function ghostLine({ context, colors }, { features, low, high, px, py }, split) {
  const { cut } = cutPolygon(rectangle(low, high), directionOf(split, features), split.bias);
  if (!cut.length) return;
  context.strokeStyle = colors.theme.muted;
  context.lineWidth = 1.6;
  context.setLineDash([5, 4]);
  context.beginPath();
  cut.forEach(([x, y]) => context.lineTo(px(x), py(y)));
  context.stroke();
  context.setLineDash([]);
}

/**
 * Draw the care points in the bins of a histogram, with a frame around those with pseudolabel right, which are on top.
 * The old threshold is faded.
 * @param {Picture} picture @param {BinFrame} frame @param {RecordedNode} recorded @param {Numbers} most
 * @param {Split | null} old
 */
export function careBins({ context, colors }, frame, recorded, most, old) {
  const heights = careHeights(frame, recorded);
  const { area, bins } = frame;
  const bottom = area.top + area.h;
  for (let bin = 0; bin <= bins; bin++) {
    const { left, width } = binBox(frame, bin - 1);
    const unit = area.h / most[Math.min(bin, 1)];
    const [toLeft, toRight] = [heights[bin * 2] * unit, heights[bin * 2 + 1] * unit];
    context.fillStyle = colors.theme.toLeft;
    context.fillRect(left, bottom - toLeft, width, toLeft);
    if (!toRight) continue;
    context.fillStyle = colors.theme.toRight;
    context.fillRect(left, bottom - toLeft - toRight, width, toRight);
    context.strokeStyle = colors.theme.text;
    context.lineWidth = 1;
    context.strokeRect(left + 0.5, bottom - toLeft - toRight + 0.5, Math.max(width - 1, 0.5), toRight);
  }
  if (!old || old.features.length !== 1 || frame.features.length !== 1 || old.features[0] !== frame.features[0]) return;
  const at = area.left + ((threshold(old.weights[0], old.bias) - frame.low) / (frame.high - frame.low)) * area.w;
  if (at < area.left || at > area.left + area.w) return;
  context.strokeStyle = colors.theme.muted;
  context.lineWidth = 1.6;
  context.setLineDash([5, 4]);
  context.beginPath();
  context.moveTo(at, area.top);
  context.lineTo(at, bottom);
  context.stroke();
  context.setLineDash([]);
}
