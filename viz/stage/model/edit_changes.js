// Edits as they are offered on the stage: what a document becomes, and in words what was done.

import { bestOffset, bestSplit, bestThreshold } from "./best_split.js";
import { cut, grow, lock, relabel, resplit } from "./edit_operations.js";
import { nodeName } from "./tree.js";

/** Sampled training rows that reach a node. @param {StageTree} tree @param {number} node */
function rowsAt(tree, node) {
  return tree.reaching(0, node).rows;
}

/** Split of a node, features as columns of the data. @param {StageTree} tree @param {Split} split */
function inColumns({ path }, { features, weights, bias }) {
  return { features: Array.from(features, (j) => path.columns[j]), weights: Array.from(weights), bias };
}

/**
 * A leaf with another prediction; a number that is given is locked, null: the mean of its rows.
 * @param {StageTree} tree @param {EditDocument} document @param {number} node @param {number | null} label
 */
export function flipLeaf(tree, document, node, label) {
  const id = tree.origin[node];
  const { target } = tree.path;
  const told = label === null ? "predicts the mean of its rows" : `is ${target.text(label)}`;
  const free = target.follows ? lock(document, new Set([id]), label !== null) : document;
  return { document: relabel(free, id, label), words: `${nodeName(tree, node)} ${told} now` };
}

/**
 * A decision becomes a leaf that predicts what suits its rows.
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
 * A leaf becomes a decision: by the given split, else by the best threshold; ids of the new leaves follow `last`.
 * @param {StageTree} tree @param {EditDocument} document @param {number} node @param {number} last
 * @param {Split} [split]
 */
export function splitLeaf(tree, document, node, last, split) {
  const id = tree.origin[node];
  split ??= bestThreshold(tree.path, rowsAt(tree, node)) ?? middleSplit(tree);
  const labels = answers(tree, node, split);
  return { document: grow(document, id, inColumns(tree, split), labels, last), words: `${nodeName(tree, node)} split` };
}

/** Where no value tells the rows apart: the middle of the first feature. @param {StageTree} tree @returns {Split} */
function middleSplit({ path }) {
  return { features: [0], weights: [1], bias: -(path.low[0] + path.high[0]) / 2 || 0 };
}

/** What suits the rows on each side of a split; what the leaf says where there is none. */
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
 * Another split of a node, features as positions among the shipped ones.
 * @param {StageTree} tree @param {EditDocument} document @param {number} node @param {Split} split
 * @param {string} words
 */
export function moveSplit(tree, document, node, split, words) {
  const id = tree.origin[node];
  return { document: resplit(document, id, inColumns(tree, split)), words: `${nodeName(tree, node)}: ${words}` };
}

/**
 * Which way the categories of the column of a decision go: `feature` 0/1 of its own, last, with null, all others.
 * @param {StageTree} tree @param {number} node @returns {{feature: number | null, name: string, right: boolean}[]}
 */
export function categorySides(tree, node) {
  const { features, weights, bias } = tree.split(node);
  const group = tree.path.groups.find(({ values }) => values.some(([, j]) => j === features[0]));
  const sides = (group?.values ?? []).map(([name, feature]) => {
    const at = features.indexOf(feature);
    return { feature, name, right: bias + (at < 0 ? 0 : weights[at]) >= 0 };
  });
  return group?.others ? [...sides, { feature: null, name: group.other ?? "others", right: bias >= 0 }] : sides;
}

/**
 * A decision on one column of categories, with one of them (null: all others) sent the other way; null where that would
 * tell none apart, or more of them than a node of this tree may name.
 * @param {StageTree} tree @param {EditDocument} document @param {number} node @param {number | null} turned
 */
export function turnCategory(tree, document, node, turned) {
  const { path } = tree;
  const sides = categorySides(tree, node).map((one) => ({ ...one, right: one.right !== (one.feature === turned) }));
  const rights = sides.filter(({ right }) => right).length;
  const others = sides.find(({ feature }) => feature === null)?.right ?? 2 * rights > sides.length;
  const named = sides.filter(({ right }) => right !== others);
  if (rights === 0 || rights === sides.length || named.length > (path.edit?.penalty.most ?? Infinity)) return null;
  const split = {
    features: named.map(({ feature }) => Number(feature)),
    weights: named.map(() => (others ? -1 : 1)),
    bias: others ? 0.5 : -0.5,
  };
  const one = sides.find(({ feature }) => feature === turned);
  return moveSplit(tree, document, node, split, `${one?.name} goes ${one?.right ? "right" : "left"} now`);
}

/**
 * A node that looks at these one or two features: the line that its subtrees make the fewest errors with.
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
 * The offset of a node that its subtrees make the fewest errors with.
 * @param {StageTree} tree @param {EditDocument} document @param {number} node
 */
export function balanceOffset(tree, document, node) {
  const { rows, margins } = tree.reaching(0, node);
  const shift = bestOffset(rows, margins, wrongSides(tree, node));
  const { features, weights, bias } = tree.split(node);
  return moveSplit(tree, document, node, { features, weights, bias: bias - shift }, "offset moved");
}

/**
 * Function row -> [loss in the left, in the right subtree of a node].
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
