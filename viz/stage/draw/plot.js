// The big picture of a node in the inspector: shows what is below the pointer, and selects rows.

import { listenForBrush, sayWhatIsSelected } from "./brush.js";
import { h, sized } from "../elements/dom.js";
import { CanvasLabels } from "./labels.js";
import { marksOf } from "./marks.js";
import { Picture } from "./picture.js";
import { selected } from "../model/selection.js";

/** Picture of a node, `size`: {width, height, box} in pixels. */
export class Plot {
  constructor(stage, node, size, text) {
    this.stage = stage;
    this.node = node;
    this.size = size;
    this.tree = stage.tree;
    this.canvas = h("canvas", { class: "plot", role: "img", "aria-label": text, "data-testid": "stage-plot" });
    this.element = h("div", { class: "plot-holder" }, this.canvas);
    this.measure();
    this.draw();
    if (!this.marks) return;
    this.canvas.classList.add("brushable");
    listenForBrush(stage, this.canvas, {
      marks: () => (stage.tree === this.tree ? this.marks : null),
      redraw: () => this.draw(),
      point: (hit, event) => stage.pointCard.show(hit, node, event),
      click: (event, at, marks) => clickMarks(stage, marks, event, at),
    });
  }

  measure() {
    this.marks = marksOf(this.picture(this.canvas.getContext("2d")), this.node, this.size.box);
  }

  /** The same node in a tree that differs in its splits only. */
  showTree() {
    this.tree = this.stage.tree;
    this.measure();
    this.draw();
  }

  picture(context) {
    return new Picture(
      context,
      { ...this.stage.look(), axes: true },
      new CanvasLabels(context, this.stage.path.looks.text),
    );
  }

  draw() {
    const { width, height, box } = this.size;
    const context = sized(this.canvas, width, height);
    context.clearRect(0, 0, width, height);
    const picture = this.picture(context);
    picture.layer = this.stage.editor.layer("plot");
    picture.draw(this.node, box);
    this.stage.editor.onPlot(this, picture);
    this.stage.brush?.drawOn(this.canvas, context);
    this.shown = this.situation();
  }

  /** Draw again what has changed since: the selection, the row below the pointer, the shape of a drag. */
  follow() {
    if (this.stage.tree !== this.tree) return;
    if (this.situation().some((value, i) => value !== this.shown[i])) this.draw();
  }

  situation() {
    const { state, brush } = this.stage;
    return [state.selection, state.point, brush?.canvas === this.canvas ? brush.steps : 0];
  }
}

/** A click selects the row or the bin below it, and next to all of them nothing. */
export function clickMarks(stage, marks, event, at) {
  const hit = marks.at(...at);
  const before = event.shiftKey ? stage.state.selection : null;
  stage.set({ selection: hit?.rows.length ? selected(stage.path, hit.rows, before) : before });
  sayWhatIsSelected(stage);
}
