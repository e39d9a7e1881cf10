// Points that the user has painted. Both coordinates are whole numbers from 0 to 1023, and the class is 0 to 7.

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const VALUE = new Map([...ALPHABET].map((letter, value) => [letter, value]));
const UNDOS = 60;
export const MOST_POINTS = 5000;
export const TOP = 1023;

export class PaintedPoints {
  /**
   * `text`: points in URL-safe base64 with 4 letters per point: 10 bits for x, 10 bits for y (upwards), 4 bits for the
   * class. By default there are no points.
   */
  constructor(text = "") {
    this.points = decode(text);
    /** @type {number[][][]} */
    this.history = [];
  }

  get n() {
    return this.points.length;
  }

  get isFull() {
    return this.n >= MOST_POINTS;
  }

  get text() {
    return encode(this.points);
  }

  /** Begin a group of changes that are undone together. */
  begin() {
    this.history.push(this.points.slice());
    if (this.history.length > UNDOS) this.history.shift();
  }

  /**
   * Add a point [x, y, class], rounded and moved inside the plane; return whether there was space for it.
   * @param {number} x @param {number} y @param {number} label
   */
  add(x, y, label) {
    if (this.isFull) return false;
    this.points.push([inside(x), inside(y), label]);
    return true;
  }

  /**
   * Remove the points within a distance; return their number.
   * @param {number} x @param {number} y @param {number} radius
   */
  erase(x, y, radius) {
    const { n } = this;
    this.points = this.points.filter((point) => Math.hypot(point[0] - x, point[1] - y) > radius);
    return n - this.n;
  }

  clear() {
    if (!this.n) return;
    this.begin();
    this.points = [];
  }

  /** Undo the last group of changes; return whether there was one. */
  undo() {
    const before = this.history.pop();
    if (before) this.points = before;
    return before !== undefined;
  }
}

/** @param {number} value */
function inside(value) {
  return Math.max(0, Math.min(TOP, Math.round(value)));
}

/** @param {number[][]} points */
function encode(points) {
  return points
    .map(([x, y, label]) => {
      const bits = (x << 14) | (y << 4) | label;
      return [18, 12, 6, 0].map((shift) => ALPHABET[(bits >> shift) & 63]).join("");
    })
    .join("");
}

/** Return the points in a text, without invalid points. @param {string} text */
function decode(text) {
  const points = [];
  for (let i = 0; i + 4 <= text.length && points.length < MOST_POINTS; i += 4) {
    const values = [...text.slice(i, i + 4)].map((letter) => VALUE.get(letter) ?? -1);
    if (values.includes(-1)) continue;
    const bits = values.reduce((sum, value) => (sum << 6) | value, 0);
    points.push([bits >> 14, (bits >> 4) & TOP, Math.min(bits & 15, 7)]);
  }
  return points;
}
