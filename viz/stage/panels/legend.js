// Groups of the target and their colours.

import { h, refill } from "../elements/dom.js";

/** Names of the groups with their colours; a click leaves only one of them in colour. */
export class Legend {
  /** @param {Store} store */
  constructor(store) {
    this.store = store;
    this.key = "";
    this.element = h("div", { class: "legend", role: "group" });
  }

  draw() {
    const { path, state, colors, tree } = this.store;
    const present = new Set(tree.label);
    const key = `${path.title} ${colors.key} ${[...present].sort().join()}`;
    if (key === this.key) return;
    this.key = key;
    const { groups } = path.target.nouns;
    this.element.setAttribute("aria-label", groups[0].toUpperCase() + groups.slice(1));
    refill(
      this.element,
      path.target.groups.map((name, c) =>
        h(
          "button",
          {
            class: present.has(c) ? null : "absent",
            "aria-pressed": String(state.chosenClass === c),
            title: `${name}: show only this ${path.target.nouns.group} in colour`,
            onclick: () => this.store.set({ chosenClass: this.store.state.chosenClass === c ? null : c }),
          },
          h("i", { style: `background:${colors.ofGroup(c)}` }),
          h("span", { dir: "auto" }, name),
        ),
      ),
    );
  }
}
