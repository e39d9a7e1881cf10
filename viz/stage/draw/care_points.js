// Draws care points as triangles that point to their better child (pseudolabel), in colours that no class has.

export const FADED_POINTS = 0.32; // opacity of don't-care points

/**
 * Return the colour of the points with this pseudolabel (-1 left, 1 right).
 * @param {Theme} theme
 * @param {number} side
 */
export function sideColor(theme, side) {
  return side < 0 ? theme.toLeft : theme.toRight;
}

/**
 * Trace a triangle around (x, y) that points left (-1) or right (1).
 * @param {Context} context @param {number} x @param {number} y @param {number} radius @param {number} side
 */
function triangle(context, x, y, radius, side) {
  context.moveTo(x + side * radius * 1.15, y);
  context.lineTo(x - side * radius * 0.85, y - radius);
  context.lineTo(x - side * radius * 0.85, y + radius);
  context.closePath();
}

/**
 * Draw the care points of a recorded node into a frame (see planeFrame). `radius` is in pixels.
 * @param {Picture} picture @param {PlaneFrame} frame @param {RecordedNode} recorded @param {number} radius
 */
export function drawCarePoints({ context, colors }, { place }, { rows, sides }, radius) {
  for (const side of [-1, 1]) {
    context.beginPath();
    for (let i = 0; i < rows.length; i++) if (sides[i] === side) triangle(context, ...place(rows[i]), radius, side);
    context.fillStyle = sideColor(colors.theme, side);
    context.strokeStyle = colors.theme.background;
    context.lineWidth = radius > 3 ? 1.6 : 0.8;
    context.lineJoin = "round";
    context.stroke();
    context.fill();
  }
}

/**
 * Return the radius of the care points in a plot `w` pixels wide.
 * @param {Looks} looks @param {number} w @param {number} count
 */
export function careRadius({ detail }, w, count) {
  if (w < detail.line) return 2;
  return w < detail.full ? Math.max(2.2, Math.min(3.4, 30 / Math.sqrt(count))) : 5;
}

/**
 * Draw the numbers of care points with each pseudolabel as a stacked bar along the upper edge of a box.
 * @param {Picture} picture @param {RecordedNode} recorded @param {Box} box @param {number} height
 */
export function careBar({ context, colors }, { sides }, box, height) {
  const left = sides.reduce((sum, side) => sum + Number(side < 0), 0);
  const width = (box.w * left) / Math.max(sides.length, 1);
  const at = { left: box.x - box.w / 2, top: box.y - box.h / 2 };
  context.fillStyle = colors.theme.toLeft;
  context.fillRect(at.left, at.top, width, height);
  context.fillStyle = colors.theme.toRight;
  context.fillRect(at.left + width, at.top, box.w - width, height);
  context.fillStyle = colors.theme.background;
  if (left && left < sides.length) context.fillRect(at.left + width - 1, at.top, 2, height);
}

/**
 * Return the care points in the bins of a histogram: pseudolabel left at the bottom, pseudolabel right above.
 * @param {BinFrame} frame @param {RecordedNode} recorded
 */
export function careHeights(frame, { rows, sides }) {
  const stackOf = new Map();
  rows.forEach((row, i) => stackOf.set(row, sides[i] < 0 ? 0 : 1));
  const heights = new Uint32Array((frame.bins + 1) * 2);
  for (let p = 0; p < frame.rows.length; p++) {
    const side = stackOf.get(frame.rows[p]);
    if (side !== undefined) heights[(frame.binOf(p) + 1) * 2 + side]++;
  }
  return heights;
}
