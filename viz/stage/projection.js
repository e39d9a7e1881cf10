// Node with one feature, or with more than two: its rows along a line, and its coefficients.

import { number, threshold } from "./condition.js";
import { DETAIL } from "./detail.js";
import { limits } from "./limits.js";

/** One feature: its histogram and the threshold. More: bars of the coefficients and the histogram of w.x + b. */
export function projection(picture, node, box, w) {
  const { tree, colors } = picture;
  const one = tree.nWeights(node) === 1;
  picture.fill(box, colors.theme.surface);
  picture.frame(box, colors.theme.line);
  const row = picture.size.small * 1.28;
  let bars = 0;
  if (!one && w >= DETAIL.line && box.h >= 58) {
    const fits = Math.floor((box.h * 0.52 - 4) / row);
    bars = Math.max(0, Math.min(fits, tree.nWeights(node) > fits ? fits : tree.nWeights(node)));
    drawBars(picture, node, { x: box.x, y: box.y - box.h / 2 + 3 + (bars * row) / 2, w: box.w, h: bars * row }, bars);
  }
  const top = bars ? bars * row + 6 : 3;
  const inner = { x: box.x, w: box.w - 6, h: box.h - top - 3, y: box.y + (top - 3) / 2 };
  const below = picture.linesBelow(node, box);
  if (inner.h > 6) drawHistogram(picture, node, inner, one, picture.axes || below.axes);
  if (below.caption) picture.caption(node, box, below.axes);
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

function drawHistogram(picture, node, box, one, axes) {
  const { context, path, tree, colors } = picture;
  const { rows, margins } = tree.reaching(picture.set, node);
  const { sample } = path;
  const { features, weights, bias } = tree.split(node);
  const column = one ? features[0] * sample.n : 0;
  const value = one ? (p) => sample.X[column + rows[p]] : (p) => margins[p];
  const split = one ? threshold(weights[0], bias) : 0;
  let { low, high } = one ? limits(picture, node, [features[0]]) : rangeOf(margins);
  if (one) [low, high] = [low[0], high[0]];
  low = Math.min(low, split);
  high = Math.max(high, split);
  if (!(high > low)) high = low + 1;
  // the split is the border of two bins, and every row is counted on the side to which it goes
  const unit = (high - low) / Math.max(6, Math.min(Math.round(box.w / 5), 60));
  const before = Math.ceil((split - low) / unit);
  const bins = before + Math.max(1, Math.ceil((high - split) / unit));
  low = split - before * unit;
  high = low + bins * unit;
  const yesRight = !one || weights[0] > 0;
  const binOf = (v) => before + (yesRight ? Math.floor((v - split) / unit) : Math.ceil((v - split) / unit) - 1);
  const k = path.classes.length;
  const heights = new Uint32Array(bins * k);
  const totals = new Uint32Array(bins);
  for (let p = 0; p < rows.length; p++) {
    const bin = Math.max(0, Math.min(bins - 1, binOf(value(p))));
    heights[bin * k + sample.y[rows[p]]]++;
    totals[bin]++;
  }
  const most = totals.reduce((x, y) => Math.max(x, y), 1);
  const left = box.x - box.w / 2,
    bottom = box.y + box.h / 2,
    width = box.w / bins;
  const at = left + ((split - low) / (high - low)) * box.w;
  context.fillStyle = colors.theme.tint;
  context.fillRect(yesRight ? at : left, bottom - box.h, yesRight ? left + box.w - at : at - left, box.h);
  const stacked = new Uint32Array(bins);
  for (let c = 0; c < k; c++) {
    context.fillStyle = colors.ofClass(c);
    for (let bin = 0; bin < bins; bin++) {
      const size = heights[bin * k + c];
      if (!size) continue;
      stacked[bin] += size;
      const y = bottom - (stacked[bin] / most) * box.h;
      context.fillRect(left + bin * width, y, Math.max(width - 0.5, 0.5), (size / most) * box.h);
    }
  }
  context.fillStyle = colors.theme.text;
  context.fillRect(at - 0.8, bottom - box.h - 1, 1.6, box.h + 2);
  if (axes) drawAxes(picture, box, low, high, one ? path.features[features[0]] : "w·x + b");
}

function drawAxes(picture, box, low, high, name) {
  const { colors, size } = picture;
  const add = (label) =>
    picture.text.add({
      color: colors.theme.muted,
      size: size.small,
      kind: "axis",
      y: box.y + box.h / 2 + size.small * 1.1,
      ...label,
    });
  add({ x: box.x - box.w / 2, text: number(low), align: "left", room: box.w / 4 });
  add({ x: box.x + box.w / 2, text: number(high), align: "right", room: box.w / 4 });
  add({ x: box.x, text: name, room: box.w / 2 });
}

/** 1st to 99th percentile. */
function rangeOf(values) {
  const sorted = Float64Array.from(values).sort();
  if (!sorted.length) return { low: -1, high: 1 };
  return { low: sorted[Math.floor(0.01 * (sorted.length - 1))], high: sorted[Math.ceil(0.99 * (sorted.length - 1))] };
}
