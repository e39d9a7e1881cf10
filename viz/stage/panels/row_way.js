// Prediction and decision path of the followed row, updated while its values change.

import { nodeName } from "../model/tree.js";
import { condition, marginText } from "../model/condition.js";
import { setText, signed } from "../model/number_text.js";
import { fill, h } from "../elements/dom.js";
import { changedPositions, currentValues } from "../model/followed_row.js";

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
