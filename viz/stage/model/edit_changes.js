// Edits that the stage offers. Each function returns the new document with a description of the edit.

import { onlyOther } from "./condition.js";
import { cut, grow, lock, relabel, resplit } from "./edit_operations.js";
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

const ORIENTATIONS = 36; // number of orientations of lines in the plane of two features
const MOST_ROWS = 4000;

/**
 * Return the best threshold for a leaf as {features: [position], weights: [1], bias}, or null if no feature separates
 * the rows. For classes, it has the fewest rows outside the majority class of their side, then the lowest Gini
 * impurity. For numbers, it has the least squared error.
 * @param {Path} path @param {Int32Array} rows @returns {Split | null}
 */
export function bestThreshold(path, rows) {
  const { n, X } = path.sample;
  const used = spread(rows);
  /** @type {{cost: number, j: number, bound: number} | null} */
  let best = null;
  for (let j = 0; j < path.columns.length; j++) {
    const sorted = sortedBy(used, (row) => X[j * n + row]);
    const costs = path.target.follows ? squaredErrors(path, sorted) : impurities(path, sorted);
    for (let p = 0; p + 1 < sorted.length; p++) {
      if (sorted[p].value === sorted[p + 1].value) continue;
      const cost = costs[p];
      if (best === null || cost < best.cost) best = { cost, j, bound: between(sorted[p].value, sorted[p + 1].value) };
    }
  }
  return best && { features: [best.j], weights: [1], bias: -best.bound };
}

/** Return the cost of a threshold after each row except the last. @param {Path} path @param {{row: number}[]} sorted */
function impurities({ sample: { y }, target }, sorted) {
  const right = new Float64Array(target.n),
    left = new Float64Array(target.n);
  for (const { row } of sorted) right[y[row]]++;
  return sorted.slice(1).map((_, p) => {
    const c = y[sorted[p].row];
    left[c]++;
    right[c]--;
    return impurity(left, p + 1) + impurity(right, sorted.length - p - 1);
  });
}

/**
 * Return the squared errors of thresholds after each row except the last, without the part common to all thresholds.
 * @param {Path} path @param {{row: number}[]} sorted
 */
function squaredErrors({ sample: { value } }, sorted) {
  const middle = sorted.reduce((sum, { row }) => sum + value[row], 0) / sorted.length;
  let left = 0; // The deviation of the right side is the same with the opposite sign.
  return sorted.slice(1).map((_, p) => {
    left += value[sorted[p].row] - middle;
    return -left * left * (1 / (p + 1) + 1 / (sorted.length - p - 1));
  });
}

/**
 * Return the number of rows outside the majority class. The Gini impurity breaks ties.
 * @param {Float64Array} counts @param {number} n
 */
function impurity(counts, n) {
  let most = 0,
    squares = 0;
  for (const count of counts) {
    most = Math.max(most, count);
    squares += count * count;
  }
  return n - most + 0.01 * (n - squares / n);
}

/**
 * Return the split of a node on one or two given features with the fewest errors in the subtrees that the rows then
 * reach. `wrong` maps a row to [whether the left, whether the right subtree misclassifies it].
 * @param {Path} path @param {Int32Array} rows @param {number[]} features @param {(row: number) => number[]} wrong
 */
export function bestSplit(path, rows, features, wrong) {
  const { n, X } = path.sample;
  const used = spread(rows).filter((row) => features.every((j) => X[j * n + row] === X[j * n + row]));
  /** @type {Known<number, number>} */
  const gain = new Map();
  for (const row of used) {
    const [left, right] = wrong(row);
    gain.set(row, right - left);
  }
  const scale = features.map((j) => path.deviation[j] || 1);
  const directions =
    features.length === 1
      ? [[1], [-1]]
      : Array.from({ length: 2 * ORIENTATIONS }, (_, i) => {
          const angle = (Math.PI * (i + 0.5)) / ORIENTATIONS;
          return [Math.cos(angle), Math.sin(angle)];
        });
  /** @type {(Split & {total: number}) | null} */
  let best = null;
  for (const direction of directions) {
    const weights = direction.map((part, i) => part / scale[i]);
    const sorted = sortedBy(used, (row) => weights.reduce((sum, w, i) => sum + w * X[features[i] * n + row], 0));
    let cost = 0; // The cost is relative to sending all rows right. The loop sends the rows left, one by one.
    for (let p = 0; p + 1 < sorted.length; p++) {
      cost -= gain.get(sorted[p].row);
      if (sorted[p].value === sorted[p + 1].value) continue;
      const lopsided = Math.abs(2 * (p + 1) - sorted.length) / sorted.length;
      const total = cost + 0.001 * lopsided;
      if (best === null || total < best.total)
        best = { total, features, weights, bias: -between(sorted[p].value, sorted[p + 1].value) };
    }
  }
  return best && { features: best.features, weights: best.weights, bias: best.bias };
}

/** @param {Int32Array} rows @returns {number[]} */
function spread(rows) {
  if (rows.length <= MOST_ROWS) return Array.from(rows);
  return Array.from({ length: MOST_ROWS }, (_, i) => rows[Math.floor((i * rows.length) / MOST_ROWS)]);
}

/** @template T @param {T[]} rows @param {(row: T) => number} valueOf */
function sortedBy(rows, valueOf) {
  return rows
    .map((row) => ({ row, value: valueOf(row) }))
    .filter(({ value }) => value === value)
    .sort((a, b) => a.value - b.value);
}

/**
 * Return a number above `low` and up to `high`: their mean if it is representable.
 * @param {number} low @param {number} high
 */
function between(low, high) {
  const middle = low + (high - low) / 2;
  return middle > low ? middle : high;
}

/**
 * Return the amount to subtract from the margins of a node so that its subtrees make the fewest errors, or 0 if no
 * offset is better.
 * @param {Numbers} rows @param {Numbers} margins @param {(row: number) => number[]} wrong
 */
export function bestOffset(rows, margins, wrong) {
  const sorted = sortedBy(
    Array.from(rows, (row, p) => ({ row, margin: margins[p] })),
    ({ margin }) => margin,
  );
  // extra cost of sending each row left
  const costs = sorted.map(({ row }) => wrong(row.row)).map(([left, right]) => left - right);
  let cost = 0;
  let best = { cost: costs.reduce((sum, one, p) => sum + (sorted[p].value < 0 ? one : 0), 0), shift: 0 };
  for (let p = 0; p + 1 < sorted.length; p++) {
    cost += costs[p];
    if (sorted[p].value === sorted[p + 1].value || cost >= best.cost) continue;
    best = { cost, shift: between(sorted[p].value, sorted[p + 1].value) };
  }
  return best.shift;
}
