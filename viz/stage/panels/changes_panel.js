// Metrics of the changes from the pinned tree to the displayed tree.

import { h } from "../elements/dom.js";
import { changeWords } from "./change_words.js";
import { changeOfTree, nodeChange } from "../model/comparison.js";
import { imageElement, largestOf, signedImage } from "../draw/sprites.js";
import { placeText, sweptName } from "../model/grid.js";
import { capital, count, number } from "../model/number_text.js";
import { nodeName, rowsOfSet } from "../model/tree.js";

const MOST = 40;

/**
 * Return the contents of the "Changes" tab. `go(index)` shows another tree.
 * @param {Store} store @param {(index: number) => void} go
 */
export function changesPanel(store, go) {
  const { path, state, tree } = store;
  const before = store.pinned;
  const { pinned } = state;
  if (!before || pinned === null) {
    return [
      h("h2", {}, `Changes with ${sweptName(path)}`),
      h(
        "p",
        { class: "quiet" },
        "Pin this tree, then move the slider. The tree and this list show the nodes and weights that change, and the rows that end in another leaf.",
      ),
      h(
        "button",
        { class: "primary", "data-testid": "stage-pin", onclick: () => store.set({ pinned: state.k }) },
        `Pin ${placeText(path, state.k)}`,
      ),
    ];
  }
  const head = [
    h("h2", {}, `From ${placeText(path, pinned)} to ${placeText(path, state.k)}`),
    h(
      "div",
      { class: "buttons" },
      h("button", { onclick: () => go(pinned) }, "Go to pinned tree"),
      h("button", { onclick: () => store.set({ pinned: state.k }) }, "Pin this tree"),
      h("button", { "data-testid": "stage-unpin", onclick: () => store.set({ pinned: null }) }, "Unpin"),
    ),
  ];
  if (before === tree)
    return [
      ...head,
      h("p", { class: "quiet" }, "This is the pinned tree. Move the slider to compare it with another."),
    ];
  const change = changeOfTree(store, before);
  const { nouns } = path.target;
  const rows = rowsOfSet(path, state.set).length;
  /** @param {string} name @param {string} value @param {string} [title] */
  const line = (name, value, title) =>
    h("tr", { title }, h("th", { scope: "row" }, name), h("td", { class: "number" }, value));
  return [
    ...head,
    h(
      "table",
      { class: "coefficients", "data-testid": "stage-changes" },
      h(
        "tbody",
        {},
        line("nodes removed", count(change.gone.length)),
        line("nodes added", count(change.fresh.length)),
        line("decision nodes now leaves", count(change.pruned.length)),
        line("weights removed", count(change.weightsGone)),
        line("weights added", count(change.weightsNew)),
        line("rows in another leaf", `${count(change.rerouted)} of ${count(rows)}`, "sampled rows in the selected set"),
        line(`now ${nouns.right}, were ${nouns.wrong}`, count(change.corrected)),
        line(`now ${nouns.wrong}, were ${nouns.right}`, count(change.broken)),
      ),
    ),
    sentences(store, before),
    nodeDifference(store, before),
  ];
}

/** Return the changes at nodes as a list of links. @param {Store} store @param {StageTree} before */
function sentences(store, before) {
  const found = changeWords(store, before).filter(({ origin }) => origin !== null);
  if (!found.length) return null;
  const more = found.length - MOST;
  return h(
    "ul",
    { class: "origins" },
    found
      .slice(0, MOST)
      .map(({ text, origin, isOld }) =>
        h("li", {}, isOld ? text : h("button", { class: "link", onclick: () => store.select(origin) }, text)),
      ),
    more > 0 ? h("li", {}, `and ${count(more)} more`) : null,
  );
}

/** @param {Store} store @param {StageTree} before */
function nodeDifference(store, before) {
  const { path, tree, state } = store;
  const now = tree.nodeOf.get(state.node),
    was = before.nodeOf.get(state.node);
  if (now === undefined || was === undefined || tree.isLeaf(now) || before.isLeaf(was)) {
    return h("p", { class: "quiet" }, "Select a decision node that both trees have, to compare its weights.");
  }
  const { gone, fresh, moved } = nodeChange(before, tree, now, state.set);
  const parts = [
    h("h3", {}, capital(nodeName(tree, now))),
    h(
      "p",
      {},
      `${gone} weights removed, ${fresh} added. ${moved} rows reach this node in both trees but take another branch.`,
    ),
  ];
  const a = before.dense(was),
    b = tree.dense(now);
  if (path.imageShape) {
    const largest = Math.max(largestOf(before, was), largestOf(tree, now));
    const pictures = { before: a, now: b, difference: b.map((v, i) => v - a[i]) };
    parts.push(
      h(
        "div",
        { class: "sides" },
        Object.entries(pictures).map(([name, values]) => {
          const image = signedImage(path, store.colors, values, largest);
          return h("figure", {}, imageElement(path, image, 88, `Weights ${name}`), h("figcaption", {}, name));
        }),
      ),
    );
    return parts;
  }
  const used = Array.from(a.keys())
    .filter((j) => a[j] || b[j])
    .sort(
      (i, j) =>
        Math.max(Math.abs(a[j]), Math.abs(b[j])) * path.deviation[j] -
        Math.max(Math.abs(a[i]), Math.abs(b[i])) * path.deviation[i],
    );
  parts.push(
    h(
      "table",
      { class: "coefficients" },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          ["feature", "before", "now"].map((t) => h("th", { scope: "col" }, t)),
        ),
      ),
      h(
        "tbody",
        {},
        used
          .slice(0, MOST)
          .map((j) =>
            h(
              "tr",
              { class: !b[j] ? "gone" : !a[j] ? "fresh" : null },
              h("th", { scope: "row", dir: "auto", title: path.features[j] }, path.features[j]),
              h("td", {}, a[j] ? number(a[j]) : "–"),
              h("td", {}, b[j] ? number(b[j]) : "–"),
            ),
          ),
      ),
      used.length > MOST ? h("caption", {}, `the ${MOST} largest of ${count(used.length)}`) : null,
    ),
  );
  return parts;
}
