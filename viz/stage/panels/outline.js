// The tree for screen readers and the keyboard, as an ARIA tree without drawings.

import { fill, h } from "../elements/dom.js";
import { branchTo, nodeText } from "../model/condition.js";
import { counted } from "../model/number_text.js";
import { nodeName } from "../model/tree.js";

const ARROWS = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home"];

/** Element with role "tree" above the drawing. `id`: id of the stage. */
export class Outline {
  /**
   * @param {Store} store @param {string} id
   * @param {{reveal(node: number): void, zoom(factor: number): void, fit(): void, open(node: number): void}} on
   */
  constructor(store, id, on) {
    this.store = store;
    this.id = id;
    this.on = on;
    this.element = h("div", {
      class: "outline",
      role: "tree",
      tabindex: "0",
      "aria-label": "Decision tree. Arrow keys move between nodes, space opens and closes a node",
    });
    this.element.addEventListener("keydown", (event) => this.key(event));
    this.element.addEventListener("focus", () => {
      if (store.state.node === null) store.select(store.tree.origin[store.visible.root]);
    });
  }

  draw() {
    const { id, store } = this;
    const { tree, state, visible } = store;
    fill(this.element, ariaItems(store, visible, id));
    if (visible.kept.has(tree.nodeOf.get(state.node) ?? -1))
      this.element.setAttribute("aria-activedescendant", `${id}-${state.node}`);
    else this.element.removeAttribute("aria-activedescendant");
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const { store, on } = this;
    const { tree, visible, state } = store;
    const { key } = event;
    const node = tree.nodeOf.get(state.node) ?? visible.root;
    if (ARROWS.includes(key)) {
      const from = visible.kept.has(node) ? node : visible.root;
      const next = neighbourOf(tree, visible, from, key);
      store.select(tree.origin[next]);
      on.reveal(next);
    } else if (key === " " || key === "Enter") visible.folded.has(node) ? on.open(node) : store.toggle(node);
    else if (key === "+" || key === "=") on.zoom(1.4);
    else if (key === "-") on.zoom(1 / 1.4);
    else if (key === "0") on.fit();
    else if (key === "Escape" && !state.selection) store.select(null);
    else return;
    event.preventDefault();
  }
}

/**
 * Return the items of the visible nodes in reading order.
 * @param {Store} store @param {Visible} visible @param {string} prefix
 */
function ariaItems(store, visible, prefix) {
  const { tree, state } = store;
  const items = [];
  const stack = [visible.root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const children = visible.kept.get(node);
    const above = tree.parent[node];
    const siblings = above >= 0 && node !== visible.root ? visible.kept.get(above) : [node];
    const side = above >= 0 ? `${branchTo(tree, node)}: ` : "";
    items.push(
      h(
        "div",
        {
          role: "treeitem",
          id: `${prefix}-${tree.origin[node]}`,
          "aria-level": tree.depth[node] - tree.depth[visible.root] + 1,
          "aria-posinset": siblings.indexOf(node) + 1,
          "aria-setsize": siblings.length,
          "aria-expanded": tree.isLeaf(node) ? null : String(!visible.folded.has(node)),
          "aria-selected": String(tree.origin[node] === state.node),
        },
        side + nodeText(store, node),
      ),
    );
    stack.push(...children.toReversed());
  }
  return items;
}

/**
 * Return the node in the direction of an arrow key: down is the first child, up is the parent, left and right are
 * neighbours on the level.
 * @param {StageTree} tree @param {Visible} visible @param {number} node @param {string} key
 */
function neighbourOf(tree, visible, node, key) {
  if (key === "ArrowUp") return node === visible.root ? node : tree.parent[node];
  if (key === "ArrowDown") return visible.kept.get(node)[0] ?? node;
  if (key === "Home") return visible.root;
  const level = visible.nodes.filter((other) => tree.depth[other] === tree.depth[node]); // ordered from left to right
  const at = level.indexOf(node) + (key === "ArrowRight" ? 1 : -1);
  return level[Math.max(0, Math.min(level.length - 1, at))];
}

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
