// Positions on the map of a tree.

const SHARE = { width: 0.22, height: 0.3 }; // maximum size of the map, as shares of the view
const LARGEST = 200; // width in pixels

/**
 * Return the map of a view: {w, h: size in pixels, scale: pixels of the map per pixel of the whole tree}.
 * @param {number} width @param {number} height
 */
export function mapOf(width, height) {
  const scale = Math.min(SHARE.width, SHARE.height, LARGEST / width);
  return { w: width * scale, h: height * scale, scale };
}

/**
 * Return the part of the map that is in view, as {left, top, w, h}.
 * @param {{w: number, h: number, scale: number}} map @param {{zoom: number, x: number, y: number}} camera
 * @param {number} width @param {number} height
 */
export function frameInMap({ w, h, scale }, { zoom, x, y }, width, height) {
  /** @param {number} offset @param {number} size @param {number} most */
  const part = (offset, size, most) => {
    const ends = [-offset / zoom, (size - offset) / zoom].map((end) => Math.min(most, Math.max(0, end * scale)));
    return [ends[0], ends[1] - ends[0]];
  };
  const [left, wide] = part(x, width, w);
  const [top, high] = part(y, height, h);
  return { left, top, w: wide, h: high };
}
