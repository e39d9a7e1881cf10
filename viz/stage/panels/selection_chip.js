// How many rows are selected, in sight whatever the inspector shows.

import { h } from "../elements/dom.js";
import { clearSelection, selectionText } from "../model/selection.js";

/** `show()` brings the table of the selected rows into sight. */
export class SelectionChip {
  constructor(store, show) {
    this.store = store;
    this.text = h("button", {
      class: "text",
      title: "Show the selected rows as a table",
      onclick: show,
    });
    this.element = h(
      "span",
      { class: "chip", hidden: true, "data-testid": "stage-selection" },
      this.text,
      h(
        "button",
        {
          title: "Clear the selection (Esc)",
          "aria-label": "Clear the selection",
          onclick: () => clearSelection(store),
        },
        "✕",
      ),
    );
  }

  draw() {
    const { selection, set } = this.store.state;
    this.element.hidden = !selection;
    if (selection) this.text.textContent = selectionText(selection, set);
  }
}
