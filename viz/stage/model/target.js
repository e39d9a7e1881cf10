// Target of the trees of a path (treecore/tree/target.py), the only part that distinguishes classification from
// regression.

import { LARGE, count, number, percent } from "./number_text.js";

export const MOST_CLASSES = 14; // maximum number of classes that are listed individually

const MOST_DECIMALS = 4; // maximum number of decimals of a mean
const SPREADS = 4; // standard deviations that all ranges together cover
const STEPS_OF_SPREAD = 25; // minimum steps of the last digit of a mean per standard deviation

const UNEVEN = 4; // ratio of the largest group to the smallest one from which groups are uneven

/** @type {Record<TargetFacts["loss"], (predicted: number, truth: number) => number>} */
const LOSSES = {
  unequal: (predicted, truth) => (predicted === truth ? 0 : 1),
  absolute: (predicted, truth) => Math.abs(predicted - truth),
  squared: (predicted, truth) => (predicted - truth) ** 2,
};

/**
 * Values are the predictions of leaves and the true values of rows. Every value is in a group with a name and a colour.
 * For classification, a group is a class. `groups`: names. `colors`: colours. `nouns`, `words`: texts with {places} for
 * metrics.
 */
export class Target {
  /** @param {TargetFacts} facts */
  constructor({ name, leafName, groups, tails, colors, edges, ticks, nouns, words, loss, root, tolerance, error }) {
    Object.assign(this, {
      name,
      leafName,
      groups,
      tails,
      colors,
      edges,
      ticks,
      nouns,
      words,
      root,
      tolerance,
      measure: error,
      shortGroups: withoutShared(groups),
    });
    this.lossOf = LOSSES[loss];
    this.n = groups.length;
    Object.freeze(this);
  }

  /** Return the group of a value. @param {number} value */
  groupOf(value) {
    if (this.edges === null) return value;
    const above = this.edges.findIndex((edge) => edge > value);
    return Math.max(0, Math.min(this.n, above < 0 ? this.n : above) - 1);
  }

  /** Return a value as text. @param {number} value */
  text(value) {
    return this.edges === null ? this.groups[value] : this.withUnit(number(value, 4));
  }

  /**
   * Return the prediction of a node as text. `row`: as in `predicted`. Without it, a linear leaf gives its kind of
   * prediction.
   * @param {StageTree} tree @param {number} node @param {number | Numbers | null} [row]
   */
  answer(tree, node, row = null) {
    const { leafModel } = tree;
    return row === null ? leafModel.answer(tree, node) : leafModel.worded(this.valueText(tree.predicted(node, row)));
  }

  /** Return a predicted value as text. @param {number} value */
  valueText(value) {
    return this.edges === null ? this.text(value) : this.withUnit(this.short(value));
  }

  /**
   * Return the group that the displayed weights of a linear leaf favour, or null. It is the second of two groups, or
   * for images the largest group.
   * @param {StageTree} tree @param {number} node
   */
  spokenFor(tree, node) {
    const groups = this.edges === null ? tree.leafModel.groups(node) : [];
    return groups.length === 2 ? groups[1] : groups.length && tree.path.imageShape ? tree.value[node] : null;
  }

  /**
   * Format a mean or an error so that one standard deviation has 25 to 249 steps of its last digit.
   * @param {number} value
   */
  short(value) {
    if (!(this.tolerance > 0) || !Number.isFinite(value)) return number(value, 4);
    const [low, high] = this.ends;
    const spread = Math.min(Math.sqrt(this.tolerance), (high - low) / SPREADS); // Outliers make the deviation large.
    const place = Math.floor(Math.log10(spread / STEPS_OF_SPREAD));
    const rounded = Math.floor(Math.abs(value) / 10 ** place + 0.5) * 10 ** place;
    if (place < 0 && -place <= MOST_DECIMALS && rounded < LARGE)
      return `${value < 0 && rounded ? "−" : ""}${rounded.toFixed(-place)}`;
    return number(Math.sign(value) * rounded, 6);
  }

  /** Return the prediction minus the true value, with its sign. @param {number} predicted @param {number} truth */
  offBy(predicted, truth) {
    const text = this.short(predicted - truth);
    return predicted > truth ? `+${text}` : text;
  }

  /**
   * Return the position, 0 to 1, of a number on the range of all numbers. Numbers outside are at an end.
   * @param {number} value
   */
  placeOf(value) {
    const [low, high] = this.ends;
    return Math.max(0, Math.min(1, (value - low) / (high - low)));
  }

  /** Ends of the range of all numbers. @returns {[number, number]} */
  get ends() {
    return this.edges === null ? [0, this.n] : [this.edges[0], this.edges[this.n]];
  }

  /**
   * Return the end of a sentence that compares a prediction with the true value.
   * @param {number} predicted @param {number} truth
   */
  difference(predicted, truth) {
    const off = this.withUnit(this.short(Math.abs(predicted - truth)));
    return predicted === truth ? "exactly right" : `${off} too ${predicted > truth ? "high" : "low"}`;
  }

  /**
   * Return the loss of a sampled row that ends in a leaf.
   * @param {StageTree} tree @param {number} leaf @param {number} row
   */
  loss(tree, leaf, row) {
    return this.lossOf(tree.predicted(leaf, row), tree.path.sample.value[row]);
  }

  /**
   * Return whether a sampled row that ends in a leaf is misclassified.
   * @param {StageTree} tree @param {number} leaf @param {number} row
   */
  isWrong(tree, leaf, row) {
    return this.misses(tree.predicted(leaf, row), tree.path.sample.value[row]);
  }

  /** Return whether a prediction is wrong. @param {number} predicted @param {number} truth */
  misses(predicted, truth) {
    return this.lossOf(predicted, truth) > this.tolerance;
  }

  /**
   * Return the total loss of a leaf, computed from the number of its rows in each group.
   * @param {number} value @param {Numbers} counts
   */
  lossOfCounts(value, counts) {
    return counts.reduce((sum, rows, group) => sum + rows * this.lossOf(value, group), 0);
  }

  /**
   * Return the prediction that a node would have as a leaf, from its training rows. On ties, the first one is used.
   * Without rows, it is the node's own value.
   * @param {StageTree} tree @param {number} node
   */
  asLeaf(tree, node) {
    const { counts, n } = tree.figures(0);
    if (!n[node] || this.edges !== null) return tree.value[node];
    return mostOf(counts.subarray(node * this.n, (node + 1) * this.n));
  }

  /**
   * Return the prediction of a leaf with these sampled rows, or `otherwise` without rows.
   * @param {Path} path @param {Numbers} rows @param {number} otherwise
   */
  valueOf({ sample }, rows, otherwise) {
    if (!rows.length) return otherwise;
    if (this.edges !== null) return rows.reduce((sum, row) => sum + sample.value[row], 0) / rows.length;
    const counts = new Uint32Array(this.n);
    for (const row of rows) counts[sample.y[row]]++;
    return mostOf(counts);
  }

  /** Whether leaves of edited trees predict from their rows unless the user sets a value. */
  get follows() {
    return this.edges !== null;
  }

  /**
   * Return the criterion for edits: the number of misclassified rows in a node, or the error of numbers.
   * @param {StageTree} tree @param {number} set @param {number} node
   */
  misfit(tree, set, node) {
    const { losses, n } = tree.figures(set);
    return this.root ? this.error(losses[node], n[node]) : losses[node];
  }

  /** @param {number} misfit */
  misfitText(misfit) {
    return this.root ? this.errorText(misfit) : count(misfit);
  }

  get misfitName() {
    return this.root ? this.measure.label : "errors";
  }

  /** Return the error of n rows whose losses have this sum. @param {number} loss @param {number} n */
  error(loss, n) {
    return n ? (this.root ? Math.sqrt(loss / n) : loss / n) : NaN;
  }

  /**
   * Return whether the counts by group are so uneven that a tree seems accurate if it always predicts the largest
   * group.
   * @param {Numbers} counts
   */
  isUneven(counts) {
    const some = [...counts].filter((rows) => rows > 0);
    return this.edges === null && Math.max(...some) >= UNEVEN * Math.min(...some);
  }

  /**
   * Return the mean error over the groups with rows. Linear leaves do not support it.
   * @param {StageTree} tree @param {number} set
   */
  balancedError(tree, set) {
    if (tree.leafModel.feature.length) return NaN;
    const { counts } = tree.figures(set);
    let sum = 0,
      groups = 0;
    for (let c = 0; c < this.n; c++) {
      if (!counts[c]) continue; // count at the root
      let wrong = 0;
      for (let i = 0; i < tree.n; i++)
        if (tree.isLeaf(i) && this.misses(tree.value[i], c)) wrong += counts[i * this.n + c];
      sum += wrong / counts[c];
      groups++;
    }
    return groups ? sum / groups : NaN;
  }

  /**
   * Format an error as "8.2 %", or as a dash for null.
   * @param {number | null} [error]
   */
  errorText(error) {
    if (error === null || error === undefined || !Number.isFinite(error)) return "–";
    const { scale, digits } = this.measure;
    const value = scale * error;
    return this.withUnit(digits === null ? number(value, 4) : value.toFixed(digits));
  }

  /** Format an error for an axis. @param {number} error */
  tickText(error) {
    const text = number(this.measure.scale * error, 2);
    return this.edges === null ? this.withUnit(text) : text;
  }

  /** Label of an axis of errors. */
  get errorTitle() {
    const { label, unit } = this.measure;
    return this.edges === null || !unit ? label : `${label} (${unit})`;
  }

  /** Format a sum of losses. @param {number} loss */
  lossText(loss) {
    return Number.isInteger(loss) ? count(loss) : number(loss, 4);
  }

  /**
   * Fill in one of the `words` for n rows whose losses have this sum, such as "12 wrong".
   * @param {string} words @param {number} loss @param {number} n @param {Record<string, string>} others
   */
  phrase(words, loss, n, others = {}) {
    const error = this.error(loss, n);
    const errorText = this.edges === null || !Number.isFinite(error) ? this.errorText(error) : this.short(error);
    const figures = { loss: this.lossText(loss), error: errorText };
    return filled(this.words[words], { ...figures, right: percent(n ? 1 - loss / n : 0, 0), ...others });
  }

  /** Return the words for rows with a wrong prediction. @param {boolean} hasLimit */
  missed(hasLimit = true) {
    if (this.edges === null) return "misclassified";
    return hasLimit ? this.nouns.wrong : "with a large error";
  }

  /** Return the prediction of a leaf with the name of the target, if it needs one. @param {StageTree} tree @param {number} node */
  leafAnswer(tree, node) {
    const answer = this.answer(tree, node);
    return this.leafName && !tree.isLinear(node) ? `${this.leafName} = ${answer}` : answer;
  }

  /** Return the prediction of a leaf for a sentence, such as "class 7". @param {StageTree} tree @param {number} node */
  leafWords(tree, node) {
    if (tree.isLinear(node)) return "a linear model";
    return filled(this.words.leaf, { value: this.answer(tree, node) });
  }

  /** Explain the error on a set of rows {name, n}. @param {{name: string, n: number}} set */
  errorHelp({ name, n }) {
    return filled(this.words.help, { n: count(n), set: name });
  }

  /** @param {string} text */
  withUnit(text) {
    return `${text} ${this.measure.unit}`.trimEnd();
  }
}

/** Return the group with the most rows. On ties, the first group wins. @param {Numbers} counts */
export function mostOf(counts) {
  return counts.reduce((best, rows, group) => (rows > counts[best] ? group : best), 0);
}

/** Fill in a value for each {place} in `words`. @param {string} words @param {Record<string, string>} values */
export function filled(words, values) {
  return words.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

const WORD = /[^\s_.-]+[\s_.-]*|[\s_.-]+/g; // a word with the characters that separate it from the next one

/**
 * Return the names with an ellipsis instead of the words with which all of them begin or end.
 * @param {string[]} names
 */
export function withoutShared(names) {
  const words = names.map((name) => name.match(WORD) ?? []);
  const least = Math.min(...words.map((one) => one.length)) - 1; // Each name keeps a word.
  if (new Set(names).size < 2 || least < 1) return names;
  const start = shared(words, least);
  const end = shared(
    words.map((one) => one.toReversed()),
    least - start,
  );
  const kept = words.map((one) =>
    one
      .slice(start, one.length - end)
      .join("")
      .trim(),
  );
  if (new Set(kept).size < new Set(names).size) return names;
  return kept.map((text) => `${start ? "…" : ""}${text}${end ? "…" : ""}`);
}

/** Return how many first words all lists share, at most `most`. @param {string[][]} words @param {number} most */
function shared(words, most) {
  let n = 0;
  while (n < most && new Set(words.map((one) => one[n].trim())).size === 1) n++;
  return n;
}

/** Return a name for a sentence, in quotes if it ends with a punctuation mark. @param {string} name */
export function quotedEnd(name) {
  return /\p{Po}$/u.test(name) ? `'${name}'` : name;
}
