// The rows of an oblique node along w·x + b, large enough to move its offset.

import { h, sized } from "../elements/dom.js";
import { CanvasLabels } from "../draw/labels.js";
import { Picture } from "../draw/picture.js";
import { projection } from "../draw/projection.js";

const HEIGHT = 56; // pixels: too low for bars of coefficients

export class OffsetPlot {
  /** `width`: in pixels. */
  constructor(editor, node, width) {
    this.width = width;
    this.editor = editor;
    this.store = editor.store;
    this.node = node;
    this.canvas = h("canvas", {
      class: "plot",
      role: "img",
      "aria-label": `Histogram of the rows of node ${this.store.tree.origin[node]} along the weighted sum, with the split`,
    });
    this.element = h("div", { class: "plot-holder" }, this.canvas);
    this.showTree();
  }

  showTree() {
    const { store, node } = this;
    const { width } = this;
    const box = { x: width / 2, y: 4 + HEIGHT / 2, w: width - 4, h: HEIGHT, room: width };
    const context = sized(this.canvas, width, HEIGHT + 4 + 18 * store.state.type);
    context.clearRect(0, 0, width, HEIGHT * 2);
    const picture = new Picture(context, { ...this.editor.on.look(), axes: true }, new CanvasLabels(context));
    projection(picture, node, box, box.w);
    this.editor.parts.handles.onOffset(this, picture, box);
  }
}
