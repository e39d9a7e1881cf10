// What is inside a node, by the room it has: dot, glyph, thumbnail, split line and class bar, full plot.

import { inkOn } from "./colors.js";
import { number, count, condition, threshold } from "./condition.js";

/** Widths on screen from which a node shows more. */
export const DETAIL = { glyph: 8, thumbnail: 24, line: 64, full: 160 };
const MAX_POINTS = { thumbnail: 90, line: 220, full: 1500 };

/**
 * Draws nodes of one tree. `look`: {path, tree, set, colors, sprites, globalScale, type (text scale)};
 * `text`: sink of labels with add({x, y, text, ...}).
 */
export class Picture {
  constructor(context, look, text) {
    this.context = context;
    Object.assign(this, look);
    this.text = text;
    this.size = { small: 10 * this.type, normal: 11 * this.type, large: 12.5 * this.type };
  }

  /** Draw a node into `box` {x, y: centre, w, h, room: width for text}. */
  draw(node, box) {
    const w = Math.max(box.w, box.h * 0.6);
    if (w < DETAIL.glyph) this.dot(node, box);
    else if (this.tree.isLeaf(node)) this.leaf(node, box, w);
    else if (this.path.imageShape && w >= 11) this.weights(node, box, w);
    else if (w < DETAIL.thumbnail) this.glyph(node, box);
    else if (this.isScatter(node)) this.scatter(node, box, w);
    else this.projection(node, box, w);
  }

  isScatter(node) {
    return this.path.nFeatures === 2 || this.tree.nWeights(node) === 2;
  }

  /** Lines of text below the picture of a decision node in the tree: {axes: 0, 1 or 2, caption: 0 or 1}. */
  linesBelow(node, box) {
    const none = { axes: 0, caption: 0 };
    if (this.axes || this.tree.isLeaf(node)) return none;
    const w = Math.max(box.w, box.h * 0.6);
    const fits = Math.floor((box.below - 12 * this.type) / (14 * this.type));
    const scatter = this.isScatter(node),
      one = this.tree.nWeights(node) === 1;
    const caption = this.path.imageShape ? w >= 40 : scatter ? w >= DETAIL.line : one && w >= 44;
    if (fits < 1) return none;
    const axes = this.path.imageShape || w < DETAIL.full ? 0 : scatter ? 2 : 1;
    return { axes: axes + caption <= fits ? axes : 0, caption: Number(caption) };
  }

  dot(node, box) {
    const { context, tree, colors } = this;
    const radius = Math.max(1.3, Math.min(box.w, box.h) / 2);
    context.fillStyle = tree.isLeaf(node) ? colors.ofClass(tree.label[node]) : colors.theme.muted;
    context.beginPath();
    context.arc(box.x, box.y, radius, 0, 7);
    context.fill();
  }

  frame(box, color, width = 1) {
    this.context.strokeStyle = color;
    this.context.lineWidth = width;
    this.context.strokeRect(box.x - box.w / 2, box.y - box.h / 2, box.w, box.h);
  }

  fill(box, color) {
    this.context.fillStyle = color;
    this.context.fillRect(box.x - box.w / 2, box.y - box.h / 2, box.w, box.h);
  }

  /** Mark of the kind of a decision: | one feature, / two, # more. */
  glyph(node, box) {
    const { context, colors } = this;
    this.fill(box, colors.theme.surface);
    this.frame(box, colors.theme.line);
    const s = Math.min(box.w, box.h) * 0.28;
    const kind = this.tree.nWeights(node);
    const lines =
      kind <= 1
        ? [[0, -1, 0, 1]]
        : kind === 2
          ? [[-1, 1, 1, -1]]
          : [
              [-0.4, -1, -0.4, 1],
              [0.4, -1, 0.4, 1],
              [-1, -0.4, 1, -0.4],
              [-1, 0.4, 1, 0.4],
            ];
    context.strokeStyle = colors.theme.muted;
    context.lineWidth = 1.3;
    context.beginPath();
    for (const [a, b, c, d] of lines) {
      context.moveTo(box.x + a * s, box.y + b * s);
      context.lineTo(box.x + c * s, box.y + d * s);
    }
    context.stroke();
  }

  weights(node, box, w) {
    const atlas = this.sprites.weights(this.tree, this.colors, this.globalScale);
    this.image(atlas, atlas.cell(node), box);
    this.frame(box, this.colors.theme.line);
    if (this.linesBelow(node, box).caption) {
      this.text.add({
        x: box.x,
        y: box.y + box.h / 2 + 4 + this.size.small * 0.62,
        text: `${this.tree.nWeights(node)} px`,
        size: this.size.small,
        color: this.colors.theme.muted,
        room: box.room,
        kind: "caption",
        node,
      });
    }
    if (w >= DETAIL.line) this.classBar(node, { x: box.x, y: box.y + box.h / 2 - 2.5, w: box.w, h: 5 });
  }

  image(atlas, cell, box) {
    const { context } = this;
    context.imageSmoothingEnabled = box.w < atlas.w;
    context.imageSmoothingQuality = "high";
    context.drawImage(
      atlas.canvas,
      cell[0],
      cell[1],
      atlas.w,
      atlas.h,
      box.x - box.w / 2,
      box.y - box.h / 2,
      box.w,
      box.h,
    );
  }

  /** Shares of the classes of a node as a stacked bar. */
  classBar(node, box) {
    const { context, tree, colors } = this;
    const { counts, n } = tree.figures(this.set);
    const k = this.path.classes.length;
    if (!n[node]) return;
    let left = box.x - box.w / 2;
    for (let c = 0; c < k; c++) {
      const width = (counts[node * k + c] / n[node]) * box.w;
      if (!width) continue;
      context.fillStyle = colors.ofClass(c);
      context.fillRect(left, box.y - box.h / 2, width, box.h);
      left += width;
    }
  }

  leaf(node, box, w) {
    const { tree, path, colors } = this;
    const color = colors.ofClass(tree.label[node]);
    if (path.imageShape && w >= 11) {
      const atlas = this.sprites.means(tree, colors, this.set);
      const cell = atlas.cell(node);
      if (cell) this.image(atlas, cell, box);
      else this.fill(box, colors.theme.surface);
      this.frame(box, color, w >= 28 ? 3 : 2);
      if (w >= 20) this.badge(node, box, color);
      return;
    }
    this.fill(box, color);
    if (path.imageShape) return;
    const strip = Math.min(7, box.h / 4);
    this.classBar(node, { x: box.x, y: box.y + box.h / 2 - strip / 2, w: box.w, h: strip });
    if (w >= 10) this.fill({ x: box.x, y: box.y + box.h / 2 - strip, w: box.w, h: 1 }, colors.theme.background);
    this.leafText(node, { ...box, y: box.y - strip / 2, h: box.h - strip }, color);
  }

  leafText(node, box, color) {
    const { tree, path } = this;
    const label = {
      x: box.x,
      text: path.classes[tree.label[node]],
      color: inkOn(color),
      room: box.w - 4,
      weight: 600,
      node,
      shrinks: true,
    };
    const { n, errors } = tree.figures(this.set);
    const lines = Math.floor(box.h / (this.size.normal * 1.22));
    if (lines >= 1) {
      const two = lines >= 2 && box.w >= 44;
      this.text.add({ ...label, y: box.y - (two ? this.size.normal * 0.6 : 0), size: this.size.normal, kind: "leaf" });
      if (two) {
        const wrong = box.w >= 96 ? `, ${count(errors[node])} wrong` : "";
        this.text.add({
          ...label,
          weight: 400,
          y: box.y + this.size.normal * 0.62,
          size: this.size.small,
          text: `${box.w >= 60 ? "n = " : ""}${count(n[node])}${wrong}`,
          kind: "leaf",
        });
      }
    }
  }

  /** Class name on its colour below the mean image of a leaf, or on its lower edge where there is no room below. */
  badge(node, box, color) {
    const size = this.size.normal;
    const outside = box.below === undefined || box.below >= size * 1.5;
    if (!outside && box.h < 2.2 * size) return;
    this.text.add({
      x: box.x,
      y: box.y + box.h / 2 + size * (outside ? 0.72 : -0.6),
      text: this.path.classes[this.tree.label[node]],
      size,
      color: inkOn(color),
      background: color,
      room: box.room,
      weight: 600,
      kind: "leaf",
      node,
      least: box.w,
      shrinks: true,
    });
    if (box.w < 52 || !(box.below >= 3 * size)) return;
    const { n, errors } = this.tree.figures(this.set);
    this.text.add({
      x: box.x,
      y: box.y + box.h / 2 + size * 1.95,
      size: this.size.small,
      color: this.colors.theme.muted,
      kind: "caption",
      node,
      text: `${count(n[node])}, ${count(errors[node])} wrong`,
      room: box.room,
      whole: true,
    });
  }

  /** Two features: the rows in the plane, the side that goes right tinted, and the line. */
  scatter(node, box, w) {
    const { context, path, tree, colors } = this;
    const [a, b] = path.nFeatures === 2 ? [0, 1] : tree.split(node).features;
    const { low, high } = this.limits(node, [a, b]);
    const left = box.x - box.w / 2,
      bottom = box.y + box.h / 2;
    const px = (v) => left + ((v - low[0]) / (high[0] - low[0])) * box.w;
    const py = (v) => bottom - ((v - low[1]) / (high[1] - low[1])) * box.h;
    context.save();
    context.beginPath();
    context.rect(left, bottom - box.h, box.w, box.h);
    context.clip();
    this.fill(box, colors.theme.background);
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
    this.points(node, [a, b], px, py, w);
    if (ends.length === 2) {
      context.strokeStyle = colors.theme.text;
      context.lineWidth = w >= DETAIL.line ? 2 : 1.2;
      context.beginPath();
      ends.forEach(([x, y]) => context.lineTo(px(x), py(y)));
      context.stroke();
    }
    context.restore();
    this.frame(box, colors.theme.line);
    const below = this.linesBelow(node, box);
    if (below.caption) this.caption(node, box, below.axes);
    if (this.axes || below.axes) this.scatterAxes(box, [a, b], low, high);
  }

  points(node, [a, b], px, py, w) {
    const { context, path, tree, colors } = this;
    const { rows } = tree.reaching(this.set, node);
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

  scatterAxes(box, [a, b], low, high) {
    const { path, colors, size } = this;
    const add = (label) => this.text.add({ color: colors.theme.muted, size: size.small, kind: "axis", ...label });
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

  /** Limits of the axes: those of the whole data in the plane, else of the rows of the node at its first lambda. */
  limits(node, features) {
    const { path, tree } = this;
    const key = path.nFeatures === 2 ? "plane" : `${tree.origin[node]} ${features.join()}`;
    path.limits ??= new Map();
    if (!path.limits.has(key)) path.limits.set(key, this.freshLimits(node, features));
    return path.limits.get(key);
  }

  freshLimits(node, features) {
    const { path, tree } = this;
    const { X, n } = path.sample;
    let rows = Array.from({ length: n }, (_, i) => i);
    if (path.nFeatures !== 2) {
      const first =
        path.trees.find((other) => {
          const there = other.nodeOf.get(tree.origin[node]);
          return there !== undefined && String(other.split(there).features) === String(features);
        }) ?? tree;
      const all = path.sets.flatMap((_, s) => Array.from(first.reaching(s, first.nodeOf.get(tree.origin[node])).rows));
      if (all.length > 1) rows = all;
    }
    const ends = features.map((j) => {
      const values = rows.map((row) => X[j * n + row]).sort((p, q) => p - q);
      const tail = path.nFeatures === 2 ? 0 : 0.01;
      const low = values[Math.floor(tail * (values.length - 1))],
        high = values[Math.ceil((1 - tail) * (values.length - 1))];
      const pad = (high - low) * 0.04 || Math.abs(high) * 0.05 || 0.5;
      return [low - pad, high + pad];
    });
    return { low: ends.map((e) => e[0]), high: ends.map((e) => e[1]) };
  }

  /** One feature: its histogram and the threshold. More: bars of the coefficients and the histogram of w.x + b. */
  projection(node, box, w) {
    const { tree, colors } = this;
    const one = tree.nWeights(node) === 1;
    this.fill(box, colors.theme.surface);
    this.frame(box, colors.theme.line);
    const row = this.size.small * 1.28;
    let bars = 0;
    if (!one && w >= DETAIL.line && box.h >= 58) {
      const fits = Math.floor((box.h * 0.52 - 4) / row);
      bars = Math.max(0, Math.min(fits, tree.nWeights(node) > fits ? fits : tree.nWeights(node)));
      this.bars(node, { x: box.x, y: box.y - box.h / 2 + 3 + (bars * row) / 2, w: box.w, h: bars * row }, bars);
    }
    const top = bars ? bars * row + 6 : 3;
    const inner = { x: box.x, w: box.w - 6, h: box.h - top - 3, y: box.y + (top - 3) / 2 };
    const below = this.linesBelow(node, box);
    if (inner.h > 6) this.histogram(node, inner, one, this.axes || below.axes);
    if (below.caption) this.caption(node, box, below.axes);
  }

  caption(node, box, linesAbove) {
    const { tree, colors, size } = this;
    this.text.add({
      x: box.x,
      y: box.y + box.h / 2 + 4 + size.small * 0.62 + linesAbove * 13 * this.type,
      size: size.small,
      color: colors.theme.text,
      text: condition(tree, node, 2),
      room: Math.max(box.room - 4, box.w),
      kind: "caption",
      node,
      whole: tree.nWeights(node) === 1,
    });
  }

  /** Coefficients times the standard deviation of the feature, longest first. */
  bars(node, box, rows) {
    const { context, path, tree, colors, size } = this;
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
        this.text.add({
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
      this.text.add({
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

  histogram(node, box, one, axes) {
    const { context, path, tree, colors } = this;
    const { rows, margins } = tree.reaching(this.set, node);
    const { sample } = path;
    const { features, weights, bias } = tree.split(node);
    const column = one ? features[0] * sample.n : 0;
    const value = one ? (p) => sample.X[column + rows[p]] : (p) => margins[p];
    const split = one ? threshold(weights[0], bias) : 0;
    let { low, high } = one ? flat(this.limits(node, [features[0]])) : rangeOf(margins);
    low = Math.min(low, split);
    high = Math.max(high, split);
    if (!(high > low)) high = low + 1;
    const bins = Math.max(6, Math.min(Math.round(box.w / 5), 60));
    const k = path.classes.length;
    const heights = new Uint32Array(bins * k);
    const totals = new Uint32Array(bins);
    for (let p = 0; p < rows.length; p++) {
      const bin = Math.max(0, Math.min(bins - 1, Math.floor(((value(p) - low) / (high - low)) * bins)));
      heights[bin * k + sample.y[rows[p]]]++;
      totals[bin]++;
    }
    const most = totals.reduce((x, y) => Math.max(x, y), 1);
    const left = box.x - box.w / 2,
      bottom = box.y + box.h / 2,
      width = box.w / bins;
    const at = left + ((split - low) / (high - low)) * box.w;
    context.fillStyle = colors.theme.tint;
    const yesRight = !one || weights[0] > 0;
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
    if (axes) this.histogramAxes(box, low, high, one ? path.features[features[0]] : "w·x + b");
  }

  histogramAxes(box, low, high, name) {
    const { colors, size } = this;
    const add = (label) =>
      this.text.add({
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
}

function flat({ low, high }) {
  return { low: low[0], high: high[0] };
}

/** 1st to 99th percentile. */
function rangeOf(values) {
  const sorted = Float64Array.from(values).sort();
  if (!sorted.length) return { low: -1, high: 1 };
  return { low: sorted[Math.floor(0.01 * (sorted.length - 1))], high: sorted[Math.ceil(0.99 * (sorted.length - 1))] };
}

/** Corners of the part of a rectangle where direction . x + offset >= 0, and the ends of its border inside. */
export function halfPlane(direction, offset, low, high) {
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
