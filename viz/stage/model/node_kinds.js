// Kinds of nodes (viz/nodes/node_kinds.py), which determine how nodes differ. draw/node_pictures.js draws each kind.

import { casesOf, columnOf, differenceAt } from "./condition.js";
import { KINDS } from "./payload_tables.js";

/**
 * Return the kind of a node, which is in the payload, or is computed for an edited tree.
 * @param {StageTree} tree @param {number} node
 */
export function kindOf(tree, node) {
  if (tree.kind) return KINDS[tree.kind[node]];
  return tree.once(`kind ${node}`, () => {
    const facts = factsOf(tree, node);
    return /** @type {NodeKind} */ (KINDS.find(({ needs }) => needs.every((need) => facts[need])));
  });
}

/**
 * Return whether the kind of a node needs a fact. If it does, the fact holds for the node.
 * @param {StageTree} tree @param {number} node @param {string} fact
 */
export function isOf(tree, node, fact) {
  return kindOf(tree, node).needs.includes(fact);
}

/** Return the features in the plot of a decision node. @param {StageTree} tree @param {number} node */
export function picturedFeatures(tree, node) {
  return isOf(tree, node, "plane") ? [0, 1] : Array.from(tree.split(node).features);
}

/** @param {StageTree} tree @param {number} node @returns {Record<string, boolean>} */
function factsOf(tree, node) {
  const { path } = tree;
  const [leaf, n, split] = [tree.isLeaf(node), tree.nWeights(node), tree.split(node)];
  return {
    leaf,
    linear: tree.isLinear(node),
    number: path.target.edges !== null,
    image: path.imageShape !== null,
    category: !leaf && !path.recording && (columnOf(path, split) ?? casesOf(path, split)) !== null,
    plane: path.nFeatures === 2,
    difference: !leaf && !path.recording && differenceAt(tree, node) !== null,
    none: n === 0,
    one: n === 1,
    two: n === 2,
  };
}
