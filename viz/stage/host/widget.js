// Stage in a notebook cell, synchronised with Python in both directions.

import { h } from "../elements/dom.js";
import { numbersOf, selectedByNumber } from "../model/selection.js";
import { present } from "./presentation.js";
import { Stage } from "./stage.js";

const REPORT = 100; // milliseconds between two reports while a brush moves

/**
 * Show the trees of a widget in `parent`; return the stage. `style`: style sheet of the stage.
 * @param {WidgetModel} model @param {HTMLElement} parent @param {string} style
 */
export async function widget(model, parent, style) {
  const root = parent.attachShadow({ mode: "open" }); // isolated from the styles of the notebook
  const host = h("div", { style: `--stage-height: ${model.get("height")}px` });
  root.append(h("style", {}, style), host);
  const stage = new Stage(host, {
    send: ({ tree, node }) => report(model, { tree, node }),
    theme: () => themeOf(parent),
  });
  const { life, store } = stage;
  keepKeys(parent);
  const bytes = model.get("payload");
  const { tree, node } = { tree: model.get("tree"), node: model.get("node") };
  await stage.load(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength), { tree, node });
  present(stage, { alone: stage.path.trees.length < 2 });
  const hear = hearing(model, stage);
  for (const act of Object.values(hear)) act();
  for (const [name, act] of Object.entries(hear)) model.on(`change:${name}`, act);
  let waiting = false;
  store.subscribe((changed) => {
    if (!changed.includes("selection") || waiting) return;
    waiting = true;
    life.later(() => {
      waiting = false;
      report(model, { selected_rows: numbersOf(store.state.selection) });
    }, REPORT);
  });
  const themes = new MutationObserver(() => {
    stage.retheme();
    stage.resize();
  });
  for (const element of [document.documentElement, document.body]) themes.observe(element, { attributes: true });
  life.controller.signal.addEventListener("abort", () => {
    themes.disconnect();
    for (const [name, act] of Object.entries(hear)) model.off(`change:${name}`, act);
  });
  return stage;
}

/**
 * Apply traits that Python has changed.
 * @param {WidgetModel} model @param {Stage} stage @returns {Record<string, () => void>}
 */
function hearing(model, stage) {
  return {
    tree: () => model.get("tree") === stage.state.k || stage.go(model.get("tree"), false),
    node: () => model.get("node") === stage.state.node || stage.showNode(model.get("node")),
    selected_rows() {
      const rows = model.get("selected_rows");
      if (isEqual(rows, numbersOf(stage.state.selection))) return;
      stage.set({ selection: selectedByNumber(stage.path, rows) });
    },
  };
}

/** Report changes to Python. @param {WidgetModel} model @param {Partial<WidgetState>} values */
function report(model, values) {
  const names = /** @type {(keyof WidgetState)[]} */ (Object.keys(values));
  const changed = names.filter((name) => !isEqual(values[name], model.get(name)));
  for (const name of changed) model.set(name, /** @type {never} */ (values[name]));
  if (changed.length) model.save_changes();
}

/** @param {unknown} a @param {unknown} b */
function isEqual(a, b) {
  return JSON.stringify(a) === JSON.stringify(b);
}

/**
 * Keep keys pressed on the stage from triggering commands of the notebook, such as deleting cells.
 * @param {HTMLElement} parent
 */
function keepKeys(parent) {
  parent.dataset.lmSuppressShortcuts = "true"; // JupyterLab handles keys before the stage does.
  parent.addEventListener("keydown", (event) => event.stopPropagation());
}

/** Return the theme of a notebook, which is dark if its text is light. @param {Element} parent @returns {Scheme} */
function themeOf(parent) {
  const pen = /** @type {OffscreenCanvasRenderingContext2D} */ (new OffscreenCanvas(1, 1).getContext("2d"));
  pen.fillStyle = getComputedStyle(parent).color; // The colour may be in any notation.
  pen.fillRect(0, 0, 1, 1);
  const [r, g, b] = pen.getImageData(0, 0, 1, 1).data;
  return r + g + b > 1.5 * 255 ? "dark" : "light";
}
