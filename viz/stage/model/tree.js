// One tree of the path: its structure, exact counts, and the routes of the sampled rows, each computed on first use.

import { CONSTANT } from "./leaf_models.js";
import { remembered } from "./remembered.js";
import { mostOf } from "./target.js";

/**
 * Tree on flat arrays. A row goes right ("yes") iff bias + sum(weight * value) >= 0, summed in the order of the engine.
 * A row with a missing value in the split goes to the side of `missingRight` (one byte per node, or null).
 */
export class StageTree {
  /** @param {Path} path @param {number} index @param {TreeArrays & {leafModel?: import("./leaf_models.js").ConstantLeaves}} arrays */
  constructor(path, index, arrays) {
    Object.assign(this, { leafModel: CONSTANT }, arrays);
    this.path = path;
    this.index = index;
    this.n = this.left.length;
    this.parent = new Int32Array(this.n).fill(-1);
    this.depth = new Int32Array(this.n);
    /** @type {Map<number | null, number>} index of each origin id; null has none */
    this.nodeOf = new Map();
    for (let i = 0; i < this.n; i++) {
      this.nodeOf.set(this.origin[i], i);
      if (this.left[i] < 0) continue;
      for (const child of [this.left[i], this.right[i]]) {
        this.parent[child] = i;
        this.depth[child] = this.depth[i] + 1;
      }
    }
    this.maxDepth = this.depth.reduce((a, b) => Math.max(a, b), 0);
    Object.freeze(this);
  }

  /** @param {number} node */
  isLeaf(node) {
    return this.left[node] < 0;
  }

  /** @param {number} node */
  nWeights(node) {
    return this.start[node + 1] - this.start[node];
  }

  /** Return whether a leaf is linear. @param {number} node */
  isLinear(node) {
    return this.leafModel.has(node);
  }

  /** Return the features (indices of shipped features) of a split or a linear leaf. @param {number} node */
  featuresOf(node) {
    return this.isLinear(node) ? this.leafModel.features(node) : this.split(node).features;
  }

  /** Return the feature of every weight in every split and linear leaf. */
  usedFeatures() {
    return [...this.feature, ...this.leafModel.feature];
  }

  /** Return the groups that a leaf of the tree can predict. @returns {Set<number>} */
  visibleGroups() {
    return this.once("visible groups", () => {
      const groups = new Set(this.label);
      for (let i = 0; i < this.n && this.path.target.edges === null; i++)
        if (this.isLinear(i)) for (const group of this.leafModel.groups(i)) groups.add(group);
      return groups;
    });
  }

  /**
   * Return the prediction for a row in a leaf.
   * @param {number} leaf
   * @param {number | Numbers} row number of a sampled row, or values (one for each shipped feature)
   */
  predicted(leaf, row) {
    const { n, X } = this.path.sample;
    return this.leafModel.predicted(this, leaf, typeof row === "number" ? (j) => X[j * n + row] : (j) => row[j]);
  }

  /** @param {number} node */
  children(node) {
    return this.left[node] < 0 ? [] : [this.left[node], this.right[node]];
  }

  /** @template T @param {string} name @param {() => T} make @returns {T} */
  once(name, make) {
    return remembered(this, name, make);
  }

  /**
   * Return the exact counts of a set: counts [n * groups], n [n], and losses [n] in the leaves below each node.
   * @param {number} set
   */
  figures(set) {
    return this.once(`figures ${set}`, () => {
      const { target } = this.path;
      const k = target.n;
      const counts = new Uint32Array(this.n * k);
      const n = new Uint32Array(this.n);
      const losses = new Float64Array(this.n);
      const source = this.leafCounts?.[set] ?? this.sampledCounts(set);
      const known = this.leafLosses ? this.leafLosses[set] : this.sampledLosses(set);
      let leaf = 0;
      for (let i = 0; i < this.n; i++) {
        if (this.left[i] >= 0) continue;
        for (let c = 0; c < k; c++) {
          counts[i * k + c] = source[leaf * k + c];
          n[i] += counts[i * k + c];
        }
        losses[i] = known ? known[leaf] : target.lossOfCounts(this.value[i], counts.subarray(i * k, (i + 1) * k));
        leaf++;
      }
      for (let i = this.n - 1; i > 0; i--) {
        const above = this.parent[i];
        for (let c = 0; c < k; c++) counts[above * k + c] += counts[i * k + c];
        n[above] += n[i];
        losses[above] += losses[i];
      }
      return { counts, n, losses };
    });
  }

  /**
   * Return the largest group among the rows of a node in a set, and its share. For numbers, it is the group of their
   * mean.
   * @param {number} set @param {number} node
   */
  leading(set, node) {
    const { group, share } = this.once(`leading ${set}`, () => {
      const group = Int32Array.from(this.label),
        share = new Float64Array(this.n).fill(1);
      const { counts, n } = this.figures(set);
      const k = this.path.target.n;
      for (let i = 0; i < this.n && this.path.target.edges === null; i++) {
        const own = counts.subarray(i * k, (i + 1) * k);
        group[i] = mostOf(own);
        share[i] = n[i] ? own[group[i]] / n[i] : 0;
      }
      return { group, share };
    });
    return { group: group[node], share: share[node] };
  }

  /**
   * Count the sampled rows of a set in each leaf, for a tree without counts. The result has the form of `leafCounts`.
   * @param {number} set
   */
  sampledCounts(set) {
    const k = this.path.target.n;
    const { place, leaves } = this.leafPlaces();
    const counts = new Uint32Array(leaves * k);
    const { order, leaf } = this.route(set);
    for (const row of order[0]) counts[place[leaf[row]] * k + this.path.sample.y[row]]++;
    return counts;
  }

  /**
   * Return the losses of the sampled rows of a set in the leaves, or null if the counts determine them.
   * @param {number} set
   */
  sampledLosses(set) {
    const { target } = this.path;
    if (target.edges === null) return null;
    const { place, leaves } = this.leafPlaces();
    const losses = new Float64Array(leaves);
    const { order, leaf } = this.route(set);
    for (const row of order[0]) losses[place[leaf[row]]] += target.loss(this, leaf[row], row);
    return losses;
  }

  /** Return {place: index of each leaf among the leaves, leaves: number of leaves}. */
  leafPlaces() {
    const place = new Int32Array(this.n);
    let leaves = 0;
    for (let i = 0; i < this.n; i++) if (this.left[i] < 0) place[i] = leaves++;
    return { place, leaves };
  }

  /**
   * Return the sizes of the tree. Path lengths and multiplications are means over the rows of a set.
   * @param {number} set
   */
  sizes(set) {
    return this.once(`sizes ${set}`, () => {
      const { n, losses } = this.figures(set);
      let decisions = 0,
        steps = 0,
        products = 0,
        inLeaves = 0,
        columns = 0;
      for (let i = 0; i < this.n; i++) {
        const terms = this.leafModel.terms(i).length;
        inLeaves += terms;
        products += n[i] * terms;
        if (this.left[i] < 0) continue;
        decisions++;
        steps += n[i];
        products += n[i] * this.nWeights(i);
        columns += this.columnsOf(i).size;
      }
      const rows = Math.max(n[0], 1);
      return {
        nodes: this.n,
        decisions,
        leaves: decisions + 1,
        depth: this.maxDepth,
        weights: this.weight.length + inLeaves,
        perNode: decisions ? columns / decisions : 0,
        steps: steps / rows,
        products: products / rows,
        error: this.path.target.error(losses[0], n[0]),
        explained: 1 - losses[0] / (this.path.sets[set].spread || NaN),
      };
    });
  }

  /**
   * Return whether a row with this margin goes right. A row with a missing value has the margin NaN.
   * @param {number} node @param {number} margin
   */
  goesRight(node, margin) {
    return margin >= 0 || (this.missingRight !== null && margin !== margin && this.missingRight[node] !== 0);
  }

  /**
   * Return the margin of a row of values (one for each shipped feature) at a decision node.
   * @param {Numbers} values @param {number} node
   */
  margin(values, node) {
    let sum = this.bias[node];
    for (let j = this.start[node]; j < this.start[node + 1]; j++) sum += this.weight[j] * values[this.feature[j]];
    return sum;
  }

  /**
   * Return the divisor of the margins of a node for display. The quotient is the distance to the split in standard
   * deviations, so that features in different units are comparable.
   * @param {number} node
   */
  marginUnit(node) {
    const { features, weights } = this.split(node);
    return Math.hypot(...Array.from(features, (j, i) => weights[i] * this.path.deviation[j])) || 1;
  }

  /**
   * Return the decision path of a row of values as [{node, margin}], with the root first. In the leaf, the margin is
   * null.
   * @param {Numbers} values @returns {WayStep[]}
   */
  way(values) {
    const steps = [];
    let node = 0;
    while (this.left[node] >= 0) {
      const margin = this.margin(values, node);
      steps.push({ node, margin });
      node = this.goesRight(node, margin) ? this.right[node] : this.left[node];
    }
    steps.push({ node, margin: null });
    return steps;
  }

  /** Return the leaf that a row of values reaches. @param {Numbers} values */
  leafOf(values) {
    return this.way(values).reduce((_, { node }) => node, 0);
  }

  /** Return the nodes from the root to `node`. @param {number} node @returns {number[]} */
  ancestry(node) {
    const nodes = [];
    for (let i = node; i >= 0; i = this.parent[i]) nodes.unshift(i);
    return nodes;
  }

  /**
   * Return the routes of the sampled rows of a set. The rows of node i are `order[depth][from[i] .. to[i])`, with their
   * margins in `margin[depth]` at the same positions. `leaf` is the leaf of every sampled row (-1 for rows of other
   * sets).
   * @param {number} set
   */
  route(set) {
    return this.once(`route ${set}`, () => {
      const { sample } = this.path;
      const rows = rowsOfSet(this.path, set);
      const order = [Int32Array.from(rows)];
      const margin = [];
      const from = new Int32Array(this.n);
      const to = new Int32Array(this.n);
      const leaf = new Int32Array(sample.n).fill(-1);
      to[0] = rows.length;
      for (let d = 0; d <= this.maxDepth; d++) {
        margin.push(new Float64Array(rows.length));
        if (d) order.push(new Int32Array(rows.length));
      }
      const route = { order, margin, from, to, leaf };
      this.sendDown(route, 0);
      return route;
    });
  }

  /**
   * Route the rows of a node again, in place. The other parts of the tree are unchanged.
   * @param {Route} route @param {number} top
   */
  sendDown({ order, margin, from, to, leaf }, top) {
    const { sample } = this.path;
    const isBelow = new Uint8Array(this.n);
    isBelow[top] = 1;
    for (let i = top; i < this.n; i++) {
      if (!isBelow[i]) continue;
      const here = order[this.depth[i]];
      if (this.left[i] < 0) {
        for (let p = from[i]; p < to[i]; p++) leaf[here[p]] = i;
        continue;
      }
      isBelow[this.left[i]] = isBelow[this.right[i]] = 1;
      const sums = margin[this.depth[i]];
      sums.fill(this.bias[i], from[i], to[i]);
      for (let j = this.start[i]; j < this.start[i + 1]; j++) {
        const weight = this.weight[j];
        const column = this.feature[j] * sample.n;
        for (let p = from[i]; p < to[i]; p++) sums[p] += weight * sample.X[column + here[p]];
      }
      const below = order[this.depth[i] + 1];
      let low = from[i];
      for (let p = from[i]; p < to[i]; p++) if (!this.goesRight(i, sums[p])) below[low++] = here[p];
      let high = low;
      for (let p = from[i]; p < to[i]; p++) if (this.goesRight(i, sums[p])) below[high++] = here[p];
      from[this.left[i]] = from[i];
      to[this.left[i]] = from[this.right[i]] = low;
      to[this.right[i]] = to[i];
    }
  }

  /** Return {rows, margins} of the sampled rows of a set that reach a node. @param {number} set @param {number} node */
  reaching(set, node) {
    const { order, margin, from, to } = this.route(set);
    const d = this.depth[node];
    return { rows: order[d].subarray(from[node], to[node]), margins: margin[d].subarray(from[node], to[node]) };
  }

  /** Return the columns of the split of a node. The categories of a column count once. @param {number} node */
  columnsOf(node) {
    /** @type {Set<string | number>} */
    const found = new Set();
    for (let k = this.start[node]; k < this.start[node + 1]; k++)
      found.add(this.path.categories[this.feature[k]]?.[0] ?? this.feature[k]);
    return found;
  }

  /** Return the features (indices of shipped features), weights and bias of a node. @param {number} node */
  split(node) {
    const use = [this.start[node], this.start[node + 1]];
    return { features: this.feature.subarray(...use), weights: this.weight.subarray(...use), bias: this.bias[node] };
  }

  /** Return the weights of a node over all shipped features (0 for unused ones). @param {number} node */
  dense(node) {
    const values = new Float64Array(this.path.columns.length);
    for (let j = this.start[node]; j < this.start[node + 1]; j++) values[this.feature[j]] = this.weight[j];
    return values;
  }
}

/**
 * Return the name of a node. Decision nodes are numbered from the root down, and leaves from left to right. Nodes of a
 * recorded run have the number of their origin, because its trees change from step to step. treecore/tree/text_tree.py
 * does the same.
 * @param {StageTree} tree @param {number} node
 */
export function nodeName(tree, node) {
  if (tree.path.recording) return `${tree.isLeaf(node) ? "leaf" : "node"} ${tree.origin[node]}`;
  const { numbers, leaves } = tree.once("node numbers", () => {
    const numbers = new Int32Array(tree.n);
    let [leaves, decisions] = [0, 0];
    const stack = [0];
    for (let at; (at = stack.pop()) !== undefined;) {
      numbers[at] = tree.isLeaf(at) ? ++leaves : ++decisions;
      stack.push(...tree.children(at).toReversed());
    }
    return { numbers, leaves };
  });
  return tree.isLeaf(node) ? `leaf ${numbers[node]} of ${leaves}` : `node ${numbers[node]}`;
}

/** Return the numbers of the sampled rows of a set. @param {Path} path @param {number} set */
export function rowsOfSet(path, set) {
  return remembered(path, `rows of ${set}`, () => {
    const rows = [];
    for (let i = 0; i < path.sample.n; i++) if (path.sample.set[i] === set) rows.push(i);
    return Int32Array.from(rows);
  });
}

/** Return the values of one sampled row, one for each shipped feature. @param {Path} path @param {number} row */
export function valuesOfRow(path, row) {
  const { n, X } = path.sample;
  const values = new Float64Array(path.columns.length);
  for (let j = 0; j < values.length; j++) values[j] = X[j * n + row];
  return values;
}

/**
 * Group values by `key`, in the order in which groups first appear. Browsers of 2023 lack Map.groupBy.
 * @template V, K
 * @param {Iterable<V>} values
 * @param {(value: V) => K} key
 * @returns {Map<K, V[]>}
 */
export function grouped(values, key) {
  /** @type {Map<K, V[]>} */
  const groups = new Map();
  for (const value of values) {
    const members = groups.get(key(value));
    if (members) members.push(value);
    else groups.set(key(value), [value]);
  }
  return groups;
}
