// Groups of the target and their colours.

import { h, refill } from "../elements/dom.js";
import { number } from "../model/number_text.js";

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
    this.element.classList.toggle("ordered", path.target.edges !== null);
    refill(this.element, [
      ...rampParts(path.target),
      ...ordered(path, colors, present).map((c) => {
        const name = path.target.groups[c];
        return h(
          "button",
          {
            class: present.has(c) || path.target.edges !== null ? null : "absent",
            "aria-pressed": String(state.chosenClass === c),
            title: `${name}: show only this ${path.target.nouns.group} in colour`,
            onclick: () => this.store.set({ chosenClass: this.store.state.chosenClass === c ? null : c }),
          },
          h("i", { style: `background:${colors.ofGroup(c)}` }),
          h("span", { dir: "auto" }, path.target.edges === null ? name : tickOf(path.target, c)),
        );
      }),
      ...rampEnd(path.target),
    ]);
  }
}

/** What a ramp of colours is of. @param {Target} target */
function rampParts({ edges, name, measure }) {
  if (edges === null) return [];
  const unit = measure.unit && measure.unit !== name ? ` (${measure.unit})` : "";
  return [h("b", {}, `${name || "value"}${unit}`)];
}

/** Right of the ramp: its end, and what it does not tell apart. @param {Target} target */
function rampEnd({ edges, tails }) {
  if (edges === null) return [];
  const end = h("span", { class: "end" }, tails ? "≥" : number(edges[edges.length - 1], 6));
  return tails
    ? [end, h("span", { class: "quiet" }, "a few rows are beyond: they have the colours of the ends")]
    : [end];
}

/** The lower end of a range, below its left border. @param {Target} target @param {number} c */
function tickOf({ edges, tails }, c) {
  return edges === null ? "" : tails && c === 0 ? "≤" : number(edges[c], 6);
}

/** Groups as they are; where not all have a colour, those with one come first, then those that the tree predicts.
 * @param {Path} path @param {Colors} colors @param {Set<number>} present */
function ordered({ target, palette }, colors, present) {
  /** @param {number} c */
  const rank = (c) => (colors.groups[c] !== palette.other ? 0 : present.has(c) ? 1 : 2);
  return Array.from(target.groups.keys()).sort((a, b) => rank(a) - rank(b) || a - b);
}
