// Places the handles of the selected split on the plane, on its plot in the tree, and in the inspector.

import { stripBars } from "../draw/category_picture.js";
import { histogramFrame } from "../draw/projection.js";
import { scatterFrame } from "../draw/scatter.js";
import { PointLayer } from "../draw/stamp.js";
import { directionOf } from "../geometry/regions.js";
import { lineOf } from "../geometry/split_geometry.js";
import { moveSplit } from "../model/edit_changes.js";
import { Drafts } from "../model/edited_tree.js";
import { isOf, kindOf } from "../model/node_kinds.js";
import { nodeName } from "../model/tree.js";
import { Handles } from "./handles.js";

const LARGE = 116; // minimum width in pixels of a plot in the tree that gets handles

/** The handles of an editor. */
export class SplitHandles {
  /**
   * `view`, `plane`: elements that contain the handles.
   * @param {Editor} editor @param {HTMLElement} view @param {HTMLElement} plane
   */
  constructor(editor, view, plane) {
    this.editor = editor;
    /** @type {Record<string, Measure>} measures of the split when the handles were last shown */
    this.frames = {};
    this.store = editor.store;
    /** @param {HTMLElement} host @param {string} test */
    const make = (host, test) => new Handles(host, test, editor.life, this.reactions(test));
    this.view = make(view, "handle-view");
    this.plane = make(plane, "handle-plane");
    /** @type {Map<HTMLElement, Handles[]>} handles of the category strips, by host */
    this.strips = new Map();
    /** @type {Handles | null} */
    this.plot = null;
    /** @type {Handles | null} */
    this.offset = null;
    /** @type {Plot | null} */
    this.painted = null;
    this.make = make;
  }

  /** Return the callbacks of a set of handles for the split of the selected node. @param {string} test */
  reactions(test) {
    const { editor } = this;
    /** @type {Split} */
    let from = { features: [], weights: [], bias: 0 };
    let measure = this.frames[test];
    return {
      name: () => {
        const { strip } = this.frames[test] ?? {};
        return `${nodeName(this.store.tree, this.node ?? 0)}${strip ? `, ${strip.name}` : ""}`;
      },
      begin: () => {
        const { features, weights, bias } = editor.drag.begin(this.node ?? 0);
        from = { features: Array.from(features), weights: Array.from(weights), bias };
        measure = this.frames[test]; // Redraws during the drag measure the moved split.
      },
      change: (/** @type {SplitChange} */ change) => editor.drag.change(changedSplit(from, measure, change)),
      end: () => editor.drag.end("split moved"),
      cancel: () => editor.drag.cancel(),
    };
  }

  hide() {
    for (const handles of [this.view, this.plane, this.plot, this.offset]) if (handles) this.hideAll(handles);
  }

  /** Hide the handles, and the handles of strips in the same plot. @param {Handles} handles */
  hideAll(handles) {
    handles.hide();
    for (const one of this.strips.get(handles.host) ?? []) one.hide();
  }

  /** Decision node whose split has handles, or null. */
  get node() {
    const { tree, state } = this.store;
    const node = tree.nodeOf.get(state.node);
    return node === undefined || tree.isLeaf(node) || tree.nWeights(node) === 0 ? null : node;
  }

  /** @param {Plane} plane @param {PlaneFrame} frame */
  onPlane(plane, frame) {
    const { node } = this;
    if (node === null || this.editor.drawing?.isOn) return this.plane.hide();
    const { offsetLeft, offsetTop } = plane.canvas;
    return this.line(this.plane, frame, node, plane.regions.polygons[node], [offsetLeft, offsetTop]);
  }

  /** @param {TreeView} view */
  onView(view) {
    const { node } = this;
    const box = node === null ? null : view.boxes.get(node);
    if (
      node === null ||
      !box ||
      Math.min(box.w, box.h) < LARGE * (box.w > 1.4 * box.h ? 0.6 : 1) ||
      !view.isInSight(box)
    )
      return this.hideAll(this.view);
    return this.inPicture(this.view, view.picture, node, box, [0, 0]);
  }

  /** @param {Plot} plot @param {Picture} picture */
  onPlot(plot, picture) {
    if (!this.plot || this.plot.host !== plot.element) {
      this.plot?.letGo();
      for (const one of this.strips.get(this.plot?.host ?? plot.element) ?? []) one.letGo();
      if (this.plot) this.strips.delete(this.plot.host);
      this.plot = this.make(plot.element, "handle-plot");
    }
    const node = picture.tree.nodeOf.get(plot.tree.origin[plot.node]);
    const { tree } = picture;
    if (node !== undefined && kindOf(tree, node).handles === "pixels" && this.store.state.node !== null)
      this.painting(plot, picture);
    if (node === undefined || tree.isLeaf(node) || tree.nWeights(node) === 0 || this.node === null)
      return this.hideAll(this.plot);
    return this.inPicture(this.plot, picture, node, plot.size.box, [0, 0]);
  }

  /** Let the plot of an image node accept strokes of the brush. @param {Plot} plot @param {Picture} picture */
  painting(plot, picture) {
    const brush = this.editor.parts?.panel.brush;
    if (!brush) return;
    if (this.painted !== plot) brush.listen(plot);
    this.painted = plot;
    brush.drawOn(plot, picture);
  }

  /** @param {import("./edit_panel.js").OffsetPlot} plot @param {Picture} picture @param {NodeBox} box */
  onOffset(plot, picture, box) {
    if (this.offset?.host !== plot.element) {
      this.offset?.letGo();
      this.offset = this.make(plot.element, "handle-offset");
    }
    if (this.node === null) return this.offset.hide();
    return this.bar(this.offset, histogramFrame(picture, plot.node, box, box.w), plot.node, [0, 0]);
  }

  /**
   * Show handles on the plot of a node that is drawn into a box.
   * @param {Handles} handles @param {Picture} picture @param {number} node @param {NodeBox} box @param {Pair} origin
   */
  inPicture(handles, picture, node, box, origin) {
    const kind = kindOf(picture.tree, node).handles;
    if (kind === "pixels") return handles.hide();
    this.inStrips(handles, kind === "strips" ? stripBars(picture, node, box) : [], node, origin);
    if (kind === "strips") return handles.hide();
    if (kind === "line") return this.line(handles, scatterFrame(picture, node, box), node, [], origin);
    return this.bar(handles, histogramFrame(picture, node, box, Math.max(box.w, box.h * 0.6)), node, origin);
  }

  /**
   * Show a handle for each strip.
   * @param {Handles} beside other handles of the plot @param {ReturnType<typeof stripBars>} bars
   * @param {number} node @param {Pair} origin
   */
  inStrips({ host, test }, bars, node, origin) {
    const all = this.strips.get(host) ?? [];
    this.strips.set(host, all);
    while (all.length < bars.length) all.push(this.make(host, `${test}-${all.length + 1}`));
    all.forEach((handles, i) => {
      if (i >= bars.length) return handles.hide();
      const { bar, split, strip } = bars[i];
      this.frames[handles.test] = { axes: [0, 0], split, strip };
      return handles.showBar(bar, origin, this.editor.splitWords(node));
    });
  }

  /**
   * @param {Handles} handles @param {PlaneFrame} frame @param {number} node @param {Corners} polygon
   * @param {Pair} origin
   */
  line(handles, frame, node, polygon, origin) {
    const { tree } = this.store;
    const { features, weights, bias } = tree.split(node);
    this.frames[handles.test] = { axes: frame.features, split: 0 };
    const line = lineOf(frame, directionOf({ features, weights }, frame.features), bias, polygon);
    // The user may turn a line along an axis in the plane, unless splits may have only one feature.
    const mayTurn = isOf(tree, node, "plane") && this.store.path.edit?.penalty.most !== 1;
    const canTurn = features.length === 2 || mayTurn;
    handles.showLine(frame, line, canTurn, origin, this.editor.splitWords(node));
  }

  /** @param {Handles} handles @param {BinFrame | null} frame @param {number} node @param {Pair} origin */
  bar(handles, frame, node, origin) {
    if (!frame) return handles.hide();
    const { area, low, high, split, reach, difference } = frame;
    const unit = area.w / (high - low);
    this.frames[handles.test] = { axes: [0, 0], split, difference };
    const [left, x, right] = [reach[0], split, reach[1]].map((value) => area.left + (value - low) * unit);
    const bar = { x, left, width: right - left, top: area.top, height: area.h };
    return handles.showBar({ ...bar, unit }, origin, this.editor.splitWords(node));
  }
}

/**
 * How handles change a split. `axes`: features of a line. `split`: position of a bar. `strip`: for the bar of one
 * category, its feature (null for other categories) and the feature of the axis. `difference`: features of the
 * difference for the bar of a difference.
 * @typedef {{axes: Pair, split: number, difference?: BinFrame["difference"], strip?: {feature: number | null, axis: number, name: string}}} Measure
 */

/**
 * Return the split after a change by handles.
 * @param {Split} split @param {Measure} measure @param {SplitChange} change @returns {Split}
 */
function changedSplit({ features, weights, bias }, measure, change) {
  if ("shift" in change) {
    if (measure.strip) return ofStrip({ features, weights, bias }, measure.strip, measure.split + change.shift);
    if (measure.difference)
      return ofDifference({ features, weights, bias }, measure.difference.plus, measure.split + change.shift);
    if (features.length > 1) return { features, weights, bias: bias - change.shift };
    return { features, weights, bias: -weights[0] * (measure.split + change.shift) };
  }
  const { direction } = change;
  if (direction === undefined) return { features, weights, bias: bias + change.bias };
  if (features.length === 1) return { features: measure.axes, weights: direction, bias: change.bias };
  return { features, weights: features.map((j) => direction[j === measure.axes[0] ? 0 : 1]), bias: change.bias };
}

/**
 * Return the split at another bound of a difference, with exactly opposite weights. The bound stays above zero, where the
 * features of the difference would change places.
 * @param {Split} split @param {number} plus feature with the plus sign @param {number} bound @returns {Split}
 */
function ofDifference({ features, weights }, plus, bound) {
  const own = weights[features.indexOf(plus)];
  const both = Array.from(features, (j) => (j === plus ? own : -own));
  return { features, weights: both, bias: -own * Math.max(bound, 0) || 0 };
}

/**
 * Return the split with another threshold for one category, or for all other categories.
 * @param {Split} split @param {{feature: number | null, axis: number}} strip @param {number} bound @returns {Split}
 */
function ofStrip({ features, weights, bias }, { feature, axis }, bound) {
  const offset = -weights[features.indexOf(axis)] * bound;
  const own = Array.from(weights, (weight, i) => {
    if (features[i] === axis || (feature !== null && features[i] !== feature)) return weight;
    return feature === null ? weight + bias - offset : offset - bias; // Other categories keep their thresholds.
  });
  return { features, weights: own, bias: feature === null ? offset : bias };
}

/**
 * @typedef {object} Draft
 * @property {Drafts} drafts
 * @property {number} node
 * @property {StageTree} before
 * @property {Editor["last"]} last effect of the previous edit
 * @property {Split | null} split displayed split
 * @property {Split | null} next split to display in the next frame
 * @property {boolean} isRequested whether a frame is requested
 * @property {Record<string, PointLayer>} layers
 */

export class SplitDrag {
  /** @param {Editor} editor */
  constructor(editor) {
    this.editor = editor;
    this.store = editor.store;
    /** @type {Draft | null} */
    this.draft = null;
  }

  /** Begin to drag a split; return the current split. @param {number} node */
  begin(node) {
    const { store } = this;
    const { tree } = this.editor;
    const origin = store.tree.origin[node];
    if (store.tree !== tree) store.set({ edited: tree, isDraft: false }); // A tween was running.
    const at = tree.nodeOf.get(origin) ?? 0;
    const still = { split: null, next: null, isRequested: false };
    const { last } = this.editor;
    this.draft = { drafts: new Drafts(tree), node: at, before: tree, last, ...still, layers: {} };
    store.set({ penDown: true });
    this.tell(null); // The counts for the previous edit are outdated.
    return tree.split(at);
  }

  /** Show the split {features, weights, bias} in the next frame. @param {Split} split */
  change(split) {
    const { draft } = this;
    if (!draft) return;
    draft.next = split;
    if (draft.isRequested) return;
    draft.isRequested = true;
    this.editor.life.frame(() => {
      draft.isRequested = false;
      if (this.draft === draft) this.show();
    });
  }

  /** Show the effect of an edit in the panel. @param {Editor["last"]} last */
  tell(last) {
    this.editor.last = last;
    this.editor.parts?.panel.follow();
  }

  show() {
    const { draft, editor, store } = this;
    if (!draft?.next || draft.next === draft.split) return;
    draft.split = draft.next;
    const tree = draft.drafts.with(draft.node, draft.split);
    editor.last = { origin: tree.origin[draft.node], before: draft.before, after: tree, words: "" };
    store.set({ edited: tree, isDraft: true });
    this.follow();
  }

  /** Update the other views that follow the drag. */
  follow() {
    const { editor } = this;
    editor.on.showTree();
    editor.parts?.panel.follow();
    editor.bar.follow();
  }

  /** End the drag and make one edit. @param {string} words */
  end(words) {
    const { draft, editor, store } = this;
    store.set({ penDown: false });
    if (!draft) return;
    const { before, node, next, last } = draft;
    if (next) editor.apply(moveSplit(before, editor.document, node, next, words), before.origin[node]);
    else {
      this.draft = null;
      this.tell(last);
    }
    editor.hear(editor.answer ?? null);
  }

  /** Return the split to its position before the drag. */
  cancel() {
    if (this.draft) this.editor.show(null);
    this.end("");
    this.editor.hear(this.editor.answer ?? null);
  }

  /** Return the layer that caches the points of a plot during the drag, or null. @param {string} name */
  layer(name) {
    return this.draft?.split ? (this.draft.layers[name] ??= new PointLayer()) : null;
  }
}
