// Finds good splits for the sampled rows of a node.

const ORIENTATIONS = 36; // number of orientations of lines in the plane of two features
const MOST_ROWS = 4000;

/**
 * Return the best threshold for a leaf as {features: [position], weights: [1], bias}, or null if no feature separates
 * the rows. For classes, it has the fewest rows outside the majority class of their side, then the lowest Gini
 * impurity. For numbers, it has the least squared error.
 * @param {Path} path @param {Int32Array} rows @returns {Split | null}
 */
export function bestThreshold(path, rows) {
  const { n, X } = path.sample;
  const used = spread(rows);
  /** @type {{cost: number, j: number, bound: number} | null} */
  let best = null;
  for (let j = 0; j < path.columns.length; j++) {
    const sorted = sortedBy(used, (row) => X[j * n + row]);
    const costs = path.target.follows ? squaredErrors(path, sorted) : impurities(path, sorted);
    for (let p = 0; p + 1 < sorted.length; p++) {
      if (sorted[p].value === sorted[p + 1].value) continue;
      const cost = costs[p];
      if (best === null || cost < best.cost) best = { cost, j, bound: between(sorted[p].value, sorted[p + 1].value) };
    }
  }
  return best && { features: [best.j], weights: [1], bias: -best.bound };
}

/** Return the cost of a threshold after each row except the last. @param {Path} path @param {{row: number}[]} sorted */
function impurities({ sample: { y }, target }, sorted) {
  const right = new Float64Array(target.n),
    left = new Float64Array(target.n);
  for (const { row } of sorted) right[y[row]]++;
  return sorted.slice(1).map((_, p) => {
    const c = y[sorted[p].row];
    left[c]++;
    right[c]--;
    return impurity(left, p + 1) + impurity(right, sorted.length - p - 1);
  });
}

/**
 * Return the squared errors of thresholds after each row except the last, without the part common to all thresholds.
 * @param {Path} path @param {{row: number}[]} sorted
 */
function squaredErrors({ sample: { value } }, sorted) {
  const middle = sorted.reduce((sum, { row }) => sum + value[row], 0) / sorted.length;
  let left = 0; // The deviation of the right side is the same with the opposite sign.
  return sorted.slice(1).map((_, p) => {
    left += value[sorted[p].row] - middle;
    return -left * left * (1 / (p + 1) + 1 / (sorted.length - p - 1));
  });
}

/**
 * Return the number of rows outside the majority class. The Gini impurity breaks ties.
 * @param {Float64Array} counts @param {number} n
 */
function impurity(counts, n) {
  let most = 0,
    squares = 0;
  for (const count of counts) {
    most = Math.max(most, count);
    squares += count * count;
  }
  return n - most + 0.01 * (n - squares / n);
}

/**
 * Return the split of a node on one or two given features with the fewest errors in the subtrees that the rows then
 * reach. `wrong` maps a row to [whether the left, whether the right subtree misclassifies it].
 * @param {Path} path @param {Int32Array} rows @param {number[]} features @param {(row: number) => number[]} wrong
 */
export function bestSplit(path, rows, features, wrong) {
  const { n, X } = path.sample;
  const used = spread(rows).filter((row) => features.every((j) => X[j * n + row] === X[j * n + row]));
  /** @type {Known<number, number>} */
  const gain = new Map();
  for (const row of used) {
    const [left, right] = wrong(row);
    gain.set(row, right - left);
  }
  const scale = features.map((j) => path.deviation[j] || 1);
  const directions =
    features.length === 1
      ? [[1], [-1]]
      : Array.from({ length: 2 * ORIENTATIONS }, (_, i) => {
          const angle = (Math.PI * (i + 0.5)) / ORIENTATIONS;
          return [Math.cos(angle), Math.sin(angle)];
        });
  /** @type {(Split & {total: number}) | null} */
  let best = null;
  for (const direction of directions) {
    const weights = direction.map((part, i) => part / scale[i]);
    const sorted = sortedBy(used, (row) => weights.reduce((sum, w, i) => sum + w * X[features[i] * n + row], 0));
    let cost = 0; // The cost is relative to sending all rows right. The loop sends the rows left, one by one.
    for (let p = 0; p + 1 < sorted.length; p++) {
      cost -= gain.get(sorted[p].row);
      if (sorted[p].value === sorted[p + 1].value) continue;
      const lopsided = Math.abs(2 * (p + 1) - sorted.length) / sorted.length;
      const total = cost + 0.001 * lopsided;
      if (best === null || total < best.total)
        best = { total, features, weights, bias: -between(sorted[p].value, sorted[p + 1].value) };
    }
  }
  return best && { features: best.features, weights: best.weights, bias: best.bias };
}

/** @param {Int32Array} rows @returns {number[]} */
function spread(rows) {
  if (rows.length <= MOST_ROWS) return Array.from(rows);
  return Array.from({ length: MOST_ROWS }, (_, i) => rows[Math.floor((i * rows.length) / MOST_ROWS)]);
}

/** @template T @param {T[]} rows @param {(row: T) => number} valueOf */
function sortedBy(rows, valueOf) {
  return rows
    .map((row) => ({ row, value: valueOf(row) }))
    .filter(({ value }) => value === value)
    .sort((a, b) => a.value - b.value);
}

/**
 * Return a number above `low` and up to `high`: their mean if it is representable.
 * @param {number} low @param {number} high
 */
function between(low, high) {
  const middle = low + (high - low) / 2;
  return middle > low ? middle : high;
}

/**
 * Return the amount to subtract from the margins of a node so that its subtrees make the fewest errors, or 0 if no
 * offset is better.
 * @param {Numbers} rows @param {Numbers} margins @param {(row: number) => number[]} wrong
 */
export function bestOffset(rows, margins, wrong) {
  const sorted = sortedBy(
    Array.from(rows, (row, p) => ({ row, margin: margins[p] })),
    ({ margin }) => margin,
  );
  // extra cost of sending each row left
  const costs = sorted.map(({ row }) => wrong(row.row)).map(([left, right]) => left - right);
  let cost = 0;
  let best = { cost: costs.reduce((sum, one, p) => sum + (sorted[p].value < 0 ? one : 0), 0), shift: 0 };
  for (let p = 0; p + 1 < sorted.length; p++) {
    cost += costs[p];
    if (sorted[p].value === sorted[p + 1].value || cost >= best.cost) continue;
    best = { cost, shift: between(sorted[p].value, sorted[p + 1].value) };
  }
  return best.shift;
}
