// The objective of a recorded run as a staircase over its steps, on the same axis as the slider.

import { SIDE } from "../draw/curves.js";
import { h, sized } from "../elements/dom.js";
import { number } from "../model/number_text.js";
import { passes, stepName } from "../model/recording.js";

const ZOOMED = 0.7; // least share of the highest objective from which the axis need not begin at zero

/** Chart; `on`: {go(index, settled), settle(), paths(): those of the stages beside it}. */
export class Staircase {
  constructor(store, on) {
    this.store = store;
    this.on = on;
    this.canvas = h("canvas", { role: "img", "data-testid": "stage-staircase" });
    this.future = h("div", { class: "future", "aria-hidden": "true" });
    this.marker = h("div", { class: "marker", "aria-hidden": "true" }, h("i"));
    this.tip = h("div", { class: "tip", role: "presentation" });
    this.element = h("div", { class: "curves staircase" }, this.canvas, this.future, this.marker, this.tip);
    this.listen(on);
  }

  /** A press goes to the step below it, a drag through the steps. */
  listen(on) {
    const { element } = this;
    const at = (event) => this.indexAt(event.clientX - element.getBoundingClientRect().left);
    let isDown = false;
    element.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || this.store.state.hides.has("transport")) return;
      isDown = true;
      element.setPointerCapture(event.pointerId);
      on.go(at(event), false);
    });
    element.addEventListener("pointermove", (event) => {
      this.showTip(at(event));
      if (isDown) on.go(at(event), false);
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
    return this.store.state.recording.steps;
  }

  get inner() {
    return this.width - SIDE.left - SIDE.right;
  }

  xOf(index) {
    const last = this.steps.length - 1;
    return SIDE.left + (last ? index / last : 0.5) * this.inner;
  }

  indexAt(x) {
    const last = this.steps.length - 1;
    return Math.max(0, Math.min(last, Math.round(((x - SIDE.left) / Math.max(this.inner, 1)) * last)));
  }

  /** Draw the chart; once per recording, size and theme. */
  draw(width, height) {
    const { store, steps } = this;
    const context = sized(this.canvas, width, height);
    context.clearRect(0, 0, width, height);
    if (!width || !height || !steps.length) return;
    this.width = width;
    this.height = height;
    this.context = context;
    this.font = 11 * (0.4 + 0.6 * store.state.type);
    this.box = { top: this.font * 1.8, bottom: height - this.font * 1.5 };
    // stages side by side have one scale
    const paths = [store.path, ...this.on.paths()].filter((path) => path.recording);
    const shown = [steps, ...paths.map((path) => path.recording.steps)].flat();
    const all = shown.flatMap((step) => [step.objective, step.loss]);
    this.high = (Math.max(...all) || 1) * 1.06;
    const low = Math.min(...all);
    this.low = low > ZOOMED * this.high ? low - 0.15 * (this.high - low) : 0;
    this.axis();
    this.passes();
    const { theme } = store.colors;
    const hasPenalty = steps.some((step) => step.objective - step.loss > 1e-9);
    this.area((step) => step.loss, theme.muted, 0.22);
    if (hasPenalty) this.area((step) => step.objective, theme.accent, 0.13);
    this.line((step) => step.loss, theme.muted, 1.4, hasPenalty ? [] : [4, 3]);
    this.line((step) => step.objective, theme.accent, 2.6, []);
    this.dots(theme);
    this.legend(theme, hasPenalty);
    this.canvas.setAttribute("aria-label", this.text());
  }

  y(value) {
    const { top, bottom } = this.box;
    return bottom - ((Math.max(value, this.low) - this.low) / (this.high - this.low)) * (bottom - top);
  }

  axis() {
    const { context, box } = this;
    const { theme } = this.store.colors;
    context.font = `${this.font}px system-ui, sans-serif`;
    context.textAlign = "right";
    context.textBaseline = "middle";
    const ticks = box.bottom - box.top > 64 ? [0, 0.5, 1] : [0, 1];
    for (const share of ticks) {
      const value = this.low + (share * (this.high - this.low)) / 1.06;
      const y = this.y(value);
      context.fillStyle = theme.grid;
      context.fillRect(SIDE.left, Math.round(y), this.inner, 1);
      context.fillStyle = theme.muted;
      context.fillText(number(value, 3), SIDE.left - 7, y);
    }
  }

  /** A line where a pass begins, and its name below. */
  passes() {
    const { context, box, steps } = this;
    const { theme } = this.store.colors;
    const marks = passes(steps);
    context.font = `${this.font}px system-ui, sans-serif`;
    const y = box.bottom + this.font * 0.85;
    const end = steps.findLastIndex((step) => step.kind === "level");
    marks.forEach(({ index, pass }, i) => {
      const left = this.xOf(index - 0.5);
      const right = this.xOf((marks[i + 1]?.index ?? end + 1) - 0.5);
      context.strokeStyle = theme.line;
      context.lineWidth = 1;
      context.setLineDash([2, 3]);
      context.beginPath();
      context.moveTo(Math.round(left) + 0.5, box.top - 4);
      context.lineTo(Math.round(left) + 0.5, this.height);
      context.stroke();
      context.setLineDash([]);
      context.textAlign = "center";
      context.fillStyle = theme.muted;
      const long = `pass ${pass}`;
      const text = context.measureText(long).width < right - left - 8 ? long : String(pass);
      if (context.measureText(text).width < right - left - 2) context.fillText(text, (left + right) / 2, y);
    });
    if (end >= 0 && end + 1 < steps.length) {
      const left = this.xOf(end + 0.5);
      context.strokeStyle = theme.line;
      context.beginPath();
      context.moveTo(Math.round(left) + 0.5, box.top - 4);
      context.lineTo(Math.round(left) + 0.5, this.height);
      context.stroke();
    }
  }

  /** Corners of a staircase: every step keeps its value until the next one. */
  corners(of) {
    const { steps } = this;
    if (steps.length === 1) return [SIDE.left, this.width - SIDE.right].map((x) => [x, this.y(of(steps[0]))]);
    return steps.flatMap((step, i) => [
      [this.xOf(Math.max(i - 0.5, 0)), this.y(of(step))],
      [this.xOf(Math.min(i + 0.5, steps.length - 1)), this.y(of(step))],
    ]);
  }

  area(of, color, alpha) {
    const { context, box } = this;
    const corners = this.corners(of);
    context.beginPath();
    for (const [x, y] of corners) context.lineTo(x, y);
    context.lineTo(corners.at(-1)[0], box.bottom);
    context.lineTo(corners[0][0], box.bottom);
    context.fillStyle = color;
    context.globalAlpha = alpha;
    context.fill();
    context.globalAlpha = 1;
  }

  line(of, color, width, dash) {
    const { context } = this;
    context.beginPath();
    for (const [x, y] of this.corners(of)) context.lineTo(x, y);
    context.strokeStyle = color;
    context.lineWidth = width;
    context.lineJoin = "round";
    context.setLineDash(dash);
    context.stroke();
    context.setLineDash([]);
  }

  /** A dot at every step; pruning has a square. */
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

  legend(theme, hasPenalty) {
    const { context } = this;
    const y = this.font * 0.8;
    let x = SIDE.left;
    context.textAlign = "left";
    const write = (text, color, weight) => {
      context.font = `${weight} ${this.font}px system-ui, sans-serif`;
      context.fillStyle = color;
      context.fillText(text, x, y);
      x += context.measureText(text).width;
    };
    const swatch = (color, alpha, line) => {
      context.globalAlpha = alpha;
      context.fillStyle = color;
      context.fillRect(x, y - 5, 14, 10);
      context.globalAlpha = 1;
      context.fillRect(x, y - 5, 14, line);
      x += 19;
    };
    swatch(theme.accent, hasPenalty ? 0.13 : 0, 2.6);
    write("objective", theme.text, 600);
    if (hasPenalty)
      write(
        this.store.path.recording.title === "CART" ? " = errors + λ · splits" : " = errors + λ · penalty",
        theme.muted,
        400,
      );
    x += 16;
    swatch(theme.muted, 0.22, 1.4);
    write("errors", theme.muted, 400);
    const last = this.steps.at(-1);
    const text = last.kind === "prune" ? "■ pruning" : "";
    context.textAlign = "right";
    if (text && this.width - x > 160) context.fillText(text, this.width - SIDE.right, y);
  }

  text() {
    const { steps } = this;
    const [first, last] = [steps[0], steps.at(-1)];
    return (
      `Objective over ${steps.length} steps: from ${number(first.objective, 4)} to ${number(last.objective, 4)}; ` +
      `errors from ${number(first.loss, 4)} to ${number(last.loss, 4)}.`
    );
  }

  /** Marker at the step on screen; what comes later is fainter. */
  mark(index) {
    if (!this.box) return; // hidden from the beginning
    const x = this.xOf(index);
    this.marker.style.transform = `translateX(${x}px)`;
    this.marker.firstChild.style.top = `${this.y(this.steps[index].objective) - this.box.top}px`;
    this.marker.style.top = `${this.box.top}px`;
    this.future.style.left = `${x + 1}px`;
    this.future.style.top = `${this.box.top - 5}px`;
  }

  drawNode() {
    // nodes have no lines of their own here
  }

  showTip(index) {
    this.tip.style.display = index === null ? "none" : "block";
    if (index === null) return;
    const step = this.steps[index];
    this.tip.textContent = [
      stepName(step),
      `objective ${number(step.objective, 4)}`,
      `${number(step.loss, 4)} errors (${this.store.path.target.errorText(step.error)})`,
    ].join(" · ");
    const x = this.xOf(index);
    this.tip.style.left = `${Math.min(Math.max(x, 150), this.width - 150)}px`;
  }
}
