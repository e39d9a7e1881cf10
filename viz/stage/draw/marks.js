// Positions of rows in the plot of a node, used to point at rows and to select them.

import { within } from "./axis.js";
import { binBox } from "./projection.js";
import { boxOf, holds, span } from "../geometry/shapes.js";

const REACH = 7; // maximum pixels from the pointer to a point that it hits

/**
 * Return the marks of rows as points.
 * @param {Numbers} rows @param {PlaneFrame} frame @param {Box} box @returns {Marks}
 */
export function pointMarks(rows, { place }, box) {
  const area = { left: box.x - box.w / 2, top: box.y - box.h / 2, w: box.w, h: box.h };
  return {
    area,
    free: true,
    shown: (corners) => corners,
    rowsIn: (corners) => Array.from(rows).filter((row) => holds(corners, ...place(row))),
    at: (left, top) => {
      let best = null,
        nearest = REACH;
      for (const row of rows) {
        const [x, y] = place(row);
        const distance = Math.hypot(x - left, y - top);
        if (distance <= nearest && inside(area, x, y)) [best, nearest] = [row, distance];
      }
      return best === null ? null : { rows: [best], point: best };
    },
  };
}

/** Return the marks for rows in bins. Each bin is a mark. @param {BinFrame} frame @returns {Marks} */
export function binMarks(frame) {
  const { area, bins, binOf, missingStrip, rows } = frame;
  const whole = { left: area.left - missingStrip, top: area.top, w: area.w + missingStrip, h: area.h };
  /** @param {Corners} corners */
  const touched = (corners) => {
    const [low, high] = span(corners);
    const some = [];
    for (let bin = missingStrip ? -1 : 0; bin < bins; bin++) {
      const { left, width } = binBox(frame, bin);
      if (left <= high && left + width >= low) some.push(bin);
    }
    return some;
  };
  /** @param {Iterable<number>} positions */
  const rowsOf = (positions) => {
    const found = new Set(positions);
    return Array.from(rows).filter((_, p) => found.has(binOf(p)));
  };
  return {
    area: whole,
    free: false,
    shown: (corners) => {
      const some = touched(corners);
      if (!some.length) return [];
      const first = binBox(frame, some[0]),
        last = binBox(frame, some[some.length - 1]);
      return boxOf([first.left, area.top], [last.left + last.width, area.top + area.h]);
    },
    rowsIn: (corners) => rowsOf(touched(corners)),
    at: (left, top) => {
      if (!inside(whole, left, top)) return null;
      const bin =
        missingStrip && left < area.left ? -1 : Math.min(bins - 1, Math.floor(((left - area.left) / area.w) * bins));
      const unit = (frame.high - frame.low) / bins;
      /** @type {Pair | null} */
      const range = bin < 0 ? null : within(frame, frame.low + bin * unit, frame.low + (bin + 1) * unit);
      const found = rowsOf([bin]);
      return found.length
        ? {
            rows: found,
            point: null,
            range,
            name: frame.name,
            feature: frame.features.length === 1 ? frame.features[0] : -1,
          }
        : null;
    },
  };
}

/** Return whether a point is in an area. @param {Area} area @param {number} x @param {number} y */
export function inside({ left, top, w, h }, x, y) {
  return x >= left && x <= left + w && y >= top && y <= top + h;
}
