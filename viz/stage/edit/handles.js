// Handles of a split. They are real buttons above a plot, so that mouse, finger, keyboard and screen reader can use
// them.

import { ARROWS, h } from "../elements/dom.js";
import { biasOfMove, clamp, turned } from "../geometry/split_geometry.js";

// distance in pixels from the middle of a line to the handles that turn it
const REACH = { least: 36, most: 120, off: 14 };
const STEP = { move: 4, turn: Math.PI / 60 }; // step of an arrow key, in pixels and in radians
const FINE = 0.1; // factor of the step with Ctrl
const MODIFIERS = ["Shift", "Control", "Meta", "Alt"];

/**
 * Positions at the start of a drag.
 * @typedef {{at: Pair, frame: PlaneFrame, line: SplitLine, unit: number, bar: Bar, anchor: Pair, reach: number}} Grip
 */
/** @typedef {{x: number, top: number, height: number, left: number, width: number, unit: number}} Bar */

/** Handles of one split above one plot. The split is a line, or a bar that moves along the axis. */
export class Handles {
  /**
   * @param {HTMLElement} host @param {string} test @param {Life} life
   * @param {{begin(): void, change(change: SplitChange): void, end(): void, cancel(): void, name(): string}} on
   */
  constructor(host, test, life, on) {
    this.life = life;
    this.host = host;
    this.test = test;
    this.on = on;
    this.middle = this.handle("move", `${test}-move`);
    this.ends = [this.handle("turn", `${test}-turn`), this.handle("turn", `${test}-turn`)];
    this.all = [this.middle, ...this.ends];
    this.isHeld = this.isPressed = this.isStepping = this.turns = false;
    /** @type {{anchor: Pair, reach: number}} anchor and reach of the handles of a line */
    this.shown = { anchor: [0, 0], reach: 0 };
    /** @type {{anchor: Pair, reach: number} | null} */
    this.held = null;
    /** @type {Pair} */
    this.way = [0, 0];
    this.angle = 0;
    /** @type {any} timer */
    this.resting = null;
    host.append(...this.all);
  }

  hide() {
    if (!this.isHeld) for (const element of this.all) element.hidden = true;
  }

  /**
   * Show the handles of a line (see lineOf) in a frame. `origin`: position of the frame's origin in the host, in
   * pixels.
   * @param {PlaneFrame} frame @param {SplitLine} line @param {boolean} canTurn @param {Pair} origin
   * @param {string} text
   */
  showLine(frame, line, canTurn, origin, text) {
    if (this.isHeld && this.kind !== "line") return;
    this.kind = "line";
    this.frame = frame;
    this.line = line;
    const at = this.held?.anchor ?? line.anchor;
    this.put(this.middle, at, origin);
    const reach = this.held?.reach ?? Math.max(REACH.least, Math.min(REACH.most, line.length / 2 - REACH.off));
    this.shown = { anchor: at, reach };
    const angle = Math.atan2(line.along[1], line.along[0]);
    this.ends.forEach((end, i) => {
      if (!canTurn) {
        end.hidden = true;
        return;
      }
      const side = i ? 1 : -1;
      this.put(end, [at[0] + side * reach * line.along[0], at[1] + side * reach * line.along[1]], origin);
      this.describe(end, `Turn the line of ${this.on.name()}`, ((angle * 180) / Math.PI + 360) % 180, text);
    });
    this.middle.style.setProperty("--angle", `${angle}rad`);
    this.middle.classList.remove("bar");
    const { area } = frame;
    const share = Math.max((at[0] - area.left) / area.w, (area.top + area.h - at[1]) / area.h);
    this.describe(this.middle, `Move the line of ${this.on.name()}`, 100 * share, text);
  }

  /**
   * Show the handle of a bar that moves from left to right. `unit`: pixels per step of 1 along the axis.
   * @param {Bar} bar @param {Pair} origin @param {string} text
   */
  showBar({ x, top, height, left, width, unit }, origin, text) {
    if (this.isHeld && this.kind !== "bar") return;
    this.kind = "bar";
    this.unit = unit;
    this.bar = { x, top, height, left, width, unit };
    for (const end of this.ends) end.hidden = true;
    this.put(this.middle, [x, top + height / 2], origin);
    this.middle.style.setProperty("--angle", "1.5708rad");
    this.middle.classList.add("bar");
    this.describe(this.middle, `Move the split of ${this.on.name()}`, (100 * (x - left)) / width, text);
  }

  /** @param {HTMLElement} element @param {Pair} at @param {Pair} origin */
  put(element, [x, y], [left, top]) {
    element.hidden = false;
    element.style.transform = `translate(${(left + x).toFixed(1)}px,${(top + y).toFixed(1)}px)`;
  }

  /** @param {HTMLElement} element @param {string} name @param {number} value @param {string} text */
  describe(element, name, value, text) {
    element.setAttribute("aria-label", name);
    element.setAttribute("aria-valuenow", String(Math.round(value)));
    element.setAttribute("aria-valuetext", text);
  }

  /** @param {"move" | "turn"} kind @param {string} test */
  handle(kind, test) {
    const element = h("div", {
      class: `handle ${kind}`,
      role: "slider",
      tabindex: "0",
      "aria-valuemin": 0,
      "aria-valuemax": kind === "turn" ? 180 : 100,
      hidden: true,
      "data-testid": test,
      title:
        kind === "move"
          ? "Drag or press arrow keys to move the line; Shift+arrows turn it, Ctrl makes fine steps"
          : "Drag or press arrow keys to turn the line; Ctrl makes fine steps",
    });
    /** @type {Grip | null} */
    let from = null;
    element.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || this.isPressed) return;
      event.preventDefault();
      event.stopPropagation();
      element.setPointerCapture(event.pointerId);
      element.focus({ preventScroll: true });
      from = this.take([event.clientX, event.clientY]);
      this.isPressed = true;
    });
    element.addEventListener("pointermove", (event) => {
      if (!from || !this.isHeld) return;
      event.stopPropagation();
      /** @type {Pair} */
      const by = [event.clientX - from.at[0], event.clientY - from.at[1]];
      if (kind === "move") this.move(from, by);
      else this.turnTo(from, element, by);
    });
    /** @param {PointerEvent} event */
    const lift = (event) => {
      if (!from) return;
      event.stopPropagation();
      from = null;
      this.isPressed = false;
      if (this.isHeld) this.release();
    };
    element.addEventListener("pointerup", lift);
    element.addEventListener("pointercancel", lift);
    element.addEventListener("lostpointercapture", lift);
    element.addEventListener("click", (event) => event.stopPropagation());
    element.addEventListener("dblclick", (event) => event.stopPropagation());
    element.addEventListener("keydown", (event) => this.key(event, kind));
    element.addEventListener("keyup", (event) => ARROWS[event.key] && this.letGoSoon());
    element.addEventListener("blur", () => this.isStepping && this.letGo());
    return element;
  }

  /** Start a drag from these positions. @param {Pair} at @returns {Grip} */
  take(at) {
    this.letGo();
    this.isHeld = true;
    this.held = { ...this.shown };
    this.on.begin();
    const { frame, line, unit, bar, shown } = this;
    return { at, frame, line, unit, bar, ...shown };
  }

  /** @param {Grip} grip @param {Pair} by */
  move({ frame, line, unit, bar, anchor }, [dx, dy]) {
    if (this.kind === "bar") {
      const x = Math.max(bar.left, Math.min(bar.left + bar.width, bar.x + dx));
      return this.on.change({ shift: (x - bar.x) / unit });
    }
    // Only the distance across the line counts. The handle follows it and stays in the plot.
    const [nx, ny] = line.normal;
    const size = Math.hypot(nx, ny) || 1;
    const across = (nx * dx + ny * dy) / size;
    const to = clamp(frame.area, [anchor[0] + (across * nx) / size, anchor[1] + (across * ny) / size]);
    if (this.held) this.held.anchor = to;
    return this.on.change({ bias: biasOfMove(line, [to[0] - anchor[0], to[1] - anchor[1]]) });
  }

  /** @param {Grip} grip @param {HTMLElement} element @param {Pair} by */
  turnTo({ frame, line, anchor, reach }, element, [dx, dy]) {
    const side = element === this.ends[1] ? 1 : -1;
    const start = [side * reach * line.along[0], side * reach * line.along[1]];
    const angle = Math.atan2(start[1] + dy, start[0] + dx) - Math.atan2(start[1], start[0]);
    this.on.change(turned(frame, line, anchor, angle));
  }

  release() {
    this.isHeld = this.isStepping = false;
    this.held = null;
    this.on.end();
  }

  /** Return the split to its position before the drag. */
  cancel() {
    this.life.stop(this.resting);
    this.isHeld = this.isStepping = false;
    this.held = null;
    this.on.cancel();
  }

  /**
   * Handle arrow keys. All presses up to a short pause or another key count as one edit. Escape cancels it.
   * @param {KeyboardEvent} event @param {"move" | "turn"} kind
   */
  key(event, kind) {
    const arrow = ARROWS[event.key];
    const isEscape = event.key === "Escape" && this.isHeld;
    if (!arrow && !isEscape) {
      if (!MODIFIERS.includes(event.key)) this.letGo();
      return undefined;
    }
    event.preventDefault();
    event.stopPropagation();
    if (isEscape || !arrow) return this.cancel();
    if (this.isPressed) return undefined;
    const size = event.ctrlKey || event.metaKey ? FINE : 1;
    const turns = kind === "turn" || (event.shiftKey && this.kind === "line" && !this.ends[0].hidden);
    if (!this.isStepping || turns !== this.turns) {
      this.from = this.take([0, 0]);
      this.isStepping = true;
      this.turns = turns;
      this.way = [0, 0];
      this.angle = 0;
    }
    this.life.stop(this.resting);
    if (turns) {
      this.angle += (arrow[0] + arrow[1]) * STEP.turn * size;
      return this.on.change(turned(this.from.frame, this.from.line, this.from.anchor, this.angle));
    }
    const [dx, dy] = this.steer(arrow);
    const step = STEP.move * size;
    this.way = [this.way[0] + dx * step, this.way[1] + dy * step];
    return this.move(this.from, this.way);
  }

  /**
   * Return the direction in which an arrow key moves a line. An arrow along the line would have no effect, so it moves
   * the line across: right and up move it towards "yes".
   * @param {Pair} arrow @returns {Pair}
   */
  steer(arrow) {
    if (this.kind === "bar") return [arrow[0] - arrow[1], 0];
    const { normal } = this.from.line;
    const size = Math.hypot(...normal) || 1;
    const across = (normal[0] * arrow[0] + normal[1] * arrow[1]) / size;
    if (Math.abs(across) > 0.3) return arrow;
    const towards = arrow[0] > 0 || arrow[1] < 0 ? 1 : -1;
    return [(towards * normal[0]) / size, (towards * normal[1]) / size];
  }

  letGoSoon() {
    this.life.stop(this.resting);
    this.resting = this.life.later(() => this.letGo(), 500);
  }

  letGo() {
    this.life.stop(this.resting);
    if (this.isStepping) this.release();
  }
}
