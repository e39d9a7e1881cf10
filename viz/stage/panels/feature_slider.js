// Slider for one feature of the followed row, with the exact number next to it and marks at values that flip splits.

import { nodeName } from "../model/tree.js";
import { dateText, number, valueText } from "../model/number_text.js";
import { fill, h, hasFocus } from "../elements/dom.js";
import { currentValues, tryChanges, writtenValue } from "../model/followed_row.js";

const DIGITS = { shown: 4, typed: 5 }; // minimum number of digits, if a value has them
const STEPS = 400; // number of steps of a slider over the range of the data

/** Slider of the feature at index `j`: `element`, and `follow(onPath)` for every change. */
export class FeatureSlider {
  /** @param {Store} store @param {number} j */
  constructor(store, j) {
    this.store = store;
    this.j = j;
    const { path, state } = store;
    this.own = state.row?.values[j] ?? NaN;
    this.isWhole = path.whole[j] === 1;
    this.ownText = this.written(state.row?.values ?? null, DIGITS.shown);
    const known = Number.isNaN(this.own) ? [] : [this.own];
    this.low = Math.min(path.low[j], ...known);
    this.high = Math.max(path.high[j], ...known);
    const name = path.features[j];
    const size = this.high - this.low;
    const step = this.isWhole && size <= STEPS ? 1 : size / STEPS || 1;
    this.slider = h("input", {
      type: "range",
      min: this.low,
      max: this.high,
      step: this.isWhole && size <= STEPS ? 1 : "any",
      "aria-label": name,
      "data-testid": "stage-feature-value",
      oninput: () => this.move(Number(this.slider.value)),
      onpointerdown: (/** @type {PointerEvent} */ { pointerId }) => {
        this.slider.setPointerCapture(pointerId);
        store.set({ penDown: true }); // Redrawing the panel would interrupt the drag of the slider.
      },
      onlostpointercapture: () => store.set({ penDown: false }),
      onkeydown: (/** @type {KeyboardEvent} */ event) =>
        this.key(event, this.isWhole ? Math.max(1, Math.round(step)) : step),
    });
    this.field = h("input", {
      ...(path.dates.has(j) ? { type: "date" } : { type: "number", step: this.isWhole ? 1 : "any" }),
      "aria-label": `${name}, exact`,
      onchange: () => this.field.value !== "" && this.move(this.typed()),
      onkeydown: (/** @type {KeyboardEvent} */ event) => event.stopPropagation(),
    });
    this.missing =
      store.tree.missingRight === null
        ? null
        : h("input", {
            type: "checkbox",
            "aria-label": `${name}, missing`,
            onchange: () => this.set(this.missing?.checked ? NaN : Number(this.slider.value)),
          });
    this.undo = h(
      "button",
      { class: "small", "aria-label": `${name}, reset to ${this.ownText}`, onclick: () => this.set(this.own) },
      "↺",
    );
    this.was = h("span", {});
    this.before = h("div", { class: "was quiet" }, this.was, this.undo);
    this.ticks = h("div", { class: "ticks", "aria-hidden": "true" });
    this.element = h(
      "div",
      { class: "feature-value" },
      h("div", { class: "top" }, h("span", { class: "name", dir: "auto", title: name }, name), this.before),
      h("div", { class: "slide" }, this.ticks, this.slider),
      this.field,
      this.missing ? h("label", { class: "quiet" }, this.missing, "missing") : null,
    );
  }

  get isDate() {
    return this.store.path.dates.has(this.j);
  }

  /** Return the number in the field. For dates, it is the day since 1970. */
  typed() {
    return this.isDate ? Date.parse(this.field.value) / 864e5 : Number(this.field.value);
  }

  /** @param {number} value @param {number} [digits] */
  text(value, digits) {
    return valueText(this.store.path, this.j, value, digits);
  }

  /**
   * Return the row's value as text, with the fewest digits that keep the row in its leaf.
   * @param {Float64Array | null} values @param {number} digits @param {string} [minus]
   */
  written(values, digits, minus = "−") {
    const value = values?.[this.j] ?? NaN;
    if (!values || Number.isNaN(value) || this.isDate) return this.text(value);
    return number(this.isWhole ? value : writtenValue(this.store.tree, values, this.j, digits), null, minus);
  }

  get value() {
    return currentValues(this.store.state)?.[this.j] ?? NaN;
  }

  /**
   * Handle arrow keys. They move by the same step everywhere, with Shift by ten steps.
   * @param {KeyboardEvent} event @param {number} step
   */
  key(event, step) {
    event.stopPropagation();
    const side = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    if (!side) return;
    event.preventDefault();
    const from = Number.isNaN(this.value) ? Number(this.slider.value) : this.value;
    this.move(Math.min(this.high, Math.max(this.low, from + side * step * (event.shiftKey ? 10 : 1))));
  }

  /** @param {number} value */
  move(value) {
    if (Number.isFinite(value)) this.set(this.isWhole ? Math.round(value) : value);
  }

  /** @param {number} value */
  set(value) {
    tryChanges(this.store, (values) => {
      values[this.j] = value;
    });
  }

  /** @param {Set<number>} [onPath] */
  follow(onPath) {
    const { value, own, slider, field } = this;
    const isMissing = Number.isNaN(value);
    const isChanged = !Object.is(value, own);
    this.element.classList.toggle("changed", isChanged);
    if (onPath) this.element.classList.toggle("idle", !onPath.has(this.j));
    if (!isMissing) slider.value = String(value);
    const values = currentValues(this.store.state);
    slider.setAttribute("aria-valuetext", this.written(values, DIGITS.shown));
    if (!hasFocus(field)) {
      const text = this.isDate ? dateText(Math.floor(value)) : this.written(values, DIGITS.typed, "-");
      field.value = isMissing ? "" : (text ?? "");
      field.placeholder = isMissing ? "missing" : "";
    }
    if (this.missing) this.missing.checked = isMissing;
    this.was.textContent = isChanged ? `was ${this.ownText}` : "";
    this.before.hidden = !isChanged;
    fill(this.ticks, this.marks());
  }

  /** Mark the row's value and the values at which a split on its decision path flips. */
  marks() {
    const { tree, way } = this.store;
    const marks = Number.isNaN(this.own) ? [] : [this.mark(this.own, "own", "as in the row")];
    for (const { node, margin } of way ?? []) {
      if (margin === null || Number.isNaN(margin)) continue;
      const { features, weights } = tree.split(node);
      const at = features.indexOf(this.j);
      if (at < 0 || weights[at] === 0) continue;
      const flips = this.value - margin / weights[at];
      if (flips >= this.low && flips <= this.high)
        marks.push(this.mark(flips, "flip", `${nodeName(tree, node)} flips at ${this.text(flips, 3)}`));
    }
    return marks;
  }

  /** @param {number} value @param {string} kind @param {string} title */
  mark(value, kind, title) {
    const share = this.high > this.low ? (value - this.low) / (this.high - this.low) : 0.5;
    return h("i", { class: kind, title, style: `left:calc(8px + (100% - 16px) * ${share.toFixed(4)})` });
  }
}
