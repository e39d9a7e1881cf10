// Pan and zoom: screen = world * zoom + offset.

const NEAREST = 60;
const SEEN = 48; // minimum part of a node that stays in view, in pixels

export class Camera {
  zoom = 1;
  x = 0;
  y = 0;
  /** @type {{x: number, y: number, w: number, h: number}[]} nodes of which one stays in view, in world coordinates */
  nodes = [];

  fit() {
    this.zoom = 1;
    this.x = 0;
    this.y = 0;
  }

  /** Whether the whole height of the drawing is in view. */
  get isWhole() {
    return this.zoom === 1 && this.y === 0;
  }

  /** @param {number} x @param {number} y @returns {Pair} */
  point(x, y) {
    return [x * this.zoom + this.x, y * this.zoom + this.y];
  }

  /**
   * Zoom by a factor, and keep the screen point (x, y) fixed.
   * @param {number} x @param {number} y @param {number} factor @param {number} width @param {number} height
   */
  zoomAt(x, y, factor, width, height) {
    const zoom = Math.min(NEAREST, Math.max(0.5, this.zoom * factor));
    this.x = x - ((x - this.x) / this.zoom) * zoom;
    this.y = y - ((y - this.y) / this.zoom) * zoom;
    this.zoom = zoom;
    this.keepIn(width, height);
  }

  /** @param {number} dx @param {number} dy @param {number} width @param {number} height */
  pan(dx, dy, width, height) {
    this.x += dx;
    this.y += dy;
    this.keepIn(width, height);
  }

  /** Whether all nodes are in view. @param {Iterable<{x: number, y: number, w: number, h: number}>} nodes @param {number} width @param {number} height */
  holds(nodes, width, height) {
    for (const { x, y, w, h } of nodes) {
      const [[left, top], [right, bottom]] = [this.point(x - w / 2, y - h / 2), this.point(x + w / 2, y + h / 2)];
      if (left < -1 || top < -1 || right > width + 1 || bottom > height + 1) return false;
    }
    return true;
  }

  /** Move the drawing so that a part of it, and at least one node, stays in view. @param {number} width @param {number} height */
  keepIn(width, height) {
    const margin = 80;
    this.x = Math.min(width - margin, Math.max(margin - width * this.zoom, this.x));
    this.y = Math.min(height - margin, Math.max(margin - height * this.zoom, this.y));
    /** @type {Pair | null} */
    let way = null;
    for (const { x, y, w, h } of this.nodes) {
      const [left, top] = this.point(x - w / 2, y - h / 2);
      const dx = shift(left, w * this.zoom, width);
      const dy = shift(top, h * this.zoom, height);
      if (way === null || Math.hypot(dx, dy) < Math.hypot(...way)) way = [dx, dy];
    }
    if (way) [this.x, this.y] = [this.x + way[0], this.y + way[1]];
  }

  /**
   * Bring a box in world coordinates into view, as large as possible up to a maximum zoom.
   * @param {{left: number, top: number, right: number, bottom: number}} box @param {number} most @param {number} width
   * @param {number} height
   */
  frame({ left, top, right, bottom }, most, width, height) {
    const zoom = Math.max(0.5, Math.min(most, width / (right - left), height / (bottom - top)));
    this.zoom = zoom;
    this.x = width / 2 - ((left + right) / 2) * zoom;
    this.y = height / 2 - ((top + bottom) / 2) * zoom;
    this.keepIn(width, height);
  }

  /**
   * Move the world point (x, y) to the centre, with at least this zoom.
   * @param {number} x @param {number} y @param {number} zoom @param {number} width @param {number} height
   */
  centre(x, y, zoom, width, height) {
    this.zoom = Math.min(NEAREST, Math.max(this.zoom, zoom));
    this.x = width / 2 - x * this.zoom;
    this.y = height / 2 - y * this.zoom;
    this.keepIn(width, height);
  }
}

/**
 * Return how far an interval must move so that at least `SEEN` of it, or all of a shorter one, lies in [0, size].
 * @param {number} start @param {number} length @param {number} size
 */
function shift(start, length, size) {
  const seen = Math.min(SEEN, length, size);
  if (start + length < seen) return seen - start - length;
  return Math.min(0, size - seen - start);
}
