// What is not shown, and how to see it.

import { count } from "../model/number_text.js";
import { fill, h } from "../elements/dom.js";

/** Which part of the tree is shown, and the way back to all of it. */
export class Crumbs {
  constructor(stage) {
    this.stage = stage;
    this.element = h("div", { class: "crumbs", hidden: true });
  }

  draw() {
    const { stage } = this;
    const { state, tree, view } = stage;
    const parts = [];
    if (tree.nodeOf.get(state.focus)) {
      parts.push(
        h("button", { class: "link", onclick: () => stage.set({ focus: null }, true) }, "whole tree"),
        " › ",
        `node ${state.focus} and below`,
      );
    }
    if (view.visible.hidden > 0) {
      const why = [
        stage.support ? `below ${100 * stage.support} % of the rows` : "",
        stage.levels < Infinity ? "deeper than there is room for" : "",
        state.collapsed.size ? "in closed branches" : "",
      ].filter(Boolean);
      parts.push(
        h(
          "span",
          { class: "hidden-nodes", "data-testid": "stage-hidden", title: `Nodes that are ${why.join(", or ")}` },
          `${count(view.visible.hidden)} nodes hidden`,
        ),
        h(
          "button",
          { class: "link", onclick: () => stage.set({ support: 0, levels: "all", collapsed: new Set() }, true) },
          "show all",
        ),
      );
    }
    fill(this.element, parts);
    this.element.hidden = parts.length === 0 || state.table;
  }
}
