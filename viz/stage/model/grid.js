// Where a tree stands in a grid of lambda and C. Its trees follow each other row by row, each row all lambdas of one C;
// a path that is no grid is a single row. And its errors: where classes weigh in training, errors do so too, and are called
// so (viz/words/error_names.py).

import { number } from "./number_text.js";

/** @typedef {{row: number, column: number, first: number, last: number}} Cell */

/** Cell of the tree with an index: its place, and the first and last index of its row. @param {Path} path @param {number} k */
export function cellOf(path, k) {
  const n = path.grid?.nLams ?? path.trees.length;
  const row = Math.floor(k / n);
  return { row, column: k - row * n, first: row * n, last: Math.min((row + 1) * n, path.trees.length) - 1 };
}

/**
 * Index of the tree in a row and a column, or of the nearest that is there: a grid whose training was stopped lacks the
 * last ones.
 * @param {Path} path @param {number} row @param {number} column
 */
export function indexAt(path, row, column) {
  const n = path.grid?.nLams ?? path.trees.length;
  const rows = Math.ceil(path.trees.length / n);
  const { first, last } = cellOf(path, Math.max(0, Math.min(rows - 1, row)) * n);
  return Math.max(first, Math.min(last, first + column));
}

/**
 * Colour on a scale of evenly spaced hex colours. @param {string[]} stops @param {number} share in [0, 1]
 */
export function colorAt(stops, share) {
  const place = Math.max(0, Math.min(1, share)) * (stops.length - 1);
  const below = Math.min(Math.floor(place), stops.length - 2);
  /** @param {string} color @param {number} i */
  const channel = (color, i) => parseInt(color.slice(1 + 2 * i, 3 + 2 * i), 16);
  const mixed = [0, 1, 2].map((i) => {
    const [low, high] = [channel(stops[below], i), channel(stops[below + 1], i)];
    return Math.round(low + (place - below) * (high - low));
  });
  return `rgb(${mixed.join()})`;
}

/** What is known of a cell, in words. @param {Path} path @param {number} k */
export function cellFacts(path, k) {
  const tree = path.trees[k];
  const { decisions } = tree.sizes(0);
  let lines = 0;
  for (let node = 0; node < tree.n; node++) lines += Number(tree.nWeights(node) === 2);
  const size = decisions
    ? `${decisions} split${decisions > 1 ? "s" : ""}, ${lines} bivariate, depth ${tree.maxDepth}`
    : "a single leaf";
  return [...errorTexts(path, k), size];
}

/** Lambda of a tree in words, and its C in a grid. @param {Path} path @param {number} k */
export function placeText(path, k) {
  const cost = path.grid ? `, C = ${path.grid.costs[cellOf(path, k).row]}` : "";
  return `λ = ${number(path.lams[k])}${cost}`;
}

/** @type {Record<string, string>} */
const NAMES = { train: "training ", validation: "validation ", test: "test ", folds: "cross-validated " };
const WEIGHTED = "weighted ";

/** What the errors along a path are called. @param {Path} path */
export function errorTitle({ weighted, target }) {
  return (weighted ? WEIGHTED : "") + target.errorTitle;
}

/**
 * What the error over a set of rows is called; `isWeighted`: whether rows count as in training.
 * @param {Path} path @param {string} set
 */
export function setErrorName({ weighted, target }, set, isWeighted = weighted !== null) {
  return (isWeighted ? WEIGHTED : "") + (NAMES[set] ?? "") + target.measure.label;
}

/** What the error is called that recommends trees. @param {Store} store */
export function choosingErrorName({ path, choice }) {
  return setErrorName(path, choice ? "folds" : "validation");
}

/**
 * Error of a tree over the rows of a set as the path was chosen by it; NaN of another tree where errors are weighted.
 * @param {StageTree} tree @param {number} set
 */
export function pathError(tree, set) {
  const { weighted, trees } = tree.path;
  if (!weighted) return tree.sizes(set).error;
  return trees[tree.index] === tree ? weighted[set][tree.index] : NaN;
}

/** The errors of a tree in words, a set each. @param {Path} path @param {number} k */
export function errorTexts(path, k) {
  const texts = path.sets.map(({ name }, s) => `${name} ${path.target.errorText(pathError(path.trees[k], s))}`);
  return path.weighted ? [`${errorTitle(path)}: ${texts.join(", ")}`] : texts;
}
