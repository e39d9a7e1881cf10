// What a stage shows of a path when it opens.

import { carriedOver } from "./selection.js";
import { Sprites } from "../draw/sprites.js";

const CROWDED = 60; // nodes from which the places of the whole path leave too little room for a small tree
const KEEPING = 0.6; // share of the nodes of the path that a tree has, so that keeping their places leaves it room

/** Put a path on the stage; `initial`: {tree: index, node: origin id, fresh}. Another data set begins afresh. */
export function open(stage, path, initial) {
  const before = stage.path;
  stage.brush = stage.plot = stage.selectedTable = null;
  stage.pointCard.close();
  stage.path = path;
  stage.sprites = new Sprites(path);
  const last = path.trees.length - 1;
  const fresh = initial.fresh || before?.name !== path.name || before.nFeatures !== path.nFeatures;
  const k = Math.max(
    0,
    Math.min(
      last,
      (stage.recorder.paint.hasPainted ? null : initial.tree) ??
        (path.recording ? stepToOpen(before, stage, path, fresh) : usualTree(stage, path, fresh)),
    ),
  );
  Object.assign(stage.state, {
    k,
    found: null,
    feature: null,
    row: null,
    whatIf: null,
    selection: fresh ? null : carriedOver(stage.state.selection, path),
    point: null,
    pinned: null,
    hover: null,
    set: Math.min(stage.state.set, path.sets.length - 1),
  });
  if (fresh) {
    const crowded = path.places.origin.length > CROWDED;
    Object.assign(stage.state, {
      node: null,
      focus: null,
      collapsed: new Set(),
      chosenClass: null,
      support: "auto",
      overview: "auto",
      levels: "auto",
      plane: "auto",
      layout: path.recording
        ? "keep"
        : crowded || path.trees[k].n < KEEPING * path.places.origin.length
          ? "compact"
          : "keep",
    });
    stage.wasLarge = false;
    stage.view.camera.fit();
    stage.view.shown.clear();
    stage.drawing = null;
  }
  if (initial.node !== undefined && initial.node !== null) stage.state.node = initial.node;
}

function usualTree({ state }, path, fresh) {
  return path.recommended.one_se ?? (fresh ? Math.floor((path.trees.length - 1) / 2) : state.k);
}

/** A new run begins at its beginning; one whose data were painted stays at its step, or at its end. */
function stepToOpen(before, { state, recorder }, path, fresh) {
  const last = path.trees.length - 1;
  if (recorder.paint.hasPainted) return before === undefined || state.k === before.trees.length - 1 ? last : state.k;
  return fresh ? 0 : state.k;
}
