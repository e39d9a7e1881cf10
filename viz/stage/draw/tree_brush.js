// Selecting rows in the tree itself: a drag with Shift over a picture, a click with Shift on a node.

import { Brush, sayWhatIsSelected } from "./brush.js";
import { marksOf } from "./marks.js";
import { selected } from "../model/selection.js";

/** The row that the pointer means in a scatterplot that is large enough: as of marks.at, or null. */
export function pointAt(view, node, at) {
  const box = view.boxes?.get(node);
  if (!box || box.w < view.picture.looks.detail.line || view.before || !view.picture.isScatter(node)) return null;
  return marksOf(view.picture, node, box)?.at(...at) ?? null;
}

/** One drag or click with Shift that begins on a node; it adds to the selection. */
export class TreeBrush {
  constructor(view, node, at) {
    const box = view.boxes.get(node);
    const marks = box.w >= view.picture.looks.detail.line ? marksOf(view.picture, node, box) : null;
    this.stage = view.stage;
    this.tree = view.stage.tree;
    this.node = node;
    this.brush = marks && new Brush(view.stage, view.canvas, marks, at, true);
  }

  move(at) {
    this.brush?.move(at);
  }

  end(event) {
    const { stage, brush } = this;
    const isOver = brush && stage.brush !== brush; // by Escape
    const moved = brush && !isOver && brush.end();
    if (!moved && !isOver && event.type === "pointerup") {
      const { rows } = this.tree.reaching(stage.state.set, this.node);
      stage.set({ selection: selected(stage.path, rows, stage.state.selection) });
      sayWhatIsSelected(stage);
    }
    stage.requestDraw();
  }
}
