// Animation of a re-optimisation: nodes move and lines turn from the old tree to the new tree.

import { documentOf, treeOf } from "../model/edited_tree.js";

const DURATION = 700; // in milliseconds
const MOST_NODES = 120;
const MOST_ROWS = 6000;

/**
 * Animate from one tree of the stage's path to another. Any other change of the stage ends the animation.
 * @param {Editor} editor @param {StageTree} before @param {StageTree} after
 */
export function playTween(editor, before, after) {
  const { store, life } = editor;
  const { path } = store;
  const isQuick = !path.imageShape && after.n <= MOST_NODES && path.sample.n <= MOST_ROWS;
  if (store.tree !== after) return;
  const steps = isQuick && !store.state.isStill ? turning(before, after) : [];
  if (!steps.length) return;
  const document = documentOf(after, new Set());
  const began = performance.now();
  let shown = after;
  const frame = () => {
    if (store.path !== path || store.tree !== shown) return;
    const share = Math.min(1, (performance.now() - began) / DURATION);
    const ease = share < 0.5 ? 2 * share * share : 1 - (2 - 2 * share) ** 2 / 2;
    shown = share < 1 ? treeOf(path, blendDocument(document, steps, ease)) : after;
    store.set({ edited: shown, isDraft: share < 1 });
    editor.bar.follow();
    if (share < 1) life.frame(frame);
  };
  frame();
}

/**
 * Return the nodes that both trees split on the same features, with weights scaled to one length: [{id, from, to}].
 * @param {StageTree} before @param {StageTree} after
 */
function turning(before, after) {
  const steps = [];
  for (let node = 0; node < after.n; node++) {
    const was = before.nodeOf.get(after.origin[node]);
    if (was === undefined || after.isLeaf(node) || before.isLeaf(was)) continue;
    const [from, to] = [before.split(was), after.split(node)];
    if (String(from.features) !== String(to.features) || !to.features.length) continue;
    const one = scale(before, from),
      other = scale(after, to);
    const agree = one.weights.reduce((sum, w, i) => sum + w * other.weights[i], 0);
    if (agree <= 0 || (String(from.weights) === String(to.weights) && from.bias === to.bias)) continue;
    steps.push({ id: after.origin[node], from: one, to: other });
  }
  return steps;
}

/** @param {StageTree} tree @param {Split} split */
function scale({ path }, { features, weights, bias }) {
  const size = Math.hypot(...Array.from(features, (j, i) => weights[i] * (path.deviation[j] || 1))) || 1;
  return { weights: Array.from(weights, (w) => w / size), bias: bias / size };
}

/** @param {EditDocument} document @param {ReturnType<typeof turning>} steps @param {number} share */
function blendDocument(document, steps, share) {
  const of = new Map(steps.map((step) => [step.id, step]));
  /** @param {number} a @param {number} b */
  const mix = (a, b) => a + share * (b - a);
  const nodes = document.nodes.map((node) => {
    const step = of.get(node.id);
    if (!step) return node;
    return {
      ...node,
      weights: step.from.weights.map((w, i) => mix(w, step.to.weights[i])),
      bias: mix(step.from.bias, step.to.bias),
    };
  });
  return { nodes };
}
