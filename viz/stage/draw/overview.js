// Overview of the whole tree with one row (icicle) or ring (sunburst) per level. Widths show shares of rows, colours
// the majority class.

import { h, placeIn, sizeCanvas } from "../elements/dom.js";

/** @type {Record<string, string>} */
const MEANINGS = {
  class: "majority class",
  confidence: "majority class (paler: lower confidence)",
  errors: "error of the node",
};
const TURN = 2 * Math.PI;
const MARGIN = 8; // margin around the rings, in pixels

/** Overview of a tree. `on`: {select(node), hover(node), isInSight(node)}. Nodes out of view are pale. */
export class Overview {
  /**
   * @param {Store} store
   * @param {{select(node: number | null): void, hover(node: number | null): void, isInSight(node: number): boolean}} on
   */
  constructor(store, on) {
    this.store = store;
    this.on = on;
    this.canvas = h("canvas", { "aria-hidden": "true" });
    this.element = h("div", { class: "overview" }, this.canvas);
    /** @param {MouseEvent} event */
    const at = (event) => this.nodeAt(...placeIn(this.canvas, event));
    this.canvas.addEventListener("click", (event) => on.select(at(event)));
    this.canvas.addEventListener("pointermove", (event) => on.hover(at(event)));
    this.canvas.addEventListener("pointerleave", () => on.hover(null));
  }

  /** @param {NonNullable<Store["layout"]["overview"]>} room */
  draw({ width, height, isRound, isBeside }) {
    const { tree, state, colors } = this.store;
    const shade = tree.path.target.edges === null ? state.shade : "class";
    const meaning = tree.path.target.edges ? "mean" : MEANINGS[shade];
    this.canvas.title = `Overview of the tree: width = share of rows, colour = ${meaning}. Click a node to open its subtree.`;
    const context = sizeCanvas(this.canvas, width, height);
    this.element.classList.toggle("beside", isBeside);
    context.clearRect(0, 0, width, height);
    const { n } = tree.figures(state.set);
    const parts = partsOf(tree, n);
    this.shape = isRound
      ? rings(parts, width, height, tree.maxDepth + 1)
      : rows(parts, width, height / (tree.maxDepth + 1));
    const lit = this.store.litNodes;
    for (let node = 0; node < tree.n; node++) {
      context.fillStyle = colors.ofNode(tree, state.set, node, shade) ?? colors.theme.line;
      const isWhole = (tree.isLeaf(node) && !tree.isLinear(node)) || shade !== "class";
      const alpha = isWhole ? 1 : 0.25 + 0.6 * tree.leading(state.set, node).share;
      const isFaded = (lit && !lit.has(node)) || !this.on.isInSight(node);
      context.globalAlpha = (isFaded ? 0.25 : 1) * alpha;
      this.shape.trace(context, node, tree.depth[node], 0);
      context.fill();
    }
    context.globalAlpha = 1;
    for (const { origin, color } of [
      { origin: state.focus, color: colors.theme.text },
      { origin: state.hover, color: colors.theme.muted },
      { origin: state.node, color: colors.theme.accent },
    ]) {
      const node = tree.nodeOf.get(origin);
      if (node === undefined) continue;
      context.strokeStyle = color;
      context.lineWidth = 2;
      this.shape.trace(context, node, tree.depth[node], 1);
      context.stroke();
    }
  }

  /** @param {number} x @param {number} y */
  nodeAt(x, y) {
    const { tree } = this.store;
    const { share, depth } = this.shape.at(x, y);
    const { left, wide } = this.shape.parts;
    for (let node = 0; node < tree.n; node++) {
      if (tree.depth[node] === depth && share >= left[node] && share < left[node] + wide[node]) return node;
    }
    return null;
  }
}

/**
 * Return the start and the width of each node on its level, as shares of the whole width.
 * @param {StageTree} tree @param {ArrayLike<number>} n
 */
export function partsOf(tree, n) {
  const left = new Float64Array(tree.n),
    wide = new Float64Array(tree.n);
  wide[0] = 1;
  for (let node = 0; node < tree.n; node++) {
    if (tree.isLeaf(node)) continue;
    let x = left[node];
    const total = n[tree.left[node]] + n[tree.right[node]];
    for (const child of tree.children(node)) {
      left[child] = x;
      wide[child] = total ? (wide[node] * n[child]) / total : wide[node] / 2;
      x += wide[child];
    }
  }
  return { left, wide };
}

/**
 * Return nodes as rectangles.
 * @param {Parts} parts
 * @param {number} width
 * @param {number} row
 * @returns {OverviewShape}
 */
export function rows(parts, width, row) {
  const { left, wide } = parts;
  return {
    parts,
    trace(context, node, depth, inset) {
      const [w, h] = [wide[node] * width - (inset ? 2 : 0.6), row - (inset ? 2 : 0.8)];
      context.beginPath();
      context.rect(left[node] * width + inset, depth * row + inset, Math.max(w, inset ? 2 : 0.4), h);
    },
    at: (x, y) => ({ share: x / width, depth: Math.floor(y / row) }),
  };
}

/**
 * Return nodes as segments of rings around the root, clockwise from the top.
 * @param {Parts} parts @param {number} width @param {number} height @param {number} levels @returns {OverviewShape}
 */
export function rings(parts, width, height, levels) {
  const { left, wide } = parts;
  const [x0, y0] = [width / 2, height / 2];
  const ring = (Math.min(width, height) / 2 - MARGIN) / levels;
  return {
    parts,
    trace(context, node, depth, inset) {
      const [inner, outer] = [depth * ring + inset, (depth + 1) * ring - (inset || 0.8)];
      const [from, to] = [left[node], left[node] + wide[node]].map((share) => (share - 0.25) * TURN);
      // The gap is equally wide at every radius, and takes at most half of the segment.
      const gap = Math.min((to - from) / 4, wide[node] < 1 ? 0.4 / Math.max(outer, 1) : 0);
      context.beginPath();
      context.arc(x0, y0, outer, from + gap, to - gap);
      if (depth) context.arc(x0, y0, inner, to - gap, from + gap, true);
      context.closePath();
    },
    at(x, y) {
      const turn = Math.atan2(y - y0, x - x0) / TURN + 0.25;
      return { share: turn - Math.floor(turn), depth: Math.floor(Math.hypot(x - x0, y - y0) / ring) };
    },
  };
}
