// A line drawn across the region of a leaf in the plane splits that leaf.

import { h, placeIn } from "../elements/dom.js";
import { splitThrough } from "../geometry/split_geometry.js";
import { nodeName } from "../model/tree.js";

const SHORTEST = 12; // pixels

export class LineDrawing {
  /** @param {Editor} editor @param {Pick<Plane, "element" | "canvas">} plane */
  constructor(editor, plane) {
    this.editor = editor;
    this.store = editor.store;
    this.plane = plane;
    /** @type {PlaneFrame | null} of the plane, as it was drawn last */
    this.frame = null;
    /** @type {number | null} id of the leaf to split */
    this.origin = null;
    /** @type {[Pair, Pair] | null} */
    this.ends = null;
    this.hint = h("p", { class: "drawing-hint", hidden: true, role: "status" });
    plane.element.append(this.hint);
    /** @param {MouseEvent} event */
    const at = (event) => placeIn(plane.canvas, event);
    /** @param {"pointerdown" | "pointermove" | "pointerup" | "pointercancel"} name @param {(event: PointerEvent) => void} act */
    const listen = (name, act) =>
      plane.canvas.addEventListener(
        name,
        (event) => {
          if (!this.isOn) return;
          event.stopImmediatePropagation();
          act(event);
        },
        { capture: true },
      );
    listen("pointerdown", (event) => {
      if (event.button !== 0) return;
      plane.canvas.setPointerCapture(event.pointerId);
      this.ends = [at(event), at(event)];
    });
    listen("pointermove", (event) => {
      if (!this.ends) return;
      this.ends[1] = at(event);
      editor.on.draw();
    });
    listen("pointerup", () => this.ends && this.finish());
    listen("pointercancel", () => this.cancel());
  }

  get isOn() {
    return this.origin !== null;
  }

  /** @param {number} origin */
  start(origin) {
    this.origin = origin;
    const { store } = this;
    this.plane.element.classList.add("drawing");
    this.hint.hidden = false;
    this.hint.textContent = `Draw a line across the region of ${nodeName(store.tree, store.tree.nodeOf.get(origin) ?? 0)}. Esc ends that.`;
    if (!store.hasPlane) store.set({ plane: true });
    this.editor.on.draw();
  }

  /** End it without drawing the store, whose path may be a new one. */
  stop() {
    if (!this.isOn) return;
    this.origin = this.ends = null;
    this.plane.element.classList.remove("drawing");
    this.hint.hidden = true;
  }

  cancel() {
    this.stop();
    this.editor.on.draw();
  }

  finish() {
    const { ends, origin, store, frame } = this;
    this.cancel();
    if (!ends || !frame) return;
    const [[x0, y0], [x1, y1]] = ends;
    const length = Math.hypot(x1 - x0, y1 - y0);
    const node = store.tree.nodeOf.get(origin);
    if (length < SHORTEST || node === undefined || !store.tree.isLeaf(node)) return;
    const { direction, bias } = splitThrough(frame, [(y0 - y1) / length, (x1 - x0) / length], [x0, y0]);
    this.editor.parts?.panel.split(node, { features: [0, 1], weights: direction, bias });
  }

  /** @param {Picture} picture */
  drawOn({ context, colors }) {
    if (!this.ends) return;
    context.beginPath();
    for (const end of this.ends) context.lineTo(...end);
    context.strokeStyle = colors.theme.accent;
    context.lineWidth = 2.5;
    context.stroke();
  }
}
