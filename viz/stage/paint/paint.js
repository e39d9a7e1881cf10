// Tool for painting data: points of several classes on the plane, which are reported when the pen is lifted.

import { valuesAt } from "../draw/scatter.js";
import { fill, h, hasFocus, sizeCanvas } from "../elements/dom.js";
import { MOST_POINTS, PaintedPoints, TOP } from "../geometry/painted_points.js";
import { count, counted } from "../model/number_text.js";
import { grouped } from "../model/tree.js";
import { listenToPainter } from "./paint_pointer.js";

const ROOM = 0.03; // margin around the unit square
const SETTLES = 260; // milliseconds from lifting the pen to the report
const SPOT = 3.2; // radius of a point in pixels

/**
 * The tool on the plane of a stage. `options`: those of the page, or null. `on.frame()`: frame of the plane once it is
 * drawn.
 */
export class Paint {
  /**
   * @param {Store} store @param {Life} life
   * @param {{draw(): void, report(painted: Painted): void, frame(): PlaneFrame | undefined}} on
   */
  constructor(store, life, on) {
    this.store = store;
    this.life = life;
    this.on = on;
    /** @type {PaintOptions | null} */
    this.options = null;
    this.model = new PaintedPoints();
    this.text = this.reported = "";
    this.isDirty = false;
    this.shownText = ""; // points of the recording on the stage
    this.label = 0;
    /** @type {PaintMode} */
    this.mode = "spray";
    this.size = 45; // radius of spray and eraser, in units of the points
    this.hasPainted = false;
    /** @type {{x: number, y: number, isKey: boolean} | null} position of the brush, in units of the points */
    this.cursor = null;
    /** @type {number | undefined} */
    this.turn = undefined;
    this.isTold = false;
    this.colorsKey = "";
    this.canvas = h("canvas", {
      class: "painter",
      tabindex: "0",
      role: "application",
      "data-testid": "stage-painter",
      "aria-label":
        "Plane to paint on: arrow keys move the brush, space paints, number keys choose a class, E erases, Z undoes",
    });
    this.hint = h("p", { class: "paint-hint", "aria-hidden": "true" });
    this.bar = new PaintBar(this);
    this.liftPen = listenToPainter(this);
  }

  get isOn() {
    return this.options !== null;
  }

  /** Whether the user may paint. */
  get isUsable() {
    return this.isOn && !this.store.state.hides.has("paint");
  }

  /** @returns {Limits | null} */
  get ranges() {
    if (!this.isOn) return null;
    return { low: [-ROOM, -ROOM], high: [1 + ROOM, 1 + ROOM], first: [0, 0], last: [1, 1] };
  }

  /** Whether there are strokes that the recording on the stage does not contain. */
  get isAhead() {
    return this.isOn && (this.isDirty || this.text !== this.shownText);
  }

  /**
   * Set the options from the page. Points of an older turn are ignored, because the user has painted more.
   * @param {PaintOptions | null} options
   */
  set(options) {
    if (options === null) {
      this.liftPen();
      this.life.stop(this.later);
      this.hasPainted = false;
      this.turn = undefined;
    }
    this.options = options;
    if (options === null || options.turn === this.turn) return;
    this.turn = options.turn;
    this.hasPainted = false;
    this.model = new PaintedPoints(options.points);
    this.text = this.reported = this.model.text;
    this.isDirty = false;
    this.label = Math.min(this.label, options.classes.length - 1);
    this.bar.draw();
    this.on.draw();
  }

  /** Load a path that was made from the points in `options`. @param {{points?: string} | null | undefined} options */
  loaded(options) {
    if (!this.isOn) return;
    this.shownText = new PaintedPoints(options?.points ?? "").text;
    this.bar.draw();
  }

  /** Draw changed points now, and report them when the pen rests. */
  changed() {
    this.isDirty = true; // Many points are converted to text only when the pen is lifted.
    this.on.draw();
    this.bar.draw();
    this.life.stop(this.later);
  }

  /** Report the points when the pen is lifted. */
  settle() {
    this.life.stop(this.later);
    this.text = this.model.text;
    this.isDirty = false;
    if (this.text === this.reported) return;
    this.later = this.life.later(() => this.report(), SETTLES);
  }

  report() {
    if (this.text === this.reported) return;
    this.reported = this.text;
    this.hasPainted = true; // The user has chosen the displayed step.
    this.on.report({ turn: this.turn, points: this.text });
    this.bar.draw();
  }

  /** Paint or erase at a position, in units of the points. @param {number} x @param {number} y */
  stroke(x, y) {
    const { model, mode, label, size } = this;
    if (mode === "erase") model.erase(x, y, size);
    else if (mode === "point") this.full(!model.add(x, y, label));
    else {
      const away = size * Math.sqrt(Math.random());
      const angle = 2 * Math.PI * Math.random();
      this.full(!model.add(x + away * Math.cos(angle), y + away * Math.sin(angle), label));
    }
    this.changed();
  }

  /** @param {boolean} is */
  full(is) {
    if (is && !this.isTold) this.store.say(`At most ${MOST_POINTS} points. Erase some to paint more.`);
    this.isTold = is;
  }

  undo() {
    if (!this.model.undo()) return;
    this.changed();
    this.settle();
    this.say("Undone");
  }

  clear() {
    this.model.clear();
    this.changed();
    this.settle();
    this.say("All points removed");
  }

  /** @param {string} what */
  say(what) {
    this.store.say(`${what}; ${this.model.n} points.`);
  }

  /** @param {number} label */
  choose(label) {
    if (label >= (this.options?.classes.length ?? 0)) return;
    this.label = label;
    if (this.mode === "erase") this.mode = "spray";
    this.bar.draw();
    this.on.draw();
  }

  /** @param {PaintMode} mode */
  setMode(mode) {
    this.mode = mode;
    this.bar.draw();
    this.on.draw();
  }

  /** Return a position on the canvas of the plane, in units of the points. @param {number} left @param {number} top */
  at(left, top) {
    const frame = this.on.frame();
    return frame ? valuesAt(frame, [left, top]).map((value) => value * TOP) : [0, 0];
  }

  /** Draw the brush, and the points if they are newer than the plane. */
  draw() {
    const { colors, layout } = this.store;
    const { plane } = layout;
    const frame = this.on.frame();
    const isShown = this.isUsable && plane.side > 0 && frame !== undefined;
    this.canvas.hidden = this.hint.hidden = !isShown;
    if (!isShown) return;
    if (this.colorsKey !== colors.key) {
      this.colorsKey = colors.key;
      this.bar.draw();
    }
    const context = sizeCanvas(this.canvas, plane.side, plane.height);
    this.canvas.style.top = `${(plane.room - plane.height) / 2}px`;
    context.clearRect(0, 0, plane.side, plane.height);
    const { px, py } = frame;
    if (this.isAhead) this.drawPoints(context, px, py, colors);
    this.drawBrush(context, px, py, colors);
    this.hint.textContent = this.model.n
      ? ""
      : "Choose a class above, then press and draw points here. Paint at least two classes.";
  }

  /**
   * @param {Context} context @param {(value: number) => number} px @param {(value: number) => number} py
   * @param {Colors} colors
   */
  drawPoints(context, px, py, colors) {
    for (const [label, points] of grouped(this.model.points, (point) => point[2])) {
      context.beginPath();
      for (const [x, y] of points) {
        const left = px(x / TOP),
          top = py(y / TOP);
        context.moveTo(left + SPOT, top);
        context.arc(left, top, SPOT, 0, 7);
      }
      context.fillStyle = colors.ofGroup(label);
      context.fill();
      context.strokeStyle = colors.theme.outline;
      context.lineWidth = 0.5;
      context.stroke();
    }
  }

  /**
   * @param {Context} context @param {(value: number) => number} px @param {(value: number) => number} py
   * @param {Colors} colors
   */
  drawBrush(context, px, py, colors) {
    const { cursor, mode, size, label } = this;
    if (!cursor || (cursor.isKey && !hasFocus(this.canvas))) return;
    const x = px(cursor.x / TOP),
      y = py(cursor.y / TOP);
    const radius = mode === "point" ? 6 : px((cursor.x + size) / TOP) - x;
    for (const { color, width } of [
      { color: colors.theme.background, width: 4 },
      { color: mode === "erase" ? colors.theme.text : colors.ofGroup(label), width: 2 },
    ]) {
      context.strokeStyle = color;
      context.lineWidth = width;
      context.setLineDash(mode === "erase" ? [4, 3] : []);
      context.beginPath();
      context.arc(x, y, Math.max(radius, 3), 0, 7);
      if (cursor.isKey) {
        context.moveTo(x - 5, y);
        context.lineTo(x + 5, y);
        context.moveTo(x, y - 5);
        context.lineTo(x, y + 5);
      }
      context.stroke();
    }
    context.setLineDash([]);
  }
}

/** @typedef {"spray" | "point" | "erase"} PaintMode */

/** @type {[PaintMode, string, string][]} */
const MODES = [
  ["spray", "Spray", "Many points at once"],
  ["point", "Points", "Single points"],
  ["erase", "Eraser", "Remove points (E)"],
];

export class PaintBar {
  /** @param {Paint} paint */
  constructor(paint) {
    this.paint = paint;
    this.key = ""; // key of the available classes
    this.classes = h("div", { class: "paint-classes", role: "group", "aria-label": "Class to paint" });
    this.modes = h(
      "div",
      { class: "segments", role: "group", "aria-label": "Tool" },
      MODES.map(([mode, text, title]) =>
        h("button", { title, "data-testid": `stage-paint-${mode}`, onclick: () => paint.setMode(mode) }, text),
      ),
    );
    this.size = h("input", {
      type: "range",
      min: 12,
      max: 160,
      step: 4,
      value: 45,
      "aria-label": "Brush size",
      title: "Brush size",
    });
    this.size.addEventListener("input", () => {
      paint.size = Number(this.size.value);
      paint.on.draw();
    });
    this.undo = h(
      "button",
      { title: "Undo (Ctrl+Z)", "data-testid": "stage-paint-undo", onclick: () => paint.undo() },
      "Undo",
    );
    this.clear = h(
      "button",
      { title: "Remove all points", "data-testid": "stage-paint-clear", onclick: () => paint.clear() },
      "Clear",
    );
    this.message = h("span", { class: "quiet", "data-testid": "stage-paint-message" });
    this.element = h(
      "div",
      { class: "paint-bar", role: "toolbar", "aria-label": "Paint points", "data-testid": "stage-paint" },
      this.classes,
      this.modes,
      this.size,
      this.undo,
      this.clear,
      this.message,
    );
  }

  draw() {
    const { paint } = this;
    if (!paint.options) return;
    this.drawClasses(paint.options.classes);
    MODES.forEach(([mode], i) => this.modes.children[i].setAttribute("aria-pressed", String(mode === paint.mode)));
    this.size.disabled = paint.mode === "point";
    const { n, isFull, history } = paint.model;
    this.undo.disabled = !history.length;
    this.clear.disabled = !n;
    const isAlone = n > 0 && new Set(paint.model.points.map((point) => point[2])).size === 1;
    const text = isFull
      ? `At most ${count(MOST_POINTS)} points. Erase some to paint more.`
      : isAlone
        ? `${count(n)} points of one class. Paint a second class.`
        : counted(n, "point");
    if (this.message.textContent !== text) this.message.textContent = text;
    this.message.classList.toggle("bad", isFull);
  }

  /** @param {string[]} classes */
  drawClasses(classes) {
    const { paint } = this;
    const colors = paint.store.path && paint.store.colors;
    const key = `${classes.join("\n")} ${colors?.key}`;
    if (key !== this.key) {
      this.key = key;
      fill(
        this.classes,
        classes.map((name, label) =>
          h(
            "button",
            {
              title: `Paint ${name} (${label + 1})`,
              "data-testid": `stage-paint-class-${label}`,
              onclick: () => paint.choose(label),
            },
            h("i", { style: `background:${colors?.ofGroup(label) ?? "none"}` }),
            h("span", { dir: "auto" }, name),
            h("kbd", {}, String(label + 1)),
          ),
        ),
      );
    }
    const { label, mode } = paint;
    [...this.classes.children].forEach((button, at) =>
      button.setAttribute("aria-pressed", String(at === label && mode !== "erase")),
    );
  }
}
