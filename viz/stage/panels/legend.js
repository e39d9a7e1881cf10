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
    const { path, colors, tree } = this.store;
    const present = new Set(tree.label);
    const key = `${path.title} ${colors.key} ${[...present].sort().join()}`;
    if (key === this.key) return;
    this.key = key;
    const { groups } = path.target.nouns;
    this.element.setAttribute("aria-label", groups[0].toUpperCase() + groups.slice(1));
    this.element.classList.toggle("ordered", path.target.edges !== null);
    const buttons = ordered(path, colors, present).map((c) => this.button(c, present));
    refill(this.element, path.target.edges === null ? buttons : ramp(path.target, buttons));
  }

  /** One group: a click leaves only it in colour. @param {number} c @param {Set<number>} present */
  button(c, present) {
    const { path, state, colors } = this.store;
    const { target } = path;
    const name = target.groups[c];
    return h(
      "button",
      {
        class: present.has(c) || target.edges !== null ? null : "absent",
        "aria-pressed": String(state.chosenClass === c),
        title: `${name}: show only this ${target.nouns.group} in colour`,
        onclick: () => this.store.set({ chosenClass: this.store.state.chosenClass === c ? null : c }),
      },
      h("i", { style: `background:${colors.ofGroup(c)}` }),
      h("span", { dir: "auto" }, target.edges === null ? name : tickOf(target, c)),
    );
  }
}

const ROOM = 420; // pixels that a ramp has at least, in which its texts of so many pixels a letter are to stand
const LETTER = 7;

/**
 * A ramp of colours: what it is of, its ranges, and what it does not tell apart.
 * @param {Target} target @param {HTMLElement[]} buttons
 */
function ramp(target, buttons) {
  const { name, measure, tails, n } = target;
  const unit = measure.unit && measure.unit !== name ? ` (${measure.unit})` : "";
  return [
    h("b", {}, `${name || "value"}${unit}`),
    h("div", { class: "steps" }, buttons, h("span", { class: "end" }, tickOf(target, n))),
    tails ? h("span", { class: "quiet" }, "a few rows are beyond: they have the colours of the ends") : null,
  ];
}

/** What stands below the left border of a range; where there are many, below every second or third. @param {Target} target @param {number} c */
function tickOf({ ticks, tails, n }, c) {
  const texts = ticks ?? [];
  if (tails && (c === 0 || c === n)) return c ? "≥" : "≤";
  if (tails && c === n - 1) return "";
  const every = Math.ceil((Math.max(...texts.map((text) => text.length)) * LETTER * n) / ROOM);
  return (c === n ? n % every === 0 : c % every === 0) ? texts[c] : "";
}

/** Groups as they are; where not all have a colour, those with one come first, then those that the tree predicts.
 * @param {Path} path @param {Colors} colors @param {Set<number>} present */
function ordered({ target, palette }, colors, present) {
  /** @param {number} c */
  const rank = (c) => (colors.groups[c] !== palette.other ? 0 : present.has(c) ? 1 : 2);
  return Array.from(target.groups.keys()).sort((a, b) => rank(a) - rank(b) || a - b);
}
