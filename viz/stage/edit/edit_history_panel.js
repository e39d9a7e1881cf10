// History of edits with a button to return to each edit, and the changes made by the latest re-optimisation.

import { capital, count } from "../model/number_text.js";
import { changeOfTree } from "../model/comparison.js";
import { h } from "../elements/dom.js";

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
