// Metrics above the tree.

import { pathError, setErrorName } from "../model/grid.js";
import { objectiveOf } from "../model/edited_tree.js";
import { capital, count, number, setText, setWord } from "../model/number_text.js";
import { fill, h } from "../elements/dom.js";

/**
 * `cost`: number that an edit should lower, if the metric is one.
 * @typedef {[name: string, help: string, value: (tree: StageTree) => string, cost?: (tree: StageTree) => number]} Figure
 */

/** Metrics of the displayed tree on one line. */
export class Figures {
  constructor() {
    this.element = h("dl", { class: "figures", "aria-label": "Metrics of this tree" });
    /** @type {{value: Figure[2], cost: Figure[3], was: HTMLElement, is: HTMLElement, element: HTMLElement}[]} */
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
      (tree) => tree.sizes(s).error,
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
        (tree) => pathError(tree, first),
      ]);
    else if (path.target.isUneven(path.trees[0].figures(first).counts.subarray(0, path.target.n)))
      entries.push([
        "Balanced error",
        `Mean of the errors of all ${path.target.nouns.groups} on ${setText(path.sets[first])}. ` +
          `Rare ${path.target.nouns.groups} count as much as frequent ones.`,
        (tree) => path.target.errorText(path.target.balancedError(tree, first)),
        (tree) => path.target.balancedError(tree, first),
      ]);
    if (path.edit?.whole && !path.edit.lines)
      entries.push([
        "Objective",
        `${path.target.root ? "Sum of squared errors on the training rows" : "Weight of the misclassified training rows"} plus λ times the penalty of the splits.`,
        (tree) => number(objectiveOf(tree) ?? NaN, 4),
        (tree) => objectiveOf(tree) ?? NaN,
      ]);
    entries.push(
      [
        "Leaves",
        "Number of leaves after pruning dead branches and pure subtrees.",
        (tree) => count(tree.sizes(0).leaves),
      ],
      ...weightsOf(path),
      ["Depth", "Number of splits on the longest decision path.", (tree) => count(tree.maxDepth)],
      [
        `${unit} per node`,
        `Mean number of ${unit.toLowerCase()} in a decision node.`,
        (tree) => tree.sizes(0).perNode.toFixed(1),
      ],
      [
        "Mean path length",
        `Number of splits that a ${setWord(path.sets[0])} row passes, on average.`,
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
    this.values = entries.map(([name, help, value, cost]) => {
      const [was, is] = [h("span", { class: "was" }), h("span", {})];
      const look = name === "Leaves" ? "leaves" : null;
      return {
        value,
        cost,
        was,
        is,
        element: h("div", { title: help, class: look }, h("dt", {}, name), h("dd", {}, was, is)),
      };
    });
    fill(
      this.element,
      this.values.map(({ element }) => element),
    );
  }

  /** Show the metrics of a tree. `before`: the tree before all edits. @param {StageTree} tree @param {StageTree} [before] */
  show(tree, before = tree) {
    for (const { value, cost, was, is, element } of this.values) {
      const [old, text] = [value(before), value(tree)];
      const isChanged = old !== text;
      const lead = isChanged ? `${old} → ` : "";
      if (is.textContent !== text) is.textContent = text;
      if (was.textContent !== lead) was.textContent = lead;
      element.classList.toggle("worse", isChanged && cost !== undefined && cost(tree) > cost(before));
      element.classList.toggle("better", isChanged && cost !== undefined && cost(tree) < cost(before));
    }
  }
}

/** Return the number of weights, which an editor changes. @param {Path} path @returns {Figure[]} */
function weightsOf({ edit }) {
  if (!edit || edit.lines) return [];
  return [["Weights", "Number of weights in all splits.", (tree) => count(tree.sizes(0).weights)]];
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
