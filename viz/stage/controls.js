// What is around the picture: key figures, tools, classes, where one is, the slider and its buttons.

import { count, number, percent } from "./condition.js";
import { fill, h, icon, refill } from "./dom.js";

export const SPEEDS = [["0.5×", 1200], ["1×", 600], ["2×", 300], ["4×", 150]];
const SUPPORTS = ["auto", 0, 0.002, 0.005, 0.01, 0.02, 0.05];

/** Key figures of the tree on screen, one line. */
export class Figures {
  constructor() {
    this.element = h("dl", { class: "figures", "aria-label": "Key figures of this tree" });
    this.values = [];
  }

  load(path) {
    const unit = path.imageShape ? "Pixels" : "Features";
    const names = { train: "Training error", validation: "Validation error", test: "Test error" };
    const order = [...path.sets.keys()].sort((a, b) => b - a);
    const entries = order.map((s) => [names[path.sets[s].name] ?? "Error", `Share of the ${count(path.sets[s].n)} ${path.sets[s].name} rows that the tree gets wrong.`, (tree) => percent(tree.sizes(s).error)]);
    entries.push(
      ["Leaves", "Leaves left after removing dead branches and pure subtrees.", (tree) => count(tree.sizes(0).leaves)],
      ["Depth", "Most decisions on a way from the root to a leaf.", (tree) => count(tree.maxDepth)],
      [`${unit} / node`, `Mean number of ${unit.toLowerCase()} in a decision.`, (tree) => tree.sizes(0).perNode.toFixed(1)],
      ["Decisions / row", `Mean number of decisions on the way of a ${path.sets[0].name} row.`, (tree) => tree.sizes(0).steps.toFixed(1)],
      ["Products / row", `Mean number of multiplications to predict a ${path.sets[0].name} row.`, (tree) => count(Math.round(tree.sizes(0).products))]);
    this.values = entries.map(([, , value]) => [value, h("dd", {})]);
    fill(this.element, entries.map(([name, help], i) => h("div", { title: help }, h("dt", {}, name), this.values[i][1])));
  }

  show(tree) {
    for (const [value, element] of this.values) {
      const text = value(tree);
      if (element.textContent !== text) element.textContent = text;
    }
  }
}

/** Search, set of rows, fit, full screen, and the rest behind "View". */
export class Tools {
  constructor(stage) {
    this.stage = stage;
    this.search = h("input", { type: "search", placeholder: "Find feature, class, node", "aria-label": "Find a feature, a class or a node", "data-testid": "stage-search" });
    this.search.addEventListener("input", () => stage.find(this.search.value));
    this.search.addEventListener("keydown", (event) => event.key === "Enter" && stage.findNext());
    this.found = h("span", { class: "quiet", role: "status" });
    this.sets = h("div", { class: "segments", role: "group", "aria-label": "Rows that are counted" });
    this.menu = h("div", { class: "menu", hidden: true });
    this.menuButton = h("button", { "aria-expanded": "false", "data-testid": "stage-view", onclick: () => this.toggleMenu() }, "View ▾");
    this.element = h("div", { class: "tools", role: "toolbar", "aria-label": "Tools" },
      this.search, this.found, h("span", { class: "space" }), this.sets,
      h("button", { title: "Zoom in (+)", "aria-label": "Zoom in", onclick: () => stage.zoom(1.5) }, "+"),
      h("button", { title: "Zoom out (−)", "aria-label": "Zoom out", onclick: () => stage.zoom(1 / 1.5) }, "−"),
      h("button", { title: "Show the whole tree (0)", "data-testid": "stage-fit", onclick: () => stage.fit() }, "Fit"),
      this.full = h("button", { title: "Full screen", "aria-label": "Full screen", onclick: () => stage.fullScreen() }, icon("full")),
      h("div", { class: "holder" }, this.menuButton, this.menu),
      this.panel = h("button", { "data-testid": "stage-panel", "aria-pressed": "true", title: "Show or hide the inspector", onclick: () => stage.set({ panel: !stage.state.panel }) }, "Inspector"));
  }

  toggleMenu(open = this.menu.hidden) {
    this.menu.hidden = !open;
    this.menuButton.setAttribute("aria-expanded", String(open));
    if (open) this.drawMenu();
  }

  show() {
    const { path, state } = this.stage;
    refill(this.sets, path.sets.length < 2 ? [] : path.sets.map((set, s) => h("button", {
      "aria-pressed": String(s === state.set), title: `Count the ${count(set.n)} ${set.name} rows`, onclick: () => this.stage.set({ set: s }),
    }, set.name)));
    this.panel.setAttribute("aria-pressed", String(state.panel));
    this.found.textContent = state.found ? `${state.found.size} found` : "";
    if (!this.menu.hidden) this.drawMenu();
  }

  drawMenu() {
    const { stage } = this;
    const { state, path } = stage;
    const pick = (name, title, options) => h("fieldset", {}, h("legend", {}, title), options.map(([value, text]) => h("label", {},
      h("input", { type: "radio", name: `${stage.id}-${name}`, ...(state[name] === value ? { checked: true } : {}), onchange: () => stage.set({ [name]: value }, true) }), text)));
    const tick = (name, text) => h("label", {}, h("input", { type: "checkbox", ...(state[name] ? { checked: true } : {}), onchange: (event) => stage.set({ [name]: event.target.checked }, true) }), text);
    const focused = this.menu.contains(stage.root.activeElement) ? stage.root.activeElement : null;
    const at = focused ? [...this.menu.querySelectorAll("input, select")].indexOf(focused) : -1;
    fill(this.menu,
      pick("layout", "Places of the nodes", [["keep", "keep their place along the path"], ["compact", "close up"]]),
      pick("edges", "Edges", [["plain", "grey"], ["class", "coloured by class"]]),
      path.imageShape ? pick("globalScale", "Scale of the weights", [[false, "of each node"], [true, "one for all nodes and λ"]]) : null,
      path.imageShape || path.nFeatures > 2 ? pick("diverging", "Colours of the weights", Object.keys(path.palette.diverging.light).map((name) => [name, name])) : null,
      h("fieldset", {}, h("legend", {}, "Show nodes with at least"),
        h("select", { "aria-label": "Smallest share of rows that a node needs to be shown", onchange: (event) => stage.set({ support: event.target.value === "auto" ? "auto" : Number(event.target.value) }, true) },
          SUPPORTS.map((share) => h("option", { value: share, ...(share === state.support ? { selected: true } : {}) },
            share === "auto" ? "1 % of the rows in large trees" : share ? `${100 * share} % of the rows` : "any number of rows")))),
      pick("levels", "Levels", [["auto", "as many as are readable"], ["all", "all"]]),
      pick("overview", "Overview of the whole tree", [["auto", "for large trees"], [true, "always"], [false, "never"]]),
      h("fieldset", {}, h("legend", {}, "Also"), tick("ghosts", "ghosts of pruned nodes"),
        tick("table", "table instead of the picture"), tick("projector", "larger type")),
      stage.live ? null : pick("theme", "Theme", [["auto", "as the system"], ["light", "light"], ["dark", "dark"]]));
    if (at >= 0) this.menu.querySelectorAll("input, select")[at]?.focus();
  }
}

/** Play, step, the slider, lambda in words, and the recommended trees. */
export class Transport {
  constructor(stage) {
    this.stage = stage;
    this.slider = h("input", { type: "range", min: 0, max: 0, step: 1, value: 0, "data-testid": "stage-slider", "aria-label": "λ: strength of the penalty on weights; left large trees, right small ones" });
    this.slider.addEventListener("input", () => stage.go(Number(this.slider.value), false));
    this.slider.addEventListener("change", () => stage.settle());
    this.play = h("button", { class: "play", "data-testid": "stage-play", onclick: () => stage.play(!stage.playing) }, icon("play"));
    this.speed = h("select", { "aria-label": "Speed", title: "Speed", onchange: () => stage.setSpeed(Number(this.speed.value)) }, SPEEDS.map(([text, wait]) => h("option", { value: wait, ...(wait === 600 ? { selected: true } : {}) }, text)));
    this.value = h("output", { class: "lambda" });
    this.jumps = h("span", { class: "jumps" });
    this.track = h("div", { class: "track" }, this.slider);
    this.buttons = h("div", { class: "transport" },
      h("button", { "aria-label": "Previous λ", title: "Previous λ", onclick: () => stage.go(stage.state.k - 1) }, icon("previous")), this.play,
      h("button", { "aria-label": "Next λ", title: "Next λ", onclick: () => stage.go(stage.state.k + 1) }, icon("next")), this.speed, this.value, h("span", { class: "space" }), this.jumps);
  }

  load(path) {
    this.slider.max = String(path.trees.length - 1);
    const single = path.trees.length < 2;
    this.slider.disabled = single;
    for (const button of this.buttons.querySelectorAll("button, select")) button.disabled = single;
    const { one_se: simple, min: best } = path.recommended;
    const jump = (text, index, help, test) => h("button", { title: `${help} (λ = ${number(path.lams[index])}, ${path.trees[index].sizes(0).leaves} leaves)`, "data-testid": test, onclick: () => this.stage.go(index) }, text);
    fill(this.jumps, simple === undefined ? null : jump("Simplest good tree", simple, "The largest λ whose validation error is within one standard error of the best", "stage-one-se"),
      best === undefined ? null : jump("Best tree", best, "The tree with the smallest validation error", "stage-min"));
  }

  show(k) {
    const { path, playing } = this.stage;
    if (this.slider.value !== String(k)) this.slider.value = String(k);
    const text = `λ = ${number(path.lams[k])}`;
    this.value.textContent = path.trees.length > 1 ? `${text}  ·  tree ${k + 1} of ${path.trees.length}` : text;
    this.slider.setAttribute("aria-valuetext", `${text}, ${path.trees[k].sizes(0).leaves} leaves`);
    const action = playing ? "Pause" : "Play the path";
    if (this.play.title !== action) {
      fill(this.play, icon(playing ? "pause" : "play"));
      this.play.title = action;
      this.play.setAttribute("aria-label", action);
    }
  }
}

/** Class names with their colours; a click leaves only one class in colour. */
export class Legend {
  constructor(stage) {
    this.stage = stage;
    this.element = h("div", { class: "legend", role: "group", "aria-label": "Classes" });
  }

  draw() {
    const { path, state, colors, tree } = this.stage;
    const present = new Set(tree.label);
    const key = `${path.title} ${colors.key} ${[...present].sort().join()}`;
    if (key === this.key) return;
    this.key = key;
    const focused = [...this.element.children].indexOf(this.stage.root.activeElement);
    fill(this.element, path.classes.map((name, c) => h("button", {
      class: present.has(c) ? null : "absent", "aria-pressed": String(state.chosenClass === c), title: `${name}: show only this class in colour`,
      onclick: () => this.stage.set({ chosenClass: this.stage.state.chosenClass === c ? null : c }),
    }, h("i", { style: `background:${colors.ofClass(c)}` }), h("span", { dir: "auto" }, name))));
    if (focused >= 0) this.element.children[focused]?.focus();
  }
}

/** Which part of the tree is shown, and the way back to all of it. */
export class Crumbs {
  constructor(stage) {
    this.stage = stage;
    this.element = h("div", { class: "crumbs", hidden: true });
  }

  draw() {
    const { stage } = this;
    const { state, tree, view } = stage;
    const parts = [];
    if (tree.nodeOf.get(state.focus)) {
      parts.push(h("button", { class: "link", onclick: () => stage.set({ focus: null }, true) }, "whole tree"), " › ", `node ${state.focus} and below`);
    }
    if (view.visible.hidden > 0) {
      const why = stage.support ? ` (below ${100 * stage.support} % of the rows${stage.levels < Infinity ? ", or deeper" : ""})` : state.collapsed.size ? " (closed)" : "";
      parts.push(h("span", { class: "hidden-nodes", "data-testid": "stage-hidden" }, `${count(view.visible.hidden)} nodes hidden${why}`),
        h("button", { class: "link", onclick: () => stage.set({ support: 0, levels: "all", collapsed: new Set() }, true) }, "show all"));
    }
    fill(this.element, parts);
    this.element.hidden = parts.length === 0;
  }
}
