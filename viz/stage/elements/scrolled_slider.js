// A finger that comes down on a slider to scroll the page has chosen nothing.

/** Give the sliders inside an element back what they showed before the browser took a touch of theirs as scrolling.
 * @param {EventTarget} element */
export function keepWhenScrolled(element) {
  /** @type {{slider: HTMLInputElement, value: string} | null} */
  let touched = null;
  element.addEventListener("pointerdown", ({ target }) => {
    const slider = /** @type {HTMLInputElement} */ (target);
    touched = slider.type === "range" ? { slider, value: slider.value } : null;
  });
  element.addEventListener("pointercancel", () => {
    if (!touched) return;
    const { slider, value } = touched;
    touched = null;
    slider.value = value;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  });
}
