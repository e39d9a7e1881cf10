// The plane of data with two features, cut into the regions of the leaves.

import { listenForBrush } from "./brush.js";
import { h, sized } from "../elements/dom.js";
import { currentValues } from "../model/followed_row.js";
import { CanvasLabels } from "./labels.js";
import { aroundTheLines } from "../model/limits.js";
import { pointMarks } from "./marks.js";
import { nodeText } from "../model/condition.js";
import { drawRecordedPlane } from "../record/recorded_plane.js";
import { Picture } from "./picture.js";
import { clickMarks } from "./plot.js";
import { stamp } from "./stamp.js";
import { regionsOf } from "../geometry/regions.js";
import { drawAxes, drawGutterLines, drawRing, drawRows, planeFrame } from "./scatter.js";
import { holds } from "../geometry/shapes.js";
import { remembered } from "../model/remembered.js";
import { rowsOfSet } from "../model/tree.js";

const PAD = { x: 12, top: 24, bottom: 36 };
const MOST_CROSSES = 1500;

/** Decision regions beside the tree; `on`: {select(node), hover(node)}. */
export class Plane {
  constructor(stage, on) {
    this.stage = stage;
    this.on = on;
    this.canvas = h("canvas", { role: "img", "data-testid": "stage-plane" });
    this.element = h("div", { class: "plane" }, this.canvas);
    this.side = 0;
    listenForBrush(stage, this.canvas, {
      marks: () => this.marks ?? null,
      redraw: () => stage.requestDraw(),
      point: (hit, event) => this.point(hit, event),
      click: (event, at, marks) => {
        if (marks.at(...at)) return clickMarks(stage, marks, event, at);
        return on.select(this.leafAt(...at));
      },
    });
  }

  /** Side of the square, 0 to hide it, and the height it has to stand in. */
  resize(side, height) {
    this.side = side;
    this.room = height;
    this.element.hidden = !side;
    this.element.style.height = `${height}px`;
    this.element.style.width = side ? `${side + 1}px` : "";
    this.height = Math.min(height, side + (PAD.top + PAD.bottom - 2 * PAD.x) * this.stage.state.type);
  }

  draw() {
    const { side: width, height } = this;
    const { tree, path, state, colors } = this.stage;
    const context = sized(this.canvas, width, height);
    context.clearRect(0, 0, width, height);
    const pad = { x: PAD.x, top: PAD.top * state.type, bottom: PAD.bottom * state.type };
    const box = {
      x: width / 2,
      y: (height + pad.top - pad.bottom) / 2,
      w: Math.max(width - 2 * pad.x, 10),
      h: Math.max(height - pad.top - pad.bottom, 10),
    };
    const { recorder } = this.stage;
    const { low, high } = recorder.ranges ?? rangesOf(path);
    const frame = planeFrame(path, [0, 1], low, high, box);
    const picture = new Picture(
      context,
      { ...this.stage.look(), axes: true },
      new CanvasLabels(context, path.looks.text),
    );
    picture.layer = this.stage.editor.layer("plane");
    this.regions = recorder.motion?.regions(low, high) ?? regionsOf(tree, low, high);
    this.frame = frame;
    const rows = rowsOfSet(path, state.set);
    this.marks = pointMarks(path, rows, frame, box);
    if (recorder.isOn) drawRecordedPlane(this, picture, frame, rows, box);
    else this.content(picture, frame, rows, box);
    this.followed(context, frame);
    drawGutterLines(picture, frame, box);
    picture.frame(box, colors.theme.line);
    drawAxes(picture, box, frame);
    this.stage.editor.onPlane(this, picture, rows);
    this.stage.brush?.drawOn(this.canvas, context);
  }

  content(picture, frame, rows, box) {
    const { state, colors } = this.stage;
    const { context } = picture;
    this.fillRegions(context, frame);
    this.outline(context, frame, state.hover, colors.theme.muted, 2);
    this.outline(context, frame, state.node, colors.theme.accent, 3);
    drawRows(picture, frame, rows, box.w);
    this.crosses(picture, frame, rows);
    if (state.point !== null && rows.includes(state.point)) drawRing(picture, frame, state.point, box.w);
  }

  trace(context, { px, py }, corners) {
    context.beginPath();
    for (const [x, y] of corners) context.lineTo(px(x), py(y));
  }

  fillRegions(context, frame) {
    const { tree, colors, state } = this.stage;
    const lit = this.stage.litNodes();
    context.lineWidth = 1;
    context.strokeStyle = colors.theme.muted;
    for (let node = 0; node < tree.n; node++) {
      const corners = this.regions.polygons[node];
      if (!tree.isLeaf(node) || !corners.length) continue;
      this.trace(context, frame, corners);
      context.closePath();
      context.fillStyle = colors.ofGroup(tree.label[node]);
      context.globalAlpha = tree.origin[node] === state.hover ? 0.6 : lit && !lit.has(node) ? 0.1 : 0.3;
      context.fill();
      context.globalAlpha = 0.55;
      context.stroke();
      context.globalAlpha = 1;
    }
  }

  /** Region of a node, and its split line when it is a decision. */
  outline(context, frame, origin, color, width) {
    const node = this.stage.tree.nodeOf.get(origin);
    if (node === undefined || !this.regions.polygons[node].length) return;
    context.strokeStyle = color;
    context.lineWidth = width;
    this.trace(context, frame, this.regions.polygons[node]);
    context.closePath();
    context.stroke();
    context.strokeStyle = this.stage.colors.theme.split;
    context.lineWidth = this.stage.path.looks.split.width;
    this.trace(context, frame, this.regions.cuts[node]);
    context.stroke();
  }

  /** Rows that the tree gets wrong carry a cross. */
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

  /** The followed row as a disc; where it was before its values were changed, as a ring. */
  followed(context, { px, py }) {
    const { state, colors } = this.stage;
    const values = currentValues(state);
    if (!values) return;
    const disc = ([x, y], radius, isFull) => {
      context.beginPath();
      context.arc(px(x), py(y), radius, 0, 2 * Math.PI);
      context.lineWidth = 2.5;
      context.fillStyle = context.strokeStyle = colors.theme.accent;
      if (isFull) context.fill();
      if (isFull) context.strokeStyle = colors.theme.background;
      context.stroke();
    };
    if (state.whatIf) {
      context.beginPath();
      context.moveTo(px(state.row.values[0]), py(state.row.values[1]));
      context.lineTo(px(values[0]), py(values[1]));
      context.strokeStyle = colors.theme.accent;
      context.stroke();
      disc(state.row.values, 5, false);
    }
    disc(values, 7, true);
  }

  /** What the plane shows, for screen readers; only when the picture rests. */
  describe() {
    const { tree, path } = this.stage;
    const shown = this.regions.polygons.filter((corners, node) => tree.isLeaf(node) && corners.length).length;
    this.canvas.setAttribute(
      "aria-label",
      `Plane of ${path.features[0]} and ${path.features[1]}, cut into ${shown} ${shown === 1 ? "region" : "regions"}, one for each leaf; crosses are rows predicted wrong`,
    );
  }

  /** Leaf whose region holds a point of the canvas, or null. */
  leafAt(x, y) {
    const { tree } = this.stage;
    const { area, low, high } = this.frame;
    const at = [
      low[0] + ((x - area.left) / area.w) * (high[0] - low[0]),
      high[1] - ((y - area.top) / area.h) * (high[1] - low[1]),
    ];
    if (!holds(this.regions.polygons[0], ...at)) return null;
    return tree.way(at).at(-1).node;
  }

  point(hit, event) {
    const box = this.canvas.getBoundingClientRect();
    const over = event.type === "pointermove" || event.type === "pointerdown";
    const leaf = over && this.frame ? this.leafAt(event.clientX - box.left, event.clientY - box.top) : null;
    const region = leaf === null ? null : { rows: [], point: null, text: nodeText(this.stage, leaf) };
    this.stage.pointCard.show(hit ?? region, null, event);
    this.on.hover(leaf);
  }
}

/** All of the sample, with a margin. */
function rangesOf(path) {
  return remembered(path, "plane", () => {
    const { X, n } = path.sample;
    const ends = [0, 1].map((feature) => {
      let low = Infinity,
        high = -Infinity;
      for (let row = 0; row < n; row++) {
        const value = X[feature * n + row];
        if (value < low) low = value;
        if (value > high) high = value;
      }
      if (low > high) return aroundTheLines(path, null, feature);
      const { plane, alone, unit } = path.looks.limits;
      const pad = (high - low) * plane || Math.abs(high) * alone || unit;
      return [low - pad, high + pad];
    });
    return { low: ends.map((end) => end[0]), high: ends.map((end) => end[1]) };
  });
}
