// The kind of a node (viz/nodes/node_kinds.py), from which all follows that differs between nodes. What is drawn of each
// kind stands in draw/node_pictures.js.

import { casesOf, columnOf } from "./condition.js";
import { KINDS } from "./payload_tables.js";

/** Kind of a node: as it was sent, or, of a tree that is edited, worked out. @param {StageTree} tree @param {number} node */
export function kindOf(tree, node) {
  if (tree.kind) return KINDS[tree.kind[node]];
  return tree.once(`kind ${node}`, () => {
    const facts = factsOf(tree, node);
    return /** @type {NodeKind} */ (KINDS.find(({ needs }) => needs.every((need) => facts[need])));
  });
}

/** Whether a fact holds for a node, which its kind needs. @param {StageTree} tree @param {number} node @param {string} fact */
export function isOf(tree, node, fact) {
  return kindOf(tree, node).needs.includes(fact);
}

/** Features that the picture of a decision has rows of. @param {StageTree} tree @param {number} node */
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
    none: n === 0,
    one: n === 1,
    two: n === 2,
  };
}
