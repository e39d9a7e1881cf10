// Large plot of a node in the inspector. It reports the rows under the pointer, and selects rows.

import { h, sizeCanvas } from "../elements/dom.js";
import { CanvasLabels } from "./labels.js";
import { marksOf } from "./node_pictures.js";
import { Picture } from "./picture.js";
import { select, selected } from "../model/selection.js";

/**
 * Plot of a node. `size`: {width, height, box} in pixels. `drawing`: {look(): as returned by lookOf, layer(name),
 * abovePlot(plot, picture), brushes: Brushes}. `point(hit, node, event)` is called when the pointer is on a mark.
 */
export class Plot {
  /**
   * @param {Store} store @param {Drawing} drawing @param {number} node
   * @param {{width: number, height: number, box: NodeBox}} size @param {string} text
   * @param {(hit: Hit | null, node: number, event: PointerEvent) => void} point
   */
  constructor(store, drawing, node, size, text, point) {
    this.store = store;
    this.drawing = drawing;
    this.node = node;
    this.size = size;
    this.tree = store.tree;
    this.canvas = h("canvas", { class: "plot", role: "img", "aria-label": text, "data-testid": "stage-plot" });
    this.context = sizeCanvas(this.canvas, size.width, size.height);
    this.element = h("div", { class: "plot-holder" }, this.canvas);
    this.measure();
    this.draw();
    if (!this.marks) return;
    this.canvas.classList.add("brushable");
    drawing.brushes.listen(this.canvas, {
      marks: () => (store.tree === this.tree ? this.marks : null),
      redraw: () => this.draw(),
      point: (hit, event) => point(hit, node, event),
      click: (event, at, marks) => clickMarks(store, marks, event, at),
    });
  }

  measure() {
    this.marks = marksOf(this.picture(this.context), this.node, this.size.box);
  }

  /** Show the same node of a tree with other splits. */
  showTree() {
    this.tree = this.store.tree;
    this.measure();
    this.draw();
  }

  /** @param {Context} context */
  picture(context) {
    const text = new CanvasLabels(context, this.store.path.looks.text);
    return new Picture(context, { ...this.drawing.look(), axes: true }, text);
  }

  draw() {
    const { width, height, box } = this.size;
    const context = sizeCanvas(this.canvas, width, height);
    context.clearRect(0, 0, width, height);
    const picture = this.picture(context);
    picture.layer = this.drawing.layer("plot");
    picture.draw(this.node, box);
    this.drawing.abovePlot(this, picture);
    this.drawing.brushes.drawOn(this.canvas, context);
    this.shown = this.situation();
  }

  /** Redraw if the selection, the row under the pointer, or the shape of a drag has changed. */
  follow() {
    if (this.store.tree !== this.tree) return;
    if (this.situation().some((value, i) => value !== this.shown[i])) this.draw();
  }

  situation() {
    const { selection, point } = this.store.state;
    return [selection, point, this.drawing.brushes.stepsOn(this.canvas)];
  }
}

/**
 * Select the row or bin under a click, or clear the selection.
 * @param {Store} store @param {Marks} marks @param {PointerEvent} event @param {Pair} at
 */
export function clickMarks(store, marks, event, at) {
  const hit = marks.at(...at);
  const before = event.shiftKey ? store.state.selection : null;
  select(store, hit?.rows.length ? selected(store.path, hit.rows, before) : before);
}
