// Scroll the page to its top when it shows another screen of a class, whose name is the attribute data-screen.

/** Return the nearest element around a node that scrolls. @param {Element} node @returns {Element | undefined} */
function scrolling(node) {
  const scrolls = /** @param {Element} one */ (one) => /auto|scroll/.test(getComputedStyle(one).overflowY);
  /** @type {Element | null} */
  let found = node;
  while (found && !scrolls(found)) found = found.parentElement;
  return found ?? undefined;
}

/** Entry of the Streamlit component; it returns the function that ends the observation. */
export default function () {
  const screen = () => document.querySelector("[data-screen]");
  const name = () => screen()?.getAttribute("data-screen");
  let shown = name();
  const observer = new MutationObserver(() => {
    const now = name();
    if (now === undefined || now === shown) return;
    const place = screen();
    if (shown !== undefined && place) scrolling(place)?.scrollTo({ top: 0 });
    shown = now;
  });
  observer.observe(document.body, { childList: true, subtree: true });
  return () => observer.disconnect();
}
