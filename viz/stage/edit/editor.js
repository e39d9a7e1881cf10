// Manual edits of the tree on the stage. Every edit makes a new tree, which is displayed at once, and can be undone.

import { kindOf } from "../model/node_kinds.js";
import { condition } from "../model/condition.js";
import { EditBar } from "./edit_bar.js";
import { EditHistory } from "./edit_history.js";
import { drawMoved, drawNodeMarks } from "./edit_marks.js";
import { editKey } from "./edit_keys.js";
import { editedNodes, lastId, lock, sameDocument } from "../model/edit_operations.js";
import { EditPanel } from "./edit_panel.js";
import { documentOf, treeOf, rowsMoved } from "../model/edited_tree.js";
import { LineDrawing } from "./line_drawing.js";
import { SplitDrag } from "./split_drag.js";
import { SplitHandles } from "./split_handles.js";
import { playTween } from "./edit_tween.js";
import { scatterFrame } from "../draw/scatter.js";
import { count } from "../model/number_text.js";
import { remembered } from "../model/remembered.js";
import { nodeName, rowsOfSet } from "../model/tree.js";

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
