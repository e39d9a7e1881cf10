// Chart of the objective of a recorded run, as a staircase over its steps.

import { PathChart, SIDE } from "../draw/path_chart.js";
import { FONT, h } from "../elements/dom.js";
import { number } from "../model/number_text.js";
import { passes, stepName } from "../model/recording.js";

const ZOOMED = 0.7; // minimum share of the highest objective at which the axis may start above zero

/** @typedef {(step: RecordedStep) => number} Of */
/** @type {Of} */
const objective = (step) => step.objective;
/** @type {Of} */
const loss = (step) => step.loss;

/** The chart. `paths()`: paths of the other stages, if several are side by side. */
export class Staircase extends PathChart {
  /** @param {Store} store @param {{go(index: number, settled?: boolean): void, settle(): void, paths(): Path[]}} on */
  constructor(store, on) {
    const future = h("div", { class: "future", "aria-hidden": "true" });
    super(store, "curves staircase", "stage-staircase", future);
    this.on = on;
    this.future = future;
    this.dot = h("i");
    this.marker.append(this.dot);
    this.tip.setAttribute("role", "presentation");
    this.box = { top: 0, bottom: 0 };
    this.low = this.high = 0;
    this.listen();
  }

  /** Go to the step under a press, and through the steps during a drag. */
  listen() {
    const { element, on } = this;
    let isDown = false;
    element.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || this.store.state.hides.has("transport")) return;
      isDown = true;
      element.setPointerCapture(event.pointerId);
      on.go(this.indexAt(event), false);
    });
    element.addEventListener("pointermove", (event) => {
      this.showTip(this.indexAt(event));
      if (isDown) on.go(this.indexAt(event), false);
    });
    const up = () => {
      if (isDown) on.settle();
      isDown = false;
    };
    element.addEventListener("pointerup", up);
    element.addEventListener("pointercancel", up);
    element.addEventListener("pointerleave", () => this.showTip(null));
  }

  get steps() {
    return this.store.state.recording?.steps ?? [];
  }

  /** Values of the loss in the objective. */
  get errors() {
    return this.store.path.target.root ? "squared errors" : "errors";
  }

  /** Draw the chart, once per recording, size and theme. @param {number} width @param {number} height */
  draw(width, height) {
    const { store, steps } = this;
    if (!width || !height || !steps.length) return;
    const { type, projector } = store.state;
    this.begin(width, height, projector ? 10 * type : 11 * (0.4 + 0.6 * type));
    this.box = { top: this.font * 1.8, bottom: height - this.font * 1.5 };
    // Stages side by side share one scale.
    const shown = [steps, ...[store.path, ...this.on.paths()].map((path) => path.recording?.steps ?? [])].flat();
    const all = shown.flatMap((step) => [step.objective, step.loss]);
    this.high = (Math.max(...all) || 1) * 1.06;
    const low = Math.min(...all);
    this.low = low > ZOOMED * this.high ? low - 0.15 * (this.high - low) : 0;
    const ticks = this.box.bottom - this.box.top > 64 ? [0, 0.5, 1] : [0, 1];
    const values = ticks.map((share) => this.low + (share * (this.high - this.low)) / 1.06);
    this.axis(values.map((value) => [this.y(value), number(value, 3)]));
    this.passes();
    const { theme } = store.colors;
    const hasPenalty = steps.some((step) => step.objective - step.loss > 1e-9);
    if (this.low === 0) {
      // Filled areas start at zero.
      this.area(loss, theme.muted, 0.22);
      if (hasPenalty) this.area(objective, theme.accent, 0.13);
    }
    this.stroke(this.corners(loss), theme.muted, 1.4, hasPenalty ? [] : [4, 3]);
    this.stroke(this.corners(objective), theme.accent, 2.6, []);
    this.dots(theme);
    this.legend(theme, hasPenalty);
    this.canvas.setAttribute("aria-label", this.text());
  }

  /** @param {number} value */
  y(value) {
    const { top, bottom } = this.box;
    return bottom - ((Math.max(value, this.low) - this.low) / (this.high - this.low)) * (bottom - top);
  }

  /** Draw a line at the start of each pass, with the name of the pass below. */
  passes() {
    const { context, box, steps, height } = this;
    const { theme } = this.store.colors;
    const marks = passes(steps);
    context.font = `${this.font}px ${FONT}`;
    const y = box.bottom + this.font * 0.85;
    const end = steps.findLastIndex((step) => step.kind === "level");
    /** @param {number} x @param {number[]} dash */
    const border = (x, dash) => {
      const left = Math.round(x) + 0.5;
      this.stroke([[left, box.top - 4], [left, height]], theme.line, 1, dash); // prettier-ignore
    };
    marks.forEach(({ index, pass }, i) => {
      const left = this.xOf(index - 0.5);
      const right = this.xOf((marks[i + 1]?.index ?? end + 1) - 0.5);
      border(left, [2, 3]);
      context.textAlign = "center";
      context.fillStyle = theme.muted;
      const long = `pass ${pass}`;
      const text = context.measureText(long).width < right - left - 8 ? long : String(pass);
      if (context.measureText(text).width < right - left - 2) context.fillText(text, (left + right) / 2, y);
    });
    if (end >= 0 && end + 1 < steps.length) border(this.xOf(end + 0.5), []);
  }

  /**
   * Return the corners of a staircase, on which every step keeps its value until the next step.
   * @param {Of} of @returns {Corners}
   */
  corners(of) {
    const { steps } = this;
    if (steps.length === 1) return [this.left, this.width - SIDE.right].map((x) => [x, this.y(of(steps[0]))]);
    return steps.flatMap((step, i) =>
      [Math.max(i - 0.5, 0), Math.min(i + 0.5, steps.length - 1)].map(
        (at) => /** @type {Pair} */ ([this.xOf(at), this.y(of(step))]),
      ),
    );
  }

  /** @param {Of} of @param {string} color @param {number} alpha */
  area(of, color, alpha) {
    const { context, box } = this;
    const corners = this.corners(of);
    context.beginPath();
    context.moveTo(corners[0][0], box.bottom);
    for (const [x, y] of corners) context.lineTo(x, y);
    context.lineTo(corners[corners.length - 1][0], box.bottom);
    context.fillStyle = color;
    context.globalAlpha = alpha;
    context.fill();
    context.globalAlpha = 1;
  }

  /** Draw a dot at every step and a square at pruning. @param {Theme} theme */
  dots(theme) {
    const { context, steps } = this;
    const room = this.inner / Math.max(steps.length - 1, 1);
    context.fillStyle = theme.accent;
    context.strokeStyle = theme.background;
    context.lineWidth = 1.5;
    steps.forEach((step, i) => {
      if (room < 7 && step.kind !== "prune") return;
      const x = this.xOf(i),
        y = this.y(step.objective);
      context.beginPath();
      if (step.kind === "prune") context.rect(x - 4, y - 4, 8, 8);
      else context.arc(x, y, 3, 0, 7);
      context.fill();
      context.stroke();
    });
  }

  /** @param {Theme} theme @param {boolean} hasPenalty */
  legend(theme, hasPenalty) {
    const { context, errors } = this;
    const y = this.font * 0.8;
    /** @param {number} x @param {string} color @param {number} alpha @param {number} line height of the line */
    const swatch = (x, color, alpha, line) => {
      context.globalAlpha = alpha;
      context.fillStyle = color;
      context.fillRect(x, y - 5, 14, 10);
      context.globalAlpha = 1;
      context.fillRect(x, y - 5, 14, line);
      return x + 19;
    };
    let x = swatch(this.left, theme.accent, hasPenalty ? 0.13 : 0, 2.6);
    x = this.write("objective", theme.text, 600, x, y);
    const penalty = this.store.path.recording?.title === "CART" ? "splits" : "penalty";
    if (hasPenalty) x = this.write(` = ${errors} + λ · ${penalty}`, theme.muted, 400, x, y);
    x = this.write(errors, theme.muted, 400, swatch(x + 16, theme.muted, 0.22, 1.4), y);
    context.textAlign = "right";
    if (this.steps.at(-1)?.kind === "prune" && this.width - x > 160)
      context.fillText("■ pruning", this.width - SIDE.right, y);
  }

  text() {
    const { steps } = this;
    const [first, last] = [steps[0], steps[steps.length - 1]];
    return (
      `Objective over ${steps.length} steps: from ${number(first.objective, 4)} to ${number(last.objective, 4)}; ` +
      `${this.errors} from ${number(first.loss, 4)} to ${number(last.loss, 4)}.`
    );
  }

  /** Move the marker to the displayed step. Later steps are fainter. @param {number} index */
  mark(index) {
    if (!this.height) return; // The chart is hidden from the beginning.
    super.mark(index);
    this.dot.style.top = `${this.y(this.steps[index].objective) - this.box.top}px`;
    this.marker.style.top = `${this.box.top}px`;
    this.future.style.left = `${this.xOf(index) + 1}px`;
    this.future.style.top = `${this.box.top - 5}px`;
    this.future.style.height = `${this.box.bottom - this.box.top + 9}px`; // The names of passes stay visible.
  }

  drawNode() {
    // This chart has no lines for nodes.
  }

  /** @param {number | null} index */
  showTip(index) {
    if (index === null) return this.tell(null, []);
    const step = this.steps[index];
    const errors = `${number(step.loss, 4)} ${this.errors} (${this.store.path.target.errorText(step.error)})`;
    return this.tell(index, [stepName(step), `objective ${number(step.objective, 4)}`, errors]);
  }
}
