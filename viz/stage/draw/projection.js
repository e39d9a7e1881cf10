// Node with one feature, or with more than two: its rows along a line, and its coefficients.

import { number, threshold } from "../model/condition.js";
import { DETAIL } from "../geometry/detail.js";
import { gutterOf } from "./scatter.js";
import { limits } from "../model/limits.js";
import { FADED } from "../model/selection.js";

/** One feature: its histogram and the threshold. More: bars of the coefficients and the histogram of w.x + b. */
export function projection(picture, node, box, w) {
  const { colors } = picture;
  picture.fill(box, colors.theme.surface);
  picture.frame(box, colors.theme.line);
  const { bars, row, inner } = partsOf(picture, node, box, w);
  if (bars)
    drawBars(picture, node, { x: box.x, y: box.y - box.h / 2 + 3 + (bars * row) / 2, w: box.w, h: bars * row }, bars);
  const below = picture.linesBelow(node, box);
  if (inner.h > 6) drawHistogram(picture, node, inner, picture.axes || below.axes);
  if (below.caption) picture.caption(node, box, below.axes);
}

/** How a box is shared: number of bars, height of each, and the box of the histogram. */
function partsOf({ tree, size }, node, box, w) {
  const row = size.small * 1.28;
  let bars = 0;
  if (tree.nWeights(node) !== 1 && w >= DETAIL.line && box.h >= 58) {
    const fits = Math.floor((box.h * 0.52 - 4) / row);
    bars = Math.max(0, Math.min(fits, tree.nWeights(node)));
  }
  const top = bars ? bars * row + 6 : 3;
  return { bars, row, inner: { x: box.x, w: box.w - 6, h: box.h - top - 3, y: box.y + (top - 3) / 2 } };
}

/** Coefficients times the standard deviation of the feature, longest first. */
function drawBars(picture, node, box, rows) {
  const { context, path, tree, colors, size } = picture;
  const { features, weights } = tree.split(node);
  const values = Array.from(features, (j, i) => weights[i] * path.deviation[j]);
  const order = Array.from(values.keys()).sort((p, q) => Math.abs(values[q]) - Math.abs(values[p]));
  const shown = values.length > rows ? rows - 1 : rows;
  const largest = Math.abs(values[order[0]]) || 1;
  const step = box.h / rows;
  const named = box.w >= 88;
  const middle = box.x + (named ? box.w * 0.27 : 0),
    reach = box.w * (named ? 0.2 : 0.45);
  const left = box.x - box.w / 2 + 5,
    top = box.y - box.h / 2;
  for (let i = 0; i < Math.max(shown, 0); i++) {
    const length = (values[order[i]] / largest) * reach;
    const y = top + (i + 0.5) * step;
    context.fillStyle = length < 0 ? colors.negative() : colors.positive();
    context.fillRect(Math.min(middle, middle + length), y - step * 0.34, Math.abs(length), step * 0.68);
    if (named)
      picture.text.add({
        x: left,
        y,
        text: path.features[features[order[i]]],
        size: size.small,
        color: colors.theme.text,
        align: "left",
        room: box.w * 0.54,
        kind: "bar",
        node,
      });
  }
  context.fillStyle = colors.theme.muted;
  context.fillRect(middle - 0.5, top, 1, Math.max(shown, 0) * step);
  if (values.length > shown) {
    const text = named ? `+ ${values.length - shown} more` : `+${values.length - shown}`;
    picture.text.add({
      x: left,
      y: top + (Math.max(shown, 0) + 0.5) * step,
      text,
      size: size.small,
      color: colors.theme.muted,
      align: "left",
      room: box.w - 10,
      kind: "bar",
      node,
    });
  }
}

/**
 * Bins of the rows of a node in its picture: {area (box of the bins), low, high, split, yesRight, bins, binOf(p) (-1 when
 * the value is missing), gutter (its width, left of the area), rows, features, name}.
 */
export function histogramFrame(look, node, box, w) {
  const { inner } = partsOf(look, node, box, w);
  return inner.h > 6 ? binned(look, node, inner) : null;
}

function binned(look, node, box) {
  const { path, tree } = look;
  const { rows, margins } = tree.reaching(look.set, node);
  const { sample } = path;
  const { features, weights, bias } = tree.split(node);
  const one = features.length === 1;
  const column = one ? features[0] * sample.n : 0;
  const value = one ? (p) => sample.X[column + rows[p]] : (p) => margins[p];
  const split = one ? threshold(weights[0], bias) : 0;
  let { low, high } = one ? limits(look, node, [features[0]]) : rangeOf(margins);
  if (one) [low, high] = [low[0], high[0]];
  low = Math.min(low, split);
  high = Math.max(high, split);
  if (!(high > low)) high = low + 1;
  const gutter = gutterOf(path, Array.from(features), box.w);
  const area = { left: box.x - box.w / 2 + gutter, top: box.y - box.h / 2, w: box.w - gutter, h: box.h };
  // the split is the border of two bins, and every row is counted on the side to which it goes
  const unit = (high - low) / Math.max(6, Math.min(Math.round(area.w / 5), 60));
  const before = Math.ceil((split - low) / unit);
  const bins = before + Math.max(1, Math.ceil((high - split) / unit));
  low = split - before * unit;
  high = low + bins * unit;
  const yesRight = !one || weights[0] > 0;
  const binOf = (p) => {
    const v = value(p);
    if (v !== v) return -1;
    const bin = before + (yesRight ? Math.floor((v - split) / unit) : Math.ceil((v - split) / unit) - 1);
    return Math.max(0, Math.min(bins - 1, bin));
  };
  const name = one ? path.features[features[0]] : "w·x + b";
  return { area, low, high, split, yesRight, bins, binOf, gutter, rows, features, name };
}

function drawHistogram(picture, node, box, axes) {
  const { context, tree, colors, lit, point } = picture;
  const frame = binned(picture, node, box);
  const { area, low, high, split, yesRight, binOf, gutter, rows } = frame;
  const all = heightsOf(picture, frame, null);
  // many missing values must not squeeze the others: a gutter that is too full ends at the top
  const inBins = all.totals.subarray(1).reduce((x, y) => Math.max(x, y), 1);
  const most = [Math.max(inBins, all.totals[0]), inBins];
  const at = area.left + ((split - low) / (high - low)) * area.w;
  context.fillStyle = colors.theme.tint;
  context.fillRect(yesRight ? at : area.left, area.top, yesRight ? area.left + area.w - at : at - area.left, area.h);
  if (gutter && tree.missingRight?.[node]) context.fillRect(area.left - gutter, area.top, gutter, area.h);
  const alpha = context.globalAlpha;
  const recorded = picture.recorder?.careOf(node) ?? null;
  if (lit || recorded) context.globalAlpha = alpha * FADED;
  drawStacks(picture, frame, all, most);
  context.globalAlpha = alpha;
  if (lit) drawStacks(picture, frame, heightsOf(picture, frame, lit), most, 1.5);
  if (recorded) picture.recorder.drawBins(picture, frame, node, most);
  context.fillStyle = colors.theme.text;
  context.fillRect(at - 0.8, area.top - 1, 1.6, area.h + 2);
  if (gutter) {
    context.fillStyle = colors.theme.line;
    context.fillRect(area.left - 0.5, area.top, 1, area.h);
  }
  if (point?.nodes.has(node)) {
    const p = rows.indexOf(point.row);
    if (p >= 0) drawMark(picture, frame, binOf(p));
  }
  if (axes) drawAxes(picture, box, frame);
}

/** Rows per bin and class, the gutter first: {heights, totals}; only those of a selection when one is given. */
function heightsOf({ path }, { bins, binOf, rows }, lit) {
  const k = path.target.n;
  const heights = new Uint32Array((bins + 1) * k);
  const totals = new Uint32Array(bins + 1);
  for (let p = 0; p < rows.length; p++) {
    if (lit && !lit.has[rows[p]]) continue;
    const bin = binOf(p) + 1;
    heights[bin * k + path.sample.y[rows[p]]]++;
    totals[bin]++;
  }
  return { heights, totals };
}

/** Left and width of a bin on screen; -1 is the gutter. */
export function binBox({ area, bins, gutter }, bin) {
  const width = area.w / bins;
  return bin < 0
    ? { left: area.left - gutter + 1, width: Math.max(gutter - 2, 1) }
    : { left: area.left + bin * width, width: Math.max(width - 0.5, 0.5) };
}

/** Bars of the classes on each other; `most`: rows of the highest bar, of the gutter and of the bins. */
function drawStacks({ context, path, colors }, frame, { heights }, most, least = 0) {
  const { area, bins } = frame;
  const k = path.target.n;
  const bottom = area.top + area.h;
  const stacked = new Float64Array(bins + 1);
  for (let c = 0; c < k; c++) {
    context.fillStyle = colors.ofGroup(c);
    for (let bin = 0; bin <= bins; bin++) {
      const size = heights[bin * k + c];
      if (!size) continue;
      const { left, width } = binBox(frame, bin - 1);
      const high = Math.max((size / most[Math.min(bin, 1)]) * area.h, least);
      stacked[bin] += high;
      context.fillRect(left, bottom - stacked[bin], width, high);
    }
  }
}

/** Marks the bin of the row below the pointer. */
function drawMark({ context, colors }, frame, bin) {
  const { left, width } = binBox(frame, bin);
  const x = left + width / 2,
    top = frame.area.top;
  context.fillStyle = colors.theme.text;
  context.beginPath();
  context.moveTo(x - 5, top - 1);
  context.lineTo(x + 5, top - 1);
  context.lineTo(x, top + 7);
  context.fill();
}

function drawAxes(picture, box, { low, high, name, area }) {
  const { colors, size } = picture;
  const add = (label) =>
    picture.text.add({
      color: colors.theme.muted,
      size: size.small,
      kind: "axis",
      y: box.y + box.h / 2 + size.small * 1.1,
      ...label,
    });
  add({ x: area.left, text: number(low), align: "left", room: area.w / 4 });
  add({ x: box.x + box.w / 2, text: number(high), align: "right", room: area.w / 4 });
  add({ x: box.x, text: name, room: box.w / 2 });
}

/** 1st to 99th percentile. */
function rangeOf(values) {
  const sorted = Float64Array.from(values.filter((value) => value === value)).sort();
  if (!sorted.length) return { low: -1, high: 1 };
  return { low: sorted[Math.floor(0.01 * (sorted.length - 1))], high: sorted[Math.ceil(0.99 * (sorted.length - 1))] };
}
