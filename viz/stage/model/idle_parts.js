// Parts of a tree that decide nothing: those that no row reaches, and those below which every row gets one answer.

/**
 * Map node -> "dead" (no training row gets there), "pure" (rows of one class) or "same" (every leaf below says the same).
 * @param {StageTree} tree
 */
export function idleParts(tree) {
  return tree.once("idle", () => {
    const { n, counts } = tree.figures(0);
    const k = tree.path.target.n;
    /** @param {number} node */
    const isPure = (node) => counts.subarray(node * k, node * k + k).some((count) => count === n[node]);
    const only = new Int32Array(tree.n).fill(-1); // class of all reached leaves below, -1 none reached, -2 several
    const idle = new Map();
    for (let node = tree.n - 1; node >= 0; node--) {
      if (tree.isLeaf(node)) only[node] = n[node] ? tree.label[node] : -1;
      else {
        const [a, b] = tree.children(node).map((child) => only[child]);
        only[node] = a === -1 ? b : b === -1 || a === b ? a : -2;
      }
    }
    for (let node = 0; node < tree.n; node++) {
      const above = tree.parent[node];
      if (!n[node]) idle.set(node, "dead");
      else if (idle.has(above)) idle.set(node, idle.get(above));
      else if (!tree.isLeaf(node) && only[node] >= 0) idle.set(node, isPure(node) ? "pure" : "same");
    }
    return idle;
  });
}
