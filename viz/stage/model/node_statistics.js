// Statistics of nodes, declared in Python (treecore/statistics) and sent in the payload. Their values follow the
// selected set and every edit.

import { filled } from "./target.js";
import { count, number, percent, setText } from "./number_text.js";

/** @type {Record<string, (value: number, target: Target) => string>} formats of finite values, as FORMATS in Python */
export const FORMATS = {
  count: (value) => count(Math.round(value)),
  percent: (value) => percent(value),
  share: (value) => percent(value),
  error: (value, target) => target.errorText(value),
  deviation: (value, target) => target.short(value),
  loss: (value) => (Number.isInteger(value) ? count(value) : number(value, 4)),
};

/** @type {Record<string, (left: number, right: number) => number>} */
const BINARY = {
  "+": (left, right) => left + right,
  "-": (left, right) => left - right,
  "*": (left, right) => left * right,
  "/": (left, right) => left / right,
};

/** @type {Record<string, (value: number) => number>} */
const UNARY = { negative: (value) => -value, sqrt: Math.sqrt, log: Math.log };

/**
 * Return the quantities of one node from which statistics are computed. They are QUANTITIES in
 * treecore/statistics/node_statistic.py.
 * @param {StageTree} tree @param {number} set @param {number} node @returns {Record<string, number>}
 */
function quantitiesOf(tree, set, node) {
  const { n, losses } = tree.figures(set);
  const training = tree.figures(0).n;
  return {
    rows: n[node],
    all_rows: Math.max(n[0], 1),
    loss: losses[node],
    error: tree.path.target.error(losses[node], n[node]),
    training_rows: training[node],
    all_training_rows: training[0],
    depth: tree.depth[node],
  };
}

/**
 * Return a statistic of a node, or NaN if the node does not have it.
 * @param {NodeStatistic} statistic @param {StageTree} tree @param {number} set @param {number} node
 */
export function statisticOf({ operations, per }, tree, set, node) {
  if (per === "leaf" && !tree.isLeaf(node)) return NaN;
  const quantities = quantitiesOf(tree, set, node);
  /** @type {number[]} */
  const stack = [];
  for (const part of operations) {
    if (typeof part === "number") stack.push(part);
    else if (part in UNARY) stack.push(UNARY[part](stack.pop() ?? NaN));
    else if (part in BINARY) {
      const right = stack.pop() ?? NaN;
      stack.push(BINARY[part](stack.pop() ?? NaN, right));
    } else stack.push(quantities[part]);
  }
  return stack[0];
}

/**
 * Return the statistics of a tree to show in a view, without those that equal another statistic.
 * @param {StageTree} tree @param {number} set @param {string} face @returns {NodeStatistic[]}
 */
export function statisticsIn(tree, set, face) {
  return tree.once(`statistics ${face} ${set}`, () => {
    const shown = tree.path.statistics.filter(({ faces }) => face in faces);
    return shown.filter((one) => {
      const other = shown.find(({ name }) => name === one.same_as);
      if (!other) return true;
      const nodes = Array.from(tree.left.keys());
      const values = nodes.map((node) => [one, other].map((each) => statisticOf(each, tree, set, node)));
      return values.some(([own, its]) => Number.isFinite(own) && own !== its);
    });
  });
}

/**
 * Return a value as text, or a dash for NaN.
 * @param {NodeStatistic} statistic @param {number} value @param {Target} target
 */
function textOf({ form }, value, target) {
  return Number.isFinite(value) ? FORMATS[form](value, target) : "–";
}

/**
 * Return a statistic of a node as text, or a dash for NaN.
 * @param {NodeStatistic} statistic @param {StageTree} tree @param {number} set @param {number} node
 */
export function statisticText(statistic, tree, set, node) {
  return textOf(statistic, statisticOf(statistic, tree, set, node), tree.path.target);
}

/** Return the column name of a statistic. @param {NodeStatistic} statistic @param {Path} path */
export function columnTitle({ faces }, path) {
  return filled(faces.table, { loss: path.target.nouns.loss });
}

/**
 * Return the statistics of a node as phrases for a view. `bare`: whether the first phrase is the value alone.
 * @param {StageTree} tree @param {number} set @param {number} node @param {string} face
 */
export function phrases(tree, set, node, face, bare = false) {
  const { n } = tree.figures(set);
  return statisticsIn(tree, set, face)
    .filter(({ per }) => per === "node" || tree.isLeaf(node))
    .map((statistic, i) => {
      const value = statisticOf(statistic, tree, set, node);
      const text = textOf(statistic, value, tree.path.target);
      if (bare && i === 0) return text;
      return filled(statistic.faces[face], {
        value: text,
        s: value === 1 ? "" : "s",
        set: setText(tree.path.sets[set]),
        n_rows: count(n[node]),
        n_all_rows: count(n[0]),
      });
    });
}
