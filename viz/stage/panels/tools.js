// The bar above the picture: search, rows that are counted, zoom, and all options behind "View".

import { count } from "../model/number_text.js";
import { fill, h, icon, refill } from "../elements/dom.js";
import { find, findNext } from "./finding.js";
import { SelectionChip } from "./selection_chip.js";

const SUPPORTS = ["auto", 0, 0.002, 0.005, 0.01, 0.02, 0.05];

/** Search, set of rows, fit, full screen, and the rest behind "View". */
export class Tools {
  constructor(stage) {
    this.stage = stage;
    this.search = h("input", {
      class: "wide",
      type: "search",
      placeholder: "Find feature, class, node",
      "aria-label": "Find a feature, a class or a node",
      "data-testid": "stage-search",
    });
    this.search.addEventListener("input", () => find(stage, this.search.value));
    this.search.addEventListener("keydown", (event) => event.key === "Enter" && findNext(stage));
    this.found = h("span", { class: "quiet", role: "status" });
    this.selection = new SelectionChip(stage);
    this.sets = h("div", { class: "segments", role: "group", "aria-label": "Rows that are counted" });
    this.menu = h("div", { class: "menu", hidden: true });
    this.menuButton = h(
      "button",
      { "aria-expanded": "false", "data-testid": "stage-view", onclick: () => this.toggleMenu() },
      "View ▾",
    );
    this.element = h(
      "div",
      { class: "tools", role: "toolbar", "aria-label": "Tools" },
      this.search,
      this.found,
      this.selection.element,
      stage.crumbs.element,
      h("span", { class: "space" }),
      this.sets,
      (this.plane = h(
        "button",
        {
          "data-testid": "stage-regions",
          hidden: true,
          title: "Show or hide the plane with the region of every leaf",
          onclick: () => stage.set({ plane: !stage.hasPlane }),
        },
        "Regions",
      )),
      h(
        "button",
        { class: "wide", title: "Zoom in (+)", "aria-label": "Zoom in", onclick: () => stage.zoom(1.5) },
        "+",
      ),
      h(
        "button",
        { class: "wide", title: "Zoom out (−)", "aria-label": "Zoom out", onclick: () => stage.zoom(1 / 1.5) },
        "−",
      ),
      h("button", { title: "Show the whole tree (0)", "data-testid": "stage-fit", onclick: () => stage.fit() }, "Fit"),
      (this.full = h(
        "button",
        { title: "Full screen", "aria-label": "Full screen", onclick: () => fullScreen(stage) },
        icon("full"),
      )),
      h("div", { class: "holder" }, this.menuButton, this.menu),
      (this.panel = h(
        "button",
        {
          "data-testid": "stage-panel",
          "aria-pressed": "true",
          title: "Show or hide the inspector",
          onclick: () => stage.set({ panel: !stage.state.panel }),
        },
        "Inspector",
      )),
    );
  }

  foundText(found) {
    const { tree, view } = this.stage;
    const hidden = [...found].filter((origin) => !view.visible.kept.has(tree.nodeOf.get(origin))).length;
    return `${found.size} found${hidden ? `, ${hidden} hidden` : ""}`;
  }

  toggleMenu(open = this.menu.hidden) {
    this.menu.hidden = !open;
    this.menuButton.setAttribute("aria-expanded", String(open));
    if (open) this.drawMenu();
  }

  show() {
    const { path, state } = this.stage;
    refill(
      this.sets,
      path.sets.length < 2
        ? []
        : path.sets.map((set, s) =>
            h(
              "button",
              {
                "aria-pressed": String(s === state.set),
                title: `Count the ${count(set.n)} ${set.name} rows`,
                onclick: () => this.stage.set({ set: s }),
              },
              set.name,
            ),
          ),
    );
    this.plane.hidden = path.nFeatures !== 2 || state.table;
    this.plane.setAttribute("aria-pressed", String(this.stage.hasPlane));
    this.panel.setAttribute("aria-pressed", String(state.panel));
    if (this.search.value !== state.query) this.search.value = state.query;
    this.selection.draw();
    this.found.textContent = state.found ? this.foundText(state.found) : "";
    if (!this.menu.hidden) this.drawMenu();
  }

  drawMenu() {
    const { stage } = this;
    const { state, path } = stage;
    const pick = (name, title, options) =>
      h(
        "fieldset",
        {},
        h("legend", {}, title),
        options.map(([value, text]) =>
          h(
            "label",
            {},
            h("input", {
              type: "radio",
              name: `${stage.id}-${name}`,
              ...(state[name] === value ? { checked: true } : {}),
              onchange: () => stage.set({ [name]: value }, true),
            }),
            text,
          ),
        ),
      );
    const tick = (name, text) =>
      h(
        "label",
        {},
        h("input", {
          type: "checkbox",
          ...(state[name] ? { checked: true } : {}),
          onchange: (event) => stage.set({ [name]: event.target.checked }, true),
        }),
        text,
      );
    const focused = this.menu.contains(stage.root.activeElement) ? stage.root.activeElement : null;
    const at = focused ? [...this.menu.querySelectorAll("input, select")].indexOf(focused) : -1;
    fill(
      this.menu,
      pick("layout", "Places of the nodes", [
        ["keep", "keep their place along the path"],
        ["compact", "close up"],
      ]),
      pick("edges", "Edges", [
        ["plain", "grey"],
        ["class", `coloured by ${path.target.nouns.group}`],
      ]),
      path.imageShape
        ? pick("globalScale", "Scale of the weights", [
            [false, "of each node"],
            [true, "one for all nodes and λ"],
          ])
        : null,
      path.imageShape || path.nFeatures > 2
        ? pick(
            "diverging",
            "Colours of the weights",
            Object.keys(path.palette.diverging.light).map((name) => [name, name]),
          )
        : null,
      h(
        "fieldset",
        {},
        h("legend", {}, "Show nodes with at least"),
        h(
          "select",
          {
            "aria-label": "Smallest share of rows that a node needs to be shown",
            onchange: (event) =>
              stage.set({ support: event.target.value === "auto" ? "auto" : Number(event.target.value) }, true),
          },
          SUPPORTS.map((share) =>
            h(
              "option",
              { value: share, ...(share === state.support ? { selected: true } : {}) },
              share === "auto"
                ? "1 % of the rows in large trees"
                : share
                  ? `${100 * share} % of the rows`
                  : "any number of rows",
            ),
          ),
        ),
      ),
      pick("levels", "Levels", [
        ["auto", "as many as are readable"],
        ["all", "all"],
      ]),
      pick("overview", "Overview of the whole tree", [
        ["auto", "for large trees"],
        [true, "always"],
        [false, "never"],
      ]),
      h(
        "fieldset",
        {},
        h("legend", {}, "Also"),
        tick("ghosts", "ghosts of pruned nodes"),
        tick("table", "table instead of the picture"),
        tick("projector", "larger type"),
      ),
      stage.linked.name && !stage.live
        ? pick("match", "The other trees move along to", [
            ["size", "as many leaves"],
            ["error", "the same error"],
            ["none", "nowhere"],
          ])
        : null,
      stage.live
        ? null
        : pick("theme", "Theme", [
            ["auto", "as the system"],
            ["light", "light"],
            ["dark", "dark"],
          ]),
    );
    if (at >= 0) this.menu.querySelectorAll("input, select")[at]?.focus();
  }
}

function fullScreen(stage) {
  if (document.fullscreenElement) document.exitFullscreen();
  else stage.element.requestFullscreen?.().catch(() => stage.say("This browser does not allow full screen here."));
}
