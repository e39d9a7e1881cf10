// Runs of a lesson side by side, one plane for each run, with one button that plays all runs.

import { fill, h, icon, valueBeside } from "../elements/dom.js";
import { planeLimits } from "../geometry/limits.js";
import { SplitMotion, motionTime } from "../geometry/split_motion.js";
import { Plane } from "../draw/plane.js";
import { lookOf } from "../draw/picture.js";
import { layoutOf } from "../model/layout.js";
import { counted } from "../model/number_text.js";
import { decode, inflate } from "../model/payload.js";
import { Store } from "../model/store.js";

const [LONGEST, SLOWEST] = [15_000, 800]; // maximum milliseconds of all steps, and of one step
const ROOM = { width: 10, height: 44 }; // margin around a plane in pixels, including the name below it
const COLUMN = { width: 500, planes: 3, share: 0.56, gap: 18 }; // one column in narrower stages; share of the width for a plane
const NAMED = 300; // minimum size in pixels of a plane with axis names
const NAMES = { width: 24, height: 60 }; // margins of such a plane, for text of the usual size

/**
 * Return the size of a plane that is as large as possible, and whose area is a square: {area, pictureWidth,
 * pictureHeight}.
 * @param {number} width @param {number} height @param {number} type
 */
function sizeOf(width, height, type) {
  const most = Math.floor(Math.min(width - ROOM.width, height));
  if (most < NAMED) return { area: most, pictureWidth: most, pictureHeight: most };
  const area = Math.floor(Math.min(width - ROOM.width - NAMES.width, height - NAMES.height * type));
  return { area, pictureWidth: area + NAMES.width, pictureHeight: area + NAMES.height * type };
}

/**
 * Return the number of columns and the size of `n` planes for which they are largest.
 * @param {number} n @param {number} width @param {number} height @param {number} type @param {number} [least] columns
 */
export function bestSize(n, width, height, type, least = 1) {
  const sizes = Array.from({ length: n - least + 1 }, (_, i) => {
    const columns = least + i;
    const room = height / Math.ceil(n / columns) - ROOM.height * type;
    return { columns, ...sizeOf(width / columns, room, type) };
  });
  return sizes.reduce((one, other) => (other.area > one.area ? other : one));
}

/**
 * Return a plane that only shows. `own`: parts of its drawing.
 * @param {Run} run @param {Partial<Drawing>} own
 */
export function quietPlane(run, own) {
  const nothing = () => {};
  /** @type {any} */
  const drawing = {
    ...{ brushes: { listen: nothing, drawOn: nothing }, look: () => lookOf(run, null), layer: () => null },
    ...{ ranges: () => null, regions: () => null, inPlane: () => false, abovePlane: nothing, ...own },
  };
  return new Plane(run, drawing, { select: nothing, hover: nothing, point: nothing, draw: nothing });
}

/** State of one plane. */
export class Run extends Store {
  /** Only the plane. A small plane has no axis names, which earlier moments have shown. */
  get layout() {
    const { pictureWidth, pictureHeight, type } = this.state;
    const layout = layoutOf(pictureWidth, pictureHeight, null, 0, true, false, type, true);
    if (pictureHeight > pictureWidth) return layout;
    return { ...layout, plane: { ...layout.plane, pad: { x: 1, top: 1, bottom: 1 }, ticks: 0 } };
  }
}

/** One run: its plane, with its title and its number of misclassified rows below. */
class Multiple {
  /** @param {Path} path @param {string} title */
  constructor(path, title) {
    this.title = title;
    this.run = new Run();
    this.run.set({ path, inLesson: true });
    /** @type {SplitMotion | null} */
    this.motion = null;
    this.plane = quietPlane(this.run, {
      regions: (/** @type {Numbers} */ low, /** @type {Numbers} */ high) => this.motion?.regions(low, high) ?? null,
    });
    this.caption = h("figcaption", {});
    this.element = h("figure", {}, this.plane.element, this.caption);
  }

  /** @param {number} step @param {number} time milliseconds of the motion, 0 for none */
  go(step, time) {
    const { run } = this;
    const { path } = run;
    const k = Math.min(step, path.trees.length - 1);
    const before = run.tree;
    run.set({ k });
    this.motion = time && before !== run.tree ? new SplitMotion(before, run.tree, planeLimits(path), time) : null;
    const { leaves, error } = run.tree.sizes(0);
    const wrong = h("span", { class: "run-error" }, `, ${path.target.errorText(error)} wrong`);
    fill(this.caption, h("b", {}, this.title), ` ${counted(leaves, "leaf")}`, wrong);
  }

  /** Draw the plane; return whether lines still move. */
  draw() {
    if (this.motion?.isOver) this.motion = null;
    this.plane.resize();
    this.plane.draw();
    return this.motion !== null;
  }
}

/** `planes` cover the stage, and `element` has their controls. Call draw() once the size of the stage is known. */
export class SideBySide {
  /** @param {Store} store @param {Life} life @param {{title: string, bytes: Uint8Array<ArrayBuffer>}[]} runs */
  constructor(store, life, runs) {
    this.store = store;
    this.life = life;
    this.planes = h("div", { class: "forest runs", "data-testid": "lesson-runs" });
    this.play = h("button", {
      class: "play primary",
      "data-testid": "lesson-play",
      onclick: () => this.run(this.timer === null),
    });
    this.slider = h("input", {
      ...{ type: "range", min: 0, max: 0, step: 1, value: 0, "aria-label": "Step of all runs" },
      "data-testid": "lesson-run-step",
    });
    this.slider.addEventListener("input", () => {
      this.stop();
      this.go(Number(this.slider.value));
    });
    this.value = valueBeside();
    this.element = h("div", { class: "guess knobs" }, h("div", { class: "slide" }, this.play, this.slider, this.value));
    /** @type {any} timer */
    this.timer = null;
    this.show(false);
    this.ready = this.unpack(runs);
  }

  /** @param {{title: string, bytes: Uint8Array<ArrayBuffer>}[]} runs */
  async unpack(runs) {
    this.multiples = await Promise.all(
      runs.map(async ({ title, bytes }) => new Multiple(decode(await inflate(bytes)), title)),
    );
    this.last = Math.max(...this.multiples.map(({ run }) => run.path.trees.length)) - 1;
    this.slider.max = String(this.last);
    fill(this.planes, ...this.multiples.map(({ element }) => element));
    this.go(0);
  }

  /** Adapt the planes to the size, the type and the colours. */
  draw() {
    const { multiples, store } = this;
    const { scheme, projector, stageWidth, type } = store.state;
    const n = multiples?.length ?? 0;
    const { clientWidth: width, clientHeight: height } = this.planes;
    if (!multiples || !width) return;
    const isThree = n === COLUMN.planes;
    const isColumn = isThree && width < COLUMN.width;
    this.planes.classList.toggle("column", isColumn);
    const best = isColumn
      ? { columns: 1, ...sizeOf(COLUMN.share * width, height / n - COLUMN.gap, type) }
      : bestSize(n, width, height, type, isThree ? n : 1); // three are in one row
    this.planes.style.gridTemplateColumns = `repeat(${best.columns}, auto)`;
    const { pictureWidth, pictureHeight } = best;
    for (const { run } of multiples) run.set({ scheme, projector, stageWidth, pictureWidth, pictureHeight });
    this.paint();
  }

  paint() {
    const isMoving = this.multiples?.filter((one) => one.draw()).length;
    if (isMoving && this.planes.isConnected) this.life.frame(() => this.paint());
  }

  /** @param {number} step */
  go(step, time = 0) {
    for (const one of this.multiples ?? []) one.go(step, this.store.state.isStill ? 0 : time);
    this.slider.value = String(step);
    this.value.textContent = String(step);
    this.draw();
  }

  /** Play, from the beginning if all runs have ended, or stop. @param {boolean} isOn */
  async run(isOn) {
    await this.ready;
    this.stop();
    if (!isOn || !this.planes.isConnected) return;
    const { last = 0 } = this;
    const wait = Math.min(SLOWEST, LONGEST / last);
    if (Number(this.slider.value) >= last) this.go(0);
    this.timer = this.life.every(() => {
      const step = Number(this.slider.value) + 1;
      if (step >= last) this.stop();
      this.go(step, motionTime(wait));
    }, wait);
    this.show(true);
  }

  stop() {
    this.life.stop(this.timer);
    this.timer = null;
    this.show(false);
  }

  /** End the runs when the lesson leaves their screen. */
  end() {
    this.stop();
    this.planes.remove();
  }

  /** @param {boolean} isPlaying */
  show(isPlaying) {
    const action = isPlaying ? "Pause all" : "Play all";
    fill(this.play, icon(isPlaying ? "pause" : "play"));
    this.play.setAttribute("aria-label", (this.play.title = action));
  }
}
