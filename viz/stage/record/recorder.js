// Recorded run on the stage: the displayed step and node, and their additions to the drawings. It is inactive for paths
// without a recording.

import { careBar } from "../draw/care_points.js";
import { fill, h, icon, isTyping, takesPages } from "../elements/dom.js";
import { planeLimits } from "../geometry/limits.js";
import { SplitMotion, motionTime } from "../geometry/split_motion.js";
import { idleParts, passes, stepName } from "../model/recording.js";
import { careBins, careScatter, drawRecordedPlane } from "./recorded_plane.js";
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
    const many = state.isGuessing ? "" : `${count} `;
    const text = count ? `${many}care points` : (REASONS[skipped ?? reason ?? ""] ?? "");
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
    if (!this.isOn || this.on.isPlaying() || this.store.state.isGuessing) return;
    const { text } = this.words;
    if (text === this.announced) return;
    this.announced = text;
    this.store.say(text);
  }

  pause() {
    if (this.on.isPlaying()) this.on.play(false);
  }
}

/** Two sentences below the tree. */
export class StepText {
  /** @param {Store} store */
  constructor(store) {
    this.store = store;
    this.step = h("p", { class: "step-sentence", "data-testid": "stage-step-sentence" });
    this.node = h("p", { class: "node-sentence", "data-testid": "stage-node-sentence" });
    this.element = h("div", { class: "step-text" }, this.step, this.node);
  }

  draw() {
    const { step, shownNode: shown, path } = this.store;
    if (!step) return;
    const several = step.nodes.length > 1;
    const isEmpty = !path.sample.n;
    this.write(this.step, isEmpty ? "Points and tree are still missing." : step.sentence || stepName(step));
    this.write(this.node, shown ? shown.sentence : "");
    this.element.classList.toggle("several", several);
  }

  /** @param {HTMLElement} element @param {string} words */
  write(element, words) {
    const text = words.replaceAll(" %", "\u00a0%"); // A number stays on one line with its unit.
    if (element.textContent !== text) fill(element, text);
  }

  /** Return both sentences, for screen readers. */
  get text() {
    return [this.step.textContent, this.node.textContent].filter(Boolean).join(" ");
  }
}

const SPEEDS = [
  ["0.25×", 3200],
  ["0.5×", 1600],
  ["1×", 800],
  ["2×", 400],
  ["4×", 200],
  ["8×", 100],
];
const USUAL = 800;

/** `on`: {go(index), isPlaying(), playOrPause(), setSpeed(milliseconds)}. */
export class RecorderButtons {
  /**
   * @param {Store} store
   * @param {{go(index: number, settled?: boolean): void, isPlaying(): boolean, playOrPause(): void, setSpeed(wait: number): void}} on
   */
  constructor(store, on) {
    this.store = store;
    this.on = on;
    /** @param {import("../elements/dom.js").IconName} name @param {string} text @param {() => void} act @param {string} test */
    const button = (name, text, act, test) =>
      h("button", { "aria-label": text, title: text, "data-testid": test, onclick: act }, icon(name));
    /** @param {() => number} k */
    const go = (k) => () => on.go(k());
    const last = () => store.path.trees.length - 1;
    this.play = h("button", {
      class: "play primary",
      "data-testid": "stage-play",
      onclick: () => on.playOrPause(),
    });
    this.speed = h(
      "select",
      {
        "aria-label": "Speed",
        title: "Speed",
        "data-testid": "stage-speed",
        onchange: () => on.setSpeed(Number(this.speed.value)),
      },
      SPEEDS.map(([text, wait]) => h("option", { value: wait, selected: wait === USUAL }, text)),
    );
    this.back = [
      button(
        "first",
        "First step",
        go(() => 0),
        "stage-first",
      ),
      button(
        "previous",
        "Step back (Page Up)",
        go(() => store.state.k - 1),
        "stage-back",
      ),
    ];
    this.ahead = [
      button(
        "next",
        "Step (Page Down)",
        go(() => store.state.k + 1),
        "stage-step",
      ),
      button("last", "Last step", go(last), "stage-last"),
    ];
    this.pass = h(
      "button",
      {
        "data-testid": "stage-pass",
        title: "Next pass ( ] )",
        onclick: go(() => this.nextPass()),
      },
      "Next pass",
    );
    this.where = h("output", { class: "lambda", "data-testid": "stage-where" });
    this.element = h(
      "div",
      { class: "transport steps" },
      this.back,
      this.play,
      this.ahead,
      this.pass,
      this.speed,
      h("span", { class: "space" }),
      this.where,
    );
    this.wait = USUAL;
  }

  /**
   * Return the first step of the next pass. For direction -1, it is the first
   * step of the current or the previous pass.
   */
  nextPass(direction = 1) {
    const { k, recording } = this.store.state;
    const steps = recording?.steps ?? [];
    const starts = [0, ...passes(steps).map(({ index }) => index)];
    const next = direction > 0 ? starts.find((index) => index > k) : starts.findLast((index) => index < k);
    return next ?? (direction > 0 ? steps.length - 1 : 0);
  }

  /** @param {number} k */
  show(k) {
    const { path, state } = this.store;
    const steps = state.recording?.steps ?? [];
    const count = path.trees.length;
    for (const one of this.back) one.disabled = k === 0;
    for (const one of this.ahead) one.disabled = k === count - 1;
    this.pass.disabled = k === count - 1;
    this.pass.hidden = !steps.some((step) => step.kind === "level");
    this.play.disabled = this.speed.disabled = count < 2;
    const lastPass = steps.findLast((step) => step.kind === "level")?.iteration;
    const step = steps[k];
    const name = step.kind === "level" ? `Pass ${step.iteration} of ${lastPass} · depth ${step.depth}` : stepName(step);
    this.where.textContent = `${name}  ·  step ${k + 1} of ${count}`;
    this.showPlaying();
  }

  showPlaying() {
    const isPlaying = this.on.isPlaying();
    const action = isPlaying ? "Pause (P)" : "Play (P)";
    if (this.play.title === action) return;
    fill(this.play, icon(isPlaying ? "pause" : "play"));
    this.play.title = action;
    this.play.setAttribute("aria-label", isPlaying ? "Pause" : "Play");
  }
  /** @param {number} wait */
  setSpeed(wait) {
    this.wait = wait;
    this.speed.value = String(wait);
  }

  /**
   * Handle keys for a recorded run, in addition to those of the slider and the buttons. Page Down and Page Up, which
   * remote controls send, step forward and back. P plays and pauses. ] and [ go to the next and the previous pass.
   * @param {KeyboardEvent} event
   */
  key(event) {
    const { store, on } = this;
    const { key } = event;
    const isCommand = event.ctrlKey || event.metaKey || event.altKey;
    const isTaken = key.startsWith("Page") ? takesPages(event) : isTyping(event);
    if (store.state.hides.has("transport") || event.defaultPrevented || isTaken || isCommand) return;
    const act = {
      PageDown: () => on.go(store.state.k + 1),
      PageUp: () => on.go(store.state.k - 1),
      p: () => on.playOrPause(),
      "]": () => on.go(this.nextPass(1)),
      "[": () => on.go(this.nextPass(-1)),
    }[key.length === 1 ? key.toLowerCase() : key];
    if (!act) return;
    act();
    event.preventDefault();
  }
}
