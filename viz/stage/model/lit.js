// What stands out: the way of a followed row, selected rows, the row below the pointer.

/** {row, nodes}: a sampled row of a set and the nodes on its way, or null. */
export function pointedRow(tree, set, row) {
  if (row === null) return null;
  const leaf = tree.route(set).leaf[row];
  return leaf < 0 ? null : { row, nodes: new Set(tree.ancestry(leaf)) };
}

/**
 * Nodes that stand out now (the rest fades), or null: the way of a row, survivors of the lambda below the pointer (whose
 * tree is `there`), those that the selected `rows` reach, or, where the page wants that, the way to the selected node.
 */
export function litNodes(tree, way, there, rows, set, wayNodes) {
  if (way) return wayNodes;
  if (there) return survivingNodes(tree, there);
  return rows ? nodesWith(rows.reaching(tree, set)) : wayNodes;
}

/** Nodes from the root to the one of an origin id, or null. */
export function pathNodes(tree, origin) {
  const node = tree.nodeOf.get(origin);
  return node === undefined ? null : new Set(tree.ancestry(node));
}

function survivingNodes(tree, there) {
  const nodes = new Set();
  for (let i = 0; i < tree.n; i++) {
    const node = there.nodeOf.get(tree.origin[i]);
    if (node !== undefined && there.isLeaf(node) === tree.isLeaf(i)) nodes.add(i);
  }
  return nodes;
}

function nodesWith(counts) {
  const nodes = new Set();
  counts.forEach((count, node) => count && nodes.add(node));
  return nodes;
}
