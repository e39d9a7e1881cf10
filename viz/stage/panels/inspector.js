// The panel beside the picture: one tab a question. Drawing it anew keeps focus, scrolling and what is folded open.

import { changesPanel } from "./changes_panel.js";
import { fill, h } from "../elements/dom.js";
import { featuresPanel } from "./features_panel.js";
import { nodePanel } from "./node_panel.js";
import { rowPanel } from "./row_panel.js";

const TABS = {
  node: ["Node", nodePanel],
  row: ["Row", rowPanel],
  features: ["Features", featuresPanel],
  changes: ["Changes", changesPanel],
};

export class Inspector {
  constructor(stage) {
    this.stage = stage;
    this.buttons = Object.entries(TABS).map(([name, [title]]) =>
      h(
        "button",
        {
          role: "tab",
          "data-tab": name,
          "data-testid": `stage-tab-${name}`,
          "aria-controls": `${stage.id}-panel`,
          onclick: () => stage.set({ tab: name }),
        },
        title,
      ),
    );
    this.tabs = h("div", { class: "tabs", role: "tablist", "aria-label": "Inspector" }, this.buttons);
    this.tabs.addEventListener("keydown", (event) => this.key(event));
    this.body = h("div", { class: "body", role: "tabpanel", tabindex: "0", id: `${stage.id}-panel` });
    this.typed = null; // number field that holds something not taken over yet
    this.body.addEventListener("input", ({ target }) => target.type === "number" && (this.typed = target));
    for (const name of ["change", "focusout"])
      this.body.addEventListener(name, ({ target }) => {
        if (target !== this.typed) return;
        this.typed = null;
        stage.soon();
      });
    this.element = h("aside", { class: "inspector", "aria-label": "Inspector" }, this.tabs, this.body);
  }

  get width() {
    return this.element.clientWidth || 320;
  }

  /** Left and right walk the tabs. */
  key(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    const names = Object.keys(TABS).filter((_, i) => this.buttons[i].offsetParent);
    const at = (names.indexOf(this.stage.state.tab) + step + names.length) % names.length;
    this.stage.set({ tab: names[at] });
    this.buttons.find((button) => button.dataset.tab === names[at]).focus();
    event.preventDefault();
  }

  draw() {
    if (this.typed?.isConnected) return;
    const { tab } = this.stage.state;
    for (const button of this.buttons) {
      const chosen = button.dataset.tab === tab;
      button.setAttribute("aria-selected", String(chosen));
      button.tabIndex = chosen ? 0 : -1;
      if (button.dataset.tab === "changes") button.textContent = this.stage.editor.isOn ? "History" : "Changes";
    }
    const { body } = this;
    const active = this.stage.root.activeElement;
    const name = body.contains(active) ? nameOf(active) : null;
    const open = new Map([...body.querySelectorAll("details")].map((details) => [titleOf(details), details.open]));
    const top = body.scrollTop;
    const inner = body.querySelector(".scroll");
    const seen = inner && [inner.scrollLeft, inner.scrollTop];
    fill(body, TABS[tab][1](this.stage));
    for (const details of body.querySelectorAll("details")) details.open = open.get(titleOf(details)) ?? details.open;
    if (this.shown === tab) body.scrollTop = top;
    if (seen) body.querySelector(".scroll")?.scrollTo(...seen);
    this.shown = tab;
    if (!name) return;
    const same = [...body.querySelectorAll("button, input, select, canvas, summary, [role=slider]")].find(
      (e) => nameOf(e) === name,
    );
    // an edit may take its own button away
    (same ?? (this.stage.editor.isOn ? body : null))?.focus({ preventScroll: true });
  }
}

function nameOf(element) {
  return element.getAttribute("aria-label") || element.textContent;
}

function titleOf(details) {
  return details.firstChild.textContent.split(" (")[0];
}
