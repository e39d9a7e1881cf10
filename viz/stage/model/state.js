// State of the stage: its declared fields, and the changes that result from a change of one field.

import { search } from "./search.js";
import { carriedOver } from "./selection.js";

/** @param {any} initial @param {...string} kinds */
const field = (initial, ...kinds) => Object.freeze({ initial, kinds });

/**
 * Fields with their initial value and their kinds. Nodes are origin ids. `k` and `pinned` are indices of trees.
 *
 * Changes of "arranges" fields move nodes. Changes of "measures" fields divide the stage again, and changes of "refits"
 * fields fit the tree to the view. The style sheet uses "reflected" fields. "passing" fields change with the pointer,
 * and the inspector ignores them. "quiet" fields are not drawn. "taste" fields are kept for the next data set.
 */
export const FIELDS = Object.freeze({
  path: field(null, "reflected"), // as decode() returns it
  recording: field(null, "reflected"), // recorded run if the path is one, or null
  edited: field(null, "arranges"), // edited tree that replaces the tree of the path, or null
  isDraft: field(false, "quiet", "reflected"), // whether a split is dragged, so that nodes keep their places
  before: field(null, "arranges"), // edited tree for comparison, or null
  editMarks: field(null), // {locked, edited}: Sets of nodes, or null
  k: field(0, "arranges"),
  isLarge: field(false, "quiet"), // depends on the tree
  set: field(0, "arranges"),
  node: field(null),
  hover: field(null, "passing"),
  survivors: field(null, "passing"), // index of the tree under the pointer
  layout: field("auto", "arranges", "refits"), // auto: compact, but nodes keep their places while the tree changes
  edges: field("plain", "taste"),
  shade: field("class", "taste"), // meaning of the node colour: class, confidence or errors
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
  query: field(""), // search text
  found: field(null),
  leafFilter: field(null), // filter of leaves, see LeafFilterState, or null
  feature: field(null),
  row: field(null, "arranges"),
  whatIf: field(null, "arranges", "passing"),
  selection: field(null),
  guest: field(null), // rows of a node in the other tree of a pair, see Guest, or null
  point: field(null, "passing"),
  loop: field(false, "taste"),
  pinned: field(null, "arranges", "reflected"),
  match: field("none"),
  tab: field("node"),
  panel: field(true, "arranges", "measures", "reflected"),
  onlyNode: field(false),
  // Set by the page:
  title: field(null, "quiet"), // title of the stage among several stages
  heading: field(null, "quiet", "reflected"), // heading above the tree
  link: field(null, "quiet", "reflected"), // name of the group of stages, or null
  compact: field(false, "quiet", "reflected"),
  simple: field(false, "measures", "reflected"), // only the tree, its headline, the slider and the error curve
  lightsPath: field(false, "arranges"), // whether the path to the selected node is highlighted
  hides: field(Object.freeze(new Set()), "measures", "reflected"), // names of the hidden parts
  inLesson: field(false, "quiet", "reflected"),
  isGuessing: field(false, "reflected"), // whether errors and counts are withheld, because they may answer a guess
  isBare: field(false, "measures", "reflected"), // whether there are points but no tree yet
  isLive: field(false, "quiet"), // whether a server can train
  request: field(null, "quiet"), // latest request of the page, see openState()
  isGrowing: field(false, "quiet"), // whether the path is still being trained
  reference: field(null, "quiet"), // tree of another method for comparison, see Reference, or null
  choice: field(null, "quiet"), // folds that select the trees, if they arrived later, see Choice
  replaced: field(null, "quiet"), // index of the tree that was shown before folds selected another one, or null
  offer: field(null, "reflected"), // the values of C that the page can train, see Offer, or null
  // set by the window
  stageWidth: field(0, "quiet"), // pixels
  pictureWidth: field(0, "quiet"),
  pictureHeight: field(0, "quiet"),
  isNarrow: field(null, "quiet", "reflected"), // null if not yet known
  scheme: field("light", "quiet"), // light or dark
  isStill: field(false, "quiet"), // whether to reduce motion
  type: field(1, "quiet", "reflected"), // scale of the text size; depends on other fields
  // Set by current actions:
  // whether the pointer is down; the inspector must not replace a pressed element
  penDown: field(false, "quiet", "reflected"),
  isMoving: field(false, "arranges"), // whether the slider is held, or the path plays
  isHurried: field(false, "quiet"), // whether trees change so quickly that only the drawing can follow
  message: field(null, "quiet"), // {text} for screen readers
});

/** Return the names of the fields of a kind. @param {string} kind @returns {(keyof StageState)[]} */
export const namesOf = (kind) =>
  /** @type {(keyof StageState)[]} */ (Object.keys(FIELDS)).filter((name) =>
    /** @type {Record<string, {kinds: string[]}>} */ (FIELDS)[name].kinds.includes(kind),
  );

const LARGE_TREE = 200; // number of nodes from which a tree has an overview and a minimum share by default

/** Return the state of a new stage. `taste`: values of some fields. @param {Partial<StageState>} taste */
export function initialState(taste = {}) {
  const state = Object.fromEntries(Object.entries(FIELDS).map(([name, { initial }]) => [name, initial]));
  return nextState(Object.freeze(/** @type {any} */ (state)), taste);
}

/** Return the tree that a state shows, or null. @param {StageState} state @returns {StageTree | null} */
export function treeOf({ edited, path, k }) {
  return edited ?? path?.trees[k] ?? null;
}

/**
 * Return the frozen state after a change. An unknown field name raises an error.
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
  // The text size of a lesson grows with the window.
  const width = next.compact && !next.inLesson ? 2 * next.stageWidth : next.stageWidth;
  const large = Math.min(2.2, Math.max(1.45, width / 840)); // at least 22 pixels in a window 1920 pixels wide
  next.type = next.projector ? large : next.inLesson ? Math.min(1.45, Math.max(1.1, next.stageWidth / 1180)) : 1;
  const tree = treeOf(next);
  if (tree && tree !== treeOf(state)) {
    if (!tree.nodeOf.has(next.focus)) next.focus = null;
    // The view must not flicker for a path with trees near the limit.
    next.isLarge = tree.n > LARGE_TREE || (next.isLarge && tree.n > LARGE_TREE * 0.7);
    if (next.found && next.query && !("found" in patch)) next.found = search(tree, next.query).origins;
  }
  return Object.freeze(next);
}

/**
 * Return the changes of the state that display a path. `initial`: {tree: index, node: origin id, fresh, whole, turn}.
 * On a growing path, choices of the user take priority, because the page may not have received them yet.
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
    isSame && (state.k !== request.k || state.node !== request.node)
      ? { ...state, tree: state.k, pin: state.pinned }
      : initial;
  const pin = place.pin ?? null;
  const node = place.node ?? (fresh ? null : state.node);
  const index =
    (hasPainted ? null : place.tree) ??
    (path.recording ? stepToOpen(state, path, fresh, hasPainted) : usualTree(state, path, fresh));
  const isChosen = place !== initial || (isSame && request?.isUsual === false) || hasPainted;
  const isUsual = Boolean(initial.usual) && !isChosen && !path.recording;
  const k = Math.max(0, Math.min(last, index));
  return {
    path,
    ...{ edited: null, isDraft: false, before: null, k, isLarge: fresh ? false : state.isLarge, survivors: null },
    ...{ found: null, query: "", feature: null, row: null, whatIf: null, point: null, hover: null, guest: null },
    replaced: null,
    pinned: pin === null || pin > last || path.recording ? null : pin,
    selection: fresh ? null : carriedOver(state.selection, path),
    set: Math.min(state.set, path.sets.length - 1),
    ...{ node, request: { whole, turn, k, node, isUsual } },
    ...(fresh ? { focus: null, collapsed: new Set(), chosenClass: null, leafFilter: null } : {}),
    ...(fresh ? { support: "auto", overview: "auto", levels: "auto", plane: "auto", layout: "auto" } : {}),
  };
}

/**
 * Return whether a path has another data set than the previous path, or the page requests a fresh start.
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
 * Return the step to show first: the first step of a new run. If the user painted the data, it is the current step or
 * the last one.
 * @param {StageState} state @param {Path} path @param {boolean} fresh @param {boolean} hasPainted
 */
function stepToOpen(state, path, fresh, hasPainted) {
  const { path: before, k } = state;
  if (hasPainted) return before === null || k === before.trees.length - 1 ? path.trees.length - 1 : k;
  return fresh ? 0 : k;
}
