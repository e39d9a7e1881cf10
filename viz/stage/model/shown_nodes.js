// Visible and highlighted nodes of a tree, such as those on the decision path of a followed row or with selected rows.

const LEAST_LEVELS = 3; // levels that are never folded, even if they are too narrow

/**
 * Return {row, nodes}: a sampled row of a set and the nodes on its decision path. Return null without such a row.
 * @param {StageTree} tree @param {number} set @param {number | null} row
 */
export function pointedRow(tree, set, row) {
  if (row === null) return null;
  const leaf = tree.route(set).leaf[row];
  return leaf < 0 ? null : { row, nodes: new Set(tree.ancestry(leaf)) };
}

/**
 * Return {leaves, nodes}: the leaves that pass the filter and all nodes on their decision paths. Return null without a
 * filter.
 * @param {StageTree} tree @param {number} set @param {LeafFilterState | null} leafFilter
 */
export function filteredLeaves(tree, set, leafFilter) {
  if (!leafFilter) return null;
  const { n, losses } = tree.figures(set);
  const leaves = Array.from(tree.left.keys()).filter((node) => {
    if (!tree.isLeaf(node) || n[node] < leafFilter.rows) return false;
    // 9 of 10 rows must count as 90 % despite rounding errors.
    const further = (1 - losses[node] / n[node] - leafFilter.share) * (leafFilter.relation === "most" ? -1 : 1);
    return leafFilter.relation === "any" || further > -1e-9;
  });
  return { leaves, nodes: new Set(leaves.flatMap((leaf) => tree.ancestry(leaf))) };
}

/**
 * Return the highlighted nodes, or null; all other nodes fade. The first of these that exists is highlighted: the
 * decision path of a row, the nodes that also exist in the tree `there` under the pointer, the paths to the leaves of
 * `leafFilter`, the nodes that the selected `rows` reach, or the path to the selected node if the page requests it.
 * @param {StageTree} tree @param {object | null} way @param {StageTree | null} there
 * @param {Set<number> | undefined} leafFilter
 * @param {RowSelection | null} rows @param {number} set @param {Set<number> | null} wayNodes
 */
export function litNodes(tree, way, there, leafFilter, rows, set, wayNodes) {
  if (way) return wayNodes;
  if (there) return survivingNodes(tree, there);
  if (leafFilter?.size) return leafFilter;
  return rows ? nodesWith(rows.reaching(tree, set)) : wayNodes;
}

/**
 * Return the nodes from the root to the node with this origin id, or null.
 * @param {StageTree} tree @param {number} origin
 */
export function pathNodes(tree, origin) {
  const node = tree.nodeOf.get(origin);
  return node === undefined ? null : new Set(tree.ancestry(node));
}

/** @param {StageTree} tree @param {StageTree} there */
function survivingNodes(tree, there) {
  const nodes = new Set();
  for (let i = 0; i < tree.n; i++) {
    const node = there.nodeOf.get(tree.origin[i]);
    if (node !== undefined && there.isLeaf(node) === tree.isLeaf(i)) nodes.add(i);
  }
  return nodes;
}

/** @param {Uint32Array} counts */
function nodesWith(counts) {
  const nodes = new Set();
  counts.forEach((count, node) => count && nodes.add(node));
  return nodes;
}

/**
 * Return the visible nodes of a tree: at most `levels` below the focus, with the minimum share of rows, outside
 * collapsed branches. Children of the nodes in `open` (Set or null) are always visible. `widest`: number of nodes for
 * which a level has room; deeper levels are folded.
 * @param {StageTree} tree @param {number | null} focus @param {Set<number>} collapsed @param {number} set
 * @param {number} support @param {number} levels @param {Set<number> | null} open @param {number} [widest]
 * @returns {Visible}
 */
export function visibleNodes(tree, focus, collapsed, set, support, levels, open, widest = Infinity) {
  const { n } = tree.figures(set);
  const root = (focus === null ? undefined : tree.nodeOf.get(focus)) ?? 0;
  const least = support * Math.max(n[0], 1);
  const nodes = [];
  /** @type {Visible["kept"]} */
  const kept = new Map();
  /** @type {Visible["folded"]} */
  const folded = new Map();
  /** @type {number[]} */
  const perLevel = [];
  const stack = [root];
  while (stack.length) {
    const node = /** @type {number} */ (stack.pop());
    const level = tree.depth[node] - tree.depth[root];
    nodes.push(node);
    perLevel[level] = (perLevel[level] ?? 0) + 1;
    const always = open?.has(node);
    const may = !collapsed.has(tree.origin[node]) && level + 1 < levels;
    const children = always || may ? tree.children(node).filter((child) => always || n[child] >= least) : [];
    kept.set(node, children);
    if (!always && !may && !tree.isLeaf(node)) folded.set(node, subtreeSize(tree, node) - 1);
    for (const child of children.toReversed()) stack.push(child);
  }
  const crowded = perLevel.findIndex((many, level) => level >= LEAST_LEVELS && many > widest);
  if (crowded > 0) return visibleNodes(tree, focus, collapsed, set, support, crowded, open);
  return { root, nodes, kept, folded, hidden: subtreeSize(tree, root) - nodes.length };
}

/** @param {StageTree} tree @param {number} root */
function subtreeSize(tree, root) {
  const nodes = [root];
  for (const node of nodes) nodes.push(...tree.children(node));
  return nodes.length;
}
