// The bar below the staircase: play and step through a recorded run.

import { fill, h, icon } from "../elements/dom.js";
import { passes, stepName } from "../model/recording.js";

const SPEEDS = [
  ["0.25×", 3200],
  ["0.5×", 1600],
  ["1×", 800],
  ["2×", 400],
  ["4×", 200],
  ["8×", 100],
];
const USUAL = 800;

export class RecorderButtons {
  constructor(stage) {
    this.stage = stage;
    const button = (name, text, act, test) =>
      h("button", { "aria-label": text, title: text, "data-testid": test, onclick: act }, icon(name));
    const go = (k) => () => {
      stage.recorder.pause();
      stage.go(k());
    };
    const last = () => stage.path.trees.length - 1;
    this.play = h("button", {
      class: "play primary",
      "data-testid": "stage-play",
      onclick: () => stage.recorder.playOrPause(),
    });
    this.speed = h(
      "select",
      {
        "aria-label": "Speed",
        title: "Speed",
        "data-testid": "stage-speed",
        onchange: () => stage.recorder.setSpeed(Number(this.speed.value)),
      },
      SPEEDS.map(([text, wait]) => h("option", { value: wait, ...(wait === USUAL ? { selected: true } : {}) }, text)),
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
        go(() => stage.state.k - 1),
        "stage-back",
      ),
    ];
    this.on = [
      button(
        "next",
        "Step (Page Down)",
        go(() => stage.state.k + 1),
        "stage-step",
      ),
      button("last", "Last step", go(last), "stage-last"),
    ];
    this.pass = h(
      "button",
      {
        "data-testid": "stage-pass",
        title: "To the beginning of the next pass ( ] )",
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
      this.on,
      this.pass,
      this.speed,
      h("span", { class: "space" }),
      this.where,
    );
    this.wait = USUAL;
    stage.transport.slider.addEventListener("pointerdown", () => stage.recorder.isOn && stage.recorder.pause());
  }

  /** Step at which the next pass (or, -1, the present or the one before it) begins. */
  nextPass(direction = 1) {
    const { stage } = this;
    const { steps } = stage.recorder.recording;
    const starts = [0, ...passes(steps).map(({ index }) => index)];
    const { k } = stage.state;
    const next = direction > 0 ? starts.find((index) => index > k) : starts.findLast((index) => index < k);
    return next ?? (direction > 0 ? steps.length - 1 : 0);
  }

  show(k) {
    const { recorder, path } = this.stage;
    const { steps } = recorder.recording;
    const count = path.trees.length;
    for (const one of this.back) one.disabled = k === 0;
    for (const one of this.on) one.disabled = k === count - 1;
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
    const { isPlaying } = this.stage.recorder;
    const action = isPlaying ? "Pause (P)" : "Play (P)";
    if (this.play.title === action) return;
    fill(this.play, icon(isPlaying ? "pause" : "play"));
    this.play.title = action;
    this.play.setAttribute("aria-label", isPlaying ? "Pause" : "Play");
  }
}
