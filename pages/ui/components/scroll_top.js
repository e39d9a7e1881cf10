// Scroll the page to its top when it shows another screen of a class, whose name is the attribute data-screen.

/** Entry of the Streamlit component; it returns the function that ends the observation. */
export default function () {
  const main = document.querySelector("[data-testid=stMain]");
  const screen = () => main?.querySelector("[data-screen]")?.getAttribute("data-screen");
  let shown = screen();
  const observer = new MutationObserver(() => {
    const now = screen();
    if (now === undefined || now === shown) return;
    if (shown !== undefined) main?.scrollTo({ top: 0 });
    shown = now;
  });
  if (main) observer.observe(main, { childList: true, subtree: true });
  return () => observer.disconnect();
}
