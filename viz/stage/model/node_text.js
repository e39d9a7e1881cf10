// Nodes in words.

import { condition, count, missingSide } from "./condition.js";

/** What a node is, in one sentence. @param {any} store @param {number} node @returns {string} */
export function nodeText(store, node) {
  const { tree, path, state } = store;
  const { n, losses } = tree.figures(state.set);
  const wrong = path.target.told("wrong", losses[node], n[node]);
  const rows = `${count(n[node])} rows, ${wrong}${marksOf(state, tree.origin[node])}`;
  if (tree.isLeaf(node)) return `leaf ${tree.origin[node]}: ${path.target.answer(tree, node)}, ${rows}`;
  const side = missingSide(tree, node);
  const missing = side === null ? "" : `, missing values go ${side}`;
  return `node ${tree.origin[node]}: ${conditionText(store, node)}${missing}, ${rows}`;
}

/** @param {any} state @param {number} origin */
function marksOf({ editMarks }, origin) {
  if (!editMarks) return "";
  return editMarks.locked.has(origin) ? ", locked" : editMarks.edited.has(origin) ? ", edited" : "";
}

/** @param {{tree: StageTree, path: Path}} store @param {number} node */
export function conditionText(store, node) {
  const { tree, path } = store;
  if (path.imageShape && tree.nWeights(node) > 2) return `weighted sum of ${tree.nWeights(node)} pixels`;
  return condition(tree, node);
}
