// Handles pointer actions on the canvas of the tree.

import { kindOf } from "../model/node_kinds.js";
import { CLICK } from "./brush.js";
import { marksOf } from "./node_pictures.js";
import { focusedBeside, isInScroller, placeIn } from "../elements/dom.js";
import { select, selected } from "../model/selection.js";

/** Listen to pan, zoom, hover, click and drag on the canvas of a TreeView. @param {TreeView} view */
export function listenToView(view) {
  const { canvas } = view;
  /** @param {MouseEvent} event */
  const at = (event) => placeIn(canvas, event);
  /** @type {{start: Pair, last: Pair, moved: boolean, brush: TreeBrush | null} | null} */
  let drag = null;
  /** @type {Known<number, Pair>} */
  const pointers = new Map();
  canvas.addEventListener("pointerdown", (event) => {
    view.brushes.cancel(); // A second finger touches the canvas.
    pointers.set(event.pointerId, at(event));
    drag = { start: at(event), last: at(event), moved: false, brush: null };
    view.on.point(null, null, event);
    const node = event.shiftKey && pointers.size === 1 ? view.nodeAt(...at(event)) : null;
    if (node !== null) drag.brush = new TreeBrush(view, node, at(event));
    canvas.setPointerCapture(event.pointerId);
    view.on.press();
  });
  canvas.addEventListener("pointermove", (event) => {
    const here = at(event);
    if (!pointers.has(event.pointerId)) {
      const node = view.nodeAt(...here);
      const hit = pointAt(view, node, here);
      view.on.point(hit, node, event);
      view.on.hover(node, hit ? null : here);
      return;
    }
    if (!drag) return;
    if (drag.brush) return drag.brush.move(here);
    if (pointers.size === 2) {
      const other = [...pointers].filter(([id]) => id !== event.pointerId)[0][1];
      const own = pointers.get(event.pointerId);
      const was = Math.hypot(own[0] - other[0], own[1] - other[1]);
      const is = Math.hypot(here[0] - other[0], here[1] - other[1]);
      view.camera.zoomAt(
        (here[0] + other[0]) / 2,
        (here[1] + other[1]) / 2,
        is / Math.max(was, 1),
        view.width,
        view.height,
      );
      drag.moved = true;
    } else {
      if (Math.hypot(here[0] - drag.start[0], here[1] - drag.start[1]) > CLICK) drag.moved = true;
      // A finger scrolls the page if the whole tree is in view.
      const scrolls = event.pointerType === "touch" && view.camera.isWhole;
      if (drag.moved && !scrolls)
        view.camera.pan(here[0] - drag.last[0], here[1] - drag.last[1], view.width, view.height);
    }
    drag.last = here;
    pointers.set(event.pointerId, here);
    if (drag.moved) view.on.moved();
  });
  /** @param {PointerEvent} event */
  const up = (event) => {
    pointers.delete(event.pointerId);
    if (drag?.brush) drag.brush.end(event);
    else if (drag && !drag.moved && event.type === "pointerup") {
      const folded = view.foldedAt(...at(event));
      if (folded === null) view.on.select(view.nodeAt(...at(event)));
      else view.on.open(folded);
    }
    if (!pointers.size) drag = null;
  };
  canvas.addEventListener("pointerup", up);
  canvas.addEventListener("pointercancel", up);
  canvas.addEventListener("pointerleave", (event) => {
    view.on.point(null, null, event);
    view.on.hover(null);
  });
  canvas.addEventListener("dblclick", (event) => {
    const node = view.nodeAt(...at(event));
    if (node !== null) view.on.toggle(node);
  });
  canvas.addEventListener(
    "wheel",
    (event) => {
      const focused = focusedBeside(canvas) ?? document.body; // the focused element in the shadow tree of the stage
      const isMeant = event.ctrlKey || event.metaKey || focused !== document.body;
      if (!isMeant && isInScroller(canvas)) return; // The wheel scrolls the page.
      event.preventDefault();
      const step = event.deltaMode === 1 ? 30 : 1;
      view.camera.zoomAt(...at(event), Math.exp(-event.deltaY * step * 0.0018), view.width, view.height);
      view.on.moved();
    },
    { passive: false },
  );
}

/**
 * Return the row under the pointer if the scatterplot is large enough, as marks.at does, or null.
 * @param {TreeView} view @param {number | null} node @param {Pair} at
 */
function pointAt(view, node, at) {
  const box = node === null ? undefined : view.boxes?.get(node);
  if (
    node === null ||
    !box ||
    box.w < view.picture.looks.detail.line ||
    view.before ||
    kindOf(view.store.tree, node).handles !== "line"
  )
    return null;
  return marksOf(view.picture, node, box)?.at(...at) ?? null;
}

/** Drag or click with Shift that begins on a node and adds to the selection. */
class TreeBrush {
  /** @param {TreeView} view @param {number} node @param {Pair} at */
  constructor(view, node, at) {
    const box = view.boxes.get(node);
    const marks = box.w >= view.picture.looks.detail.line ? marksOf(view.picture, node, box) : null;
    this.view = view;
    this.tree = view.store.tree;
    this.node = node;
    this.brush = marks && view.brushes.begin(view.canvas, marks, at, true);
  }

  /** @param {Pair} at */
  move(at) {
    this.brush?.move(at);
  }

  /** @param {PointerEvent} event */
  end(event) {
    const { brush, view } = this;
    const { store, brushes } = view;
    const isOver = brush && brushes.current !== brush; // Escape has cancelled the drag.
    const moved = brush && !isOver && brush.end();
    if (!moved && !isOver && event.type === "pointerup") {
      const { rows } = this.tree.reaching(store.state.set, this.node);
      select(store, selected(store.path, rows, store.state.selection));
    }
    view.on.moved();
  }
}
