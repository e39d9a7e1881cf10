// Nodes in words.

import { condition, missingSide } from "./condition.js";
import { count } from "./number_text.js";

/** What a node is, in one sentence. @param {any} stage @param {number} node @returns {string} */
export function nodeText(stage, node) {
  const { tree, path, state } = stage;
  const { n, losses } = tree.figures(state.set);
  const rows = `${count(n[node])} rows, ${path.target.told("wrong", losses[node], n[node])}${stage.editor.wordsOf(tree.origin[node])}`;
  if (tree.isLeaf(node)) return `leaf ${tree.origin[node]}: ${path.target.answer(tree, node)}, ${rows}`;
  const side = missingSide(tree, node);
  const missing = side === null ? "" : `, missing values go ${side}`;
  return `node ${tree.origin[node]}: ${condition(tree, node)}${missing}, ${rows}`;
}
