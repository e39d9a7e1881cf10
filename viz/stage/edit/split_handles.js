// Where the handles of the selected node's split are: on the plane, in its picture in the tree, in the inspector.

import { Handles } from "./handles.js";
import { histogramFrame } from "../draw/projection.js";
import { scatterFrame } from "../draw/scatter.js";
import { lineOf } from "../geometry/split_geometry.js";

const LARGE = 116; // pixels of a node's picture in the tree in which handles find room

/** The handles of an editor. */
export class SplitHandles {
  /** `view`, `plane`: elements that handles stand in. */
  constructor(editor, view, plane) {
    this.editor = editor;
    this.store = editor.store;
    const make = (host, test) => new Handles(host, test, editor.life, this.reactions(test));
    this.view = make(view, "handle-view");
    this.plane = make(plane, "handle-plane");
    this.plot = null;
    this.offset = null;
    this.make = make;
  }

  /** What a set of handles does with the split of the selected node. */
  reactions(test) {
    const { editor } = this;
    let from = null;
    return {
      name: () => `node ${this.store.tree.origin[this.node]}`,
      begin: () => {
        const { features, weights, bias } = editor.drag.begin(this.node);
        from = { features: Array.from(features), weights: Array.from(weights), bias, frame: this.frames?.[test] };
      },
      change: (change) => editor.drag.change(changedSplit(from, change)),
      end: () => editor.drag.end("split moved"),
      cancel: () => editor.drag.cancel(),
    };
  }

  hide() {
    for (const handles of [this.view, this.plane, this.plot, this.offset]) handles?.hide();
  }

  /** The decision node whose split has handles, or null. */
  get node() {
    const { tree, state } = this.store;
    const node = tree.nodeOf.get(state.node);
    return node === undefined || tree.isLeaf(node) || tree.nWeights(node) === 0 ? null : node;
  }

  onPlane(plane, { tree }) {
    const { node } = this;
    if (node === null || this.editor.drawing.isOn) return this.plane.hide();
    const origin = [plane.canvas.offsetLeft, plane.canvas.offsetTop];
    return this.line(this.plane, plane.frame, node, plane.regions.polygons[node], origin, tree);
  }

  onView(view) {
    const { node } = this;
    const box = node === null ? null : view.boxes.get(node);
    if (!box || Math.min(box.w, box.h) < LARGE * (box.w > 1.4 * box.h ? 0.6 : 1) || !view.isInSight(box))
      return this.view.hide();
    return this.inPicture(this.view, view.picture, node, box, [0, 0]);
  }

  onPlot(plot, picture) {
    if (!this.plot || this.plot.host !== plot.element) {
      this.plot?.letGo();
      this.plot = this.make(plot.element, "handle-plot");
    }
    const node = picture.tree.nodeOf.get(plot.tree.origin[plot.node]);
    const { tree } = picture;
    if (picture.path.imageShape && node !== undefined && !tree.isLeaf(node) && this.store.state.node !== null)
      this.painting(plot, picture);
    if (node === undefined || tree.isLeaf(node) || tree.nWeights(node) === 0 || this.node === null)
      return this.plot.hide();
    return this.inPicture(this.plot, picture, node, plot.size.box, [0, 0]);
  }

  /** The picture of an image node takes the strokes of the brush. */
  painting(plot, picture) {
    const { brush } = this.editor.parts.panel;
    if (this.painted !== plot) brush.listen(plot);
    this.painted = plot;
    brush.drawOn(plot, picture);
  }

  onOffset(plot, picture, box) {
    if (this.offset?.host !== plot.element) {
      this.offset?.letGo();
      this.offset = this.make(plot.element, "handle-offset");
    }
    if (this.node === null) return this.offset.hide();
    return this.bar(this.offset, histogramFrame(picture, plot.node, box, box.w), plot.node, [0, 0]);
  }

  /** Handles in the picture of a node drawn into a box. */
  inPicture(handles, picture, node, box, origin) {
    if (picture.path.imageShape) return handles.hide();
    if (picture.isScatter(node)) return this.line(handles, scatterFrame(picture, node, box), node, [], origin);
    return this.bar(handles, histogramFrame(picture, node, box, Math.max(box.w, box.h * 0.6)), node, origin);
  }

  line(handles, frame, node, polygon, origin) {
    const { tree } = this.store;
    const { features, weights, bias } = tree.split(node);
    const direction = [0, 0];
    features.forEach((j, i) => (direction[j === frame.features[0] ? 0 : 1] = weights[i]));
    this.remember(handles, frame.features);
    const line = lineOf(frame, direction, bias, polygon);
    // in the plane a line along an axis may be turned too, unless a node may have one feature only
    const { nFeatures, edit } = this.store.path;
    const canTurn = features.length === 2 || (nFeatures === 2 && edit.penalty.most !== 1);
    handles.showLine(frame, line, canTurn, origin, this.editor.splitWords(node));
  }

  bar(handles, frame, node, origin) {
    if (!frame) return handles.hide();
    const { area, low, high, split } = frame;
    const unit = area.w / (high - low);
    this.remember(handles, { split });
    const bar = { x: area.left + (split - low) * unit, left: area.left, width: area.w, top: area.top, height: area.h };
    return handles.showBar({ ...bar, unit }, origin, this.editor.splitWords(node));
  }

  /** What the split was measured in when the handles were shown last. */
  remember(handles, frame) {
    this.frames ??= {};
    this.frames[handles.test] = frame;
  }
}

/** The split {features, weights, bias} as handles have changed it. */
function changedSplit({ features, weights, bias, frame }, change) {
  if (change.shift !== undefined) {
    if (features.length > 1) return { features, weights, bias: bias - change.shift };
    return { features, weights, bias: -weights[0] * (frame.split + change.shift) };
  }
  if (change.direction === undefined) return { features, weights, bias: bias + change.bias };
  if (features.length === 1) return { features: frame, weights: change.direction, bias: change.bias };
  const at = features.map((j) => change.direction[j === frame[0] ? 0 : 1]);
  return { features, weights: at, bias: change.bias };
}
