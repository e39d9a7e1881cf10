// Draws the plane of data with two features, partitioned into the regions of the leaves.

import { h, placeIn, sizeCanvas } from "../elements/dom.js";
import { planeLimits } from "../geometry/limits.js";
import { answersOf, regionsOf } from "../geometry/regions.js";
import { holds, widthForDetail } from "../geometry/shapes.js";
import { columnOf, condition, nodeText } from "../model/condition.js";
import { currentValues } from "../model/followed_row.js";
import { isOf } from "../model/node_kinds.js";
import { rowsOfSet } from "../model/tree.js";
import { conditionLines } from "./condition_lines.js";
import { CanvasLabels, textWidth } from "./labels.js";
import { pointMarks } from "./marks.js";
import { pictureOf } from "./node_pictures.js";
import { Picture } from "./picture.js";
import { clickMarks } from "./plot.js";
import { drawAxes, drawMissingStripLines, drawRing, drawRows, planeFrame, valuesAt } from "./scatter.js";
import { stamp } from "./stamp.js";

const MOST_CROSSES = 1500;
const LEAST_NAMED = 300; // minimum size in pixels of a plane whose selected line has its condition
const NAME_PLACES = [0.12, 0.88, 0.3, 0.7]; // of the condition, as shares of the line

/**
 * Decision regions next to the tree. `drawing`: as in Plot, with {ranges(): {low, high} or null; regions(low, high): as
 * returned by regionsOf while lines move, or null; inPlane(plane, picture, frame, rows, box): whether it has drawn the
 * content; abovePlane(plane, picture, rows)}. `on`: {select(node), hover(node), point(hit, node, event), draw()}.
 */
export class Plane {
  /**
   * @param {Store} store @param {Drawing} drawing
   * @param {{select(node: number | null): void, hover(node: number | null): void, point(hit: Hit | null, node: null, event: PointerEvent): void, draw(): void}} on
   */
  constructor(store, drawing, on) {
    this.store = store;
    this.drawing = drawing;
    this.on = on;
    this.canvas = h("canvas", { role: "img", "aria-label": "Plane of the data", "data-testid": "stage-plane" });
    this.element = h("div", { class: "plane" }, this.canvas);
    drawing.brushes.listen(this.canvas, {
      marks: () => this.marks ?? null,
      redraw: () => on.draw(),
      point: (hit, event) => this.point(hit, event),
      click: (event, at, marks) => {
        if (marks.at(...at)) return clickMarks(store, marks, event, at);
        return on.select(this.leafAt(...at));
      },
    });
  }

  /** Resize the plane to its place in the layout, or hide it if a side is 0. */
  resize() {
    const { side, room } = this.store.layout.plane;
    const { hasPlane } = this.store;
    this.element.hidden = !side || !hasPlane;
    this.element.style.height = `${room}px`;
    this.element.style.width = side ? `${side + 1}px` : "";
  }

  draw() {
    const { drawing } = this;
    const { tree, path, state, colors, layout } = this.store;
    const { side: width, height, pad, ticks } = layout.plane;
    const context = sizeCanvas(this.canvas, width, height);
    context.clearRect(0, 0, width, height);
    const [w, h] = [Math.max(width - 2 * pad.x - ticks, 10), Math.max(height - pad.top - pad.bottom, 10)];
    const most = state.isBare ? Math.min(w, h) : Infinity; // as square as the plane next to the tree
    const box = {
      x: (width + ticks) / 2,
      y: (height + pad.top - pad.bottom) / 2,
      w: Math.min(w, most),
      h: Math.min(h, most),
    };
    const limits = drawing.ranges() ?? planeLimits(path);
    const { low, high } = limits;
    const frame = planeFrame(path, [0, 1], limits, box);
    const text = new CanvasLabels(context, path.looks.text);
    const picture = new Picture(context, { ...drawing.look(), axes: true, ticks }, text);
    picture.layer = drawing.layer("plane");
    this.regions = drawing.regions(low, high) ?? regionsOf(tree, low, high);
    this.frame = frame;
    const rows = rowsOfSet(path, state.set);
    this.marks = pointMarks(rows, frame, box);
    if (!drawing.inPlane(this, picture, frame, rows, box)) this.content(picture, frame, rows, box);
    this.drawFollowed(context, frame);
    drawMissingStripLines(picture, frame, box);
    picture.frame(box, colors.theme.line);
    if (pad.top >= picture.size.small) drawAxes(picture, box, frame);
    if (state.inLesson) this.nameLine(picture, frame, box);
    drawing.abovePlane(this, picture, rows);
    drawing.brushes.drawOn(this.canvas, context);
  }

  /** @param {Picture} picture @param {PlaneFrame} frame @param {Int32Array} rows @param {Box} box */
  content(picture, frame, rows, box) {
    const { state, colors } = this.store;
    const { context } = picture;
    if (state.isBare) return drawRows(picture, frame, rows, box.w);
    this.fillRegions(context, frame);
    this.outline(context, frame, state.hover, colors.theme.muted, 2);
    this.outline(context, frame, state.node, colors.theme.accent, 3);
    drawRows(picture, frame, rows, box.w);
    this.crosses(picture, frame, rows);
    if (state.point !== null && rows.includes(state.point)) drawRing(picture, frame, state.point, box.w);
  }

  /**
   * Write the condition of the selected node at its line.
   * @param {Picture} picture @param {PlaneFrame} frame @param {Box} box
   */
  nameLine(picture, { px, py }, box) {
    const { tree, state, colors } = this.store;
    const node = tree.nodeOf.get(state.node);
    const line = node === undefined || tree.isLeaf(node) || state.isBare ? [] : this.regions.cuts[node];
    if (node === undefined || line.length < 2 || box.w < LEAST_NAMED) return;
    const text = condition(tree, node);
    const size = picture.size.normal;
    const half = { w: textWidth(text, size, 600) / 2 + 6, h: size };
    const [from, to] = line.map(([x, y]) => [px(x), py(y)]);
    for (const share of NAME_PLACES) {
      const [x, y] = [0, 1].map((axis) => from[axis] + share * (to[axis] - from[axis]));
      const label = {
        x: Math.max(box.x - box.w / 2 + half.w, Math.min(box.x + box.w / 2 - half.w, x)),
        y: Math.max(box.y - box.h / 2 + half.h, Math.min(box.y + box.h / 2 - half.h, y)),
        ...{ text, size, weight: 600, room: box.w, whole: true, kind: "axis" },
        ...{ color: colors.theme.text, background: colors.theme.background },
      };
      if (picture.text.add(label)) return;
    }
  }

  /** @param {Context} context @param {PlaneFrame} frame @param {Corners} corners */
  trace(context, { px, py }, corners) {
    context.beginPath();
    for (const [x, y] of corners) context.lineTo(px(x), py(y));
  }

  /** @param {Context} context @param {PlaneFrame} frame */
  fillRegions(context, frame) {
    const { tree, colors, state } = this.store;
    const lit = this.store.litNodes;
    context.lineWidth = 1;
    context.strokeStyle = colors.theme.muted;
    for (let node = 0; node < tree.n; node++) {
      const corners = this.regions.polygons[node];
      if (!tree.isLeaf(node) || !corners.length) continue;
      context.globalAlpha = tree.origin[node] === state.hover ? 0.6 : lit && !lit.has(node) ? 0.1 : 0.3;
      for (const part of answersOf(tree, node, corners)) {
        this.trace(context, frame, part.corners);
        context.closePath();
        const own = part.group === null || state.shade !== "class" ? null : colors.ofGroup(part.group);
        context.fillStyle = own ?? colors.ofNode(tree, state.set, node, state.shade) ?? colors.theme.line;
        context.fill();
      }
      this.trace(context, frame, corners);
      context.closePath();
      context.globalAlpha = 0.55;
      context.stroke();
      context.globalAlpha = 1;
    }
  }

  /**
   * Draw the outline of a node's region, and the split line of a decision node.
   * @param {Context} context @param {PlaneFrame} frame @param {number | null} origin @param {string} color
   * @param {number} width
   */
  outline(context, frame, origin, color, width) {
    const node = this.store.tree.nodeOf.get(origin);
    if (node === undefined || !this.regions.polygons[node].length) return;
    context.strokeStyle = color;
    context.lineWidth = width;
    this.trace(context, frame, this.regions.polygons[node]);
    context.closePath();
    context.stroke();
    context.strokeStyle = this.store.colors.theme.split;
    context.lineWidth = this.store.path.looks.split.width;
    this.trace(context, frame, this.regions.cuts[node]);
    context.stroke();
  }

  /**
   * Mark misclassified rows with a cross.
   * @param {Picture} picture @param {PlaneFrame} frame @param {Int32Array} rows
   */
  crosses({ context, tree, path, set, colors, lit }, { px, py }, rows) {
    const { X, n } = path.sample;
    const { leaf } = tree.route(set);
    const cross = stamp({ context, colors }, 4.5, "cross", (own) => {
      own.moveTo(-3.5, -3.5);
      own.lineTo(3.5, 3.5);
      own.moveTo(3.5, -3.5);
      own.lineTo(-3.5, 3.5);
      own.strokeStyle = colors.theme.text;
      own.lineWidth = 1.4;
      own.stroke();
    });
    let crosses = 0;
    for (const row of rows) {
      if (!path.target.isWrong(tree, leaf[row], row) || (lit && !lit.has[row]) || crosses++ > MOST_CROSSES) continue;
      cross(px(X[row]), py(X[n + row]));
    }
  }

  /**
   * Draw the followed row as a disc, and its original position as a ring if its values were changed.
   * @param {Context} context @param {PlaneFrame} frame
   */
  drawFollowed(context, { px, py }) {
    const { state, colors } = this.store;
    const values = currentValues(state);
    if (!values) return;
    /** @param {Numbers} at @param {number} radius @param {boolean} isFull */
    const disc = ([x, y], radius, isFull) => {
      context.beginPath();
      context.arc(px(x), py(y), radius, 0, 2 * Math.PI);
      context.lineWidth = 2.5;
      context.fillStyle = context.strokeStyle = colors.theme.accent;
      if (isFull) context.fill();
      if (isFull) context.strokeStyle = colors.theme.background;
      context.stroke();
    };
    const { row } = state;
    if (row && state.whatIf) {
      context.beginPath();
      context.moveTo(px(row.values[0]), py(row.values[1]));
      context.lineTo(px(values[0]), py(values[1]));
      context.strokeStyle = colors.theme.accent;
      context.stroke();
      disc(row.values, 5, false);
    }
    disc(values, 7, true);
  }

  /** Describe the plane for screen readers, unless something moves. */
  describe() {
    const { tree, path, state } = this.store;
    const shown = this.regions.polygons.filter((corners, node) => tree.isLeaf(node) && corners.length).length;
    this.canvas.setAttribute(
      "aria-label",
      `Plane of ${path.features[0]} and ${path.features[1]}, divided into ${shown} ${shown === 1 ? "region" : "regions"}, one for each leaf; crosses are rows ${path.target.missed(!state.isGuessing)}`,
    );
  }

  /** Return the leaf whose region contains a point on the canvas, or null. @param {number} x @param {number} y */
  leafAt(x, y) {
    if (!this.frame) return null;
    const at = valuesAt(this.frame, [x, y]);
    return holds(this.regions.polygons[0], ...at) ? this.store.tree.leafOf(at) : null;
  }

  /** @param {Hit | null} hit @param {PointerEvent} event */
  point(hit, event) {
    const over = event.type === "pointermove" || event.type === "pointerdown";
    const leaf = over ? this.leafAt(...placeIn(this.canvas, event)) : null;
    const region = leaf === null ? null : { rows: [], point: null, text: nodeText(this.store, leaf) };
    this.on.point(hit ?? region, null, event);
    this.on.hover(leaf);
  }
}

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
