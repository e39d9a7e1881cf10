// Rows selected by the user, by number in the sample. The selection stays when the tree changes.

import { count, counted, setWord } from "./number_text.js";

export const FADED = 0.25; // opacity of all other rows during a selection

/** An immutable set of sampled rows. `has`: one byte per row. `rows`: row numbers in order. `n`: number of rows. */
export class Selection {
  /** @param {Path} path @param {Iterable<number>} rows */
  constructor(path, rows) {
    this.path = path;
    this.has = new Uint8Array(path.sample.n);
    for (const row of rows) this.has[row] = 1;
    this.rows = [];
    this.perSet = path.sets.map(() => 0);
    for (let row = 0; row < path.sample.n; row++) {
      if (!this.has[row]) continue;
      this.rows.push(row);
      this.perSet[path.sample.set[row]]++;
    }
    this.rows.sort((a, b) => path.sample.rows[a] - path.sample.rows[b]);
    this.n = this.rows.length;
    this.counts = new Map();
  }

  /**
   * Return the number of selected rows of a set that reach each node of a tree, as Uint32Array[nodes].
   * @param {StageTree} tree @param {number} set @returns {Uint32Array}
   */
  reaching(tree, set) {
    const key = `${tree.index} ${set}`;
    if (!this.counts.has(key)) this.counts.set(key, this.count(tree, set));
    return this.counts.get(key);
  }

  /** @param {StageTree} tree @param {number} set */
  count(tree, set) {
    const counts = new Uint32Array(tree.n);
    const { leaf } = tree.route(set);
    for (const row of this.rows) if (leaf[row] >= 0) counts[leaf[row]]++;
    for (let i = tree.n - 1; i > 0; i--) counts[tree.parent[i]] += counts[i];
    return counts;
  }

  /**
   * Return the leaf that a selected row of any set reaches, and whether the row is misclassified.
   * @param {StageTree} tree @param {number} row
   */
  ending(tree, row) {
    const leaf = tree.route(this.path.sample.set[row]).leaf[row];
    return { leaf, isWrong: this.path.target.isWrong(tree, leaf, row) };
  }
}

/**
 * Return a selection of these rows and the rows of another selection, or null without rows.
 * @param {Path} path @param {Iterable<number>} rows @param {Selection | null} before
 */
export function selected(path, rows, before = null) {
  const made = new Selection(path, before ? [...before.rows, ...rows] : rows);
  return made.n ? made : null;
}

/** Return the numbers of the selected rows in the data. @param {Selection | null} selection */
export function numbersOf(selection) {
  return selection ? selection.rows.map((row) => selection.path.sample.rows[row]) : [];
}

/**
 * Return a selection of the rows with these numbers that a path draws, or null.
 * @param {Path} path @param {number[]} numbers
 */
export function selectedByNumber(path, numbers) {
  const requested = new Set(numbers);
  /** @type {number[]} */
  const rows = [];
  path.sample.rows.forEach((number, row) => requested.has(number) && rows.push(row));
  return selected(path, rows);
}

/**
 * Return the selection with the same rows of the data for another path.
 * @param {Selection | null} selection @param {Path} path
 */
export function carriedOver(selection, path) {
  return selection && selectedByNumber(path, numbersOf(selection));
}

/**
 * Return the number of selected rows as text ("37 rows selected"), with the number outside the displayed set.
 * @param {Selection} selection @param {number} set
 */
export function selectionText(selection, set) {
  const { n, perSet, path } = selection;
  const rows = `${counted(n, "row")} selected`;
  return perSet[set] === n ? rows : `${rows}, ${count(perSet[set])} of them ${setWord(path.sets[set])}`;
}

/**
 * Select rows (a Selection or null). Announce their number to screen readers.
 * @param {Store} store @param {Selection | null} selection
 */
export function select(store, selection) {
  store.set({ selection });
  announceSelection(store);
}

/** @param {Store} store */
export function announceSelection(store) {
  const { selection, set } = store.state;
  store.say(selection ? selectionText(selection, set) : "No row is selected.");
}

/** Clear the selection. @param {Store} store */
export function clearSelection(store) {
  if (store.state.selection) select(store, null);
}
