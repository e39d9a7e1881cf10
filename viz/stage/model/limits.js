// Ranges of the axes inside nodes: the same for every lambda, or the animation would lie.

import { remembered } from "./remembered.js";

/** Limits of the axes: those of the whole data in the plane, else of all rows that the node ever splits by these features. */
export function limits({ path, tree }, node, features) {
  const key = path.nFeatures === 2 ? "plane" : `${tree.origin[node]} ${features.join()}`;
  const isOfPath = path.trees[tree.index] === tree;
  return remembered(path, `limits ${key}`, () =>
    freshLimits(path, isOfPath ? path.trees : [tree], tree.origin[node], features),
  );
}

function freshLimits(path, trees, origin, features) {
  const { X, n } = path.sample;
  const rows = new Set();
  for (const tree of path.nFeatures === 2 ? [] : trees) {
    const there = tree.nodeOf.get(origin);
    if (there === undefined || String(tree.split(there).features) !== String(features)) continue;
    path.sets.forEach((_, s) => tree.reaching(s, there).rows.forEach((row) => rows.add(row)));
  }
  const used = rows.size > 1 ? [...rows] : Array.from({ length: n }, (_, i) => i);
  // a few far rows of many must not squeeze the others
  const tail = used.length < 400 ? 0 : 0.004;
  const ends = features.map((j) => {
    const values = used
      .map((row) => X[j * n + row])
      .filter((v) => v === v)
      .sort((p, q) => p - q);
    if (!values.length) return aroundTheLines(path, path.nFeatures === 2 ? null : origin, j);
    const low = values[Math.floor(tail * (values.length - 1))];
    const high = values[Math.ceil((1 - tail) * (values.length - 1))];
    const pad = (high - low) * 0.04 || Math.abs(high) * 0.05 || 0.5;
    return [low - pad, high + pad];
  });
  return { low: ends.map((e) => e[0]), high: ends.map((e) => e[1]) };
}

/** Without rows: where the boundaries of a node, or of all nodes (null), come nearest to zero, and some room. */
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
  const room = (high - low) * 0.25 || Math.abs(high) * 0.5 || 0.5;
  return [low - room, high + room];
}

/** Limits of the plane of data with two features: all of the sample, with a margin. */
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
      if (low > high) return aroundTheLines(path, null, feature);
      const pad = (high - low) * 0.03 || Math.abs(high) * 0.05 || 0.5;
      return [low - pad, high + pad];
    });
    return { low: ends.map((end) => end[0]), high: ends.map((end) => end[1]) };
  });
}
