// Listeners of every page, and its address, see shell/address.py.

/** @param {Element | null} link */
function closeSideBar(link) {
  if (!link || !matchMedia("(max-width: 768px)").matches) return;
  const button = '[data-testid="stSidebarCollapseButton"] button';
  // after the browser has followed the link
  setTimeout(() => /** @type {HTMLElement | null} */ (document.querySelector(button))?.click());
}

/** Keep the focus inside an open menu, whose content follows its button. @param {KeyboardEvent} event */
function goRound(event) {
  const menu = document.querySelector('[data-testid="stPopoverBody"]');
  if (event.key !== "Tab" || !menu) return;
  /** @type {HTMLElement | null} */
  const button = document.querySelector('[data-testid="stPopoverButton"][aria-expanded="true"]');
  /** @type {NodeListOf<HTMLElement & { disabled?: boolean }>} */
  const stops = menu.querySelectorAll("button, a[href], input, textarea, summary, [tabindex]");
  // An open menu disables the Tab stops outside it, and stores their previous values.
  const isStop = (/** @type {HTMLElement} */ one) =>
    "tabindex" in one.dataset ? one.dataset.tabindex !== "-1" : one.tabIndex >= 0;
  const inside = [...stops].filter((one) => isStop(one) && !one.disabled && one.offsetParent);
  const end = event.shiftKey ? inside[0] : inside.at(-1);
  const isEntering = document.activeElement === button && !event.shiftKey;
  const next = isEntering ? inside[0] : document.activeElement === end ? button : null;
  if (!next) return;
  event.preventDefault();
  next.focus();
}

/** Focus the slider or tree of the stage, or the first control of the page. @param {Event} event */
function skip(event) {
  event.preventDefault();
  const main = document.querySelector('[data-testid="stMain"]');
  /** @param {ParentNode} place @param {string} what @returns {HTMLElement | undefined} */
  const first = (place, what) => {
    /** @type {NodeListOf<HTMLElement>} */
    const all = place.querySelectorAll(what);
    return [...all].find((one) => one.checkVisibility());
  };
  if (!main) return;
  const stages = [...main.querySelectorAll('[data-testid="stBidiComponentIsolated"]')];
  const inside = stages.map((one) => first(one.shadowRoot ?? one, 'input[type="range"], [role="tree"]'));
  const found = inside.find(Boolean) ?? first(main, "button, a[href], input, textarea, summary, [tabindex='0']");
  found?.focus();
  found?.scrollIntoView({ block: "nearest" });
}

const PRESENT = ":is(.st-key-lesson-present, .st-key-learn-present) button";
const LEAVE = ":is(.st-key-lesson-leave, .st-key-leave) button";

/** Enter or leave full screen, which a browser allows only during a click. @param {Element} target */
function fillScreen(target) {
  const ignore = () => {}; // the presentation also works in a window
  if (target.closest(PRESENT)) document.documentElement.requestFullscreen?.().catch(ignore);
  else if (target.closest(LEAVE) && document.fullscreenElement) document.exitFullscreen().catch(ignore);
}

/** Give each Streamlit slider one name. Its group has the same name, which screen readers would repeat. */
function nameSliders() {
  for (const slider of document.querySelectorAll('[data-testid="stSlider"] input[aria-label][aria-labelledby]')) {
    slider.removeAttribute("aria-labelledby");
    slider.closest('[role="group"]')?.removeAttribute("aria-label");
  }
}

const CONTROLS = "button, a[href], input[type='range'], summary";

/**
 * Keep the focus of the keyboard near a button that disappears when it is pressed: on the first control of the nearest
 * element around it that is still there.
 */
class Focus {
  /** @type {Element[]} the pressed button and the elements around it */
  around = [];

  /** @param {Element | null} button */
  press(button) {
    this.around = [];
    for (let one = button; one; one = one.parentElement) this.around.push(one);
  }

  restore() {
    const [button, ...outer] = this.around;
    if (!button || button.isConnected || document.activeElement !== document.body) return;
    const main = document.querySelector('[data-testid="stMain"]');
    for (const place of outer.filter((one) => one.isConnected && main?.contains(one))) {
      /** @type {NodeListOf<HTMLButtonElement>} */
      const all = place.querySelectorAll(CONTROLS);
      const found = [...all].find((one) => !one.disabled && one.checkVisibility());
      if (!found) continue;
      found.focus();
      return this.press(found); // A run may replace this control, too.
    }
  }
}

const focus = new Focus();
/** @type {string | null} name of the last address that was written */
let written = null;

/** Write the address of the page without adding an entry to the history. @param {{ name: string, query: string }} data */
function writeAddress({ name, query }) {
  if (name === written) return;
  written = name;
  history.replaceState({}, "", location.pathname + (query ? `?${query}` : "") + location.hash);
}

/** Listen until the page is closed. @param {(label: string | null) => void} fail called for a file that
 * could not be made */
function listen(fail) {
  const ready = new MutationObserver(([{ target }]) => {
    const button = /** @type {HTMLButtonElement} */ (target);
    if (button.disabled) return;
    if (document.activeElement === document.body) button.focus();
    const place = button.closest('[data-testid="stDownloadButton"]');
    if (place?.querySelector('[data-testid="stDownloadButtonError"]')) fail(button.textContent);
  });
  const changed = new MutationObserver(() => {
    nameSliders();
    focus.restore();
  });
  changed.observe(document.body, { childList: true, subtree: true });
  nameSliders();
  const targetOf = (/** @type {Event} */ event) => /** @type {Element} */ (event.target);
  document.addEventListener("keydown", goRound);
  document.querySelector(".skip-link")?.addEventListener("click", skip);
  document.addEventListener("click", (event) => {
    closeSideBar(targetOf(event).closest('[data-testid="stSidebarNavLink"]'));
    fillScreen(targetOf(event));
    focus.press(event.detail ? null : targetOf(event).closest("button")); // 0 clicks: pressed by a key
  });
  document.addEventListener("focusin", (event) => {
    ready.disconnect();
    if (targetOf(event).matches("button")) ready.observe(targetOf(event), { attributeFilter: ["disabled"] });
  });
}

/** @type {(label: string | null) => void} calls the latest `failed` */
let fail = () => {};
let isListening = false;

/**
 * Entry of the Streamlit component; triggers `failed`. The listeners stay, because Streamlit removes the component for a
 * moment when it runs the page again.
 * @param {import("./component").Call<{ name: string, query: string }>} call
 */
export default function ({ data, setTriggerValue }) {
  writeAddress(data);
  fail = (label) => setTriggerValue("failed", label);
  if (!isListening) listen((label) => fail(label));
  isListening = true;
}
