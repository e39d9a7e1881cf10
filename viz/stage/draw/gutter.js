// Rows that miss a value have no place on its axis: they stand in a slim gutter beside it.

import { remembered } from "../model/remembered.js";

/** Whether some sampled row misses a value of a feature. */
function isMissed(path, feature) {
  const { X, n } = path.sample;
  return remembered(path, `missed ${feature}`, () =>
    X.subarray(feature * n, feature * n + n).some((value) => value !== value),
  );
}

/** Width of the gutter of some features (0 when all their values are known) for an axis of this length. */
export function gutterOf(path, features, length) {
  return features.some((feature) => isMissed(path, feature)) ? Math.max(3, Math.min(18, length * 0.08)) : 0;
}

/** Number of these rows that miss a value of some feature. */
export function missingAmong(path, features, rows) {
  const { X, n } = path.sample;
  return rows.filter((row) => features.some((feature) => Number.isNaN(X[feature * n + row]))).length;
}
