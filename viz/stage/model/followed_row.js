// The followed row: its values in the data, and its values changed by the user (`whatIf`).

import { beyond, significant } from "./number_text.js";
import { valuesOfRow } from "./tree.js";

/** Return a row of the sample to follow. @param {Path} path @param {number} row @returns {FollowedRow} */
export function sampledRow(path, row) {
  return { sample: row, values: valuesOfRow(path, row), label: path.sample.value[row] };
}

/** Return the number and the name of a sampled row. @param {Path} path @param {number} row */
export function rowWords({ sample }, row) {
  const name = sample.names?.[row];
  return `row ${sample.numbers[row]}${name ? ` (${name})` : ""}`;
}

/**
 * Return the first of `rows` with this number or name, or undefined.
 * @param {Path} path @param {Iterable<number>} rows @param {string} text
 */
export function rowCalled({ sample }, rows, text) {
  const query = text.trim();
  return [...rows].find((row) => sample.names?.[row] === query || `${sample.numbers[row]}` === query);
}

/**
 * Return the row that the page passes as {values, changed (optional), label, name}. Values are a number or null for
 * each feature.
 * @param {Path} path @param {{values: any, changed?: any, label?: number, name: string}} given
 */
export function pageRow(path, { values, changed, label, name }) {
  // The result contains only features that the trees use. Null is a missing value.
  /** @param {Record<number, number | null>} all */
  const shipped = (all) => Float64Array.from(path.columns, (feature) => all[feature] ?? NaN);
  const row = { values: shipped(values), label: label ?? null, name };
  return { row, whatIf: changed ? shipped(changed) : null, tab: "row" };
}

/** Return the values to route through the tree, or null if no row is followed. @param {StageState} state */
export function currentValues({ row, whatIf }) {
  return row && (whatIf ?? row.values);
}

const ALL_DIGITS = 17;

/**
 * Return the text of a value with the fewest digits, at least `digits`, that keep the row in its leaf. The rounded text
 * of a value just below a threshold could reach the threshold.
 * @param {StageTree} tree @param {Float64Array} values @param {number} j @param {number} digits
 */
export function writtenValue(tree, values, j, digits) {
  const value = values[j];
  if (!Number.isFinite(value) || significant(value, digits) === value) return value;
  const leaf = tree.leafOf(values);
  const changed = values.slice();
  for (let more = digits; more < ALL_DIGITS; more++)
    for (const short of [significant(value, more), beyond(value, more, true), beyond(value, more, false)]) {
      changed[j] = short;
      if (tree.leafOf(changed) === leaf) return short;
    }
  return value;
}

/** Return the indices of features with a changed value. @param {StageState} state */
export function changedPositions({ row, whatIf }) {
  if (!row || !whatIf) return [];
  return [...whatIf.keys()].filter((j) => !Object.is(whatIf[j], row.values[j]));
}

/** Change values of the followed row. @param {Store} store @param {(values: Float64Array) => void} change */
export function tryChanges(store, change) {
  const values = currentValues(store.state)?.slice();
  if (!values) return;
  change(values);
  tryValues(store, values);
}

/**
 * Set values for the followed row. Its original values undo all changes.
 * @param {Store} store @param {Float64Array | null} values
 */
export function tryValues(store, values) {
  const { row } = store.state;
  const { target } = store.path;
  const answer = () => target.answer(store.tree, store.way?.at(-1)?.node ?? 0, currentValues(store.state));
  const before = answer();
  store.set({ whatIf: values && values.some((v, j) => !Object.is(v, row?.values[j])) ? values : null });
  const after = answer();
  if (after !== before) store.say(`Now predicted ${after} instead of ${before}.`);
}
