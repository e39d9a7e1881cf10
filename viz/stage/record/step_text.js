// Sentences about a step.

import { fill, h } from "../elements/dom.js";
import { stepName } from "../model/recording.js";

/** Two sentences below the tree. */
export class StepText {
  /** @param {Store} store */
  constructor(store) {
    this.store = store;
    this.step = h("p", { class: "step-sentence", "data-testid": "stage-step-sentence" });
    this.node = h("p", { class: "node-sentence", "data-testid": "stage-node-sentence" });
    this.element = h("div", { class: "step-text" }, this.step, this.node);
  }

  draw() {
    const { step, shownNode: shown, path } = this.store;
    if (!step) return;
    const several = step.nodes.length > 1;
    const isEmpty = !path.sample.n;
    this.write(this.step, isEmpty ? "Points and tree are still missing." : step.sentence || stepName(step));
    this.write(this.node, shown ? shown.sentence : "");
    this.element.classList.toggle("several", several);
  }

  /** @param {HTMLElement} element @param {string} words */
  write(element, words) {
    const text = words.replaceAll(" %", "\u00a0%"); // A number stays on one line with its unit.
    if (element.textContent !== text) fill(element, text);
  }

  /** Return both sentences, for screen readers. */
  get text() {
    return [this.step.textContent, this.node.textContent].filter(Boolean).join(" ");
  }
}
