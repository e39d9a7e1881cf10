// What stands out: the way of a followed row, selected rows, the row below the pointer.

/** The selection when it has rows of the set on screen, else null. */
export function litRows({ state }) {
  return state.selection?.perSet[state.set] ? state.selection : null;
}

/** {row, nodes}: the row below the pointer and the nodes on its way, or null. */
export function pointedRow({ tree, state }) {
  if (state.point === null) return null;
  const leaf = tree.route(state.set).leaf[state.point];
  return leaf < 0 ? null : { row: state.point, nodes: new Set(tree.ancestry(leaf)) };
}

/**
 * Nodes that stand out now (the rest fades), or null: the way of a row, survivors of the lambda below the pointer,
 * those that selected rows reach, or, where the page wants that, the way to the selected node.
 */
export function litNodes(stage) {
  const { state, tree, path } = stage;
  if (stage.way) return stage.wayNodes();
  const { survivors } = state;
  if (survivors !== null && survivors !== undefined && survivors !== state.k)
    return survivingNodes(tree, path.trees[survivors]);
  const rows = litRows(stage);
  return rows ? nodesWith(rows.reaching(tree, state.set)) : pathNodes(stage);
}

/** Nodes from the root to the selected one, where the page lights them, or null. */
export function pathNodes({ lightsPath, tree, state }) {
  const node = lightsPath ? tree.nodeOf.get(state.node) : undefined;
  return node === undefined ? null : new Set(tree.ancestry(node));
}

/** Whether the nodes that stand out are one way from the root. */
export function isOneWay(stage) {
  if (stage.way) return true;
  const { survivors, k } = stage.state;
  const others = survivors !== null && survivors !== undefined && survivors !== k;
  return !others && !litRows(stage) && pathNodes(stage) !== null;
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
