// Hidden parts of the tree, with buttons that show them again.

import { nodeName } from "../model/tree.js";
import { counted } from "../model/number_text.js";
import { fill, h } from "../elements/dom.js";

/** Name of the displayed part of the tree, and the button that shows the whole tree. */
export class Crumbs {
  /** @param {Store} store */
  constructor(store) {
    this.store = store;
    this.element = h("div", { class: "crumbs", hidden: true });
  }

  draw() {
    const { store } = this;
    const { state, tree, visible } = store;
    const parts = [];
    if (tree.nodeOf.get(state.focus)) {
      parts.push(
        h("button", { class: "link", onclick: () => store.set({ focus: null }) }, "whole tree"),
        " › ",
        `subtree of ${nodeName(tree, tree.nodeOf.get(state.focus) ?? 0)}`,
      );
    }
    // The labels of folded nodes already show how many nodes are hidden.
    if (visible.hidden > 0 && !(store.isSimple && store.support === 0)) {
      const isFolded = [...visible.folded.keys()].some((node) => !state.collapsed.has(tree.origin[node]));
      const why = [
        store.support ? `have less than ${100 * store.support} % of the rows` : "",
        isFolded && state.levels === "auto" ? "are too small to be readable" : "",
        state.collapsed.size ? "are in collapsed branches" : "",
      ].filter(Boolean);
      parts.push(
        h(
          "span",
          { class: "hidden-nodes", "data-testid": "stage-hidden", title: `Nodes that ${why.join(", or ")}` },
          `${counted(visible.hidden, "node")} hidden`,
        ),
        h(
          "button",
          { class: "link", onclick: () => store.set({ support: 0, levels: "all", collapsed: new Set() }) },
          "Show all",
        ),
      );
    }
    fill(this.element, parts);
    this.element.hidden = parts.length === 0 || state.table;
  }
}
