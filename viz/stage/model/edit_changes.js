// Edits as they are offered on the stage: what a document becomes, and in words what was done.

import { bestOffset, bestSplit, bestThreshold } from "./best_split.js";
import { majority } from "./edited_tree.js";
import { cut, grow, relabel, resplit } from "./edit_operations.js";

/** Sampled training rows that reach a node. */
function rowsAt(tree, node) {
  return tree.reaching(0, node).rows;
}

/** Split of a node, features as columns of the data. */
function inColumns({ path }, { features, weights, bias }) {
  return { features: Array.from(features, (j) => path.columns[j]), weights: Array.from(weights), bias };
}

/** A leaf of another class. */
export function flipLeaf(tree, document, node, label) {
  const id = tree.origin[node];
  return { document: relabel(document, id, label), words: `leaf ${id} is ${tree.path.classes[label]} now` };
}

/** A decision becomes a leaf of the class of most of its rows. */
export function cutToLeaf(tree, document, node) {
  const id = tree.origin[node];
  const label = majority(tree, node);
  return { document: cut(document, id, label), words: `node ${id} cut to a leaf, ${tree.path.classes[label]}` };
}

/** A leaf becomes a decision: by the given split, else by the best threshold; ids of the new leaves follow `last`. */
export function splitLeaf(tree, document, node, last, split = null) {
  const id = tree.origin[node];
  split ??= bestThreshold(tree.path, rowsAt(tree, node)) ?? middleSplit(tree, node);
  const labels = majorities(tree, node, split);
  return { document: grow(document, id, inColumns(tree, split), labels, last), words: `leaf ${id} split` };
}

/** Where no value tells the rows apart: the middle of the first feature. */
function middleSplit({ path }) {
  return { features: [0], weights: [1], bias: -(path.low[0] + path.high[0]) / 2 || 0 };
}

/** Class of most rows on each side of a split; the class of the leaf where there is none. */
function majorities(tree, node, { features, weights, bias }) {
  const { n, X, y } = tree.path.sample;
  const k = tree.path.classes.length;
  const counts = [new Uint32Array(k), new Uint32Array(k)];
  for (const row of rowsAt(tree, node)) {
    const margin = features.reduce((sum, j, i) => sum + weights[i] * X[j * n + row], bias);
    counts[margin >= 0 ? 1 : 0][y[row]]++;
  }
  return counts.map((of) => {
    const most = of.reduce((best, v, c) => (v > of[best] ? c : best), 0);
    return of[most] ? most : tree.label[node];
  });
}

/** Another split of a node, features as positions among the shipped ones. */
export function moveSplit(tree, document, node, split, words) {
  const id = tree.origin[node];
  return { document: resplit(document, id, inColumns(tree, split)), words: `node ${id}: ${words}` };
}

/** A node that looks at these one or two features: the line that its subtrees make the fewest errors with. */
export function chooseFeatures(tree, document, node, features) {
  const { path } = tree;
  const found = bestSplit(path, rowsAt(tree, node), features, wrongSides(tree, node));
  const split = found ?? { features, weights: features.map(() => 1), bias: -path.low[features[0]] };
  const names = features.map((j) => path.features[j]).join(" and ");
  return moveSplit(tree, document, node, split, `looks at ${names} now`);
}

/** The offset of a node that its subtrees make the fewest errors with. */
export function balanceOffset(tree, document, node) {
  const { rows, margins } = tree.reaching(0, node);
  const shift = bestOffset(rows, margins, wrongSides(tree, node));
  const { features, weights, bias } = tree.split(node);
  return moveSplit(tree, document, node, { features, weights, bias: bias - shift }, "offset moved");
}

/** Function row -> [whether the left, whether the right subtree of a node gets it wrong]. */
function wrongSides(tree, node) {
  const { n, X, y } = tree.path.sample;
  return (row) =>
    tree.children(node).map((child) => {
      let at = child;
      while (!tree.isLeaf(at)) {
        let margin = tree.bias[at];
        for (let j = tree.start[at]; j < tree.start[at + 1]; j++)
          margin += tree.weight[j] * X[tree.feature[j] * n + row];
        at = tree.goesRight(at, margin) ? tree.right[at] : tree.left[at];
      }
      return tree.label[at] === y[row] ? 0 : 1;
    });
}
