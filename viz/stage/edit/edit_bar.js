// Toolbar above an edited tree: undo and redo, the metrics before and after, keep, and re-optimise.

import { fill, h } from "../elements/dom.js";
import { objectiveOf } from "../model/edited_tree.js";
import { capital, count, counted, number } from "../model/number_text.js";

const KEEP = "Lock the edited nodes, so that re-optimising changes only other nodes";
const AGAIN = "Let TAO optimise every node that is not locked. Locked nodes keep their split or prediction";

export class EditBar {
  /** @param {Editor} editor */
  constructor(editor) {
    this.editor = editor;
    /**
     * @param {string} text @param {string} title @param {string} test @param {() => void} act
     * @param {string | null} [look]
     */
    const button = (text, title, test, act, look = null) =>
      h("button", { class: look, title, "data-testid": `edit-${test}`, onclick: act }, text);
    this.undo = button("↶", "Undo the latest edit (Ctrl+Z)", "undo", () => editor.undo());
    this.redo = button("↷", "Redo the latest edit (Ctrl+Shift+Z)", "redo", () => editor.redo());
    this.reset = button("Reset", "Return to the first tree (you can undo this)", "reset", () => editor.reset());
    this.keep = button("Keep edits", KEEP, "keep", () => editor.keep());
    this.again = button("Re-optimise the rest", AGAIN, "reoptimise", () => editor.reoptimise(), "primary");
    this.remove = button("Remove line", "Remove the selected line and the splits below it (Delete)", "remove", () =>
      editor.removeSelected(),
    );
    this.undo.setAttribute("aria-label", "Undo");
    this.redo.setAttribute("aria-label", "Redo");
    /** @type {Record<string, {was: HTMLElement, is: HTMLElement, element: HTMLElement}>} */
    this.values = {};
    this.figures = h("dl", { class: "before-after", "data-testid": "edit-figures" });
    this.note = h("div", { class: "edit-note quiet", role: "status", "data-testid": "edit-note" });
    this.element = h(
      "div",
      { class: "edit-bar", role: "toolbar", "aria-label": "Editing", hidden: true, tabindex: "-1" },
      h("div", { class: "segments" }, this.undo, this.redo, this.reset, this.remove),
      this.figures,
      h("span", { class: "space" }),
      this.keep,
      this.again,
      this.note,
    );
  }

  draw() {
    const { editor } = this;
    const { history, waiting, store } = editor;
    if (!history) return;
    const focused = /** @type {Document | ShadowRoot} */ (this.element.getRootNode()).activeElement;
    this.undo.disabled = !history.canUndo;
    this.redo.disabled = !history.canRedo;
    this.undo.title = history.canUndo ? `Undo: ${history.current.words} (Ctrl+Z)` : "Nothing to undo";
    this.reset.disabled = history.at === 0;
    const loose = [...editor.edited].filter((id) => !editor.locked.has(id)).length;
    const isFree = editor.drawing?.isFree ?? false;
    const node = store.tree.nodeOf.get(store.state.node);
    this.remove.hidden = !isFree;
    this.remove.disabled = node === undefined || store.tree.isLeaf(node);
    this.keep.hidden = isFree;
    this.keep.disabled = loose === 0;
    this.keep.textContent = loose ? `Keep (lock ${count(loose)} ${loose === 1 ? "node" : "nodes"})` : "Keep edits";
    this.again.hidden = isFree || !store.state.isLive;
    this.again.disabled = waiting !== null;
    this.again.textContent = waiting ? "Re-optimising …" : "Re-optimise the rest";
    this.element.setAttribute("aria-busy", String(waiting !== null));
    this.element.classList.toggle("waiting", waiting !== null);
    // A disabled button loses the focus, and later key presses would be lost.
    if (focused?.matches("button:disabled") && this.element.contains(focused))
      this.element.focus({ preventScroll: true });
    this.note.classList.toggle("bad", editor.problem !== null);
    this.follow();
    fill(this.note, editor.problem ?? (waiting ? null : history.current.note) ?? this.hint(loose));
  }

  /** @param {number} loose */
  hint(loose) {
    const { editor } = this;
    const { locked, waiting, store } = editor;
    if (editor.drawing?.isFree) return "Draw a line across a region. Tap a line to move, turn or remove it.";
    if (waiting) return "TAO is optimising the nodes that are not locked. You can keep editing.";
    const parts = [];
    if (loose)
      parts.push(
        store.state.isLive
          ? `${count(loose)} ${loose === 1 ? "edited node is" : "edited nodes are"} not locked, so re-optimising may change ${loose === 1 ? "it" : "them"}. Lock ${loose === 1 ? "it" : "them"} with Keep.`
          : `Keep locks ${loose === 1 ? "the edited node" : `the ${count(loose)} edited nodes`}.`,
      );
    else if (locked.size)
      parts.push(
        `${count(locked.size)} ${locked.size === 1 ? "node is" : "nodes are"} locked. TAO may change all other nodes.`,
      );
    else parts.push("Select a node, then drag, change, prune or split it. Ctrl+Z undoes.");
    if (!store.state.isLive) parts.push("Re-optimising is available only in the app.");
    const { partly } = editor;
    /** @param {{name: string}[]} some */
    const names = (some) => some.map(({ name }) => name).join(" and ");
    const [none, few] = [partly.filter(({ here }) => !here), partly.filter(({ here }) => here)];
    if (none.length && editor.edits.at) parts.push(`The ${names(none)} error is not available after an edit.`);
    if (few.length && editor.edits.at) parts.push(`${capital(names(few))} metrics are computed on a sample.`);
    return parts.join(" ");
  }

  /** Update the metrics before all edits and now, even while a change is running. */
  follow() {
    const { editor } = this;
    const { tree } = editor.store;
    const { target } = tree.path;
    const { words } = editor.edits.current;
    const was = firstTree(editor);
    /** @param {StageTree} which */
    const of = (which) => {
      const { leaves, weights } = which.sizes(0);
      const objective = objectiveOf(which);
      return { errors: target.misfit(which, 0, 0), leaves, weights, objective };
    };
    const [before, now] = [of(was), of(tree)];
    const name = target.misfitName;
    this.entry("errors", capital(name), before.errors, now.errors);
    this.entry("leaves", "Leaves", before.leaves, now.leaves);
    if (!editor.drawing?.isFree) this.entry("weights", "Weights", before.weights, now.weights);
    if (now.objective !== null && before.objective !== null)
      this.entry("objective", "Objective", before.objective, now.objective);
    if (this.values.objective) this.values.objective.element.hidden = now.objective === null;
    this.figures.title = `Training metrics before all edits and now. Latest edit: ${words}.`;
  }

  /** @param {string} key @param {string} name @param {number} before @param {number} now */
  entry(key, name, before, now) {
    this.values[key] ??= (() => {
      const [was, is] = [h("span", { class: "was" }), h("b", {})];
      const element = h("div", {}, h("dt", {}, name), h("dd", {}, was, is));
      this.figures.append(element);
      return { was, is, element };
    })();
    const { was, is, element } = this.values[key];
    /** @param {number} value */
    const text = (value) => {
      if (key === "errors") return this.editor.store.tree.path.target.misfitText(value);
      return key === "objective" ? number(value, 4) : count(value);
    };
    was.textContent = text(before) === text(now) ? "" : `${text(before)} → `;
    is.textContent = text(now);
    const isCost = key === "errors" || key === "objective";
    element.classList.toggle("worse", isCost && text(before) !== text(now) && now > before);
    element.classList.toggle("better", isCost && text(before) !== text(now) && now < before);
  }

  /** Return the metrics as text for screen readers. */
  words() {
    const { tree } = this.editor;
    const was = firstTree(this.editor);
    const { target } = tree.path;
    const errors = [was, tree].map((which) => target.misfitText(target.misfit(which, 0, 0)));
    const leaves = tree.sizes(0).leaves;
    return `Training ${target.misfitName} ${errors[0]} before, ${errors[1]} now; ${counted(leaves, "leaf")}`;
  }
}

/** Return the tree before all edits, with counts of the same rows as in the displayed tree. @param {Editor} editor */
function firstTree(editor) {
  const { tree = editor.tree } = editor.edits.entries[0];
  return editor.store.tree === tree ? tree : editor.countedHere(tree);
}
