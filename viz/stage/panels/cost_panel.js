// Bivariate cost C next to the path, as a slider below its map. If other values of C are not trained, the panel shows
// how long their training takes.

import { CostMap } from "../draw/cost_map.js";
import { fill, h } from "../elements/dom.js";
import { indexAt } from "../model/grid.js";
import { counted } from "../model/number_text.js";

const HELP =
  "Bivariate cost C: penalty for a split on two features, relative to 1 for one feature. Larger C gives fewer bivariate splits";

export class CostPanel {
  /**
   * `on.train()` is called when the user requests the trees of all C.
   * @param {Store} store
   * @param {{go(index: number, settled?: boolean, isMoving?: boolean): void, settle(): void, train(): void}} on
   */
  constructor(store, on) {
    this.store = store;
    this.map = new CostMap(store, on);
    this.choice = h("select", {
      "aria-label": "Metric of the map",
      onchange: () => {
        this.map.which = this.choice.selectedIndex;
        this.resize();
      },
    });
    this.scale = h("i", { "aria-hidden": "true" });
    this.low = h("span", {});
    this.high = h("span", {});
    this.slider = h("input", { type: "range", min: 0, max: 0, step: 1, value: 0, "data-testid": "stage-cost-slider" });
    this.slider.setAttribute("aria-label", HELP);
    this.slider.addEventListener("input", () => {
      const { path, cell } = store;
      if (path.grid) on.go(indexAt(path, Number(this.slider.value), cell.column), false, true);
      else this.show();
    });
    this.slider.addEventListener("change", () => {
      store.set({ isMoving: false });
      on.settle();
    });
    this.value = h("output", { title: HELP });
    this.price = h("span", { class: "quiet" });
    this.train = h("button", { "data-testid": "stage-train", onclick: () => on.train() }, "Train");
    this.ask = h("div", { class: "ask" }, this.price, this.train);
    this.head = h("div", { class: "scale" }, this.choice, this.low, this.scale, this.high);
    this.element = h(
      "div",
      { class: "costs", role: "group", "aria-label": "Bivariate cost C", hidden: true },
      ...[this.head, this.map.element, this.ask],
      h("div", { class: "track" }, this.value, this.slider),
    );
  }

  /** Load another path, or another offer from the page. */
  load() {
    const { path, state } = this.store;
    if (!path) return;
    const { grid } = path;
    const { offer } = state;
    this.element.hidden = grid === null && (offer === null || state.recording !== null);
    this.element.classList.toggle("untrained", grid === null);
    this.head.hidden = this.map.element.hidden = grid === null;
    this.ask.hidden = grid !== null;
    if (grid) {
      this.map.which = Math.min(this.map.which, grid.maps.length - 1);
      if (this.choice.children.length !== grid.maps.length)
        fill(
          this.choice,
          grid.maps.map(({ title }, i) => h("option", { selected: i === this.map.which }, title)),
        );
      this.slider.max = String(grid.costs.length - 1);
      this.slider.disabled = grid.costs.length < 2;
    } else if (offer) {
      this.slider.max = String(offer.costs.length - 1);
      this.slider.disabled = offer.isBusy;
      if (this.slider.dataset.now !== String(offer.now)) this.slider.value = String(offer.costs.indexOf(offer.now));
      this.slider.dataset.now = String(offer.now);
      this.train.hidden = offer.isBusy;
      this.price.textContent = offer.words;
    }
    this.show();
  }

  /** Adapt to the size and the colours. */
  resize() {
    const { path, colors } = this.store;
    if (!path?.grid || this.element.hidden) return;
    const { stops, ticks } = path.grid.maps[this.map.which];
    this.scale.style.background = `linear-gradient(to right, ${stops[colors.isDark ? "dark" : "light"].join()})`;
    this.low.textContent = ticks[0][1];
    this.high.textContent = ticks[ticks.length - 1][1];
    this.map.draw();
  }

  /** Show the displayed cell. */
  show() {
    const { path, state } = this.store;
    if (this.element.hidden || !path) return;
    const { grid } = path;
    const row = String(this.store.cell.row);
    if (grid && this.slider.value !== row) this.slider.value = row;
    const costs = grid?.costs ?? state.offer?.costs ?? [];
    const cost = costs[Number(this.slider.value)];
    this.value.textContent = `C = ${cost}`;
    const isThere = grid !== null || cost === state.offer?.now;
    this.value.classList.toggle("quiet", !isThere);
    this.train.classList.toggle("primary", !isThere);
    const text = isThere ? `C = ${cost}` : `C = ${cost}, not trained yet`;
    this.slider.setAttribute(
      "aria-valuetext",
      grid ? `${text}, ${counted(this.store.tree.sizes(0).leaves, "leaf")}` : text,
    );
    this.map.mark();
  }
}
