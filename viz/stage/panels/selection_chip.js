// How many rows are selected, in sight whatever the inspector shows.

import { clearSelection } from "../draw/brush.js";
import { h } from "../elements/dom.js";
import { selectionText } from "../model/selection.js";

export class SelectionChip {
  constructor(stage) {
    this.stage = stage;
    this.text = h("button", {
      class: "text",
      title: "Show the selected rows as a table",
      onclick: () => this.show(),
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
          onclick: () => clearSelection(stage),
        },
        "✕",
      ),
    );
  }

  draw() {
    const { selection, set } = this.stage.state;
    this.element.hidden = !selection;
    if (selection) this.text.textContent = selectionText(selection, set);
  }

  /** Bring the table into sight. */
  show() {
    const { stage } = this;
    stage.set({ panel: true, tab: "node" });
    stage.inspector.draw();
    stage.inspector.body.querySelector(".selected")?.scrollIntoView({ block: "nearest" });
  }
}
