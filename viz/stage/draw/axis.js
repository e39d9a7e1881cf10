// Draws the axis below a plot: its name, its ends and, for dates, the years or months.

import { textWidth } from "./labels.js";
import { FEW_DIGITS, dateText, number, significant } from "../model/number_text.js";

const TICK = 44; // minimum width of a date label in pixels
const CHARACTER = 7; // width of a digit in pixels, and the space between two labels
const GAP = 12;
const MISSING = "missing"; // name of the strip left of an axis
const EDGE = 5; // pixels between the value of a tick and the plot
const MOST_TICKS = 8;
const WHOLE = 1e5; // smaller whole numbers keep all digits
const MONTHS = [1, 3, 6, 12, 24, 60, 120, 240, 600, 1200]; // months between two ticks

/**
 * Return the value of a feature as text for the end of an axis.
 * @param {Path} path @param {number} j @param {number} value
 */
export function endText({ dates, levels }, j, value) {
  const digits = Math.abs(value) < WHOLE && Number.isInteger(value) ? null : FEW_DIGITS; // Years have four digits.
  return levels[j]?.[Math.round(value)] ?? ((dates.has(j) && dateText(Math.round(value))) || number(value, digits));
}

/**
 * Return the range [from, to], clipped to the ends of the axis.
 * @param {{first: number, last: number}} axis @param {number} from @param {number} to @returns {Pair}
 */
export function within({ first, last }, from, to) {
  return [Math.min(Math.max(from, first), to), Math.max(Math.min(to, last), from)];
}

/**
 * Return at most `most` first days of years or months between two days.
 * @param {number} low @param {number} high @param {number} most
 */
function dateTicks(low, high, most) {
  const months = (high - low) / 30.44;
  const step = MONTHS.find((one) => months / one <= most);
  if (step === undefined || dateText(Math.ceil(low)) === null || dateText(Math.floor(high)) === null) return [];
  const first = new Date(low * 864e5);
  const start = Math.ceil((first.getUTCFullYear() * 12 + first.getUTCMonth()) / step) * step;
  const ticks = [];
  for (let month = start; ; month += step) {
    const day = Date.UTC(2000, month - 24000, 1) / 864e5;
    if (day > high) return ticks;
    const text = dateText(day) ?? "";
    if (day >= low) ticks.push({ value: day, text: text.slice(0, step % 12 ? 7 : 4), room: TICK });
  }
}

/**
 * Return round values in a range as ticks, as many as fit into `room` pixels. They are whole if both ends are.
 * @param {number} first @param {number} last @param {number} room
 * @returns {{value: number, text: string, room: number}[]}
 */
export function numberTicks(first, last, room) {
  if (!(last > first)) return [];
  const isWhole = Number.isInteger(first) && Number.isInteger(last);
  const start = Math.floor(Math.log10((last - first) / MOST_TICKS)) - 1;
  for (let place = 0; place < 12; place++) {
    const step = [1, 2, 5][place % 3] * significant(10 ** (start + Math.floor(place / 3)), 1);
    const [from, to] = [Math.ceil(first / step), Math.floor(last / step)];
    if (!(to > from)) return [];
    if (to - from >= MOST_TICKS || (isWhole && step < 1)) continue;
    const values = Array.from({ length: to - from + 1 }, (_, i) => significant((from + i) * step, 12));
    const texts = values.map((value) => number(value, null));
    const own = CHARACTER * Math.max(...texts.map((text) => text.length)) + GAP;
    if (own * values.length <= room) return values.map((value, i) => ({ value, text: texts[i], room: own }));
  }
  return [];
}

/**
 * Draw the ticks of a vertical axis left of an area if the picture has space for them; return whether they are drawn.
 * `j`: the feature, or null if the axis is not a feature. `ends`: the limits of the area, and the range of the values.
 * @param {Picture} picture @param {Area} area @param {number | null} j @param {Numbers} ends
 */
export function drawUpwardTicks(picture, { left, top, h }, j, [low, high, first, last]) {
  const { path, colors, size, context, type, ticks: room = 0 } = picture;
  if (!room || (j !== null && (path.dates.has(j) || path.levels[j]))) return false;
  const ticks = numberTicks(first, last, h / type);
  if (ticks.length < 2 || ticks.some(({ text }) => textWidth(text, size.small) > room + EDGE)) return false;
  context.fillStyle = colors.theme.muted;
  for (const { value, text } of ticks) {
    const y = top + h - ((value - low) / (high - low)) * h;
    context.fillRect(left - 3, y - 0.5, 3, 1);
    picture.text.add({
      ...{ x: left - EDGE, y, text, room: room + EDGE, whole: true },
      ...{ align: "right", color: colors.theme.muted, size: size.small, kind: "axis" },
    });
  }
  return true;
}

/**
 * Draw the ticks or the ends and the name of an axis below an area. With `nameY`, the name is on the next line. `j`: the feature, or
 * null if the axis is not a feature. `isTurned`: whether small values go right, so that arrows at the ends show it.
 * @param {Picture} picture @param {Box} box @param {Area} area @param {number | null} j
 * @param {{low: number, high: number, first: number, last: number, y: number, name: string, nameY?: number, strip?: number, isTurned?: boolean}} axis
 */
export function drawAxis(picture, box, { left, top, w, h }, j, axis) {
  const { low, high, first, last, y, name, nameY, strip = 0, isTurned = false } = axis;
  const { path, colors, size, context, type } = picture;
  /** @param {Pick<Label, "x" | "text" | "room" | "align"> & {y?: number, whole?: boolean}} label */
  const add = (label) => picture.text.add({ color: colors.theme.muted, size: size.small, kind: "axis", y, ...label });
  const isDate = j !== null && path.dates.has(j);
  const isNumber = j === null || !(isDate || path.levels[j]);
  const hasRoom = nameY !== undefined; // A tick needs space for its text.
  const ticks = hasRoom && isDate ? dateTicks(low, high, Math.floor(w / TICK / type)) : [];
  if (hasRoom && isNumber) ticks.push(...numberTicks(first, last, w / type));
  const isTold = ticks.length > 1;
  const start = left - strip; // of the strip for missing values
  const hasStrip = strip > 0;
  context.fillStyle = colors.theme.muted;
  for (const { value, text, room: usual } of isTold ? ticks : []) {
    const room = usual * type;
    const x = left + ((value - low) / (high - low)) * w;
    context.fillRect(x - 0.5, top + h, 1, 3);
    const edge = (room - GAP * type) / 3;
    if (x - left > edge && left + w - x > edge) add({ x, text, room, whole: true });
  }
  if (!isTold) {
    const room = nameY === undefined ? w / 4 : w / 3;
    const [end, other] = [first, last].map((value) => endText(path, j ?? -1, value));
    const [before, after] = isTurned ? [`${end} →`, `← ${other}`] : [end, other];
    const both = `${MISSING} │ ${before}`;
    const fits = 2 * textWidth(both, size.small) + textWidth(name, size.small) + GAP < w + strip;
    if (hasStrip && !hasRoom && fits) add({ x: start, text: both, align: "left", room: (w + strip) / 2, whole: true });
    else add({ x: left, text: before, align: "left", room, whole: true });
    add({ x: left + w, text: after, align: "right", room, whole: true });
  }
  if (hasStrip && hasRoom) {
    const room = (w + strip - textWidth(name, size.small)) / 2 - GAP / 2;
    add({ x: start, y: nameY, text: MISSING, align: "left", room, whole: true }); // the strip above this text
  }
  add({ x: box.x, y: nameY ?? y, text: name, room: nameY === undefined ? box.w / 2 : box.w, whole: picture.isWhole });
}
