// The whole tree at a glance: one row per level, widths by share of rows, colours by majority class.

import { h, placeIn, sized } from "../elements/dom.js";

/** Overview of large trees; `on`: {select(node), hover(node)}. */
export class Icicle {
  /** @param {Store} store @param {{select(node: number | null): void, hover(node: number | null): void}} on */
  constructor(store, on) {
    this.store = store;
    this.canvas = h("canvas", {
      "aria-hidden": "true",
      title: "The whole tree: width = share of rows, colour = majority class. Click a part to look into it.",
    });
    this.element = h("div", { class: "icicle" }, this.canvas);
    /** @param {MouseEvent} event */
    const at = (event) => this.nodeAt(...placeIn(this.canvas, event));
    this.canvas.addEventListener("click", (event) => on.select(at(event)));
    this.canvas.addEventListener("pointermove", (event) => on.hover(at(event)));
    this.canvas.addEventListener("pointerleave", () => on.hover(null));
  }

  /** @param {number} width @param {number} height */
  draw(width, height) {
    const { tree, state, colors, path } = this.store;
    const context = sized(this.canvas, width, height);
    context.clearRect(0, 0, width, height);
    const { n, counts } = tree.figures(state.set);
    const k = path.target.n;
    const row = height / (tree.maxDepth + 1);
    const left = new Float64Array(tree.n),
      wide = new Float64Array(tree.n);
    wide[0] = width;
    const lit = this.store.litNodes;
    this.cells = { left, wide, row };
    for (let node = 0; node < tree.n; node++) {
      const y = tree.depth[node] * row;
      let best = 0,
        majority = tree.label[node];
      for (let c = 0; c < k; c++) if (counts[node * k + c] > best) [best, majority] = [counts[node * k + c], c];
      const purity = n[node] ? best / n[node] : 0;
      // a class without a majority is no colour for a part
      context.fillStyle = purity < 0.5 && !tree.isLeaf(node) ? colors.theme.line : colors.ofGroup(majority);
      context.globalAlpha = (lit && !lit.has(node) ? 0.25 : 1) * (tree.isLeaf(node) ? 1 : 0.25 + 0.6 * purity);
      context.fillRect(left[node], y, Math.max(wide[node] - 0.6, 0.4), row - 0.8);
      if (tree.isLeaf(node)) continue;
      let x = left[node];
      const total = n[tree.left[node]] + n[tree.right[node]];
      for (const child of tree.children(node)) {
        left[child] = x;
        wide[child] = total ? (wide[node] * n[child]) / total : wide[node] / 2;
        x += wide[child];
      }
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
      context.strokeRect(left[node] + 1, tree.depth[node] * row + 1, Math.max(wide[node] - 2, 2), row - 2);
    }
  }

  /** @param {number} x @param {number} y */
  nodeAt(x, y) {
    const { tree } = this.store;
    const depth = Math.floor(y / this.cells.row);
    for (let node = 0; node < tree.n; node++) {
      if (tree.depth[node] === depth && x >= this.cells.left[node] && x < this.cells.left[node] + this.cells.wide[node])
        return node;
    }
    return null;
  }
}
