// Selecting rows in the tree itself: a drag with Shift over a picture, a click with Shift on a node.

import { DETAIL } from "../geometry/detail.js";
import { marksOf } from "./marks.js";
import { select, selected } from "../model/selection.js";

/** The row that the pointer means in a scatterplot that is large enough: as of marks.at, or null. */
export function pointAt(view, node, at) {
  const box = view.boxes?.get(node);
  if (!box || box.w < DETAIL.line || view.before || !view.picture.isScatter(node)) return null;
  return marksOf(view.picture, node, box)?.at(...at) ?? null;
}

/** One drag or click with Shift that begins on a node; it adds to the selection. */
export class TreeBrush {
  constructor(view, node, at) {
    const box = view.boxes.get(node);
    const marks = box.w >= DETAIL.line ? marksOf(view.picture, node, box) : null;
    this.view = view;
    this.tree = view.store.tree;
    this.node = node;
    this.brush = marks && view.brushes.begin(view.canvas, marks, at, true);
  }

  move(at) {
    this.brush?.move(at);
  }

  end(event) {
    const { brush, view } = this;
    const { store, brushes } = view;
    const isOver = brush && brushes.current !== brush; // by Escape
    const moved = brush && !isOver && brush.end();
    if (!moved && !isOver && event.type === "pointerup") {
      const { rows } = this.tree.reaching(store.state.set, this.node);
      select(store, selected(store.path, rows, store.state.selection));
    }
    view.on.moved();
  }
}
