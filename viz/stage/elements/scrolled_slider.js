// A touch that starts on a slider but scrolls the page must not change the slider.

/**
 * Restore the values of sliders inside an element if the browser treats a touch on them as scrolling.
 * @param {EventTarget} element
 */
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
