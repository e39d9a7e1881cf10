// Toolbar below the tree: the slider, buttons to play and step, and the recommended trees.

import { fill, h, icon } from "../elements/dom.js";
import { choosingErrorName, placeText } from "../model/grid.js";
import { capital, counted, number } from "../model/number_text.js";

const SPEEDS = [
  ["0.5×", 1200],
  ["1×", 600],
  ["2×", 300],
  ["4×", 150],
];
const LIBLINEAR =
  ". C = 1/λ is the C of LIBLINEAR, which minimises |w|₁ + C Σ loss: the same weights as Σ loss + λ |w|₁ " +
  "(Carreira-Perpiñán and Tavallali 2018, section 4)";

/**
 * Buttons to play and step, the slider, lambda as text, and the recommended trees. `note` shows the loss in accuracy of
 * the first displayed tree. `on`: {go(index, settled, isMoving), play(on), isPlaying(),
 * setSpeed(milliseconds)}.
 */
export class Transport {
  /**
   * @param {Store} store
   * @param {{go(index: number, settled?: boolean, isMoving?: boolean): void, play(isOn: boolean): void, isPlaying(): boolean, setSpeed(wait: number): void}} on
   */
  constructor(store, on) {
    this.store = store;
    this.on = on;
    /** @type {boolean | null} whether the slider changes the size instead of lambda */
    this.bySize = null;
    this.slider = h("input", {
      type: "range",
      min: 0,
      max: 0,
      step: 1,
      value: 0,
      "data-testid": "stage-slider",
    });
    const pause = () => store.step && on.isPlaying() && on.play(false);
    this.slider.addEventListener("pointerdown", pause);
    this.slider.addEventListener("input", () => {
      pause();
      on.go(Number(this.slider.value), false, true);
    });
    this.slider.addEventListener("change", () => {
      on.go(Number(this.slider.value), true, on.isPlaying());
    });
    this.play = h(
      "button",
      { class: "play", "data-testid": "stage-play", onclick: () => on.play(!on.isPlaying()) },
      icon("play"),
    );
    this.speed = h(
      "select",
      { "aria-label": "Speed", title: "Speed", onchange: () => on.setSpeed(this.wait) },
      SPEEDS.map(([text, wait]) => h("option", { value: wait, selected: wait === 600 }, text)),
    );
    this.value = h("output", { class: "lambda" });
    this.size = h("input", {
      type: "number",
      min: 1,
      step: 1,
      "aria-label": "Maximum size in leaves",
      title: "Shows the best tree with at most so many leaves",
      "data-testid": "stage-size",
      oninput: () => (this.isTyping = true),
      onchange: () => this.goToSize(this.size.valueAsNumber),
      onblur: () => {
        this.isTyping = false;
        this.showSize();
      },
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        event.stopPropagation();
        if (event.key === "Enter") this.goToSize(this.size.valueAsNumber); // also if the number is unchanged
      },
    });
    this.isTyping = false; // whether a size is typed, which must not be overwritten by a tree that arrives
    this.sizeField = h("label", { class: "size", hidden: true }, "At most ", this.size, " leaves");
    this.jumps = h("span", { class: "jumps" });
    this.noteText = h("span", {});
    this.better = h("button", { class: "link", "data-testid": "stage-better" });
    this.note = h("p", { class: "cost", "data-testid": "stage-cost" }, this.noteText, " ", this.better);
    this.track = h("div", { class: "track" }, this.slider);
    const [large, small] = ["Larger trees", "Smaller trees"].map((text) =>
      h("span", { class: "end", "aria-hidden": "true" }, text),
    );
    /** @param {number} by */
    const step = (by) => {
      const { first, last } = store.cell;
      on.go(Math.max(first, Math.min(last, store.state.k + by)));
    };
    this.buttons = h(
      "div",
      { class: "transport" },
      h(
        "button",
        { class: "detail", "aria-label": "Previous tree", title: "Previous tree", onclick: () => step(-1) },
        icon("previous"),
      ),
      this.play,
      h(
        "button",
        { class: "detail", "aria-label": "Next tree", title: "Next tree", onclick: () => step(1) },
        icon("next"),
      ),
      this.speed,
      this.value,
      large,
      h("span", { class: "space" }),
      this.sizeField,
      this.jumps,
      h("span", { class: "space end" }),
      small,
    );
  }

  /** Show the largest tree with at most so many leaves. @param {number} leaves NaN for an empty field */
  goToSize(leaves) {
    const { path, cell, state } = this.store;
    const sizes = path.trees.map((tree) => tree.sizes(0).leaves);
    this.isTyping = false;
    this.on.go(Number.isNaN(leaves) ? state.k : largestWithin(sizes, leaves, cell.first, cell.last));
    this.showSize();
  }

  /** Show the size of the displayed tree. */
  showSize() {
    const { tree, step } = this.store;
    if (!step && !this.isTyping) this.size.value = String(tree.sizes(0).leaves);
  }

  /** Milliseconds between two trees. */
  get wait() {
    return Number(this.speed.value);
  }

  /** Set the label of the slider. */
  describe() {
    const { title, recording } = this.store.state;
    const of = title ? ` of ${title}` : "";
    const text = recording
      ? `Step of the recorded run${of}`
      : this.bySize
        ? `Size${of}: number of leaves; large trees on the left, small trees on the right`
        : `λ${of}: regularisation strength; large trees on the left, small trees on the right`;
    this.slider.setAttribute("aria-label", text);
  }

  /** @param {Path} path */
  load(path) {
    this.bySize = path.bySize;
    this.describe();
    const single = path.trees.length < 2;
    this.slider.disabled = this.size.disabled = single;
    this.sizeField.hidden = !path.bySize || Boolean(this.store.step);
    for (const button of this.buttons.querySelectorAll("button")) button.disabled = single;
    this.speed.disabled = single;
    this.recommend(path);
  }

  /** Create the buttons of the recommended trees. @param {Path} path */
  recommend(path) {
    const { one_se: simple, min: best } = this.store.recommended;
    const error = choosingErrorName(this.store);
    this.showNote(path, this.store.state.k);
    const single = path.trees.length < 2;
    /** @param {string} text @param {number} index @param {string} help @param {string} test */
    const jump = (text, index, help, test) =>
      h(
        "button",
        {
          title: `${help} (${placeText(path, index)}${path.bySize ? "" : `, ${counted(path.trees[index].sizes(0).leaves, "leaf")}`})`,
          "data-testid": test,
          "data-tree": index,
          disabled: single,
          onclick: () => this.on.go(index),
        },
        text,
      );
    fill(
      this.jumps,
      simple === undefined
        ? null
        : jump(
            "Simplest good tree",
            simple,
            `Simplest tree whose ${error} is within one standard error of the best (one-standard-error rule)`,
            "stage-one-se",
          ),
      best === undefined ? null : jump("Best tree", best, `Tree with the smallest ${error}`, "stage-min"),
    );
    this.markJumps(this.store.state.k);
  }

  /** Mark the buttons whose tree is displayed. @param {number} k */
  markJumps(k) {
    for (const one of this.jumps.querySelectorAll("button"))
      one.setAttribute("aria-pressed", String(one.dataset.tree === String(k)));
  }

  /**
   * Show the loss in accuracy of the first displayed tree, with a link to the simplest good tree. For another tree,
   * show the link back.
   * @param {Path} path @param {number} k
   */
  showNote({ trees }, k) {
    const { notes, openedTree } = this.store;
    const found = openedTree === null ? undefined : notes[openedTree];
    this.note.hidden = !found;
    if (!found || openedTree === null) return;
    const isOpened = openedTree === k;
    const note = isOpened ? found.note : "";
    if (this.noteText.textContent !== note) this.noteText.textContent = note;
    const to = isOpened ? found.better : openedTree;
    this.better.hidden = to === null;
    if (to === null) return;
    const [leaves, other] = [to, isOpened ? openedTree : (found.better ?? k)].map((i) => trees[i].sizes(0).leaves);
    const name =
      leaves !== other ? `tree with ${counted(leaves, "leaf")}` : isOpened ? "simplest good tree" : "tree that opened";
    const text = `${isOpened ? "Show the" : "Return to the"} ${name}`;
    if (this.better.textContent !== text) this.better.textContent = text;
    this.better.onclick = () => this.on.go(to);
  }

  /** @param {number} k */
  show(k) {
    const { path, tree, step, cell, state } = this.store;
    const { slider } = this;
    const ends = [cell.first, cell.last].map(String);
    if (slider.max !== ends[1] || slider.min !== ends[0]) [slider.min, slider.max] = ends;
    if (slider.value !== String(k)) slider.value = String(k);
    if (step) {
      const place = `Step ${k + 1} of ${path.trees.length}.`;
      return slider.setAttribute("aria-valuetext", state.isGuessing ? place : `${place} ${step.sentence}`);
    }
    const lam = path.lams[k];
    const isSparse = path.isOblique && path.trees.length > 1 && lam > 0 && !state.inLesson && !path.bySize;
    const hasOneLambda =
      state.inLesson && path.trees.length > 1 && !path.bySize && path.lams.every((other) => other === lam);
    const text = hasOneLambda
      ? ""
      : `${path.bySize ? placeText(path, k) : `λ = ${number(lam)}`}${isSparse ? `  (C = 1/λ = ${number(1 / lam)})` : ""}`;
    this.value.title = path.bySize
      ? "Number of leaves. Each tree is the best one found of its size: large trees on the left, small trees on the right"
      : `Regularisation strength λ: large trees on the left, small trees on the right${isSparse ? LIBLINEAR : ""}`;
    const count = cell.last - cell.first + 1;
    const place = `tree ${cell.column + 1} of ${count}`;
    if (path.bySize) this.showSize();
    this.value.textContent = hasOneLambda ? capital(place) : count > 1 ? `${text}  ·  ${place}` : text;
    this.showNote(path, k);
    this.markJumps(k);
    const leaves = path.bySize ? "" : `, ${counted(tree.sizes(0).leaves, "leaf")}`;
    slider.setAttribute("aria-valuetext", `${text || capital(place)}${leaves}`);
    const isPlaying = this.on.isPlaying();
    const action = isPlaying ? "Pause" : "Play the path";
    if (this.play.title !== action) {
      fill(this.play, icon(isPlaying ? "pause" : "play"));
      this.play.title = action;
      this.play.setAttribute("aria-label", action);
    }
    return undefined;
  }
}

/**
 * Return the index of the first of the trees `first` to `last` with at most so many leaves, or `last`. Their sizes decrease.
 * @param {number[]} sizes @param {number} leaves @param {number} first @param {number} last
 */
export function largestWithin(sizes, leaves, first, last) {
  const found = sizes.findIndex((size, index) => index >= first && index <= last && size <= leaves);
  return found < 0 ? last : found;
}

const BRIEF = 140; // milliseconds between two trees of the introduction

/** `on`: {go(index), settle(), show(): called when playing starts or stops}. */
export class Player {
  /** @param {Store} store @param {Life} life @param {{go(index: number): void, settle(): void, show(): void}} on */
  constructor(store, life, on) {
    this.store = store;
    this.life = life;
    this.on = on;
    this.timer = null;
    this.wait = 600; // milliseconds between two trees
    /** @type {number | null} tree at which the introduction stops */
    this.introduced = null;
  }

  get isPlaying() {
    return this.timer !== null;
  }

  /** Play once from the largest tree to the displayed one, unless motion is reduced. */
  introduce() {
    const { k, isStill } = this.store.state;
    const { first } = this.store.cell;
    if (isStill || k <= first) return;
    this.on.go(first);
    this.play(true, BRIEF);
    this.introduced = k;
  }

  /** Show the tree at which the introduction stops, if it still plays. */
  finish() {
    const { introduced } = this;
    if (introduced === null) return;
    this.on.go(introduced);
    this.play(false);
  }

  /** @param {boolean} isOn @param {number} [wait] */
  play(isOn, wait = this.wait) {
    const { store, life, on } = this;
    life.stop(this.timer);
    this.timer = this.introduced = null;
    if (!store.path) return;
    const { first, last } = store.cell;
    store.set({ isMoving: isOn && last > first });
    if (isOn && last > first) {
      if (store.state.k >= this.end) on.go(first);
      this.timer = life.every(() => {
        if (store.state.k >= this.end) this.play(false);
        else on.go(store.state.k + 1);
      }, wait);
    } else on.settle();
    on.show();
  }

  /** Index of the tree at which playing stops. */
  get end() {
    const { recording } = this.store.state;
    return this.introduced ?? (recording ? this.store.cell.last : this.store.restingTree);
  }

  /** @param {number} wait */
  setSpeed(wait) {
    this.wait = wait;
    if (this.isPlaying) this.play(true);
  }
}
