// Painting weights on the picture of an image node: plus, minus or nothing, with a brush of a size and a strength.

import { h } from "../elements/dom.js";

const SIZES = [
  ["small", 0.6],
  ["middle", 1.3],
  ["large", 2.4],
];
const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

export class WeightBrush {
  constructor(editor) {
    this.editor = editor;
    this.store = editor.store;
    this.kind = "plus";
    this.radius = SIZES[1][1];
    this.strength = 0.7;
    this.cursor = null;
    this.stroke = null;
  }

  /** Buttons; the picture above them takes the strokes from now on. */
  tools() {
    const choice = (name, value, text, title) =>
      h(
        "button",
        {
          "aria-pressed": String(this[name] === value),
          title,
          "aria-label": title,
          "data-testid": `brush-${value}`,
          onclick: () => {
            this[name] = value;
            this.editor.on.refresh();
          },
        },
        text,
      );
    const group = (label, ...buttons) => h("div", { class: "segments", role: "group", "aria-label": label }, buttons);
    return h(
      "div",
      { class: "brush-tools" },
      group(
        "Brush",
        choice("kind", "plus", "+", "Paint weights that speak for yes"),
        choice("kind", "minus", "−", "Paint weights that speak for no"),
        choice("kind", "erase", "Erase", "Erase weights"),
      ),
      group(
        "Size of the brush",
        SIZES.map(([name, radius]) =>
          choice("radius", radius, h("i", { class: `tip-${name}` }), `Brush size: ${name}`),
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
          "aria-label": "Strength of the brush",
          oninput: (event) => (this.strength = Number(event.target.value)),
          onkeydown: (event) => event.stopPropagation(),
        }),
      ),
      h(
        "p",
        { class: "quiet" },
        "Paint on the weights above; or walk there with the arrow keys and press space. “Best offset” then moves the split.",
      ),
    );
  }

  /** Let the picture of the node take strokes. */
  listen(plot) {
    const { canvas, node } = plot;
    const { path } = this.store;
    const origin = plot.tree.origin[node];
    const [rows, columns] = path.imageShape;
    const { box } = plot.size;
    canvas.classList.add("paintable");
    canvas.tabIndex = 0;
    // the same before and after a stroke, so that the new picture gets the focus of the old one
    canvas.setAttribute(
      "aria-label",
      `Weights of node ${origin}: paint with the pointer, or walk with the arrow keys and press space`,
    );
    const begin = () => {
      const now = this.store.tree.nodeOf.get(origin);
      if (now !== undefined && !this.store.tree.isLeaf(now)) this.begin(now);
    };
    const cellAt = (event) => {
      const at = canvas.getBoundingClientRect();
      const unit = box.w / columns;
      return [
        (event.clientY - at.top - (box.y - box.h / 2)) / unit - 0.5,
        (event.clientX - at.left - (box.x - box.w / 2)) / unit - 0.5,
      ];
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
      if (event.key === "Delete" || event.key === "Backspace") event.stopPropagation(); // would cut the node
      const step = STEPS[event.key];
      if (!step && event.key !== " ") return;
      event.preventDefault();
      event.stopPropagation();
      this.cursor ??= [Math.floor(rows / 2), Math.floor(columns / 2)];
      if (step) {
        this.cursor = [
          Math.max(0, Math.min(rows - 1, this.cursor[0] + step[0])),
          Math.max(0, Math.min(columns - 1, this.cursor[1] + step[1])),
        ];
        plot.draw();
        return;
      }
      begin();
      this.mark(...this.cursor);
      lift();
    });
  }

  /** The cell where the keyboard paints, while the picture has the focus. */
  drawOn(plot, { context, colors, path }) {
    if (!this.cursor || !plot.canvas.matches(":focus-visible")) return;
    const { box } = plot.size;
    const unit = box.w / path.imageShape[1];
    context.strokeStyle = colors.theme.text;
    context.lineWidth = 2;
    const [row, column] = this.cursor;
    context.strokeRect(box.x - box.w / 2 + column * unit, box.y - box.h / 2 + row * unit, unit, unit);
  }

  begin(node) {
    const { tree } = this.store;
    this.editor.drag.begin(node);
    const weights = tree.dense(node);
    const own = weights.reduce((most, w) => Math.max(most, Math.abs(w)), 0);
    const anywhere = tree.weight.reduce((most, w) => Math.max(most, Math.abs(w)), 0);
    this.stroke = { node, weights, full: own || anywhere || 1 };
  }

  /** Paint around a cell (row, column; fractions between cells). */
  mark(row, column) {
    if (!this.stroke) return; // the node has gone meanwhile
    const { path, tree } = this.store;
    const { weights, full, node } = this.stroke;
    const [rows, columns] = path.imageShape;
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
    const features = [];
    weights.forEach((w, p) => w !== 0 && features.push(p));
    this.editor.drag.change({ features, weights: features.map((p) => weights[p]), bias: tree.bias[node] });
  }

  lift() {
    const { kind } = this;
    this.stroke = null;
    this.editor.drag.end(kind === "erase" ? "weights erased" : `${kind} weights painted`);
  }
}
