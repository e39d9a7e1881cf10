// What is on the stage: the declared fields of its state, and what follows from a change of one for the others.

import { search } from "./search.js";

/** @param {any} initial @param {...string} kinds */
const field = (initial, ...kinds) => Object.freeze({ initial, kinds });

/**
 * Every field with its value on a new stage and its kinds: "arranges" (a change moves nodes), "measures" (a change shares
 * the room anew), "passing" (it moves with the pointer, the inspector need not follow), "quiet" (nothing is drawn for it),
 * "taste" (kept from one data set to the next). Nodes are origin ids, `k` and `pinned` are indices of trees.
 */
export const FIELDS = Object.freeze({
  path: field(null), // as of decode()
  edited: field(null, "arranges"), // a tree that stands in the place of the path's own, or null
  isDraft: field(false, "quiet"), // it is being dragged: nodes keep their places
  before: field(null, "arranges"), // the edited tree that this one is compared with, or null
  k: field(0, "arranges"),
  isLarge: field(false, "quiet"), // follows from the tree
  set: field(0, "arranges"),
  node: field(null),
  hover: field(null, "passing"),
  survivors: field(null, "passing"), // index of the tree below the pointer
  layout: field("keep", "arranges"),
  edges: field("plain", "taste"),
  globalScale: field(false, "taste"),
  diverging: field("orange-blue", "taste"),
  support: field("auto", "arranges"),
  overview: field("auto", "arranges", "measures"),
  levels: field("auto", "arranges"),
  ghosts: field(true, "taste"),
  table: field(false, "arranges", "measures"),
  projector: field(false, "arranges", "measures", "taste"),
  plane: field("auto", "measures"),
  theme: field("auto", "measures"),
  focus: field(null, "arranges"),
  collapsed: field(Object.freeze(new Set()), "arranges"),
  chosenClass: field(null),
  query: field(""), // what was searched for
  found: field(null),
  feature: field(null),
  row: field(null, "arranges"),
  whatIf: field(null, "arranges", "passing"),
  selection: field(null),
  point: field(null, "passing"),
  loop: field(false, "taste"),
  pinned: field(null, "arranges"),
  match: field("none"),
  tab: field("node"),
  panel: field(true, "arranges", "measures"),
  onlyNode: field(false),
  type: field(1, "quiet"), // how large type is
});

/** Names of the fields of a kind. @param {string} kind */
export const namesOf = (kind) =>
  Object.keys(FIELDS).filter((name) =>
    /** @type {Record<string, {kinds: string[]}>} */ (FIELDS)[name].kinds.includes(kind),
  );

const LARGE_TREE = 200; // nodes from which the overview and the smallest share come by themselves

/** The state of a new stage; `taste`: values of some fields. @param {Partial<StageState>} taste */
export function initialState(taste = {}) {
  const state = Object.fromEntries(Object.entries(FIELDS).map(([name, { initial }]) => [name, initial]));
  return nextState(Object.freeze(/** @type {any} */ (state)), taste);
}

/** The tree that a state shows, or null. @param {StageState} state @returns {StageTree | null} */
export function treeOf({ edited, path, k }) {
  return edited ?? path?.trees[k] ?? null;
}

/**
 * The state after a change, frozen; a patch with a name that is no field is an error.
 * @param {StageState} state @param {Partial<StageState>} patch @returns {StageState}
 */
export function nextState(state, patch) {
  for (const name of Object.keys(patch))
    if (!Object.hasOwn(FIELDS, name))
      throw new TypeError(`The stage has no field "${name}"; its fields are ${Object.keys(FIELDS).join(", ")}.`);
  const next = { ...state, ...patch };
  if ("row" in patch && !("whatIf" in patch)) next.whatIf = null;
  if (next.projector && !state.projector) next.panel = false; // the tree needs the room
  const tree = treeOf(next);
  if (tree && tree !== treeOf(state)) {
    if (!tree.nodeOf.has(next.focus)) next.focus = null;
    // a path that crosses the limit does not flicker
    next.isLarge = tree.n > LARGE_TREE || (next.isLarge && tree.n > LARGE_TREE * 0.7);
    if (next.found && next.query && !("found" in patch)) next.found = search(tree, next.query).origins;
  }
  return Object.freeze(next);
}
