// A recorded run on the stage: which step and which node are shown, and what they add to the pictures. Silent while the
// path has no recording.

import { careBins, careScatter } from "./care_pictures.js";
import { careBar } from "../draw/care_points.js";
import { idleParts } from "../model/idle_parts.js";
import { Paint } from "../paint/paint.js";
import { recorderKey } from "./recorder_keys.js";
import { RecorderButtons } from "./recorder_buttons.js";
import { bareRecording } from "../model/recording.js";
import { Said } from "./step_text.js";
import { SplitMotion, motionTime } from "../geometry/split_motion.js";
import { Staircase } from "./staircase.js";

const HURRY = 120; // milliseconds since the step before, below which lines jump
const BY_HAND = 900; // milliseconds that a step by hand may take as if it were played
const PLANE = { share: 0.5, tall: 1.2, stacked: 0.54, narrow: 600, high: 1.3 };
const EMPTY = new Map();
const REASONS = { dead: "no points", pure: "pure", same: "one answer", frozen: "locked" };

export class Recorder {
  constructor(stage) {
    this.stage = stage;
    this.recording = null;
    this.motion = null;
    this.idle = EMPTY;
    this.paint = new Paint(stage);
    this.staircase = new Staircase(stage, {
      go: (k, settled) => {
        this.pause();
        stage.go(k, settled);
      },
      settle: () => stage.settle(),
    });
    this.buttons = new RecorderButtons(stage);
    this.said = new Said(stage);
  }

  get isOn() {
    return this.recording !== null;
  }

  /** The step on screen. */
  get step() {
    return this.recording.steps[this.stage.state.k];
  }

  /** Node of the step whose care points are shown: the selected one if the step has it, else the one with most. */
  get shown() {
    const { step } = this;
    return step.nodes.find((node) => node.origin === this.stage.state.node) ?? step.most;
  }

  /** Positions in the sample of the care points of the shown node. */
  get caring() {
    const { shown } = this;
    if (this.caringOf !== shown) {
      this.caringOf = shown;
      this.caringSet = new Set(shown.rows);
    }
    return this.caringSet;
  }

  /** Limits of the plane where they are not those of the data, else null. */
  get ranges() {
    return this.paint.ranges;
  }

  /** Most points that the plane draws. */
  get mostPoints() {
    return 5000;
  }

  /** Whether the painter draws the points, being ahead of the recording. */
  get hidesRows() {
    return this.paint.isAhead;
  }

  /** A path has come, with what the page says of it; called before it is drawn. */
  load(path, initial) {
    const { stage } = this;
    this.motion = null;
    this.said.key = null;
    this.recording = path.recording ?? (this.paint.isOn ? bareRecording(path) : null);
    this.mount();
    this.paint.loaded(initial.paint);
    if (!this.isOn) return;
    stage.player.wait = this.buttons.wait;
    const of = stage.title ? ` of ${stage.title}` : "";
    stage.transport.slider.setAttribute("aria-label", `Step of the recorded run${of}`);
  }

  /** Put the parts of a recorded run in the place of those of a path, or back. */
  mount() {
    const { curves, transport, legend, element, plane, picture } = this.stage;
    const { said, paint, isOn } = this;
    element.classList.toggle("recording", isOn);
    if (!isOn) element.classList.remove("stacked");
    element.classList.toggle("empty", isOn && this.stage.path.sample.n === 0);
    const mounted = `${isOn} ${paint.isOn}`;
    if (this.mounted === mounted) return; // a canvas that is moved loses the pen that is on it
    this.mounted = mounted;
    for (const [off, on] of [
      [curves.element, this.staircase.element],
      [transport.buttons, this.buttons.element],
    ])
      (isOn ? off : on).replaceWith(isOn ? on : off);
    for (const part of [said.element, said.legend, paint.bar.element, paint.canvas, paint.hint]) part.remove();
    if (!isOn) return;
    legend.element.parentElement.before(said.element);
    legend.element.after(said.legend);
    if (!paint.isOn) return;
    picture.before(paint.bar.element);
    plane.element.append(paint.canvas, paint.hint);
  }

  /** Whether the plane is shown beside the tree. */
  get hasPlane() {
    return this.stage.state.plane !== false;
  }

  /** Share a picture of this size between plane and tree. */
  measure(width, height) {
    const { plane, view } = this.stage;
    this.room = this.stage.picture.clientHeight;
    const shares = this.layout(width, height, this.stage.hasPlane);
    plane.resize(...shares.plane);
    plane.height = Math.min(plane.room, Math.max(plane.height, PLANE.high * plane.side));
    view.resize(...shares.view);
    view.stand(shares.left, shares.top);
  }

  layout(width, height, hasPlane) {
    const isStacked = hasPlane && width < PLANE.narrow && height > 420;
    this.stage.element.classList.toggle("stacked", isStacked);
    if (!hasPlane) return { plane: [0, height], view: [width, height], left: 0, top: 0 };
    if (isStacked) {
      const top = Math.round(height * PLANE.stacked);
      return { plane: [width, top], view: [width, height - top], left: 0, top };
    }
    const side = Math.round(Math.min(width * PLANE.share, height * PLANE.tall));
    return { plane: [side, height], view: [width - side, height], left: side, top: 0 };
  }

  /** The stage goes from the tree `before` to another one: lines move there, if there is time. */
  moved(before) {
    this.motion = null;
    if (!this.isOn) return;
    const { stage } = this;
    const { path, state, plane } = stage;
    const now = performance.now();
    const quick = now - (this.steppedAt ?? -Infinity) < HURRY;
    this.steppedAt = now;
    if (quick || Math.abs(state.k - before) !== 1 || stage.reducedMotion || !plane.frame || path.nFeatures !== 2)
      return;
    const time = motionTime(this.isPlaying ? stage.linked.player.wait : BY_HAND);
    if (!time) return;
    this.motion = new SplitMotion(path.trees[before], path.trees[state.k], plane.frame, time);
  }

  /** Before each drawing: whether lines still move. */
  tick() {
    if (this.motion?.isOver) this.motion = null;
    if (!this.isOn) return false;
    // while a tree grows, a leaf is not done yet
    this.idle = this.step.kind === "split" ? EMPTY : idleParts(this.stage.tree);
    this.byNode = new Map(this.step.nodes.map((node) => [this.stage.tree.nodeOf.get(node.origin), node]));
    return this.motion !== null;
  }

  /** Split of a node while its line moves, else null. */
  splitOf(node) {
    return this.motion?.split(node) ?? null;
  }

  /** Split of a node one step before, or null. */
  oldSplit(node) {
    const { path, state, tree } = this.stage;
    if (state.k === 0 || !this.byNode.has(node)) return null;
    const before = path.trees[state.k - 1];
    const there = before.nodeOf.get(tree.origin[node]);
    return there === undefined || before.isLeaf(there) ? null : before.split(there);
  }

  /** Whether the step has changed the split of a node. */
  isMoved(node) {
    const old = this.oldSplit(node);
    const now = this.stage.tree.split(node);
    const text = ({ features, weights, bias }) => `${features.join()} ${weights.join()} ${bias}`;
    return old !== null && text(old) !== text(now);
  }

  /** The rows of a node in its own picture; returns whether they have been drawn. */
  drawRows(picture, frame, node, w) {
    const recorded = this.byNode?.get(node);
    if (!recorded || picture.set !== 0 || this.step.kind === "split") return false;
    careScatter(picture, frame, node, recorded, this.isMoved(node) ? this.oldSplit(node) : null, w);
    return true;
  }

  /** Recorded node of a node of the tree on screen when it has care points, else null. */
  careOf(node) {
    const recorded = this.byNode?.get(node);
    return recorded?.rows.length && this.stage.state.set === 0 ? recorded : null;
  }

  /** Its care points in the bins of its histogram. */
  drawBins(picture, frame, node, most) {
    careBins(picture, frame, this.careOf(node), most, this.isMoved(node) ? this.oldSplit(node) : null);
  }

  /** Opacity of a node of the tree. */
  opacity(node) {
    return this.isOn && this.idle.has(node) && !this.byNode.has(node) ? 0.38 : 1;
  }

  /** Below the picture of a node: a halo when it is being optimised. */
  halo(view, node, box) {
    if (!this.isOn || !this.byNode.has(node)) return;
    const { context } = view;
    const { theme } = this.stage.colors;
    const gap = Math.max(1.5, Math.min(7, Math.max(3, box.w / 8), (box.room - box.w) / 2 - 1)); // off its neighbours
    context.save();
    context.fillStyle = context.strokeStyle = theme.accent;
    context.beginPath();
    const below = Math.min(gap, 3); // words begin 4 pixels below the box
    context.roundRect(box.x - box.w / 2 - gap, box.y - box.h / 2 - gap, box.w + 2 * gap, box.h + gap + below, gap);
    context.globalAlpha = this.byNode.get(node) === this.shown ? 0.34 : 0.18;
    context.fill();
    context.globalAlpha = 1;
    context.lineWidth = this.byNode.get(node) === this.shown ? 3 : 1.5;
    context.stroke();
    context.restore();
  }

  /** Above the picture of a node: its care points counted, or why it is grey. */
  mark(view, node, box) {
    if (!this.isOn) return;
    const { colors, state, path } = this.stage;
    const recorded = this.byNode.get(node);
    const count = recorded?.rows.length ?? 0;
    if (count && path.imageShape && box.w >= 16)
      careBar(view.picture, recorded, box, Math.max(3, Math.min(7, box.h / 12)));
    const skipped = this.step.skipped.get(this.stage.tree.origin[node]);
    const above = this.idle.get(this.stage.tree.parent[node]);
    const reason = recorded || above ? null : this.idle.get(node);
    const text = count ? `${count} care` : (REASONS[skipped ?? reason] ?? "");
    if (!text || box.w < 20) return;
    const y = box.y - box.h / 2 - (count ? 13 : 8) * state.type;
    const isOut = y < 8 * state.type; // above the view: beside the node then
    view.labels.add({
      x: isOut ? box.x + box.w / 2 + 14 : box.x,
      y: isOut ? box.y : y,
      align: isOut ? "left" : "center",
      text,
      size: 10.5 * state.type,
      color: count ? colors.theme.accentText : colors.theme.muted,
      background: colors.theme.background,
      room: Math.max(box.room, 60),
      weight: count ? 600 : 400,
      kind: "change",
      node,
      whole: true,
    });
  }

  /** Words and buttons follow the step and the node. */
  draw() {
    if (!this.isOn) return;
    const { element, state } = this.stage;
    const { shown } = this;
    element.dataset.shown = shown ? shown.origin : "";
    this.paint.draw();
    const key = `${state.k} ${shown?.origin} ${state.type}`;
    if (this.said.key === key) return;
    this.said.key = key;
    this.said.draw();
    requestAnimationFrame(() => this.fit());
  }

  /** Words that were written after the picture was measured have left it another height. */
  fit() {
    if (this.isOn && this.stage.picture.clientHeight !== this.room) this.stage.resize();
  }

  /** The stage rests: screen readers hear the sentences. */
  rest() {
    if (!this.isOn || this.isPlaying) return;
    const { text } = this.said;
    if (text === this.told) return;
    this.told = text;
    this.stage.say(text);
  }

  get isPlaying() {
    return this.stage.linked.player.isPlaying;
  }

  playOrPause() {
    const { player } = this.stage.linked;
    player.play(!player.isPlaying);
  }

  pause() {
    if (this.isPlaying) this.stage.linked.player.play(false);
  }

  setSpeed(wait) {
    this.buttons.wait = wait;
    for (const stage of this.stage.linked.inStep) {
      stage.recorder.buttons.wait = wait;
      stage.recorder.buttons.speed.value = String(wait);
      stage.player.setSpeed(wait);
    }
  }

  /** Slider and buttons show the step. */
  show(k) {
    const { slider } = this.stage.transport;
    slider.setAttribute("aria-valuetext", `Step ${k + 1} of ${this.recording.steps.length}. ${this.step.sentence}`);
    this.buttons.show(k);
    for (const stage of this.stage.linked.inStep) if (stage !== this.stage) stage.recorder.buttons.showPlaying();
  }

  key(event) {
    if (this.isOn) recorderKey(this, event);
  }
}
