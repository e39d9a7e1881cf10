// The bar below the picture: slider, play and step, recommended trees.

import { number } from "../model/number_text.js";
import { fill, h, icon } from "../elements/dom.js";

const SPEEDS = [
  ["0.5×", 1200],
  ["1×", 600],
  ["2×", 300],
  ["4×", 150],
];

/** Play, step, the slider, lambda in words, and the recommended trees. */
export class Transport {
  constructor(stage) {
    this.stage = stage;
    this.slider = h("input", {
      type: "range",
      min: 0,
      max: 0,
      step: 1,
      value: 0,
      "data-testid": "stage-slider",
    });
    this.slider.addEventListener("input", () => {
      if (stage.recorder.isOn) stage.recorder.pause();
      stage.go(Number(this.slider.value), false);
    });
    this.slider.addEventListener("change", () => stage.settle());
    this.play = h(
      "button",
      { class: "play", "data-testid": "stage-play", onclick: () => stage.player.play(!stage.player.isPlaying) },
      icon("play"),
    );
    this.speed = h(
      "select",
      { "aria-label": "Speed", title: "Speed", onchange: () => stage.player.setSpeed(Number(this.speed.value)) },
      SPEEDS.map(([text, wait]) => h("option", { value: wait, ...(wait === 600 ? { selected: true } : {}) }, text)),
    );
    this.value = h("output", { class: "lambda" });
    this.jumps = h("span", { class: "jumps" });
    this.track = h("div", { class: "track" }, this.slider);
    this.buttons = h(
      "div",
      { class: "transport" },
      h(
        "button",
        { "aria-label": "Previous λ", title: "Previous λ", onclick: () => stage.go(stage.state.k - 1) },
        icon("previous"),
      ),
      this.play,
      h(
        "button",
        { "aria-label": "Next λ", title: "Next λ", onclick: () => stage.go(stage.state.k + 1) },
        icon("next"),
      ),
      this.speed,
      this.value,
      h("span", { class: "space" }),
      this.jumps,
    );
  }

  /** What the slider is called where it goes along a path. */
  describe() {
    const of = this.stage.title ? ` of ${this.stage.title}` : "";
    const text = `λ${of}: strength of the penalty on weights; left large trees, right small ones`;
    this.slider.setAttribute("aria-label", text);
  }

  load(path) {
    if (!this.stage.recorder.isOn) {
      this.describe();
      this.stage.player.wait = Number(this.speed.value);
    }
    this.slider.max = String(path.trees.length - 1);
    const single = path.trees.length < 2;
    this.stage.element.classList.toggle("single", single);
    this.slider.disabled = single;
    for (const button of this.buttons.querySelectorAll("button, select")) button.disabled = single;
    const { one_se: simple, min: best } = path.recommended;
    const jump = (text, index, help, test) =>
      h(
        "button",
        {
          title: `${help} (λ = ${number(path.lams[index])}, ${path.trees[index].sizes(0).leaves} leaves)`,
          "data-testid": test,
          onclick: () => this.stage.go(index),
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
            "The largest λ whose validation error is within one standard error of the best",
            "stage-one-se",
          ),
      best === undefined ? null : jump("Best tree", best, "The tree with the smallest validation error", "stage-min"),
    );
  }

  show(k) {
    const { path, player } = this.stage;
    if (this.slider.value !== String(k)) this.slider.value = String(k);
    if (this.stage.recorder.isOn) return this.stage.recorder.show(k);
    const text = `λ = ${number(path.lams[k])}`;
    this.value.title = "λ is the strength of the penalty on weights: left large trees, right small ones";
    this.value.textContent = path.trees.length > 1 ? `${text}  ·  tree ${k + 1} of ${path.trees.length}` : text;
    this.slider.setAttribute("aria-valuetext", `${text}, ${path.trees[k].sizes(0).leaves} leaves`);
    const action = player.isPlaying ? "Pause" : "Play the path";
    if (this.play.title !== action) {
      fill(this.play, icon(player.isPlaying ? "pause" : "play"));
      this.play.title = action;
      this.play.setAttribute("aria-label", action);
    }
  }
}
