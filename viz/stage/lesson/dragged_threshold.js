// Threshold that the user drags on the plane or with a slider, while the tree and three measures follow.

import { fill, h, placeIn, valueBeside } from "../elements/dom.js";
import { valuesAt } from "../draw/scatter.js";
import { Drafts } from "../model/edited_tree.js";
import { number } from "../model/number_text.js";
import { lowestMeasures, measuresOf } from "./split_measures.js";

const STEPS = 400; // number of steps of the slider
const FIRST = 0.15; // initial position, as a share of the range, far from any good threshold
const NAMES = { errors: "Errors", gini: "Gini", entropy: "Entropy" };

/** Threshold of the root of the tree on the stage. Call begin() after the tree is loaded. */
export class DraggedThreshold {
  /** @param {Store} store @param {number} feature @param {{plane(): Plane}} on */
  constructor(store, feature, on) {
    this.store = store;
    this.feature = feature;
    this.on = on;
    this.isShown = false;
    this.slider = /** @type {HTMLInputElement} */ (
      h("input", { type: "range", disabled: true, "aria-label": "Threshold", "data-testid": "lesson-threshold" })
    );
    this.slider.addEventListener("input", () => this.move(Number(this.slider.value)));
    this.output = valueBeside();
    this.measures = h("dl", { class: "measures", "data-testid": "lesson-measures", "aria-live": "polite" });
    this.element = h("div", { class: "guess dragged" }, h("label", {}, this.slider, this.output), this.measures);
  }

  /** Begin with the tree on the stage, and move its threshold to one side. */
  begin() {
    const { store, feature, slider } = this;
    const { sample, sets, target, trees } = store.path;
    const { X, y, n } = sample;
    const rows = Array.from(trees[store.state.k].route(0).order[0]);
    this.values = Float64Array.from(rows, (row) => X[feature * n + row]);
    this.classes = Int32Array.from(rows, (row) => y[row]);
    this.n = target.n;
    this.lowest = lowestMeasures(this.values, this.classes, this.n);
    this.drafts = sets && new Drafts(trees[store.state.k]);
    const [low, high] = [Math.min(...this.values), Math.max(...this.values)];
    Object.assign(slider, { min: low, max: high, step: (high - low) / STEPS, disabled: false });
    this.move(low + FIRST * (high - low));
  }

  /** @param {number} at */
  move(at) {
    const { slider, store, feature, drafts } = this;
    if (!drafts || slider.disabled) return;
    slider.value = String(at);
    this.at = Number(slider.value);
    this.output.textContent = number(this.at);
    slider.setAttribute("aria-valuetext", this.output.textContent);
    const { weights } = drafts.tree.split(0);
    const weight = Math.sign(weights[0]);
    store.set({
      edited: drafts.with(0, { features: [feature], weights: [weight], bias: -weight * this.at }),
      isDraft: true,
    });
    this.write();
  }

  /** Show the minimum next to the current value once the answer is shown. @param {boolean} isShown */
  show(isShown) {
    this.isShown = isShown;
    this.write();
  }

  write() {
    const { values, classes, n, at, lowest, isShown } = this;
    if (!values || !classes || n === undefined || at === undefined || !lowest) return;
    const now = measuresOf(values, classes, n, at);
    fill(
      this.measures,
      Object.entries(NAMES).map(([key, words]) => {
        const name = /** @type {keyof typeof NAMES} */ (key);
        return [
          h("dt", {}, words),
          h("dd", {}, number(now[name]), isShown && h("b", {}, `least ${number(lowest[name])}`)),
        ];
      }),
    );
  }

  /** Move the threshold with the pointer on the plane. @param {PointerEvent} event */
  point(event) {
    const plane = this.on.plane();
    if (!(event.buttons & 1) || !plane.frame) return;
    const place = plane.frame.features.indexOf(this.feature);
    this.move(valuesAt(plane.frame, placeIn(plane.canvas, event))[place]);
    event.stopPropagation();
    event.preventDefault();
  }

  /** Restore the tree. */
  end() {
    this.slider.disabled = true;
    this.store.set({ edited: null, isDraft: false });
  }
}
