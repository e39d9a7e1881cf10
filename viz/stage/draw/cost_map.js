// Map of a grid with lambda across, C upwards and one cell per tree. A frame marks the displayed cell. Pointing at a
// cell moves both sliders.

import { cellFacts, cellOf, colorAt, indexAt, placeText } from "../model/grid.js";
import { FONT, h, placeIn, sizeCanvas } from "../elements/dom.js";

const LEFT = 34; // width of the labels of C, in pixels
const LEAF_DOT = 1.2;
const [STAR, INNER] = [6, 2.5]; // outer and inner radius of the star

export class CostMap {
  /**
   * `on.go(index, settled, isMoving)` shows a tree; `on.settle()` is called when the pointer is lifted.
   * @param {Store} store
   * @param {{go(index: number, settled?: boolean, isMoving?: boolean): void, settle(): void}} on
   */
  constructor(store, on) {
    this.store = store;
    this.which = 0; // index of the selected map of the grid
    this.width = this.height = 0;
    this.canvas = h("canvas", { role: "img", "aria-label": "Map", "data-testid": "stage-map" });
    this.frame = h("div", { class: "cell", "aria-hidden": "true", "data-testid": "stage-map-cell" });
    this.tip = h("div", { class: "tip", role: "status" });
    this.element = h("div", { class: "cost-map" }, this.canvas, this.frame, this.tip);
    let isDown = false;
    this.canvas.addEventListener("pointerdown", (event) => {
      isDown = event.button === 0;
      if (!isDown) return;
      this.canvas.setPointerCapture(event.pointerId);
      on.go(this.indexBelow(event), false, true);
    });
    this.canvas.addEventListener("pointermove", (event) => {
      const index = this.indexBelow(event);
      if (isDown) on.go(index, false, true);
      this.tell(index);
    });
    const lift = () => {
      if (!isDown) return;
      isDown = false;
      store.set({ isMoving: false });
      on.settle();
    };
    for (const name of ["pointerup", "pointercancel"]) this.canvas.addEventListener(name, lift);
    this.canvas.addEventListener("pointerleave", () => this.tell(null));
  }

  get size() {
    const { nLams, costs } = this.store.path.grid ?? { nLams: 1, costs: [1] };
    return { columns: nLams, rows: costs.length, w: (this.width - LEFT) / nLams, h: this.height / costs.length };
  }

  /** Return the index of the tree under the pointer. @param {MouseEvent} event */
  indexBelow(event) {
    const { rows, w, h: high } = this.size;
    const [x, y] = placeIn(this.element, event);
    const column = Math.max(0, Math.floor((x - LEFT) / w));
    return indexAt(this.store.path, rows - 1 - Math.floor(y / high), column);
  }

  /** Draw the cells, once per grid, map, size and theme. */
  draw() {
    const { store, canvas } = this;
    const { path, colors, state } = store;
    const { grid } = path;
    this.width = this.element.clientWidth;
    this.height = this.element.clientHeight;
    if (!grid || !this.width) return;
    const context = sizeCanvas(canvas, this.width, this.height);
    context.clearRect(0, 0, this.width, this.height);
    const { columns, rows, w, h: high } = this.size;
    const map = grid.maps[this.which];
    const { theme } = colors;
    map.shares.forEach((share, k) => {
      const [x, y] = this.corner(k);
      context.fillStyle = share === null ? theme.surface : colorAt(map.stops[colors.isDark ? "dark" : "light"], share);
      // Whole pixels leave no seams between cells.
      const [left, top] = [Math.round(x), Math.round(y)];
      context.fillRect(left, top, Math.round(x + w) - left, Math.round(y + high) - top);
      if (share !== null || k >= path.trees.length) return;
      context.fillStyle = theme.muted;
      context.beginPath();
      context.arc(x + w / 2, y + high / 2, LEAF_DOT, 0, 7);
      context.fill();
    });
    for (const [color, width, dash] of grid.border) {
      context.beginPath();
      for (const [x1, y1, x2, y2] of grid.outline) {
        context.moveTo(LEFT + x1 * w, (rows - y1) * high);
        context.lineTo(LEFT + x2 * w, (rows - y2) * high);
      }
      context.strokeStyle = color;
      context.lineWidth = width * 0.6;
      context.setLineDash(dash);
      context.stroke();
    }
    context.setLineDash([]);
    if (grid.best !== null) this.star(grid.best, grid.border);
    context.font = `${12 * state.type}px ${FONT}`;
    context.textAlign = "right";
    context.textBaseline = "middle";
    context.fillStyle = theme.muted;
    const step = Math.ceil((13 * state.type) / high);
    grid.costs.forEach((cost, row) => {
      if (row % step === 0) context.fillText(String(cost), LEFT - 6, (rows - row - 0.5) * high);
    });
    this.canvas.setAttribute(
      "aria-label",
      `Map over ${columns} values of λ (left to right) and ${rows} values of C (upwards): ${map.title} from ${map.ticks[0][1]} to ${map.ticks.at(-1)?.[1]}`,
    );
    this.mark();
  }

  /** Return the upper left corner of a cell. @param {number} k @returns {Pair} */
  corner(k) {
    const { columns, rows, w, h: high } = this.size;
    return [LEFT + (k % columns) * w, (rows - 1 - Math.floor(k / columns)) * high];
  }

  /** Draw the star on the smallest validation error. @param {number} k @param {[string, number, number[]][]} border */
  star(k, border) {
    const { w, h: high } = this.size;
    const [x, y] = this.corner(k);
    const context = sizeCanvas(this.canvas, this.width, this.height);
    context.beginPath();
    for (let i = 0; i < 10; i++) {
      const [radius, angle] = [i % 2 ? INNER : STAR, (i * Math.PI) / 5];
      context.lineTo(x + w / 2 + radius * Math.sin(angle), y + high / 2 - radius * Math.cos(angle));
    }
    context.closePath();
    context.fillStyle = border[0][0];
    context.strokeStyle = border[1][0];
    context.lineWidth = 1.2;
    context.fill();
    context.stroke();
  }

  /** Frame the displayed cell. */
  mark() {
    const { path, state } = this.store;
    if (!path.grid || !this.width) return;
    const { w, h: high } = this.size;
    const [x, y] = this.corner(state.k);
    Object.assign(this.frame.style, {
      width: `${w}px`,
      height: `${high}px`,
      transform: `translate(${x}px,${y}px)`,
    });
    const { row, column } = cellOf(path, state.k);
    this.frame.dataset.cell = `${row} ${column}`;
  }

  /** Describe a cell in the tip above the map, or empty the tip for null. @param {number | null} k */
  tell(k) {
    const { path } = this.store;
    this.tip.style.display = k === null ? "none" : "block";
    if (k !== null) this.tip.textContent = [placeText(path, k), ...cellFacts(path, k)].join(" · ");
  }
}
