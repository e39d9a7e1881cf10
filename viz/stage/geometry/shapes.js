// Shapes that the user draws with the pointer to select the rows inside.

/** Return the corners of the box between two points. @param {Pair} from @param {Pair} to @returns {Corners} */
export function boxOf([x0, y0], [x1, y1]) {
  return [
    [Math.min(x0, x1), Math.min(y0, y1)],
    [Math.max(x0, x1), Math.min(y0, y1)],
    [Math.max(x0, x1), Math.max(y0, y1)],
    [Math.min(x0, x1), Math.max(y0, y1)],
  ];
}

/**
 * Return whether a point is inside a closed polygon (even-odd rule).
 * @param {Corners} corners @param {number} x @param {number} y
 */
export function holds(corners, x, y) {
  let inside = false;
  for (let i = 0, j = corners.length - 1; i < corners.length; j = i++) {
    const [xi, yi] = corners[i],
      [xj, yj] = corners[j];
    if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) inside = !inside;
  }
  return inside;
}

/** Return the left and the right end of a polygon. @param {Corners} corners @returns {Pair} */
export function span(corners) {
  const x = corners.map((corner) => corner[0]);
  return [Math.min(...x), Math.max(...x)];
}

/** Return the width that determines the level of detail of a node. @param {Looks["detail"]} detail @param {Box} box */
export function widthForDetail({ tall }, { w, h }) {
  return Math.max(w, h * tall);
}
