// Selects rows by dragging over a plot: a box or a lasso around points, or a range of a histogram.

import { inside } from "./marks.js";
import { placeIn } from "../elements/dom.js";
import { announceSelection, selected } from "../model/selection.js";
import { boxOf } from "../geometry/shapes.js";

export const CLICK = 4; // maximum pixels that the pointer moves during a click
const FINEST = 3; // minimum pixels between two corners of a lasso

/** Handles drags over the plots of a stage. `current` is the active drag, or null. `draw()` redraws the plots. */
export class Brushes {
  /** @param {Store} store @param {() => void} draw */
  constructor(store, draw) {
    this.store = store;
    this.draw = draw;
    /** @type {Brush | null} */
    this.current = null;
  }

  /**
   * Begin a drag. `marks`: those of the plot on `canvas`, see marksOf. `adds`: whether to keep the previous selection.
   * @param {HTMLCanvasElement} canvas @param {Marks} marks @param {Pair} start @param {boolean} adds
   */
  begin(canvas, marks, start, adds) {
    this.current = new Brush(this, canvas, marks, start, adds);
    return this.current;
  }

  cancel() {
    this.current?.cancel();
  }

  /** Draw the shape if the drag is over this canvas. @param {HTMLCanvasElement} canvas @param {Context} context */
  drawOn(canvas, context) {
    this.current?.drawOn(canvas, context);
  }

  /** Return a number that changes during a drag over a canvas, 0 without a drag. @param {HTMLCanvasElement} canvas */
  stepsOn(canvas) {
    return this.current?.canvas === canvas ? this.current.steps : 0;
  }

  /**
   * Listen to the pointer over a canvas. It highlights and selects marks. With Shift, it adds to the selection.
   * `on`: {marks(): marks or null, redraw(), point(hit or null, event), click(event, at): called for a click that hits
   * no mark}.
   * @param {HTMLCanvasElement} canvas
   * @param {{marks(): Marks | null, redraw(): void, point(hit: Hit | null, event: PointerEvent): void, click(event: PointerEvent, at: Pair, marks: Marks): void}} on
   */
  listen(canvas, on) {
    /** @type {Brush | null} */
    let brush = null;
    /** @param {MouseEvent} event */
    const place = (event) => placeIn(canvas, event);
    const release = () => {
      brush = null;
      this.store.set({ penDown: false });
    };
    canvas.addEventListener("pointerdown", (event) => {
      const at = place(event);
      const marks = on.marks();
      if (event.button !== 0 || !marks || !inside(marks.area, ...at)) return;
      on.point(null, event);
      canvas.setPointerCapture(event.pointerId);
      this.store.set({ penDown: true });
      brush = this.begin(canvas, marks, at, event.shiftKey);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (brush && this.current === brush) return brush.move(place(event));
      const marks = brush ? null : on.marks();
      return on.point(marks && inside(marks.area, ...place(event)) ? marks.at(...place(event)) : null, event);
    });
    canvas.addEventListener("pointerup", (event) => {
      if (!brush) return;
      const own = brush;
      release();
      if (this.current !== own) return;
      if (!own.end()) on.click(event, place(event), own.marks);
      on.redraw();
    });
    canvas.addEventListener("pointercancel", () => {
      if (!brush) return;
      brush.cancel();
      release();
    });
    canvas.addEventListener("pointerleave", (event) => !brush && on.point(null, event));
  }
}

/** Drag over the marks of a plot. It selects the rows inside while it moves. */
export class Brush {
  /**
   * @param {Brushes} brushes @param {HTMLCanvasElement} canvas @param {Marks} marks @param {Pair} start
   * @param {boolean} adds
   */
  constructor(brushes, canvas, marks, start, adds) {
    this.brushes = brushes;
    this.store = brushes.store;
    this.canvas = canvas;
    this.marks = marks;
    this.before = this.store.state.selection;
    this.kept = adds ? this.before : null;
    this.trail = [start];
    this.steps = 0;
    this.moved = false;
  }

  /** @param {Pair} pair */
  move([x, y]) {
    const { left, top, w, h } = this.marks.area;
    /** @type {Pair} */
    const at = [Math.max(left - 1, Math.min(left + w + 1, x)), Math.max(top - 1, Math.min(top + h + 1, y))];
    const last = this.trail[this.trail.length - 1];
    if (!this.moved && Math.hypot(x - last[0], y - last[1]) <= CLICK) return;
    this.moved = true;
    this.steps++;
    const { store, marks } = this;
    const loop = store.state.loop && marks.free;
    if (!loop) this.trail[1] = at;
    else if (Math.hypot(at[0] - last[0], at[1] - last[1]) >= FINEST) this.trail.push(at);
    this.corners = loop ? this.trail : boxOf(this.trail[0], at);
    store.set({ selection: selected(store.path, marks.rowsIn(this.corners), this.kept) });
    this.brushes.draw(); // The shape has moved even if it contains no rows.
  }

  /** @param {HTMLCanvasElement} canvas @param {Context} context */
  drawOn(canvas, context) {
    if (this.moved && canvas === this.canvas) drawShape(context, this.marks.shown(this.corners), this.store.colors);
  }

  /** End the drag; return whether the pointer moved far enough for a drag. */
  end() {
    this.brushes.current = null;
    if (this.moved) announceSelection(this.store);
    return this.moved;
  }

  cancel() {
    this.brushes.current = null;
    this.store.set({ selection: this.before });
  }
}

/** Draw the outline of the selection shape. @param {Context} context @param {Corners} corners @param {Colors} colors */
function drawShape(context, corners, colors) {
  if (corners.length < 2) return;
  context.save();
  context.beginPath();
  for (const [x, y] of corners) context.lineTo(x, y);
  context.closePath();
  context.fillStyle = colors.theme.tint;
  context.fill();
  context.strokeStyle = colors.theme.accent;
  context.lineWidth = 1.5;
  context.stroke();
  context.restore();
}
