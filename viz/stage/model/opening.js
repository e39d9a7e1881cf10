// What a stage shows of a path when it opens.

import { carriedOver } from "./selection.js";

const CROWDED = 60; // nodes from which the places of the whole path leave too little room for a small tree
const KEEPING = 0.6; // share of the nodes of the path that a tree has, so that keeping their places leaves it room

/**
 * What is shown of a path: a patch of the state; `initial`: {tree: index, node: origin id, fresh}.
 * @param {StageState} state @param {Path} path @param {Opening} initial @param {boolean} hasPainted
 */
export function opened(state, path, initial, hasPainted) {
  const before = state.path;
  const last = path.trees.length - 1;
  const fresh = isFresh(before, path, initial);
  const wanted =
    (hasPainted ? null : initial.tree) ??
    (path.recording ? stepToOpen(state, path, fresh, hasPainted) : usualTree(state, path, fresh));
  const k = Math.max(0, Math.min(last, wanted));
  const room = path.places.origin.length;
  const isRoomy = path.recording || (room <= CROWDED && path.trees[k].n >= KEEPING * room);
  return {
    path,
    ...{ edited: null, isDraft: false, before: null, k, isLarge: fresh ? false : state.isLarge, survivors: null },
    ...{ found: null, query: "", feature: null, row: null, whatIf: null, point: null, pinned: null, hover: null },
    selection: fresh ? null : carriedOver(state.selection, path),
    set: Math.min(state.set, path.sets.length - 1),
    ...(fresh ? { node: null, focus: null, collapsed: new Set(), chosenClass: null, support: "auto" } : {}),
    ...(fresh ? { overview: "auto", levels: "auto", plane: "auto", layout: isRoomy ? "keep" : "compact" } : {}),
    ...(initial.node === undefined || initial.node === null ? {} : { node: initial.node }),
  };
}

/**
 * Whether a path is of another data set than the one before, or the page says that it begins afresh.
 * @param {Path | null} before @param {Path} path @param {Opening} initial
 */
export function isFresh(before, path, initial) {
  return Boolean(initial.fresh) || before?.name !== path.name || before.nFeatures !== path.nFeatures;
}

/** @param {StageState} state @param {Path} path @param {boolean} fresh */
function usualTree(state, path, fresh) {
  return path.recommended.one_se ?? (fresh ? Math.floor((path.trees.length - 1) / 2) : state.k);
}

/**
 * A new run begins at its beginning; one whose data were painted stays at its step, or at its end.
 * @param {StageState} state @param {Path} path @param {boolean} fresh @param {boolean} hasPainted
 */
function stepToOpen(state, path, fresh, hasPainted) {
  const { path: before, k } = state;
  if (hasPainted) return before === null || k === before.trees.length - 1 ? path.trees.length - 1 : k;
  return fresh ? 0 : k;
}
