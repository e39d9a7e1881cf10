// Draws a line across the region of a leaf in the plane, which splits the leaf. The leaf is the requested one, or any
// leaf if lines are the only edits.

import { h, placeIn } from "../elements/dom.js";
import { valuesAt } from "../draw/scatter.js";
import { splitThrough } from "../geometry/split_geometry.js";
import { count } from "../model/number_text.js";
import { nodeName } from "../model/tree.js";

const SHORTEST = 12; // in pixels
const NEAR = 16; // maximum pixels between the pointer and a line that it hits

export class LineDrawing {
  /** @param {Editor} editor @param {Pick<Plane, "element" | "canvas" | "regions">} plane */
  constructor(editor, plane) {
    this.editor = editor;
    this.store = editor.store;
    this.plane = plane;
    /** @type {PlaneFrame | null} frame in which the plane was last drawn */
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
          if (!this.isOn && !this.isFree) return;
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

  /** Whether lines are the only edits, so that the user can always draw one. */
  get isFree() {
    return this.editor.isOn && this.store.path?.edit?.lines !== undefined;
  }

  /** @param {number} origin */
  start(origin) {
    this.origin = origin;
    const { store } = this;
    this.plane.element.classList.add("drawing");
    this.hint.hidden = false;
    this.hint.textContent = `Draw a line across the region of ${nodeName(store.tree, store.tree.nodeOf.get(origin) ?? 0)}. Press Esc to cancel.`;
    if (!store.hasPlane) store.set({ plane: true });
    this.editor.on.draw();
  }

  /** Stop without redrawing, because the store may have a new path. */
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
    const { ends, origin, store, frame, isFree } = this;
    this.ends = null;
    this.cancel();
    if (!ends || !frame) return;
    const [[x0, y0], [x1, y1]] = ends;
    const length = Math.hypot(x1 - x0, y1 - y0);
    const middle = /** @type {Pair} */ ([(x0 + x1) / 2, (y0 + y1) / 2]);
    if (isFree && length < SHORTEST) return this.select(this.meant(frame, middle));
    const { edit } = /** @type {Path} */ (store.path);
    if (edit?.lines !== undefined && store.tree.sizes(0).leaves > edit.lines)
      return this.editor.refuse(
        `At most ${count(edit.lines)} ${edit.lines === 1 ? "line" : "lines"}. Move or remove a line.`,
      );
    const node = isFree ? store.tree.leafOf(valuesAt(frame, middle)) : store.tree.nodeOf.get(origin);
    if (length < SHORTEST || node === undefined || !store.tree.isLeaf(node)) return;
    const isSteep = Math.abs(y1 - y0) > Math.abs(x1 - x0);
    /** @type {Pair} */
    const along = edit?.penalty.most !== 1 ? [(y0 - y1) / length, (x1 - x0) / length] : isSteep ? [1, 0] : [0, 1];
    const { direction, bias } = splitThrough(frame, along, middle);
    const features = [0, 1].filter((j) => direction[j] !== 0);
    const id = store.tree.origin[node];
    this.editor.parts?.panel.split(node, { features, weights: features.map((j) => direction[j]), bias });
    if (isFree) this.select(id);
    return undefined;
  }

  /** @param {number} origin */
  select(origin) {
    this.store.select(origin);
    this.editor.bar.draw();
  }

  /**
   * Return the id of the node whose line is near a position, or of the leaf at the position.
   * @param {PlaneFrame} frame @param {Pair} at
   */
  meant(frame, at) {
    const { tree } = this.store;
    const { cuts } = this.plane.regions;
    /** @param {Corners[number]} corner @returns {Pair} */
    const place = ([x, y]) => [frame.px(x), frame.py(y)];
    const away = cuts.map(([from, to]) => (to ? distance(at, place(from), place(to)) : Infinity));
    const nearest = away.indexOf(Math.min(...away));
    return tree.origin[away[nearest] < NEAR ? nearest : tree.leafOf(valuesAt(frame, at))];
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

/** Return the distance from a point to a line segment. @param {Pair} at @param {Pair} from @param {Pair} to */
function distance([x, y], [x0, y0], [x1, y1]) {
  const [dx, dy] = [x1 - x0, y1 - y0];
  const t = Math.max(0, Math.min(1, ((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(x - x0 - t * dx, y - y0 - t * dy);
}
