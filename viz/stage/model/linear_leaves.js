// Linear models in the leaves of a tree (treecore/tree/linear_leaves.py), with their predictions and weights.

import { mostOf } from "./target.js";

/**
 * Models of the leaves of a tree. A model gives a row the score `bias + sum(weight * value)` for each of `q` groups,
 * and predicts the group with the largest score (the first one on ties). For a regression tree, the score is the
 * prediction. Groups that the tree does not predict have the score -Infinity. Nodes without weights have no model.
 */
export class LinearLeaves {
  /** @param {{start: Uint32Array, feature: Uint32Array, weight: Float64Array, bias: Float64Array, q: number}} arrays */
  constructor({ start, feature, weight, bias, q }) {
    Object.assign(this, { start, feature, weight, bias, q });
    Object.freeze(this);
  }

  /** @param {number} node */
  has(node) {
    return this.start[node + 1] > this.start[node];
  }

  /** Return the indices of a leaf's features among the shipped features. @param {number} node */
  features(node) {
    return this.feature.subarray(this.start[node], this.start[node + 1]);
  }

  /**
   * Return the prediction for a row in a leaf. `at(j)` returns the row's value of a shipped feature.
   * @param {number} node @param {(j: number) => number} at
   */
  predicted(node, at) {
    const { q } = this;
    const scores = this.bias.slice(node * q, (node + 1) * q);
    for (let j = this.start[node]; j < this.start[node + 1]; j++) {
      const value = at(this.feature[j]);
      for (let c = 0; c < q; c++) scores[c] += value * this.weight[j * q + c];
    }
    return q === 1 ? scores[0] : mostOf(scores);
  }

  /** Return the groups that a leaf can predict, in order. @param {number} node */
  groups(node) {
    return Array.from({ length: this.q }, (_, c) => c).filter((c) => this.bias[node * this.q + c] > -Infinity);
  }

  /** Return the non-zero weights of a leaf. `group` is null if there are at most two groups. @param {number} node */
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

  /**
   * Return [position, weight] of each feature in the score of a group.
   * @param {number} node @param {number} group @returns {Pair[]}
   */
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
