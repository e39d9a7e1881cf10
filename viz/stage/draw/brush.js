// Selecting rows by dragging over a picture: a box or a loop over points, a range of a histogram.

import { inside } from "./marks.js";
import { selected, selectionText } from "../model/selection.js";
import { boxOf, drawShape } from "../geometry/shapes.js";

const CLICK = 4; // pixels that a click may move
const FINEST = 3; // pixels between two corners of a loop

/** One drag over the marks of a picture; the rows inside are selected while it goes on. */
export class Brush {
  /** `marks` of what is on `canvas`, as of marksOf; `adds`: keep what was selected before. */
  constructor(stage, canvas, marks, start, adds) {
    this.stage = stage;
    this.canvas = canvas;
    this.marks = marks;
    this.before = stage.state.selection;
    this.kept = adds ? this.before : null;
    this.trail = [start];
    this.steps = 0;
    this.moved = false;
    stage.brush = this;
  }

  move([x, y]) {
    const { left, top, w, h } = this.marks.area;
    const at = [Math.max(left - 1, Math.min(left + w + 1, x)), Math.max(top - 1, Math.min(top + h + 1, y))];
    const last = this.trail.at(-1);
    if (!this.moved && Math.hypot(x - last[0], y - last[1]) <= CLICK) return;
    this.moved = true;
    this.steps++;
    const { stage } = this;
    const loop = stage.state.loop && this.marks.free;
    if (!loop) this.trail[1] = at;
    else if (Math.hypot(at[0] - last[0], at[1] - last[1]) >= FINEST) this.trail.push(at);
    this.corners = loop ? this.trail : boxOf(this.trail[0], at);
    stage.set({ selection: selected(stage.path, this.marks.rowsIn(this.corners), this.kept) });
    stage.requestDraw(); // the shape has moved, also when it holds no row
  }

  /** Draw the shape, if the drag is over this canvas. */
  drawOn(canvas, context) {
    if (this.moved && canvas === this.canvas) drawShape(context, this.marks.shown(this.corners), this.stage.colors);
  }

  /** The pointer is lifted; returns whether it was a drag. */
  end() {
    this.stage.brush = null;
    if (this.moved) sayWhatIsSelected(this.stage);
    return this.moved;
  }

  cancel() {
    this.stage.brush = null;
    this.stage.set({ selection: this.before });
  }
}

/** Tell screen readers how many rows are selected. */
export function sayWhatIsSelected(stage) {
  const { selection, set } = stage.state;
  stage.say(selection ? selectionText(selection, set) : "No row is selected.");
}

/** Select nothing. */
export function clearSelection(stage) {
  if (!stage.state.selection) return;
  const loses = stage.root.activeElement?.closest?.(".chip, .fates, .selected");
  stage.set({ selection: null });
  const { inspector, tools } = stage;
  const near = stage.isCompact ? tools.menuButton : tools.search;
  if (loses) (stage.state.panel ? inspector.body : near).focus({ preventScroll: true });
  sayWhatIsSelected(stage);
}

/**
 * Lets the pointer point at marks and select them. `on`: {marks(): marks or null, redraw(), point(hit or null, event),
 * click(event, at): of a click that hit no mark}; Shift adds to the selection.
 */
export function listenForBrush(stage, canvas, on) {
  let brush = null;
  const place = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const release = () => {
    brush = null;
    stage.penDown = false;
  };
  canvas.addEventListener("pointerdown", (event) => {
    const at = place(event);
    const marks = on.marks();
    if (event.button !== 0 || !marks || !inside(marks.area, ...at)) return;
    on.point(null, event);
    canvas.setPointerCapture(event.pointerId);
    stage.penDown = true; // the inspector must not replace this canvas meanwhile
    brush = new Brush(stage, canvas, marks, at, event.shiftKey);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (brush && stage.brush === brush) return brush.move(place(event));
    const marks = brush ? null : on.marks();
    return on.point(marks && inside(marks.area, ...place(event)) ? marks.at(...place(event)) : null, event);
  });
  canvas.addEventListener("pointerup", (event) => {
    if (!brush) return;
    const own = brush;
    release();
    if (stage.brush !== own) return stage.soon();
    if (!own.end()) on.click(event, place(event), own.marks);
    on.redraw();
    stage.soon();
  });
  canvas.addEventListener("pointercancel", () => {
    if (!brush) return;
    brush.cancel();
    release();
    stage.soon();
  });
  canvas.addEventListener("pointerleave", (event) => !brush && on.point(null, event));
}
