// Changes values of the followed row with one slider for every feature. The decision path follows.

import { fill, h, hasFocus } from "../elements/dom.js";
import { onlyOther } from "../model/condition.js";
import { changedPositions, currentValues, tryChanges, tryValues, writtenValue } from "../model/followed_row.js";
import { dateText, number, valueText } from "../model/number_text.js";
import { nodeName } from "../model/tree.js";

const MOST = 10; // number of features shown at first; more on demand

/** Values of one followed row. `element` is kept when the inspector is redrawn. Call `follow()` after every change. */
export class WhatIf {
  /** @param {Store} store */
  constructor(store) {
    this.store = store;
    this.row = store.state.row;
    this.tree = store.tree;
    /** @type {Map<string | number, FeatureSlider | CategoryChoice>} */
    this.parts = new Map();
    /** @type {Float64Array | null} */
    this.followed = null;
    this.count = this.shown = -1;
    this.ways = h("div", { class: "feature-values" });
    this.rest = h("div", { class: "feature-values" });
    this.filter = h("input", {
      type: "search",
      class: "find-feature",
      placeholder: "Search features",
      "aria-label": "Search features to change",
      oninput: () => this.fillRest(),
    });
    this.restTitle = h("summary", {});
    this.more = h("details", { class: "other-features" }, this.restTitle, this.filter, this.rest);
    this.more.addEventListener("toggle", () => this.fillRest());
    this.back = h(
      "button",
      { "data-testid": "stage-back-to-row", onclick: () => tryValues(store, null) },
      "Reset values",
    );
    this.note = h("span", { class: "quiet" });
    const legend = h(
      "p",
      { class: "quiet mark-legend" },
      h("i", { class: "own" }),
      " value in the row ",
      h("i", { class: "flip" }),
      " a split on the decision path flips",
    );
    this.element = h(
      "section",
      { class: "what-if", "data-testid": "stage-what-if", "aria-label": "What if" },
      h("h3", {}, "What if"),
      h("div", { class: "buttons" }, this.back, this.note),
      this.ways,
      legend,
      this.more,
    );
    for (const j of this.pathFeatures().slice(0, MOST)) this.show(j);
    this.follow();
  }

  /** Return whether these values belong to the followed row. @param {Store} store */
  isFor({ state, tree }) {
    return state.row === this.row && tree === this.tree;
  }

  /** Return the features on the decision path, sorted by their effect on the margins. */
  pathFeatures() {
    const { tree, path } = this.store;
    const way = this.store.way ?? [];
    const reach = new Map();
    for (const { node } of way) {
      for (const { feature, weight } of tree.leafModel.terms(node))
        reach.set(feature, (reach.get(feature) ?? 0) + Math.abs(weight) * (path.deviation[feature] || 1));
      const { features, weights } = tree.split(node);
      features.forEach((j, i) => reach.set(j, (reach.get(j) ?? 0) + Math.abs(weights[i]) * (path.deviation[j] || 1)));
    }
    const order = [...reach.keys()];
    // If each node has one feature, the order is that of the decision path.
    return order.length === way.length - 1 ? order : order.sort((a, b) => reach.get(b) - reach.get(a));
  }

  /** Return every feature that this tree uses. */
  used() {
    return this.tree.once("used", () => [...new Set(this.tree.usedFeatures())].sort((a, b) => a - b));
  }

  /** @param {number} j */
  groupOf(j) {
    return this.store.path.groups.find(({ values }) => values.some(([, position]) => position === j));
  }

  /** @param {number} j */
  partOf(j) {
    const group = this.groupOf(j);
    const part =
      this.parts.get(group?.name ?? j) ??
      (group ? new CategoryChoice(this.store, group) : new FeatureSlider(this.store, j));
    this.parts.set(group?.name ?? j, part);
    return part;
  }

  /** @param {number} j */
  show(j) {
    const part = this.partOf(j);
    if (part.element.parentNode !== this.ways) this.ways.append(part.element);
  }

  fillRest() {
    const rest = this.used().filter((j) => !this.isShown(j));
    const count = new Set(rest.map((j) => this.nameOf(j))).size;
    this.more.hidden = rest.length === 0;
    this.restTitle.textContent = `Other features (${count})`;
    this.filter.hidden = count <= MOST;
    if (!this.more.open) return;
    const query = this.filter.value.trim().toLowerCase();
    const found = rest.filter((j) => this.nameOf(j).toLowerCase().includes(query)).slice(0, 4 * MOST);
    const parts = [...new Set(found.map((j) => this.partOf(j)))];
    fill(
      this.rest,
      parts.map((part) => part.element),
    );
    for (const part of parts) part.follow();
  }

  /** @param {number} j */
  isShown(j) {
    return this.parts.get(this.groupOf(j)?.name ?? j)?.element.parentNode === this.ways;
  }

  /** @param {number} j */
  nameOf(j) {
    return this.groupOf(j)?.name ?? this.store.path.features[j];
  }

  follow() {
    const { store } = this;
    const values = currentValues(store.state);
    if (this.followed === values && this.count >= 0) return;
    this.followed = values;
    const onPath = new Set(this.pathFeatures());
    for (const j of onPath) if (this.ways.childElementCount < MOST && !this.isShown(j)) this.show(j);
    for (const part of this.parts.values()) if (part.element.parentNode) part.follow(onPath);
    const count = changedPositions(store.state).length;
    this.back.disabled = count === 0;
    this.note.textContent = count
      ? `${number(count)} ${count === 1 ? "value" : "values"} changed`
      : "Move a slider to change a value of this row.";
    this.count = count;
    const shown = this.ways.childElementCount;
    if (shown !== this.shown) this.fillRest();
    this.shown = shown;
  }
}

const OTHER = "-1";
const MISSING = "missing";

export class CategoryChoice {
  /** @param {Store} store @param {CategoryGroup} group */
  constructor(store, group) {
    this.store = store;
    this.group = group;
    this.positions = group.values.map(([, position]) => position);
    this.own = this.chosen(currentValues({ ...store.state, whatIf: null }));
    /** @param {string} value @param {string} text */
    const option = (value, text) => h("option", { value }, text);
    this.select = h(
      "select",
      {
        "aria-label": group.name,
        "data-testid": "stage-feature-value",
        onchange: () => this.choose(this.select.value),
      },
      group.values.map(([category, position]) => option(String(position), category)),
      group.others || this.own === OTHER ? option(OTHER, this.text(OTHER)) : null,
      this.own === MISSING || store.tree.missingRight !== null ? option(MISSING, "missing") : null,
    );
    this.select.addEventListener("keydown", (event) => event.stopPropagation());
    this.undo = h(
      "button",
      {
        class: "small",
        "aria-label": `${group.name}, reset to ${this.text(this.own)}`,
        onclick: () => this.choose(this.own),
      },
      "↺",
    );
    this.was = h("span", {});
    this.before = h("div", { class: "was quiet" }, this.was, this.undo);
    this.element = h(
      "div",
      { class: "feature-value" },
      h("div", { class: "top" }, h("span", { class: "name", dir: "auto", title: group.name }, group.name), this.before),
      this.select,
    );
  }

  /** @param {Numbers | null} values */
  chosen(values) {
    if (!values) return OTHER;
    if (this.positions.some((j) => Number.isNaN(values[j]))) return MISSING;
    return String(this.positions.find((j) => values[j] === 1) ?? OTHER);
  }

  /** @param {string} choice */
  text(choice) {
    if (choice === MISSING) return "missing";
    const named = this.group.values.find(([, position]) => String(position) === choice);
    return named?.[0] ?? onlyOther(this.group) ?? "another category";
  }

  /** @param {string} choice */
  choose(choice) {
    tryChanges(this.store, (values) => {
      for (const j of this.positions) values[j] = choice === MISSING ? NaN : Number(String(j) === choice);
    });
  }

  /** @param {Set<number>} [onPath] */
  follow(onPath) {
    const now = this.chosen(currentValues(this.store.state));
    const isChanged = now !== this.own;
    this.select.value = now;
    this.element.classList.toggle("changed", isChanged);
    if (onPath) this.element.classList.toggle("idle", !this.positions.some((j) => onPath.has(j)));
    this.was.textContent = isChanged ? `was ${this.text(this.own)}` : "";
    this.before.hidden = !isChanged;
  }
}

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
