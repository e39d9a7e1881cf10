// How the picture is shared between the overview, the plane of the data and the tree.

const GAP = 6; // pixels below the overview
const BESIDE = 0.46; // share of the width that the plane gets beside the tree
const RECORDED = { share: 0.5, tall: 1.2, stacked: 0.54, narrow: 600, low: 420, high: 1.3 }; // of a recorded run
const PAD = { x: 12, top: 24, bottom: 36 }; // around the plane, where type has its usual size

/**
 * Shares of a picture of width x height pixels: {strip: height of the overview, plane: {side, room: the height it has to
 * stand in, height, pad}, view: {width, height, left, top}, isStacked: whether the plane is above the tree}. `depth`: of
 * the tree that the overview shows, or null without one.
 * @param {number} width @param {number} height @param {number | null} depth @param {boolean} hasPlane
 * @param {boolean} isRecorded @param {number} type
 */
export function layoutOf(width, height, depth, hasPlane, isRecorded, type) {
  const strip = depth === null ? 0 : Math.min(Math.max(70, 13 * (depth + 1)), height * 0.3);
  const room = Math.max(60, height - (strip ? strip + GAP : 0));
  const { side, stands, view, isStacked } = isRecorded ? recorded(width, room, hasPlane) : usual(width, room, hasPlane);
  const pad = { x: PAD.x, top: PAD.top * type, bottom: PAD.bottom * type };
  const tall = side + (PAD.top + PAD.bottom - 2 * PAD.x) * type;
  const plane = {
    side,
    room: stands,
    height: Math.min(stands, isRecorded ? Math.max(tall, RECORDED.high * side) : tall),
    pad,
  };
  return { strip, above: strip ? strip + GAP : 0, plane, view, isStacked };
}

/** @param {number} width @param {number} height @param {boolean} hasPlane */
function usual(width, height, hasPlane) {
  const side = hasPlane ? Math.min(width * BESIDE, height) : 0;
  return { side, stands: height, view: { width: width - side, height, left: 0, top: 0 }, isStacked: false };
}

/** @param {number} width @param {number} height @param {boolean} hasPlane */
function recorded(width, height, hasPlane) {
  const isStacked = hasPlane && width < RECORDED.narrow && height > RECORDED.low;
  if (isStacked) {
    const top = Math.round(height * RECORDED.stacked);
    return { side: width, stands: top, view: { width, height: height - top, left: 0, top }, isStacked };
  }
  const side = hasPlane ? Math.round(Math.min(width * RECORDED.share, height * RECORDED.tall)) : 0;
  return { side, stands: height, view: { width: width - side, height, left: side, top: 0 }, isStacked };
}
