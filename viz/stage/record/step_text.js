// What happens at a step, in words, and what the marks of the picture mean.

import { fill, h } from "../elements/dom.js";
import { stepName } from "../model/recording.js";

/** Two sentences below the picture, and the legend of the care points. */
export class StepText {
  /** @param {Store} store */
  constructor(store) {
    this.store = store;
    this.step = h("p", { class: "step-sentence", "data-testid": "stage-step-sentence" });
    this.node = h("p", { class: "node-sentence", "data-testid": "stage-node-sentence" });
    this.element = h("div", { class: "step-text" }, this.step, this.node);
    /** @param {string} name @param {...(string | Node)} text */
    const mark = (name, ...text) =>
      h("span", { class: `mark ${name}` }, h("i", { "aria-hidden": "true" }), h("span", {}, text));
    const child = () => h("span", { class: "child" }, " child");
    this.legend = h(
      "div",
      { class: "care-legend", "data-testid": "stage-care-legend", role: "note", "aria-label": "Marks" },
      h("b", {}, "Care points"),
      mark("wants-left", "wants left", child()),
      mark("wants-right", "wants right", child()),
      mark("does-not-care", "does not care"),
      mark("old-line", "old line"),
      mark("being-optimised", "being optimised"),
    );
  }

  draw() {
    const { step, shownNode: shown, state, path } = this.store;
    if (!step) return;
    const several = step.nodes.length > 1;
    const isEmpty = !path.sample.n;
    this.write(this.step, isEmpty ? "No points, no tree yet." : step.sentence || stepName(step));
    this.write(this.node, shown ? shown.sentence : "");
    this.legend.hidden = !state.recording?.steps.some((one) => one.most?.rows.length);
    this.element.classList.toggle("several", several);
  }

  /** @param {HTMLElement} element @param {string} words */
  write(element, words) {
    const text = words.replaceAll(" %", "\u00a0%"); // a figure is not broken
    if (element.textContent !== text) fill(element, text);
  }

  /** Both sentences, for screen readers. */
  get text() {
    return [this.step.textContent, this.node.textContent].filter(Boolean).join(" ");
  }
}
