// The objective of TAO, as far as the browser can tell it (see viz/payload/edit_payload.py).

/**
 * Training errors + lambda * penalties of the decisions; null when not all training rows are here.
 * @param {StageTree} tree
 */
export function objectiveOf(tree) {
  const { edit } = tree.path;
  if (!edit?.whole) return null;
  const { split, cost, width } = edit.penalty;
  let penalty = 0;
  for (let node = 0; node < tree.n; node++) {
    const k = tree.nWeights(node);
    if (tree.isLeaf(node)) continue;
    if (split === "oblique")
      for (let j = tree.start[node]; j < tree.start[node + 1]; j++)
        penalty += Math.abs(tree.weight[j]) * width[tree.feature[j]];
    else penalty += split === "bivariate" && k > 1 ? cost * (k - 1) : k;
  }
  return tree.figures(0).losses[0] + edit.lam * penalty;
}
