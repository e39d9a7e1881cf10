// Sentences about the differences between two trees of a path: rows, splits and leaves.

import { changeOfTree, nodeChange } from "../model/comparison.js";
import { condition } from "../model/condition.js";
import { capital, count, counted, setWord } from "../model/number_text.js";
import { nodeName, rowsOfSet } from "../model/tree.js";

const MOST_LEAVES = 4; // maximum number of leaves that a sentence lists

/** @typedef {{text: string, origin: number | null, isOld: boolean}} ChangeWord */

/**
 * Return sentences about the changes from a tree to the displayed tree, the ones that affect most rows first. `origin`:
 * node of the sentence, or null; `isOld`: whether only the first tree has this node.
 * @param {Store} store @param {StageTree} before @returns {ChangeWord[]}
 */
export function changeWords(store, before) {
  const { tree: after, state } = store;
  return after.once(`change words ${before.index} ${state.set}`, () => {
    const removed = gone(before, after, state.set);
    const merged = new Set(removed.map(({ origin }) => origin));
    const kept = inBoth(before, after, state.set).filter(({ origin }) => !merged.has(origin));
    const found = [...kept, ...removed, ...fresh(before, after, state.set)];
    found.sort((a, b) => b.rows - a.rows);
    const nodes = found.map(({ text, origin, isOld }) => ({ text, origin, isOld }));
    return [{ text: rowsText(store, before), origin: null, isOld: false }, ...nodes];
  });
}

/** Return the sentence about test rows with another prediction. @param {Store} store @param {StageTree} before */
function rowsText(store, before) {
  const { path, tree } = store;
  const { target, sets } = path;
  const { edges, nouns } = target;
  const last = sets.length - 1;
  const rows = rowsOfSet(path, last);
  const [from, to] = [before, tree].map((one) => one.route(last).leaf);
  let moved = 0;
  for (const row of rows) moved += Number(before.predicted(from[row], row) !== tree.predicted(to[row], row));
  const set = sets[last];
  const part = set.n > rows.length ? "sampled " : "";
  const what = edges === null ? "class" : "prediction";
  const all = `${count(rows.length)} ${part}${setWord(set)} rows`;
  if (!moved) return `All ${all} keep their ${what}.`;
  const { corrected, broken } = changeOfTree(store, before, last);
  const verb = moved === 1 ? "gets" : "get";
  const are = [corrected && `${count(corrected)} now ${nouns.right}`, broken && `${count(broken)} now ${nouns.wrong}`];
  const end = are.filter(Boolean).join(", ");
  return `${count(moved)} of ${all} ${verb} another ${what}${end && `: ${end}`}.`;
}

/** @typedef {ChangeWord & {rows: number}} Found */

/**
 * Return the changes at nodes of both trees.
 * @param {StageTree} before @param {StageTree} after @param {number} set @returns {Found[]}
 */
function inBoth(before, after, set) {
  /** @type {Found[]} */
  const found = [];
  const { n } = after.figures(set);
  for (let node = 0; node < after.n; node++) {
    const was = before.nodeOf.get(after.origin[node]);
    if (was === undefined) continue;
    const text =
      before.isLeaf(was) && after.isLeaf(node)
        ? answerText(before, after, was, node)
        : before.isLeaf(was)
          ? grownText(before, after, was, node)
          : after.isLeaf(node)
            ? mergedText(before, after, was, node)
            : splitText(before, after, was, node, set);
    if (text) found.push({ text, origin: after.origin[node], isOld: false, rows: n[node] });
  }
  return found;
}

/** @param {StageTree} before @param {StageTree} after @param {number} was @param {number} node */
function answerText(before, after, was, node) {
  const { target } = after.path;
  const [old, now] = [target.answer(before, was), target.answer(after, node)];
  return old === now ? null : `${both(before, after, was, node)}: was ${old}, now ${now}.`;
}

/**
 * Return the sentence about a subtree that became a leaf.
 * @param {StageTree} before @param {StageTree} after @param {number} top @param {number} leaf
 */
function mergedText(before, after, top, leaf) {
  return `${capital(leavesBelow(before, top))} became one leaf (${after.path.target.answer(after, leaf)}).`;
}

/**
 * Return the sentence about a leaf that became a subtree.
 * @param {StageTree} before @param {StageTree} after @param {number} leaf @param {number} top
 */
function grownText(before, after, leaf, top) {
  return `${named(before, leaf)} became ${leavesBelow(after, top)} (${shortName(after, top)}: ${condition(after, top)}).`;
}

/** Return the leaves below a decision node as text: "leaves 7 and 8". @param {StageTree} tree @param {number} top */
function leavesBelow(tree, top) {
  const leaves = below(tree, top).filter((one) => tree.isLeaf(one));
  const numbers = leaves.map((one) => shortName(tree, one).replace(/.* /, ""));
  const end = numbers[numbers.length - 1];
  if (numbers.length > MOST_LEAVES) return `leaves ${numbers[0]} to ${end}`;
  return `leaves ${numbers.slice(0, -1).join(", ")} and ${end}`;
}

/**
 * Return the sentence about a split that changed, or null.
 * @param {StageTree} before @param {StageTree} after @param {number} was @param {number} node @param {number} set
 */
function splitText(before, after, was, node, set) {
  const { gone, fresh, moved } = nodeChange(before, after, node, set);
  const [old, now] = [condition(before, was), condition(after, node)];
  if (!gone && !fresh && !moved) return null;
  const name = both(before, after, was, node);
  const sides = moved ? `${counted(moved, "row")} ${moved === 1 ? "changes" : "change"} sides` : "no row changes sides";
  const isLong = Math.max(before.nWeights(was), after.nWeights(node)) > 2;
  if (!isLong) return old === now ? `${name}: ${sides}.` : `${name}: was ${old}, now ${now}.`;
  const noun = after.path.imageShape ? "pixel" : "feature";
  const parts = [gone && `${counted(gone, noun)} removed`, fresh && `${counted(fresh, noun)} added`].filter(Boolean);
  return `${name}: ${parts.length ? `${parts.join(", ")}; ` : "other weights; "}${sides}.`;
}

/**
 * Return the changes at nodes that only the first tree has.
 * @param {StageTree} before @param {StageTree} after @param {number} set @returns {Found[]}
 */
function gone(before, after, set) {
  const { n } = before.figures(set);
  return only(before, after).map(({ node, leaf }) => {
    const here = leaf === null ? undefined : after.nodeOf.get(before.origin[leaf]);
    const [text, origin] =
      here === undefined
        ? [`${named(before, node)} was removed: ${contents(before, node)}.`, before.origin[node]]
        : [mergedText(before, after, node, here), after.origin[here]];
    return { text, origin, isOld: here === undefined, rows: n[node] };
  });
}

/**
 * Return the changes at nodes that only the second tree has.
 * @param {StageTree} before @param {StageTree} after @param {number} set @returns {Found[]}
 */
function fresh(before, after, set) {
  const { n } = after.figures(set);
  return only(after, before).map(({ node, leaf }) => {
    const there = leaf === null ? undefined : before.nodeOf.get(after.origin[leaf]);
    const text =
      there === undefined
        ? `${named(after, node)} is new: ${contents(after, node)}.`
        : grownText(before, after, there, node);
    return { text, origin: after.origin[node], isOld: false, rows: n[node] };
  });
}

/** Return the condition of a decision node, or the prediction of a leaf. @param {StageTree} tree @param {number} node */
function contents(tree, node) {
  return tree.isLeaf(node) ? tree.path.target.answer(tree, node) : condition(tree, node);
}

/**
 * Return the nodes that another tree does not have. `leaf`: the only node of the subtree that the other tree has, if it
 * is a leaf of both; nodes below are then left out. So are nodes below a leaf of the other tree, and nodes whose
 * subtree disappeared together with their parent.
 * @param {StageTree} tree @param {StageTree} other @returns {{node: number, leaf: number | null}[]}
 */
function only(tree, other) {
  const covered = new Uint8Array(tree.n);
  /** @type {{node: number, leaf: number | null}[]} */
  const found = [];
  for (let node = 0; node < tree.n; node++) {
    const parent = tree.parent[node];
    const there = other.nodeOf.get(tree.origin[node]);
    if (parent >= 0) covered[node] = covered[parent];
    if (there !== undefined && other.isLeaf(there)) covered[node] = 1;
    if (there !== undefined || covered[node]) continue;
    const kept = below(tree, node).filter((one) => other.nodeOf.has(tree.origin[one]));
    const [only] = kept;
    const isMerged = kept.length === 1 && tree.isLeaf(only) && other.isLeaf(other.nodeOf.get(tree.origin[only]) ?? 0);
    covered[node] = Number(isMerged || !kept.length);
    const hasParent = parent < 0 || other.nodeOf.has(tree.origin[parent]);
    if (isMerged || kept.length || hasParent) found.push({ node, leaf: isMerged ? only : null });
  }
  return found;
}

/** Return a node and all nodes below it, from left to right. @param {StageTree} tree @param {number} top */
function below(tree, top) {
  const found = [];
  const stack = [top];
  for (let node; (node = stack.pop()) !== undefined;) {
    found.push(node);
    stack.push(...tree.children(node).toReversed());
  }
  return found;
}

/** @param {StageTree} tree @param {number} node */
function shortName(tree, node) {
  return nodeName(tree, node).replace(/ of .*/, "");
}

/** @param {StageTree} tree @param {number} node */
function named(tree, node) {
  return capital(shortName(tree, node));
}

/**
 * Return the name of a node of both trees, with its number in the first tree if this number differs.
 * @param {StageTree} before @param {StageTree} after @param {number} was @param {number} node
 */
function both(before, after, was, node) {
  const [old, now] = [shortName(before, was), shortName(after, node)];
  return old === now ? capital(now) : `${capital(now)} (was ${old})`;
}
