// Toolbar above an edited tree: undo and redo, keep, and re-optimise.

import { fill, h } from "../elements/dom.js";
import { changeOfTree } from "../model/comparison.js";
import { capital, count, counted } from "../model/number_text.js";

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
    this.reset = button("Reset", "Discard all edits (can be undone)", "reset", () => editor.reset());
    this.keep = button("Keep edits", KEEP, "keep", () => editor.keep());
    this.again = button("Re-optimise the rest", AGAIN, "reoptimise", () => editor.reoptimise(), "primary");
    this.remove = button("Remove line", "Remove the selected line and the splits below it (Delete)", "remove", () =>
      editor.removeSelected(),
    );
    this.undo.setAttribute("aria-label", "Undo");
    this.redo.setAttribute("aria-label", "Redo");
    this.score = h("span", { class: "score", "data-testid": "edit-score" }); // of lines, whose stage shows no metrics
    this.note = h("div", { class: "edit-note quiet", role: "status", "data-testid": "edit-note" });
    this.element = h(
      "div",
      { class: "edit-bar", role: "toolbar", "aria-label": "Editing", hidden: true, tabindex: "-1" },
      h("div", { class: "segments" }, this.undo, this.redo, this.reset, this.remove),
      this.score,
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

  /** Update the errors and leaves of a tree of lines, even while a line is dragged. */
  follow() {
    const { tree } = this.editor.store;
    const { target } = tree.path;
    const errors = `${capital(target.misfitName)} ${target.misfitText(target.misfit(tree, 0, 0))}`;
    this.score.hidden = !this.editor.drawing?.isFree;
    this.score.textContent = `${errors} · Leaves ${count(tree.sizes(0).leaves)}`;
  }

  /** Return the metrics as text for screen readers. */
  words() {
    const { tree } = this.editor;
    const { target } = tree.path;
    const errors = [this.editor.firstTree, tree].map((which) => target.misfitText(target.misfit(which, 0, 0)));
    const leaves = tree.sizes(0).leaves;
    return `Training ${target.misfitName} ${errors[0]} before, ${errors[1]} now; ${counted(leaves, "leaf")}`;
  }
}

/** Return the contents of the "History" tab of an edited tree. @param {Editor} editor */
export function editHistoryPanel(editor) {
  const { edits: history, store } = editor;
  const items = history.entries.map((entry, i) =>
    h(
      "li",
      { class: i > history.at ? "undone" : null },
      h(
        "button",
        {
          class: "link",
          "aria-current": i === history.at ? "step" : null,
          "aria-label": `${i + 1}: ${entry.words}${i > history.at ? ", undone" : ""}`,
          onclick: () => editor.goTo(i),
        },
        i ? capital(entry.words) : "Original tree",
      ),
    ),
  );
  return [
    h("h2", {}, "History"),
    h("p", { class: "quiet" }, "Click a step to return to that tree. Ctrl+Z undoes, Ctrl+Shift+Z redoes."),
    h("ol", { class: "edits", "data-testid": "edit-history" }, items),
    changes(store),
  ];
}

/** Return the changes made by re-optimisation while the tree shows their marks. @param {Store} store */
function changes(store) {
  const { before } = store.state;
  if (before === null) return null;
  const { right, wrong } = before.path.target.nouns;
  const { gone, fresh, pruned, rerouted, corrected, broken } = changeOfTree(store, before);
  /** @param {string} name @param {number} value */
  const line = (name, value) =>
    h("tr", {}, h("th", { scope: "row" }, name), h("td", { class: "number" }, count(value)));
  return [
    h("h3", {}, "Changes by re-optimisation"),
    h(
      "table",
      { class: "coefficients" },
      h(
        "tbody",
        {},
        line("nodes removed", gone.length),
        line("nodes added", fresh.length),
        line("decision nodes now leaves", pruned.length),
        line("rows in another leaf", rerouted),
        line(`now ${right}, were ${wrong}`, corrected),
        line(`now ${wrong}, were ${right}`, broken),
      ),
    ),
  ];
}
