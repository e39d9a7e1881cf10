// The sentence above the tree: its target, leaves and error, and those of the reference.

import { pathError, setErrorName } from "../model/grid.js";
import { count, counted, setWord } from "../model/number_text.js";
import { quotedEnd } from "../model/target.js";
import { errorAtSize, leavesForError } from "../model/comparison.js";
import { fill, h } from "../elements/dom.js";

const NO_BREAK = "\u00a0";
const PRELIMINARY = "Preliminary tree: the training continues.";
const MOST_DOUBTED = 3; // maximum number of features that the doubt about a tree without errors names
const Z = 1.96; // standard deviations of a 95 % interval
/** @type {Record<string, string>} */
const MEANINGS = { CART: ", the usual decision tree," };

/** The displayed tree in one sentence, with the rows on which its error was measured. */
export class Headline {
  /** @param {Store} store @param {{go(index: number): void}} on */
  constructor(store, on) {
    this.store = store;
    this.on = on;
    this.key = "";
    this.lead = h("span", { class: "lead" });
    this.own = h("strong", {});
    this.interval = h("span", { class: "interval" });
    this.other = h("span", {
      "data-testid": "stage-reference",
      title: "Trained on the same rows and pruned by its own cross-validation",
    });
    this.basis = h("p", { class: "basis" });
    this.change = h("p", { class: "basis", "data-testid": "stage-replaced", hidden: true });
    this.element = h(
      "div",
      { class: "headline", "data-testid": "stage-headline" },
      h("p", { class: "sentence" }, this.lead, this.own, this.interval, " ", this.other),
      this.basis,
      this.change,
    );
  }

  show() {
    const { path, tree, state } = this.store;
    this.showChange(path.trees[state.replaced ?? -1] ?? null);
    const { target, sets } = path;
    const s = sets.length - 1;
    const error = pathError(tree, s);
    const lead = subject(tree);
    const own = Number.isFinite(error) ? `: ${errorPhrase(path, target.errorText(error))}` : "";
    const interval = intervalText(path, s, error);
    const { reference } = state;
    const known = reference?.errors[sets[s].name] ?? null;
    const other =
      reference && known !== null
        ? `${reference.method}${MEANINGS[reference.method] ?? ""} ${reached(known <= error, reference.leaves, target.errorText(known).replaceAll(" ", NO_BREAK))}${this.atSize(reference)}.`
        : "";
    const parts = [state.isGrowing ? PRELIMINARY : "", basisText(path, s), doubt(tree, error), hint(path, state)];
    const basis = parts.filter(Boolean).join(" ");
    const key = [lead, own, interval, other, basis].join("|");
    if (key === this.key) return;
    this.key = key;
    this.lead.textContent = lead;
    this.own.textContent = own;
    this.interval.textContent = `${interval}.`;
    this.other.textContent = other;
    fill(this.basis, basis);
  }

  /** Report that cross-validation has replaced a tree, and offer the earlier tree. @param {StageTree | null} before */
  showChange(before) {
    this.change.hidden = before === null;
    const { replaced } = this.store.state;
    if (before === null || replaced === null) return;
    const { leaves } = before.sizes(0);
    const other = leaves === this.store.tree.sizes(0).leaves ? "another one" : "the one";
    const words = `Cross-validation selected this tree instead of ${other} with ${counted(leaves, "leaf")}. `;
    fill(this.change, words, h("button", { class: "link", onclick: () => this.on.go(replaced) }, "Show that tree"));
  }

  /** Return the leaves with which the reference has the error of the displayed tree, or its error at this size. @param {Reference} reference */
  atSize(reference) {
    const { path, tree } = this.store;
    const s = path.sets.length - 1;
    const set = path.sets[s].name;
    const [error, { leaves }] = [pathError(tree, s), tree.sizes(0)];
    const other = errorAtSize(reference, leaves, set);
    if (other === null || !Number.isFinite(error)) return "";
    const needed = leavesForError(reference, error, set);
    if (needed === reference.leaves) return "";
    if (needed === null && other === reference.errors[set]) return ""; // the tree that the headline names already
    return needed === null
      ? `; with ${counted(leaves, "leaf")} ${path.target.errorText(other).replaceAll(" ", NO_BREAK)}`
      : `; as good as this with ${counted(needed, "leaf")}`;
  }
}

/**
 * Return "needs 8 leaves for 3 %", or "has 20 % with 8 leaves" if the displayed tree is better.
 * @param {boolean} isReached @param {number} leaves @param {string} error
 */
function reached(isReached, leaves, error) {
  const size = counted(leaves, "leaf");
  return isReached ? `needs ${size} for ${error}` : `has ${error} with ${size}`;
}

/** Return what predicts the target, such as "8 leaves predict price". @param {StageTree} tree */
function subject(tree) {
  const { target } = tree.path;
  const { leaves } = tree.sizes(0);
  const name = quotedEnd(target.name) || (target.nouns.value === "class" ? "the class" : "the target");
  if (leaves === 1) return `Without a split, ${name} is always ${target.answer(tree, 0)}`;
  return leaves === 2 ? `One split predicts ${name}` : `${count(leaves)} leaves predict ${name}`;
}

/** @param {Path} path @param {string} text */
function errorPhrase(path, text) {
  if (path.target.root || path.weighted) return `${setErrorName(path, path.sets[path.sets.length - 1].name)} ${text}`;
  return `${text.replaceAll(" ", NO_BREAK)}${NO_BREAK}wrong`;
}

/** Return the 95 % interval of an error (Wilson) in brackets, or "". @param {Path} path @param {number} s @param {number} error */
function intervalText(path, s, error) {
  const { target, sets, weighted } = path;
  if (target.root || weighted || !Number.isFinite(error)) return "";
  const [low, high] = wilson(error, sets[s].n).map((end) => target.errorText(end));
  return ` (95${NO_BREAK}%: ${low.replace(/ %$/, "")} to ${high})`.replaceAll(" %", `${NO_BREAK}%`);
}

/** Return a sentence about the rows behind the error. @param {Path} path @param {number} s */
function basisText(path, s) {
  const set = path.sets[s];
  const rows = `${count(set.n)} ${path.sets.length > 1 ? `${setWord(set)} ` : ""}${path.imageShape ? "images" : "rows"}`;
  return `Measured on ${rows}.`;
}

/** Return the doubt about a tree without errors, with the first features of its splits, or "". @param {StageTree} tree @param {number} error */
function doubt(tree, error) {
  const { path } = tree;
  const isZero = error === 0 || (!path.target.root && path.target.errorText(error) === path.target.errorText(0));
  if (!isZero || path.imageShape || tree.left[0] < 0) return "";
  /** @type {string[]} */
  const names = [];
  for (let level = [0]; level.length && names.length < MOST_DOUBTED;)
    level = level.flatMap((node) => {
      if (tree.left[node] < 0) return [];
      for (const feature of tree.split(node).features)
        if (!names.includes(path.features[feature])) names.push(path.features[feature]);
      return [tree.left[node], tree.right[node]];
    });
  const shown = names.slice(0, MOST_DOUBTED).map((name) => `'${name}'`);
  return `Too good to be true: test whether ${shown.join(", ")} ${shown.length > 1 ? "repeat" : "repeats"} the target.`;
}

/** @param {Path} path @param {StageState} state */
function hint({ imageShape, isOblique }, { diverging }) {
  return imageShape && isOblique && diverging === "orange-blue"
    ? "Ink on orange pixels sends an image right, ink on blue pixels left."
    : "";
}

/**
 * Return the 95 % interval of a share measured on n rows, after Wilson (1927).
 * @param {number} share @param {number} n @returns {Pair}
 */
export function wilson(share, n) {
  if (!n) return [0, 1];
  const weight = Z ** 2 / n;
  const middle = (share + weight / 2) / (1 + weight);
  const half = (Z * Math.sqrt((share * (1 - share)) / n + weight / (4 * n))) / (1 + weight);
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}
