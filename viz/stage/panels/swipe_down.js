// Closes a sheet at the lower edge of a small screen when the user pulls it down.

const FAR = 60; // minimum length in pixels of a pull that closes the sheet
const STILL = 8; // maximum pixels that the pointer moves during a click

/**
 * Call `act` if the user pulls the sheet down by its handle. Clicks on the handle go to the element below it.
 * @param {HTMLElement} handle @param {HTMLElement} sheet @param {() => void} act
 */
export function swipeDown(handle, sheet, act) {
  /** @type {number | null} position at which the finger touched the screen */
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
