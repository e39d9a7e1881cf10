// Manual edits of the tree on the stage. Every edit makes a new tree, which is displayed at once, and can be undone.

import { scatterFrame } from "../draw/scatter.js";
import { stamp } from "../draw/stamp.js";
import { condition } from "../model/condition.js";
import { editedNodes, lastId, lock, sameDocument } from "../model/edit_operations.js";
import { documentOf, rowsMoved, treeOf } from "../model/edited_tree.js";
import { kindOf } from "../model/node_kinds.js";
import { count } from "../model/number_text.js";
import { remembered } from "../model/remembered.js";
import { nodeName, rowsOfSet } from "../model/tree.js";
import { EditBar } from "./edit_bar.js";
import { EditPanel } from "./edit_panel.js";
import { LineDrawing } from "./line_drawing.js";
import { SplitDrag, SplitHandles } from "./split_handles.js";

/** @typedef {{document: EditDocument, ids: Set<number>}} Marked nodes marked in a document */
/** @typedef {ReturnType<typeof rowsMoved> & {set: number}} Moved */
/**
 * @typedef {{origin: number | null, before: StageTree, after: StageTree, words: string, moved?: Moved}} LastEdit the latest
 * edit, and its node
 */

/**
 * Editor of the tree on the stage. It is inactive unless the payload enables it (`path.edit`, see
 * viz/payload/edit_payload.py). `view`: element of the tree. `on`: {draw(), refresh(): redraw the inspector, look(),
 * showTree(): show the tree in the inspector, report(edits)}.
 */
export class Editor {
  /**
   * @param {Store} store @param {Life} life @param {Pick<Plane, "element" | "canvas" | "regions">} plane @param {HTMLElement} view
   * @param {{draw(): void, refresh(): void, look(): Look, showTree(): void, report(edits: EditReport): void}} on
   */
  constructor(store, life, plane, view, on) {
    this.store = store;
    this.life = life;
    this.plane = plane;
    this.view = view;
    this.on = on;
    /** @type {EditHistory<EditEntry> | null} */
    this.history = null;
    this.turn = this.heard = 0; // number of the latest report from the browser, and of the latest answer from the page
    /** @type {EditReport | null} report that the server is working on */
    this.waiting = null;
    /** @type {string | null} problem that the server reported */
    this.problem = null;
    /** @type {EditAnswer | null} latest answer of the page */
    this.answer = null;
    /** @type {LastEdit | null} */
    this.last = null;
    /** @type {Marked | null} */
    this.editedOf = null;
    /** @type {Marked | null} */
    this.lockedOf = null;
    this.bar = new EditBar(this);
    this.drag = new SplitDrag(this);
    /** @type {{handles: SplitHandles, panel: EditPanel} | null} created on first use */
    this.parts = null;
    /** @type {LineDrawing | null} */
    this.drawing = null;
  }

  get isOn() {
    return this.history !== null;
  }

  /** History of the edited tree. */
  get edits() {
    return /** @type {EditHistory<EditEntry>} */ (this.history);
  }

  get document() {
    return this.edits.current.document;
  }

  /** Document relative to which edits are counted: the first document, or the latest answer of the server. */
  get base() {
    const { entries, at } = this.edits;
    return entries.slice(0, at + 1).findLast((entry) => entry.isBase) ?? entries[0];
  }

  /** Ids of the nodes changed since `base`. */
  get edited() {
    const { document } = this;
    if (this.editedOf?.document !== document)
      this.editedOf = { document, ids: editedNodes(document, this.base.document) };
    return this.editedOf.ids;
  }

  /** Ids of the locked nodes. */
  get locked() {
    const { document } = this;
    if (this.lockedOf?.document !== document)
      this.lockedOf = { document, ids: new Set(document.nodes.filter((node) => node.locked).map((node) => node.id)) };
    return this.lockedOf.ids;
  }

  /** Sets of which only some rows are in the browser: [{name, n, here}]. */
  get partly() {
    const { path } = this.store;
    return path.sets
      .map(({ name, n }, s) => ({ name, n, here: rowsOfSet(path, s).length }))
      .filter(({ n, here }) => here < n);
  }

  /** Load a path. The page may already have an edited tree. @param {Path} path */
  load(path) {
    const { store } = this;
    this.bar.element.hidden = path.edit === null;
    this.drag.draft = this.last = this.waiting = this.problem = null;
    this.drawing?.stop();
    if (path.edit === null) {
      this.history = null;
      store.set({ editMarks: null });
      this.parts?.handles.hide();
      return;
    }
    this.parts ??= { handles: new SplitHandles(this, this.view, this.plane.element), panel: new EditPanel(this) };
    this.drawing ??= new LineDrawing(this, this.plane);
    const tree = path.trees[0];
    const { node, tab } = store.state;
    store.set({ node: node ?? tree.origin[0], tab: tab === "features" ? "node" : tab });
    const { answer } = this;
    const locked = new Set(answer?.document?.nodes.filter((node) => node.locked).map((node) => node.id));
    const document = documentOf(tree, locked);
    /** @type {EditEntry} */
    const first = { document, tree, words: "original tree", isBase: true };
    this.history = new EditHistory(first);
    this.heard = answer?.turn ?? 0;
    this.turn = answer?.seen ?? 0;
    if (answer?.document && editedNodes(answer.document, document).size) {
      this.edits.push({ document: answer.document, words: "earlier edits", isBase: false });
      store.set({ edited: this.tree });
    }
    this.mark();
    this.bar.draw();
  }

  /**
   * Handle an answer of the page: {turn, seen, ask, document, message}, see pages/ui/edit/edit_messages.py.
   * @param {EditAnswer | null} answer
   */
  hear(answer) {
    this.answer = answer;
    if (!answer || !this.isOn || !this.store.path?.edit) return;
    if (this.drag.draft) return; // The answer is handled when the drag of the split ends.
    const isNews = answer.turn > this.heard;
    this.heard = Math.max(this.heard, answer.turn);
    // A request that was repeated with later edits gets another answer.
    if (this.waiting && answer.seen < this.waiting.turn) return;
    if (isNews && answer.document) {
      this.takeOver({ ...answer, document: answer.document });
      return;
    }
    const isAnswer = this.waiting !== null && answer.ask === "reoptimise";
    if (!isAnswer || !answer.message) return;
    this.waiting = null;
    this.refuse(answer.message);
  }

  /** Report why a request was refused. @param {string} words */
  refuse(words) {
    this.problem = words;
    this.bar.draw();
    this.store.say(words);
  }

  /**
   * Show the tree from the page: the result of TAO, a typed rule, or another initial tree.
   * @param {EditAnswer & {document: EditDocument}} answer
   */
  takeOver({ document, ask, message, seen }) {
    const { store } = this;
    const before = this.tree;
    const isAnswer = ask === "reoptimise";
    const words = isAnswer ? "re-optimised the other nodes" : (message ?? "changed outside the stage");
    const isLate = isAnswer && seen < this.turn;
    const note = isLate ? "TAO re-optimised the tree without your latest edits. Undo restores these edits." : message;
    const isBase = isAnswer || sameDocument(document, this.edits.entries[0].document);
    this.edits.push({ document, words, note, isBase });
    if (isAnswer) this.waiting = null;
    this.show({ origin: null, before, words });
    if (isAnswer) {
      store.set({ before }); // The tree shows its differences from this tree.
      playTween(this, before, this.tree);
    }
    this.bar.draw();
    store.say([message, isAnswer ? `Re-optimised. ${this.bar.words()}` : null].filter(Boolean).join(". "));
  }

  /**
   * Apply an edit {document, words}. `origin`: edited node.
   * @param {{document: EditDocument, words: string}} edit @param {number | null} [origin]
   */
  apply({ document, words }, origin = null) {
    if (sameDocument(document, this.document)) return this.show(null);
    const before = this.tree;
    this.edits.push({ document, words, isBase: false });
    this.show({ origin, before, words });
    this.report("keep");
    this.store.say(`${words}. ${this.bar.words()}`);
    return undefined;
  }

  /** The tree of the current document. */
  get tree() {
    const { current } = this.edits;
    const { path } = this.store;
    return remembered(current, "tree", () => current.tree ?? treeOf(path, current.document));
  }

  /**
   * Return the tree with counts of the rows in the browser. Every edited tree has such counts.
   * @param {StageTree} tree
   */
  countedHere(tree) {
    const [first] = this.edits.entries;
    if (tree !== first.tree || !this.partly.length) return tree;
    return remembered(first, "counted here", () => treeOf(tree.path, first.document));
  }

  /** The tree before all edits, with counts of the same rows as in the displayed tree. */
  get firstTree() {
    const { tree } = this.store;
    if (!this.isOn) return tree;
    const { tree: first = this.tree } = this.edits.entries[0];
    return tree === first ? tree : this.countedHere(first);
  }

  /**
   * Store the current document. `last`: {origin, before, words} of the latest edit, or null.
   * @param {{origin: number | null, before: StageTree, words: string} | null} last
   */
  show(last) {
    const { store } = this;
    const { tree } = this;
    this.drag.draft = null;
    this.drawing?.stop();
    this.problem = null;
    this.last = last && { ...last, after: tree };
    const { node } = store.state;
    const isThere = node === null || tree.nodeOf.has(node);
    store.set({ edited: tree, isDraft: false, before: null, node: isThere ? node : (last?.origin ?? null) });
    this.mark();
    this.on.draw(); // The effects of the latest edit are marked even if the tree is the same.
    this.bar.draw();
  }

  /** Report to the server: "keep" (this is now the tree) or "reoptimise". @param {string} ask */
  report(ask) {
    this.turn++;
    // Only the last report counts. While an answer is pending, the report repeats the request.
    const report = { turn: this.turn, ask: this.waiting ? this.waiting.ask : ask, document: this.document };
    if (this.waiting) this.waiting = report;
    this.on.report(report);
    return report;
  }

  undo() {
    if (!this.edits.canUndo || this.drag.draft) return;
    const before = this.tree;
    const { words } = this.edits.undo();
    this.show({ origin: null, before, words: `undone: ${words}` });
    this.report("keep");
    this.store.say(`Undone: ${words}. ${this.bar.words()}`);
  }

  redo() {
    if (!this.edits.canRedo || this.drag.draft) return;
    const before = this.tree;
    const { words } = this.edits.redo();
    this.show({ origin: null, before, words });
    this.report("keep");
    this.store.say(`Redone: ${words}. ${this.bar.words()}`);
  }

  /** Go to an entry in the history. @param {number} at */
  goTo(at) {
    const { edits: history } = this;
    if (at === history.at || this.drag.draft) return;
    const before = this.tree;
    history.at = at;
    const { words } = history.current;
    this.show({ origin: null, before, words });
    this.report("keep");
    this.store.say(`${words}. ${this.bar.words()}`);
  }

  reset() {
    const [{ document, tree }] = this.edits.entries;
    const words = "reset to the first tree";
    this.edits.push({ document, tree, words, isBase: true }); // No node is edited, and no row has moved.
    this.show(null);
    this.report("keep");
    this.store.say(`${words}. ${this.bar.words()}`);
  }

  /** Remove the selected line. */
  removeSelected() {
    const { tree, state } = this.store;
    const node = tree.nodeOf.get(state.node);
    if (node !== undefined && !tree.isLeaf(node)) this.parts?.panel.cut(node);
  }

  /** Lock the edited nodes, so that re-optimisation leaves them unchanged. */
  keep() {
    const ids = new Set([...this.edited].filter((id) => !this.locked.has(id)));
    const n = ids.size;
    const words = `locked ${count(n)} edited ${n === 1 ? "node" : "nodes"}`;
    this.apply({ document: this.locking(ids, true), words });
  }

  /** @param {number} origin @param {boolean} isLocked */
  setLock(origin, isLocked) {
    const { tree } = this.store;
    const words = `${nodeName(tree, tree.nodeOf.get(origin) ?? 0)} ${isLocked ? "locked" : "unlocked"}`;
    this.apply({ document: this.locking(new Set([origin]), isLocked), words }, origin);
  }

  /** Return the document with these nodes locked or unlocked. @param {Set<number>} ids @param {boolean} isLocked */
  locking(ids, isLocked) {
    return lock(this.document, ids, isLocked, this.store.path?.target.follows ? this.tree : null);
  }

  /** Let TAO optimise every node that is not locked. */
  reoptimise() {
    if (this.waiting || !this.store.state.isLive) return;
    this.waiting = this.report("reoptimise");
    this.problem = null;
    this.bar.draw();
    this.store.say("Re-optimising. You can keep editing.");
  }

  /** Largest id that a node has ever had. */
  get lastId() {
    return lastId(...this.edits.entries.map((entry) => entry.document));
  }

  /** Rows of the displayed set that the latest edit sends to another leaf, or null. */
  get moved() {
    const { last, store } = this;
    if (!last || last.before.path !== store.path || last.after !== store.tree) return null;
    const { set } = store.state;
    const moved = last.moved?.set === set ? last.moved : { set, ...rowsMoved(last.before, last.after, set) };
    last.moved = moved;
    return moved;
  }

  /** Return the text that describes the split of a node to screen readers. @param {number} node */
  splitWords(node) {
    return condition(this.store.tree, node);
  }

  /** Return the layer that caches the points of a plot while a split is dragged, or null. @param {string} name */
  layer(name) {
    return this.drag.layer(name);
  }

  /** Publish the locked and the edited nodes. */
  mark() {
    this.store.set({ editMarks: { locked: this.locked, edited: this.edited } });
  }

  /**
   * Return the part of the inspector for a node, or null. `width` is in pixels.
   * @param {number} node @param {number} width
   */
  panel(node, width) {
    return (this.isOn && this.parts?.panel.of(node, width)) || null;
  }

  /** @param {Plane} plane @param {Picture} picture @param {Int32Array} rows */
  onPlane(plane, picture, rows) {
    if (!this.isOn) return;
    const { drawing, parts } = this;
    if (!plane.frame || !drawing) return;
    drawMoved(this, picture, plane.frame, rows);
    if (this.store.state.node !== drawing.origin) drawing.stop(); // The user has selected another node.
    drawing.frame = plane.frame;
    drawing.drawOn(picture);
    parts?.handles.onPlane(plane, plane.frame);
  }

  /** @param {Plot} plot @param {Picture} picture */
  onPlot(plot, picture) {
    if (!this.isOn) return;
    const { tree } = picture;
    if (kindOf(tree, plot.node).handles === "line")
      drawMoved(
        this,
        picture,
        scatterFrame(picture, plot.node, plot.size.box),
        tree.reaching(picture.set, plot.node).rows,
      );
    this.parts?.handles.onPlot(plot, picture);
  }

  /** @param {TreeView} view */
  onView(view) {
    if (this.isOn) this.parts?.handles.onView(view);
  }

  /** @param {TreeView} view @param {number} node @param {ViewBox} box */
  markNode(view, node, box) {
    if (this.isOn) drawNodeMarks(this, view, node, box);
  }

  /** Handle a key; return whether the editor has used it. @param {KeyboardEvent} event */
  key(event) {
    return this.isOn && editKey(this, event);
  }
}

const TYPED = "input:not([type=range]):not([type=checkbox]):not([type=radio]), textarea, select";

/** Handle a key; return whether the editor has used it. @param {Editor} editor @param {KeyboardEvent} event */
export function editKey(editor, event) {
  if (event.target instanceof Element && event.target.matches(TYPED)) return false;
  const act = actionOf(editor, event);
  if (!act) return false;
  event.preventDefault();
  event.stopPropagation();
  act();
  return true;
}

/** @param {Editor} editor @param {KeyboardEvent} event */
function actionOf(editor, event) {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  if (altKey) return null;
  if (ctrlKey || metaKey) {
    if (key.toLowerCase() === "z") return shiftKey ? () => editor.redo() : () => editor.undo();
    return key.toLowerCase() === "y" ? () => editor.redo() : null;
  }
  const { store, parts } = editor;
  const node = store.tree.nodeOf.get(store.state.node);
  if (key === "Escape" && editor.drawing?.isOn) return () => editor.drawing?.cancel();
  if (node === undefined || !parts) return null;
  const { panel } = parts;
  const origin = store.tree.origin[node];
  const isLeaf = store.tree.isLeaf(node);
  if (isLeaf && !store.path?.target.follows && /^[1-9]$/.test(key) && Number(key) <= store.path.target.n)
    return () => panel.flip(node, Number(key) - 1);
  const letter = key.toLowerCase(); // Caps Lock may be on.
  if (letter === "s" && isLeaf) return () => panel.split(node);
  if ((key === "Delete" || key === "Backspace") && !isLeaf) return () => panel.cut(node);
  if (letter === "l") return () => editor.setLock(origin, !editor.locked.has(origin));
  return null;
}

/** List of entries {document, words: description of the edit, ...}, with the index of the current entry. @template T */
export class EditHistory {
  /** @param {T} first */
  constructor(first) {
    this.entries = [first];
    this.at = 0;
  }

  get current() {
    return this.entries[this.at];
  }

  get canUndo() {
    return this.at > 0;
  }

  get canRedo() {
    return this.at + 1 < this.entries.length;
  }

  /** Add an entry, and discard undone entries. @param {T} entry */
  push(entry) {
    this.entries.splice(this.at + 1, Infinity, entry);
    this.at++;
  }

  undo() {
    const undone = this.current;
    this.at--;
    return undone;
  }

  redo() {
    this.at++;
    return this.current;
  }
}

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

const MOST_RINGS = 400;
const CROWD = 60; // number of rows from which the rings are thin
const ROOM = 30; // minimum size in pixels of a node with a mark

/**
 * Draw rings around the rows that the latest edit sends to another leaf.
 * @param {Editor} editor @param {Picture} picture @param {PlaneFrame} frame @param {Int32Array} rows
 */
export function drawMoved(editor, { context, colors, path }, { place }, rows) {
  const { moved } = editor;
  if (!moved?.rows.length || path.edit?.lines) return;
  const radius = rows.length > 1200 ? 3.6 : 4.6;
  const here = rows.length < path.sample.n ? new Set(rows) : null;
  const width = moved.rows.length > CROWD ? 1.1 : 1.8;
  const ring = stamp({ context, colors }, radius + width, `ring ${radius} ${width}`, (own) => {
    own.arc(0, 0, radius, 0, 7);
    own.strokeStyle = colors.theme.background;
    own.lineWidth = 2 * width;
    own.stroke();
    own.strokeStyle = colors.theme.accent;
    own.lineWidth = width;
    own.stroke();
  });
  for (const row of moved.rows.slice(0, MOST_RINGS)) if (!here || here.has(row)) ring(...place(row));
}

/**
 * Draw the marks of a node in the tree: a lock, "edited", an empty side, or the change in its number of rows.
 * @param {Editor} editor @param {TreeView} view @param {number} node @param {ViewBox} box
 */
export function drawNodeMarks(editor, view, node, box) {
  const { tree, state, colors } = editor.store;
  const id = tree.origin[node];
  if (box.w >= 14) {
    const [x, y] = [box.x - box.w / 2, box.y - box.h / 2];
    if (editor.locked.has(id)) drawLock(view.context, x, y, colors, Math.min(9, Math.max(6, box.w / 9)));
    else if (editor.edited.has(id)) drawPencil(view.context, x, y, colors, Math.min(9, Math.max(6, box.w / 9)));
  }
  const text = textOf(editor, tree, node);
  if (!text || Math.max(box.room, box.w) < ROOM) return;
  view.labels.add({
    x: box.x,
    y: box.y - box.h / 2 - 8 * state.type,
    text: text.words,
    size: 12 * state.type,
    color: text.alarms ? colors.theme.alarmText : colors.theme.accentText,
    background: colors.theme.background,
    room: Math.max(box.room, box.w),
    weight: 600,
    whole: true,
    kind: "change",
    node,
  });
}

/** @param {Editor} editor @param {StageTree} tree @param {number} node */
function textOf(editor, tree, node) {
  const { n } = tree.figures(0);
  if (n[node] === 0) return n[tree.parent[node]] > 0 ? { words: "empty", alarms: true } : null;
  if (editor.drag.draft === null) return null;
  const { before } = editor.drag.draft;
  const more = n[node] - before.figures(0).n[node];
  return more ? { words: `${more > 0 ? "+" : "−"}${count(Math.abs(more))}`, alarms: false } : null;
}

/** @param {Context} context @param {number} x @param {number} y @param {number} radius @param {Colors} colors */
function disc(context, x, y, radius, colors) {
  context.beginPath();
  context.arc(x, y, radius, 0, 7);
  context.fillStyle = colors.theme.accent;
  context.fill();
  context.strokeStyle = colors.theme.background;
  context.lineWidth = 1.5;
  context.stroke();
}

/**
 * Draw a padlock on a disc.
 * @param {Context} context @param {number} x @param {number} y @param {Colors} colors @param {number} radius
 */
function drawLock(context, x, y, colors, radius) {
  disc(context, x, y, radius, colors);
  const s = radius / 9;
  context.fillStyle = context.strokeStyle = colors.theme.onAccent;
  context.fillRect(x - 4 * s, y - 0.6 * s, 8 * s, 5.6 * s);
  context.lineWidth = 1.7 * s;
  context.beginPath();
  context.arc(x, y - 1.4 * s, 2.5 * s, Math.PI, 0);
  context.stroke();
}

/**
 * Draw a pencil on a disc.
 * @param {Context} context @param {number} x @param {number} y @param {Colors} colors @param {number} radius
 */
function drawPencil(context, x, y, colors, radius) {
  disc(context, x, y, radius, colors);
  const s = radius / 9;
  context.strokeStyle = colors.theme.onAccent;
  context.lineWidth = 2.6 * s;
  context.beginPath();
  context.moveTo(x - 2.6 * s, y + 2.6 * s);
  context.lineTo(x + 3.6 * s, y - 3.6 * s);
  context.stroke();
  context.lineWidth = 1.2 * s;
  context.beginPath();
  context.moveTo(x - 4.6 * s, y + 4.6 * s);
  context.lineTo(x - 2 * s, y + 2 * s);
  context.stroke();
}
