// The pinned tree next to the tree of the slider, on two linked stages, and the differences in words.

import { changeWords } from "../panels/change_words.js";
import { errorTexts, placeText } from "../model/grid.js";
import { counted } from "../model/number_text.js";
import { fill, h } from "../elements/dom.js";
import { present } from "./presentation.js";

const HINT = "Point at a node to see its rows in the other tree";

/** Fields that the second stage takes from the first. @type {(keyof StageState)[]} */
const SHARED = ["edges", "shade", "globalScale", "diverging", "ghosts", "projector", "isStill"];

/** The pinned tree of a stage. `makeStage(host, live)` creates the second stage. */
export class PinnedTree {
  /** @param {Stage} stage @param {(host: HTMLElement, live: Live) => Stage} makeStage */
  constructor(stage, makeStage) {
    this.stage = stage;
    this.makeStage = makeStage;
    /** @type {Stage | null} */
    this.second = null;
    this.place = h("section", { class: "pinned", hidden: true, "data-testid": "stage-pinned" });
    this.title = h("p", { class: "now-title", dir: "auto", hidden: true });
    this.list = h("ul", { class: "change-words", hidden: true, "data-testid": "stage-change-words" });
  }

  /** Name of the group of both stages, or null without a second stage. */
  get link() {
    return this.stage.store.isPaired ? `${this.stage.id}-pinned` : null;
  }

  /** Show or remove the second stage according to the state. */
  show() {
    const { store } = this.stage;
    const { path, pinned } = store.state;
    const isPaired = store.isPaired && pinned !== null;
    if (!isPaired) return this.close();
    const second = (this.second ??= this.open());
    if (second.path !== path || second.state.k !== pinned) {
      second.open(path, { tree: pinned });
      second.set({ set: store.state.set });
    }
    second.set(Object.fromEntries(SHARED.map((name) => [name, store.state[name]])));
    second.retheme();
    return undefined;
  }

  /** Update the titles and the sentences. */
  draw() {
    const { store } = this.stage;
    const { pinned } = store;
    if (!this.second || !pinned) return;
    this.second.heading.textContent = this.second.heading.title = `Pinned: ${treeText(store, pinned)}`;
    this.title.textContent = this.title.title = `Now: ${treeText(store, store.tree)}`;
    const words =
      pinned === store.tree
        ? [{ text: "This is the pinned tree. Move the slider to compare it with another one.", origin: null }]
        : changeWords(store, pinned);
    const key = words.map(({ text }) => text).join("\n");
    if (this.list.dataset.key === key) return;
    this.list.dataset.key = key;
    fill(
      this.list,
      words.map(({ text, origin }) =>
        h(
          "li",
          { dir: "auto" },
          origin === null ? h("b", {}, text) : h("button", { class: "link", onclick: () => this.select(origin) }, text),
        ),
      ),
    );
  }

  /** Select a node in the tree that has it, preferably in the current one. @param {number} origin */
  select(origin) {
    const owner = this.stage.tree.nodeOf.has(origin) ? this.stage : this.second;
    owner?.showNode(origin);
  }

  open() {
    const { stage, place, title, list } = this;
    place.hidden = title.hidden = list.hidden = false;
    const second = this.makeStage(place, { send() {}, theme: () => stage.state.scheme });
    const { tools, figures, transport, legends, headline, inspector } = second;
    for (const part of [tools, figures, headline, inspector]) part.element.remove();
    for (const part of [transport.track, transport.buttons, legends]) part.remove();
    const unpin = h(
      "button",
      { class: "small", "data-testid": "stage-unpin-tree", onclick: () => stage.set({ pinned: null }) },
      "Unpin",
    );
    second.heading.after(unpin);
    present(second, {
      title: "Pinned tree",
      compact: true,
      alone: true,
      link: this.link,
      hide: ["inspector", "plane"],
    });
    stage.linked.options(this.link, stage.state.match);
    stage.summary.hint = second.summary.hint = HINT;
    stage.element.classList.add("paired");
    return second;
  }

  close() {
    if (!this.second) return;
    const { stage } = this;
    const hadFocus = this.place.matches(":focus-within");
    this.second.dispose();
    this.second = null;
    fill(this.place);
    this.place.hidden = this.title.hidden = this.list.hidden = true;
    delete this.list.dataset.key;
    stage.linked.options(stage.state.link, stage.state.match);
    stage.set({ guest: null });
    stage.element.classList.remove("paired");
    if (hadFocus) stage.tools.focusPin();
  }
}

/** Return a tree of a path in words: its leaves, error and λ. @param {Store} store @param {StageTree} tree */
function treeText({ path }, tree) {
  const [error] = errorTexts(path, tree.index).slice(-1);
  return `${counted(tree.sizes(0).leaves, "leaf")}, ${error}, ${placeText(path, tree.index)}`;
}
