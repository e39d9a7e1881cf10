// The trees of a forest as thumbnails: a click, Enter or the arrow keys choose one.

const own = new WeakMap();

/** Entry of the Streamlit component. `data` as of pages/ui/data/tree_strip.py; triggers `chosen`. */
export default function ({ data, parentElement, setTriggerValue }) {
  let strip = own.get(parentElement);
  if (!strip) {
    strip = document.createElement("div");
    strip.className = "trees";
    strip.setAttribute("role", "group");
    strip.setAttribute("aria-label", "Trees of the model");
    strip.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      const all = [...strip.children];
      all[all.indexOf(event.target.closest("button")) + step]?.focus();
    });
    parentElement.append(strip);
    own.set(parentElement, strip);
  }
  const shown = JSON.stringify(data.trees);
  if (strip.shown !== shown) {
    strip.shown = shown;
    strip.replaceChildren(...data.trees.map(tile));
  }
  for (const button of strip.children) {
    const number = Number(button.dataset.number);
    button.setAttribute("aria-pressed", String(number === data.chosen));
    button.onclick = () => setTriggerValue("chosen", number);
  }
  return () => own.delete(parentElement);
}

function tile({ number, picture, words }) {
  const button = document.createElement("button");
  button.dataset.number = number;
  if (picture) {
    const image = document.createElement("img");
    image.alt = "";
    image.src = `data:image/svg+xml,${encodeURIComponent(picture)}`;
    button.append(image);
  }
  button.append(words);
  return button;
}
