// The panel beside the picture: one tab a question. Drawing it anew keeps focus, scrolling and what is folded open.

import { changesPanel } from "./changes_panel.js";
import { fill, h } from "../elements/dom.js";
import { featuresPanel } from "./features_panel.js";
import { NodePanel } from "./node_panel.js";
import { RowPanel } from "./row_panel.js";

const TABS = { node: "Node", row: "Row", features: "Features", changes: "Changes" };

/**
 * `drawing` as of Plot; `edit`: {panel(node): elements to change a node or null, history(): elements of the edits}; `on`:
 * {go(index), point(hit, node, event), refresh(): draw the inspector soon}; `id`: of the stage.
 */
export class Inspector {
  constructor(store, id, drawing, edit, on) {
    Object.assign(this, { store, edit, on });
    this.node = new NodePanel(store, drawing, (node) => edit.panel(node), on);
    this.row = new RowPanel(store, on.refresh);
    this.buttons = Object.entries(TABS).map(([name, title]) =>
      h(
        "button",
        {
          role: "tab",
          "data-tab": name,
          "data-testid": `stage-tab-${name}`,
          "aria-controls": `${id}-panel`,
          onclick: () => store.set({ tab: name }),
        },
        title,
      ),
    );
    this.tabs = h("div", { class: "tabs", role: "tablist", "aria-label": "Inspector" }, this.buttons);
    this.tabs.addEventListener("keydown", (event) => this.key(event));
    this.body = h("div", { class: "body", role: "tabpanel", tabindex: "0", id: `${id}-panel` });
    this.typed = null; // number field that holds something not taken over yet
    this.body.addEventListener("input", ({ target }) => target.type === "number" && (this.typed = target));
    for (const name of ["change", "focusout"])
      this.body.addEventListener(name, ({ target }) => {
        if (target !== this.typed) return;
        this.typed = null;
        on.refresh();
      });
    this.element = h("aside", { class: "inspector", "aria-label": "Inspector" }, this.tabs, this.body);
  }

  /** Room for a picture, in pixels. */
  get width() {
    return (this.element.clientWidth || 320) - 28;
  }

  contents(tab) {
    const { store, edit, on } = this;
    if (tab === "node") return this.node.contents(this.width);
    if (tab === "row") return this.row.contents();
    if (tab === "features") return featuresPanel(store);
    return store.isEditing ? edit.history() : changesPanel(store, on.go);
  }

  /** What keeps up with the pointer. */
  follow() {
    this.node.follow();
    if (this.store.state.tab === "row") this.row.follow();
  }

  /** The tree differs in its splits only. */
  showTree() {
    const { panel, tab } = this.store.state;
    if (panel && tab === "node") this.node.showTree();
  }

  /** The stage rests: what was not worth it before is told now. */
  rest() {
    const { panel, tab, penDown } = this.store.state;
    if (panel && tab === "node" && !penDown && this.node.isLate) this.draw();
  }

  /** Bring the table of the selected rows into sight. */
  showSelected() {
    this.store.set({ panel: true, tab: "node" });
    this.draw();
    this.body.querySelector(".selected")?.scrollIntoView({ block: "nearest" });
  }

  /** Left and right walk the tabs. */
  key(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    const names = Object.keys(TABS).filter((_, i) => this.buttons[i].offsetParent);
    const at = (names.indexOf(this.store.state.tab) + step + names.length) % names.length;
    this.store.set({ tab: names[at] });
    this.buttons.find((button) => button.dataset.tab === names[at]).focus();
    event.preventDefault();
  }

  draw() {
    if (this.typed?.isConnected) return;
    const { tab } = this.store.state;
    for (const button of this.buttons) {
      const chosen = button.dataset.tab === tab;
      button.setAttribute("aria-selected", String(chosen));
      button.tabIndex = chosen ? 0 : -1;
      if (button.dataset.tab === "changes") button.textContent = this.store.isEditing ? "History" : "Changes";
    }
    const { body } = this;
    const active = body.getRootNode().activeElement;
    const name = body.contains(active) ? nameOf(active) : null;
    const open = new Map([...body.querySelectorAll("details")].map((details) => [titleOf(details), details.open]));
    const top = body.scrollTop;
    const inner = body.querySelector(".scroll");
    const seen = inner && [inner.scrollLeft, inner.scrollTop];
    fill(body, this.contents(tab));
    for (const details of body.querySelectorAll("details")) details.open = open.get(titleOf(details)) ?? details.open;
    if (this.shown === tab) body.scrollTop = top;
    if (seen) body.querySelector(".scroll")?.scrollTo(...seen);
    this.shown = tab;
    if (!name) return;
    const same = [...body.querySelectorAll("button, input, select, canvas, summary, [role=slider]")].find(
      (e) => nameOf(e) === name,
    );
    // an edit may take its own button away
    (same ?? (this.store.isEditing ? body : null))?.focus({ preventScroll: true });
  }
}

function nameOf(element) {
  return element.getAttribute("aria-label") || element.textContent;
}

function titleOf(details) {
  return details.firstChild.textContent.split(" (")[0];
}
