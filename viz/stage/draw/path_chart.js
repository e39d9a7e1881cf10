// Chart along the path, on the same axis as the slider, with a marker at the displayed tree.

import { FONT, h, placeIn, sizeCanvas } from "../elements/dom.js";

export const SIDE = { left: 46, right: 14 };
export const THUMB = 18; // width of the slider thumb, see stage.css

export class PathChart {
  /**
   * `test`: name of the canvas for tests, or null. `between`: element above the canvas and below the marker.
   * @param {Store} store @param {string} look @param {string | null} test @param {HTMLElement} between
   */
  constructor(store, look, test, between) {
    this.store = store;
    this.canvas = h("canvas", { role: "img", "aria-label": "Chart", "data-testid": test });
    this.context = sizeCanvas(this.canvas, 0, 0);
    this.marker = h("div", { class: "marker", "aria-hidden": "true" });
    this.tip = h("div", { class: "tip", role: "status" });
    this.element = h("div", { class: look }, this.canvas, between, this.marker, this.tip);
    this.width = this.height = this.font = 0; // in pixels
  }

  /** Begin a drawing of this size. @param {number} width @param {number} height @param {number} font */
  begin(width, height, font) {
    this.width = width;
    this.height = height;
    this.font = font;
    sizeCanvas(this.canvas, width, height).clearRect(0, 0, width, height);
  }

  /** Return the left end of the axis, to the right of its numbers. */
  get left() {
    return Math.max(SIDE.left, 3.9 * this.font);
  }

  get inner() {
    return this.width - this.left - SIDE.right;
  }

  /** @param {number} index */
  xOf(index) {
    const { first, last } = this.store.cell;
    return this.left + (last > first ? (index - first) / (last - first) : 0.5) * this.inner;
  }

  /** Return the index of the tree under the pointer. @param {MouseEvent} event */
  indexAt(event) {
    const { first, last } = this.store.cell;
    const [x] = placeIn(this.element, event);
    const at = first + Math.round(((x - this.left) / Math.max(this.inner, 1)) * (last - first));
    return Math.max(first, Math.min(last, at));
  }

  /**
   * Draw grid lines at these values, with their texts. `top`: upper limit of the texts.
   * @param {[number, string][]} ticks @param {number} top
   */
  axis(ticks, top = 0) {
    const { context } = this;
    const { theme } = this.store.colors;
    context.font = `${this.font}px ${FONT}`;
    context.textAlign = "right";
    context.textBaseline = "middle";
    for (const [y, text] of ticks) {
      context.fillStyle = theme.grid;
      context.fillRect(this.left, Math.round(y), this.inner, 1);
      context.fillStyle = theme.muted;
      context.fillText(text, this.left - 9, Math.max(y, top));
    }
  }

  /**
   * Draw a line through points.
   * @param {Corners} corners @param {string} color @param {number} width @param {number[]} dash
   */
  stroke(corners, color, width, dash) {
    const { context } = this;
    context.beginPath();
    for (const [x, y] of corners) context.lineTo(x, y);
    context.strokeStyle = color;
    context.lineWidth = width;
    context.lineJoin = "round";
    context.setLineDash(dash);
    context.stroke();
    context.setLineDash([]);
  }

  /**
   * Write a label of a legend; return its right end.
   * @param {string} text @param {string} color @param {number} weight @param {number} x @param {number} y
   */
  write(text, color, weight, x, y) {
    const { context } = this;
    context.textAlign = "left";
    context.font = `${weight} ${this.font}px ${FONT}`;
    context.fillStyle = color;
    context.fillText(text, x, y);
    return x + context.measureText(text).width;
  }

  /** Move the marker to the displayed tree. @param {number} index */
  mark(index) {
    this.marker.style.transform = `translateX(${this.xOf(index)}px)`;
  }

  /**
   * Show facts about a tree above the chart, or hide them for null.
   * @param {number | null} index
   * @param {string[]} facts
   */
  tell(index, facts) {
    this.tip.style.display = index === null ? "none" : "block";
    if (index === null) return;
    this.tip.textContent = facts.join(" · ");
    this.tip.style.left = `${Math.min(Math.max(this.xOf(index), 140), this.width - 140)}px`;
  }
}
