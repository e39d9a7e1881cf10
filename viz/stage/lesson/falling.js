// Animation of points that fall from a new split along the edges into its children.

import { spaced } from "../draw/scatter.js";
import { planeLimits } from "../geometry/limits.js";

const FALL = 900; // duration of the fall of one point, in milliseconds
const APART = 800; // milliseconds between the first and the last point
const MOST = 90; // maximum number of points per child
const LEAVES = 0.3; // share of a fall until a point has left the plot of the node
const RADIUS = 2.2;

/**
 * Return the position of a falling point. `share`: elapsed share of its time, 0 to 1.
 * @param {Pair} start @param {Pair} from @param {Pair} to @param {number} bend @param {number} share @returns {Pair}
 */
export function placeOf(start, from, to, bend, share) {
  if (share < LEAVES) {
    const part = (share / LEAVES) ** 2;
    return [start[0] + part * (from[0] - start[0]), start[1] + part * (from[1] - start[1])];
  }
  const t = (share - LEAVES) / (1 - LEAVES);
  const [a, b, c, d] = [(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t ** 3];
  const turn = (to[1] - from[1]) * bend;
  return [(a + b) * from[0] + (c + d) * to[0], a * from[1] + b * (from[1] + turn) + c * (to[1] - turn) + d * to[1]];
}

export class Falling {
  /** @param {Store} store */
  constructor(store) {
    this.store = store;
    /** @type {StageTree | null} */
    this.tree = null;
    this.began = 0;
    /** @type {number[]} */
    this.nodes = [];
  }

  /** Start the points of nodes that were leaves in the previous tree and have a split now. @param {StageTree} before */
  begin(before) {
    const { tree, state, path } = this.store;
    if (state.isStill || path.nFeatures !== 2) return;
    this.tree = tree;
    this.began = performance.now();
    this.nodes = [...tree.nodeOf.values()].filter((node) => {
      const there = before.nodeOf.get(tree.origin[node]);
      return !tree.isLeaf(node) && there !== undefined && before.isLeaf(there);
    });
  }

  /** Draw the points above the tree; return whether some points still fall. @param {TreeView} view */
  draw(view) {
    const { tree, state, path, colors } = this.store;
    const time = performance.now() - this.began;
    if (tree !== this.tree || time > FALL + APART) this.tree = null;
    if (!this.tree) return false;
    const { X, y, n } = path.sample;
    const { low, high } = planeLimits(path);
    for (const node of this.nodes)
      for (const child of tree.children(node)) {
        const [box, end] = [view.boxes.get(node), view.boxes.get(child)];
        if (!box || !end) continue;
        const rows = spaced(Array.from(tree.reaching(state.set, child).rows), MOST);
        rows.forEach((row, i) => {
          const share = (time - (APART * i) / rows.length) / FALL;
          if (share < 0 || share > 1) return;
          const [across, up] = [0, 1].map((axis) => (X[axis * n + row] - low[axis]) / (high[axis] - low[axis]) - 0.5);
          const [x, down] = placeOf(
            [box.x + across * box.w, box.y - up * box.h],
            [box.x, view.foot(node, box)],
            [end.x + (across * end.w) / 2, end.y - end.h / 2],
            path.looks.edges.bend,
            share,
          );
          view.context.beginPath();
          view.context.arc(x, down, RADIUS * state.type, 0, 7);
          view.context.fillStyle = colors.ofGroup(y[row]);
          view.context.fill();
        });
      }
    return true;
  }
}
