// Sliders next to a question. Each combination of positions is a scene. Below the sliders is the test error with its
// confidence interval.

import { fill, h, valueBeside } from "../elements/dom.js";

const Z = 1.96; // quantile for a 95 % interval

/**
 * Return the 95 % interval (Wilson) of the error when `k` of `n` test points are misclassified.
 * @param {number} k @param {number} n @returns {Pair}
 */
export function interval(k, n) {
  const share = k / n;
  const middle = (share + (Z * Z) / (2 * n)) / (1 + (Z * Z) / n);
  const half = (Z / (n + Z * Z)) * Math.sqrt(n * share * (1 - share) + (Z * Z) / 4);
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}

/**
 * Return the position of each slider in a scene. The last slider varies fastest.
 * @param {Knob[]} knobs @param {number} scene
 */
export function placesOf(knobs, scene) {
  return knobs.map((_, i) => {
    const after = knobs.slice(i + 1).reduce((size, { values }) => size * values.length, 1);
    return Math.floor(scene / after) % knobs[i].values.length;
  });
}

/** Return the scene of these positions. @param {Knob[]} knobs @param {number[]} places */
export function sceneOf(knobs, places) {
  return knobs.reduce((scene, { values }, i) => scene * values.length + places[i], 0);
}

/**
 * Return the slider of a knob with its name and its value. `on` receives a new position.
 * @param {Knob} knob @param {number} place @param {string} test @param {(place: number) => void} on
 */
export function knobSlider({ name, values }, place, test, on) {
  const value = valueBeside(values[place]);
  const slider = /** @type {HTMLInputElement} */ (
    h("input", {
      ...{ type: "range", min: 0, max: values.length - 1, step: 1, value: place },
      ...{ "aria-label": name, "aria-valuetext": values[place], "data-testid": test },
    })
  );
  slider.addEventListener("input", () => {
    const text = values[Number(slider.value)];
    value.textContent = text;
    slider.setAttribute("aria-valuetext", text);
    on(Number(slider.value));
  });
  return h("label", {}, h("span", { "aria-hidden": "true" }, name), slider, value);
}

/** Some of the sliders at a scene. `turn` receives the scene for a new position. */
export class Knobs {
  /** @param {Store} store @param {Knob[]} knobs @param {number[]} which @param {number} scene @param {(scene: number) => void} turn */
  constructor(store, knobs, which, scene, turn) {
    this.store = store;
    this.places = placesOf(knobs, scene);
    this.status = h("p", { "data-testid": "lesson-interval", "aria-live": "polite" });
    const sliders = which.map((i) => {
      return knobSlider(knobs[i], this.places[i], `lesson-knob-${i}`, (place) => {
        this.places[i] = place;
        turn(sceneOf(knobs, this.places));
      });
    });
    this.element = h("div", { class: "guess knobs" }, sliders, this.status);
    this.write();
  }

  /** Show the test error of the tree on the stage. */
  write() {
    const { path, tree } = this.store;
    if (!path || !tree) return;
    const set = path.sets.length - 1;
    const { n, losses } = tree.figures(set);
    const [low, high] = interval(losses[0], n[0]).map((share) => Math.round(100 * share));
    fill(
      this.status,
      `${losses[0]} of ${n[0]} test points are misclassified: `,
      h("b", {}, `${low} to ${high}\u00a0%`),
      ".",
    );
  }
}
