// Edited trees: converts a StageTree to a plain document and back, and creates drafts while a split is dragged.

import { remember, remembered } from "./remembered.js";
import { mostOf } from "./target.js";
import { StageTree } from "./tree.js";

let editions = 1e6; // next index for an edited tree, never an index of a tree in a path
// Only trees in a path have counts of all rows, texts that fit these rows, and linear leaves.
const UNCOUNTED = { leafCounts: null, leafLosses: null, digits: null, kind: null };

/**
 * Return the document of a tree, with the root first: {nodes: [{id, left, right, features, weights, bias,
 * missing_right, label, locked}]}. `features` are columns of the data, and `locked` is a Set of origin ids.
 * @param {StageTree} tree @param {Set<number>} locked @returns {EditDocument}
 */
export function documentOf(tree, locked) {
  const { columns } = tree.path;
  const nodes = [];
  for (const i of inPreorder(tree)) {
    const leaf = tree.isLeaf(i);
    const { features, weights, bias } = tree.split(i);
    nodes.push({
      id: tree.origin[i],
      left: leaf ? null : tree.origin[tree.left[i]],
      right: leaf ? null : tree.origin[tree.right[i]],
      features: leaf ? [] : Array.from(features, (j) => columns[j]),
      weights: leaf ? [] : Array.from(weights),
      bias: leaf ? 0 : bias,
      missing_right: !leaf && tree.missingRight !== null && tree.missingRight[i] !== 0,
      label: labelOf(tree, i, locked),
      locked: locked.has(tree.origin[i]),
    });
  }
  return { nodes };
}

/** @param {StageTree} tree @param {number} node @param {Set<number>} locked */
function labelOf(tree, node, locked) {
  if (tree.path.target.follows) return tree.isLeaf(node) && locked.has(tree.origin[node]) ? tree.value[node] : null;
  return tree.isLeaf(node) ? tree.value[node] : tree.path.target.asLeaf(tree, node);
}

/** @param {StageTree} tree */
function inPreorder(tree) {
  const order = [];
  const stack = [0];
  while (stack.length) {
    const node = /** @type {number} */ (stack.pop());
    order.push(node);
    if (!tree.isLeaf(node)) stack.push(tree.right[node], tree.left[node]);
  }
  return order;
}

/**
 * Return the StageTree of a document. Its counts are those of the sampled rows. Parents must come before their
 * children.
 * @param {Path} path @param {EditDocument} document
 */
export function treeOf(path, document) {
  const { nodes } = document;
  const place = new Map(nodes.map((node, i) => [node.id, i]));
  /** @param {number | null} id */
  const at = (id) => (id === null ? -1 : (place.get(id) ?? -1));
  const position = remembered(path, "position of columns", () => new Map(Array.from(path.columns, (c, j) => [c, j])));
  /** @type {number[][]} */
  const [feature, weight] = [[], []];
  const start = new Uint32Array(nodes.length + 1);
  nodes.forEach((node, i) => {
    for (const column of node.features) feature.push(position.get(column) ?? 0);
    weight.push(...node.weights);
    start[i + 1] = feature.length;
  });
  const tree = new StageTree(path, editions++, {
    left: Int32Array.from(nodes, (node) => at(node.left)),
    right: Int32Array.from(nodes, (node) => at(node.right)),
    origin: Float64Array.from(nodes, (node) => node.id),
    label: Uint16Array.from(nodes, (node) => path.target.groupOf(node.label ?? 0)),
    value: Float64Array.from(nodes, (node) => node.label ?? NaN),
    bias: Float64Array.from(nodes, (node) => node.bias),
    missingRight: path.trees[0].missingRight && Uint8Array.from(nodes, (node) => Number(node.missing_right)),
    start,
    feature: Uint32Array.from(feature),
    weight: Float64Array.from(weight),
    ...UNCOUNTED,
  });
  const given = nodes.filter((node) => node.left === null && node.label !== null);
  if (path.target.follows) settle(tree, new Set(given.map(({ id }) => id)));
  else if (path.edit?.lines) vote(tree);
  return tree;
}

/**
 * Set the predictions of a new tree to the mean target of the training rows in the browser, except in the leaves
 * `given` (origin ids).
 * @param {StageTree} tree @param {Set<number>} given
 */
function settle(tree, given) {
  remember(tree, "given", given);
  const { value, label, parent, origin, path } = tree;
  const { order, leaf } = tree.route(0);
  const [sum, n] = [new Float64Array(tree.n), new Uint32Array(tree.n)];
  const middle = path.sample.value[order[0][0]] ?? 0;
  for (const row of order[0]) {
    sum[leaf[row]] += path.sample.value[row] - middle;
    n[leaf[row]]++;
  }
  for (let i = tree.n - 1; i > 0; i--) {
    sum[parent[i]] += sum[i];
    n[parent[i]] += n[i];
  }
  for (let i = 0; i < tree.n; i++) {
    if (tree.isLeaf(i) && given.has(origin[i])) continue;
    value[i] = n[i] ? middle + sum[i] / n[i] : i ? value[parent[i]] : 0;
    label[i] = path.target.groupOf(value[i]);
  }
}

/**
 * Set the prediction of every node of a new tree to the majority class of its training rows in the browser.
 * @param {StageTree} tree
 */
function vote(tree) {
  const { value, label, parent, path } = tree;
  const { n } = path.target;
  const { order, leaf } = tree.route(0);
  const counts = new Uint32Array(tree.n * n);
  for (const row of order[0]) counts[leaf[row] * n + path.sample.y[row]]++;
  for (let i = tree.n - 1; i > 0; i--) for (let c = 0; c < n; c++) counts[parent[i] * n + c] += counts[i * n + c];
  for (let i = 0; i < tree.n; i++) {
    const own = counts.subarray(i * n, (i + 1) * n);
    value[i] = own.some(Boolean) ? mostOf(own) : i ? value[parent[i]] : 0;
    label[i] = path.target.groupOf(value[i]);
  }
}

/**
 * Drafts of a tree while its splits change. Only rows below a changed node are routed again. All drafts share their
 * buffers, so only the latest draft is valid.
 */
export class Drafts {
  /** @param {StageTree} tree */
  constructor(tree) {
    this.tree = tree;
    this.routes = tree.path.sets.map((_, set) => {
      const { order, margin, from, to, leaf } = tree.route(set);
      return {
        order: order.map((rows) => rows.slice()),
        margin: margin.map((sums) => sums.slice()),
        from: from.slice(),
        to: to.slice(),
        leaf: leaf.slice(),
      };
    });
    this.latest = tree;
  }

  /**
   * Return the tree with another split of one node: {features: indices of shipped features, weights, bias}.
   * @param {number} node @param {Split} split
   */
  with(node, split) {
    const draft = withSplit(this.latest, node, split);
    this.routes.forEach((route, set) => {
      draft.sendDown(route, node);
      remember(draft, `route ${set}`, route);
    });
    if (draft.path.target.follows)
      settle(
        draft,
        remembered(this.tree, "given", () => new Set()),
      );
    else if (draft.path.edit?.lines) vote(draft);
    // The next draft changes the routes, so the metrics are computed now.
    this.routes.forEach((_, set) => draft.figures(set));
    this.latest = draft;
    return draft;
  }
}

/**
 * Return a copy of a tree with another split of one node.
 * @param {StageTree} tree @param {number} node @param {Split} split
 */
function withSplit(tree, node, { features, weights, bias }) {
  const [from, to] = [tree.start[node], tree.start[node + 1]];
  const more = features.length - (to - from);
  const start = tree.start.map((at, i) => (i > node ? at + more : at));
  /** @param {any} Type @param {Uint32Array | Float64Array} old @param {Numbers} fresh */
  const joined = (Type, old, fresh) => {
    const values = new Type(old.length + more);
    values.set(old.subarray(0, from));
    values.set(fresh, from);
    values.set(old.subarray(to), from + fresh.length);
    return values;
  };
  const changed = tree.bias.slice();
  changed[node] = bias;
  const { left, right, origin, missingRight } = tree;
  const [label, value] = [Uint16Array.from(tree.label), Float64Array.from(tree.value)];
  return new StageTree(tree.path, editions++, {
    ...{ left, right, origin, label, value, missingRight, start, bias: changed, ...UNCOUNTED },
    feature: joined(Uint32Array, tree.feature, features),
    weight: joined(Float64Array, tree.weight, weights),
  });
}

/**
 * Return the differences between two trees on the sampled rows of a set: {rows: those that end in another
 * leaf or class, corrected, broken: numbers of rows that become correct or misclassified}.
 * @param {StageTree} before @param {StageTree} after @param {number} set
 */
export function rowsMoved(before, after, set) {
  const { target } = before.path;
  const from = before.route(set).leaf;
  const { order, leaf: to } = after.route(set);
  /** @type {{rows: number[], corrected: number, broken: number}} */
  const change = { rows: [], corrected: 0, broken: 0 };
  for (const row of order[0]) {
    const [was, is] = [from[row], to[row]];
    if (before.origin[was] === after.origin[is] && (target.follows || before.value[was] === after.value[is])) continue;
    change.rows.push(row);
    const [wasWrong, isWrong] = [target.isWrong(before, was, row), target.isWrong(after, is, row)];
    change.corrected += Number(wasWrong && !isWrong);
    change.broken += Number(!wasWrong && isWrong);
  }
  return change;
}

/**
 * Return the objective, training errors (or squared errors) + lambda * penalties of the splits. Return null if training
 * rows are missing in the browser.
 * @param {StageTree} tree
 */
export function objectiveOf(tree) {
  const { edit } = tree.path;
  if (!edit?.whole) return null;
  const { width, cost, column } = edit.penalty;
  let penalty = 0;
  for (let node = 0; node < tree.n; node++) {
    if (tree.isLeaf(node)) continue;
    const k = column ? new Set(tree.split(node).features.map((j) => column[j])).size : tree.nWeights(node);
    if (width !== null)
      for (let j = tree.start[node]; j < tree.start[node + 1]; j++)
        penalty += Math.abs(tree.weight[j]) * width[tree.feature[j]];
    else penalty += cost !== null && k > 1 ? cost * (k - 1) : k;
  }
  return tree.figures(0).losses[0] + edit.lam * penalty;
}
