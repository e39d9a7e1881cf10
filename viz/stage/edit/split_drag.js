// Drag of a split. Every frame shows a draft of the tree, and the end of the drag makes one edit.

import { moveSplit } from "../model/edit_changes.js";
import { Drafts } from "../model/edited_tree.js";
import { PointLayer } from "../draw/stamp.js";

/**
 * @typedef {object} Draft
 * @property {Drafts} drafts
 * @property {number} node
 * @property {StageTree} before
 * @property {Editor["last"]} last effect of the previous edit
 * @property {Split | null} split displayed split
 * @property {Split | null} next split to display in the next frame
 * @property {boolean} isRequested whether a frame is requested
 * @property {Record<string, PointLayer>} layers
 */

export class SplitDrag {
  /** @param {Editor} editor */
  constructor(editor) {
    this.editor = editor;
    this.store = editor.store;
    /** @type {Draft | null} */
    this.draft = null;
  }

  /** Begin to drag a split; return the current split. @param {number} node */
  begin(node) {
    const { store } = this;
    const { tree } = this.editor;
    const origin = store.tree.origin[node];
    if (store.tree !== tree) store.set({ edited: tree, isDraft: false }); // A tween was running.
    const at = tree.nodeOf.get(origin) ?? 0;
    const still = { split: null, next: null, isRequested: false };
    const { last } = this.editor;
    this.draft = { drafts: new Drafts(tree), node: at, before: tree, last, ...still, layers: {} };
    store.set({ penDown: true });
    this.tell(null); // The counts for the previous edit are outdated.
    return tree.split(at);
  }

  /** Show the split {features, weights, bias} in the next frame. @param {Split} split */
  change(split) {
    const { draft } = this;
    if (!draft) return;
    draft.next = split;
    if (draft.isRequested) return;
    draft.isRequested = true;
    this.editor.life.frame(() => {
      draft.isRequested = false;
      if (this.draft === draft) this.show();
    });
  }

  /** Show the effect of an edit in the panel. @param {Editor["last"]} last */
  tell(last) {
    this.editor.last = last;
    this.editor.parts?.panel.follow();
  }

  show() {
    const { draft, editor, store } = this;
    if (!draft?.next || draft.next === draft.split) return;
    draft.split = draft.next;
    const tree = draft.drafts.with(draft.node, draft.split);
    editor.last = { origin: tree.origin[draft.node], before: draft.before, after: tree, words: "" };
    store.set({ edited: tree, isDraft: true });
    this.follow();
  }

  /** Update the other views that follow the drag. */
  follow() {
    const { editor } = this;
    editor.on.showTree();
    editor.parts?.panel.follow();
    editor.bar.follow();
  }

  /** End the drag and make one edit. @param {string} words */
  end(words) {
    const { draft, editor, store } = this;
    store.set({ penDown: false });
    if (!draft) return;
    const { before, node, next, last } = draft;
    if (next) editor.apply(moveSplit(before, editor.document, node, next, words), before.origin[node]);
    else {
      this.draft = null;
      this.tell(last);
    }
    editor.hear(editor.answer ?? null);
  }

  /** Return the split to its position before the drag. */
  cancel() {
    if (this.draft) this.editor.show(null);
    this.end("");
    this.editor.hear(this.editor.answer ?? null);
  }

  /** Return the layer that caches the points of a plot during the drag, or null. @param {string} name */
  layer(name) {
    return this.draft?.split ? (this.draft.layers[name] ??= new PointLayer()) : null;
  }
}
