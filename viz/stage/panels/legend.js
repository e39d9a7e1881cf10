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
      ordered(path, colors, present).map((c) => {
        const name = path.target.groups[c];
        return h(
          "button",
          {
            class: present.has(c) ? null : "absent",
            "aria-pressed": String(state.chosenClass === c),
            title: `${name}: show only this ${path.target.nouns.group} in colour`,
            onclick: () => this.store.set({ chosenClass: this.store.state.chosenClass === c ? null : c }),
          },
          h("i", { style: `background:${colors.ofGroup(c)}` }),
          h("span", { dir: "auto" }, name),
        );
      }),
    );
  }
}

/** Groups as they are; where not all have a colour, those with one come first, then those that the tree predicts.
 * @param {Path} path @param {Colors} colors @param {Set<number>} present */
function ordered({ target, palette }, colors, present) {
  /** @param {number} c */
  const rank = (c) => (colors.groups[c] !== palette.other ? 0 : present.has(c) ? 1 : 2);
  return Array.from(target.groups.keys()).sort((a, b) => rank(a) - rank(b) || a - b);
}
