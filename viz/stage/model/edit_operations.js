// Edits of the document of a tree (see documentOf). Each edit returns a new document and leaves the old one unchanged.

/** Return the node with an id. @param {EditDocument} document @param {number | null} id @returns {EditNode} */
export function nodeOf(document, id) {
  return /** @type {EditNode} */ (document.nodes.find((node) => node.id === id));
}

/** @param {EditDocument} document @param {number} id @param {Partial<EditNode>} patch */
function change(document, id, patch) {
  return { nodes: document.nodes.map((node) => (node.id === id ? { ...node, ...patch } : node)) };
}

/**
 * Replace a split by {features: columns of the data, weights, bias}. Features are sorted, and weights of 0 are removed.
 * @param {EditDocument} document @param {number} id @param {Split} split
 */
export function resplit(document, id, { features, weights, bias }) {
  const order = Array.from(features.keys())
    .filter((i) => weights[i] !== 0)
    .sort((a, b) => features[a] - features[b]);
  return change(document, id, {
    features: order.map((i) => features[i]),
    weights: order.map((i) => weights[i]),
    bias,
  });
}

/** Change the prediction of a leaf. @param {EditDocument} document @param {number} id @param {number | null} label */
export function relabel(document, id, label) {
  return change(document, id, { label });
}

/**
 * Replace a node and its subtree by a leaf with this prediction.
 * @param {EditDocument} document @param {number} id @param {number | null} label
 */
export function cut(document, id, label) {
  const gone = new Set();
  const stack = [nodeOf(document, id)];
  while (stack.length) {
    const { left, right } = /** @type {EditNode} */ (stack.pop());
    for (const child of left === null || right === null ? [] : [left, right]) {
      gone.add(child);
      stack.push(nodeOf(document, child));
    }
  }
  const kept = { nodes: document.nodes.filter((node) => !gone.has(node.id)) };
  return change(kept, id, {
    left: null,
    right: null,
    features: [],
    weights: [],
    bias: 0,
    missing_right: false,
    label,
  });
}

/**
 * Split a leaf into two new leaves with the predictions [left, right]. Their ids follow `last`.
 * @param {EditDocument} document @param {number} id @param {Split} split
 * @param {(number | null)[]} labels @param {number} last
 */
export function grow(document, id, split, labels, last) {
  const at = document.nodes.findIndex((node) => node.id === id);
  /** @param {number | null} label @param {number} i @returns {EditNode} */
  const child = (label, i) => ({
    ...{ id: last + 1 + i, left: null, right: null, features: [], weights: [] },
    ...{ bias: 0, missing_right: false, label, locked: false },
  });
  const nodes = [...document.nodes];
  nodes.splice(at + 1, 0, ...labels.map(child));
  return resplit(change({ nodes }, id, { left: last + 1, right: last + 2 }), id, split);
}

/**
 * Lock or unlock the nodes with these ids. Unlocked leaves of `tree` predict the mean target of their rows.
 * @param {EditDocument} document @param {Set<number>} ids @param {boolean} locked @param {StageTree | null} [tree]
 */
export function lock(document, ids, locked, tree = null) {
  /** @param {EditNode} node */
  const labelOf = ({ id, left, label }) => {
    if (tree === null || left !== null) return label;
    return locked ? tree.value[tree.nodeOf.get(id) ?? 0] : null;
  };
  return {
    nodes: document.nodes.map((node) => (ids.has(node.id) ? { ...node, locked, label: labelOf(node) } : node)),
  };
}

/** Return the largest id in some documents. @param {...EditDocument} documents */
export function lastId(...documents) {
  return documents.reduce((most, { nodes }) => nodes.reduce((top, { id }) => Math.max(top, id), most), 0);
}

/** @type {(keyof EditNode)[]} */
const SPLIT = ["left", "features", "weights", "bias", "missing_right"];

/**
 * Return the ids of nodes that differ from another document: new nodes, changed splits, and leaves with another
 * prediction.
 * @param {EditDocument} document @param {EditDocument} base
 */
export function editedNodes(document, base) {
  const before = new Map(base.nodes.map((node) => [node.id, node]));
  /** @param {EditNode} node @returns {(keyof EditNode)[]} */
  const names = (node) => (node.left === null ? ["left", "label"] : SPLIT);
  return new Set(
    document.nodes
      .filter((node) => {
        const was = before.get(node.id);
        return !was || names(node).some((name) => String(was[name]) !== String(node[name]));
      })
      .map((node) => node.id),
  );
}

/** Return whether two documents are equal, including their locks. @param {EditDocument} a @param {EditDocument} b */
export function sameDocument(a, b) {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
