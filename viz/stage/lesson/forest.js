// Shows the trees of a scene side by side, and the vote of the first ones.

import { planeLimits } from "../geometry/limits.js";
import { fill, h, valueBeside } from "../elements/dom.js";
import { counted } from "../model/number_text.js";
import { remembered } from "../model/remembered.js";
import { rowsOfSet } from "../model/tree.js";
import { interval } from "./knobs.js";

const FINE = 180; // number of cells of a plane along an axis
const PIXELS = { small: FINE, large: 3 * FINE };

/**
 * Return the group that a tree on two features predicts in each cell of a plane, row by row from the top.
 * @param {PlaneTree & {label: Numbers}} tree @param {Limits} limits @param {number} size number of cells along an axis
 */
export function cellsOf(tree, limits, size) {
  return Uint8Array.from(leavesOf(tree, limits, size), (leaf) => tree.label[leaf]);
}

/**
 * Return the leaf of each cell.
 * @param {PlaneTree} tree @param {Limits} limits @param {number} size
 */
export function leavesOf(tree, { low, high }, size) {
  const splits = Array.from({ length: tree.n }, (_, node) => (tree.isLeaf(node) ? null : tree.split(node)));
  const cells = new Uint16Array(size * size);
  const at = [0, 0];
  for (let cell = 0; cell < cells.length; cell++) {
    at[0] = low[0] + (((cell % size) + 0.5) / size) * (high[0] - low[0]);
    at[1] = high[1] - ((Math.floor(cell / size) + 0.5) / size) * (high[1] - low[1]);
    let node = 0;
    for (let split = splits[0]; split; split = splits[node]) {
      const { features, weights, bias } = split;
      let sum = bias;
      for (let i = 0; i < features.length; i++) sum += weights[i] * at[features[i]];
      node = sum >= 0 ? tree.right[node] : tree.left[node];
    }
    cells[cell] = node;
  }
  return cells;
}

/**
 * Return the majority of the votes in each cell. On ties, the first group wins.
 * @param {Numbers[]} voices @param {number} n number of groups
 */
export function voteOf(voices, n) {
  const counts = new Uint8Array(n);
  return Uint8Array.from(voices[0], (_, i) => {
    counts.fill(0);
    for (const voice of voices) counts[voice[i]]++;
    return counts.indexOf(Math.max(...counts));
  });
}

/** `planes` cover the stage, and `element` contains the number of trees. Call draw() after the trees are loaded. */
export class Forest {
  /** @param {Store} store @param {number} voters */
  constructor(store, voters) {
    this.store = store;
    this.planes = h("div", { class: "forest", "data-testid": "lesson-forest" });
    this.status = h("p", { "data-testid": "lesson-vote-status", "aria-live": "polite" });
    this.value = valueBeside();
    this.slider = /** @type {HTMLInputElement} */ (
      h("input", {
        ...{ type: "range", min: 1, max: voters, step: 1, value: voters, disabled: true },
        ...{ "aria-label": "Number of trees", "data-testid": "lesson-vote" },
      })
    );
    this.slider.addEventListener("input", () => this.show());
    this.voters = voters;
    this.element = h(
      "div",
      { class: "guess knobs" },
      h("label", {}, h("span", { "aria-hidden": "true" }, "Trees"), this.slider, this.value),
      this.status,
    );
  }

  draw() {
    const { path } = this.store;
    const limits = planeLimits(path);
    const cells = remembered(path, "cells", () => path.trees.map((tree) => cellsOf(tree, limits, FINE)));
    this.cells = cells;
    this.small = path.trees.map((tree, k) => {
      const canvas = canvasOf(PIXELS.small, `Regions of tree ${k + 1}`);
      this.paint(canvas, cells[k]);
      return h("figure", {}, canvas, h("figcaption", {}, counted(tree.sizes(0).leaves, "leaf")));
    });
    this.large = canvasOf(PIXELS.large, "Regions of the vote");
    fill(
      this.planes,
      h("div", { class: "trees" }, this.small),
      h(
        "figure",
        { class: "vote" },
        h("p", { class: "upward" }, `↑ ${path.features[1]}`),
        this.large,
        h("p", {}, path.features[0]),
        (this.caption = h("figcaption", {})),
      ),
    );
    if (this.slider.disabled)
      Object.assign(this.slider, { max: path.trees.length, value: this.voters, disabled: false });
    this.show();
  }

  /** Show the vote of the first `shown` trees. */
  show() {
    const { path } = this.store;
    if (!this.cells || !this.large) return;
    const m = Number(this.slider.value);
    const n = path.target.n;
    this.value.textContent = String(m);
    this.small?.forEach((figure, k) => figure.classList.toggle("silent", k >= m));
    this.paint(this.large, voteOf(this.cells.slice(0, m), n));
    const set = path.sets.length - 1;
    const rows = rowsOfSet(path, set);
    const voices = path.trees.slice(0, m).map((tree) => {
      const { leaf } = tree.route(set);
      return Uint8Array.from(rows, (row) => tree.label[leaf[row]]);
    });
    const winners = voteOf(voices, n);
    const wrong = rows.filter((row, i) => winners[i] !== path.sample.y[row]);
    const [low, high] = interval(wrong.length, rows.length).map((share) => Math.round(100 * share));
    fill(
      this.status,
      `${wrong.length} of ${rows.length} test points are misclassified: `,
      h("b", {}, `${low} to ${high}\u00a0%`),
      ".",
    );
    if (this.caption) this.caption.textContent = m === 1 ? "one tree" : `vote of ${m} trees`;
  }

  /** @param {HTMLCanvasElement} canvas @param {Uint8Array} cells */
  paint(canvas, cells) {
    const { colors } = this.store;
    const context = /** @type {Context} */ (canvas.getContext("2d"));
    const side = canvas.width / FINE;
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.globalAlpha = 0.5;
    for (let from = 0, to = 0; from < cells.length; from = to) {
      while (to < cells.length && cells[to] === cells[from] && (to === from || to % FINE)) to++;
      context.fillStyle = colors.ofGroup(cells[from]);
      context.fillRect((from % FINE) * side, Math.floor(from / FINE) * side, (to - from) * side, side);
    }
  }
}

/** @param {number} size @param {string} label */
function canvasOf(size, label) {
  return h("canvas", { width: size, height: size, role: "img", "aria-label": label });
}
