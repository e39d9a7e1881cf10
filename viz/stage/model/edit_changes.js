// Edits that the stage offers. Each function returns the new document with a description of the edit.

import { bestOffset, bestSplit, bestThreshold } from "./best_split.js";
import { cut, grow, lock, relabel, resplit } from "./edit_operations.js";
import { onlyOther } from "./condition.js";
import { nodeName } from "./tree.js";

/** Return the sampled training rows that reach a node. @param {StageTree} tree @param {number} node */
function rowsAt(tree, node) {
  return tree.reaching(0, node).rows;
}

/** Return the split of a node, with features as columns of the data. @param {StageTree} tree @param {Split} split */
function inColumns({ path }, { features, weights, bias }) {
  return { features: Array.from(features, (j) => path.columns[j]), weights: Array.from(weights), bias };
}

/**
 * Change the prediction of a leaf. A given number is locked; null stands for the mean target of the rows.
 * @param {StageTree} tree @param {EditDocument} document @param {number} node @param {number | null} label
 */
export function flipLeaf(tree, document, node, label) {
  const id = tree.origin[node];
  const { target } = tree.path;
  const effect = label === null ? "predicts the mean target of its rows" : `is ${target.text(label)}`;
  const free = target.follows ? lock(document, new Set([id]), label !== null) : document;
  return { document: relabel(free, id, label), words: `${nodeName(tree, node)} ${effect} now` };
}

/**
 * Prune a decision node to a leaf with the best prediction for its rows.
 * @param {StageTree} tree @param {EditDocument} document @param {number} node
 */
export function cutToLeaf(tree, document, node) {
  const id = tree.origin[node];
  const { target } = tree.path;
  const label = target.asLeaf(tree, node);
  return {
    document: cut(document, id, target.follows ? null : label),
    words: `${nodeName(tree, node)} pruned to a leaf, ${target.text(label)}`,
  };
}

/**
 * Split a leaf by the given split or by the best threshold. The ids of the new leaves follow `last`.
 * @param {StageTree} tree @param {EditDocument} document @param {number} node @param {number} last
 * @param {Split} [split]
 */
export function splitLeaf(tree, document, node, last, split) {
  const id = tree.origin[node];
  split ??= bestThreshold(tree.path, rowsAt(tree, node)) ?? middleSplit(tree);
  const labels = answers(tree, node, split);
  return { document: grow(document, id, inColumns(tree, split), labels, last), words: `${nodeName(tree, node)} split` };
}

/**
 * Return a split in the middle of the first feature, for rows that no threshold separates.
 * @param {StageTree} tree @returns {Split}
 */
function middleSplit({ path }) {
  return { features: [0], weights: [1], bias: -(path.low[0] + path.high[0]) / 2 || 0 };
}

/**
 * Return the best prediction for the rows on each side of a split. A side without rows gets the prediction of the leaf.
 */
/** @param {StageTree} tree @param {number} node @param {Split} split */
function answers(tree, node, { features, weights, bias }) {
  const { n, X } = tree.path.sample;
  /** @type {number[][]} */
  const sides = [[], []];
  for (const row of rowsAt(tree, node)) {
    const margin = features.reduce((sum, j, i) => sum + weights[i] * X[j * n + row], bias);
    sides[margin >= 0 ? 1 : 0].push(row);
  }
  if (tree.path.target.follows) return [null, null];
  return sides.map((rows) => tree.path.target.valueOf(tree.path, rows, tree.value[node]));
}

/**
 * Replace the split of a node. Its features are indices of shipped features.
 * @param {StageTree} tree @param {EditDocument} document @param {number} node @param {Split} split
 * @param {string} words
 */
export function moveSplit(tree, document, node, split, words) {
  const id = tree.origin[node];
  return { document: resplit(document, id, inColumns(tree, split)), words: `${nodeName(tree, node)}: ${words}` };
}

/**
 * Return the side of each category in the column of a split. `feature` is the 0/1 feature of the category. The last
 * entry is for all other categories and has null.
 * @param {StageTree} tree @param {number} node @returns {{feature: number | null, name: string, right: boolean}[]}
 */
export function categorySides(tree, node) {
  const { features, weights, bias } = tree.split(node);
  const group = tree.path.groups.find(({ values }) => values.some(([, j]) => j === features[0]));
  const sides = (group?.values ?? []).map(([name, feature]) => {
    const at = features.indexOf(feature);
    return { feature, name, right: bias + (at < 0 ? 0 : weights[at]) >= 0 };
  });
  return group?.others ? [...sides, { feature: null, name: onlyOther(group) ?? "others", right: bias >= 0 }] : sides;
}

/**
 * Send one category (null: all others) of a split on one categorical column to the other side. Return null if the split
 * would separate no categories, or list more categories than the tree allows for a node.
 * @param {StageTree} tree @param {EditDocument} document @param {number} node @param {number | null} turned
 */
export function turnCategory(tree, document, node, turned) {
  const { path } = tree;
  const sides = categorySides(tree, node).map((one) => ({ ...one, right: one.right !== (one.feature === turned) }));
  const rights = sides.filter(({ right }) => right).length;
  const others = sides.find(({ feature }) => feature === null)?.right ?? 2 * rights > sides.length;
  const named = sides.filter(({ right }) => right !== others);
  const { most, column } = path.edit?.penalty ?? {};
  if (rights === 0 || rights === sides.length || (!column && named.length > (most ?? Infinity))) return null;
  const split = {
    features: named.map(({ feature }) => Number(feature)),
    weights: named.map(() => (others ? -1 : 1)),
    bias: others ? 0.5 : -0.5,
  };
  const one = sides.find(({ feature }) => feature === turned);
  return moveSplit(tree, document, node, split, `${one?.name} goes ${one?.right ? "right" : "left"} now`);
}

/**
 * Split a node on one or two features, by the line that gives its subtrees the fewest errors.
 * @param {StageTree} tree @param {EditDocument} document @param {number} node @param {number[]} features
 */
export function chooseFeatures(tree, document, node, features) {
  const { path } = tree;
  const found = bestSplit(path, rowsAt(tree, node), features, wrongSides(tree, node));
  const split = found ?? { features, weights: features.map(() => 1), bias: -path.low[features[0]] };
  const names = features.map((j) => path.features[j]).join(" and ");
  return moveSplit(tree, document, node, split, `now uses ${names}`);
}

/**
 * Change the offset of a node to the value with which its subtrees make the fewest errors.
 * @param {StageTree} tree @param {EditDocument} document @param {number} node
 */
export function balanceOffset(tree, document, node) {
  const { rows, margins } = tree.reaching(0, node);
  const shift = bestOffset(rows, margins, wrongSides(tree, node));
  const { features, weights, bias } = tree.split(node);
  return moveSplit(tree, document, node, { features, weights, bias: bias - shift }, "offset moved");
}

/**
 * Return a function that maps a row to [loss in the left subtree, loss in the right subtree] of a node.
 * @param {StageTree} tree @param {number} node @returns {(row: number) => number[]}
 */
function wrongSides(tree, node) {
  const { target, sample } = tree.path;
  const { n, X } = sample;
  return (row) =>
    tree.children(node).map((child) => {
      let at = child;
      while (!tree.isLeaf(at)) {
        let margin = tree.bias[at];
        for (let j = tree.start[at]; j < tree.start[at + 1]; j++)
          margin += tree.weight[j] * X[tree.feature[j] * n + row];
        at = tree.goesRight(at, margin) ? tree.right[at] : tree.left[at];
      }
      return target.loss(tree, at, row);
    });
}
