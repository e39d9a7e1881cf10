// Break the text of a condition into lines that fit: between its terms, then between its words, never within a number.
// The same as viz/words/condition_lines.py, with the text widths of the browser.

import { textWidth } from "./labels.js";

const SIGN = / (?=[+−≥≤<>] )|(?<=;) /; // a line may end at these places
const LEAST_NAME = 3; // letters; fewer letters of a cut name would not identify it
const STEPS = 7; // steps of a search for a width
/** @type {Map<string, {lines: string[], isWhole: boolean}>} */
const known = new Map();

/**
 * Return {lines, isWhole}: the fewest lines, at most `most`, of at most `room` at this size of text; among these the
 * narrowest. `texts`: from the longest to the shortest; the first that fits in full, else the last, with its names cut
 * (then `isWhole` is false); [] if its numbers alone do not fit.
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
 * Return the smallest room in which a condition fits in full on at most so many lines.
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

/** Split a term into words, the number with the first: ["+ 0.5 · petal", "length"]. @param {string} term */
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
 * Fill lines with whole parts; return null if a part is too wide.
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
 * Return the same number of lines, with the widest as narrow as possible.
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
