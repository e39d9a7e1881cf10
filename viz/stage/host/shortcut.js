// Keys that act on the whole stage.

import { clearSelection } from "../draw/brush.js";

/** Escape closes the menu, else ends a selection in the making, else clears the selected rows. */
export function shortcut(stage, event) {
  // Streamlit's own keys (r, c) must not act while somebody types here
  if (event.target.tagName === "INPUT" && event.target.type === "search") event.stopPropagation();
  stage.painterKey(event);
  stage.recorder.key(event);
  if (stage.editor.key(event)) return;
  if (event.key !== "Escape") return;
  if (!stage.tools.menu.hidden) {
    stage.tools.toggleMenu(false);
    stage.tools.menuButton.focus();
  } else if (stage.brush) stage.brush.cancel();
  else if (!event.defaultPrevented && event.target.type !== "search") clearSelection(stage);
}
