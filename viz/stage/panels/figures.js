// Metrics above the tree.

import { pathError, setErrorName } from "../model/grid.js";
import { capital, count, number, setText, setWord } from "../model/number_text.js";
import { fill, h } from "../elements/dom.js";

/** @typedef {[name: string, help: string, value: (tree: StageTree) => string]} Figure */

/** Metrics of the displayed tree on one line. */
export class Figures {
  constructor() {
    this.element = h("dl", { class: "figures", "aria-label": "Metrics of this tree" });
    /** @type {[Figure[2], HTMLElement][]} */
    this.values = [];
  }

  /** @param {Path} path @param {Recording | null} [recording] */
  load(path, recording = null) {
    if (recording) return this.fill(recordedFigures(path, recording));
    const unit = path.imageShape ? "Pixels" : "Features";
    const order = [...path.sets.keys()].sort((a, b) => b - a);
    /** @type {Figure[]} */
    const entries = order.map((s) => [
      capital(setErrorName(path, path.sets[s].name, false)),
      path.target.errorHelp(path.sets[s]),
      (tree) => path.target.errorText(tree.sizes(s).error),
    ]);
    const first = order[0];
    if (path.sets[first].spread)
      entries.push([
        "R²",
        `Share of the variance on the ${setWord(path.sets[first])} rows that the tree explains. 1: all of it. 0: no more than a ` +
          "constant prediction.",
        (tree) => shareText(tree.sizes(first).explained),
      ]);
    if (path.weighted)
      entries.unshift([
        capital(setErrorName(path, path.sets[first].name)),
        `Error on the ${setWord(path.sets[first])} rows, each weighted by its ${path.target.nouns.group} as in training.`,
        (tree) => path.target.errorText(pathError(tree, first)),
      ]);
    else if (path.target.isUneven(path.trees[0].figures(first).counts.subarray(0, path.target.n)))
      entries.push([
        "Balanced error",
        `Mean of the errors of the ${path.target.nouns.groups} on ${setText(path.sets[first])}: rare ${path.target.nouns.groups} ` +
          `count as much as frequent ${path.target.nouns.groups}.`,
        (tree) => path.target.errorText(path.target.balancedError(tree, first)),
      ]);
    entries.push(
      [
        "Leaves",
        "Number of leaves after pruning dead branches and pure subtrees.",
        (tree) => count(tree.sizes(0).leaves),
      ],
      ["Depth", "Number of splits on the longest decision path.", (tree) => count(tree.maxDepth)],
      [
        `${unit} per node`,
        `Mean number of ${unit.toLowerCase()} in a decision node.`,
        (tree) => tree.sizes(0).perNode.toFixed(1),
      ],
      [
        "Splits per row",
        `Mean number of splits on the decision path of a ${setWord(path.sets[0])} row.`,
        (tree) => tree.sizes(0).steps.toFixed(1),
      ],
      [
        "Multiplications per row",
        `Mean number of multiplications to predict a ${setWord(path.sets[0])} row.`,
        (tree) => count(Math.round(tree.sizes(0).products)),
      ],
    );
    this.fill(entries);
  }

  /** @param {Figure[]} entries */
  fill(entries) {
    this.values = entries.map(([, , value]) => [value, h("dd", {})]);
    fill(
      this.element,
      entries.map(([name, help], i) =>
        h("div", { title: help, class: name === "Leaves" ? "leaves" : null }, h("dt", {}, name), this.values[i][1]),
      ),
    );
  }

  /** @param {StageTree} tree */
  show(tree) {
    for (const [value, element] of this.values) {
      const text = value(tree);
      if (element.textContent !== text) element.textContent = text;
    }
  }
}

/** Return the metrics of a recorded run. @param {Path} path @param {Recording} recording */
function recordedFigures(path, recording) {
  /** @param {StageTree} tree */
  // The metrics are hidden while a split is dragged.
  const step = (tree) => recording.steps[tree.index] ?? recording.steps[0];
  const { root, measure } = path.target;
  /** @param {string} name */
  const help = (name) =>
    root ? `Root mean squared error on the ${name} rows.` : `Share of the ${name} rows that the tree misclassifies.`;
  /** @type {Figure[]} */
  const entries = [[`Training ${measure.label}`, help("training"), (tree) => path.target.errorText(step(tree).error)]];
  if (recording.steps.some((one) => one.test_error !== null && one.test_error !== undefined))
    entries.push([`Test ${measure.label}`, help("test"), (tree) => path.target.errorText(step(tree).test_error)]);
  if (path.recording)
    entries.push([
      "Objective",
      `${root ? "Sum of squared errors on the training rows" : "Weight of the misclassified training rows"} plus λ times the penalty of the splits. No step raises the objective.`,
      (tree) => number(step(tree).objective, 4),
    ]);
  const losses = root
    ? ["Squared errors", "Sum of squared errors on the training rows."]
    : ["Errors", "Number of misclassified training rows."];
  entries.push([losses[0], losses[1], (tree) => number(step(tree).loss, 4)]);
  entries.push(["Leaves", "Number of leaves at this step.", (tree) => count(tree.sizes(0).leaves)]);
  entries.push(["Depth", "Number of splits on the longest decision path.", (tree) => count(tree.maxDepth)]);
  return entries;
}

/** Format a share of the variance, without decimals if it is far below zero. @param {number} share */
function shareText(share) {
  return share < -999 ? "< −999" : share.toFixed(3).replace(/^-(0.000)?/, (_, zero) => zero ?? "−");
}
