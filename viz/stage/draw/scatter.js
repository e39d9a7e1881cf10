// Draws a decision node with two features: its rows in the plane, and the split line.

import { limits } from "../geometry/limits.js";
import { cutPolygon, directionOf, rectangle } from "../geometry/regions.js";
import { picturedFeatures } from "../model/node_kinds.js";
import { FADED } from "../model/selection.js";
import { grouped } from "../model/tree.js";
import { drawAxis, drawUpwardTicks, endText } from "./axis.js";
import { textWidth } from "./labels.js";

const EDGE = 0.63; // minimum distance of a name from the upper edge of the drawing, in text sizes

/**
 * Return functions from values to positions in the plot of a node. `at` is for a point of the plane. `px` and `py` are
 * for the values of a row; a missing value goes to the middle of the strip left of or below the area. `place` is for a
 * row, whose values are shifted if its features have few values.
 * @param {Pick<Look, "path" | "tree">} look @param {number} node @param {Box} box
 */
export function scatterFrame({ path, tree }, node, box) {
  const features = picturedFeatures(tree, node);
  const steps = features.map((j) => path.step[j]);
  const ends = limits({ path, tree }, node, features);
  if (!steps.some((step) => step > 0)) return planeFrame(path, features, ends, box);
  /** @param {number} axis */
  const room = (axis) => SHARE * steps[axis] * 1.25; // for shifted points at both ends
  const low = Array.from(ends.low, (end, axis) => Math.min(end, ends.first[axis] - room(axis)));
  const high = Array.from(ends.high, (end, axis) => Math.max(end, ends.last[axis] + room(axis)));
  const split = tree.split(node);
  const [direction, { bias }] = [directionOf(split, features), split];
  const { rows } = path.sample;
  return planeFrame(path, features, { ...ends, low, high }, box, (point, row) =>
    jittered(point, rows[row], steps, direction, bias),
  );
}

/**
 * Return these functions for any two features and limits. `shift`: returns the shifted point of a row.
 * @param {Path} path @param {Numbers} features @param {Limits} limits @param {Box} box
 * @param {((point: Pair, row: number) => Pair) | null} [shift] @returns {PlaneFrame}
 */
export function planeFrame(path, features, { low, high, first, last }, box, shift = null) {
  const [a, b] = features;
  /** @type {Pair} */
  const missingStrip = [missingStripOf(path, [a], box.w), missingStripOf(path, [b], box.h)];
  const left = box.x - box.w / 2,
    bottom = box.y + box.h / 2;
  const area = {
    left: left + missingStrip[0],
    top: bottom - box.h,
    w: box.w - missingStrip[0],
    h: box.h - missingStrip[1],
  };
  const unit = [area.w / (high[0] - low[0]), area.h / (high[1] - low[1])];
  const base = area.top + area.h;
  // An outlier in the strip for missing values would look like a missing value.
  const { off } = path.looks.missingStrip;
  const ends = [missingStrip[0] ? area.left + off : -Infinity, missingStrip[1] ? base - off : Infinity];
  /** @param {Numbers} point @returns {Pair} */
  const at = ([x, y]) => [area.left + (x - low[0]) * unit[0], base - (y - low[1]) * unit[1]];
  /** @param {number} v */
  const px = (v) => (v === v ? Math.max(ends[0], at([v, 0])[0]) : left + missingStrip[0] / 2);
  /** @param {number} v */
  const py = (v) => (v === v ? Math.min(ends[1], at([0, v])[1]) : bottom - missingStrip[1] / 2);
  const { X, n } = path.sample;
  /** @param {number} row @returns {Pair} */
  const place = (row) => {
    /** @type {Pair} */
    const values = [X[a * n + row], X[b * n + row]];
    const [x, y] = shift ? shift(values, row) : values;
    return [px(x), py(y)];
  };
  return { features: [a, b], low, high, first, last, missingStrip, area, at, px, py, place };
}

/**
 * Return the feature values at a position in such a plot.
 * @param {PlaneFrame} frame
 * @param {Pair} place
 * @returns {Pair}
 */
export function valuesAt({ area, low, high }, [x, y]) {
  return [
    low[0] + ((x - area.left) / area.w) * (high[0] - low[0]),
    high[1] - ((y - area.top) / area.h) * (high[1] - low[1]),
  ];
}

/**
 * Draw the rows, the split line, and a tint on the side whose rows go right.
 * @param {Picture} picture @param {number} node @param {NodeBox} box @param {number} w
 */
export function scatter(picture, node, box, w) {
  const { context, tree, colors } = picture;
  const frame = scatterFrame(picture, node, box);
  const { at, low, high } = frame;
  context.save();
  context.beginPath();
  context.rect(box.x - box.w / 2, box.y - box.h / 2, box.w, box.h);
  context.clip();
  picture.fill(box, colors.theme.background);
  const split = picture.recorder?.splitOf(node) ?? tree.split(node);
  const { yes, cut } = cutPolygon(rectangle(low, high), directionOf(split, frame.features), split.bias);
  context.fillStyle = colors.theme.tint;
  if (yes.length) {
    context.beginPath();
    yes.forEach((corner) => context.lineTo(...at(corner)));
    context.fill();
  }
  if (tree.missingRight?.[node]) fillMissingStrips(context, frame, split.features, box);
  if (!picture.recorder?.drawRows(picture, frame, node, w))
    drawRows(picture, frame, tree.reaching(picture.set, node).rows, w);
  if (picture.point?.nodes.has(node)) drawRing(picture, frame, picture.point.row, w);
  if (cut.length) {
    const { split: look, detail } = picture.looks;
    context.strokeStyle = colors.theme.split;
    context.lineWidth = w >= detail.line ? look.width : look.small;
    context.beginPath();
    cut.forEach((end) => context.lineTo(...at(end)));
    context.stroke();
  }
  drawMissingStripLines(picture, frame, box);
  context.restore();
  picture.frame(box, colors.theme.line);
  const below = picture.linesBelow(node, box);
  if (below.caption) picture.caption(node, box, below.axes);
  if (picture.axes || below.axes) drawAxes(picture, box, frame);
}

/**
 * Tint the strips of missing values that go right.
 * @param {Context} context @param {PlaneFrame} frame @param {Numbers} used @param {Box} box
 */
function fillMissingStrips(context, { missingStrip, area, features: [a, b] }, used, box) {
  const left = box.x - box.w / 2,
    bottom = box.y + box.h / 2;
  if (missingStrip[0] && used.includes(a)) context.fillRect(left, area.top, missingStrip[0], box.h);
  if (missingStrip[1] && used.includes(b))
    context.fillRect(area.left, bottom - missingStrip[1], area.w, missingStrip[1]);
}

/**
 * Draw the borders between the strips for missing values and the area.
 * @param {Picture} picture @param {PlaneFrame} frame @param {Box} box
 */
export function drawMissingStripLines({ context, colors }, { missingStrip, area }, box) {
  context.fillStyle = colors.theme.line;
  if (missingStrip[0]) context.fillRect(area.left - 0.5, area.top, 1, box.h);
  if (missingStrip[1]) context.fillRect(area.left - missingStrip[0], area.top + area.h - 0.5, box.w, 1);
}

/**
 * Draw rows as points. With a selection, its rows are drawn last, and all other rows are faded. `limit`: maximum number
 * of points in a full plot.
 * @param {Picture} picture @param {PlaneFrame} frame @param {Numbers} rows @param {number} w @param {number} [limit]
 */
export function drawRows(picture, frame, rows, w, limit) {
  const { layer } = picture;
  /** @param {Context} context */
  const paint = (context) => paintRows(context, picture, frame, Array.from(rows), w, limit);
  if (layer) layer.draw(picture, frame, rows, paint);
  else paint(picture.context);
}

/**
 * @param {Context} context @param {Picture} picture @param {PlaneFrame} frame @param {number[]} rows @param {number} w
 * @param {number} [limit]
 */
function paintRows(context, picture, frame, rows, w, limit) {
  const { lit } = picture;
  const { points, detail } = picture.looks;
  const look = w < detail.line ? points.thumbnail : w < detail.full ? points.line : points.full;
  const { radius } = look;
  const most = look === points.full ? (limit ?? look.most) : look.most;
  const some = spaced(rows, most);
  if (!lit) return drawPoints(context, picture, frame, some, look);
  const alpha = context.globalAlpha;
  context.globalAlpha = alpha * FADED;
  const others = some.filter((row) => !lit.has[row]);
  drawPoints(context, picture, frame, others, look);
  context.globalAlpha = alpha;
  const chosen = rows.filter((row) => lit.has[row]);
  const large = { ...look, radius: radius * (radius > 2 ? 1.15 : 1.5) };
  return drawPoints(context, picture, frame, spaced(chosen, most), large);
}

/** Return at most `most` of the rows, evenly spaced. @param {number[]} rows @param {number} most */
export function spaced(rows, most) {
  if (rows.length <= most) return rows;
  return Array.from({ length: most }, (_, i) => rows[Math.floor((i * rows.length) / most)]);
}

/**
 * @param {Context} context @param {Picture} picture @param {PlaneFrame} frame @param {number[]} rows
 * @param {Record<"radius" | "outline", number>} look
 */
function drawPoints(context, { path, colors }, { place }, rows, { radius, outline }) {
  const { y } = path.sample;
  for (const [c, members] of grouped(rows, (row) => y[row])) {
    context.fillStyle = colors.ofGroup(c);
    context.beginPath();
    for (const row of members) {
      const [x, v] = place(row);
      if (radius < 1.5) context.rect(x - radius, v - radius, 2 * radius, 2 * radius);
      else {
        context.moveTo(x + radius, v);
        context.arc(x, v, radius, 0, 7);
      }
    }
    context.fill();
    if (outline) {
      context.strokeStyle = colors.theme.outline;
      context.lineWidth = outline;
      context.stroke();
    }
  }
}

/**
 * Draw a ring around the row under the pointer.
 * @param {Picture} picture @param {PlaneFrame} frame @param {number} row @param {number} w
 */
export function drawRing({ context, colors, looks }, { place }, row, w) {
  const radius = w < looks.detail.line ? 3 : 5;
  context.beginPath();
  context.arc(...place(row), radius, 0, 7);
  context.strokeStyle = colors.theme.background;
  context.lineWidth = 4;
  context.stroke();
  context.strokeStyle = colors.theme.text;
  context.lineWidth = 1.8;
  context.stroke();
}

/** Draw the names and the ends of both axes. @param {Picture} picture @param {Box} box @param {PlaneFrame} frame */
export function drawAxes(picture, box, { features: [a, b], low, high, first, last, area }) {
  const { path, colors, size, looks } = picture;
  const { axis, name: nameBelow, up } = looks.words;
  const name = `↑ ${path.features[b]}`;
  /** @param {Pick<Label, "x" | "y" | "text" | "room" | "align">} label */
  const add = (label) => picture.text.add({ color: colors.theme.muted, size: size.small, kind: "axis", ...label });
  const left = box.x - box.w / 2,
    bottom = box.y + box.h / 2;
  const places = { y: bottom + size.small * axis, nameY: bottom + size.small * nameBelow };
  drawAxis(picture, box, { ...area, h: bottom - area.top }, a, {
    low: low[0],
    high: high[0],
    first: first[0],
    last: last[0],
    name: path.features[a],
    strip: area.left - left,
    ...places,
  });
  const isTold = drawUpwardTicks(picture, { ...area, left }, b, [low[1], high[1], first[1], last[1]]);
  const ends = isTold ? "" : `: ${endText(path, b, first[1])} to ${endText(path, b, last[1])}`;
  const above = bottom - box.h - size.small * up - (picture.axes ? 0 : looks.head);
  const isAtEdge = above > -size.small && bottom - box.h > size.small;
  add({
    x: left,
    y: isAtEdge ? Math.max(above, EDGE * size.small) : above,
    text: picture.isWhole && textWidth(`${name}${ends}`, size.small) > box.w ? name : `${name}${ends}`,
    align: "left",
    room: box.w,
  });
}

/**
 * Return the width of the strip for missing values on an axis of this length, 0 if no value of these features is
 * missing.
 * @param {Path} path @param {Numbers} features @param {number} length
 */
export function missingStripOf({ missed, looks }, features, length) {
  const { share, least, most } = looks.missingStrip;
  return features.some((feature) => missed[feature] !== 0) ? Math.max(least, Math.min(most, length * share)) : 0;
}

/**
 * Return the number of rows with a missing value in these features.
 * @param {Path} path @param {Numbers} features @param {Int32Array} rows
 */
export function missingAmong(path, features, rows) {
  const { X, n } = path.sample;
  return rows.filter((row) => features.some((feature) => Number.isNaN(X[feature * n + row]))).length;
}

export const SHARE = 0.3; // largest shift as a share of the step between two values
const NEAR = 0.8; // largest share of the distance to the split line by which a point approaches it
const RATIOS = [0.7548776662466927, 0.5698402909980532]; // multiples modulo 1 fill the unit square evenly

/**
 * Return the shifted point [x, y] of a row. It stays on its side of `direction · [x, y] + bias >= 0`. `number`: row
 * number, which determines the shift; `steps`: steps between values, 0 for no shift.
 * @param {Pair} point @param {number} number @param {Numbers} steps @param {Numbers} direction @param {number} bias
 * @returns {Pair}
 */
export function jittered([x, y], number, steps, [p, q], bias) {
  const shift = RATIOS.map((ratio, axis) => 2 * SHARE * (((number * ratio) % 1) - 0.5) * steps[axis]);
  const margin = bias + (p * x + q * y);
  const change = p * shift[0] + q * shift[1];
  const isToward = margin * change <= 0 && Math.abs(change) > NEAR * Math.abs(margin);
  const share = isToward ? (NEAR * Math.abs(margin)) / Math.abs(change) : 1;
  return [x + share * shift[0], y + share * shift[1]];
}
