// Key figures of a step of a recorded run.

import { count, number } from "../model/number_text.js";

/** [name, help, value(tree)] as for Figures. */
export function recordedFigures(path, recording) {
  const step = (tree) => recording.steps[tree.index];
  const entries = [
    [
      "Training error",
      "Share of the training rows that the tree gets wrong.",
      (tree) => path.target.errorText(step(tree).error),
    ],
  ];
  if (recording.steps.some((one) => one.test_error !== null && one.test_error !== undefined))
    entries.push([
      "Test error",
      "Share of the test rows that the tree gets wrong.",
      (tree) => path.target.errorText(step(tree).test_error),
    ]);
  if (path.recording)
    entries.push([
      "Objective",
      "Weight of the wrong training rows, plus λ times the penalty of the decisions: what every step lowers.",
      (tree) => number(step(tree).objective, 4),
    ]);
  entries.push(["Errors", "Wrong training rows.", (tree) => number(step(tree).loss, 4)]);
  entries.push(["Leaves", "Leaves of the tree as it is at this step.", (tree) => count(tree.sizes(0).leaves)]);
  entries.push(["Depth", "Most decisions on a way from the root to a leaf.", (tree) => count(tree.maxDepth)]);
  return entries;
}
