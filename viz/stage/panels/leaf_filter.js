// Filter for leaves by their rows and their confidence.

import { focusedBeside, h } from "../elements/dom.js";
import { count, counted, percent } from "../model/number_text.js";

/** Input fields for the minimum number of rows and the confidence, with the number of matching leaves. */
export class LeafFilter {
  /** @param {Store} store */
  constructor(store) {
    this.store = store;
    const change = () => this.change();
    /** @param {string} label @param {number} [most] */
    const number = (label, most) =>
      h("input", { type: "number", min: 0, max: most, step: "any", "aria-label": label, oninput: change });
    this.rows = number("Minimum rows per leaf");
    this.relation = h(
      "select",
      { "aria-label": "Compare the confidence", onchange: change },
      h("option", { value: "least" }, "at least"),
      h("option", { value: "most" }, "at most"),
    );
    this.share = number("Confidence in percent: share of the rows of a leaf that have its class", 100);
    this.status = h("p", { class: "quiet", role: "status", "data-testid": "stage-leaves-status" });
    this.confidence = h("div", {}, this.relation, " ", this.share, " % confidence");
    this.element = h(
      "fieldset",
      { class: "leaf-filter", "data-testid": "stage-leaf-filter" },
      h("legend", {}, "Leaf filter"),
      h("div", {}, "at least ", this.rows, " rows"),
      this.confidence,
      this.status,
    );
  }

  change() {
    const [rows, share] = [this.rows, this.share].map(({ value }) =>
      value === "" ? null : Math.max(0, Number(value)),
    );
    /** @type {LeafFilterState} */
    const leafFilter = {
      rows: rows ?? 0,
      relation: share === null ? "any" : this.relation.value === "most" ? "most" : "least",
      share: Math.min(1, (share ?? 0) / 100),
    };
    this.store.set({ leafFilter: rows === null && share === null ? null : leafFilter });
    this.showCount();
  }

  /** Show the current filter, without changing the focused field. */
  show() {
    const { leafFilter, path } = this.store.state;
    this.confidence.hidden = path.target.edges !== null;
    if (!this.element.contains(focusedBeside(this.element)) || !leafFilter) {
      this.rows.value = leafFilter?.rows ? String(leafFilter.rows) : "";
      this.share.value = leafFilter && leafFilter.relation !== "any" ? String(100 * leafFilter.share) : "";
      if (leafFilter && leafFilter.relation !== "any") this.relation.value = leafFilter.relation;
    }
    this.showCount();
  }

  showCount() {
    const text = this.store.state.leafFilter ? `${leavesText(this.store)}${largestText(this.store)}` : "";
    // Screen readers would announce unchanged text again.
    if (this.status.textContent !== text) this.status.textContent = text;
  }
}

/** Return the number of leaves that pass the filter as text, such as "3 of 17 leaves". @param {Store} store */
export function leavesText({ tree, filteredLeaves, visible }) {
  const found = filteredLeaves?.leaves ?? [];
  const hidden = found.filter((leaf) => !visible.kept.has(leaf)).length;
  const all = (tree.n + 1) / 2;
  return `${found.length ? count(found.length) : "none"} of ${counted(all, "leaf")}${hidden ? `, ${count(hidden)} hidden` : ""}`;
}

/** Describe the existing leaves if no leaf passes the filter. @param {Store} store */
function largestText({ tree, state, filteredLeaves }) {
  if (filteredLeaves?.leaves.length) return "";
  const { n, losses } = tree.figures(state.set);
  const leaves = Array.from(n.keys()).filter((node) => tree.isLeaf(node) && n[node]);
  const largest = Math.max(0, ...leaves.map((leaf) => n[leaf]));
  if (state.leafFilter?.relation === "any" || largest < Number(state.leafFilter?.rows))
    return `; the largest leaf has ${counted(largest, "row")}`;
  const shares = leaves.map((leaf) => 1 - losses[leaf] / n[leaf]);
  return `; confidence ranges from ${percent(Math.min(...shares), 0)} to ${percent(Math.max(...shares), 0)}`;
}
