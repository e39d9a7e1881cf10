// The inspector next to the tree, with several tabs. Redrawing keeps the focus, the scroll position and expanded parts.

import { changesPanel } from "./changes_panel.js";
import { ARROWS, fill, focusedBeside, h } from "../elements/dom.js";
import { featuresPanel } from "./features_panel.js";
import { NodePanel } from "./node_panel.js";
import { RowPanel } from "./row_panel.js";
import { swipeDown } from "./swipe_down.js";

const TABS = { node: "Node", row: "Row", features: "Features", changes: "Changes" };

/**
 * The inspector. `edit`: elements for changing a node, and the history of edits. `refresh()`: redraw the inspector
 * soon. `id`: id of the stage.
 */
export class Inspector {
  /**
   * @param {Store} store @param {string} id @param {Drawing} drawing
   * @param {{panel(node: number, width: number): HTMLElement | null, history(): unknown[]}} edit
   * @param {{go(index: number): void, point: NodePanel["on"]["point"], refresh(): void, close(): void}} on
   */
  constructor(store, id, drawing, edit, on) {
    this.store = store;
    this.edit = edit;
    this.on = on;
    this.node = new NodePanel(store, drawing, (node) => edit.panel(node, this.width), on);
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
    /** @type {HTMLInputElement | null} number field with a value that is not yet applied */
    this.typed = null;
    this.shown = ""; // name of the current tab
    this.body.addEventListener("input", ({ target }) => {
      if (target instanceof HTMLInputElement && target.type === "number") this.typed = target;
    });
    for (const name of ["change", "focusout"])
      this.body.addEventListener(name, ({ target }) => {
        if (target !== this.typed) return;
        this.typed = null;
        on.refresh();
      });
    const close = h(
      "button",
      { class: "close", "aria-label": "Close the inspector", "data-testid": "stage-close", onclick: () => on.close() },
      "×",
    );
    const top = h("div", { class: "top-bar" }, this.tabs, close);
    this.element = h("aside", { class: "inspector", "aria-label": "Inspector" }, top, this.body);
    swipeDown(top, this.element, on.close);
  }

  /** Width of a plot in pixels. */
  get width() {
    return (this.element.clientWidth || 320) - 28;
  }

  /** @param {string} tab */
  contents(tab) {
    const { store, edit, on } = this;
    if (tab === "node") return this.node.contents(this.width);
    if (tab === "row") return this.row.contents();
    if (tab === "features") return featuresPanel(store);
    return store.isEditing ? edit.history() : changesPanel(store, on.go);
  }

  /** Update the parts that follow the pointer. */
  follow() {
    this.node.follow();
    if (this.store.state.tab === "row") this.row.follow();
  }

  /** Show a tree with the same nodes and other splits. */
  showTree() {
    const { panel, tab } = this.store.state;
    if (panel && tab === "node") this.node.showTree();
  }

  /** Update the parts that wait until the stage is idle. */
  rest() {
    const { panel, tab, penDown } = this.store.state;
    if (panel && tab === "node" && !penDown && this.node.isLate) this.draw();
  }

  /** Scroll to the table of the selected rows. */
  showSelected() {
    this.store.set({ panel: true, tab: "node" });
    this.draw();
    this.body.querySelector(".selected")?.scrollIntoView({ block: "nearest" });
  }

  /** Move between the tabs with the left and right arrow keys. @param {KeyboardEvent} event */
  key(event) {
    const [step] = ARROWS[event.key] ?? [0];
    if (!step) return;
    const names = Object.keys(TABS).filter((_, i) => this.buttons[i].offsetParent);
    const at = (names.indexOf(this.store.state.tab) + step + names.length) % names.length;
    this.store.set({ tab: names[at] });
    this.buttons.find((button) => button.dataset.tab === names[at])?.focus();
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
    const active = focusedBeside(body);
    const name = active && body.contains(active) ? nameOf(active) : null;
    const open = new Map([...body.querySelectorAll("details")].map((details) => [titleOf(details), details.open]));
    const top = body.scrollTop;
    const inner = body.querySelector(".scroll");
    const seen = inner && { left: inner.scrollLeft, top: inner.scrollTop };
    fill(body, this.contents(tab));
    for (const details of body.querySelectorAll("details")) details.open = open.get(titleOf(details)) ?? details.open;
    if (this.shown === tab) body.scrollTop = top;
    if (seen) body.querySelector(".scroll")?.scrollTo(seen);
    this.shown = tab;
    if (!name) return;
    const controls = "button, input, select, canvas, summary, [role=slider]";
    const same = [.../** @type {NodeListOf<HTMLElement>} */ (body.querySelectorAll(controls))].find(
      (e) => nameOf(e) === name,
    );
    // An edit may remove its own button.
    (same ?? (this.store.isEditing ? body : null))?.focus({ preventScroll: true });
  }
}

/** @param {Element} element */
function nameOf(element) {
  return element.getAttribute("data-testid") || element.getAttribute("aria-label") || element.textContent;
}

/** @param {HTMLDetailsElement} details */
function titleOf(details) {
  return details.firstChild?.textContent?.split(" (")[0];
}
