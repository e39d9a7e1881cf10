// A chart of a lesson in the place of the tree: a dot plot of named rows, or lines over a number. Some series appear
// with the answer.

import { FONT, fill, h } from "../elements/dom.js";
import { numberTicks } from "../draw/axis.js";
import { textWidth } from "../draw/labels.js";
import { number } from "../model/number_text.js";

const TEXT = 13; // in pixels, for text of the usual size
const [RADIUS, GAP] = [5, 8]; // in pixels, for text of the usual size
const MOST_ROW = 56; // maximum height of a row of the dot plot
const COLORS = /** @type {const} */ (["muted", "accent", "toRight"]);
const ABOVE = 1.05; // largest value of the scale, as a multiple of the largest value

/**
 * Return the ends of a scale that contains 0 and all values, also if they are equal or missing.
 * @param {(number | null)[]} values @returns {Pair}
 */
export function endsOf(values) {
  const known = values.filter((value) => value !== null);
  const [low, high] = [Math.min(0, ...known), ABOVE * Math.max(0, ...known)];
  return high > low ? [low, high] : [0, 1];
}

/** Return the position of a value between two ends, 0 to 1. @param {number} value @param {Pair} ends */
export function shareOf(value, [low, high]) {
  return high === low ? 0.5 : (value - low) / (high - low);
}

/**
 * Return the [place, value] of all values, in one list for each part of the line between missing values.
 * @param {(number | null)[]} values @returns {Pair[][]}
 */
export function piecesOf(values) {
  /** @type {Pair[][]} */
  const pieces = [[]];
  values.forEach((value, i) => (value === null ? pieces.push([]) : pieces[pieces.length - 1].push([i, value])));
  return pieces.filter((piece) => piece.length);
}

/** `element` covers the stage. Call draw() once the size of the stage is known. */
export class LessonFigure {
  /** @param {Store} store @param {Figure} figure */
  constructor(store, figure) {
    this.store = store;
    this.figure = figure;
    /** @type {Series[]} */
    this.late = [];
    this.element = h("div", { class: "forest lesson-figure" });
  }

  /** Show the series that belong to the answer, or none. @param {Series[]} late */
  show(late) {
    this.late = late;
    this.draw();
  }

  get size() {
    return TEXT * this.store.state.type;
  }

  get theme() {
    return this.store.colors.theme;
  }

  get series() {
    return [...this.figure.series, ...this.late];
  }

  draw() {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (!width || !this.store.path) return;
    const { figure } = this;
    const image = svg("svg", {
      ...{ width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "data-testid": "lesson-figure" },
      ...{ "aria-label": this.words(), "font-family": FONT, "font-size": this.size },
    });
    const top = this.head(image, width);
    if (figure.across) this.lines(image, width, height, top);
    else this.dots(image, width, height, top);
    fill(this.element, image);
  }

  /** Return all visible values in words. */
  words() {
    const { title, places, axis, across } = this.figure;
    const rows = places.map((place, i) => {
      const values = this.series.flatMap(({ name, values: own }) =>
        own[i] === null ? [] : `${name} ${number(own[i])}`,
      );
      return `${across ? `${across} ` : ""}${place}: ${values.join(", ") || "no value"}`;
    });
    return `${title} (${axis}). ${rows.join("; ")}.`;
  }

  /** Draw the title and, above a dot plot, the names of the series; return the position below. @param {Element} image @param {number} width */
  head(image, width) {
    const { size, figure, theme } = this;
    const gap = GAP * this.store.state.type;
    let y = 1.6 * size;
    for (const line of wrapped(figure.title, size * 1.05, width - 4 * gap)) {
      image.append(label(line, 2 * gap, y, theme.text, { "font-weight": 600, "font-size": size * 1.05 }));
      y += 1.35 * size;
    }
    y += 0.4 * size;
    if (figure.across) return y;
    let x = 2 * gap;
    for (const one of this.series) {
      const k = this.series.indexOf(one);
      const wide = textWidth(one.name, size) + 2 * RADIUS + 3 * gap;
      if (x > 2 * gap && x + wide > width) [x, y] = [2 * gap, y + 1.4 * size];
      image.append(this.mark(k, x + RADIUS, y - 0.35 * size));
      image.append(label(one.name, x + 2 * RADIUS + gap, y, theme.text));
      x += wide;
    }
    return y + 0.9 * size;
  }

  /** Return the mark of a series, which differs from the others by its shape and its colour. @param {number} k @param {number} x @param {number} y */
  mark(k, x, y) {
    const { theme } = this;
    const r = RADIUS * Math.sqrt(this.store.state.type);
    const color = theme[COLORS[k % COLORS.length]];
    const look = {
      fill: k === 1 ? color : this.figure.across ? theme.background : "none",
      stroke: color,
      "stroke-width": 2.2,
    };
    const side = (this.figure.across ? 1.5 : 2.1) * r;
    // Marks at the same place are nested, so that each is visible.
    if (k === 2) return svg("rect", { x: x - side / 2, y: y - side / 2, width: side, height: side, ...look });
    return svg("circle", { cx: x, cy: y, r: k || this.figure.across ? 0.8 * r : 1.6 * r, ...look });
  }

  get ends() {
    return endsOf(this.series.flatMap((one) => one.values));
  }

  /** @param {Element} image @param {number} width @param {number} height @param {number} top */
  dots(image, width, height, top) {
    const { figure, size, theme } = this;
    const gap = GAP * this.store.state.type;
    const names = figure.places.map(String);
    const left = 3.8 * gap + Math.max(...names.map((name) => textWidth(name, size)));
    const right = width - 4 * gap - textWidth("00.0", size);
    const foot = 3.4 * size;
    const row = Math.min(MOST_ROW * this.store.state.type, (height - top - foot) / names.length);
    const bottom = top + row * names.length;
    const [low, high] = this.ends;
    const at = (/** @type {number} */ value) => left + shareOf(value, [low, high]) * (right - left);
    for (const { value, text } of numberTicks(low, high, (right - left) / this.store.state.type)) {
      image.append(svg("line", { x1: at(value), x2: at(value), y1: top, y2: bottom, stroke: theme.line }));
      image.append(label(text, at(value), bottom + 1.2 * size, theme.muted, { "text-anchor": "middle" }));
    }
    image.append(label(figure.axis, (left + right) / 2, bottom + 2.6 * size, theme.muted, { "text-anchor": "middle" }));
    names.forEach((name, i) => {
      const y = top + (i + 0.5) * row;
      const values = this.series.map((one) => one.values[i]).filter((value) => value !== null);
      image.append(label(name, left - 1.8 * gap, y + 0.35 * size, theme.text, { "text-anchor": "end" }));
      const [x1, x2] = [at(Math.min(...values)), at(Math.max(...values))];
      if (values.length === 1) image.append(label(number(values[0]), x2 + 2 * gap, y + 0.35 * size, theme.text));
      if (values.length > 1)
        image.append(svg("line", { x1, x2, y1: y, y2: y, stroke: theme.muted, "stroke-width": 2, opacity: 0.6 }));
      for (const one of this.series) {
        const value = one.values[i];
        if (value === null) continue;
        const mark = this.mark(this.series.indexOf(one), at(value), y);
        mark.append(svg("title", {}, `${name}, ${one.name}: ${number(value)}`));
        image.append(mark);
      }
    });
  }

  /** @param {Element} image @param {number} width @param {number} height @param {number} top */
  lines(image, width, height, top) {
    const { figure, size, theme } = this;
    const series = this.series.flatMap(({ name, values }) => {
      const pieces = piecesOf(values);
      return pieces.length ? { name, pieces, last: pieces.flat().slice(-1)[0][1] } : [];
    });
    const { type } = this.store.state;
    const gap = GAP * type;
    const xs = figure.places.map(Number);
    const [low, high] = this.ends;
    const above = top + 1.6 * size;
    const bottom = height - 3.4 * size;
    const ticks = numberTicks(low, high, (bottom - above) / type);
    const left = 3 * gap + Math.max(0, ...ticks.map(({ text }) => textWidth(text, size)));
    const right = width - 3 * gap - Math.max(...this.series.map(({ name }) => textWidth(name, size, 600)));
    const atX = (/** @type {number} */ x) => left + shareOf(x, [xs[0], xs[xs.length - 1]]) * (right - left);
    const atY = (/** @type {number} */ y) => bottom - shareOf(y, [low, high]) * (bottom - above);
    image.append(label(`↑ ${figure.axis}`, left, top + 0.4 * size, theme.muted));
    for (const { value, text } of ticks) {
      image.append(svg("line", { x1: left, x2: right, y1: atY(value), y2: atY(value), stroke: theme.line }));
      image.append(label(text, left - gap, atY(value) + 0.35 * size, theme.muted, { "text-anchor": "end" }));
    }
    for (const x of xs)
      image.append(label(number(x), atX(x), bottom + 1.3 * size, theme.muted, { "text-anchor": "middle" }));
    image.append(
      label(figure.across, (left + right) / 2, bottom + 2.6 * size, theme.muted, { "text-anchor": "middle" }),
    );
    let free = Infinity; // lower end of the place for the next name at the right
    for (const one of series.sort((a, b) => a.last - b.last)) {
      const k = this.series.findIndex(({ name }) => name === one.name);
      const color = theme[COLORS[k % COLORS.length]];
      const d = one.pieces.map((piece) => `M${piece.map(([i, y]) => `${atX(xs[i])} ${atY(y)}`).join("L")}`).join("");
      image.append(svg("path", { d, fill: "none", stroke: color, "stroke-width": 2.5 }));
      one.pieces.flat().forEach(([i, value]) => {
        const mark = this.mark(k, atX(xs[i]), atY(value));
        mark.append(svg("title", {}, `${one.name}, ${figure.across} ${xs[i]}: ${number(value)}`));
        image.append(mark);
      });
      const y = Math.min(atY(one.last) + 0.35 * size, free);
      free = y - 1.2 * size;
      image.append(label(one.name, right + 1.5 * gap, y, color, { "font-weight": 600 }));
    }
  }
}

/** @param {string} tag @param {Record<string, string | number>} attributes @param {string} [text] */
function svg(tag, attributes, text = "") {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.textContent = text;
  return element;
}

/** @param {string} text @param {number} x @param {number} y @param {string} color @param {Record<string, string | number>} [look] */
function label(text, x, y, color, look = {}) {
  return svg("text", { x, y, fill: color, ...look }, text);
}

/** Return a text in lines of at most `room` pixels. @param {string} text @param {number} size @param {number} room */
function wrapped(text, size, room) {
  /** @type {string[]} */
  const lines = [];
  for (const word of text.split(" ")) {
    const longer = lines.length ? `${lines[lines.length - 1]} ${word}` : word;
    if (lines.length && textWidth(longer, size, 600) <= room) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
