// Cards of all lessons and stories: a click, or Enter, opens one; with Ctrl, as any link, in another tab.

const own = new WeakMap();

/** Entry of the Streamlit component. `data` as of pages/ui/learn/lesson_cards.py; triggers `chosen`. */
export default function ({ data, parentElement, setTriggerValue }) {
  let cards = own.get(parentElement);
  if (!cards) {
    cards = document.createElement("div");
    cards.className = "cards";
    parentElement.append(cards);
    own.set(parentElement, cards);
  }
  if (cards.shown !== data.name) {
    cards.shown = data.name;
    cards.replaceChildren(...data.series.flatMap(series));
  }
  cards.onclick = (event) => {
    const link = event.target.closest("a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    setTriggerValue("chosen", link.dataset.slug);
  };
  return () => own.delete(parentElement);
}

function series({ title, words, lessons }) {
  const list = element("ul", "");
  list.append(...lessons.map(card));
  return [element("h2", title), element("p", words), list];
}

function card({ slug, title, icon, about, picture }) {
  const item = element("li", "");
  const image = element("span", "");
  image.innerHTML = picture; // the project's own, with its words escaped
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

function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}
