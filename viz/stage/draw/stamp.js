// Draws a small mark once and copies it to many positions, because stroking a thousand shapes takes longer than a
// frame.

import { offscreen } from "../elements/dom.js";

/** @type {WeakMap<Colors, Known<string, OffscreenCanvas>>} */
const made = new WeakMap();

/**
 * Return a function (x, y) that draws a mark at this position. `radius`: of the mark, in the units of the context.
 * `key`: the same for marks that look the same. `paint(context)` draws the mark around (0, 0).
 * @param {Pick<Picture, "context" | "colors">} picture @param {number} radius @param {string} key
 * @param {(context: Context) => void} paint @returns {(x: number, y: number) => void}
 */
export function stamp({ context, colors }, radius, key, paint) {
  const marks = made.get(colors) ?? new Map();
  made.set(colors, marks);
  const { a: scale } = context.getTransform();
  const name = `${key} ${scale}`;
  const side = 2 * Math.ceil(radius * scale + 1);
  if (!marks.has(name)) {
    const own = offscreen(side, side);
    own.setTransform(scale, 0, 0, scale, side / 2, side / 2);
    own.beginPath();
    paint(own);
    marks.set(name, own.canvas);
  }
  const canvas = marks.get(name);
  const half = side / 2;
  // Whole pixels keep the copies sharp.
  return (x, y) =>
    context.drawImage(
      canvas,
      (Math.round(x * scale) - half) / scale,
      (Math.round(y * scale) - half) / scale,
      side / scale,
      side / scale,
    );
}

/** Caches the points of one plot while the points and the frame stay the same. */
export class PointLayer {
  /**
   * Copy the points into the context of a plot. `paint(context)` draws them if they are not cached.
   * @param {Picture} picture @param {PlaneFrame} frame @param {Numbers} rows @param {(context: Context) => void} paint
   */
  draw(picture, { low, high, area }, rows, paint) {
    const { context, lit, colors } = picture;
    const { canvas } = context;
    const key = [low, high, Object.values(area), rows.length, canvas.width, canvas.height, colors.key].join();
    if (this.key !== key || this.lit !== lit) {
      Object.assign(this, { key, lit });
      const own = offscreen(canvas.width, canvas.height);
      this.canvas = own.canvas;
      own.setTransform(context.getTransform());
      paint(own);
    }
    context.save();
    context.resetTransform();
    context.drawImage(this.canvas, 0, 0);
    context.restore();
  }
}
