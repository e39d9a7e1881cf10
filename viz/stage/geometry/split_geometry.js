// Converts a split to a line in pixels, moves and rotates it, and converts it back to weights.

import { cutPolygon, rectangle } from "./regions.js";

/**
 * Return the line of a split on one or two features in a frame (see planeFrame): {normal: direction towards "yes",
 * offset, a, b: its visible ends, anchor: position of its handle}. A pixel (x, y) goes right iff normal . (x, y) +
 * offset >= 0.
 * @param {PlaneFrame} frame @param {Numbers} direction @param {number} bias @param {Corners} polygon
 */
export function lineOf(frame, direction, bias, polygon) {
  const { low, high, area, px, py } = frame;
  const unit = unitsOf(frame);
  /** @type {Pair} */
  const normal = [direction[0] / unit[0], -direction[1] / unit[1]];
  const offset =
    bias + direction[0] * (low[0] - area.left / unit[0]) + direction[1] * (low[1] + (area.top + area.h) / unit[1]);
  const inside = polygon.length ? cutPolygon(polygon, direction, bias).cut : [];
  const cut = inside.length ? inside : cutPolygon(rectangle(low, high), direction, bias).cut;
  const [a, b] = cut.map(([x, y]) => [px(x), py(y)]);
  /** @type {Pair} */
  const anchor = cut.length ? [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2] : heldInside(area, normal, offset);
  const length = cut.length ? Math.hypot(a[0] - b[0], a[1] - b[1]) : 0;
  return { normal, offset, anchor, length, along: along(normal) };
}

/** @param {PlaneFrame} frame */
function unitsOf({ low, high, area }) {
  return [area.w / (high[0] - low[0]), area.h / (high[1] - low[1])];
}

/** Return the unit vector along a line. @param {Pair} normal @returns {Pair} */
function along(normal) {
  const size = Math.hypot(...normal) || 1;
  return [-normal[1] / size, normal[0] / size];
}

/**
 * Return the position of the handle for a line that is out of view. The handle is at the nearest edge.
 * @param {Area} area @param {Pair} normal @param {number} offset
 */
function heldInside(area, normal, offset) {
  const middle = [area.left + area.w / 2, area.top + area.h / 2];
  const size = normal[0] ** 2 + normal[1] ** 2 || 1;
  const away = (normal[0] * middle[0] + normal[1] * middle[1] + offset) / size;
  return clamp(area, [middle[0] - away * normal[0], middle[1] - away * normal[1]]);
}

/** Move a point into an area. @param {Area} area @param {Pair} point @returns {Pair} */
export function clamp({ left, top, w, h }, [x, y]) {
  return [Math.max(left, Math.min(left + w, x)), Math.max(top, Math.min(top + h, y))];
}

/**
 * Return the change of the bias when the line moves by some pixels.
 * @param {{normal: Pair}} line @param {Pair} move
 */
export function biasOfMove({ normal }, [dx, dy]) {
  return -(normal[0] * dx + normal[1] * dy);
}

/**
 * Return {direction, bias} of the line after a rotation around a point. `angle` is clockwise on screen.
 * @param {PlaneFrame} frame @param {{normal: Pair}} line @param {Pair} pivot @param {number} angle
 * @returns {{direction: Pair, bias: number}}
 */
export function turned(frame, { normal }, pivot, angle) {
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
  return splitThrough(frame, [normal[0] * cos - normal[1] * sin, normal[0] * sin + normal[1] * cos], pivot);
}

/**
 * Return {direction, bias} of the line through a point with this normal in pixels.
 * @param {PlaneFrame} frame @param {Pair} normal @param {Pair} point @returns {{direction: Pair, bias: number}}
 */
export function splitThrough(frame, normal, [x, y]) {
  const { low, area } = frame;
  const unit = unitsOf(frame);
  /** @type {Pair} */
  const direction = [normal[0] * unit[0], -normal[1] * unit[1]];
  const at = [low[0] + (x - area.left) / unit[0], low[1] + (area.top + area.h - y) / unit[1]];
  return { direction, bias: -(direction[0] * at[0] + direction[1] * at[1]) };
}
