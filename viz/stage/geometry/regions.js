// Partition of the plane by a tree into one convex polygon per node, exact up to the rounding of its corners.

/**
 * Return the corners of the rectangle from low to high.
 * @param {Numbers} low @param {Numbers} high @returns {Corners}
 */
export function rectangle(low, high) {
  return [
    [low[0], low[1]],
    [high[0], low[1]],
    [high[0], high[1]],
    [low[0], high[1]],
  ];
}

/**
 * Divide a convex polygon by a line into {yes: the part where direction . x + offset >= 0, no: the other part, cut: the
 * two ends of their border, or []}. A part without area is [].
 * @param {Corners} corners @param {Numbers} direction @param {number} offset
 * @returns {{yes: Corners, no: Corners, cut: Corners}}
 */
export function cutPolygon(corners, direction, offset) {
  const side = corners.map(([x, y]) => offset + direction[0] * x + direction[1] * y);
  if (side.every((s) => s >= 0)) return { yes: corners, no: [], cut: [] };
  if (side.every((s) => s < 0)) return { yes: [], no: corners, cut: [] };
  /** @type {Corners[]} */
  const [yes, no, cut] = [[], [], []];
  corners.forEach((corner, i) => {
    const j = (i + 1) % corners.length;
    (side[i] >= 0 ? yes : no).push(corner);
    if (side[i] >= 0 === side[j] >= 0) return;
    const t = side[i] / (side[i] - side[j]);
    /** @type {Pair} */
    const crossing = [corner[0] + t * (corners[j][0] - corner[0]), corner[1] + t * (corners[j][1] - corner[1])];
    yes.push(crossing);
    no.push(crossing);
    cut.push(crossing);
  });
  return { yes: area(yes) > 0 ? yes : [], no: area(no) > 0 ? no : [], cut: cut.length === 2 ? cut : [] };
}

/**
 * Return the weights of a split for two features.
 * @param {Omit<Split, "bias">} split @param {Numbers} axes @returns {Pair}
 */
export function directionOf({ features, weights }, axes) {
  /** @type {Pair} */
  const direction = [0, 0];
  features.forEach((feature, i) => (direction[feature === axes[0] ? 0 : 1] = weights[i]));
  return direction;
}

/** Return the area of a polygon. @param {Corners} corners */
export function area(corners) {
  let sum = 0;
  // Coordinates are relative to the first corner, because rounding errors of large coordinates would hide a small area.
  for (let i = 2; i < corners.length; i++) {
    const [x0, y0] = corners[0];
    sum += (corners[i - 1][0] - x0) * (corners[i][1] - y0) - (corners[i][0] - x0) * (corners[i - 1][1] - y0);
  }
  return Math.abs(sum) / 2;
}

/**
 * Return the parts of a leaf's region by predicted group. A linear leaf has one part for each group, and any other leaf
 * one part in all.
 * @param {StageTree} tree @param {number} node @param {Corners} corners
 * @returns {{group: number | null, corners: Corners}[]}
 */
export function answersOf(tree, node, corners) {
  const { leafModel } = tree;
  if (!leafModel.has(node) || leafModel.q === 1) return [{ group: null, corners }];
  const groups = leafModel.groups(node);
  const weights = groups.map((group) => {
    /** @type {Pair} */
    const both = [0, 0];
    for (const [feature, weight] of leafModel.column(node, group)) both[feature] = weight;
    return both;
  });
  return groups.map((group, i) => {
    let part = corners;
    groups.forEach((other, k) => {
      if (k === i || !part.length) return;
      const direction = [weights[i][0] - weights[k][0], weights[i][1] - weights[k][1]];
      part = cutPolygon(part, direction, leafModel.biasOf(node, group) - leafModel.biasOf(node, other)).yes;
    });
    return { group, corners: part };
  });
}

/**
 * Return {polygons, cuts}: the polygon of every node in a tree on two features, and the part of its split line inside
 * the polygon.
 * @param {PlaneTree} tree @param {Numbers} low @param {Numbers} high
 */
export function regionsOf(tree, low, high) {
  return tree.once(`regions ${low} ${high}`, () => {
    /** @type {Corners[][]} */
    const [polygons, cuts] = [0, 1].map(() => Array.from({ length: tree.n }, () => []));
    polygons[0] = rectangle(low, high);
    for (let node = 0; node < tree.n; node++) {
      if (tree.isLeaf(node)) continue;
      const { features, weights, bias } = tree.split(node);
      const direction = [0, 0];
      features.forEach((feature, i) => (direction[feature] = weights[i]));
      const { yes, no, cut } = polygons[node].length
        ? cutPolygon(polygons[node], direction, bias)
        : { yes: [], no: [], cut: [] };
      polygons[tree.right[node]] = yes;
      polygons[tree.left[node]] = no;
      cuts[node] = cut;
    }
    return { polygons, cuts };
  });
}
