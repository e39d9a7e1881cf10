// Which nodes of a tree are shown.

/**
 * Nodes of a tree that are not hidden: `levels` below the focus, with the smallest share of rows, not in a closed one;
 * the children of the nodes in `open` (Set or null) always.
 */
export function visibleNodes(tree, focus, collapsed, set, support, levels, open) {
  const { n } = tree.figures(set);
  const root = tree.nodeOf.get(focus) ?? 0;
  const least = support * Math.max(n[0], 1);
  const nodes = [];
  const kept = new Map(); // node -> visible children
  const stack = [root];
  while (stack.length) {
    const node = stack.pop();
    nodes.push(node);
    const always = open?.has(node);
    const may = !collapsed.has(tree.origin[node]) && tree.depth[node] - tree.depth[root] + 1 < levels;
    const children = always || may ? tree.children(node).filter((child) => always || n[child] >= least) : [];
    kept.set(node, children);
    for (const child of children.toReversed()) stack.push(child);
  }
  return { root, nodes, kept, hidden: subtreeSize(tree, root) - nodes.length };
}

function subtreeSize(tree, root) {
  let size = 0;
  const stack = [root];
  while (stack.length) {
    size++;
    stack.push(...tree.children(stack.pop()));
  }
  return size;
}
