// Finds nodes by feature, class or node number.

/**
 * {origins: Set of the nodes found in the tree, feature: position of the first feature that matched, or null}.
 * @param {StageTree} tree @param {string} text
 */
export function search(tree, text) {
  const { path } = tree;
  const wanted = text.trim().toLowerCase();
  const origins = new Set();
  if (!wanted) return { origins, feature: null };
  const id = /^(?:node|leaf)?\s*#?(\d+)$/.exec(wanted);
  if (id && tree.nodeOf.has(Number(id[1]))) origins.add(Number(id[1]));
  const exact = path.target.groups.findIndex((name) => name.toLowerCase() === wanted);
  const { groups } = path.target;
  const meant = new Set(
    exact >= 0 ? [exact] : [...groups.keys()].filter((group) => groups[group].toLowerCase().includes(wanted)),
  );
  // a number is a class or a node; names of features that merely contain it (pixels do) are not meant
  const isNumber = /^\d+$/.test(wanted);
  const features = new Set(
    isNumber ? [] : [...path.features.keys()].filter((j) => path.features[j].toLowerCase().includes(wanted)),
  );
  for (let i = 0; i < tree.n; i++) {
    if (tree.isLeaf(i) ? meant.has(tree.label[i]) : tree.split(i).features.some((j) => features.has(j)))
      origins.add(tree.origin[i]);
  }
  return { origins, feature: features.size ? [...features][0] : null };
}
