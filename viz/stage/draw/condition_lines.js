// Breaks the text of a condition into lines that fit: between terms, then between words, never within a number.
// viz/words/text_fit.py does the same; here the text widths come from the browser.

import { textWidth } from "./labels.js";

const SIGN = / (?=[+−≥≤<>] )|(?<=;) /; // A line may end at these positions.
const LEAST_NAME = 3; // minimum number of letters of a cut name; fewer would not identify it
const STEPS = 7; // steps of the binary search for a width
/** @type {Map<string, {lines: string[], isWhole: boolean}>} */
const known = new Map();

/**
 * Return {lines, isWhole}: as few lines of at most `room` as possible, at most `most`, and as narrow as possible.
 * `texts` are ordered from the longest to the shortest, and the first one that fits is used. If none fits, the names of
 * the last text are cut, and `isWhole` is false. If the numbers alone do not fit, the result is [].
 * @param {string[]} texts @param {number} size @param {number} room @param {number} most
 */
export function conditionLines(texts, size, room, most) {
  const key = `${size} ${Math.floor(room)} ${most} ${texts[0]}`;
  let found = known.get(key);
  if (found) return found;
  if (known.size > 4000) known.clear();
  known.set(key, (found = breakLines(texts, size, Math.floor(room), most)));
  return found;
}

/**
 * Return the minimum width in which the whole condition fits on `most` lines.
 * @param {string} text @param {number} size @param {number} most
 */
export function roomOf(text, size, most) {
  let [low, high] = [0, textWidth(text, size) + 1];
  for (let step = 0; step < STEPS; step++) {
    const middle = (low + high) / 2;
    if (wholeLines(text, size, middle, most)) high = middle;
    else low = middle;
  }
  return Math.ceil(high);
}

/** @param {string} text @param {number} size @param {number} room @param {number} most @returns {string[] | null} */
function wholeLines(text, size, room, most) {
  if (textWidth(text, size) > room * most) return null;
  const terms = text.split(SIGN);
  for (const parts of [terms, terms.flatMap(wordsOf)]) {
    const lines = fillLines(parts, size, room);
    if (lines && lines.length <= most) return balanceLines(lines, parts, size);
  }
  return null;
}

/** @param {string[]} texts @param {number} size @param {number} room @param {number} most */
function breakLines(texts, size, room, most) {
  for (const text of texts) {
    const lines = wholeLines(text, size, room, most);
    if (lines) return { lines, isWhole: true };
  }
  const named = texts[texts.length - 1].split(SIGN).map(numberAndName);
  const longest = Math.max(...named.map(([, name]) => [...name].length));
  for (let keep = longest - 1; keep >= Math.min(longest, LEAST_NAME); keep--) {
    const shown = named.map(([number, name]) => number + cut(name, keep));
    const lines = fillLines(shown, size, room);
    if (lines && lines.length <= most) return { lines: balanceLines(lines, shown, size), isWhole: false };
  }
  return { lines: [], isWhole: false };
}

/** Split a term into the part that is never cut and the name: ["+ 0.5 · ", "petal length"]. @param {string} term */
function numberAndName(term) {
  const at = term.indexOf(" · ");
  if (at >= 0) return [term.slice(0, at + 3), term.slice(at + 3)];
  return SIGN.test(` ${term}`) ? [term, ""] : ["", term];
}

/**
 * Split a term into words, and keep the number with the first word: ["+ 0.5 · petal", "length"].
 * @param {string} term
 */
function wordsOf(term) {
  const [number, name] = numberAndName(term);
  const words = name.split(" ");
  return [number + words[0], ...words.slice(1)];
}

/** @param {string} name @param {number} keep */
function cut(name, keep) {
  const letters = [...name];
  if (letters.length <= keep) return name;
  const end = (keep - 1) >> 1;
  return `${letters.slice(0, keep - 1 - end).join("")}…${end ? letters.slice(-end).join("") : ""}`;
}

/**
 * Fill lines with whole parts. Return null if a part is too wide.
 * @param {string[]} parts @param {number} size @param {number} room
 */
function fillLines(parts, size, room) {
  /** @type {string[]} */
  const lines = [];
  for (const part of parts) {
    const longer = lines.length ? `${lines[lines.length - 1]} ${part}` : part;
    if (lines.length && textWidth(longer, size) <= room) lines[lines.length - 1] = longer;
    else if (textWidth(part, size) <= room) lines.push(part);
    else return null;
  }
  return lines;
}

/**
 * Return the same number of lines, with the widest line as narrow as possible.
 * @param {string[]} lines @param {string[]} parts @param {number} size
 */
function balanceLines(lines, parts, size) {
  while (lines.length > 1) {
    const widest = Math.max(...lines.map((line) => textWidth(line, size)));
    const narrower = fillLines(parts, size, widest * (1 - 1e-6));
    if (!narrower || narrower.length > lines.length) break;
    lines = narrower;
  }
  return lines;
}
