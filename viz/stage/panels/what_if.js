// Changes values of the followed row with one slider for every feature. The decision path follows.

import { number } from "../model/number_text.js";
import { fill, h } from "../elements/dom.js";
import { changedPositions, currentValues, tryValues } from "../model/followed_row.js";
import { FeatureSlider } from "./feature_slider.js";
import { CategoryChoice } from "./category_choice.js";

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
      for (const { feature, weight } of tree.linear?.terms(node) ?? [])
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
