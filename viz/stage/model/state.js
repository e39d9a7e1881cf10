// State of the stage: its declared fields, and the changes that follow from a change of one.

import { search } from "./search.js";
import { carriedOver } from "./selection.js";

/** @param {any} initial @param {...string} kinds */
const field = (initial, ...kinds) => Object.freeze({ initial, kinds });

/**
 * Fields with their value on a new stage and their kinds. Kinds: "arranges" (a change moves nodes), "measures" (a change
 * divides the room again), "refits" (fits the tree to the view). "reflected" (used by the style sheet), "passing"
 * (changes with the pointer, ignored by the inspector), "quiet" (not drawn), "taste" (kept for the next data set).
 * Nodes are origin ids, `k` and `pinned` are indices of trees.
 */
export const FIELDS = Object.freeze({
  path: field(null, "reflected"), // as returned by decode()
  recording: field(null, "reflected"), // of the run if the path is one, or null
  edited: field(null, "arranges"), // an edited tree that replaces that of the path, or null
  isDraft: field(false, "quiet", "reflected"), // while a split is dragged, so that nodes keep their places
  before: field(null, "arranges"), // the edited tree to compare with, or null
  editMarks: field(null), // {locked, edited}: Sets of nodes, or null
  k: field(0, "arranges"),
  isLarge: field(false, "quiet"), // follows from the tree
  set: field(0, "arranges"),
  node: field(null),
  hover: field(null, "passing"),
  survivors: field(null, "passing"), // index of the tree under the pointer
  layout: field("auto", "arranges", "refits"), // auto: compact, but nodes keep their places while the tree changes
  edges: field("plain", "taste"),
  shade: field("class", "taste"), // meaning of the colour of a node: class, confidence or errors
  globalScale: field(false, "taste"),
  diverging: field("orange-blue", "taste"),
  support: field("auto", "arranges", "refits"),
  overview: field("auto", "arranges", "measures"),
  levels: field("auto", "arranges", "refits"),
  ghosts: field(true, "taste"),
  table: field(false, "arranges", "measures"),
  projector: field(false, "arranges", "measures", "taste"),
  plane: field("auto", "measures"),
  theme: field("auto", "measures"),
  focus: field(null, "arranges", "refits"),
  collapsed: field(Object.freeze(new Set()), "arranges"),
  chosenClass: field(null),
  query: field(""), // the search text
  found: field(null),
  leafFilter: field(null), // filter of leaves, see LeafFilterState, or null
  feature: field(null),
  row: field(null, "arranges"),
  whatIf: field(null, "arranges", "passing"),
  selection: field(null),
  point: field(null, "passing"),
  loop: field(false, "taste"),
  pinned: field(null, "arranges"),
  match: field("none"),
  tab: field("node"),
  panel: field(true, "arranges", "measures", "reflected"),
  onlyNode: field(false),
  // set by the page
  title: field(null, "quiet"), // of the stage, among others
  heading: field(null, "quiet", "reflected"), // above the tree
  link: field(null, "quiet", "reflected"), // name of the group of stages, or null
  compact: field(false, "quiet", "reflected"),
  simple: field(false, "measures", "reflected"), // only the tree, its headline, the slider and the error curve
  lightsPath: field(false, "arranges"), // whether the path to the selected node is highlighted
  hides: field(Object.freeze(new Set()), "measures", "reflected"), // names of the hidden parts
  inLesson: field(false, "quiet", "reflected"),
  isGuessing: field(false, "quiet", "reflected"), // while metrics would reveal the answer to a guess
  isBare: field(false, "measures", "reflected"), // while there are points but no tree yet
  isLive: field(false, "quiet"), // whether a server can train
  request: field(null, "quiet"), // latest request of the page: {whole, turn, k, node}, see openState()
  reference: field(null, "quiet"), // tree of another method for comparison, see Reference, or null
  choice: field(null, "quiet"), // folds that select the trees, if they arrived later, see Choice
  offer: field(null, "reflected"), // the values of C that the page can train, see Offer, or null
  // set by the window
  stageWidth: field(0, "quiet"), // pixels
  pictureWidth: field(0, "quiet"),
  pictureHeight: field(0, "quiet"),
  isNarrow: field(null, "quiet", "reflected"), // null: not known yet
  scheme: field("light", "quiet"), // light or dark
  isStill: field(false, "quiet"), // whether to reduce motion
  type: field(1, "quiet", "reflected"), // scale of type; follows from others
  // set by current actions
  penDown: field(false, "quiet", "reflected"), // the inspector must not replace a pressed element
  isMoving: field(false, "arranges"), // the slider is held, or the path plays
  isHurried: field(false, "quiet"), // trees change so quickly that only the drawing can follow
  message: field(null, "quiet"), // {text} for screen readers
});

/** Return the names of the fields of a kind. @param {string} kind @returns {(keyof StageState)[]} */
export const namesOf = (kind) =>
  /** @type {(keyof StageState)[]} */ (Object.keys(FIELDS)).filter((name) =>
    /** @type {Record<string, {kinds: string[]}>} */ (FIELDS)[name].kinds.includes(kind),
  );

const LARGE_TREE = 200; // nodes from which the overview and the minimum share are used automatically

/** Return the state of a new stage; `taste`: values of some fields. @param {Partial<StageState>} taste */
export function initialState(taste = {}) {
  const state = Object.fromEntries(Object.entries(FIELDS).map(([name, { initial }]) => [name, initial]));
  return nextState(Object.freeze(/** @type {any} */ (state)), taste);
}

/** Return the tree that a state shows, or null. @param {StageState} state @returns {StageTree | null} */
export function treeOf({ edited, path, k }) {
  return edited ?? path?.trees[k] ?? null;
}

/**
 * Return the state after a change, frozen; unknown names in a patch raise an error.
 * @param {StageState} state @param {Partial<StageState>} patch @returns {StageState}
 */
export function nextState(state, patch) {
  for (const name of Object.keys(patch))
    if (!Object.hasOwn(FIELDS, name))
      throw new TypeError(`The stage has no field "${name}"; its fields are ${Object.keys(FIELDS).join(", ")}.`);
  const next = { ...state, ...patch };
  if ("row" in patch && !("whatIf" in patch)) next.whatIf = null;
  if (next.isNarrow !== null && next.isNarrow !== state.isNarrow && !("panel" in patch))
    next.panel = !next.isNarrow && !next.compact && !next.simple && next.recording === null;
  else if (next.simple !== state.simple && state.isNarrow === false && !("panel" in patch)) next.panel = !next.simple;
  if (next.projector && !state.projector) next.panel = false; // the tree needs the room
  if (next.hides.has("inspector")) next.panel = false;
  // The type of a lesson grows with the window.
  const width = next.compact && !next.inLesson ? 2 * next.stageWidth : next.stageWidth;
  const large = Math.min(2.2, Math.max(1.45, width / 840)); // 22 pixels and more in a window 1920 wide
  next.type = next.projector ? large : next.inLesson ? Math.min(1.45, Math.max(1.1, next.stageWidth / 1180)) : 1;
  const tree = treeOf(next);
  if (tree && tree !== treeOf(state)) {
    if (!tree.nodeOf.has(next.focus)) next.focus = null;
    // A path near the limit must not flicker.
    next.isLarge = tree.n > LARGE_TREE || (next.isLarge && tree.n > LARGE_TREE * 0.7);
    if (next.found && next.query && !("found" in patch)) next.found = search(tree, next.query).origins;
  }
  return Object.freeze(next);
}

/**
 * Return the displayed state of a path: a patch of the state; `initial`: {tree: index, node: origin id, fresh, whole, turn}.
 * Choices of the visitor on a growing path take priority, because the page may not know them yet.
 * @param {StageState} state @param {Path} path @param {Opening} initial @param {boolean} hasPainted
 * @returns {Partial<StageState>}
 */
export function openState(state, path, initial, hasPainted) {
  const before = state.path;
  const last = path.trees.length - 1;
  const fresh = isFresh(before, path, initial);
  const { whole = null, turn = 0 } = initial;
  const { request } = state;
  const isSame = whole !== null && request?.whole === whole && request.turn === turn;
  const place =
    isSame && (state.k !== request.k || state.node !== request.node) ? { ...state, tree: state.k } : initial;
  const node = place.node ?? (fresh ? null : state.node);
  const index =
    (hasPainted ? null : place.tree) ??
    (path.recording ? stepToOpen(state, path, fresh, hasPainted) : usualTree(state, path, fresh));
  const k = Math.max(0, Math.min(last, index));
  return {
    path,
    ...{ edited: null, isDraft: false, before: null, k, isLarge: fresh ? false : state.isLarge, survivors: null },
    ...{ found: null, query: "", feature: null, row: null, whatIf: null, point: null, pinned: null, hover: null },
    selection: fresh ? null : carriedOver(state.selection, path),
    set: Math.min(state.set, path.sets.length - 1),
    ...{ node, request: { whole, turn, k, node } },
    ...(fresh ? { focus: null, collapsed: new Set(), chosenClass: null, leafFilter: null } : {}),
    ...(fresh ? { support: "auto", overview: "auto", levels: "auto", plane: "auto", layout: "auto" } : {}),
  };
}

/**
 * Return whether a path has another data set than the previous one, or the page requests a fresh start.
 * @param {Path | null} before @param {Path} path @param {Opening} initial
 */
export function isFresh(before, path, initial) {
  return Boolean(initial.fresh) || before?.name !== path.name || before.nFeatures !== path.nFeatures;
}

/** @param {StageState} state @param {Path} path @param {boolean} fresh */
function usualTree(state, path, fresh) {
  return path.opens ?? (fresh ? 0 : state.k);
}

/**
 * Return the step that opens: the first of a new run; if the data were painted, the current one, or the last.
 * @param {StageState} state @param {Path} path @param {boolean} fresh @param {boolean} hasPainted
 */
function stepToOpen(state, path, fresh, hasPainted) {
  const { path: before, k } = state;
  if (hasPainted) return before === null || k === before.trees.length - 1 ? path.trees.length - 1 : k;
  return fresh ? 0 : k;
}
