// The tree for a screen reader and the keyboard: an ARIA tree without pictures, and the table twin.

import { condition, count, percent } from "./condition.js";
import { fill, h } from "./dom.js";

/** What a node is, in one sentence. */
export function nodeText(stage, node) {
  const { tree, path, state } = stage;
  const { n, errors } = tree.figures(state.set);
  const rows = `${count(n[node])} rows, ${count(errors[node])} wrong`;
  if (tree.isLeaf(node)) return `leaf ${tree.origin[node]}: ${path.classes[tree.label[node]]}, ${rows}`;
  return `node ${tree.origin[node]}: ${conditionText(stage, node)}, ${rows}`;
}

export function conditionText(stage, node) {
  const { tree, path } = stage;
  if (path.imageShape) return `weighted sum of ${tree.nWeights(node)} pixels`;
  return condition(tree, node, 3);
}

/** ARIA tree items of the visible nodes, in reading order. */
export function ariaItems(stage, visible, prefix) {
  const { tree, state } = stage;
  const items = [];
  const stack = [visible.root];
  while (stack.length) {
    const node = stack.pop();
    const children = visible.kept.get(node);
    const above = tree.parent[node];
    const siblings = above >= 0 && node !== visible.root ? visible.kept.get(above) : [node];
    const side = above >= 0 ? (tree.right[above] === node ? "yes: " : "no: ") : "";
    items.push(
      h(
        "div",
        {
          role: "treeitem",
          id: `${prefix}-${tree.origin[node]}`,
          "aria-level": tree.depth[node] - tree.depth[visible.root] + 1,
          "aria-posinset": siblings.indexOf(node) + 1,
          "aria-setsize": siblings.length,
          "aria-expanded": tree.isLeaf(node) ? null : String(!state.collapsed.has(tree.origin[node])),
          "aria-selected": String(tree.origin[node] === state.node),
        },
        side + nodeText(stage, node),
      ),
    );
    stack.push(...children.toReversed());
  }
  return items;
}

/** The node that an arrow key leads to: down = first child, up = parent, left and right = neighbours of the level. */
export function neighbourOf(stage, visible, places, node, key) {
  const { tree } = stage;
  if (key === "ArrowUp") return node === visible.root ? node : tree.parent[node];
  if (key === "ArrowDown") return visible.kept.get(node)[0] ?? node;
  if (key === "Home") return visible.root;
  const level = visible.nodes
    .filter((other) => tree.depth[other] === tree.depth[node])
    .sort((a, b) => places.get(a).x - places.get(b).x);
  const at = level.indexOf(node) + (key === "ArrowRight" ? 1 : -1);
  return level[Math.max(0, Math.min(level.length - 1, at))];
}

/** Table with one row per node, parents first. */
export function tableTwin(stage, select) {
  const { tree, path, state } = stage;
  const { n, errors } = tree.figures(state.set);
  const head = [
    "node",
    "parent",
    "when",
    "asks / predicts",
    path.imageShape ? "pixels" : "features",
    "rows",
    "share",
    "wrong",
    "error",
  ];
  const rows = Array.from({ length: tree.n }, (_, node) => {
    const above = tree.parent[node];
    const leaf = tree.isLeaf(node);
    return h(
      "tr",
      { class: tree.origin[node] === state.node ? "chosen" : null, onclick: () => select(tree.origin[node]) },
      h(
        "th",
        { scope: "row" },
        h("button", { class: "link", onclick: () => select(tree.origin[node]) }, String(tree.origin[node])),
      ),
      h("td", {}, above < 0 ? "–" : String(tree.origin[above])),
      h("td", {}, above < 0 ? "–" : tree.right[above] === node ? "yes" : "no"),
      h(
        "td",
        { class: "words", dir: "auto" },
        leaf ? `→ ${path.classes[tree.label[node]]}` : conditionText(stage, node),
      ),
      h("td", { class: "number" }, leaf ? "" : count(tree.nWeights(node))),
      h("td", { class: "number" }, count(n[node])),
      h("td", { class: "number" }, percent(n[node] / Math.max(n[0], 1))),
      h("td", { class: "number" }, count(errors[node])),
      h("td", { class: "number" }, n[node] ? percent(errors[node] / n[node]) : "–"),
    );
  });
  const table = h(
    "table",
    { class: "twin" },
    h(
      "caption",
      {},
      `${tree.n} nodes at λ = ${path.lams[tree.index].toPrecision(3)}, ${path.sets[state.set].name} rows; “when” says on which answer of its parent a node is reached.`,
    ),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        head.map((text) => h("th", { scope: "col" }, text)),
      ),
    ),
    h("tbody", {}, rows),
  );
  const holder = h("div", {
    class: "table",
    tabindex: "0",
    role: "region",
    "aria-label": "Nodes of the tree as a table",
  });
  fill(holder, table);
  return holder;
}
