// Rows that miss a value have no place on its axis: they stand in a slim gutter beside it.

/** Width of the gutter of some features (0 when all their values are known) for an axis of this length. */
export function gutterOf({ missed, looks }, features, length) {
  const { share, least, most } = looks.gutter;
  return features.some((feature) => missed[feature]) ? Math.max(least, Math.min(most, length * share)) : 0;
}

/** Number of these rows that miss a value of some feature. */
export function missingAmong(path, features, rows) {
  const { X, n } = path.sample;
  return rows.filter((row) => features.some((feature) => Number.isNaN(X[feature * n + row]))).length;
}
