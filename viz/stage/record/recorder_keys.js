// Keys of a recorded run, on top of those of its slider and buttons; a presenter's remote sends the first two.

/** Page Down and Page Up step, P plays and pauses, ] and [ go to the next and the previous pass. */
export function recorderKey(recorder, event) {
  const { stage, buttons } = recorder;
  const { target, key } = event;
  const isTyping = target.matches?.("input:not([type=range]), textarea, select, [contenteditable]");
  if (
    stage.hides.has("transport") ||
    event.defaultPrevented ||
    isTyping ||
    event.ctrlKey ||
    event.metaKey ||
    event.altKey
  )
    return;
  const act = {
    PageDown: () => stage.go(stage.state.k + 1),
    PageUp: () => stage.go(stage.state.k - 1),
    p: () => recorder.playOrPause(),
    "]": () => stage.go(buttons.nextPass(1)),
    "[": () => stage.go(buttons.nextPass(-1)),
  }[key.length === 1 ? key.toLowerCase() : key];
  if (!act) return;
  if (key !== "p" && key !== "P") recorder.pause();
  act();
  event.preventDefault();
}
