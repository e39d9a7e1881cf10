// Parts of a tree that decide nothing: those that no row reaches, and those below which every row gets one answer.

/** Map node -> "dead" or "pure", of the training rows. */
export function idleParts(tree) {
  return tree.once("idle", () => {
    const { n } = tree.figures(0);
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
      else if (idle.get(above) === "pure" || (!tree.isLeaf(node) && only[node] >= 0)) idle.set(node, "pure");
    }
    return idle;
  });
}
