// Toolbar above the tree: search, displayed set, zoom, and all options in the menu "View".

import { fill, focusedBeside, h, icon, refill } from "../elements/dom.js";
import { capital, count, counted, percent, setWord } from "../model/number_text.js";
import { find, findNext } from "../model/search.js";
import { clearSelection, selectionText } from "../model/selection.js";

/** @type {StageState["support"][]} */
const SUPPORTS = ["auto", 0, 0.002, 0.005, 0.01, 0.02, 0.05];

/**
 * Search, displayed set, fit, full screen, and the menu "View". `crumbs`: element of the crumbs. `on`: {zoom(factor),
 * fit(), fullScreen(), reveal(node), showSelected()}. `id`: id of the stage.
 */
export class Tools {
  /**
   * @param {Store} store @param {string} id @param {HTMLElement} crumbs
   * @param {{zoom(factor: number): void, fit(): void, fullScreen(): void, reveal(node: number): void, showSelected(): void}} on
   */
  constructor(store, id, crumbs, on) {
    this.store = store;
    this.id = id;
    this.search = h("input", {
      class: "wide",
      type: "search",
      placeholder: "Search features, classes, nodes",
      "aria-label": "Search features, classes and nodes",
      "data-testid": "stage-search",
    });
    this.search.addEventListener("input", () => find(store, this.search.value));
    this.search.addEventListener("keydown", (event) => {
      const next = event.key === "Enter" ? findNext(store) : null;
      if (next !== null) on.reveal(next);
    });
    this.found = h("span", { class: "quiet", role: "status" });
    this.selection = new Chip("stage-selection", "Show the selected rows as a table", on.showSelected, {
      title: "Clear the selection (Esc)",
      act: () => clearSelection(store),
    });
    this.leafChip = new Chip("stage-leaves", "Edit the leaf filter", () => this.toggleMenu(true), {
      title: "Clear the leaf filter",
      act: () => store.set({ leafFilter: null }),
    });
    this.sets = h("div", { class: "segments", role: "group", "aria-label": "Rows counted" });
    this.leaves = new LeafFilter(store);
    this.options = h("div");
    this.menu = h("div", { class: "menu", hidden: true }, this.leaves.element, this.options);
    this.menuButton = h(
      "button",
      { "aria-expanded": "false", "data-testid": "stage-view", onclick: () => this.toggleMenu() },
      "View ▾",
    );
    this.holder = h("div", { class: "holder" }, this.menuButton, this.menu);
    this.element = h(
      "div",
      { class: "tools", role: "toolbar", "aria-label": "Tools" },
      this.search,
      this.found,
      this.selection.element,
      this.leafChip.element,
      crumbs,
      h("span", { class: "space" }),
      this.sets,
      (this.plane = h(
        "button",
        {
          "data-testid": "stage-regions",
          hidden: true,
          title: "Show or hide the regions of the leaves",
          onclick: () => store.set({ plane: !store.hasPlane }),
        },
        "Regions",
      )),
      h("button", { class: "wide", title: "Zoom in (+)", "aria-label": "Zoom in", onclick: () => on.zoom(1.5) }, "+"),
      h(
        "button",
        { class: "wide", title: "Zoom out (−)", "aria-label": "Zoom out", onclick: () => on.zoom(1 / 1.5) },
        "−",
      ),
      h(
        "button",
        { title: "Fit the tree to the view (0)", "data-testid": "stage-fit", onclick: () => on.fit() },
        "Fit to view",
      ),
      (this.full = h(
        "button",
        { title: "Full screen", "aria-label": "Full screen", onclick: () => on.fullScreen() },
        icon("full"),
      )),
      this.holder,
      (this.pin = h(
        "button",
        {
          "data-testid": "stage-pin-tree",
          title: "Keep this tree in view, and compare it with the tree at the slider",
          onclick: () => store.set({ pinned: store.state.pinned === null ? store.state.k : null }),
        },
        "Compare trees",
      )),
      (this.details = h(
        "button",
        {
          "data-testid": "stage-details",
          title: "Show or hide further tools, metrics and curves",
          onclick: () => store.set({ simple: !store.state.simple }),
        },
        "Details",
      )),
      (this.panel = h(
        "button",
        {
          "data-testid": "stage-panel",
          "aria-pressed": "true",
          title: "Show or hide the inspector",
          onclick: () => store.set({ panel: !store.state.panel }),
        },
        "Inspector",
      )),
    );
  }

  /** @param {Set<number>} found */
  foundText(found) {
    const { tree, visible } = this.store;
    const hidden = [...found].filter((origin) => !visible.kept.has(tree.nodeOf.get(origin) ?? -1)).length;
    return `${count(found.size)} found${hidden ? `, ${count(hidden)} hidden` : ""}`;
  }

  toggleMenu(open = this.menu.hidden) {
    this.menu.hidden = !open;
    this.menuButton.setAttribute("aria-expanded", String(open));
    if (open) this.drawMenu();
  }

  get isOpen() {
    return !this.menu.hidden;
  }

  /** Close the menu, and return the focus to the menu button. */
  close() {
    this.toggleMenu(false);
    this.menuButton.focus();
  }

  /** Handle a pointer press anywhere on the stage. @param {PointerEvent} event */
  pressed(event) {
    if (this.isOpen && !event.composedPath().includes(this.holder)) this.toggleMenu(false);
  }

  focusPin() {
    this.pin.focus({ preventScroll: true });
  }

  focus() {
    (this.store.state.compact || this.store.isSimple ? this.menuButton : this.search).focus({ preventScroll: true });
  }

  show() {
    const { path, state } = this.store;
    refill(
      this.sets,
      path.sets.length < 2
        ? []
        : path.sets.map((set, s) =>
            h(
              "button",
              {
                "aria-pressed": String(s === state.set),
                title: `Count the ${count(set.n)} ${setWord(set)} rows`,
                onclick: () => this.store.set({ set: s }),
              },
              setWord(set),
            ),
          ),
    );
    this.plane.hidden = path.nFeatures !== 2 || state.table;
    this.plane.setAttribute("aria-pressed", String(this.store.hasPlane));
    this.panel.setAttribute("aria-pressed", String(state.panel));
    this.details.setAttribute("aria-pressed", String(!state.simple));
    this.pin.hidden = path.trees.length < 2 || state.table;
    this.pin.setAttribute("aria-pressed", String(state.pinned !== null));
    this.search.placeholder = `Search features, ${path.target.nouns.groups}, nodes`;
    if (this.search.value !== state.query) this.search.value = state.query;
    const { selection, set } = state;
    this.selection.show(selection && selectionText(selection, set));
    this.leafChip.show(state.leafFilter && leavesText(this.store));
    this.found.textContent = state.found ? this.foundText(state.found) : "";
    if (!this.menu.hidden) this.drawMenu();
  }

  drawMenu() {
    const { store } = this;
    const { state, path } = store;
    /**
     * @param {keyof StageState} name @param {string} title @param {[StageState[keyof StageState], string][]} options
     */
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
              name: `${this.id}-${name}`,
              checked: state[name] === value,
              onchange: () => store.set({ [name]: value }),
            }),
            text,
          ),
        ),
      );
    /** @param {keyof StageState} name @param {string} text */
    const tick = (name, text) =>
      h(
        "label",
        {},
        h("input", {
          type: "checkbox",
          checked: state[name],
          onchange: () => store.set({ [name]: !store.state[name] }),
        }),
        text,
      );
    const active = focusedBeside(this.menu);
    const focused = this.options.contains(active) ? active : null;
    const at = focused ? [...this.options.querySelectorAll("input, select")].indexOf(focused) : -1;
    this.leaves.show();
    fill(
      this.options,
      pick("layout", "Layout", [
        ["auto", "Compact when idle"],
        ["compact", "Always compact"],
        ["keep", "Fixed along the path"],
      ]),
      pick("edges", "Branch colour", [
        ["plain", "Grey"],
        ["class", path.target.edges === null ? "As the nodes" : `By ${path.target.nouns.group}`],
      ]),
      path.target.edges === null
        ? pick("shade", "Node colour", [
            ["class", capital(path.target.nouns.group)],
            ["confidence", "Confidence"],
            ["errors", "Errors"],
          ])
        : null,
      path.imageShape
        ? pick("globalScale", "Weight scale", [
            [false, "Per node"],
            [true, "Same for all nodes and all λ"],
          ])
        : null,
      path.imageShape || path.nFeatures > 2
        ? pick(
            "diverging",
            "Weight colours",
            Object.keys(path.palette.diverging.light).map((name) => [name, capital(name)]),
          )
        : null,
      h(
        "fieldset",
        {},
        h("legend", {}, "Minimum node size"),
        h(
          "select",
          {
            "aria-label": "Smallest share of rows for which a node is shown",
            onchange: (/** @type {Event & {target: HTMLSelectElement}} */ { target }) =>
              store.set({ support: target.value === "auto" ? "auto" : Number(target.value) }),
          },
          SUPPORTS.map((share) =>
            h(
              "option",
              { value: share, selected: share === state.support },
              share === "auto"
                ? "1 % of the rows (large trees)"
                : share
                  ? `${100 * share} % of the rows`
                  : "No minimum",
            ),
          ),
        ),
      ),
      pick("levels", "Depth shown", [
        ["auto", "Readable levels only"],
        ["all", "All levels"],
      ]),
      pick("overview", "Overview", [
        ["auto", "Large trees only"],
        ["icicle", "Always, as icicle"],
        ["sunburst", "Always, as sunburst"],
        [null, "Never"],
      ]),
      h(
        "fieldset",
        {},
        h("legend", {}, "Display"),
        tick("ghosts", "Show pruned nodes"),
        tick("table", "Show as table"),
        tick("projector", "Larger type"),
      ),
      state.link !== null && !state.isLive
        ? pick("match", "Linked trees follow by", [
            ["size", "Number of leaves"],
            ["error", "Error"],
            ["none", "Not linked"],
          ])
        : null,
      state.isLive
        ? null
        : pick("theme", "Theme", [
            ["auto", "System"],
            ["light", "Light"],
            ["dark", "Dark"],
          ]),
    );
    if (at >= 0) /** @type {HTMLElement} */ (this.options.querySelectorAll("input, select")[at])?.focus();
  }
}

/** Short label for a state that lasts until the user clears it. */
class Chip {
  /**
   * @param {string} testid @param {string} title
   * @param {() => void} act called by a click on the label
   * @param {{title: string, act: () => void}} clear
   */
  constructor(testid, title, act, clear) {
    this.text = h("button", { class: "text", title, onclick: act });
    this.element = h(
      "span",
      { class: "chip", hidden: true, "data-testid": testid },
      this.text,
      h("button", { title: clear.title, "aria-label": clear.title.replace(" (Esc)", ""), onclick: clear.act }, "✕"),
    );
  }

  /** @param {string | null} text */
  show(text) {
    this.element.hidden = text === null;
    this.text.textContent = text;
  }
}

/** Input fields for the minimum number of rows and the confidence, with the number of matching leaves. */
export class LeafFilter {
  /** @param {Store} store */
  constructor(store) {
    this.store = store;
    const change = () => this.change();
    /** @param {string} label @param {number} [most] */
    const number = (label, most) =>
      h("input", { type: "number", min: 0, max: most, step: "any", "aria-label": label, oninput: change });
    this.rows = number("Minimum rows per leaf");
    this.relation = h(
      "select",
      { "aria-label": "Compare the confidence", onchange: change },
      h("option", { value: "least" }, "at least"),
      h("option", { value: "most" }, "at most"),
    );
    this.share = number("Confidence in percent: share of the rows of a leaf that have its class", 100);
    this.status = h("p", { class: "quiet", role: "status", "data-testid": "stage-leaves-status" });
    this.confidence = h("div", {}, this.relation, " ", this.share, " % confidence");
    this.element = h(
      "fieldset",
      { class: "leaf-filter", "data-testid": "stage-leaf-filter" },
      h("legend", {}, "Leaf filter"),
      h("div", {}, "at least ", this.rows, " rows"),
      this.confidence,
      this.status,
    );
  }

  change() {
    const [rows, share] = [this.rows, this.share].map(({ value }) =>
      value === "" ? null : Math.max(0, Number(value)),
    );
    /** @type {LeafFilterState} */
    const leafFilter = {
      rows: rows ?? 0,
      relation: share === null ? "any" : this.relation.value === "most" ? "most" : "least",
      share: Math.min(1, (share ?? 0) / 100),
    };
    this.store.set({ leafFilter: rows === null && share === null ? null : leafFilter });
    this.showCount();
  }

  /** Show the current filter, without changing the focused field. */
  show() {
    const { leafFilter, path } = this.store.state;
    this.confidence.hidden = path.target.edges !== null;
    if (!this.element.contains(focusedBeside(this.element)) || !leafFilter) {
      this.rows.value = leafFilter?.rows ? String(leafFilter.rows) : "";
      this.share.value = leafFilter && leafFilter.relation !== "any" ? String(100 * leafFilter.share) : "";
      if (leafFilter && leafFilter.relation !== "any") this.relation.value = leafFilter.relation;
    }
    this.showCount();
  }

  showCount() {
    const text = this.store.state.leafFilter ? `${leavesText(this.store)}${largestText(this.store)}` : "";
    // Screen readers would announce unchanged text again.
    if (this.status.textContent !== text) this.status.textContent = text;
  }
}

/** Return the number of leaves that pass the filter as text, such as "3 of 17 leaves". @param {Store} store */
export function leavesText({ tree, filteredLeaves, visible }) {
  const found = filteredLeaves?.leaves ?? [];
  const hidden = found.filter((leaf) => !visible.kept.has(leaf)).length;
  const all = (tree.n + 1) / 2;
  return `${found.length ? count(found.length) : "none"} of ${counted(all, "leaf")}${hidden ? `, ${count(hidden)} hidden` : ""}`;
}

/** Describe the existing leaves if no leaf passes the filter. @param {Store} store */
function largestText({ tree, state, filteredLeaves }) {
  if (filteredLeaves?.leaves.length) return "";
  const { n, losses } = tree.figures(state.set);
  const leaves = Array.from(n.keys()).filter((node) => tree.isLeaf(node) && n[node]);
  const largest = Math.max(0, ...leaves.map((leaf) => n[leaf]));
  if (state.leafFilter?.relation === "any" || largest < Number(state.leafFilter?.rows))
    return `; the largest leaf has ${counted(largest, "row")}`;
  const shares = leaves.map((leaf) => 1 - losses[leaf] / n[leaf]);
  return `; confidence ranges from ${percent(Math.min(...shares), 0)} to ${percent(Math.max(...shares), 0)}`;
}
