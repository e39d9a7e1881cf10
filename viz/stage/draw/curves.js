// Charts of the errors and sizes along the path.

import { choosingErrorName, errorTexts, errorTitle, pathError, placeText, setErrorName } from "../model/grid.js";
import { capital, count, counted, setWord } from "../model/number_text.js";
import { errorAtSize, leavesForError } from "../model/comparison.js";
import { nodeName } from "../model/tree.js";
import { FONT, h, sizeCanvas } from "../elements/dom.js";
import { PathChart, SIDE } from "./path_chart.js";

/** Length of the line and of the gap in a legend, in pixels: in a wide chart, and in a narrow one. */
const LEGENDS = [[22, 16], [12, 8]]; // prettier-ignore
const DASHES = [[4, 3], [], [8, 3], [2, 2]];
const [SOLID, DOTTED] = [1, 3];
const DOT = 2.2; // radius in pixels
const NARROW = 480; // width in pixels below which the name of the reference is short
const REFERENCE_PLACES = [1, 0, 0.8, 0.2, 0.6, 0.4, 0.9, 0.1, 0.7, 0.3]; // of its name, as shares of the free width
const BAND = 0.16; // opacity
const LABEL_GAP = 5; // pixels between the line of a recommended tree and its name

/** Two small charts. `on.paths()` returns the paths of the other stages, if several are side by side. */
export class Curves extends PathChart {
  /** @param {Store} store @param {{go(index: number): void, hover(index: number | null): void, paths(): Path[]}} on */
  constructor(store, on) {
    const over = h("canvas", { class: "over", "aria-hidden": "true" });
    super(store, "curves", null, over);
    this.over = over;
    this.beyond = h("span", { class: "beyond", "aria-hidden": "true" }); // added after the marker, to cover it
    this.element.append(this.beyond);
    this.on = on;
    this.isShort = false;
    this.topError = this.topSize = 1;
    this.errorBox = this.sizeBox = { top: 0, height: 0 };
    this.errorEnds = this.sizeEnds = 0; // right ends of the legends above the charts
    /** @type {number | null} left end of the label of a clipped line, on the line of the legend or below it */
    this.beyondStart = null;
    /** @type {number | null} */
    this.beyondBelow = null;
    this.element.addEventListener("pointermove", (event) => on.hover(this.indexAt(event)));
    this.element.addEventListener("pointerleave", () => on.hover(null));
    this.element.addEventListener("click", (event) => on.go(this.indexAt(event)));
  }

  /** Draw the charts, once per path, C, size and theme. @param {number} width @param {number} height */
  draw(width, height) {
    const { path, state, trees } = this.store;
    this.begin(width, height, 12 * state.type);
    const { context } = this;
    const { theme } = this.store.colors;
    const gap = 8,
      title = this.font * 1.5;
    const each = (height - gap) / 2 - title;
    const { isSimple } = this.store;
    this.isShort = state.compact || isSimple; // errors only
    this.errorBox = { top: title, height: this.isShort ? height - title - 7 : each - 2 };
    this.sizeBox = this.isShort
      ? { top: height - 7, height: 0 }
      : { top: title + each + gap + title - 2, height: each - 2 };
    const errors = errorsOf(path, trees);
    // Stages side by side share one scale for all their trees. A single stage scales to the displayed C.
    const beside = this.on.paths();
    this.topError = beside.length
      ? Math.max(...[path, ...beside].map((one) => highestError(one)))
      : highestError(path, this.store.cell, this.store.recommended, this.store.choice, this.neededReference);
    const sizes = sizesOf(trees);
    this.topSize = Math.max(2, ...sizesOf(path.trees).flat()) * 1.15;
    this.drawRecommended();
    const ticks = ticksUpTo(this.topError, Math.floor(this.errorBox.height / (1.3 * this.font)));
    this.axis(
      ticks.map((v) => [this.yError(v), path.target.tickText(v)]),
      this.errorBox.top + 3,
    );
    const errorColors = path.palette.curves.errors[this.store.state.scheme];
    const which = path.sets.length === 1 ? [1] : [0, 1, 2];
    context.save();
    context.beginPath();
    context.rect(0, this.errorBox.top - 2, width, this.errorBox.height + 4);
    context.clip();
    this.band(isSimple ? theme.accent : theme.text, isSimple ? SOLID : DOTTED);
    this.drawReference();
    const last = path.sets.length - 1;
    const lines = errors.map((values) => values.map((v) => this.yError(v)));
    const hasFolds = this.store.choice !== null && !path.grid;
    const hasDots = isSimple && (hasFolds || last === 2); // the line is then the error that selects the trees
    if (hasDots) this.dots(lines[last], theme.accent);
    if (!isSimple) lines.forEach((line, s) => this.line(line, errorColors[which[s]], which[s]));
    else if (!hasFolds) this.line(lines[hasDots ? 1 : last], theme.accent, SOLID);
    context.restore();
    const names = path.sets.map((set) => set.name);
    /** @type {[string, string, number][]} */
    const crossed = this.store.choice ? [["cross-validated", theme.text, 3]] : [];
    if (isSimple) {
      const name = capital(setErrorName(path, names[last]));
      const line = hasFolds ? "folds" : "validation";
      const text = hasDots ? `${capital(setErrorName(path, line))}, dots: ${setErrorName(path, names[last])}` : name;
      this.errorEnds = this.write(text, theme.muted, 400, this.left, this.errorBox.top - title / 2);
    } else
      this.errorEnds = this.legend(this.errorBox.top - title / 2, errorTitle(path), [
        ...names.map(
          (name, s) => /** @type {[string, string, number]} */ ([setWord({ name }), errorColors[which[s]], which[s]]),
        ),
        ...crossed,
      ]);
    this.labelClipped(errors);
    this.nameReference();
    this.nameRecommended(this.errorBox.top - title / 2);
    if (!this.isShort) this.drawSizes(sizes, title);
    const { min } = this.store.recommended;
    const best = this.isHere(min) ? min : undefined;
    const ranges = names.map((name, s) => {
      const [first, last] = [errors[s][0], errors[s].at(-1)].map((error) => path.target.errorText(error));
      return `${setErrorName(path, name)} from ${first} to ${last}`;
    });
    this.canvas.setAttribute(
      "aria-label",
      `Curves over ${counted(trees.length, path.bySize ? "size" : "value")}${path.bySize ? "" : " of λ"}: ${ranges.join(", ")}; ` +
        `leaves from ${sizes[0][0]} to ${sizes[0].at(-1)}.` +
        (best === undefined ? "" : ` The smallest ${choosingErrorName(this.store)} is at ${placeText(path, best)}.`),
    );
  }

  /** Draw a dot for each tree. @param {number[]} heights @param {string} color */
  dots(heights, color) {
    const { context } = this;
    const { first } = this.store.cell;
    context.fillStyle = color;
    for (const [i, y] of heights.entries()) {
      context.beginPath();
      context.arc(this.xOf(first + i), y, DOT, 0, 2 * Math.PI);
      context.fill();
    }
  }

  /** Draw the cross-validated errors, if known, with a band of one standard error. @param {string} color @param {number} dashes */
  band(color, dashes) {
    const { choice, path } = this.store;
    if (!choice || path.grid) return;
    const { errors, spreads } = choice;
    const { context } = this;
    const edge = [
      ...spreads.map((by, i) => [i, errors[i] + by]),
      ...spreads.map((by, i) => [i, errors[i] - by]).reverse(),
    ];
    context.beginPath();
    for (const [i, error] of edge) context.lineTo(this.xOf(i), this.yError(error));
    context.fillStyle = color;
    context.globalAlpha = BAND;
    context.fill();
    context.globalAlpha = 1;
    this.line(errors.map((error) => this.yError(error)), color, dashes); // prettier-ignore
  }

  /**
   * Errors of the reference on the last set: with as many leaves as each displayed tree, or of its only tree. Empty
   * without a reference.
   * @returns {number[]}
   */
  get referenceErrors() {
    const { path, state, trees } = this.store;
    const { reference } = state;
    const set = path.sets[path.sets.length - 1].name;
    const own = reference?.errors[set] ?? null;
    if (!reference || own === null) return [];
    return trees.map((tree) => errorAtSize(reference, tree.sizes(0).leaves, set) ?? own);
  }

  /** Error of the reference that the axis must cover: that of its own tree, if a tree of this size is displayed. */
  get neededReference() {
    const { path, state } = this.store;
    const own = state.reference?.errors[path.sets[path.sets.length - 1].name] ?? null;
    return own === null ? null : Math.max(own, Math.min(...this.referenceErrors));
  }

  /** Draw the errors of the reference. */
  drawReference() {
    const errors = this.referenceErrors;
    if (!errors.length) return;
    const { first } = this.store.cell;
    const points = errors.map((error, i) => /** @type {Pair} */ ([this.xOf(first + i), this.yError(error)]));
    if (points.length === 1) points.splice(0, 1, [this.left, points[0][1]], [this.left + this.inner, points[0][1]]);
    this.stroke(points, this.store.colors.theme.text, 1.5, [6, 4]);
  }

  /** Write the name of the reference at its line, at the place that is farthest from both curves. */
  nameReference() {
    const errors = this.referenceErrors;
    const { reference } = this.store.state;
    if (!errors.length || !reference) return;
    const { context, font } = this;
    const { theme } = this.store.colors;
    const { target, sets } = this.store.path;
    const isNarrow = this.inner < NARROW;
    const own = target.errorText(reference.errors[sets[sets.length - 1].name] ?? NaN);
    const text = reference.sizes?.length
      ? `${reference.method}${isNarrow ? "" : " with as many leaves"}`
      : `${reference.method}: ${own}${isNarrow ? "" : `, ${counted(reference.leaves, "leaf")}`}`;
    context.font = `600 ${font}px ${FONT}`;
    const width = context.measureText(text).width;
    const { first } = this.store.cell;
    const heights = (/** @type {number[]} */ values) => values.map((v) => this.yError(Math.min(v, this.topError)));
    const level = heights(errors);
    const curve = heights(this.store.trees.map((tree) => pathError(tree, sets.length - 1)));
    const xs = errors.map((_, i) => this.xOf(first + i));
    /** Return the smallest and largest height between two places. @param {number[]} ys @param {number} from */
    const between = (ys, from) => {
      const inside = ys.filter((_, i) => xs[i] >= from - 4 && xs[i] <= from + width + 4);
      const nearest = xs.reduce((best, x, i) => (Math.abs(x - from) < Math.abs(xs[best] - from) ? i : best), 0);
      return inside.length ? [Math.min(...inside), Math.max(...inside)] : [ys[nearest], ys[nearest]];
    };
    const free = Math.max(0, this.inner - width - 16);
    const marks = this.recommendedPlaces.map((one) => one.x);
    const [top, bottom] = [this.errorBox.top, this.errorBox.top + this.errorBox.height];
    const places = REFERENCE_PLACES.flatMap((share) => {
      const from = this.left + 8 + share * free;
      const [high, low] = between(level, from);
      return [high - 0.8 * font, low + 0.9 * font].map((middle, side) => {
        const [nearest, farthest] = between(curve, from);
        const isOutside = middle - 0.8 * font < top || middle + 0.6 * font > bottom;
        const isCovered = this.beyondBelow !== null && from + width > this.beyondBelow;
        const distance = middle < nearest ? nearest - middle : middle > farthest ? middle - farthest : 0;
        const slope = low - high; // a steep part of the line is far from its name
        const isCrossed = marks.some((x) => x > from - 6 && x < from + width + 6);
        const score = Math.min(distance, 2 * font) - slope - side - (isCrossed ? 2 * font : 0);
        return { x: from, middle, score: isOutside || isCovered ? -Infinity : score };
      });
    });
    const { x, middle } = places.reduce((best, place) => (place.score > best.score ? place : best));
    context.fillStyle = theme.background;
    context.fillRect(x - 3, middle - 0.6 * font, width + 6, 1.2 * font);
    context.textBaseline = "middle";
    this.write(text, theme.text, 600, x, middle);
  }

  /** @param {number[][]} sizes @param {number} title */
  drawSizes(sizes, title) {
    const { path, state } = this.store;
    const colors = path.palette.curves.sizes[state.scheme];
    const ticks = [1, 3, 10, 30, 100, 300, 1000, 3000].filter((v) => v <= this.topSize);
    /** @type {number[]} */
    const few = [];
    for (const v of ticks)
      if (!few.length || this.ySize(few[few.length - 1]) - this.ySize(v) > 1.1 * this.font) few.push(v);
    this.axis(
      few.map((v) => [this.ySize(v), count(v)]),
      this.sizeBox.top + 3,
    );
    sizes.forEach((values, i) =>
      this.line(
        values.map((v) => this.ySize(v)),
        colors[i],
        i,
      ),
    );
    const names = ["leaves", path.imageShape ? "pixels per node" : "features per node", "mean path length"];
    this.sizeEnds = this.legend(
      this.sizeBox.top - title / 2,
      "size",
      names.map((name, i) => [name, colors[i], i]),
    );
  }

  /** Add a label where lines continue above the chart. @param {number[][]} errors */
  labelClipped(errors) {
    const most = Math.max(...errors.flat());
    const { beyond, font } = this;
    beyond.hidden = most <= this.topError;
    this.beyondStart = this.beyondBelow = null;
    if (beyond.hidden) return;
    const text = `↑ up to ${this.store.path.target.errorText(most)}`;
    this.context.font = `${font}px ${FONT}`;
    const start = this.width - SIDE.right - this.context.measureText(text).width;
    // The label moves down if it would overlap the legend.
    const isBelow = start < this.errorEnds;
    const middle = this.errorBox.top + font * (isBelow ? 1 : -0.75);
    beyond.textContent = text;
    Object.assign(beyond.style, { top: `${middle}px`, right: `${SIDE.right}px`, fontSize: `${font}px` });
    [this.beyondStart, this.beyondBelow] = isBelow ? [null, start] : [start, null];
  }

  /** @param {number} value */
  yError(value) {
    return this.errorBox.top + this.errorBox.height * (1 - value / this.topError);
  }

  /** @param {number} value */
  ySize(value) {
    return this.sizeBox.top + this.sizeBox.height * (1 - Math.log1p(Math.max(value, 0)) / Math.log1p(this.topSize));
  }

  /**
   * Draw a curve, or a dot for a single value.
   * @param {number[]} heights @param {string} color @param {number} dash index in DASHES
   */
  line(heights, color, dash) {
    const { first } = this.store.cell;
    this.stroke(
      heights.map((y, i) => [this.xOf(first + i), y]),
      color,
      2,
      DASHES[dash],
    );
    if (heights.length > 1) return;
    this.context.beginPath();
    this.context.arc(this.xOf(first), heights[0], 3, 0, 7);
    this.context.stroke();
  }

  /**
   * Draw a legend on one line, shortened if necessary; return its right end.
   * @param {number} y @param {string} title @param {[string, string, number][]} entries (name, colour, index in DASHES)
   */
  legend(y, title, entries) {
    const { theme } = this.store.colors;
    const start = this.write(title, theme.text, 600, this.left, y) - 2;
    this.context.font = `400 ${this.font}px ${FONT}`;
    let names = entries.map(([name]) => name);
    /** @param {number[]} sizes */
    const fits = ([length, gap]) =>
      names.reduce((x, name) => x + gap + length + 5 + this.context.measureText(name).width, start) <= this.width;
    const [length, gap] = LEGENDS.find(fits) ?? LEGENDS[1];
    if (!fits([length, gap])) names = names.map((name) => name.replace(" per ", "/"));
    let x = start + gap;
    entries.forEach(([, color, dash], i) => {
      this.stroke([[x, y], [x + length, y]], color, 2.5, DASHES[dash]); // prettier-ignore
      x = this.write(names[i], theme.muted, 400, x + length + 5, y) + gap;
    });
    return x;
  }

  /** Return whether a tree has the displayed C. @param {number | undefined} index */
  isHere(index) {
    const { first, last } = this.store.cell;
    return index !== undefined && index >= first && index <= last;
  }

  /** Return the horizontal positions of the recommended trees, each with their names. */
  get recommendedPlaces() {
    const { one_se: simple, min: best } = this.store.recommended;
    const isSame = simple === best;
    /** @type {[number | undefined, string][]} */
    const named = [
      [simple, isSame ? "Best and simplest good tree" : "Simplest good tree"],
      [isSame ? undefined : best, "Best tree"],
    ];
    return named.flatMap(([index, text]) =>
      index !== undefined && this.isHere(index) ? [{ x: this.xOf(index), text }] : [],
    );
  }

  drawRecommended() {
    const [top, bottom] = [this.errorBox.top - 4, this.sizeBox.top + this.sizeBox.height];
    for (const { x } of this.recommendedPlaces)
      this.stroke([[x, top], [x, bottom]], this.store.colors.theme.muted, 1.4, [2, 3]); // prettier-ignore
  }

  /** Write the names of the recommended trees at their lines, shortened in a narrow chart. @param {number} y */
  nameRecommended(y) {
    const { context, font, inner } = this;
    context.font = `400 ${font}px ${FONT}`;
    const labels = this.recommendedPlaces.map(({ x, text }) => {
      const short = inner < NARROW ? text.replace(/ tree$/, "") : text;
      return { x, text: short, width: context.measureText(short).width };
    });
    const taken = /** @type {Pair} */ ([this.left, this.errorEnds]);
    const end = this.beyondStart ?? this.width;
    labelPlaces(labels, [taken], [this.left, end], LABEL_GAP).forEach((from, i) => {
      if (from !== null)
        this.errorEnds = Math.max(
          this.errorEnds,
          this.write(labels[i].text, this.store.colors.theme.muted, 400, from, y),
        );
    });
    if (this.beyondStart !== null) this.errorEnds = this.width;
  }

  /**
   * Draw the hovered or selected node along the path: its error, its weights, and whether it is a decision node or a
   * leaf.
   * @param {number | null} origin
   */
  drawNode(origin) {
    const context = sizeCanvas(this.over, this.width, this.height);
    context.clearRect(0, 0, this.width, this.height);
    if (origin === null || this.isShort) return;
    const { path, colors, state, trees, cell } = this.store;
    context.strokeStyle = context.fillStyle = colors.theme.text;
    context.lineWidth = 1.3;
    const base = this.sizeBox.top + this.sizeBox.height;
    const half = trees.length > 1 ? this.inner / (trees.length - 1) / 2 : 6;
    /** @type {[Corners, Corners]} */
    const [errors, weights] = [[], []];
    trees.forEach((tree, at) => {
      const i = cell.first + at;
      const node = tree.nodeOf.get(origin);
      if (node === undefined) return;
      const leaf = tree.isLeaf(node);
      context.globalAlpha = leaf ? 0.3 : 0.8;
      context.fillRect(this.xOf(i) - half, base - 3, 2 * half, 3);
      const { n, losses } = tree.figures(state.set);
      if (n[node] && !path.weighted) errors.push([this.xOf(i), this.yError(path.target.error(losses[node], n[node]))]);
      if (!leaf) weights.push([this.xOf(i), this.ySize(tree.nWeights(node))]);
    });
    context.globalAlpha = 0.8;
    for (const { points, box } of [
      { points: errors, box: this.errorBox },
      { points: weights, box: this.sizeBox },
    ]) {
      context.save();
      context.beginPath();
      context.rect(0, box.top - 2, this.width, box.height + 4);
      context.clip();
      context.beginPath();
      points.forEach(([x, y]) => context.lineTo(x, y));
      context.stroke();
      context.restore();
    }
    context.globalAlpha = 1;
    context.font = `${this.font}px ${FONT}`;
    context.textAlign = "right";
    context.textBaseline = "middle";
    const shown = this.store.tree.nodeOf.get(origin);
    const name = shown === undefined ? "this node" : nodeName(this.store.tree, shown);
    const right = this.width - SIDE.right;
    for (const text of [`thin line: ${name} alone`, `thin: ${name}`]) {
      const free = right - context.measureText(text).width;
      const box = this.sizeEnds <= free ? this.sizeBox : this.errorEnds <= free ? this.errorBox : null;
      if (!box) continue;
      context.fillText(text, right, box.top - this.font * 0.75);
      break;
    }
  }

  /** Show the metrics of the tree under the pointer. @param {number | null} index */
  showTip(index) {
    const { path, choice } = this.store;
    if (index === null) return this.tell(null, []);
    const tree = path.trees[index];
    const recommended = Object.entries(this.store.recommended)
      .filter(([, k]) => k === index)
      .map(([rule]) =>
        rule === "min" ? `smallest ${choosingErrorName(this.store)}` : "simplest within one standard error",
      );
    const [error, by] = [choice?.errors, choice?.spreads].map((of) => of && path.target.errorText(of[index]));
    const crossed = error ? [`cross-validated ${error} ± ${by}`] : [];
    const { reference } = this.store.state;
    const { leaves } = tree.sizes(0);
    const set = path.sets[path.sets.length - 1];
    const own = pathError(tree, path.sets.length - 1);
    const other = reference && errorAtSize(reference, leaves, set.name);
    const needed = reference && leavesForError(reference, own, set.name);
    const compared =
      reference && other !== null
        ? [
            `${reference.method} with as many leaves ${path.target.errorText(other)}`,
            needed === null
              ? `no ${reference.method} tree is as good`
              : `${reference.method} needs ${counted(needed, "leaf")} for this`,
          ]
        : [];
    return this.tell(index, [
      placeText(path, index),
      ...errorTexts(path, index),
      ...crossed,
      counted(leaves, "leaf"),
      ...compared,
      ...recommended,
    ]);
  }
}

/**
 * Return zero and the round values up to `top`, of which at most `most`, but at least one, are above zero.
 * @param {number} top @param {number} most
 */
export function ticksUpTo(top, most) {
  const unit = 10 ** Math.floor(Math.log10(top / Math.max(1, most)));
  const steps = [1, 2, 5, 10].map((times) => times * unit);
  const step = steps.find((value) => top / value < Math.max(1, most) + 1) ?? top;
  return Array.from({ length: Math.floor(top / step) + 1 }, (_, i) => i * step);
}

/**
 * Return the left ends of labels at these places, next to each other on one line and outside the `taken` spans, or null
 * for labels that find no room. The first label of the list has its choice first: right of its place, left of it, or
 * centred.
 * @param {{x: number, width: number}[]} labels @param {Pair[]} taken @param {Pair} range @param {number} gap
 * @returns {(number | null)[]}
 */
export function labelPlaces(labels, taken, [low, high], gap) {
  const spans = [...taken];
  return labels.map(({ x, width }) => {
    const free = [x + gap, x - gap - width, x - width / 2].find(
      (from) =>
        from >= low && from + width <= high && spans.every(([a, b]) => from + width + gap <= a || from >= b + gap),
    );
    if (free === undefined) return null;
    spans.push([free, free + width]);
    return free;
  });
}

/** Return the errors of trees for every set. @param {Path} path @param {StageTree[]} trees */
function errorsOf(path, trees) {
  return path.sets.map((_, s) => trees.map((tree) => pathError(tree, s)));
}

/** Return the leaves, weights per node and splits per row of trees. @param {StageTree[]} trees */
function sizesOf(trees) {
  const all = trees.map((tree) => tree.sizes(0));
  return [all.map((s) => s.leaves), all.map((s) => s.perNode), all.map((s) => s.steps)];
}

/**
 * Return the top of the error axis, which the smallest trees may exceed because they are often far worse. The axis
 * covers the recommended trees and most cross-validated errors. From the largest tree to the simplest recommended tree,
 * it covers all cross-validated errors with their band. It covers all errors if that is not much higher.
 * @param {Path} path @param {{first: number, last: number}} cell range of the trees to cover, by default all trees
 * @param {Path["recommended"]} recommended @param {Choice | null} choice
 * @param {number | null} reference error of another method
 */
export function highestError(
  path,
  { first, last } = { first: 0, last: path.trees.length - 1 },
  recommended = path.recommended,
  choice = null,
  reference = null,
) {
  const errors = errorsOf(path, path.trees.slice(first, last + 1));
  const all = errors.flat().sort((a, b) => a - b);
  const { least, most: limit } = path.target.measure;
  const most = Math.max(all[all.length - 1], least, reference ?? 0);
  const needed = Object.values(recommended)
    .filter((index) => index >= first && index <= last)
    .flatMap((index) => errors.map((of) => of[index - first]));
  if (choice && !path.grid) {
    const simplest = Math.max(...Object.values(recommended));
    const crossed = [...choice.errors].sort((a, b) => a - b);
    needed.push(crossed[Math.floor(0.65 * (crossed.length - 1))]);
    needed.push(...choice.errors.slice(0, simplest + 1).map((error, i) => error + choice.spreads[i]));
  }
  if (reference !== null) needed.push(reference);
  const top = Math.max(least, 1.6 * all[Math.floor(0.65 * (all.length - 1))], ...needed.map((v) => 1.2 * v));
  return Math.min(top > 0.6 * most ? most * 1.05 : top, limit ?? Infinity);
}
