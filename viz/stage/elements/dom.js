// Creates elements from plain values. Text is only ever inserted as text, never as markup.

/**
 * Return an element with attributes and children (nodes or text). `class` sets the class, and `on...`
 * functions become listeners.
 * @template {keyof HTMLElementTagNameMap} T @param {T} tag @param {Record<string, any>} attributes
 * @param {...any} children @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

/** Replace the children of an element. @param {Element} element @param {...any} children */
export function fill(element, ...children) {
  element.replaceChildren(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
  );
}

/** Return the visible value of a slider, which screen readers read from the slider itself. @param {string} [text] */
export function valueBeside(text = "") {
  return h("output", { "aria-hidden": "true" }, text);
}

/**
 * Replace the controls in a row, and keep the focus on the control at the same position.
 * @param {Element} element @param {...any} children
 */
export function refill(element, ...children) {
  const activeElement = focusedBeside(element);
  const at = Array.from(element.children).findIndex((child) => child === activeElement);
  fill(element, ...children);
  if (at >= 0) /** @type {HTMLElement | undefined} */ (element.children[at])?.focus({ preventScroll: true });
}

/**
 * Return the position of the pointer relative to an element, in pixels.
 * @param {Element} element @param {MouseEvent} event @returns {Pair}
 */
export function placeIn(element, event) {
  const box = element.getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
}

/** Direction of each arrow key: (right, down). @type {Partial<Record<string, Pair>>} */
export const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * Make a group of buttons a single stop of the Tab key. Arrow keys move inside the group.
 * @template {HTMLElement} T @param {T} group
 */
export function oneStop(group) {
  const buttons = /** @type {HTMLElement[]} */ ([...group.children]);
  buttons.forEach((button, i) => (button.tabIndex = i ? -1 : 0));
  group.addEventListener("keydown", (event) => {
    const [x, y] = ARROWS[event.key] ?? [0, 0];
    const at = buttons.findIndex((button) => button === event.target);
    if (at < 0 || !(x || y)) return;
    event.preventDefault();
    event.stopPropagation();
    const next = buttons[at + x + y];
    if (!next) return;
    buttons[at].tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
  return group;
}

/** Return the focused element of the page, or of the shadow tree with this element. @param {Element} element */
export function focusedBeside(element) {
  return /** @type {Document | ShadowRoot} */ (element.getRootNode()).activeElement;
}

/** Return whether the mouse wheel would scroll a container of the element. @param {Element} element */
export function isInScroller(element) {
  /** @type {Element | null | undefined} */
  let around = element;
  while (around) {
    const { overflowY } = getComputedStyle(around);
    const scrolls = /auto|scroll/.test(overflowY) || around === document.scrollingElement;
    if (scrolls && overflowY !== "hidden" && around.scrollHeight > around.clientHeight + 1) return true;
    around = around.assignedSlot ?? around.parentElement ?? /** @type {ShadowRoot} */ (around.getRootNode()).host;
  }
  return false;
}

/** @param {Element} element */
export function hasFocus(element) {
  return focusedBeside(element) === element;
}

/** Return whether the user is typing, in which case keys must not trigger commands. @param {Event} event */
export function isTyping(event) {
  const [target] = event.composedPath();
  return target instanceof Element && target.matches("input:not([type=range]), textarea, select, [contenteditable]");
}

/**
 * Return whether Page Up and Page Down have a meaning for the focused element: a long text or an open list.
 * @param {Event} event
 */
export function takesPages(event) {
  const [target] = event.composedPath();
  return (
    target instanceof Element && target.matches("textarea, [contenteditable], [role=combobox][aria-expanded=true]")
  );
}

/**
 * Give a canvas a size in CSS pixels, sharp on dense screens. Return its context, which draws in CSS pixels.
 * @param {HTMLCanvasElement} canvas @param {number} width @param {number} height
 */
export function sizeCanvas(canvas, width, height) {
  const ratio = Math.min(window.devicePixelRatio || 1, 3);
  const w = Math.max(1, Math.round(width * ratio)),
    ht = Math.max(1, Math.round(height * ratio));
  if (canvas.width !== w || canvas.height !== ht) {
    canvas.width = w;
    canvas.height = ht;
  }
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}

/** Fonts of the stage: the font of the app or, in saved pages, of the system. */
export const FONT = '"Source Sans", system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';

/** Return the context of a canvas outside the document. @param {number} width @param {number} height */
export function offscreen(width, height) {
  return /** @type {OffscreenCanvasRenderingContext2D} */ (new OffscreenCanvas(width, height).getContext("2d"));
}

const ICONS = {
  play: "M5 3 L13 8 L5 13 Z",
  pause: "M4 3 h3 v10 h-3 Z M9 3 h3 v10 h-3 Z",
  next: "M4 3 L10 8 L4 13 Z M11 3 h2 v10 h-2 Z",
  previous: "M12 3 L6 8 L12 13 Z M3 3 h2 v10 h-2 Z",
  first: "M13 3 L7 8 L13 13 Z M8 3 L2.5 8 L8 13 Z M1 3 h1.6 v10 h-1.6 Z",
  last: "M3 3 L9 8 L3 13 Z M8 3 L13.5 8 L8 13 Z M13.4 3 h1.6 v10 h-1.6 Z",
  full: "M2 2 h5 v2 h-3 v3 h-2 Z M9 2 h5 v5 h-2 v-3 h-3 Z M2 9 h2 v3 h3 v2 h-5 Z M12 9 h2 v5 h-5 v-2 h3 Z",
};

/** @typedef {keyof typeof ICONS} IconName */

/** Return a small icon in the colour of the text. @param {IconName} name */
export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

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
