// Brush that paints weights on the plot of an image node: plus, minus or zero. Its size and strength can be chosen.

import { imageSize } from "../draw/sprites.js";
import { ARROWS, h, placeIn } from "../elements/dom.js";
import { nodeName } from "../model/tree.js";

/** @type {[string, number][]} */
const SIZES = [
  ["small", 0.6],
  ["middle", 1.3],
  ["large", 2.4],
];

export class WeightBrush {
  /** @param {Editor} editor */
  constructor(editor) {
    this.editor = editor;
    this.store = editor.store;
    /** @type {"plus" | "minus" | "erase"} */
    this.kind = "plus";
    this.radius = SIZES[1][1];
    this.strength = 0.7;
    /** @type {Pair | null} */
    this.cursor = null;
    /** @type {{node: number, weights: Float64Array, full: number} | null} */
    this.stroke = null;
  }

  /** Return the buttons of the brush. From now on, the plot above them accepts strokes. */
  tools() {
    /** @param {string | number} value @param {boolean} isChosen @param {() => void} choose @param {any} text @param {string} title */
    const choice = (value, isChosen, choose, text, title) => {
      const onclick = () => {
        choose();
        this.editor.on.refresh();
      };
      const look = { title, "aria-label": title, "aria-pressed": String(isChosen) };
      return h("button", { ...look, "data-testid": `brush-${value}`, onclick }, text);
    };
    /** @param {typeof this.kind} kind @param {string} text @param {string} title */
    const kind = (kind, text, title) => choice(kind, this.kind === kind, () => (this.kind = kind), text, title);
    /** @param {string} label @param {...any} buttons */
    const group = (label, ...buttons) => h("div", { class: "segments", role: "group", "aria-label": label }, buttons);
    return h(
      "div",
      { class: "brush-tools" },
      group(
        "Brush",
        kind("plus", "+", "Paint weights that send rows to the right"),
        kind("minus", "−", "Paint weights that send rows to the left"),
        kind("erase", "Erase", "Erase weights"),
      ),
      group(
        "Brush size",
        SIZES.map(([name, radius]) =>
          choice(
            radius,
            this.radius === radius,
            () => (this.radius = radius),
            h("i", { class: `tip-${name}` }),
            `Brush size: ${name}`,
          ),
        ),
      ),
      h(
        "label",
        { class: "strength quiet" },
        "strength",
        h("input", {
          type: "range",
          min: 0.1,
          max: 1,
          step: 0.1,
          value: this.strength,
          "aria-label": "Brush strength",
          oninput: (/** @type {Event & {target: HTMLInputElement}} */ { target }) =>
            (this.strength = Number(target.value)),
          onkeydown: (/** @type {KeyboardEvent} */ event) => event.stopPropagation(),
        }),
      ),
      h(
        "p",
        { class: "quiet" },
        "Paint on the weights above, or move there with the arrow keys and press space. Then press Best offset to move the split.",
      ),
    );
  }

  /** Let the plot of the node accept strokes. @param {Plot} plot */
  listen(plot) {
    const { canvas, node } = plot;
    const { path } = this.store;
    const origin = plot.tree.origin[node];
    const [rows, columns] = imageSize(path);
    const { box } = plot.size;
    canvas.classList.add("paintable");
    canvas.tabIndex = 0;
    // The label stays the same during a stroke, so that the new plot gets the focus from the old plot.
    canvas.setAttribute(
      "aria-label",
      `Weights of ${nodeName(plot.tree, node)}: paint with the pointer, or press the arrow keys to move and space to paint`,
    );
    const begin = () => {
      const now = this.store.tree.nodeOf.get(origin);
      if (now !== undefined && !this.store.tree.isLeaf(now)) this.begin(now);
    };
    /** @param {MouseEvent} event @returns {Pair} */
    const cellAt = (event) => {
      const [x, y] = placeIn(canvas, event);
      const unit = box.w / columns;
      return [(y - (box.y - box.h / 2)) / unit - 0.5, (x - (box.x - box.w / 2)) / unit - 0.5];
    };
    canvas.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      canvas.setPointerCapture(event.pointerId);
      begin();
      this.mark(...cellAt(event));
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!this.stroke) return;
      for (const one of event.getCoalescedEvents?.() ?? [event]) this.mark(...cellAt(one));
    });
    const lift = () => this.stroke && this.lift();
    canvas.addEventListener("pointerup", lift);
    canvas.addEventListener("pointercancel", lift);
    canvas.addEventListener("focus", () => plot.draw());
    canvas.addEventListener("blur", () => plot.draw());
    canvas.addEventListener("keydown", (event) => {
      // Otherwise these keys would prune the node.
      if (event.key === "Delete" || event.key === "Backspace") event.stopPropagation();
      const step = ARROWS[event.key];
      if (!step && event.key !== " ") return;
      event.preventDefault();
      event.stopPropagation();
      this.cursor ??= [Math.floor(rows / 2), Math.floor(columns / 2)];
      if (step) {
        this.cursor = [
          Math.max(0, Math.min(rows - 1, this.cursor[0] + step[1])),
          Math.max(0, Math.min(columns - 1, this.cursor[1] + step[0])),
        ];
        plot.draw();
        return;
      }
      begin();
      this.mark(...this.cursor);
      lift();
    });
  }

  /** Draw the cell of the keyboard brush while the plot has the focus. @param {Plot} plot @param {Picture} picture */
  drawOn(plot, { context, colors, path }) {
    if (!this.cursor || !plot.canvas.matches(":focus-visible")) return;
    const { box } = plot.size;
    const unit = box.w / imageSize(path)[1];
    context.strokeStyle = colors.theme.text;
    context.lineWidth = 2;
    const [row, column] = this.cursor;
    context.strokeRect(box.x - box.w / 2 + column * unit, box.y - box.h / 2 + row * unit, unit, unit);
  }

  /** @param {number} node */
  begin(node) {
    const { tree } = this.store;
    this.editor.drag.begin(node);
    const weights = tree.dense(node);
    const own = weights.reduce((most, w) => Math.max(most, Math.abs(w)), 0);
    const anywhere = tree.weight.reduce((most, w) => Math.max(most, Math.abs(w)), 0);
    this.stroke = { node, weights, full: own || anywhere || 1 };
  }

  /**
   * Paint around a cell. Fractions of a row or column are positions between cells.
   * @param {number} row @param {number} column
   */
  mark(row, column) {
    if (!this.stroke) return; // The node was removed in the meantime.
    const { path, tree } = this.store;
    const { weights, full, node } = this.stroke;
    const [rows, columns] = imageSize(path);
    const target = { plus: full * this.strength, minus: -full * this.strength, erase: 0 }[this.kind];
    const radius = this.radius * Math.max(0.5, Math.min(rows, columns) / 28);
    const reach = Math.ceil(radius + 1);
    for (let r = Math.max(0, Math.floor(row - reach)); r <= Math.min(rows - 1, row + reach); r++) {
      for (let c = Math.max(0, Math.floor(column - reach)); c <= Math.min(columns - 1, column + reach); c++) {
        const isUnder = r === Math.round(row) && c === Math.round(column);
        const ink = isUnder ? 1 : Math.max(0, Math.min(1, radius + 0.6 - Math.hypot(r - row, c - column)));
        const p = r * columns + c;
        if (ink < 0.25) continue;
        if (this.kind === "erase") weights[p] = ink >= 0.5 ? 0 : weights[p];
        else if (target > 0) weights[p] = Math.max(weights[p], ink * target);
        else weights[p] = Math.min(weights[p], ink * target);
      }
    }
    const features = Array.from(weights.keys()).filter((p) => weights[p] !== 0);
    this.editor.drag.change({ features, weights: features.map((p) => weights[p]), bias: tree.bias[node] });
  }

  lift() {
    const { kind } = this;
    this.stroke = null;
    this.editor.drag.end(kind === "erase" ? "weights erased" : `${kind} weights painted`);
  }
}
