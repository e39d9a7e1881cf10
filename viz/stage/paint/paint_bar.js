// Controls of the painting tool: class, tool, size, undo, clear.

import { fill, h } from "../elements/dom.js";
import { count, counted } from "../model/number_text.js";
import { MOST_POINTS } from "../geometry/painted_points.js";

/** @typedef {"spray" | "point" | "erase"} PaintMode */

/** @type {[PaintMode, string, string][]} */
const MODES = [
  ["spray", "Spray", "Many points at once"],
  ["point", "Points", "Single points"],
  ["erase", "Eraser", "Remove points (E)"],
];

export class PaintBar {
  /** @param {Paint} paint */
  constructor(paint) {
    this.paint = paint;
    this.key = ""; // key of the available classes
    this.classes = h("div", { class: "paint-classes", role: "group", "aria-label": "Class to paint" });
    this.modes = h(
      "div",
      { class: "segments", role: "group", "aria-label": "Tool" },
      MODES.map(([mode, text, title]) =>
        h("button", { title, "data-testid": `stage-paint-${mode}`, onclick: () => paint.setMode(mode) }, text),
      ),
    );
    this.size = h("input", {
      type: "range",
      min: 12,
      max: 160,
      step: 4,
      value: 45,
      "aria-label": "Brush size",
      title: "Brush size",
    });
    this.size.addEventListener("input", () => {
      paint.size = Number(this.size.value);
      paint.on.draw();
    });
    this.undo = h(
      "button",
      { title: "Undo (Ctrl+Z)", "data-testid": "stage-paint-undo", onclick: () => paint.undo() },
      "Undo",
    );
    this.clear = h(
      "button",
      { title: "Remove all points", "data-testid": "stage-paint-clear", onclick: () => paint.clear() },
      "Clear",
    );
    this.message = h("span", { class: "quiet", "data-testid": "stage-paint-message" });
    this.element = h(
      "div",
      { class: "paint-bar", role: "toolbar", "aria-label": "Paint points", "data-testid": "stage-paint" },
      this.classes,
      this.modes,
      this.size,
      this.undo,
      this.clear,
      this.message,
    );
  }

  draw() {
    const { paint } = this;
    if (!paint.options) return;
    this.drawClasses(paint.options.classes);
    MODES.forEach(([mode], i) => this.modes.children[i].setAttribute("aria-pressed", String(mode === paint.mode)));
    this.size.disabled = paint.mode === "point";
    const { n, isFull, history } = paint.model;
    this.undo.disabled = !history.length;
    this.clear.disabled = !n;
    const isAlone = n > 0 && new Set(paint.model.points.map((point) => point[2])).size === 1;
    const text = isFull
      ? `At most ${count(MOST_POINTS)} points. Erase some to paint more.`
      : isAlone
        ? `${count(n)} points of one class. Paint a second class.`
        : counted(n, "point");
    if (this.message.textContent !== text) this.message.textContent = text;
    this.message.classList.toggle("bad", isFull);
  }

  /** @param {string[]} classes */
  drawClasses(classes) {
    const { paint } = this;
    const colors = paint.store.path && paint.store.colors;
    const key = `${classes.join("\n")} ${colors?.key}`;
    if (key !== this.key) {
      this.key = key;
      fill(
        this.classes,
        classes.map((name, label) =>
          h(
            "button",
            {
              title: `Paint ${name} (${label + 1})`,
              "data-testid": `stage-paint-class-${label}`,
              onclick: () => paint.choose(label),
            },
            h("i", { style: `background:${colors?.ofGroup(label) ?? "none"}` }),
            h("span", { dir: "auto" }, name),
            h("kbd", {}, String(label + 1)),
          ),
        ),
      );
    }
    const { label, mode } = paint;
    [...this.classes.children].forEach((button, at) =>
      button.setAttribute("aria-pressed", String(at === label && mode !== "erase")),
    );
  }
}
