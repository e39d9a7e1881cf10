// Keys of the editor. They work anywhere on the stage, except while the user types.

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
