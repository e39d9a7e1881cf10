// Close a sheet at the lower edge of a small screen by pulling it down.

const FAR = 60; // pixels to pull
const STILL = 8; // pixels that a click may move

/**
 * Call `act` if the sheet is pulled down by its handle; clicks on the handle go to the element below it.
 * @param {HTMLElement} handle @param {HTMLElement} sheet @param {() => void} act
 */
export function swipeDown(handle, sheet, act) {
  /** @type {number | null} where the finger came down */
  let start = null;
  let pulled = 0;
  handle.addEventListener("pointerdown", (event) => {
    start = event.pointerType === "mouse" ? null : event.clientY;
    pulled = 0;
  });
  handle.addEventListener("pointermove", (event) => {
    if (start === null) return;
    pulled = Math.max(0, event.clientY - start);
    if (pulled > STILL && !handle.hasPointerCapture(event.pointerId)) handle.setPointerCapture(event.pointerId);
    sheet.style.transform = pulled > STILL ? `translateY(${pulled}px)` : "";
  });
  for (const name of ["pointerup", "pointercancel"])
    handle.addEventListener(name, () => {
      if (start === null) return;
      start = null;
      sheet.style.transform = "";
      if (name === "pointerup" && pulled > FAR) act();
    });
}
