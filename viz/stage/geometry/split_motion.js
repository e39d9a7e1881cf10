// Animation of the split lines of a tree on two features from one step to another.

import { regionsOf } from "./regions.js";

const SHARE = 0.55; // duration as a share of the time between two steps while the run plays
const LONGEST = 480; // in milliseconds
const SHORTEST = 90; // in milliseconds; shorter animations are skipped

/** Animation from the splits of `from` to those of `to`. Both trees must have the same nodes where splits move. */
export class SplitMotion {
  /** @param {PlaneTree} from @param {PlaneTree} to @param {Limits} limits @param {number} milliseconds */
  constructor(from, to, { low, high }, milliseconds) {
    this.to = to;
    this.began = performance.now();
    this.milliseconds = milliseconds;
    this.scale = [0, 1].map((axis) => high[axis] - low[axis] || 1);
    this.low = low;
    this.moves = movesOf(from, to, (split) => this.inBox(split));
  }

  get share() {
    return Math.min(1, (performance.now() - this.began) / this.milliseconds);
  }

  get isOver() {
    return this.share >= 1 || !this.moves.size;
  }

  /**
   * Return the line of a split over the unit square: the angle of its normal and its offset from the centre. `constant`
   * is 1 or -1 if there is no line.
   * @param {Split} split @returns {{angle: number, offset: number, constant: number}}
   */
  inBox({ features, weights, bias }) {
    const normal = [0, 0];
    let offset = bias;
    features.forEach((axis, i) => {
      normal[axis] = weights[i] * this.scale[axis];
      offset += weights[i] * (this.low[axis] + this.scale[axis] / 2);
    });
    const length = Math.hypot(...normal);
    if (!(length > 0)) return { constant: bias >= 0 ? 1 : -1, angle: 0, offset: 0 };
    return { angle: Math.atan2(normal[1], normal[0]), offset: offset / length, constant: 0 };
  }

  /** Return the current split of a node. @param {number} node @returns {Split} */
  split(node) {
    const move = this.moves.get(node);
    const share = this.share;
    if (!move || share >= 1) return this.to.split(node);
    const ease = 1 - (1 - share) ** 3;
    const angle = move.angle + ease * move.turn;
    const normal = [Math.cos(angle), Math.sin(angle)];
    const weights = normal.map((value, axis) => value / this.scale[axis]);
    const offset = move.offset + ease * move.shift;
    const bias =
      offset - weights[0] * (this.low[0] + this.scale[0] / 2) - weights[1] * (this.low[1] + this.scale[1] / 2);
    return { features: [0, 1], weights, bias };
  }

  /** Return the current regions. @param {Numbers} low @param {Numbers} high */
  regions(low, high) {
    const { to } = this;
    const { n, left, right, origin, nodeOf } = to;
    /** @type {PlaneTree} */
    const now = {
      ...{ n, left, right, origin, nodeOf, isLeaf: (node) => to.isLeaf(node) },
      ...{ split: (node) => this.split(node), once: (_, make) => make() },
    };
    return regionsOf(now, low, high);
  }
}

/**
 * Return the duration of an animation in milliseconds, or 0 for none. `wait`: milliseconds between two steps.
 * @param {number} wait
 */
export function motionTime(wait) {
  const time = Math.min(LONGEST, wait * SHARE);
  return time < SHORTEST ? 0 : time;
}

const OUTSIDE = 0.75; // offset of a line outside the unit square

/** @param {PlaneTree} from @param {PlaneTree} to @param {SplitMotion["inBox"]} inBox */
function movesOf(from, to, inBox) {
  /** @type {Map<number, {angle: number, offset: number, turn: number, shift: number}>} */
  const moves = new Map();
  for (let node = 0; node < to.n; node++) {
    const before = from.nodeOf.get(to.origin[node]);
    if (to.isLeaf(node) || before === undefined) continue;
    let now = inBox(to.split(node));
    // The leaf has its prediction on this side.
    const side = from.label?.[before] === to.label?.[to.right[node]] ? 1 : -1;
    let old = from.isLeaf(before) ? { ...now, constant: side } : inBox(from.split(before));
    if (old.constant && now.constant) continue;
    // Lines appear and disappear at the edge of the square.
    if (old.constant) old = { ...now, offset: old.constant * OUTSIDE };
    if (now.constant) now = { ...old, offset: now.constant * OUTSIDE };
    let turn = now.angle - old.angle;
    if (turn > Math.PI) turn -= 2 * Math.PI;
    if (turn < -Math.PI) turn += 2 * Math.PI;
    const shift = now.offset - old.offset;
    if (Math.abs(turn) + Math.abs(shift) > 1e-9) moves.set(node, { ...old, turn, shift });
  }
  return moves;
}
