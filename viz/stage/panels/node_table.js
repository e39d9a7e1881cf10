// The tree as a table for screen readers and for copying.

import { nodeName } from "../model/tree.js";
import { columnTitle, statisticText, statisticsIn } from "../model/node_statistics.js";
import { placeText } from "../model/grid.js";
import { count, counted, setText } from "../model/number_text.js";
import { fill, h } from "../elements/dom.js";
import { branchTo, condition } from "../model/condition.js";

/** Return a table with one row per node. Parents come before their children. @param {Store} store */
export function nodeTable(store) {
  const { tree, path, state } = store;
  const { target } = path;
  const statistics = statisticsIn(tree, state.set, "table");
  const head = [
    "node",
    "parent",
    "when",
    "split / prediction",
    path.imageShape ? "pixels" : "features",
    ...statistics.map((statistic) => columnTitle(statistic, path)),
  ];
  const rows = Array.from({ length: tree.n }, (_, node) => {
    const above = tree.parent[node];
    const leaf = tree.isLeaf(node);
    return h(
      "tr",
      { class: tree.origin[node] === state.node ? "chosen" : null, onclick: () => store.select(tree.origin[node]) },
      h(
        "th",
        { scope: "row" },
        h("button", { class: "link", onclick: () => store.select(tree.origin[node]) }, nodeName(tree, node)),
      ),
      h("td", {}, above < 0 ? "–" : nodeName(tree, above)),
      h("td", {}, above < 0 ? "–" : branchTo(tree, node)),
      h("td", { class: "words", dir: "auto" }, leaf ? `→ ${target.answer(tree, node)}` : condition(tree, node)),
      h("td", { class: "number" }, leaf ? "" : count(tree.nWeights(node))),
      statistics.map((statistic) =>
        h(
          "td",
          { class: "number" },
          leaf || statistic.per === "node" ? statisticText(statistic, tree, state.set, node) : "",
        ),
      ),
    );
  });
  const table = h(
    "table",
    { class: "node-table" },
    h(
      "caption",
      {},
      `${counted(tree.n, "node")} at ${placeText(path, tree.index)}, ${setText(path.sets[state.set])}. Column 'when': branch of the parent that leads to the node.`,
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
