// The inspector next to the tree, with several tabs. Redrawing keeps the focus, the scroll position and expanded parts.

import { imageElement, imageSize, inkImage } from "../draw/sprites.js";
import { ARROWS, fill, focusedBeside, h, sizeCanvas } from "../elements/dom.js";
import { placeText } from "../model/grid.js";
import { count, number } from "../model/number_text.js";
import { remembered } from "../model/remembered.js";
import { showFeature } from "../model/search.js";
import { nodeName } from "../model/tree.js";
import { changesPanel } from "./changes_panel.js";
import { NodePanel } from "./node_panel.js";
import { RowPanel } from "./row_panel.js";

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

const FAR = 60; // minimum length in pixels of a pull that closes the sheet
const STILL = 8; // maximum pixels that the pointer moves during a click

/**
 * Call `act` if the user pulls the sheet down by its handle. Clicks on the handle go to the element below it.
 * @param {HTMLElement} handle @param {HTMLElement} sheet @param {() => void} act
 */
export function swipeDown(handle, sheet, act) {
  /** @type {number | null} position at which the finger touched the screen */
  let start = null;
  let pulled = 0;
  handle.addEventListener("pointerdown", (event) => {
    start = event.pointerType === "mouse" ? null : event.clientY;
    pulled = 0;
  });
  handle.addEventListener("pointermove", (event) => {
    if (start === null) return;
    pulled = Math.max(0, event.clientY - start);
    if (pulled > STILL && !handle.hasPointerCapture(event.pointerId)) handle.setPointerCapture(event.pointerId);
    sheet.style.transform = pulled > STILL ? `translateY(${pulled}px)` : "";
  });
  for (const name of ["pointerup", "pointercancel"])
    handle.addEventListener(name, () => {
      if (start === null) return;
      start = null;
      sheet.style.transform = "";
      if (name === "pointerup" && pulled > FAR) act();
    });
}

const MOST = 40;

/**
 * Return a Map feature -> Uint16Array[lambdas] with the number of nodes that use the feature. With `origin`, only this
 * node counts.
 * @param {Store} store @param {number | null} [origin]
 */
function featureUse({ path, trees, cell }, origin = null) {
  return remembered(path, `feature use ${cell.row} ${origin}`, () => {
    const use = new Map();
    trees.forEach((tree, t) => {
      const node = tree.nodeOf.get(origin);
      if (origin !== null && node === undefined) return;
      const used = node === undefined ? tree.usedFeatures() : tree.featuresOf(node);
      for (const feature of used) {
        if (!use.has(feature)) use.set(feature, new Uint16Array(trees.length));
        use.get(feature)[t]++;
      }
    });
    return use;
  });
}

/** Return the index of the largest lambda at which a feature is used. @param {Uint16Array} counts */
function entersAt(counts) {
  return counts.findLastIndex((v) => v > 0);
}

/** Return the contents of the "Features" tab. @param {Store} store */
export function featuresPanel(store) {
  const { path, state } = store;
  const origin = state.onlyNode ? state.node : null;
  const use = featureUse(store, origin);
  /** @param {Uint16Array} counts */
  const total = (counts) => counts.reduce((a, b) => a + b, 0);
  const order = [...use.keys()].sort(
    (a, b) => entersAt(use.get(b)) - entersAt(use.get(a)) || total(use.get(b)) - total(use.get(a)),
  );
  const only = h(
    "label",
    { class: "check" },
    h("input", {
      type: "checkbox",
      checked: state.onlyNode,
      disabled: state.node === null,
      onchange: () => store.set({ onlyNode: !store.state.onlyNode }),
    }),
    state.node === null ? "Selected node only" : `${nodeName(store.tree, store.tree.nodeOf.get(state.node) ?? 0)} only`,
  );
  /** @type {HTMLElement[]} */
  const parts = [
    h("h2", {}, "Features along the path"),
    only,
    h(
      "p",
      { class: "quiet" },
      `The trees on the path use ${count(order.length)} of ${count(path.nFeatures)} ${path.imageShape ? "pixels" : "features"}. A feature enters at the ${path.bySize ? "smallest size" : "largest λ"} with a tree that uses this feature.`,
    ),
  ];
  if (!order.length) return parts;
  if (path.imageShape) parts.push(entryMap(store, use));
  parts.push(
    h(
      "table",
      { class: "entries", "data-testid": "stage-features" },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col" }, path.imageShape ? "pixel" : "feature"),
          h("th", { scope: "col" }, path.bySize ? "large trees … small trees" : "small λ … large λ"),
          h("th", { scope: "col" }, "enters"),
        ),
      ),
      h(
        "tbody",
        {},
        order.slice(0, MOST).map((j) =>
          h(
            "tr",
            { class: state.feature === j ? "chosen" : null },
            h(
              "th",
              { scope: "row", dir: "auto" },
              h(
                "button",
                {
                  class: "link",
                  title: `Show the nodes that use ${path.features[j]}`,
                  onclick: () => showFeature(store, state.feature === j ? null : j),
                },
                path.features[j],
              ),
            ),
            h("td", {}, strip(store, use.get(j))),
            h(
              "td",
              { class: "number" },
              path.bySize ? placeText(path, entersAt(use.get(j))) : number(path.lams[entersAt(use.get(j))]),
            ),
          ),
        ),
      ),
    ),
  );
  if (order.length > MOST)
    parts.push(
      h(
        "p",
        { class: "quiet" },
        `and ${order.length - MOST} more that enter ${path.bySize ? "in larger trees" : "at smaller λ"}`,
      ),
    );
  if (state.feature !== null && origin === null) parts.push(perNode(store, state.feature));
  return parts;
}

/**
 * Draw one cell per lambda, which is darker if more nodes use the feature.
 * @param {Store} store @param {Uint16Array} counts
 */
function strip(store, counts) {
  const { colors } = store;
  const width = 108,
    height = 12;
  const canvas = h("canvas", { "aria-hidden": "true" });
  const context = sizeCanvas(canvas, width, height);
  const cell = width / counts.length;
  const most = Math.max(...counts, 1);
  counts.forEach((v, i) => {
    context.globalAlpha = v ? 0.35 + (0.65 * v) / most : 1;
    context.fillStyle = v ? colors.theme.accent : colors.theme.grid;
    context.fillRect(i * cell, v ? 0 : height / 2 - 1, Math.max(cell - 0.7, 0.6), v ? height : 2);
  });
  context.globalAlpha = 1;
  context.fillStyle = colors.theme.text;
  context.fillRect((store.cell.column + 0.5) * cell - 0.7, 0, 1.4, height);
  return canvas;
}

/**
 * Return an image in which darker pixels stay in use up to a larger lambda.
 * @param {Store} store @param {Known<number, Uint16Array>} use
 */
function entryMap(store, use) {
  const { path, colors, trees } = store;
  const [rows, columns] = imageSize(path);
  const values = new Float64Array(rows * columns);
  for (const [j, counts] of use) values[j] = (entersAt(counts) + 1) / trees.length;
  const text = `Image of the pixels. The darker a pixel, the ${path.bySize ? "smaller the trees that" : "larger the λ at which trees"} still use it`;
  const canvas = imageElement(path, inkImage(path, colors, values), 168, text);
  const says = h(
    "figcaption",
    {},
    path.bySize ? "darker pixels enter in smaller trees" : "darker pixels enter at larger λ",
  );
  canvas.addEventListener("pointermove", (event) => {
    const box = canvas.getBoundingClientRect();
    const c = Math.floor(((event.clientX - box.left) / box.width) * columns),
      r = Math.floor(((event.clientY - box.top) / box.height) * rows);
    const counts = use.get(r * columns + c);
    says.textContent = `pixel ${r}, ${c}: ${counts ? `enters at ${placeText(path, entersAt(counts))}` : "never used"}`;
  });
  return h("figure", { class: "map" }, canvas, says);
}

/**
 * Return the nodes that use a feature, with the largest lambda at which each node uses it.
 * @param {Store} store @param {number} feature
 */
function perNode(store, feature) {
  const { path, trees } = store;
  const enters = new Map();
  trees.forEach((tree, t) => {
    for (let i = 0; i < tree.n; i++) if (tree.featuresOf(i).includes(feature)) enters.set(tree.origin[i], t);
  });
  const order = [...enters].sort((a, b) => b[1] - a[1]);
  return h(
    "div",
    {},
    h("h3", { dir: "auto" }, path.features[feature]),
    h(
      "p",
      { class: "origins" },
      "enters ",
      order
        .slice(0, MOST)
        .map(([origin, t]) => [
          h(
            "button",
            { class: "link", onclick: () => store.select(origin) },
            nodeName(trees[t], trees[t].nodeOf.get(origin) ?? 0),
          ),
          ` at ${placeText(path, t)}; `,
        ]),
      order.length > MOST ? `and ${count(order.length - MOST)} more` : "",
    ),
  );
}
