// The trees of a forest as thumbnails. A click, Enter or the arrow keys select one.

/** @import { Call, Thumbnail, Trees } from "./component" */

const FEW = 8; // largest number of trees that are shown without a scroll bar
/** @type {Record<string, number>} */
const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
/** @type {WeakMap<Element, { element: HTMLElement, shown: string | null, tiles: HTMLButtonElement[] }>} */
const own = new WeakMap();

/** Entry of the Streamlit component; triggers `chosen`. @param {Call<Trees>} call */
export default function ({ data, parentElement, setTriggerValue }) {
  let strip = own.get(parentElement);
  if (!strip) {
    const made = { element: document.createElement("div"), shown: null, tiles: [] };
    strip = made;
    made.element.className = "trees";
    made.element.setAttribute("role", "group");
    made.element.addEventListener("keydown", (event) => walk(event, made.tiles));
    parentElement.append(made.element);
    own.set(parentElement, made);
  }
  strip.element.setAttribute("aria-label", data.label);
  strip.element.classList.toggle("few", data.trees.length <= FEW);
  const shown = JSON.stringify(data.trees);
  if (strip.shown !== shown) {
    strip.shown = shown;
    strip.tiles = data.trees.map(tile);
    strip.element.replaceChildren(...strip.tiles);
  }
  for (const button of strip.tiles) {
    const number = Number(button.dataset.number);
    button.setAttribute("aria-pressed", String(number === data.chosen));
    button.onclick = () => setTriggerValue("chosen", number);
  }
  return () => own.delete(parentElement);
}

/** @param {string} text */
function line(text) {
  const element = document.createElement("small");
  element.append(text);
  return element;
}

/** @param {KeyboardEvent} event @param {HTMLButtonElement[]} tiles */
function walk(event, tiles) {
  const step = STEPS[event.key];
  if (!step) return;
  event.preventDefault();
  tiles[tiles.findIndex((one) => one.contains(/** @type {Node} */ (event.target))) + step]?.focus();
}

/** @param {Thumbnail} tree */
function tile({ number, picture, words }) {
  const button = document.createElement("button");
  button.dataset.number = String(number);
  if (picture) {
    const image = document.createElement("img");
    image.alt = "Drawing of the tree";
    image.src = `data:image/svg+xml,${encodeURIComponent(picture)}`;
    button.append(image);
  }
  const [first, ...more] = words.split("\n");
  button.append(first, ...more.map(line));
  return button;
}
