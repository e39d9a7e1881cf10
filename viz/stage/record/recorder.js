// Recorded run on the stage: the displayed step and node, and their additions to the drawings. It is inactive for paths
// without a recording.

import { careBins, careScatter } from "./care_pictures.js";
import { careBar } from "../draw/care_points.js";
import { idleParts } from "../model/recording.js";
import { RecorderButtons } from "./recorder_buttons.js";
import { planeLimits } from "../geometry/limits.js";
import { drawRecordedPlane } from "./recorded_plane.js";
import { StepText } from "./step_text.js";
import { SplitMotion, motionTime } from "../geometry/split_motion.js";
import { Staircase } from "./staircase.js";

const HURRY = 120; // Lines jump if less time, in milliseconds, has passed since the previous step.
const BY_HAND = 900; // maximum duration of the animation of a manual step, in milliseconds
/** @type {ReturnType<typeof idleParts>} */
const EMPTY = new Map();
/** @type {Record<string, string>} */
const REASONS = { dead: "no points", pure: "pure", same: "one class", frozen: "locked" };

/**
 * `wait()`: milliseconds between two steps. `hidesRows()`: whether the painting tool draws the points. `ranges()`:
 * limits of its plane. `paths()`: paths of the other stages, if several are side by side.
 */
export class Recorder {
  /**
   * @param {Store} store
   * @param {{go(index: number, settled?: boolean): void, settle(): void, isPlaying(): boolean, wait(): number, play(isOn: boolean): void, setSpeed(wait: number): void, hidesRows(): boolean, ranges(): Limits | null, paths(): Path[]}} on
   */
  constructor(store, on) {
    this.store = store;
    this.on = on;
    /** @type {SplitMotion | null} */
    this.motion = null;
    this.idle = EMPTY;
    /** @type {Map<number | undefined, RecordedNode>} */
    this.byNode = new Map();
    this.key = this.announced = ""; // keys of the displayed and of the announced texts
    this.steppedAt = -Infinity;
    /** @param {number} k @param {boolean} [settled] */
    const go = (k, settled) => {
      this.pause();
      on.go(k, settled);
    };
    const playOrPause = () => on.play(!on.isPlaying());
    this.staircase = new Staircase(store, { ...on, go });
    this.buttons = new RecorderButtons(store, { ...on, go, playOrPause });
    this.words = new StepText(store);
  }

  get isOn() {
    return this.store.state.recording !== null;
  }

  get step() {
    return /** @type {RecordedStep} */ (this.store.step);
  }

  /** Load a path before it is drawn. */
  load() {
    this.motion = null;
    this.key = "";
  }

  /**
   * Animate the lines from the previous tree, with index `before`, if there is time. Lessons may skip many steps.
   * @param {number} before
   */
  moved(before) {
    this.motion = null;
    const { store } = this;
    const { path, state } = store;
    if (!this.isOn && !state.inLesson) return;
    const now = performance.now();
    const quick = now - this.steppedAt < HURRY;
    this.steppedAt = now;
    const isPlane = path.nFeatures === 2 && !state.hides.has("plane");
    const isFar = Math.abs(state.k - before) !== 1 && !state.inLesson;
    if (quick || isFar || state.isStill || !isPlane) return;
    const time = motionTime(this.on.isPlaying() ? this.on.wait() : BY_HAND);
    if (!time) return;
    this.motion = new SplitMotion(path.trees[before], path.trees[state.k], this.on.ranges() ?? planeLimits(path), time);
  }

  /** Return whether lines still move. Call it before each drawing. */
  tick() {
    if (this.motion?.isOver) this.motion = null;
    if (!this.isOn) return this.motion !== null;
    // While a tree grows, a leaf may still be split.
    this.idle = this.step.kind === "split" ? EMPTY : idleParts(this.store.tree);
    this.byNode = new Map(this.step.nodes.map((node) => [this.store.tree.nodeOf.get(node.origin), node]));
    return this.motion !== null;
  }

  /** Return the split of a node while its line moves, otherwise null. @param {number} node */
  splitOf(node) {
    return this.motion?.split(node) ?? null;
  }

  /** Return the split of a node in the previous step, or null. @param {number} node */
  oldSplit(node) {
    const { path, state, tree } = this.store;
    if (state.k === 0 || !this.byNode.has(node)) return null;
    const before = path.trees[state.k - 1];
    const there = before.nodeOf.get(tree.origin[node]);
    return there === undefined || before.isLeaf(there) ? null : before.split(there);
  }

  /** Return whether the step has changed the split of a node. @param {number} node */
  isMoved(node) {
    const old = this.oldSplit(node);
    const now = this.store.tree.split(node);
    /** @param {Split} split */
    const text = ({ features, weights, bias }) => `${features.join()} ${weights.join()} ${bias}`;
    return old !== null && text(old) !== text(now);
  }

  /**
   * Draw the rows of a node in its plot; return whether it has drawn them.
   * @param {Picture} picture @param {PlaneFrame} frame @param {number} node @param {number} w
   */
  drawRows(picture, frame, node, w) {
    const recorded = this.byNode.get(node);
    if (!recorded || picture.set !== 0 || this.step.kind === "split") return false;
    careScatter(picture, frame, node, recorded, this.isMoved(node) ? this.oldSplit(node) : null, w);
    return true;
  }

  /**
   * Return the recorded node for a node of the displayed tree if it has care points, otherwise null.
   * @param {number} node
   */
  careOf(node) {
    const recorded = this.byNode.get(node);
    return recorded?.rows.length && this.store.state.set === 0 ? recorded : null;
  }

  /**
   * Draw the care points of a node in the bins of its histogram.
   * @param {Picture} picture @param {BinFrame} frame @param {number} node @param {Numbers} most
   */
  drawBins(picture, frame, node, most) {
    const recorded = this.careOf(node);
    if (recorded) careBins(picture, frame, recorded, most, this.isMoved(node) ? this.oldSplit(node) : null);
  }

  /** Return the opacity of a node of the tree. @param {number} node */
  opacity(node) {
    return this.isOn && this.idle.has(node) && !this.byNode.has(node) ? 0.38 : 1;
  }

  /**
   * Draw a halo behind the plot of a node that is being optimised.
   * @param {TreeView} view @param {number} node @param {ViewBox} box
   */
  halo(view, node, box) {
    if (!this.isOn || !this.byNode.has(node)) return;
    const { context } = view;
    const { theme } = this.store.colors;
    // The halo must not touch neighbouring nodes.
    const gap = Math.max(1.5, Math.min(7, Math.max(3, box.w / 8), (box.room - box.w) / 2 - 1));
    context.save();
    context.fillStyle = context.strokeStyle = theme.accent;
    context.beginPath();
    const below = Math.min(gap, 3); // Text begins 4 pixels below the box.
    context.roundRect(box.x - box.w / 2 - gap, box.y - box.h / 2 - gap, box.w + 2 * gap, box.h + gap + below, gap);
    context.globalAlpha = this.byNode.get(node) === this.store.shownNode ? 0.34 : 0.18;
    context.fill();
    context.globalAlpha = 1;
    context.lineWidth = this.byNode.get(node) === this.store.shownNode ? 3 : 1.5;
    context.stroke();
    context.restore();
  }

  /**
   * Draw the number of care points above the plot of a node, or the reason why the node is grey.
   * @param {TreeView} view @param {number} node @param {ViewBox} box
   */
  mark(view, node, box) {
    if (!this.isOn) return;
    const { colors, state, path } = this.store;
    const recorded = this.byNode.get(node);
    const count = recorded?.rows.length ?? 0;
    if (recorded && count && path.imageShape && box.w >= 16)
      careBar(view.picture, recorded, box, Math.max(3, Math.min(7, box.h / 12)));
    const skipped = this.step.skipped.get(this.store.tree.origin[node]);
    const above = this.idle.get(this.store.tree.parent[node]);
    const reason = recorded || above ? null : this.idle.get(node);
    const text = count ? `${count} care points` : (REASONS[skipped ?? reason ?? ""] ?? "");
    if (!text || box.w < 20) return;
    const y = box.y - box.h / 2 - (count ? 13 : 8) * state.type;
    const isOut = y < 8 * state.type; // A label above the view is drawn next to the node.
    const x = isOut ? box.x + box.w / 2 + 14 : box.x;
    const room = Math.max(box.room, 60);
    view.labels.add({
      x,
      y: isOut ? box.y : y,
      align: isOut ? "left" : "center",
      text,
      size: 12 * state.type,
      color: count ? colors.theme.accentText : colors.theme.muted,
      background: colors.theme.background,
      room: isOut ? Math.min(room, view.width - x) : room,
      weight: count ? 600 : 400,
      kind: "change",
      node,
      whole: true,
    });
  }

  /**
   * Draw the contents of the plane; return whether it has drawn them.
   * @param {Plane} plane @param {Picture} picture @param {PlaneFrame} frame @param {Int32Array} rows @param {Box} box
   */
  drawPlane(plane, picture, frame, rows, box) {
    if (this.isOn) drawRecordedPlane(this, plane, picture, frame, rows, box);
    return this.isOn;
  }

  /** Update the texts for the step and the node. */
  draw() {
    if (!this.isOn) return;
    const { state, shownNode } = this.store;
    const key = `${state.k} ${shownNode?.origin} ${state.type}`;
    if (this.key === key) return;
    this.key = key;
    this.words.draw();
  }

  /** Announce the sentences to screen readers when the stage is idle. */
  rest() {
    if (!this.isOn || this.on.isPlaying()) return;
    const { text } = this.words;
    if (text === this.announced) return;
    this.announced = text;
    this.store.say(text);
  }

  pause() {
    if (this.on.isPlaying()) this.on.play(false);
  }
}
