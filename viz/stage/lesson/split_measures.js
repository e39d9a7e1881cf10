// Measures of a threshold on rows with classes: errors, Gini impurity and entropy on both sides.

/**
 * Number of misclassified rows if each side predicts its majority class, and mean Gini impurity and entropy (bits) per
 * row.
 * @typedef {{errors: number, gini: number, entropy: number}} Measures
 */

/**
 * @param {Numbers} values values of the rows @param {Numbers} classes classes of the rows
 * @param {number} n number of classes
 * @param {number} at threshold; values from here on are on the right @returns {Measures}
 */
export function measuresOf(values, classes, n, at) {
  const sides = [new Float64Array(n), new Float64Array(n)];
  for (let i = 0; i < values.length; i++) sides[Number(values[i] >= at)][classes[i]]++;
  const found = { errors: 0, gini: 0, entropy: 0 };
  for (const counts of sides) {
    const total = counts.reduce((sum, count) => sum + count, 0);
    found.errors += total - Math.max(...counts);
    for (const count of counts) {
      if (!count) continue;
      found.gini += (count * (1 - count / total)) / values.length;
      found.entropy -= (count * Math.log2(count / total)) / values.length;
    }
  }
  return found;
}

/**
 * Return the lowest value of each measure over all thresholds midway between two values.
 * @param {Numbers} values @param {Numbers} classes @param {number} n @returns {Measures}
 */
export function lowestMeasures(values, classes, n) {
  const sorted = Array.from(new Set(values)).sort((a, b) => a - b);
  const lowest = measuresOf(values, classes, n, sorted[0]);
  for (let i = 1; i < sorted.length; i++) {
    const found = measuresOf(values, classes, n, (sorted[i - 1] + sorted[i]) / 2);
    for (const name of /** @type {(keyof Measures)[]} */ (Object.keys(lowest)))
      lowest[name] = Math.min(lowest[name], found[name]);
  }
  return lowest;
}
