// Choice for a categorical column of the followed row. One of its 0/1 features is 1, or none that the tree uses.

import { h } from "../elements/dom.js";
import { onlyOther } from "../model/condition.js";
import { currentValues, tryChanges } from "../model/followed_row.js";

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
