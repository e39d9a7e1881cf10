// State of a stage, the only way to change the state, and values derived from it.

import { Colors } from "./colors.js";
import { cellOf } from "./grid.js";
import { currentValues, sampledRow } from "./followed_row.js";
import { layoutOf } from "./layout.js";
import { litNodes, pathNodes, pointedRow, filteredLeaves, visibleNodes } from "./shown_nodes.js";
import { shownNode } from "./recording.js";
import { initialState, nextState, treeOf } from "./state.js";

const ROOM_FOR_PLANE = 560; // minimum width of a stage with a plane, in pixels
const READABLE = 62; // minimum height of a readable level in a large tree, in pixels

/** Holds a frozen state (see FIELDS). Subscribers receive the names of the changed fields. */
export class Store {
  #state;
  #listeners = new Set();
  /** @type {Map<string, {inputs: any[], value: any}>} */
  #derived = new Map();

  /** @param {Partial<StageState>} taste */
  constructor(taste = {}) {
    this.#state = initialState(taste);
  }

  get state() {
    return this.#state;
  }

  /** Errors over folds that select the trees, see Choice, or null. @returns {Choice | null} */
  get choice() {
    const { choice, path } = this.#state;
    const known = choice ?? path?.choice ?? null;
    // Folds of another length belong to a path that has not arrived yet.
    return known?.errors.length === path?.trees.length ? known : null;
  }

  /** Index of the tree that each rule recommends. */
  get recommended() {
    return this.choice?.recommended ?? this.path.recommended;
  }

  /** Notes about the loss in accuracy of trees, by index (see `Notes`). */
  get notes() {
    return (this.choice ?? this.path).notes;
  }

  /** Index of the tree that was displayed before the user moved along the path. */
  get openedTree() {
    return this.#state.request?.k ?? null;
  }

  /**
   * Change fields. Listeners receive (names of the changed fields, previous state).
   * @param {Partial<StageState>} patch
   */
  set(patch) {
    const before = this.#state;
    const next = nextState(before, patch);
    const changed = /** @type {(keyof StageState)[]} */ (Object.keys(next)).filter(
      (name) => !Object.is(before[name], next[name]),
    );
    if (changed.length === 0) return;
    this.#state = next;
    for (const listener of this.#listeners) listener(changed, before);
  }

  /**
   * Add a listener; return the function that removes it.
   * @param {(changed: (keyof StageState)[], before: StageState) => void} listener
   */
  subscribe(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Announce a text to screen readers. @param {string} text */
  say(text) {
    this.set({ message: { text } });
  }

  /** Select the node with this origin id, or none. @param {number | null} node */
  select(node) {
    const { tab, row } = this.#state;
    const stays = node === null || tab === "changes" || tab === "features" || row;
    this.set({ node, ...(stays ? {} : { tab: "node" }) });
  }

  /** Whether the inspector covers the tree. If so, the inspector opens only after a click on a node. */
  get isSheet() {
    const { isNarrow, compact, inLesson, recording } = this.#state;
    return isNarrow === true && !compact && !inLesson && recording === null;
  }

  /** Whether only the tree, its headline, the slider and the error curve are shown. */
  get isSimple() {
    const { simple, compact, inLesson, recording, path, table } = this.#state;
    return simple && !compact && !inLesson && recording === null && !path?.edit && !path?.grid && !table;
  }

  /** Index of the tree at which playing stops: the simplest good tree, else the best, else the last of this C. */
  get restingTree() {
    const { one_se: simple, min: best } = this.recommended;
    const { first, last } = this.cell;
    return [simple, best].find((index) => index !== undefined && index > first && index <= last) ?? last;
  }

  /** Collapse the branch below a node, or expand it. @param {number} node */
  toggle(node) {
    if (this.tree.isLeaf(node)) return;
    const collapsed = new Set(this.#state.collapsed);
    const origin = this.tree.origin[node];
    if (!collapsed.delete(origin)) collapsed.add(origin);
    this.set({ collapsed });
  }

  /** Follow a sampled row through the tree. @param {number} row */
  follow(row) {
    this.set({ row: sampledRow(this.path, row), tab: "row" });
  }

  /** The displayed path. The path and the tree are null at first. @returns {Path} */
  get path() {
    return this.#state.path;
  }

  /** The displayed tree. */
  get tree() {
    return /** @type {StageTree} */ (treeOf(this.#state));
  }

  /** Trees that the slider of lambda can reach. @returns {StageTree[]} */
  get trees() {
    const { edited } = this.#state;
    const { first, last } = this.cell;
    return edited
      ? [edited]
      : this.#once("trees", [this.path, first, last], ({ trees }) => trees.slice(first, last + 1));
  }

  /** Position of the displayed tree in its grid, see cellOf(). @returns {import("./grid.js").Cell} */
  get cell() {
    return this.#once("cell", [this.path, this.#state.k], cellOf);
  }

  /** Tree with which the displayed tree is compared, or null. */
  get pinned() {
    const { before, pinned, path } = this.#state;
    return before ?? (pinned === null ? null : path.trees[pinned]);
  }

  /** Whether the pinned tree is shown next to the displayed one. */
  get isPaired() {
    const { pinned, before, compact, inLesson, recording, table, path } = this.#state;
    return pinned !== null && !before && !compact && !inLesson && !recording && !table && !path?.edit;
  }

  /** Tree whose differences the displayed tree marks, or null. If both trees are in view, a list names the differences. */
  get marked() {
    return this.isPaired ? null : this.pinned;
  }

  /** Whether the tree can be edited. */
  get isEditing() {
    return Boolean(this.path?.edit);
  }

  /** Displayed step of a recorded run, or null. */
  get step() {
    const { recording, k } = this.#state;
    return recording && recording.steps[k];
  }

  /** Whether the tree shows the numbers of its decision nodes, because sentences about a recorded run contain them. */
  get namesNodes() {
    return this.#state.inLesson && this.#state.recording !== null;
  }

  /** Node of this step whose care points are shown, or null. */
  get shownNode() {
    return this.step && shownNode(this.step, this.#state.node);
  }

  /**
   * Kind of the overview, or null. By default, large trees have an overview and show only the upper levels and nodes
   * with enough rows.
   */
  get overview() {
    const { overview, table, isLarge, inLesson } = this.#state;
    if (table || (overview === "auto" && (!isLarge || inLesson))) return null; // A plane keeps its size.
    return overview === "auto" ? "icicle" : overview;
  }

  /** Whether data with two features are also shown in their plane, because there is space or on request. */
  get hasPlane() {
    const { plane, table, path, hides, recording, pictureWidth, isBare, inLesson } = this.#state;
    if (path?.edit?.lines || isBare) return true;
    if (table || path?.nFeatures !== 2 || hides.has("plane")) return false;
    if (plane !== "auto") return plane;
    return recording !== null || inLesson || pictureWidth >= ROOM_FOR_PLANE;
  }

  /** Selected decision node that a lesson plots next to the tree, or null. Two features are plotted in their plane. */
  get plottedNode() {
    const { inLesson, node: origin, table, row } = this.#state;
    const node = this.tree?.nodeOf.get(origin);
    const isPlotted = inLesson && !table && !row && node !== undefined && !this.tree.isLeaf(node);
    return isPlotted && !this.hasPlane ? node : null;
  }

  /** Positions of the overview, the plane or the plot of a node, and the tree on the stage. */
  get layout() {
    const { pictureWidth, pictureHeight, recording, type, path, isBare, inLesson } = this.#state;
    const isPlane = Boolean(path?.edit?.lines) || isBare;
    const hasPlane = this.hasPlane || this.plottedNode !== null;
    const inputs = [pictureWidth, pictureHeight, this.overview, this.overview ? this.tree.maxDepth : 0, hasPlane];
    return this.#once("layout", [...inputs, recording !== null, type, isPlane, inLesson], layoutOf);
  }

  /** Minimum share of rows in a visible node. */
  get support() {
    const { support, isLarge } = this.#state;
    return support === "auto" ? (isLarge ? 0.01 : 0) : support;
  }

  /** Number of visible levels. */
  get levels() {
    const { levels, isLarge } = this.#state;
    return levels === "auto" && isLarge ? Math.max(4, Math.floor(this.layout.view.height / READABLE)) : Infinity;
  }

  /** Number of nodes for which a level has room. Trees that are edited, recorded or side by side are never folded. */
  get widest() {
    const { levels, compact, inLesson, recording, path } = this.#state;
    const { width } = this.layout.view;
    if (levels !== "auto" || compact || inLesson || recording || this.isEditing || !width) return Infinity;
    return Math.floor(width / path.looks.detail.thumbnail);
  }

  /** Decision path of the followed row, as returned by StageTree.way, or null. @returns {WayStep[] | null} */
  get way() {
    const inputs = [this.tree, currentValues(this.#state)];
    return this.#once("way", inputs, (tree, values) => values && tree.way(values));
  }

  /** Set of the nodes on the decision path of the followed row, or else on the highlighted path to a node, or null. */
  get wayNodes() {
    const { lightsPath, node } = this.#state;
    return this.#once("way nodes", [this.way, this.tree, lightsPath ? node : null], (way, tree, origin) =>
      way ? new Set(way.map((/** @type {WayStep} */ step) => step.node)) : pathNodes(tree, origin),
    );
  }

  /** The rows of the other tree's node, or else the selection, if they are in the displayed set, otherwise null. */
  get litRows() {
    const { guest, selection, set } = this.#state;
    const rows = guest?.rows ?? selection;
    return rows?.perSet[set] ? rows : null;
  }

  /** Highlighted nodes, or null, see litNodes(). */
  get litNodes() {
    const { survivors, k, set, path } = this.#state;
    const there = survivors === null || survivors === k ? null : path.trees[survivors];
    const inputs = [this.tree, this.way, there, this.filteredLeaves?.nodes, this.litRows, set, this.wayNodes];
    return this.#once("lit nodes", inputs, litNodes);
  }

  /** Leaves that pass the filter, see filteredLeaves(), or null. */
  get filteredLeaves() {
    const { set, leafFilter } = this.#state;
    return this.#once("filtered leaves", [this.tree, set, leafFilter], filteredLeaves);
  }

  /** Whether the highlighted nodes form a single path from the root. */
  get isOneWay() {
    return this.litNodes !== null && this.litNodes === this.wayNodes;
  }

  /** The row under the pointer and the nodes on its decision path, {row, nodes}, or null. */
  get pointed() {
    const { set, point } = this.#state;
    return this.#once("pointed", [this.tree, set, point], pointedRow);
  }

  /** Visible nodes, see visibleNodes(). */
  get visible() {
    const { focus, collapsed, set } = this.#state;
    return this.#once(
      "visible",
      [this.tree, focus, collapsed, set, this.support, this.levels, this.wayNodes, this.widest],
      visibleNodes,
    );
  }

  get colors() {
    const { path, scheme, diverging, chosenClass } = this.#state;
    return this.#once(
      "colors",
      [path.palette, path.target.colors, scheme, diverging, chosenClass],
      (palette, groups, theme, map, chosen) => new Colors(palette, groups, theme, map, chosen),
    );
  }

  /**
   * Return a value computed from inputs. It is computed again only if an input has changed.
   * @template T @param {string} name @param {any[]} inputs @param {(...inputs: any[]) => T} make @returns {T}
   */
  #once(name, inputs, make) {
    const last = this.#derived.get(name);
    if (last?.inputs.every((value, i) => Object.is(value, inputs[i]))) return last.value;
    const value = make(...inputs);
    this.#derived.set(name, { inputs, value });
    return value;
  }
}
