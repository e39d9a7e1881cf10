// Divides the stage between the overview, the plane of the data, and the tree.

const GAP = 6; // space below the overview in pixels
// round overview: share of the width, maximum size in pixels, and minimum width of a stage with the tree next to it
const DISC = { share: 0.34, most: 440, beside: 560 };
const BESIDE = 0.46; // width of the plane next to the tree, as a share of the stage
// layout for a recorded run
const RECORDED = { share: 0.5, tall: 1.2, stacked: 0.54, narrow: 600, low: 420, high: 1.3 };
// layout for a lesson: the plot is large, and the tree is small
const LESSON = { share: 0.62, tall: 1.35, stacked: 0.66, narrow: 600 };
const PAD = { x: 12, top: 24, bottom: 36 }; // margins around the plane for text of the usual size
const TICKS = 30; // width of the values left of a plot in a lesson, in addition to its margin

/**
 * Divide an area of width x height pixels. `depth`: depth of the tree in the overview. `hasPlane`: whether the stage
 * shows the plane, or the large plot of a node in a lesson. `isPlane`: whether the stage shows nothing else.
 *
 * Return {overview: {width, height, isRound, isBeside: whether it is next to the tree or above it} or null, plane:
 * {side, room: available height, height, pad, ticks: part of the left margin for values}, view: {width, height, left, top}, above: height of everything above the
 * view, isStacked: whether the plane is above the tree}.
 * @param {number} width @param {number} height @param {"icicle" | "sunburst" | null} overview @param {number} depth
 * @param {boolean} hasPlane @param {boolean} isRecorded @param {number} type
 * @param {boolean} [isPlane] @param {boolean} [inLesson]
 */
export function layoutOf(
  width,
  height,
  overview,
  depth,
  hasPlane,
  isRecorded,
  type,
  isPlane = false,
  inLesson = false,
) {
  const above = overview && overviewOf(width, height, overview === "sunburst", depth, isRecorded);
  const beside = above?.isBeside ? above.width + GAP : 0;
  const strip = above && !beside ? above.height + GAP : 0;
  const room = Math.max(60, height - strip);
  const divide = isPlane ? alone : inLesson ? lessonLayout : isRecorded ? recordedLayout : usual;
  const shared = divide(width - beside, room, hasPlane);
  const { side, stands, isStacked } = shared;
  const view = { ...shared.view, left: shared.view.left + beside };
  const pad = { x: PAD.x, top: PAD.top * type, bottom: PAD.bottom * type };
  const tall = side + (PAD.top + PAD.bottom - 2 * PAD.x) * type;
  const mayRise = isRecorded || inLesson;
  const plane = {
    side,
    room: stands,
    height: Math.min(stands, isPlane ? stands : mayRise ? Math.max(tall, RECORDED.high * side) : tall),
    pad,
    ticks: inLesson ? TICKS * type : 0,
  };
  return { overview: above, above: strip, plane, view, isStacked };
}

/** @param {number} width @param {number} height @param {boolean} isRound @param {number} depth @param {boolean} isRecorded */
function overviewOf(width, height, isRound, depth, isRecorded) {
  if (isRound && !isRecorded && width >= DISC.beside)
    return { width: Math.min(width * DISC.share, height, DISC.most), height, isRound, isBeside: true };
  const rows = isRound ? height * 0.4 : Math.min(Math.max(70, 13 * (depth + 1)), height * 0.3);
  return { width, height: rows, isRound, isBeside: false };
}

/** @param {number} width @param {number} height @param {boolean} hasPlane */
function usual(width, height, hasPlane) {
  const side = hasPlane ? Math.min(width * BESIDE, height) : 0;
  return { side, stands: height, view: { width: width - side, height, left: 0, top: 0 }, isStacked: false };
}

/** @param {number} width @param {number} height */
function alone(width, height) {
  return { side: width, stands: height, view: { width: 1, height, left: 0, top: 0 }, isStacked: false };
}

/** @param {number} width @param {number} height @param {boolean} hasPlane */
function recordedLayout(width, height, hasPlane) {
  const isStacked = hasPlane && width < RECORDED.narrow && height > RECORDED.low;
  if (isStacked) {
    const top = Math.round(height * RECORDED.stacked);
    return { side: width, stands: top, view: { width, height: height - top, left: 0, top }, isStacked };
  }
  const side = hasPlane ? Math.round(Math.min(width * RECORDED.share, height * RECORDED.tall)) : 0;
  return { side, stands: height, view: { width: width - side, height, left: side, top: 0 }, isStacked };
}

/** @param {number} width @param {number} height @param {boolean} hasPlane */
function lessonLayout(width, height, hasPlane) {
  if (hasPlane && width < LESSON.narrow) {
    const top = Math.round(height * LESSON.stacked);
    return { side: width, stands: top, view: { width, height: height - top, left: 0, top }, isStacked: true };
  }
  const side = hasPlane ? Math.round(Math.min(width * LESSON.share, height * LESSON.tall)) : 0;
  return { side, stands: height, view: { width: width - side, height, left: side, top: 0 }, isStacked: false };
}
