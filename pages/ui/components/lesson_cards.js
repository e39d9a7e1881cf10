// Cards of all lessons and stories. A click or Enter opens a lesson; with Ctrl, it opens in another tab.

/** @import { Call, Lesson, Lessons, Series } from "./component" */

/** @type {WeakMap<Element, { element: HTMLElement, shown: string | null }>} */
const own = new WeakMap();

/** Entry of the Streamlit component; triggers `chosen`. @param {Call<Lessons>} call */
export default function ({ data, parentElement, setTriggerValue }) {
  let cards = own.get(parentElement);
  if (!cards) {
    cards = { element: element("div", ""), shown: null };
    cards.element.className = "cards";
    parentElement.append(cards.element);
    own.set(parentElement, cards);
  }
  if (cards.shown !== data.name) {
    cards.shown = data.name;
    cards.element.replaceChildren(...JSON.parse(data.series).flatMap(series));
  }
  cards.element.onclick = (event) => {
    const link = /** @type {Element} */ (event.target).closest("a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    setTriggerValue("chosen", link.dataset.slug);
  };
  return () => own.delete(parentElement);
}

/** @param {Series} one */
function series({ title, words, lessons }) {
  const list = element("ul", "");
  list.append(...lessons.map(card));
  return [element("h2", title), element("p", words), list];
}

/** @param {Lesson} lesson */
function card({ slug, title, icon, about, picture }) {
  const item = element("li", "");
  const image = element("span", "");
  image.innerHTML = picture; // This HTML is made by the project, and its text is escaped.
  const link = element("a", "");
  link.href = `?lesson=${encodeURIComponent(slug)}`;
  link.dataset.slug = slug;
  const sign = element("span", icon);
  sign.className = "icon";
  sign.setAttribute("aria-hidden", "true");
  link.append(sign, title);
  item.append(image, link, element("p", about));
  return item;
}

/** @template {keyof HTMLElementTagNameMap} Name @param {Name} name @param {string} text */
function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}
