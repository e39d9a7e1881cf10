// Named groups of stages on one page, and the search for the most similar tree of another path. The module is evaluated
// once per page, for any number of stages.

/** @typedef {{members: Set<Linked>, lead: Linked | null, hasMoved: boolean}} Group */
/** @type {Known<string, Group>} */
const groups = new Map();

const ALIKE = 1e-12; // tolerance for rounding differences

/**
 * Join a group: {members: Set, lead: the member whose tree the other members match, hasMoved: whether the user moved
 * it}.
 * @param {string} name @param {Linked} member
 */
export function join(name, member) {
  if (!groups.has(name)) groups.set(name, { members: new Set(), lead: null, hasMoved: false });
  const group = groups.get(name);
  group.members.add(member);
  return group;
}

/** @param {string} name @param {Linked} member */
export function leave(name, member) {
  const group = groups.get(name);
  if (!group?.members.delete(member)) return;
  if (group.lead === member) Object.assign(group, { lead: null, hasMoved: false });
  if (!group.members.size) groups.delete(name);
}

/**
 * Return the index of the tree nearest to `like` {size, error} by size or by error. `trees`: [{size, error, weights}]
 * from large to small. On ties, smaller trees are preferred, then later trees.
 * @param {Like[]} trees @param {Like} like @param {"size" | "error"} match
 */
export function nearest(trees, like, match) {
  /** @param {Like} tree */
  const distance = (tree) => Math.abs(tree[match] - like[match]);
  let best = 0;
  trees.forEach((tree, index) => {
    const now = trees[best];
    const further = distance(tree) - distance(now);
    const by = Math.abs(further) > ALIKE ? further : tree.size - now.size || tree.weights - now.weights;
    if (by <= 0) best = index;
  });
  return best;
}
