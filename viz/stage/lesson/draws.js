// Draws that are taken one by one: the points of a draw with their tree, and next to it the mean of the trees so far.

import { fill, h } from "../elements/dom.js";
import { planeLimits } from "../geometry/limits.js";
import { drawRows } from "../draw/scatter.js";
import { decode, inflate } from "../model/payload.js";
import { remembered } from "../model/remembered.js";
import { leavesOf } from "./forest.js";
import { knobSlider, placesOf, sceneOf } from "./knobs.js";
import { Run, bestSize, quietPlane } from "./side_by_side.js";

const FINE = 160; // number of cells of the mean along an axis
const OPACITY = 0.3; // as that of the regions of a tree

/**
 * Return the mean of several predictions in each cell.
 * @param {Numbers[]} voices
 */
export function meanOf(voices) {
  return Float64Array.from(voices[0], (_, i) => voices.reduce((sum, voice) => sum + voice[i], 0) / voices.length);
}

/** Return limits that contain all others. @param {Limits[]} all @returns {Limits} */
export function aroundAll(all) {
  const [first, ...others] = all;
  return others.reduce(
    (found, one) => ({
      low: found.low.map((end, axis) => Math.min(end, one.low[axis])),
      high: found.high.map((end, axis) => Math.max(end, one.high[axis])),
      first: found.first.map((end, axis) => Math.min(end, one.first[axis])),
      last: found.last.map((end, axis) => Math.max(end, one.last[axis])),
    }),
    first,
  );
}

/**
 * `planes` cover the stage, and `element` contains the controls. `turn` receives the scene of a new draw. Call draw()
 * once the size of the stage is known.
 */
export class Draws {
  /**
   * @param {Store} store @param {Moment} moment @param {Knob[]} knobs @param {Uint8Array<ArrayBuffer>[]} blocks
   * @param {(scene: number) => void} turn
   */
  constructor(store, moment, knobs, blocks, turn) {
    this.store = store;
    this.moment = moment;
    this.knobs = knobs;
    this.turn = turn;
    this.places = placesOf(knobs, moment.scene);
    this.status = h("p", { class: "drawn", "data-testid": "lesson-draws-status", "aria-live": "polite" });
    this.next = h("button", { "data-testid": "lesson-draw", onclick: () => this.go() });
    this.count = h("output", {});
    const sliders = moment.knobs
      .filter((i) => i < knobs.length - 1)
      .map((i) =>
        knobSlider(knobs[i], this.places[i], `lesson-knob-${i}`, (place) => {
          this.places[i] = place;
          this.show();
          turn(this.scene);
        }),
      );
    this.element = h(
      "div",
      { class: "guess knobs" },
      sliders,
      h("div", { class: "drawing" }, this.next, this.count),
      this.status,
    );
    const [one, mean] = [new Run(), new Run()];
    this.runs = [one, mean];
    this.views = [
      quietPlane(one, {
        ranges: () => this.limits ?? null,
        inPlane: (plane, picture, frame, rows, box) => {
          plane.fillRegions(picture.context, frame);
          drawRows(picture, frame, rows, box.w);
          return true;
        },
      }),
      quietPlane(mean, {
        ranges: () => this.limits ?? null,
        inPlane: (_, picture, frame) => {
          this.paintMean(picture.context, frame);
          return true;
        },
      }),
    ];
    this.captions = this.views.map(() => h("figcaption", {}));
    this.planes = h(
      "div",
      { class: "forest runs draws", "data-testid": "lesson-draws" },
      this.views.map((view, i) => h("figure", {}, view.element, this.captions[i])),
    );
    this.ready = this.unpack(blocks);
  }

  get scene() {
    return sceneOf(this.knobs, this.places);
  }

  /** Position of the draw. */
  get at() {
    return this.places[this.places.length - 1];
  }

  /** @param {Uint8Array<ArrayBuffer>[]} blocks */
  async unpack(blocks) {
    const paths = await Promise.all(blocks.map(async (bytes) => decode(await inflate(bytes))));
    this.limits = aroundAll(paths.map(planeLimits));
    this.paths = paths;
    this.show();
  }

  /** Show the next draw, or the first one after the last. */
  go() {
    const last = this.places.length - 1;
    this.places[last] = (this.at + 1) % this.knobs[last].values.length;
    this.show();
    this.turn(this.scene);
  }

  /** Show the draw, the mean and their errors. */
  show() {
    const { at, scene, paths } = this;
    const n = this.knobs[this.knobs.length - 1].values.length;
    this.next.textContent = at + 1 < n ? "New draw" : "First draw";
    this.count.textContent = `draw ${at + 1} of ${n}`;
    if (!paths) return;
    const { tree: k, late } = this.moment;
    const path = paths[scene];
    const voices = paths.slice(scene - at, scene + 1).map((one) => this.voiceOf(one));
    this.groups = meanOf(voices).map((value) => path.target.groupOf(value));
    for (const run of this.runs) run.set({ path, k, inLesson: true });
    const [caption, meanCaption] = this.captions;
    fill(caption, h("b", {}, `Draw ${at + 1}`), ` ${path.sample.n} points and their tree`);
    fill(meanCaption, h("b", {}, "Mean"), at ? ` of ${at + 1} trees` : " of one tree");
    const [bias, spread] = late.draws[scene];
    const text = (/** @type {number} */ value) => h("b", {}, path.target.withUnit(path.target.short(value)));
    fill(
      this.status,
      at ? [`Spread of ${at + 1} trees: `, text(spread), ". "] : "One tree has no spread. ",
      bias === null ? null : [at ? "Error of their mean: " : "Its error: ", text(bias), "."],
    );
    this.draw();
  }

  /** Return the prediction of the tree of a draw in each cell. @param {Path} path */
  voiceOf(path) {
    const { tree: k } = this.moment;
    const limits = /** @type {Limits} */ (this.limits);
    return remembered(path, `voice ${k}`, () => {
      const { value } = path.trees[k];
      return Float64Array.from(leavesOf(path.trees[k], limits, FINE), (leaf) => value[leaf]);
    });
  }

  /** Adapt the planes to the size, the type and the colours. */
  draw() {
    const { clientWidth: width, clientHeight: height } = this.planes;
    if (!this.paths || !width) return;
    const { scheme, projector, stageWidth, type } = this.store.state;
    const { columns, pictureWidth, pictureHeight } = bestSize(this.views.length, width, height, type);
    this.planes.style.gridTemplateColumns = `repeat(${columns}, auto)`;
    for (const run of this.runs) run.set({ scheme, projector, stageWidth, pictureWidth, pictureHeight });
    for (const view of this.views) {
      view.resize();
      view.draw();
    }
    this.views[1].canvas.setAttribute("aria-label", `Plane with the mean of the trees of ${this.at + 1} draws`);
  }

  /** Fill the cells of the plane with the colours of the mean. @param {Context} context @param {PlaneFrame} frame */
  paintMean(context, { px, py }) {
    const { groups, limits } = this;
    if (!groups || !limits) return;
    const { colors } = this.store;
    const cells = document.createElement("canvas");
    cells.width = cells.height = FINE;
    const inner = /** @type {Context} */ (cells.getContext("2d"));
    groups.forEach((group, cell) => {
      inner.fillStyle = colors.ofGroup(group);
      inner.fillRect(cell % FINE, Math.floor(cell / FINE), 1, 1);
    });
    const [left, top] = [px(limits.low[0]), py(limits.high[1])];
    context.save();
    context.globalAlpha = OPACITY;
    context.imageSmoothingEnabled = false;
    context.drawImage(cells, left, top, px(limits.high[0]) - left, py(limits.low[1]) - top);
    context.restore();
  }

  /** End the draws when the lesson leaves their screen. */
  end() {
    this.planes.remove();
  }
}
