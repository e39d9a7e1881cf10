// Positions of trees in a grid of lambda and C, row by row. Each row has all lambdas of one C, and a path is a single
// row. The module also returns errors of trees. With class weights, errors are weighted, and their names show this
// (viz/words/error_names.py).

import { counted, number, setWord } from "./number_text.js";

/** @typedef {{row: number, column: number, first: number, last: number}} Cell */

/**
 * Return the cell of the tree with this index: its position, and the first and the last index of its row.
 * @param {Path} path @param {number} k
 */
export function cellOf(path, k) {
  const n = path.grid?.nLams ?? path.trees.length;
  const row = Math.floor(k / n);
  return { row, column: k - row * n, first: row * n, last: Math.min((row + 1) * n, path.trees.length) - 1 };
}

/**
 * Return the index of the tree in a row and a column, or of the nearest existing tree. A grid whose training was
 * stopped lacks the last trees.
 * @param {Path} path @param {number} row @param {number} column
 */
export function indexAt(path, row, column) {
  const n = path.grid?.nLams ?? path.trees.length;
  const rows = Math.ceil(path.trees.length / n);
  const { first, last } = cellOf(path, Math.max(0, Math.min(rows - 1, row)) * n);
  return Math.max(first, Math.min(last, first + column));
}

/**
 * Return the colour at a position on a scale of evenly spaced hex colours.
 * @param {string[]} stops @param {number} share in [0, 1]
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

/** Return the text that describes a cell. @param {Path} path @param {number} k */
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

/** Return the name of the value that the slider changes. @param {Path} path */
export function sweptName({ bySize }) {
  return bySize ? "size" : "λ";
}

/** Return the lambda of a tree as text, in a grid with its C, or its size. @param {Path} path @param {number} k */
export function placeText(path, k) {
  if (path.bySize) return counted(path.trees[k].sizes(0).leaves, "leaf");
  const cost = path.grid ? `, C = ${path.grid.costs[cellOf(path, k).row]}` : "";
  return `λ = ${number(path.lams[k])}${cost}`;
}

/** @type {Record<string, string>} */
const NAMES = { train: "training ", validation: "validation ", test: "test ", folds: "cross-validated " };
const WEIGHTED = "weighted ";

/** Return the label of the errors along a path. @param {Path} path */
export function errorTitle({ weighted, target }) {
  return (weighted ? WEIGHTED : "") + target.errorTitle;
}

/**
 * Return the label of the error on a set. `isWeighted`: whether rows count with their training weights.
 * @param {Path} path @param {string} set
 */
export function setErrorName({ weighted, target }, set, isWeighted = weighted !== null) {
  return (isWeighted ? WEIGHTED : "") + (NAMES[set] ?? "") + target.measure.label;
}

/** Return the label of the error that selects trees. @param {Store} store */
export function choosingErrorName({ path, choice }) {
  return setErrorName(path, choice ? "folds" : "validation");
}

/**
 * Return the error of a tree on a set, weighted as in the selection along the path. With weights, trees outside the
 * path have NaN.
 * @param {StageTree} tree @param {number} set
 */
export function pathError(tree, set) {
  const { weighted, trees } = tree.path;
  if (!weighted) return tree.sizes(set).error;
  return trees[tree.index] === tree ? weighted[set][tree.index] : NaN;
}

/** Return the errors of a tree as texts, one for each set. @param {Path} path @param {number} k */
export function errorTexts(path, k) {
  const texts = path.sets.map((set, s) => `${setWord(set)} ${path.target.errorText(pathError(path.trees[k], s))}`);
  return path.weighted ? [`${errorTitle(path)}: ${texts.join(", ")}`] : texts;
}
