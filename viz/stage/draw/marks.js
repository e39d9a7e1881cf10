// Which rows are where in the picture of a node, to point at them and to select them.

import { widthForDetail } from "./picture.js";
import { binBox, histogramFrame } from "./projection.js";
import { scatterFrame } from "./scatter.js";
import { boxOf, holds, span } from "../geometry/shapes.js";

const REACH = 7; // pixels from a point at which the pointer still means it

/**
 * What can be pointed at in the picture of a decision node drawn into `box`, or null: {area: {left, top, w, h}, free
 * (whether any shape selects, or only a range), shown(corners): the shape that is drawn, rowsIn(corners): rows,
 * at(x, y): {rows, point: the row if it is one, range, name} or null}. `look` as for Picture.
 */
export function marksOf(look, node, box) {
  const { path, tree } = look;
  if (path.imageShape || tree.isLeaf(node)) return null;
  const isScatter = path.nFeatures === 2 || tree.nWeights(node) === 2;
  if (isScatter) return pointMarks(path, tree.reaching(look.set, node).rows, scatterFrame(look, node, box), box);
  const frame = histogramFrame(look, node, box, widthForDetail(look.looks.detail, box));
  return frame && binMarks(frame);
}

/** Marks of rows as points. */
export function pointMarks(path, rows, { features: [a, b], px, py }, box) {
  const { X, n } = path.sample;
  const area = { left: box.x - box.w / 2, top: box.y - box.h / 2, w: box.w, h: box.h };
  const x = (row) => px(X[a * n + row]),
    y = (row) => py(X[b * n + row]);
  return {
    area,
    free: true,
    shown: (corners) => corners,
    rowsIn: (corners) => Array.from(rows).filter((row) => holds(corners, x(row), y(row))),
    at: (left, top) => {
      let best = null,
        nearest = REACH;
      for (const row of rows) {
        const distance = Math.hypot(x(row) - left, y(row) - top);
        if (distance <= nearest && inside(area, x(row), y(row))) [best, nearest] = [row, distance];
      }
      return best === null ? null : { rows: [best], point: best };
    },
  };
}

function binMarks(frame) {
  const { area, bins, binOf, gutter, rows } = frame;
  const whole = { left: area.left - gutter, top: area.top, w: area.w + gutter, h: area.h };
  const touched = (corners) => {
    const [low, high] = span(corners);
    const some = [];
    for (let bin = gutter ? -1 : 0; bin < bins; bin++) {
      const { left, width } = binBox(frame, bin);
      if (left <= high && left + width >= low) some.push(bin);
    }
    return some;
  };
  const rowsOf = (wanted) => {
    const found = new Set(wanted);
    return Array.from(rows).filter((_, p) => found.has(binOf(p)));
  };
  return {
    area: whole,
    free: false,
    shown: (corners) => {
      const some = touched(corners);
      if (!some.length) return [];
      const first = binBox(frame, some[0]),
        last = binBox(frame, some.at(-1));
      return boxOf([first.left, area.top], [last.left + last.width, area.top + area.h]);
    },
    rowsIn: (corners) => rowsOf(touched(corners)),
    at: (left, top) => {
      if (!inside(whole, left, top)) return null;
      const bin =
        gutter && left < area.left ? -1 : Math.min(bins - 1, Math.floor(((left - area.left) / area.w) * bins));
      const unit = (frame.high - frame.low) / bins;
      const range = bin < 0 ? null : [frame.low + bin * unit, frame.low + (bin + 1) * unit];
      const found = rowsOf([bin]);
      return found.length ? { rows: found, point: null, range, name: frame.name } : null;
    },
  };
}

/** Whether a point is in an area {left, top, w, h}. */
export function inside({ left, top, w, h }, x, y) {
  return x >= left && x <= left + w && y >= top && y <= top + h;
}
