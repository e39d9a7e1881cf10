// Groups of the target with their colours, and the meaning of node colours.

import { h, refill } from "../elements/dom.js";
import { capital, percent } from "../model/number_text.js";

const SURE = [0.4, 0.6, 0.8, 1]; // confidences whose colours are shown
const WRONG = [0, 0.05, 0.2, 1];

/** Names of the groups with their colours. A click on a group shows only this group in colour. */
export class Legend {
  /** @param {Store} store */
  constructor(store) {
    this.store = store;
    this.key = "";
    this.element = h("div", { class: "legend", role: "group" });
  }

  draw() {
    const { path, state, colors, tree } = this.store;
    const present = tree.visibleGroups();
    const shade = path.target.edges === null ? state.shade : "class";
    const crosses =
      state.inLesson && this.store.hasPlane && !state.isBare ? path.target.missed(!state.isGuessing) : null;
    const name = capital(path.target.nouns.groups) + (state.title ? ` of ${state.title}` : "");
    const key = `${name} ${path.title} ${colors.key} ${shade} ${[...present].sort().join()} ${crosses}`;
    if (key === this.key) return;
    this.key = key;
    this.element.setAttribute("aria-label", name);
    this.element.classList.toggle("ordered", path.target.edges !== null);
    const buttons = orderGroups(path, colors, present).map((c) => this.button(c, present));
    const explanation = tree.n > 1 || shade !== "class" ? nodesKey(path, colors, shade) : null;
    const ownColors = path.target.edges === null ? buttons : ramp(path.target, buttons);
    const title = path.target.edges === null && path.target.name ? h("b", { dir: "auto" }, path.target.name) : null;
    const crossKey = crosses && h("span", { class: "cross-key" }, h("b", {}, "×"), crosses);
    refill(this.element, title, ownColors, crossKey, path.target.edges === null ? explanation : null);
  }

  /**
   * Return the button of one group. A click shows only this group in colour.
   * @param {number} c @param {Set<number>} present
   */
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

const ROOM = 420; // minimum width of a colour scale in pixels
const LETTER = 7;
const STEP = 38; // width of a range in pixels, if there is space

/**
 * Return a colour scale with its title, its ranges, and a note about values outside.
 * @param {Target} target @param {HTMLElement[]} buttons
 */
function ramp(target, buttons) {
  const { name, measure, tails, n } = target;
  const unit = measure.unit && measure.unit !== name ? ` (${measure.unit})` : "";
  return [
    h("b", {}, `${name || "value"}${unit}`),
    h(
      "div",
      { class: "steps", style: `width:calc(${STEP * n}px * (0.3 + 0.7 * var(--type)))` },
      buttons,
      h("span", { class: "end" }, tickOf(target, n)),
    ),
    tails ? h("span", { class: "quiet" }, "Rows outside this range have the colour of the nearer end") : null,
  ];
}

/**
 * Return the label below the left border of a range. If there are many ranges, only every second, third, ... has a
 * label.
 * @param {Target} target @param {number} c
 */
function tickOf({ ticks, tails, n }, c) {
  const texts = ticks ?? [];
  if (tails && (c === 0 || c === n)) return c ? "≥" : "≤";
  if (tails && c === n - 1) return "";
  const every = Math.ceil((Math.max(...texts.map((text) => text.length)) * LETTER * n) / ROOM);
  return (c === n ? n % every === 0 : c % every === 0) ? texts[c] : "";
}

/** Return the explanation of node colours. @param {Path} path @param {Colors} colors @param {string} shade */
function nodesKey({ target, imageShape }, colors, shade) {
  /** @param {string} color @param {string} [text] */
  const swatch = (color, text) => [h("i", { style: `background:${color}` }), text];
  const { group } = target.nouns;
  const [says, help, ...swatches] =
    shade === "errors"
      ? [
          "wrong:",
          "Colour of leaves, and of the strips on decision nodes: share of rows that the tree misclassifies",
          ...WRONG.map((share) => swatch(colors.ofErrors(share), percent(share, 0))),
        ]
      : shade === "confidence"
        ? [
            `share of its ${group}:`,
            `Share of the rows in a node that have its majority ${group} (paler: smaller share), for leaves and the strips on decision nodes`,
            ...SURE.map((share) => swatch(colors.ofConfidence(colors.theme.text, share), percent(share, 0))),
          ]
        : imageShape
          ? [`bar below an image: rows by ${group}`, `Each bar below a decision node shows its rows by ${group}`]
          : [
              `grey: condition true, goes right · strip: majority ${group}`,
              `The condition of a node is true in the grey part of its plot, and these rows go to the right branch. If small values go right, arrows at the ends of the axis show it. Each strip on a decision node has the colour of the ${group} that at least half of its rows have`,
            ];
  return h(
    "span",
    { class: "nodes-key", title: help, "data-testid": "stage-nodes-key" },
    h("span", {}, says),
    swatches.map((parts) => h("span", { class: "color" }, parts)),
  );
}

/**
 * Return the groups in display order. If only some have a colour, these come first, then the groups that the tree
 * predicts.
 * @param {Path} path @param {Colors} colors @param {Set<number>} present
 */
function orderGroups({ target, palette }, colors, present) {
  /** @param {number} c */
  const rank = (c) => (colors.groups[c] !== palette.other ? 0 : present.has(c) ? 1 : 2);
  return Array.from(target.groups.keys()).sort((a, b) => rank(a) - rank(b) || a - b);
}
