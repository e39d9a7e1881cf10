// Limits of the axes of plots in nodes. They are the same for every lambda, because animations must not change the
// scale.

import { remembered } from "../model/remembered.js";

/**
 * Return the limits of the axes. For data with two features, the limits cover all rows. Otherwise, they cover the
 * rows that the node splits by these features in any tree of the path. `difference`: features whose difference the only
 * axis has, instead of one axis for each feature.
 * @param {{path: Path, tree: StageTree}} look @param {number} node @param {Numbers} features
 * @param {{plus: number, minus: number} | null} [difference]
 */
export function limits({ path, tree }, node, features, difference = null) {
  const own = difference ? ` ${difference.plus} ${difference.minus}` : "";
  const key = path.nFeatures === 2 ? "plane" : `${tree.origin[node]} ${features.join()}${own}`;
  const isOfPath = path.trees[tree.index] === tree;
  return remembered(path, `limits ${key}`, () =>
    freshLimits(path, isOfPath ? path.trees : [tree], tree.origin[node], features, difference),
  );
}

/**
 * @param {Path} path @param {StageTree[]} trees @param {number} origin @param {Numbers} features
 * @param {{plus: number, minus: number} | null} difference @returns {Limits}
 */
function freshLimits(path, trees, origin, features, difference) {
  const { X, n } = path.sample;
  const rows = new Set();
  for (const tree of path.nFeatures === 2 ? [] : trees) {
    const there = tree.nodeOf.get(origin);
    if (there === undefined || String(tree.split(there).features) !== String(features)) continue;
    path.sets.forEach((_, s) => tree.reaching(s, there).rows.forEach((row) => rows.add(row)));
  }
  const used = rows.size > 1 ? [...rows] : Array.from({ length: n }, (_, i) => i);
  // A few outliers among many rows must not compress the other rows.
  const look = path.looks.limits;
  const tail = used.length < look.many ? 0 : look.tail;
  const ends = Array.from(difference ? [difference.plus] : features, (j) => {
    const values = used
      .map((row) => (difference ? X[j * n + row] - X[difference.minus * n + row] : X[j * n + row]))
      .filter((v) => v === v)
      .sort((p, q) => p - q);
    const known = values.length || difference ? null : path.ends?.[j];
    if (!values.length && difference) return withoutRoom([0, 1]);
    if (!values.length && !known) return withoutRoom(aroundTheLines(path, path.nFeatures === 2 ? null : origin, j));
    const first = known ? known[0] : values[Math.floor(tail * (values.length - 1))];
    const last = known ? known[1] : values[Math.ceil((1 - tail) * (values.length - 1))];
    return withRoom(first, last, look.room, look);
  });
  return limitsOf(ends);
}

/** @typedef {{low: number, high: number, first: number, last: number}} AxisEnds */

/**
 * Return the ends of an axis with margins on both sides of the values.
 * @param {number} first @param {number} last @param {number} room @param {Path["looks"]["limits"]} look
 * @returns {AxisEnds}
 */
function withRoom(first, last, room, { alone, unit }) {
  const pad = (last - first) * room || Math.abs(last) * alone || unit;
  return { low: first - pad, high: last + pad, first, last };
}

/** @param {Pair} ends @returns {AxisEnds} */
function withoutRoom([low, high]) {
  return { low, high, first: low, last: high };
}

/** @param {AxisEnds[]} ends @returns {Limits} */
function limitsOf(ends) {
  return {
    low: ends.map(({ low }) => low),
    high: ends.map(({ high }) => high),
    first: ends.map(({ first }) => first),
    last: ends.map(({ last }) => last),
  };
}

/**
 * Return limits for data without rows, around the boundaries of a node at their points nearest to zero. `origin`: the
 * node, or null for all nodes.
 * @param {Path} path @param {number | null} origin @param {number} feature @returns {Pair}
 */
function aroundTheLines(path, origin, feature) {
  const places = [];
  for (const tree of path.trees)
    for (const node of origin === null ? tree.nodeOf.values() : [tree.nodeOf.get(origin) ?? 0]) {
      const { features, weights, bias } = tree.split(node);
      const at = features.indexOf(feature);
      if (at < 0) continue;
      const place = (-bias * weights[at]) / weights.reduce((sum, weight) => sum + weight * weight, 0);
      if (Number.isFinite(place)) places.push(place);
    }
  if (!places.length) return [0, 1];
  const low = Math.min(...places),
    high = Math.max(...places);
  const { around, aloneAround, unit } = path.looks.limits;
  const room = (high - low) * around || Math.abs(high) * aloneAround || unit;
  return [low - room, high + room];
}

/** Return the limits of the plane of data with two features: the whole sample with a margin. @param {Path} path */
export function planeLimits(path) {
  return remembered(path, "plane", () => {
    const { X, n } = path.sample;
    const ends = [0, 1].map((feature) => {
      let low = Infinity,
        high = -Infinity;
      for (let row = 0; row < n; row++) {
        const value = X[feature * n + row];
        if (value < low) low = value;
        if (value > high) high = value;
      }
      const known = low > high ? path.ends?.[feature] : null;
      if (known) [low, high] = known;
      if (low > high) return withoutRoom(aroundTheLines(path, null, feature));
      return withRoom(low, high, path.looks.limits.plane, path.looks.limits);
    });
    return limitsOf(ends);
  });
}
