// Errors and sizes along the path, over the same axis as the slider; a marker follows the tree on screen.

import { count, number } from "../model/number_text.js";
import { h, sized } from "../elements/dom.js";

export const SIDE = { left: 46, right: 14 };
export const THUMB = 18; // width of the slider's thumb, see store.css
const ROOM_FOR_CLIPPED = 420; // pixels, less only where the legend needs them all
const ROOM_FOR_LEGEND = 330;
const ERROR_DASHES = [[4, 3], [], [8, 3]];
const SIZES = [
  ["leaves", (s) => s.leaves],
  ["per node", (s) => s.perNode],
  ["decisions", (s) => s.steps],
];

/** Two small charts; `on`: {go(index), hover(index or null), paths(): those of the stages beside it}. */
export class Curves {
  constructor(store, on) {
    this.store = store;
    this.on = on;
    this.canvas = h("canvas", { role: "img" });
    this.over = h("canvas", { class: "over", "aria-hidden": "true" });
    this.marker = h("div", { class: "marker", "aria-hidden": "true" });
    this.tip = h("div", { class: "tip", role: "status" });
    this.element = h("div", { class: "curves" }, this.canvas, this.over, this.marker, this.tip);
    const indexAt = (event) => this.indexAt(event.clientX - this.element.getBoundingClientRect().left);
    this.element.addEventListener("pointermove", (event) => on.hover(indexAt(event)));
    this.element.addEventListener("pointerleave", () => on.hover(null));
    this.element.addEventListener("click", (event) => on.go(indexAt(event)));
  }

  get inner() {
    return this.width - SIDE.left - SIDE.right;
  }

  xOf(index) {
    const last = this.store.path.trees.length - 1;
    return SIDE.left + (last ? index / last : 0.5) * this.inner;
  }

  indexAt(x) {
    const last = this.store.path.trees.length - 1;
    return Math.max(0, Math.min(last, Math.round(((x - SIDE.left) / Math.max(this.inner, 1)) * last)));
  }

  /** Draw the charts; once per path, size and theme. */
  draw(width, height) {
    this.width = width;
    this.height = height;
    const { path, state } = this.store;
    const context = sized(this.canvas, width, height);
    context.clearRect(0, 0, width, height);
    this.context = context;
    this.font = 10.5 * state.type;
    const gap = 8,
      title = this.font * 1.5;
    const each = (height - gap) / 2 - title;
    this.isShort = state.compact; // errors only
    this.errorBox = { top: title, height: this.isShort ? height - title - 7 : each - 2 };
    this.sizeBox = this.isShort
      ? { top: height - 7, height: 0 }
      : { top: title + each + gap + title - 2, height: each - 2 };
    const errors = errorsOf(path);
    // stages side by side have one scale
    this.topError = Math.max(...[path, ...this.on.paths()].map(highestError));
    const sizes = SIZES.map(([, of]) => path.trees.map((tree) => of(tree.sizes(0))));
    this.topSize = Math.max(2, ...sizes.flat()) * 1.15;
    this.recommended();
    this.axis(
      this.errorBox,
      [0, this.topError / 2, this.topError].map((v) => [this.yError(v), path.target.tickText(v)]),
    );
    const { errors: errorColors } = path.palette.curves;
    const which = path.sets.length === 1 ? [1] : [0, 1, 2];
    context.save();
    context.beginPath();
    context.rect(0, this.errorBox.top - 2, width, this.errorBox.height + 4);
    context.clip();
    path.sets.forEach((_, s) =>
      this.line(errors[s], (v) => this.yError(v), errorColors[which[s]], ERROR_DASHES[which[s]]),
    );
    context.restore();
    this.clipped(errors);
    this.legend(
      this.errorBox.top - title / 2,
      "error",
      path.sets.map((set, s) => [set.name, errorColors[which[s]], ERROR_DASHES[which[s]]]),
    );
    if (!this.isShort) this.drawSizes(sizes, title);
    const best = path.recommended.min;
    this.canvas.setAttribute(
      "aria-label",
      `Curves over ${path.trees.length} values of lambda: ` +
        path.sets
          .map(
            (set, s) =>
              `${set.name} error from ${path.target.errorText(errors[s][0])} to ${path.target.errorText(errors[s].at(-1))}`,
          )
          .join(", ") +
        `; leaves from ${sizes[0][0]} to ${sizes[0].at(-1)}.` +
        (best === undefined ? "" : ` The smallest validation error is at lambda ${number(path.lams[best])}.`),
    );
  }

  drawSizes(sizes, title) {
    const { path } = this.store;
    const colors = path.palette.curves.sizes;
    const ticks = [1, 3, 10, 30, 100, 300, 1000, 3000].filter((v) => v <= this.topSize);
    this.axis(
      this.sizeBox,
      (ticks.length > 4 ? ticks.filter((_, i) => i % 2 === 0) : ticks).map((v) => [this.ySize(v), count(v)]),
    );
    SIZES.forEach((_, i) => this.line(sizes[i], (v) => this.ySize(v), colors[i], ERROR_DASHES[i]));
    const names = ["leaves", path.imageShape ? "pixels per node" : "features per node", "decisions per row"];
    this.legend(
      this.sizeBox.top - title / 2,
      "size",
      names.map((name, i) => [name, colors[i], ERROR_DASHES[i]]),
    );
  }

  /** Say how far lines go on above the chart. */
  clipped(errors) {
    const most = Math.max(...errors.flat());
    if (most <= this.topError || this.width < ROOM_FOR_CLIPPED) return;
    const { context } = this;
    context.textAlign = "right";
    context.font = `${this.font}px system-ui, sans-serif`;
    context.fillStyle = this.store.colors.theme.muted;
    const { target } = this.store.path;
    context.fillText(
      `↑ up to ${target.errorText(most, 0)}`,
      this.width - SIDE.right,
      this.errorBox.top - this.font * 0.75,
    );
  }

  yError(value) {
    return this.errorBox.top + this.errorBox.height * (1 - value / this.topError);
  }

  ySize(value) {
    return this.sizeBox.top + this.sizeBox.height * (1 - Math.log1p(Math.max(value, 0)) / Math.log1p(this.topSize));
  }

  axis(box, ticks) {
    const { context } = this;
    const { colors } = this.store;
    context.font = `${this.font}px system-ui, sans-serif`;
    context.textAlign = "right";
    context.textBaseline = "middle";
    for (const [y, text] of ticks) {
      context.fillStyle = colors.theme.grid;
      context.fillRect(SIDE.left, y, this.inner, 1);
      context.fillStyle = colors.theme.muted;
      context.fillText(text, SIDE.left - 6, Math.max(y, box.top + 3));
    }
  }

  line(values, y, color, dash) {
    const { context } = this;
    context.strokeStyle = context.fillStyle = color;
    context.lineWidth = 2;
    context.lineJoin = "round";
    context.setLineDash(dash);
    context.beginPath();
    values.forEach((value, i) => context.lineTo(this.xOf(i), y(value)));
    if (values.length === 1) context.arc(this.xOf(0), y(values[0]), 3, 0, 7);
    context.stroke();
    context.setLineDash([]);
  }

  legend(y, title, entries) {
    const { context } = this;
    const { colors } = this.store;
    const [length, gap] = this.width < ROOM_FOR_LEGEND ? [12, 8] : [22, 16];
    let x = SIDE.left;
    context.textAlign = "left";
    const write = (text, color, weight) => {
      context.font = `${weight} ${this.font}px system-ui, sans-serif`;
      context.fillStyle = color;
      context.fillText(text, x, y);
      x += context.measureText(text).width;
    };
    write(title, colors.theme.text, 600);
    x += gap - 2;
    for (const [name, color, dash] of entries) {
      context.strokeStyle = color;
      context.lineWidth = 2.5;
      context.setLineDash(dash);
      context.beginPath();
      context.moveTo(x, y);
      context.lineTo(x + length, y);
      context.stroke();
      context.setLineDash([]);
      x += length + 5;
      write(name, colors.theme.muted, 400);
      x += gap;
    }
  }

  recommended() {
    const { context } = this;
    const { path, colors } = this.store;
    context.strokeStyle = colors.theme.muted;
    context.setLineDash([2, 3]);
    context.lineWidth = 1.4;
    for (const index of new Set(Object.values(path.recommended))) {
      context.beginPath();
      context.moveTo(this.xOf(index), this.errorBox.top - 4);
      context.lineTo(this.xOf(index), this.sizeBox.top + this.sizeBox.height);
      context.stroke();
    }
    context.setLineDash([]);
  }

  /** Marker at the tree on screen. */
  mark(index) {
    this.marker.style.transform = `translateX(${this.xOf(index)}px)`;
  }

  /** What the hovered or selected node is along the path: its error, its weights, where it is a decision or a leaf. */
  drawNode(origin) {
    const context = sized(this.over, this.width, this.height);
    context.clearRect(0, 0, this.width, this.height);
    if (origin === null || this.isShort) return;
    const { path, colors, state } = this.store;
    context.strokeStyle = context.fillStyle = colors.theme.text;
    context.lineWidth = 1.3;
    const base = this.sizeBox.top + this.sizeBox.height;
    const half = path.trees.length > 1 ? this.inner / (path.trees.length - 1) / 2 : 6;
    const paths = [[], []];
    path.trees.forEach((tree, i) => {
      const node = tree.nodeOf.get(origin);
      if (node === undefined) return;
      const leaf = tree.isLeaf(node);
      context.globalAlpha = leaf ? 0.3 : 0.8;
      context.fillRect(this.xOf(i) - half, base - 3, 2 * half, 3);
      const { n, losses } = tree.figures(state.set);
      if (n[node]) paths[0].push([this.xOf(i), this.yError(path.target.error(losses[node], n[node]))]);
      if (!leaf) paths[1].push([this.xOf(i), this.ySize(tree.nWeights(node))]);
    });
    context.globalAlpha = 0.8;
    paths.forEach((points, i) => {
      const box = i ? this.sizeBox : this.errorBox;
      context.save();
      context.beginPath();
      context.rect(0, box.top - 2, this.width, box.height + 4);
      context.clip();
      context.beginPath();
      points.forEach(([x, y]) => context.lineTo(x, y));
      context.stroke();
      context.restore();
    });
    context.globalAlpha = 1;
    context.font = `${this.font}px system-ui, sans-serif`;
    context.textAlign = "right";
    context.fillText(`thin line: node ${origin} alone`, this.width - SIDE.right, this.sizeBox.top - this.font * 0.4);
  }

  /** Figures of the tree below the pointer. */
  showTip(index) {
    this.tip.style.display = index === null ? "none" : "block";
    if (index === null) return;
    const { path } = this.store;
    const tree = path.trees[index];
    const recommended = Object.entries(path.recommended)
      .filter(([, k]) => k === index)
      .map(([rule]) => (rule === "min" ? "smallest validation error" : "simplest within one standard error"));
    this.tip.textContent = [
      `λ = ${number(path.lams[index])}`,
      ...path.sets.map((set, s) => `${set.name} ${path.target.errorText(tree.sizes(s).error)}`),
      `${tree.sizes(0).leaves} leaves`,
      ...recommended,
    ].join(" · ");
    const x = this.xOf(index);
    this.tip.style.left = `${Math.min(Math.max(x, 130), this.width - 130)}px`;
  }
}

/** For every set the errors of all trees. */
function errorsOf(path) {
  return path.sets.map((_, s) => path.trees.map((tree) => tree.sizes(s).error));
}

/**
 * Top of the error axis: what most of the path needs, for the smallest trees at the end is often far worse than
 * all that matters; never below the recommended trees, and everything when that is not much more.
 */
function highestError(path) {
  const errors = errorsOf(path);
  const all = errors.flat().sort((a, b) => a - b);
  const most = Math.max(all.at(-1), path.target.measure.least);
  const needed = Object.values(path.recommended).flatMap((index) => errors.map((of) => of[index]));
  const top = Math.max(
    path.target.measure.least,
    1.6 * all[Math.floor(0.65 * (all.length - 1))],
    ...needed.map((v) => 1.2 * v),
  );
  return top > 0.6 * most ? most * 1.05 : top;
}
