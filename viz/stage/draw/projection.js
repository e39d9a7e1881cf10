// Draws a decision node with one feature or more than two: its rows along an axis, and its coefficients as bars.

import { drawAxis, drawUpwardTicks } from "./axis.js";
import { differenceAt, differenceName, threshold } from "../model/condition.js";
import { isOf } from "../model/node_kinds.js";
import { textWidth } from "./labels.js";
import { missingStripOf } from "./scatter.js";
import { limits } from "../geometry/limits.js";
import { FADED } from "../model/selection.js";

const DENSE = 300; // number of rows from which points are smaller

export const MOST_BARS = 5; // the same number as MAX_BARS in viz/nodes/bars.py

/**
 * Draw the histogram and the threshold. For several features, draw the coefficients as bars and a histogram of w·x + b.
 * @param {Picture} picture @param {number} node @param {NodeBox} box @param {number} w
 */
export function projection(picture, node, box, w) {
  const { colors } = picture;
  picture.fill(box, colors.theme.surface);
  picture.frame(box, colors.theme.line);
  const { bars, row, inner } = partsOf(picture, node, box, w);
  if (bars)
    drawBars(
      picture,
      node,
      { x: box.x, y: box.y - box.h / 2 + picture.looks.bars.above + (bars * row) / 2, w: box.w, h: bars * row },
      bars,
      termsOf(picture.path, picture.tree.split(node)),
      picture.tellsAll(node, box),
    );
  drawUpward(picture, box);
  const below = picture.linesBelow(node, box);
  if (inner.h > picture.looks.histogram.least)
    drawHistogram(picture, node, inner, picture.axes === true || below.axes > 0);
  if (below.caption) picture.caption(node, box, below.axes);
}

/**
 * Divide a box; return the number of bars, their height and the box of the histogram.
 * @param {Pick<Picture, "tree" | "size" | "looks">} picture @param {number} node @param {Box} box @param {number} w
 */
function partsOf({ tree, size, looks }, node, box, w) {
  const { bars: look, histogram, detail } = looks;
  const row = size.small * look.row;
  let bars = 0;
  if (tree.nWeights(node) !== 1 && !isOf(tree, node, "difference") && w >= detail.line && box.h >= look.least) {
    const fits = Math.floor((box.h * look.share - look.spare) / row);
    bars = Math.max(0, Math.min(fits, tree.nWeights(node), MOST_BARS + 1));
  }
  const { margin } = histogram;
  const top = bars ? look.above + bars * row + look.below : margin;
  const inner = { x: box.x, w: box.w - 2 * margin, h: box.h - top - margin, y: box.y + (top - margin) / 2 };
  return { bars, row, inner };
}

/**
 * Return the coefficients of a split, and their products with the standard deviation of the feature, the longest first:
 * {name, weight, size}.
 * @param {Path} path @param {Omit<Split, "bias">} split
 */
export function termsOf(path, { features, weights }) {
  return Array.from(features, (j, i) => {
    return { name: path.features[j], weight: weights[i], size: weights[i] * path.deviation[j] };
  }).sort((p, q) => Math.abs(q.size) - Math.abs(p.size));
}

/**
 * Draw the terms as bars, the longest first. `areListed`: whether the text below lists all terms, so that the number of
 * omitted bars is left out.
 * @param {Picture} picture @param {number} node @param {Box} box @param {number} rows
 * @param {{name: string, size: number}[]} terms @param {boolean} [areListed]
 */
export function drawBars(picture, node, box, rows, terms, areListed = false) {
  const { context, colors, size } = picture;
  const shown = Math.min(terms.length > rows && !areListed ? rows - 1 : rows, MOST_BARS);
  const largest = Math.abs(terms[0]?.size) || 1;
  const step = box.h / rows;
  const look = picture.looks.bars;
  const room = box.w * look.name;
  const fit = () => terms.slice(0, Math.max(shown, 0)).every(({ name }) => textWidth(name, size.small) <= room);
  const named = box.w >= look.named && (!picture.isWhole || fit());
  const middle = box.x + (named ? box.w * look.middle : 0),
    reach = box.w * (named ? look.reach : look.reachAlone);
  const left = box.x - box.w / 2 + look.indent,
    top = box.y - box.h / 2;
  /** @param {Pick<Label, "y" | "text" | "color" | "room">} label */
  const write = (label) => picture.text.add({ x: left, size: size.small, align: "left", kind: "bar", node, ...label });
  for (let i = 0; i < Math.max(shown, 0); i++) {
    const length = (terms[i].size / largest) * reach;
    const y = top + (i + 0.5) * step;
    context.fillStyle = length < 0 ? colors.negative() : colors.positive();
    context.fillRect(Math.min(middle, middle + length), y - step * look.thick, Math.abs(length), 2 * step * look.thick);
    if (named) write({ y, text: terms[i].name, color: colors.theme.text, room });
  }
  context.fillStyle = colors.theme.muted;
  context.fillRect(middle - 0.5, top, 1, Math.max(shown, 0) * step);
  if (rows > shown) {
    const text = named ? `+ ${terms.length - shown} more` : `+${terms.length - shown}`;
    const y = top + (Math.max(shown, 0) + 0.5) * step;
    write({ y, text, color: colors.theme.muted, room: box.w - 2 * look.indent });
  }
}

/**
 * Return the bins of a node's rows in its plot, or null if they do not fit. `area`: area of the bins. `missingStrip`:
 * width of the strip to the left of the area. `binOf(p)`: bin of a row, -1 if its value is missing.
 * @param {Picture} look @param {number} node @param {Box} box @param {number} w
 */
export function histogramFrame(look, node, box, w) {
  const { inner } = partsOf(look, node, box, w);
  return inner.h > look.looks.histogram.least ? binRows(look, node, inner) : null;
}

/** Return the number of bins of a histogram of n rows that is `width` pixels wide. @param {Looks} looks @param {number} width @param {number} n */
export function mostBins({ histogram: { bin, perRoot, fewest, most } }, width, n) {
  return Math.max(fewest, Math.min(Math.round(width / bin), most, Math.ceil(perRoot * Math.sqrt(n))));
}

/** @param {Picture} look @param {number} node @param {Box} box @returns {BinFrame} */
function binRows(look, node, box) {
  const { path, tree, looks } = look;
  const { rows, margins } = tree.reaching(look.set, node);
  const { sample } = path;
  const { features, weights, bias } = tree.split(node);
  const one = features.length === 1;
  const difference = isOf(tree, node, "difference") ? differenceAt(tree, node) : null;
  const [plus, minus] = difference ? [difference.plus, difference.minus] : [features[0], features[0]];
  /** @param {number} j @param {number} p */
  const at = (j, p) => sample.X[j * sample.n + rows[p]];
  /** @param {number} p */
  const value = (p) => (difference ? at(plus, p) - at(minus, p) : one ? at(plus, p) : margins[p]);
  const yesRight = difference ? difference.relation === "≥" : !one || weights[0] > 0;
  const isWhole = (one || difference !== null) && path.whole[plus] === 1 && path.whole[minus] === 1;
  // The split of a whole difference is between two whole numbers.
  const own = difference ? difference.bound + Number(isWhole) * (yesRight ? -0.5 : 0.5) : 0;
  const split = one ? threshold(weights[0], bias) : own;
  const ends =
    difference || one ? limits(look, node, Array.from(features), difference) : rangeOf(margins, looks.limits.inside);
  let low = Math.min(ends.low[0], split);
  let high = Math.max(ends.high[0], split);
  if (!(high > low)) high = low + 1;
  const missingStrip = missingStripOf(path, Array.from(features), box.w);
  const area = { left: box.x - box.w / 2 + missingStrip, top: box.y - box.h / 2, w: box.w - missingStrip, h: box.h };
  // The reach excludes the bins at both ends, because otherwise a split could drift with repeated drags.
  const reach = /** @type {Pair} */ ([low, high]);
  // The split is an edge between two bins, and every row is counted on the side to which it goes.
  const fine = (high - low) / mostBins(looks, area.w, rows.length);
  const unit = isWhole ? Math.ceil(fine) : fine;
  const before = Math.ceil((split - low) / unit);
  const bins = before + Math.max(1, Math.ceil((high - split) / unit));
  low = split - before * unit;
  high = low + bins * unit;
  /** @param {number} p */
  const binOf = (p) => {
    const v = value(p);
    if (v !== v) return -1;
    const bin = before + (yesRight ? Math.floor((v - split) / unit) : Math.ceil((v - split) / unit) - 1);
    return Math.max(0, Math.min(bins - 1, bin));
  };
  const name = difference ? differenceName(path, difference) : one ? path.features[features[0]] : "w·x + b";
  const gap = looks.histogram.gap;
  const shown = { first: Math.min(ends.first[0], split), last: Math.max(ends.last[0], split) };
  return {
    area,
    low,
    high,
    ...shown,
    reach,
    split,
    yesRight,
    bins,
    binOf,
    value,
    missingStrip,
    gap,
    rows,
    features,
    difference,
    name,
  };
}

/** @param {Picture} picture @param {number} node @param {Box} box @param {boolean} axes */
function drawHistogram(picture, node, box, axes) {
  const { context, tree, colors, lit, point } = picture;
  const frame = binRows(picture, node, box);
  const { area, low, high, split, yesRight, binOf, missingStrip, rows } = frame;
  const at = area.left + ((split - low) / (high - low)) * area.w;
  context.fillStyle = colors.theme.tint;
  context.fillRect(yesRight ? at : area.left, area.top, yesRight ? area.left + area.w - at : at - area.left, area.h);
  if (missingStrip && tree.missingRight?.[node])
    context.fillRect(area.left - missingStrip, area.top, missingStrip, area.h);
  const alpha = context.globalAlpha;
  const recorded = picture.recorder?.careOf(node) ?? null;
  if (picture.path.target.edges !== null) drawStrip(picture, node, frame, at);
  else {
    const all = heightsOf(picture, frame, null);
    // If the strip for missing values is too full, it is cut at the top, so that it does not compress the other bars.
    const inBins = all.totals.subarray(1).reduce((x, y) => Math.max(x, y), 1);
    const most = [Math.max(inBins, all.totals[0]), inBins];
    if (lit || recorded) context.globalAlpha = alpha * FADED;
    drawStacks(picture, frame, all, most);
    context.globalAlpha = alpha;
    const left = box.x - box.w / 2 - picture.looks.histogram.margin;
    drawUpwardTicks(picture, { ...area, left }, null, [0, inBins, 0, inBins]);
    if (lit) drawStacks(picture, frame, heightsOf(picture, frame, lit), most, 1.5);
    if (recorded) picture.recorder?.drawBins(picture, frame, node, most);
  }
  const { bar, over } = picture.looks.split;
  context.fillStyle = colors.theme.split;
  context.fillRect(at - bar / 2, area.top - over, bar, area.h + 2 * over);
  if (missingStrip) {
    context.fillStyle = colors.theme.line;
    context.fillRect(area.left - 0.5, area.top, 1, area.h);
  }
  if (point?.nodes.has(node)) {
    const p = rows.indexOf(point.row);
    if (p >= 0) drawMark(picture, frame, binOf(p));
  }
  if (axes) drawAxes(picture, box, frame);
}

/**
 * Return {heights, totals}: rows per bin and class, rows with a missing value first. Only selected
 * rows count if there are any.
 * @param {Picture} picture @param {BinFrame} frame @param {RowSelection | null} lit
 */
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

/**
 * Return the left end and the width of a bin on screen. Bin -1 is the strip for missing values.
 * @param {BinFrame} frame @param {number} bin
 */
export function binBox({ area, bins, missingStrip, gap }, bin) {
  const width = area.w / bins;
  return bin < 0
    ? { left: area.left - missingStrip + 1, width: Math.max(missingStrip - 2, 1) }
    : { left: area.left + bin * width, width: Math.max(width - gap, gap) };
}

/**
 * Draw the classes as stacked bars. `most`: rows of the highest bar, in the strip for missing values and in the bins.
 * @param {Picture} picture @param {BinFrame} frame @param {{heights: Uint32Array}} counted @param {Numbers} most
 * @param {number} [least]
 */
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

/**
 * Draw the rows by value and true number, and the predictions on both sides as a step.
 * @param {Picture} picture @param {number} node @param {BinFrame} frame @param {number} at position of the split
 */
function drawStrip(picture, node, { area, low, high, value, yesRight, missingStrip, rows, features }, at) {
  const { path, tree } = picture;
  const step = features.length === 1 && path.whole[features[0]] ? Math.min(3, (0.3 * area.w) / (high - low)) : 0;
  /** @type {StripPoint[]} */
  const points = Array.from(rows, (row, p) => {
    const v = value(p);
    const x =
      v === v ? area.left + ((v - low) / (high - low)) * area.w + step * spread(row) : area.left - missingStrip / 2;
    return { row, x: Math.max(area.left - missingStrip + 1, Math.min(area.left + area.w - 1, x)) };
  });
  drawNumbers(picture, points, area);
  const [no, yes] = tree.children(node);
  drawMean(picture, yesRight ? no : yes, area, area.left, at);
  drawMean(picture, yesRight ? yes : no, area, at, area.left + area.w);
}

/** Draw the name and the ends of the vertical axis, above a plot. @param {Picture} picture @param {Box} box */
export function drawUpward({ path, text, colors, size, looks, axes, ticks, isWhole }, box) {
  const isNumber = path.target.edges !== null;
  if (!axes || !(isNumber || ticks)) return;
  const { ends, name } = path.target;
  const measured = name || path.target.nouns.value;
  const values = `${measured}: ${ends.map((end) => path.target.text(end)).join(" to ")}`;
  const isCut = isWhole && textWidth(`↑ ${values}`, size.small) > box.w;
  text.add({
    x: box.x - box.w / 2,
    y: box.y - box.h / 2 - size.small * looks.words.up,
    text: `↑ ${!isNumber ? "rows" : isCut ? measured : values}`,
    align: "left",
    room: box.w,
    color: colors.theme.muted,
    size: size.small,
    kind: "axis",
  });
}

/** @typedef {{row: number, x: number}} StripPoint sampled row with its position */

/** Return a share in (-1, 1) that looks random, but is always the same for the same row. @param {number} row */
export function spread(row) {
  return 2 * ((row * 0.6180339887) % 1) - 1;
}

/**
 * Draw rows in an area whose vertical axis is the number. With a selection, its rows are drawn last, and all other rows
 * are faded.
 * @param {Picture} picture @param {StripPoint[]} points @param {Area} area
 */
export function drawNumbers({ context, path, colors, looks, lit }, points, { top, w, h }) {
  const { detail, points: levels } = looks;
  const { most, radius: whole } = w < detail.line ? levels.thumbnail : w < detail.full ? levels.line : levels.full;
  const radius = points.length > DENSE ? 0.65 * whole : whole;
  const { value, y } = path.sample;
  const stride = Math.max(1, points.length / most);
  const alpha = context.globalAlpha;
  /** @param {StripPoint} point @param {number} size */
  const dot = ({ row, x }, size) => {
    context.fillStyle = colors.ofGroup(y[row]);
    const v = top + 1 + (1 - path.target.placeOf(value[row])) * (h - 2);
    context.beginPath();
    context.arc(x, v, size, 0, 7);
    context.fill();
  };
  if (lit) context.globalAlpha = alpha * FADED;
  for (let i = 0; i < points.length; i += stride) dot(points[Math.floor(i)], radius);
  context.globalAlpha = alpha;
  if (lit) for (const point of points) if (lit.has[point.row]) dot(point, radius + 0.5);
}

/**
 * Draw the prediction of a node as a horizontal line.
 * @param {Picture} picture @param {number} node @param {Area} area
 * @param {number} from @param {number} to
 */
export function drawMean({ context, path, tree, colors, looks }, node, { top, w, h }, from, to) {
  const y = top + 1 + (1 - path.target.placeOf(tree.value[node])) * (h - 2);
  const width = w >= looks.detail.line ? looks.split.width : looks.split.small;
  for (const [color, wide] of /** @type {[string, number][]} */ ([
    [colors.theme.background, width + 2],
    [colors.theme.text, width],
  ])) {
    context.fillStyle = color;
    context.fillRect(from, y - wide / 2, Math.max(to - from, 0), wide);
  }
}

/** Mark the bin of the row under the pointer. @param {Picture} picture @param {BinFrame} frame @param {number} bin */
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

/** @param {Picture} picture @param {Box} box @param {BinFrame} frame */
function drawAxes(picture, box, { low, high, first, last, name, area, features, missingStrip, yesRight }) {
  const { size, looks } = picture;
  const y = box.y + box.h / 2 + looks.histogram.margin + size.small * looks.words.axis;
  const one = features.length === 1 ? features[0] : null;
  const isBelow = picture.axes && (picture.ticks || (one !== null && picture.path.dates.has(one)));
  const ends = { low, high, first, last };
  drawAxis(picture, box, area, one, {
    ...ends,
    y,
    name,
    strip: missingStrip,
    isTurned: !yesRight,
    ...(isBelow ? { nameY: y + size.small * 1.25 } : {}),
  });
}

/**
 * Return the range of the values, without a share of the values at each end.
 * @param {Float64Array} values @param {number} share @returns {Limits}
 */
function rangeOf(values, share) {
  const sorted = values.filter((value) => value === value).sort();
  const top = sorted.length - 1;
  const low = [sorted.length ? sorted[Math.floor(share * top)] : -1];
  const high = [sorted.length ? sorted[Math.ceil((1 - share) * top)] : 1];
  return { low, high, first: low, last: high };
}
