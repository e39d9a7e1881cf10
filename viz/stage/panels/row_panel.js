// Follows one row, chosen from the data or drawn by hand, with its highlighted decision path and the margin at each
// node.

import { fill, h } from "../elements/dom.js";
import { MARGIN_WORDS, condition, marginText } from "../model/condition.js";
import { changedPositions, currentValues, rowCalled, rowWords, tryValues } from "../model/followed_row.js";
import { setText, setWord, signed } from "../model/number_text.js";
import { nodeName, rowsOfSet } from "../model/tree.js";
import { Pad } from "./pad.js";
import { WhatIf } from "./what_if.js";

/** The "Row" tab. `refresh()` redraws the inspector. */
export class RowPanel {
  /** @param {Store} store @param {() => void} refresh */
  constructor(store, refresh) {
    this.store = store;
    this.refresh = refresh;
    /** @type {{follow(): void}[]} */
    this.parts = []; // parts that follow the values of the row
    this.pad = new Pad(store, refresh);
    /** @type {WhatIf | null} */
    this.whatIf = null;
  }

  follow() {
    if (this.store.way) for (const part of this.parts) part.follow();
  }

  contents() {
    const { store } = this;
    const { path, state } = store;
    /** @type {HTMLElement[]} */
    const parts = [h("h2", {}, "Follow a row"), picker(store)];
    if (path.imageShape) parts.push(this.pad.draw());
    if (!state.row) {
      this.parts = [];
      parts.push(
        h(
          "p",
          { class: "quiet" },
          `Choose a sampled row${path.imageShape ? " or draw one" : ""} to highlight its decision path and show the margin at every node.`,
        ),
      );
      return parts;
    }
    const way = new RowWay(store);
    this.parts = [way];
    parts.push(way.verdict);
    if (path.imageShape) {
      const back = new PixelsChanged(store, this.refresh);
      this.parts.push(back);
      parts.push(back.element);
    } else {
      if (!this.whatIf?.isFor(store)) this.whatIf = new WhatIf(store);
      this.parts.push(this.whatIf);
      parts.push(this.whatIf.element, h("h3", {}, "Decision path"));
    }
    parts.push(
      way.way,
      h("p", { class: "quiet" }, MARGIN_WORDS),
      h("button", { onclick: () => store.set({ row: null }) }, "Stop following"),
    );
    return parts;
  }
}

/** Number of pixels that pen and eraser have changed, and the button that resets them. */
class PixelsChanged {
  /** @param {Store} store @param {() => void} refresh */
  constructor(store, refresh) {
    this.store = store;
    this.count = h("span", { class: "quiet" });
    const back = () => {
      tryValues(store, null);
      refresh();
    };
    this.element = h(
      "div",
      { class: "buttons" },
      h("button", { "data-testid": "stage-back-to-row", onclick: back }, "Reset values"),
      this.count,
    );
    this.follow();
  }

  follow() {
    const count = changedPositions(this.store.state).length;
    this.element.hidden = count === 0;
    this.count.textContent = `${count} ${count === 1 ? "pixel" : "pixels"} changed`;
  }
}

/** @param {Store} store */
function picker(store) {
  const { path, state } = store;
  const rows = rowsOfSet(path, state.set);
  const at = state.row?.sample === undefined ? -1 : rows.indexOf(state.row.sample);
  /** @param {number} i */
  const follow = (i) => rows.length && store.follow(rows[(i + rows.length) % rows.length]);
  const random = () => follow(Math.floor(Math.random() * rows.length));
  const wrong = () => {
    const { leaf } = store.tree.route(state.set);
    for (let i = 1; i <= rows.length; i++) {
      const row = rows[(at + i + rows.length) % rows.length];
      if (path.target.isWrong(store.tree, leaf[row], row)) return store.follow(row);
    }
    return store.say("All sampled rows in this set are predicted correctly.");
  };
  /** @param {Event} event */
  const named = ({ target }) => {
    const input = /** @type {HTMLInputElement} */ (target);
    const row = rowCalled(path, rows, input.value);
    if (row !== undefined) return store.follow(row);
    const name = input.value.trim();
    input.setCustomValidity(name && `No sampled row of ${setText(path.sets[state.set])} is named '${name}'.`);
    return input.reportValidity();
  };
  const label = `Row number${path.sample.names ? " or name" : ""}`;
  return h(
    "div",
    { class: "buttons" },
    h("input", { type: "search", placeholder: label, "aria-label": label, onchange: named }),
    h("button", { onclick: () => follow(at - 1), "aria-label": "Previous row" }, "‹"),
    h("button", { onclick: () => follow(at + 1), "aria-label": "Next row" }, "›"),
    h("button", { onclick: random }, "Random"),
    h("button", { onclick: wrong }, "Next wrong"),
    at >= 0
      ? h("span", { class: "quiet", dir: "auto" }, `${rowWords(path, rows[at])} (${setWord(path.sets[state.set])})`)
      : h("span", { class: "quiet", dir: "auto" }, state.row?.name ?? ""),
  );
}

/** Prediction and decision path of the followed row, in `elements`. Call `follow()` after every change. */
export class RowWay {
  /** @param {Store} store */
  constructor(store) {
    this.store = store;
    this.verdict = h("p", { class: "verdict", "data-testid": "stage-verdict" });
    this.way = h("ol", { class: "way" });
    /** @type {WayStep[] | null | undefined} */
    this.shown = undefined;
    this.follow();
  }

  follow() {
    const { store } = this;
    if (this.shown === store.way) return;
    this.shown = store.way;
    fill(this.verdict, verdict(store));
    fill(this.way, steps(store));
  }
}

/** @param {Store} store */
function verdict(store) {
  const { path, tree, state, way } = store;
  const leaf = way?.at(-1)?.node ?? 0;
  const { losses, n } = tree.figures(0);
  const { target } = path;
  const values = currentValues(state);
  const value = values ? tree.predicted(leaf, values) : tree.value[leaf];
  const predicted = target.answer(tree, leaf, values);
  const trust = { set: setText(path.sets[0]), leaf: nodeName(tree, leaf) };
  const words = [
    "Predicted ",
    h("b", { dir: "auto" }, predicted),
    ` (${target.phrase("verdict", losses[leaf], n[leaf], trust)})`,
  ];
  const { row } = state;
  if (row && changedPositions(state).length) {
    const before = target.answer(tree, tree.leafOf(row.values), row.values);
    return before === predicted
      ? [...words, ", as without the changes."]
      : [...words, "; without the changes ", h("b", { class: "bad", dir: "auto" }, before), "."];
  }
  if (!row || row.label === null) return words;
  const truth = target.text(row.label);
  if (target.edges !== null)
    return [
      ...words,
      "; the true value is ",
      h("b", { dir: "auto" }, truth),
      `: ${target.difference(value, row.label)}.`,
    ];
  if (!target.misses(value, row.label)) return [...words, ": correct."];
  return [...words, "; the truth is ", h("b", { class: "bad", dir: "auto" }, truth), "."];
}

/** @param {Store} store */
function steps(store) {
  const { path, tree, state, way } = store;
  const without = state.row && state.whatIf ? tree.way(state.row.values) : [];
  const before = new Map(without.map((step) => [step.node, step.margin]));
  return way?.map(({ node, margin }) => {
    if (margin === null) return null; // This step is the leaf.
    const was = before.get(node);
    const right = tree.goesRight(node, margin);
    return h(
      "li",
      {},
      h("button", { class: "link", onclick: () => store.select(tree.origin[node]) }, nodeName(tree, node)),
      " ",
      path.imageShape ? null : h("span", { class: "words", dir: "auto" }, `${condition(tree, node, { right })}: `),
      h("b", {}, marginText(margin / tree.marginUnit(node), right)),
      was === undefined || was === null || Object.is(was, margin) || Number.isNaN(was)
        ? null
        : h("span", { class: "quiet" }, ` (was ${signed(was / tree.marginUnit(node))})`),
    );
  });
}
