// Page Up and Page Down, which presenters' remote controls send, step through a recorded run wherever the focus is.

/** Listen for a stage that is alone in its page, or one of several stages in step. @param {Stage} stage */
export function hearRemote(stage) {
  const { life, linked, recorder } = stage;
  const step = (/** @type {KeyboardEvent} */ event) => {
    const { isReady, state } = stage;
    if (!event.key.startsWith("Page") || !isReady || !recorder.isOn || state.inLesson) return;
    const isFirst = linked.inStep.every((one) => one === linked || linked.isBefore(one));
    if (isFirst) recorder.buttons.key(event);
  };
  life.listen(document, "keydown", step, { capture: true });
}
