// Draws a decision node with a categorical split: one bar for each category, or one strip with its rows along another
// column.

import { casesOf, columnOf, onlyOther } from "../model/condition.js";
import { valueText } from "../model/number_text.js";
import { FADED } from "../model/selection.js";
import { limits } from "../geometry/limits.js";
import { drawAxis, endText, within } from "./axis.js";
import { drawMean, drawNumbers, drawUpward, mostBins, spread } from "./projection.js";
import { FONT } from "../elements/dom.js";
import { textWidth } from "./labels.js";
import { missingStripOf } from "./scatter.js";
import { grouped } from "../model/tree.js";

const OTHERS = "others";
const LABEL = { width: 24, high: 30 }; // minimum width of a bar, and minimum height of a strip that shows its name
const GAP = 3; // pixels between strips, and between bars
const UNIT = { low: 0, high: 1, first: 0, last: 1 }; // ends of an axis that has no numbers

/**
 * `at`: position of the split. `feature`: feature of the category, null for the strip of other categories.
 * @typedef {{area: Area, name: string, tint: boolean, at: number | null, right: boolean, feature: number | null}} Strip
 */
/** @typedef {Area & {name: string, range: Pair | null}} Cell rows of one category in a range of values */
/**
 * @typedef {{strips: Strip[], cells: Cell[], cellOf: (row: number) => number, rows: Int32Array, features: Numbers,
 *   axis: number | null, low: number, high: number, first: number, last: number, name: string, isBars: boolean, isTurned: boolean, inner: Area, missingStrip: Cell | null}} CategoryFrame
 */

/**
 * Return the index of a sampled row's category among some features. Other categories have the number of features as
 * their index, and a missing value has -1.
 * @param {Path} path @param {number[]} features @param {number} row
 */
function placeOf({ sample: { X, n } }, features, row) {
  if (Number.isNaN(X[features[0] * n + row])) return -1;
  const place = features.findIndex((j) => X[j * n + row] === 1);
  return place < 0 ? features.length : place;
}

/**
 * Return the category names of some features of a column, and the name of the other categories.
 * @param {Path} path @param {number[]} features @param {string} others
 */
function namesOf({ groups, categories }, features, others) {
  const group = groups.find(({ values }) => values.some(([, j]) => j === features[0]));
  const only = group?.values.length === features.length ? onlyOther(group) : null;
  return [...features.map((j) => categories[j]?.[1] ?? ""), only ?? others];
}

/** Return the name of the column to which a feature belongs. @param {Path} path @param {number} j */
export function columnName({ categories, features }, j) {
  return categories[j]?.[0] ?? features[j];
}

/**
 * Return the value of a sampled row in the column of a feature.
 * @param {Path} path @param {number} j @param {number} row @param {number} [digits]
 */
export function columnText(path, j, row, digits) {
  if (!path.categories[j]) return valueText(path, j, path.sample.X[j * path.sample.n + row], digits);
  const features = featuresOf(path, j);
  const place = placeOf(path, features, row);
  return place < 0 ? "missing" : namesOf(path, features, "another category")[place];
}

/** @param {Look} look @param {number} node @param {Box} box @returns {CategoryFrame} */
export function categoryFrame(look, node, box) {
  const { path, tree, looks } = /** @type {Picture} */ (look);
  const split = tree.split(node);
  const { margin } = looks.histogram;
  const { rows } = tree.reaching(look.set, node);
  const wide = missingStripOf(path, Array.from(split.features), box.w);
  const [left, top] = [box.x - box.w / 2 + margin + wide, box.y - box.h / 2 + margin];
  const { small } = /** @type {Picture} */ (look).size;
  const column = columnOf(path, split);
  const isNamed = column !== null && box.w >= looks.detail.line && box.h > 4 * small;
  const cases = column === null ? casesOf(path, split) : null;
  const first = cases ? cases.features : featuresOf(path, split.features[0]);
  const names = namesOf(path, first, OTHERS);
  const shown = names
    .map((_, i) => i)
    .filter((i) => i < first.length || rows.some((row) => placeOf(path, first, row) === i));
  const w = box.w - 2 * margin - wide;
  const longest = isNamed && look.ticks ? Math.max(...shown.map((i) => textWidth(names[i], small))) : 0;
  const isTurned = longest > w / shown.length - GAP;
  const above = isTurned ? Math.min(longest + 8, box.h / 3) : isNamed ? 1.3 * small : 0; // height of the bar names
  const inner = { left, top: top + above, w, h: box.h - 2 * margin - above };
  /** @param {number} i @param {number} count @param {number} from @param {number} size @returns {Pair} */
  const part = (i, count, from, size) => [
    from + (i * size) / count,
    Math.max(size / count - (i < count - 1 ? GAP : 0), 1),
  ];
  const missingStrip = wide ? { ...inner, left: left - wide, w: wide - 2, name: "missing", range: null } : null;
  const common = { rows, features: split.features, inner, missingStrip };
  if (!cases) {
    /** @param {number} place */
    const goesRight = (place) => {
      const at = place < first.length ? split.features.indexOf(first[place]) : -1;
      return split.bias + (at < 0 ? 0 : split.weights[at]) >= 0;
    };
    shown.sort((a, b) => Number(goesRight(a)) - Number(goesRight(b))); // the categories of a side are together
    const strips = shown.map((place, i) => {
      const [x, w] = part(i, shown.length, left, inner.w);
      const right = goesRight(place);
      const area = { left: x, top, w, h: inner.h + above };
      return { area, name: names[place], tint: right, at: null, right, feature: first[place] ?? null };
    });
    const cells = strips.map(({ area, name }) => ({ ...inner, left: area.left, w: area.w, name, range: null }));
    /** @param {number} row */
    const cellOf = (row) => shown.indexOf(placeOf(path, first, row));
    return {
      ...common,
      strips,
      cells,
      cellOf,
      axis: null,
      ...UNIT,
      name: column ?? "",
      isBars: true,
      isTurned,
    };
  }
  const [j] = cases.other;
  const { parts } = cases;
  const second = path.categories[j] ? featuresOf(path, j) : null;
  const ends = second ? UNIT : endsOf(look, node, j);
  const bounds = parts.flatMap((one) => (typeof one === "object" && "bound" in one ? [one.bound] : []));
  const low = Math.min(ends.low, ...bounds);
  const high = Math.max(ends.high, ...bounds);
  const labelled = { first: Math.min(ends.first, ...bounds), last: Math.max(ends.last, ...bounds) };
  const others = second && rows.some((row) => placeOf(path, second, row) === second.length);
  const bins = second ? second.length + Number(others) : mostBins(looks, inner.w, rows.length);
  const unit = (high - low) / bins || 1;
  /** @type {Strip[]} */
  const strips = shown.map((place, i) => {
    const [y, h] = part(i, shown.length, top, inner.h);
    const one = parts[place];
    const at = typeof one === "object" && "bound" in one ? left + ((one.bound - low) / (high - low)) * inner.w : null;
    const right = typeof one === "object" && "bound" in one ? one.relation === "≥" || one.relation === ">" : true;
    const feature = first[place] ?? null;
    return { area: { ...inner, top: y, h }, name: names[place], tint: one === true, at, right, feature };
  });
  // height of the strip names
  const head = box.w >= looks.detail.line && strips[0].area.h >= LABEL.high ? 1.3 * small : 0;
  const cells = strips.flatMap(({ area, name }) =>
    Array.from({ length: bins }, (_, b) => {
      const [x, w] = second
        ? part(b, bins, left, inner.w)
        : [left + (b * inner.w) / bins, inner.w / bins - looks.histogram.gap];
      const own = second ? [name, path.categories[second[b]]?.[1] ?? OTHERS].join(", ") : name;
      /** @type {Pair | null} */
      const range = second ? null : within(labelled, low + b * unit, low + (b + 1) * unit);
      const size = { w: Math.max(w, looks.histogram.gap), h: area.h - head };
      return { ...size, left: x, top: area.top + head, name: own, range };
    }),
  );
  const { X, n } = path.sample;
  /** @param {number} row */
  const cellOf = (row) => {
    const value = X[j * n + row];
    const strip = shown.indexOf(placeOf(path, cases.features, row));
    if (strip < 0 || Number.isNaN(value)) return -1;
    const at = second ? placeOf(path, second, row) : Math.floor((value - low) / unit);
    return strip * bins + Math.max(0, Math.min(bins - 1, at));
  };
  if (second)
    strips.forEach((strip, i) => {
      const one = parts[shown[i]];
      if (typeof one !== "object" || !("named" in one)) return;
      strip.at = null;
      // Each category that goes right has its own tinted bar.
      second.concat(others ? [-1] : []).forEach((feature, b) => {
        if (one.named.includes(feature) === one.others) return;
        const { left: x, w } = cells[i * bins + b];
        const area = { ...strip.area, left: x, w };
        strips.push({ area, name: "", tint: true, at: null, right: true, feature: null });
      });
    });
  const name = path.categories[j]?.[0] ?? path.features[j];
  return {
    ...common,
    strips,
    cells,
    cellOf,
    axis: second ? null : j,
    low,
    high,
    ...labelled,
    name,
    isBars: false,
    isTurned: false,
  };
}

/**
 * Return the position and the value of the split handle in each strip, or [] without a numeric axis. If all rows of a
 * strip take one branch, the handle is at the end of the axis.
 * @param {Look} look @param {number} node @param {Box} box
 */
export function stripBars(look, node, box) {
  const { strips, axis, low, high, inner } = categoryFrame(look, node, box);
  if (axis === null) return [];
  const { features, weights } = look.tree.split(node);
  const rises = weights[features.indexOf(axis)] > 0;
  const unit = inner.w / (high - low);
  return strips.map(({ area, name, tint, at, feature }) => {
    const x = at ?? (tint === rises ? inner.left : inner.left + inner.w);
    const bar = { x, top: area.top, height: area.h, left: inner.left, width: inner.w, unit };
    return { bar, split: low + (x - inner.left) / unit, strip: { feature, axis, name } };
  });
}

/** Return the ends of the axis for one feature of a split. @param {Look} look @param {number} node @param {number} j */
function endsOf(look, node, j) {
  const features = Array.from(look.tree.split(node).features);
  const at = features.indexOf(j);
  const { low, high, first, last } = limits(look, node, features);
  return { low: low[at], high: high[at], first: first[at], last: last[at] };
}

/** Return the shipped features that belong to the column of a category. @param {Path} path @param {number} feature */
function featuresOf({ categories }, feature) {
  const column = categories[feature]?.[0];
  return Object.keys(categories)
    .map(Number)
    .filter((j) => categories[j]?.[0] === column);
}

/** @param {Picture} picture @param {number} node @param {NodeBox} box @param {number} w */
export function categoryPicture(picture, node, box, w) {
  const { context, colors, lit, point, looks, tree } = picture;
  picture.fill(box, colors.theme.surface);
  picture.frame(box, colors.theme.line);
  const frame = categoryFrame(picture, node, box);
  const { strips, cells, rows, inner, missingStrip } = frame;
  context.fillStyle = colors.theme.tint;
  for (const { area, tint, at, right } of strips) {
    if (tint) context.fillRect(area.left, area.top, area.w, area.h);
    else if (at !== null)
      context.fillRect(right ? at : area.left, area.top, right ? area.left + area.w - at : at - area.left, area.h);
  }
  if (missingStrip && tree.missingRight?.[node])
    context.fillRect(missingStrip.left, missingStrip.top, missingStrip.w, missingStrip.h);
  if (picture.path.target.edges !== null) drawStrips(picture, node, frame);
  else {
    const all = heightsOf(picture, frame, null);
    const alpha = context.globalAlpha;
    if (lit) context.globalAlpha = alpha * FADED;
    drawStacks(picture, frame, all, all);
    context.globalAlpha = alpha;
    if (lit) drawStacks(picture, frame, heightsOf(picture, frame, lit), all, 1.5);
  }
  context.fillStyle = colors.theme.split;
  const { bar } = looks.split;
  for (const { area, at } of strips) if (at !== null) context.fillRect(at - bar / 2, area.top, bar, area.h);
  context.fillStyle = colors.theme.line;
  if (missingStrip) context.fillRect(inner.left - 1.5, inner.top, 1, inner.h);
  if (point?.nodes.has(node) && rows.includes(point.row)) {
    const cell = cells[frame.cellOf(point.row)] ?? missingStrip;
    context.strokeStyle = colors.theme.text;
    context.lineWidth = 1.8;
    if (cell) context.strokeRect(cell.left, cell.top, Math.max(cell.w, 3), cell.h);
  }
  drawUpward(picture, box);
  const below = picture.linesBelow(node, box);
  const hasAxis = picture.axes === true || below.axes > 0;
  if (w >= looks.detail.line) labels(picture, frame, box, hasAxis);
  if (below.caption) picture.caption(node, box, below.axes);
}

/**
 * Draw the rows of each cell at the height of their true number, and the predictions on both sides.
 * @param {Picture} picture @param {number} node @param {CategoryFrame} frame
 */
function drawStrips(picture, node, frame) {
  const { cells, cellOf, rows, missingStrip } = frame;
  const [no, yes] = picture.tree.children(node);
  for (const [cell, members] of grouped(rows, (row) => cells[cellOf(row)] ?? missingStrip)) {
    if (!cell) continue;
    const points = members.map((row) => ({ row, x: cell.left + cell.w * (0.5 + 0.42 * spread(row)) }));
    drawNumbers(picture, points, cell);
  }
  for (const { area, from, to, right } of sidesOf(frame)) drawMean(picture, right ? yes : no, area, from, to);
}

/**
 * Return the side to which the rows in each part of each strip go. With two categorical columns, the parts are cells.
 * @param {Pick<CategoryFrame, "strips" | "cells">} frame
 */
export function sidesOf({ strips, cells }) {
  const tinted = strips.filter(({ name, tint }) => tint && !name);
  return strips.flatMap(({ area, tint, at, right, name }) => {
    const own = cells.filter(
      ({ left, top }) => left >= area.left && left < area.left + area.w && top >= area.top && top < area.top + area.h,
    );
    if (!name || !own.length) return [];
    const inner = { ...area, top: own[0].top, h: own[0].h };
    const end = area.left + area.w;
    if (at !== null)
      return [
        { area: inner, from: area.left, to: at, right: !right },
        { area: inner, from: at, to: end, right },
      ];
    const parts = tinted.filter((part) => part.area.top === area.top);
    if (!parts.length) return [{ area: inner, from: area.left, to: end, right: tint }];
    return own.map(({ left, w }) => ({
      ...{ area: inner, from: left, to: left + w },
      right: parts.some((part) => part.area.left === left),
    }));
  });
}

/** @param {Picture} picture @param {CategoryFrame} frame @param {Box} box @param {boolean} hasAxis */
function labels(picture, { strips, axis, low, high, first, last, name, inner, isBars, isTurned }, box, hasAxis) {
  const { colors, size, looks } = picture;
  const y = box.y + box.h / 2 + size.small * looks.words.axis;
  const style = { size: size.small, kind: "axis", color: colors.theme.muted };
  const isNamed = strips[0].area.h > inner.h;
  for (const { area, name: own } of strips) {
    if (isTurned) writeUpward(picture, own, area.left + area.w / 2, inner.top - 4);
    else if (!own || (isBars ? !isNamed || area.w < LABEL.width : area.h < LABEL.high)) continue;
    else if (isBars)
      picture.text.add({
        ...style,
        x: area.left + area.w / 2,
        y: area.top + size.small * 0.65,
        text: own,
        room: area.w,
      });
    else
      picture.text.add({
        ...style,
        x: area.left + 4,
        y: area.top + size.small * 0.7,
        text: own,
        align: "left",
        room: area.w - 8,
      });
  }
  if (hasAxis && axis !== null)
    drawAxis(picture, box, inner, axis, {
      ...{ low, high, first, last },
      y,
      name,
      ...(picture.axes ? { nameY: y + size.small * 1.25 } : {}),
    });
  else if (hasAxis) picture.text.add({ ...style, x: box.x, y, text: name, room: box.w });
}

/**
 * Write the name of a narrow bar from bottom to top.
 * @param {Picture} picture @param {string} name @param {number} x @param {number} bottom
 */
function writeUpward({ context, colors, size }, name, x, bottom) {
  context.save();
  context.translate(x, bottom);
  context.rotate(-Math.PI / 2);
  context.font = `${size.small}px ${FONT}`;
  context.fillStyle = colors.theme.text;
  context.textAlign = "left";
  context.textBaseline = "middle";
  context.fillText(name, 0, 0);
  context.restore();
}

/**
 * Return the number of rows per cell and class, rows with a missing value last. Only selected rows count if there
 * are any.
 * @param {Picture} picture @param {CategoryFrame} frame @param {RowSelection | null} lit
 */
function heightsOf({ path }, { cells, cellOf, rows }, lit) {
  const k = path.target.n;
  const heights = new Uint32Array((cells.length + 1) * k);
  const totals = new Uint32Array(cells.length + 1);
  for (const row of rows) {
    if (lit && !lit.has[row]) continue;
    const cell = cellOf(row);
    const at = cell < 0 ? cells.length : cell;
    heights[at * k + path.sample.y[row]]++;
    totals[at]++;
  }
  return { heights, totals };
}

/**
 * Draw the classes as stacked bars on one scale.
 * @param {Picture} picture @param {CategoryFrame} frame
 * @param {ReturnType<typeof heightsOf>} counted @param {ReturnType<typeof heightsOf>} all @param {number} [least]
 */
function drawStacks({ context, path, colors }, { cells, missingStrip }, { heights }, { totals }, least = 0) {
  const k = path.target.n;
  const most = Math.max(1, ...totals.subarray(0, cells.length));
  [...cells, missingStrip].forEach((cell, i) => {
    if (!cell) return;
    const scale = (cell.h - 1) / (i < cells.length ? most : Math.max(most, totals[i]));
    let bottom = cell.top + cell.h;
    for (let c = 0; c < k; c++) {
      const size = heights[i * k + c];
      if (!size) continue;
      const high = Math.max(size * scale, least);
      context.fillStyle = colors.ofGroup(c);
      context.fillRect(cell.left, bottom - high, cell.w, high);
      bottom -= high;
    }
  });
}

/**
 * Return the marks of the plot, which are its bars.
 * @param {Look} look
 * @param {number} node
 * @param {Box} box
 * @returns {Marks}
 */
export function categoryMarks(look, node, box) {
  const frame = categoryFrame(look, node, box);
  const { cells, cellOf, rows, missingStrip, inner, axis } = frame;
  const areas = missingStrip ? [...cells, missingStrip] : cells;
  /** @param {Corners} corners */
  const touched = (corners) => {
    const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
    const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    return areas.filter(({ left, top, w, h }) => left <= x1 && left + w >= x0 && top <= y1 && top + h >= y0);
  };
  /** @param {Cell[]} some */
  const rowsOf = (some) => {
    const found = new Set(some);
    return Array.from(rows).filter((row) => found.has(areas[cellOf(row) < 0 ? cells.length : cellOf(row)]));
  };
  return {
    area: {
      ...inner,
      left: missingStrip?.left ?? inner.left,
      w: inner.w + (missingStrip ? inner.left - missingStrip.left : 0),
    },
    free: true,
    shown: (corners) => corners,
    rowsIn: (corners) => rowsOf(touched(corners)),
    at: (x, y) => {
      const cell = areas.find(({ left, top, w, h }) => x >= left && x <= left + w + 0.5 && y >= top && y <= top + h);
      const found = cell ? rowsOf([cell]) : [];
      if (!cell || !found.length) return null;
      const range = cell.range?.map((end) => endText(look.path, axis ?? -1, end)).join(" to ");
      const values = range ? `, ${frame.name} ${range}` : "";
      return { rows: found, point: null, range: null, name: `${cell.name}${values}`, isNamed: true };
    },
  };
}
