// Additions to the plot of a node for a recorded step.

import { FADED_POINTS, careHeights, careRadius, drawCarePoints } from "../draw/care_points.js";
import { threshold } from "../model/condition.js";
import { binBox } from "../draw/projection.js";
import { cutPolygon, directionOf, rectangle } from "../geometry/regions.js";
import { drawRows } from "../draw/scatter.js";

/**
 * Draw the rows of a node at its step as points, with don't-care points faded, care points on top, and the old line
 * faded.
 * @param {Picture} picture @param {PlaneFrame} frame @param {number} node @param {RecordedNode} recorded
 * @param {Split | null} old @param {number} w
 */
export function careScatter(picture, frame, node, recorded, old, w) {
  const { context } = picture;
  const cares = new Set(recorded.rows);
  const alpha = context.globalAlpha;
  context.globalAlpha = alpha * FADED_POINTS;
  drawRows(
    picture,
    frame,
    picture.tree.reaching(picture.set, node).rows.filter((row) => !cares.has(row)),
    w,
  );
  context.globalAlpha = alpha;
  drawCarePoints(picture, frame, recorded, careRadius(picture.looks, w, recorded.rows.length));
  if (old && old.features.length && Array.from(old.features).every((feature) => frame.features.includes(feature)))
    ghostLine(picture, frame, old);
}

/** @param {Picture} picture @param {PlaneFrame} frame @param {Split} split */
function ghostLine({ context, colors }, { features, low, high, px, py }, split) {
  const { cut } = cutPolygon(rectangle(low, high), directionOf(split, features), split.bias);
  if (!cut.length) return;
  context.strokeStyle = colors.theme.muted;
  context.lineWidth = 1.6;
  context.setLineDash([5, 4]);
  context.beginPath();
  cut.forEach(([x, y]) => context.lineTo(px(x), py(y)));
  context.stroke();
  context.setLineDash([]);
}

/**
 * Draw the care points in the bins of a histogram, with a frame around those with pseudolabel right, which are on top.
 * The old threshold is faded.
 * @param {Picture} picture @param {BinFrame} frame @param {RecordedNode} recorded @param {Numbers} most
 * @param {Split | null} old
 */
export function careBins({ context, colors }, frame, recorded, most, old) {
  const heights = careHeights(frame, recorded);
  const { area, bins } = frame;
  const bottom = area.top + area.h;
  for (let bin = 0; bin <= bins; bin++) {
    const { left, width } = binBox(frame, bin - 1);
    const unit = area.h / most[Math.min(bin, 1)];
    const [toLeft, toRight] = [heights[bin * 2] * unit, heights[bin * 2 + 1] * unit];
    context.fillStyle = colors.theme.toLeft;
    context.fillRect(left, bottom - toLeft, width, toLeft);
    if (!toRight) continue;
    context.fillStyle = colors.theme.toRight;
    context.fillRect(left, bottom - toLeft - toRight, width, toRight);
    context.strokeStyle = colors.theme.text;
    context.lineWidth = 1;
    context.strokeRect(left + 0.5, bottom - toLeft - toRight + 0.5, Math.max(width - 1, 0.5), toRight);
  }
  if (!old || old.features.length !== 1 || frame.features.length !== 1 || old.features[0] !== frame.features[0]) return;
  const at = area.left + ((threshold(old.weights[0], old.bias) - frame.low) / (frame.high - frame.low)) * area.w;
  if (at < area.left || at > area.left + area.w) return;
  context.strokeStyle = colors.theme.muted;
  context.lineWidth = 1.6;
  context.setLineDash([5, 4]);
  context.beginPath();
  context.moveTo(at, area.top);
  context.lineTo(at, bottom);
  context.stroke();
  context.setLineDash([]);
}
