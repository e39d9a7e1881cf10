// Predictions of the leaves of a tree (treecore/tree/leaf_model.py): constants, or linear models with their weights.

import { mostOf } from "./target.js";

/** @type {Uint32Array} */
const NOTHING = new Uint32Array(0);

/** Leaves that predict one value, which is in the arrays of the tree. Other kinds of leaves derive from this class. */
export class ConstantLeaves {
  /** Feature of every weight. @readonly @type {Uint32Array} */
  feature = NOTHING;
  q = 0;

  /** Return the leaves of one tree. @param {() => any} _arrays returns the arrays of linear leaves */
  static of(_arrays) {
    return CONSTANT;
  }

  /** Return whether a leaf has a linear model. @param {number} _node */
  has(_node) {
    return false;
  }

  /** Return the indices of a leaf's features among the shipped features. @param {number} _node */
  features(_node) {
    return NOTHING;
  }

  /**
   * Return the prediction for a row in a leaf. `at(j)` returns the row's value of a shipped feature.
   * @param {StageTree} tree @param {number} node @param {(j: number) => number} _at
   */
  predicted(tree, node, _at) {
    return tree.value[node];
  }

  /**
   * Return the prediction of a node as text, without a row.
   * @param {StageTree} tree @param {number} node
   */
  answer(tree, node) {
    return this.worded(tree.path.target.valueText(tree.value[node]));
  }

  /** Return the text of a constant prediction, with a word for its kind, if it needs one. @param {string} answer */
  worded(answer) {
    return answer;
  }

  /** Return the bias of a group in a leaf. @param {number} _node @param {number} _group */
  biasOf(_node, _group) {
    return 0;
  }

  /** Return the groups that the model of a leaf can predict, in order. @param {number} _node @returns {number[]} */
  groups(_node) {
    return [];
  }

  /**
   * Return the non-zero weights of a leaf. `group` is null if there are at most two groups.
   * @param {number} _node @returns {{feature: number, group: number | null, weight: number}[]}
   */
  terms(_node) {
    return [];
  }

  /** Return [position, weight] of each feature in the score of a group. @param {number} _node @param {number} _group @returns {Pair[]} */
  column(_node, _group) {
    return [];
  }

  /** Return [position, weight] of each feature, see `LinearLeaves`. @param {number} _node @param {number} _group @returns {Pair[]} */
  contrast(_node, _group) {
    return [];
  }
}

export const CONSTANT = Object.freeze(new ConstantLeaves());

/**
 * Models of the leaves of a tree. A model gives a row the score `bias + sum(weight * value)` for each of `q` groups,
 * and predicts the group with the largest score (the first one on ties). For a regression tree, the score is the
 * prediction. Groups that the tree does not predict have the score -Infinity. Nodes without weights have no model.
 */
export class LinearLeaves extends ConstantLeaves {
  /** @param {{start: Uint32Array, feature: Uint32Array, weight: Float64Array, bias: Float64Array, q: number}} arrays */
  constructor({ start, feature, weight, bias, q }) {
    super();
    Object.assign(this, { start, feature, weight, bias, q });
    Object.freeze(this);
  }

  /** @param {() => any} arrays */
  static of(arrays) {
    const found = arrays();
    return found.feature.length ? new LinearLeaves(found) : CONSTANT;
  }

  /** @param {number} node */
  has(node) {
    return this.start[node + 1] > this.start[node];
  }

  /** Return the indices of a leaf's features among the shipped features. @param {number} node */
  features(node) {
    return this.feature.subarray(this.start[node], this.start[node + 1]);
  }

  /** @param {StageTree} tree @param {number} node @param {(j: number) => number} at */
  predicted(tree, node, at) {
    if (!this.has(node)) return tree.value[node];
    const { q } = this;
    const scores = this.bias.slice(node * q, (node + 1) * q);
    for (let j = this.start[node]; j < this.start[node + 1]; j++) {
      const value = at(this.feature[j]);
      for (let c = 0; c < q; c++) scores[c] += value * this.weight[j * q + c];
    }
    return q === 1 ? scores[0] : mostOf(scores);
  }

  /** Return the kind of prediction of a leaf with weights. @param {StageTree} tree @param {number} node */
  answer(tree, node) {
    if (!this.has(node)) return super.answer(tree, node);
    const { target } = tree.path;
    const shown = target.spokenFor(tree, node);
    return shown === null ? "linear model" : `weights for ${target.groups[shown]}`;
  }

  /** @param {number} node @param {number} group */
  biasOf(node, group) {
    return this.bias[node * this.q + group];
  }

  /** @param {number} node */
  groups(node) {
    return Array.from({ length: this.q }, (_, c) => c).filter((c) => this.bias[node * this.q + c] > -Infinity);
  }

  /** @param {number} node */
  terms(node) {
    const many = this.groups(node).length > 2;
    const terms = [];
    for (let j = this.start[node]; j < this.start[node + 1]; j++) {
      for (let c = 0; c < this.q; c++) {
        const weight = this.weight[j * this.q + c];
        if (weight) terms.push({ feature: this.feature[j], group: many ? c : null, weight });
      }
    }
    return terms;
  }

  /** @param {number} node @param {number} group @returns {Pair[]} */
  column(node, group) {
    return Array.from(this.features(node), (feature, i) => [
      feature,
      this.weight[(this.start[node] + i) * this.q + group],
    ]);
  }

  /**
   * Return [position, weight] of each feature: its weight for a group minus the mean of its weights for the other
   * groups.
   * @param {number} node @param {number} group @returns {Pair[]}
   */
  contrast(node, group) {
    const { q } = this;
    const others = Math.max(this.groups(node).length - 1, 1);
    return Array.from(this.features(node), (feature, i) => {
      const own = this.weight.subarray((this.start[node] + i) * q, (this.start[node] + i + 1) * q);
      const sum = own.reduce((a, b) => a + b, 0);
      return [feature, own[group] - (sum - own[group]) / others];
    });
  }
}

/** Class of each kind of leaves (LEAF_KINDS in treecore/tree/leaf_kinds.py). @type {Record<string, { of: (arrays: () => any) => ConstantLeaves }>} */
export const LEAF_KINDS = { constant: ConstantLeaves, linear: LinearLeaves };
