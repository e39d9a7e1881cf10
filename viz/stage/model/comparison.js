// Differences between two trees of the path in nodes, weights and rows.

import { rowsOfSet } from "./tree.js";

/**
 * Return the differences between two trees at one node, or null if no tree is pinned: removed and added weights, and
 * sampled rows that take the other branch.
 * @param {StageTree} before @param {StageTree} after @param {number} node @param {number} set
 */
export function nodeChange(before, after, node, set) {
  const was = before.nodeOf.get(after.origin[node]);
  if (was === undefined) return { isNew: true, gone: 0, fresh: 0, moved: 0 };
  if (after.isLeaf(node) || before.isLeaf(was)) {
    return {
      wasDecision: after.isLeaf(node) && !before.isLeaf(was),
      isNew: false,
      gone: 0,
      fresh: after.isLeaf(node) ? 0 : after.nWeights(node),
      moved: 0,
    };
  }
  const old = new Set(before.split(was).features);
  const now = after.split(node).features;
  let kept = 0;
  for (const j of now) kept += Number(old.has(j));
  const turned = new Map();
  const there = before.reaching(set, was);
  there.rows.forEach((row, p) => turned.set(row, before.goesRight(was, there.margins[p])));
  const here = after.reaching(set, node);
  let moved = 0;
  here.rows.forEach(
    (row, p) => (moved += Number(turned.has(row) && turned.get(row) !== after.goesRight(node, here.margins[p]))),
  );
  return { isNew: false, wasDecision: false, gone: old.size - kept, fresh: now.length - kept, moved };
}

/**
 * Return the differences between two trees: {gone, fresh, pruned: origins; weightsGone, weightsNew: numbers of weights;
 * rerouted, corrected, broken: numbers of rows}.
 * @param {Path} path @param {StageTree} before @param {StageTree} after @param {number} set
 */
function treeChange(path, before, after, set) {
  /** @type {number[][]} */
  const [gone, fresh, pruned] = [[], [], []];
  const change = { gone, fresh, pruned, weightsGone: 0, weightsNew: 0, rerouted: 0, corrected: 0, broken: 0 };
  for (let i = 0; i < before.n; i++) {
    if (after.nodeOf.has(before.origin[i])) continue;
    change.gone.push(before.origin[i]);
    change.weightsGone += before.nWeights(i);
  }
  for (let i = 0; i < after.n; i++) {
    const node = nodeChange(before, after, i, set);
    if (node.isNew) change.fresh.push(after.origin[i]);
    if (node.isNew) change.weightsNew += after.nWeights(i);
    if (node.wasDecision) {
      change.pruned.push(after.origin[i]);
      change.weightsGone += before.nWeights(/** @type {number} */ (before.nodeOf.get(after.origin[i])));
    }
    change.weightsGone += node.gone;
    change.weightsNew += node.fresh;
  }
  const from = before.route(set).leaf,
    to = after.route(set).leaf;
  for (const row of rowsOfSet(path, set)) {
    if (before.origin[from[row]] !== after.origin[to[row]]) change.rerouted++;
    const wasWrong = path.target.isWrong(before, from[row], row),
      isWrong = path.target.isWrong(after, to[row], row);
    change.corrected += Number(wasWrong && !isWrong);
    change.broken += Number(!wasWrong && isWrong);
  }
  return change;
}

/**
 * Return the differences between a tree and the displayed tree on a set, see `treeChange`.
 * @param {Store} store @param {StageTree} before
 */
export function changeOfTree({ path, tree, state }, before, set = state.set) {
  return tree.once(`change ${before.index} ${set}`, () => treeChange(path, before, tree, set));
}

/**
 * Return the differences to mark at a displayed node, or null.
 * @param {Store} store @param {number} node
 */
export function changeOfNode({ tree, marked, state: { set } }, node) {
  if (marked === null || marked === tree) return null;
  return tree.once(`change ${marked.index} ${set} ${node}`, () => nodeChange(marked, tree, node, set));
}

/**
 * Return the error of the other method with at most so many leaves, or null if it is unknown.
 * @param {Reference} reference @param {number} leaves @param {string} set
 */
export function errorAtSize({ sizes = [] }, leaves, set) {
  return sizes.findLast((one) => one.leaves <= leaves)?.errors[set] ?? null;
}

/**
 * Return the number of leaves with which the other method has at most this error, or null if no tree of it has.
 * @param {Reference} reference @param {number} error @param {string} set
 */
export function leavesForError({ sizes = [] }, error, set) {
  const isAsGood = (/** @type {number | null | undefined} */ other) => (other ?? Infinity) <= error + SAME * error;
  return sizes.find((one) => isAsGood(one.errors[set]))?.leaves ?? null;
}

const SAME = 1e-9; // share of an error; smaller differences are rounding
