// Ranges of the axes inside nodes: the same for every lambda, or the animation would lie.

/** Limits of the axes: those of the whole data in the plane, else of the rows of the node at its first lambda. */
export function limits({ path, tree }, node, features) {
  const key = path.nFeatures === 2 ? "plane" : `${tree.origin[node]} ${features.join()}`;
  path.limits ??= new Map();
  if (!path.limits.has(key)) path.limits.set(key, freshLimits(path, tree, node, features));
  return path.limits.get(key);
}

function freshLimits(path, tree, node, features) {
  const { X, n } = path.sample;
  let rows = Array.from({ length: n }, (_, i) => i);
  if (path.nFeatures !== 2) {
    const first =
      path.trees.find((other) => {
        const there = other.nodeOf.get(tree.origin[node]);
        return there !== undefined && String(other.split(there).features) === String(features);
      }) ?? tree;
    const all = path.sets.flatMap((_, s) => Array.from(first.reaching(s, first.nodeOf.get(tree.origin[node])).rows));
    if (all.length > 1) rows = all;
  }
  const ends = features.map((j) => {
    const values = rows.map((row) => X[j * n + row]).sort((p, q) => p - q);
    const tail = path.nFeatures === 2 ? 0 : 0.01;
    const low = values[Math.floor(tail * (values.length - 1))],
      high = values[Math.ceil((1 - tail) * (values.length - 1))];
    const pad = (high - low) * 0.04 || Math.abs(high) * 0.05 || 0.5;
    return [low - pad, high + pad];
  });
  return { low: ends.map((e) => e[0]), high: ends.map((e) => e[1]) };
}
