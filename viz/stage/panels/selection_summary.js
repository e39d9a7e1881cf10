// Summary of the selected rows in the tree of a linked stage: how many are misclassified, and which leaves they reach.

import { nodeName } from "../model/tree.js";
import { count, counted, setText } from "../model/number_text.js";
import { fill, h } from "../elements/dom.js";
import { clearSelection } from "../model/selection.js";

const MOST_LEAVES = 5;
const MOST_TOLD = 20; // maximum number of leaves in the tooltip
const HINT = "Shift-click a node, or Shift-drag over its points, to highlight the rows in every tree";

/** The summary on one line. `reveal(node)` brings a node of the tree into view. */
export class SelectionSummary {
  /** @param {Store} store @param {(node: number) => void} reveal */
  constructor(store, reveal) {
    this.store = store;
    /** @type {unknown[] | undefined} */
    this.key = undefined;
    this.reveal = reveal;
    this.hint = HINT;
    this.summary = h("div", { class: "row-summary" });
    this.clear = h(
      "button",
      {
        class: "small",
        title: "Clear the selection in all trees (Esc)",
        "aria-label": "Clear the selection in all trees",
        onclick: () => clearSelection(store),
      },
      "✕",
    );
    this.element = h(
      "div",
      { class: "selection-summary", role: "group", hidden: true, "data-testid": "stage-selection-summary" },
      this.summary,
      this.clear,
    );
  }

  draw() {
    const { store } = this;
    const { guest, set } = store.state;
    if (this.element.hidden) return;
    const selection = guest?.rows ?? store.state.selection;
    this.clear.hidden = !selection || guest !== null;
    const key = [selection, set, store.tree, store.colors, this.summary.clientWidth];
    if (this.key?.every((value, i) => value === key[i])) return;
    this.key = key;
    this.summary.classList.toggle("quiet", !selection);
    this.summary.title = "";
    if (!selection) return fill(this.summary, this.hint);
    const { leaves, wrong } = reachedBy(store.tree, selection);
    const { n, perSet } = selection;
    const among = perSet[set] === n ? "" : ` (${count(perSet[set])} of ${setText(store.path.sets[set])})`;
    const head = [
      guest ? `${counted(n, "row")} of ${guest.name}` : `${count(n)} selected`,
      `${among}, `,
      `${count(wrong)} ${store.path.target.nouns.wrong}`,
    ];
    this.summary.title = this.text(head, leaves);
    // The line shows as many leaves as fit.
    for (let shown = Math.min(MOST_LEAVES, leaves.length); shown > 0; shown--) {
      fill(this.summary, this.sentence(head, wrong, leaves, shown));
      if (this.summary.scrollHeight <= this.summary.clientHeight + 1) break;
    }
  }

  /** @param {string[]} head @param {number} wrong @param {Reached[]} leaves @param {number} shown */
  sentence([selected, among, mistakes], wrong, leaves, shown) {
    const { tree, path, colors } = this.store;
    const more = leaves.length - shown;
    return [
      h("b", {}, selected),
      among,
      h("span", { class: wrong ? "bad" : null }, mistakes),
      ": ",
      leaves
        .slice(0, shown)
        .map(({ leaf, rows }, i) => [
          i ? ", " : null,
          h(
            "span",
            { class: "reached" },
            `${count(rows)} to `,
            h("button", { class: "link", onclick: () => this.show(leaf) }, nodeName(tree, leaf)),
            " (",
            h("i", { class: "dot", style: `background:${colors.ofGroup(tree.label[leaf])}` }),
            h("bdi", {}, path.target.answer(tree, leaf)),
            ")",
          ),
        ]),
      more ? `, +${count(more)} more` : null,
    ];
  }

  /** @param {string[]} head @param {Reached[]} leaves */
  text(head, leaves) {
    const { tree, path } = this.store;
    const parts = leaves.map(
      ({ leaf, rows }) => `${count(rows)} to ${nodeName(tree, leaf)} (${path.target.answer(tree, leaf)})`,
    );
    return `${head.join("")}: ${parts.slice(0, MOST_TOLD).join(", ")}${parts.length > MOST_TOLD ? " …" : ""}`;
  }

  /** @param {number} leaf */
  show(leaf) {
    const { store } = this;
    store.select(store.tree.origin[leaf]);
    this.reveal(leaf);
  }
}

/** @typedef {{leaf: number, rows: number}} Reached */

/**
 * Return {leaves: [{leaf, rows}] that the selected rows reach, sorted by rows, wrong: number of misclassified rows}.
 * @param {StageTree} tree @param {RowSelection} selection
 */
function reachedBy(tree, selection) {
  const reached = new Map();
  let wrong = 0;
  for (const row of selection.rows) {
    const { leaf, isWrong } = selection.ending(tree, row);
    reached.set(leaf, (reached.get(leaf) ?? 0) + 1);
    wrong += Number(isWrong);
  }
  const leaves = [...reached]
    .map(([leaf, rows]) => ({ leaf, rows }))
    .sort((a, b) => b.rows - a.rows || a.leaf - b.leaf);
  return { leaves, wrong };
}
