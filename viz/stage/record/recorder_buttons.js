// Toolbar below the staircase to play a recorded run and to step through it.

import { fill, h, icon, isTyping, takesPages } from "../elements/dom.js";
import { stepName, passes } from "../model/recording.js";

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
