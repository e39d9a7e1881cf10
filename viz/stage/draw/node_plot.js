// Large plot of the selected decision node of a lesson, next to the tree.

import { h, sizeCanvas } from "../elements/dom.js";
import { columnOf, condition } from "../model/condition.js";
import { isOf } from "../model/node_kinds.js";
import { widthForDetail } from "../geometry/shapes.js";
import { conditionLines } from "./condition_lines.js";
import { CanvasLabels } from "./labels.js";
import { pictureOf } from "./node_pictures.js";
import { Picture } from "./picture.js";

const LINE = 18; // height of a line of the title in pixels, for text of the usual size
const MOST_LINES = 2;
const KEY = 1.6; // height of the meaning of the colours below an image, in lines
const BOLD = 1.1; // width of the bold title, relative to usual text
const GAP = 6; // pixels between the title and the plot

/** The plot with its title, in the place of the plane. `drawing`: as in Plane. */
export class NodePlot {
  /** @param {Store} store @param {Drawing} drawing */
  constructor(store, drawing) {
    this.store = store;
    this.drawing = drawing;
    this.canvas = h("canvas", { role: "img", "aria-label": "Plot of a node", "data-testid": "lesson-plot" });
    this.element = h("div", { class: "node-plot", hidden: true }, this.canvas);
  }

  /** Resize the plot to its place in the layout, or hide it if the lesson selects no decision node. */
  resize() {
    const { plottedNode, layout } = this.store;
    this.element.hidden = plottedNode === null;
    this.element.style.height = `${layout.plane.room}px`;
    this.element.style.width = `${layout.plane.side + 1}px`;
  }

  draw() {
    const { store, drawing } = this;
    const { plottedNode: node, tree, path, colors, state } = store;
    if (node === null) return;
    const { side: width, room: height, pad, ticks } = store.layout.plane;
    const context = sizeCanvas(this.canvas, width, height);
    context.clearRect(0, 0, width, height);
    const isImage = isOf(tree, node, "image");
    const text = new CanvasLabels(context, path.looks.text);
    const picture = new Picture(context, { ...drawing.look(), axes: true, ticks }, text);
    const { normal } = picture.size;
    const words = isImage ? `${tree.nWeights(node)} of ${path.nFeatures} pixels` : condition(tree, node);
    const found = conditionLines([words], normal, (width - 2 * pad.x) / BOLD, MOST_LINES);
    const column = columnOf(path, tree.split(node));
    const short = column === null ? `Weighted sum of ${tree.nWeights(node)} features` : `${column}: grey goes right`;
    const lines = found.isWhole ? found.lines : [short];
    const title = GAP + lines.length * LINE * state.type;
    const look = { x: width / 2, size: normal, color: colors.theme.text, weight: 600, room: width - 2 * pad.x };
    lines.forEach((line, i) =>
      text.add({ ...look, y: GAP + (i + 0.5) * LINE * state.type, text: line, kind: "caption", node }),
    );
    const above = title + (isImage ? GAP : pad.top);
    const below = isImage ? KEY * LINE * state.type : pad.bottom;
    const room = { w: width - 2 * pad.x - (isImage ? 0 : ticks), h: height - above - below };
    const box = isImage
      ? this.imageBox(room, width, above)
      : { x: (width + ticks) / 2, y: above + room.h / 2, ...room, room: width };
    this.box = box;
    pictureOf(tree, node).draw(picture, node, box, widthForDetail(path.looks.detail, box));
    if (isImage) this.key(picture, box);
    this.canvas.setAttribute("aria-label", pictureOf(tree, node).text(store, node));
  }

  /**
   * Return the box of an image whose pixels have whole sizes.
   * @param {{w: number, h: number}} room @param {number} width @param {number} above
   */
  imageBox(room, width, above) {
    const [rows, columns] = /** @type {Pair} */ (this.store.path.imageShape);
    const unit = Math.max(1, Math.floor(Math.min(room.w / columns, room.h / rows)));
    const [w, h] = [unit * columns, unit * rows];
    return { x: width / 2, y: above + h / 2, w, h, room: width };
  }

  /** Write the meaning of both colours below an image. @param {Picture} picture @param {NodeBox} box */
  key({ context, colors, size, text, type }, box) {
    const y = box.y + box.h / 2 + LINE * type;
    const side = 0.8 * size.small;
    for (const [x, color, words] of /** @type {[number, string, string][]} */ ([
      [box.x - box.w / 2, colors.negative(), "ink here: left"],
      [box.x + 0.05 * box.w, colors.positive(), "ink here: right"],
    ])) {
      context.fillStyle = color;
      context.fillRect(x, y - side / 2, side, side);
      const label = { x: x + side + GAP, y, text: words, align: /** @type {const} */ ("left"), room: 0.45 * box.w };
      text.add({ ...label, size: size.small, color: colors.theme.text, kind: "axis" });
    }
  }
}
