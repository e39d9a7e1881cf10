// Other values of the followed row, tried out: a slider for every feature, the row moves through the tree as they move.

import { number } from "../model/number_text.js";
import { fill, h } from "../elements/dom.js";
import { changedPositions, currentValues, tryValues } from "../model/followed_row.js";
import { FeatureSlider } from "./feature_slider.js";
import { CategoryChoice } from "./category_choice.js";

const MOST = 10; // features shown at first; the others on demand

/** The values of one followed row to change; `element` outlives the drawings of the inspector, `follow()` is for every change. */
export class WhatIf {
  constructor(store) {
    this.store = store;
    this.row = store.state.row;
    this.tree = store.tree;
    this.parts = new Map();
    this.ways = h("div", { class: "feature-values" });
    this.rest = h("div", { class: "feature-values" });
    this.filter = h("input", {
      type: "search",
      class: "find-feature",
      placeholder: "Feature …",
      "aria-label": "Find a feature to change",
      oninput: () => this.fillRest(),
    });
    this.restTitle = h("summary", {});
    this.more = h("details", { class: "other-features" }, this.restTitle, this.filter, this.rest);
    this.more.addEventListener("toggle", () => this.fillRest());
    this.back = h(
      "button",
      { "data-testid": "stage-back-to-row", onclick: () => tryValues(store, null) },
      "Back to the row",
    );
    this.note = h("span", { class: "quiet" });
    const legend = h(
      "p",
      { class: "quiet mark-legend" },
      h("i", { class: "own" }),
      " as in the row ",
      h("i", { class: "flip" }),
      " a decision on its way flips",
    );
    this.element = h(
      "section",
      { class: "what-if", "data-testid": "stage-what-if", "aria-label": "What if" },
      h("h4", {}, "What if"),
      h("div", { class: "buttons" }, this.back, this.note),
      this.ways,
      legend,
      this.more,
    );
    for (const j of this.asked().slice(0, MOST)) this.show(j);
    this.follow();
  }

  /** Whether these values are those of what is followed now. */
  isFor({ state, tree }) {
    return state.row === this.row && tree === this.tree;
  }

  /** Features that the way asks for, those that move the margins most first. */
  asked() {
    const { tree, path, way } = this.store;
    const reach = new Map();
    for (const { node, margin } of way) {
      if (margin === null) continue;
      const { features, weights } = tree.split(node);
      features.forEach((j, i) => reach.set(j, (reach.get(j) ?? 0) + Math.abs(weights[i]) * (path.deviation[j] || 1)));
    }
    const order = [...reach.keys()];
    // with one feature a node, the order of the way
    return order.length === way.length - 1 ? order : order.sort((a, b) => reach.get(b) - reach.get(a));
  }

  /** Every feature that this tree uses. */
  used() {
    this.all ??= [...new Set(this.tree.feature)].sort((a, b) => a - b);
    return this.all;
  }

  partOf(j) {
    const group = this.store.path.groups.find(({ values }) => values.some(([, position]) => position === j));
    const key = group ? group.name : j;
    if (!this.parts.has(key))
      this.parts.set(key, group ? new CategoryChoice(this.store, group) : new FeatureSlider(this.store, j));
    return this.parts.get(key);
  }

  show(j) {
    const part = this.partOf(j);
    if (part.element.parentNode !== this.ways) this.ways.append(part.element);
  }

  fillRest() {
    const rest = this.used().filter((j) => !this.isShown(j));
    const count = new Set(rest.map((j) => this.nameOf(j))).size;
    this.more.hidden = rest.length === 0;
    this.restTitle.textContent = `Other features of the tree (${count})`;
    this.filter.hidden = count <= MOST;
    if (!this.more.open) return;
    const wanted = this.filter.value.trim().toLowerCase();
    const found = rest.filter((j) => this.nameOf(j).toLowerCase().includes(wanted)).slice(0, 4 * MOST);
    const parts = [...new Set(found.map((j) => this.partOf(j)))];
    fill(
      this.rest,
      parts.map((part) => part.element),
    );
    for (const part of parts) part.follow();
  }

  isShown(j) {
    const { groups } = this.store.path;
    const group = groups.find(({ values }) => values.some(([, position]) => position === j));
    return this.parts.get(group ? group.name : j)?.element.parentNode === this.ways;
  }

  nameOf(j) {
    const group = this.store.path.groups.find(({ values }) => values.some(([, position]) => position === j));
    return group ? group.name : this.store.path.features[j];
  }

  follow() {
    const { store } = this;
    const values = currentValues(store.state);
    if (this.followed === values && this.count !== undefined) return;
    this.followed = values;
    const asked = new Set(this.asked());
    for (const j of asked) if (this.ways.childElementCount < MOST && !this.isShown(j)) this.show(j);
    for (const part of this.parts.values()) if (part.element.parentNode) part.follow(asked);
    const count = changedPositions(store.state).length;
    this.back.disabled = count === 0;
    this.note.textContent = count
      ? `${number(count)} ${count === 1 ? "value" : "values"} changed`
      : "Move a slider: the row follows.";
    this.count = count;
    const shown = this.ways.childElementCount;
    if (shown !== this.shown) this.fillRest();
    this.shown = shown;
  }
}
