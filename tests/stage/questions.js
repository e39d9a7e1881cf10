// Questions of the Python tests about a decoded path.

import { leafTerms } from "../../viz/stage/draw/linear_leaf.js";
import { answersOf, regionsOf } from "../../viz/stage/geometry/regions.js";
import { tidy } from "../../viz/stage/geometry/places.js";
import { balanceOffset, cutToLeaf, flipLeaf, moveSplit, splitLeaf } from "../../viz/stage/model/edit_changes.js";
import { lastId, lock } from "../../viz/stage/model/edit_operations.js";
import { documentOf, Drafts, objectiveOf, rowsMoved, treeOf } from "../../viz/stage/model/edited_tree.js";
import * as conditions from "../../viz/stage/model/condition.js";
import { changeWords as wordsOf } from "../../viz/stage/panels/change_words.js";
import { Store } from "../../viz/stage/model/store.js";
import { carriedOver, selected } from "../../viz/stage/model/selection.js";
import { writtenValue } from "../../viz/stage/model/followed_row.js";
import { valuesOfRow } from "../../viz/stage/model/tree.js";

/** Return the leaf of every sampled row, indexed by tree, set and row. */
export function routes(path) {
  return path.trees.map((tree) =>
    path.sets.map((_, set) => Array.from(tree.route(set).leaf).filter((leaf) => leaf >= 0)),
  );
}

/** Return the arrays of every tree. A set has its own counts and losses. */
export function arrays(path) {
  const names = "left right origin label value bias missingRight kind start feature weight digits".split(" ");
  const list = (values) => values && Array.from(values);
  return path.trees.map((tree) => ({
    ...Object.fromEntries(names.map((name) => [name, list(tree[name])])),
    leafCounts: tree.leafCounts.map(list),
    leafLosses: tree.leafLosses?.every(Boolean) ? tree.leafLosses.map(list) : null,
  }));
}

/** Test whether the path of every row ends in its stored leaf. */
export function waysAreRoutes(path) {
  return path.trees.every((tree) =>
    path.sample.rows.every(
      (_, row) => tree.way(valuesOfRow(path, row)).at(-1).node === tree.route(path.sample.set[row]).leaf[row],
    ),
  );
}

/** Return [row numbers, margins] of the first set at a node. */
export function margins(path, k, node) {
  const reaching = path.trees[k].reaching(0, node);
  return [Array.from(reaching.rows, (row) => path.sample.rows[row]), Array.from(reaching.margins)];
}

/** Return the text of every split (null for leaves) by tree and node. `kind` is "condition" or "exactCondition". */
export function texts(path, kind, ...more) {
  return path.trees.map((tree) =>
    Array.from(tree.left.keys(), (node) => (tree.isLeaf(node) ? null : conditions[kind](tree, node, ...more))),
  );
}

export function threshold(_, weight, bias) {
  return conditions.threshold(weight, bias);
}

/**
 * Set values of one feature in the first row of the sample. For each value, return its text, and whether the text keeps
 * the row in its leaf.
 */
export function writtenValues(path, k, feature, values, digits) {
  const row = Float64Array.from(valuesOfRow(path, 0));
  const leafWith = (value) => path.trees[k].leafOf(row.with(feature, value));
  return values.map((value) => {
    const text = writtenValue(path.trees[k], row.with(feature, value), feature, digits);
    return [text, leafWith(text) === leafWith(value)];
  });
}

/** Return [x of every node, slots] of every tree, in the compact layout. */
export function places(path) {
  return path.trees.map((tree) => {
    const { x, nSlots } = tidy(0, (node) => tree.children(node));
    return [Array.from({ length: tree.n }, (_, node) => x.get(node)), nSlots];
  });
}

/** Return {polygons, cuts} of every tree, over the whole plane. */
export function regions(path) {
  return path.trees.map((tree) => regionsOf(tree, path.low, path.high));
}

/** Return a recorded run, step by step, with the row numbers of the data. */
export function recording(path) {
  return path.recording.steps.map((step) => ({
    ...step,
    skipped: Object.fromEntries(step.skipped),
    most: step.most?.origin,
    nodes: step.nodes.map((node) => ({
      ...node,
      rows: Array.from(node.rows, (row) => path.sample.rows[row]),
      sides: Array.from(node.sides),
      weights: Array.from(node.weights),
    })),
  }));
}

/** Select rows of a path, and transfer the selection to a path with the same rows in another order. */
export function carried(path, numbers) {
  const { sample } = path;
  const order = Array.from(sample.rows.keys()).reverse();
  const turned = (values) => order.map((row) => values[row]);
  const other = { ...path, sample: { ...sample, rows: turned(sample.rows), set: turned(sample.set) } };
  const rows = Array.from(sample.rows.keys()).filter((row) => numbers.includes(sample.rows[row]));
  const found = carriedOver(selected(path, rows), other);
  return found.rows.map((row) => other.sample.rows[row]);
}

/** Return the balanced training error of every tree, null for regression. */
export function balancedErrors(path) {
  return path.trees.map((tree) => path.target.balancedError(tree, 0));
}

/** Apply edits [kind, origin, ...more] in sequence. Return the tree after each edit. */
export function edited(path, edits) {
  let document = documentOf(path.trees[0], new Set());
  return edits.map(([kind, origin, ...more]) => {
    const before = treeOf(path, document);
    const node = before.nodeOf.get(origin);
    const changes = {
      none: () => document,
      move: (bias) => moveSplit(before, document, node, { ...before.split(node), bias }, "").document,
      drag: (bias) => {
        const drafts = new Drafts(before);
        drafts.with(node, { ...before.split(node), bias: 2 * bias });
        const draft = drafts.with(node, { ...before.split(node), bias });
        const moved = moveSplit(before, document, node, { ...before.split(node), bias }, "").document;
        if (String(draft.value) !== String(treeOf(path, moved).value)) throw new Error("A draft is another tree.");
        return moved;
      },
      split: () => splitLeaf(before, document, node, lastId(document)).document,
      predict: (label) => flipLeaf(before, document, node, label).document,
      cut: () => cutToLeaf(before, document, node).document,
      lock: (isLocked) => lock(document, new Set([origin]), isLocked, before),
      balance: () => balanceOffset(before, document, node).document,
    };
    document = changes[kind](...more);
    const after = treeOf(path, document);
    return {
      document,
      values: Object.fromEntries(Array.from(after.origin, (id, i) => [id, after.value[i]])),
      error: path.target.misfit(after, 0, 0),
      objective: objectiveOf(after),
      moved: rowsMoved(before, after, 0).rows.length,
    };
  });
}

/** Return the predictions of sampled rows, by row and by values, and the drawn terms and words of a tree's linear
 * leaves. */
export function linearLeaves(path, k = 0) {
  const tree = path.trees[k];
  const { leaf } = tree.route(0);
  const rows = Array.from(path.sample.rows.keys());
  return {
    rows: Array.from(path.sample.rows),
    told: rows.map((row) => tree.predicted(leaf[row], row)),
    alone: rows.map((row) => tree.predicted(leaf[row], valuesOfRow(path, row))),
    wrong: rows.map((row) => path.target.isWrong(tree, leaf[row], row)),
    terms: Array.from(tree.left.keys(), (node) => leafTerms(path, tree, node)),
    words: Array.from(tree.left.keys(), (node) => path.target.answer(tree, node)),
    losses: Array.from(tree.figures(0).losses),
    sizes: tree.sizes(0),
    groups: [...tree.visibleGroups()].sort((a, b) => a - b),
  };
}

/** Return the parts with the same prediction in the region of each leaf. */
export function answers(path) {
  const { polygons } = regionsOf(path.trees[0], path.low, path.high);
  return polygons.map((corners, node) => (path.trees[0].isLeaf(node) ? answersOf(path.trees[0], node, corners) : []));
}

/** Return the sentences about the changes from one tree to another. */
export function changeWords(path, before, after) {
  const store = new Store();
  store.set({ path, k: after });
  return wordsOf(store, path.trees[before]);
}
