// Fresh draws of a general statement: a button asks the page for one more draw, and a histogram grows by its value.

import { fill, h } from "../elements/dom.js";
import { numberTicks } from "../draw/axis.js";
import { number } from "../model/number_text.js";

const [WIDTH, HEIGHT, FOOT, TOP] = [320, 132, 34, 16]; // in units of the view box
const BINS = 24;

/**
 * Return the ends of the axis: all values, the threshold and the lesson's own draw, with the usual ends of the claim.
 * @param {LessonClaim} claim @param {number[]} values @returns {Pair}
 */
export function endsOfDraws({ ends, own, above }, values) {
  const all = [...ends, own, above, ...values];
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const margin = (high - low || 1) / BINS;
  return [low - margin, high + margin];
}

/** Return the number of values in each bin between two ends. @param {number[]} values @param {Pair} ends */
export function binsOf(values, [low, high]) {
  const counts = Array.from({ length: BINS }, () => 0);
  for (const value of values) counts[Math.min(BINS - 1, Math.floor((BINS * (value - low)) / (high - low)))] += 1;
  return counts;
}

/**
 * Return in words in how many draws the statement is true, and on how many it is undefined.
 * @param {LessonClaim} claim @param {FreshValues} drawn
 */
export function drawsText({ above }, { values, refuted }) {
  const known = values.filter((value) => value !== null);
  const holds = known.filter((value) => value > above).length;
  const undefinedOn = values.length - known.length;
  return [
    known.length ? `True in ${holds} of ${known.length} new draws.` : values.length ? "" : "No new draws yet.",
    undefinedOn ? `The value is undefined on ${undefinedOn}.` : "",
    refuted ? "These draws contradict the statement." : "",
  ]
    .filter(Boolean)
    .join(" ");
}

/** `element` contains the button and the histogram. `ask` receives the number of draws that the page should have. */
export class FreshDraws {
  /** @param {Store} store @param {LessonClaim} claim @param {(count: number) => void} ask */
  constructor(store, claim, ask) {
    this.store = store;
    this.claim = claim;
    /** @type {FreshValues} */
    this.drawn = { claim: claim.name, values: [], refuted: false };
    this.isWaiting = false;
    this.button = h("button", { "data-testid": "lesson-draw-again", onclick: () => this.more(ask) }, "Draw again");
    this.status = h("p", { class: "drawn-status", "data-testid": "lesson-drawn", "aria-live": "polite" });
    this.picture = h("div", { class: "histogram" });
    this.element = h(
      "div",
      { class: "fresh", hidden: true },
      h("p", { class: "statement" }, claim.statement, h("small", {}, ` ${claim.source}`)),
      h("div", { class: "drawing" }, this.button, this.status),
      this.picture,
    );
  }

  /** Ask for one more draw, unless the page still computes one. A disabled button would lose the focus. @param {(count: number) => void} ask */
  more(ask) {
    if (this.isWaiting) return;
    this.isWaiting = true;
    this.button.setAttribute("aria-disabled", "true");
    ask(this.drawn.values.length + 1);
  }

  /** Show the draws of the page, if they belong to this claim. @param {FreshValues | null} drawn */
  hear(drawn) {
    if (!drawn || drawn.claim !== this.claim.name) return;
    const wasWaiting = this.isWaiting;
    this.drawn = drawn;
    this.isWaiting = false;
    this.button.removeAttribute("aria-disabled");
    this.draw();
    // The words may be higher than their panel. The button stays in place while the draws continue.
    if (wasWaiting) this.element.scrollIntoView({ block: "nearest" });
  }

  /** Draw the histogram once the trees, which determine the colours, are unpacked. */
  draw() {
    const { claim, drawn } = this;
    if (!this.store.path) return;
    const values = drawn.values.filter((value) => value !== null);
    this.status.textContent = drawsText(claim, drawn);
    const ends = endsOfDraws(claim, values);
    const counts = binsOf(values, ends);
    const theme = this.store.colors.theme;
    const at = (/** @type {number} */ value) => (WIDTH * (value - ends[0])) / (ends[1] - ends[0]);
    const bottom = HEIGHT - FOOT;
    const unit = Math.min(10, (bottom - TOP) / Math.max(1, ...counts));
    const sorted = [...values].sort((a, b) => a - b);
    const words = values.length
      ? `Histogram of ${values.length} new draws, ${claim.statistic}: ${number(sorted[0])} to ${number(sorted[sorted.length - 1])}, median ${number(sorted[Math.floor(sorted.length / 2)])}.`
      : `Empty histogram, ${claim.statistic}.`;
    const image = svg("svg", {
      ...{ viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img" },
      "aria-label": `${words} The draw of the lesson: ${number(claim.own)}.`,
    });
    image.append(svg("line", { x1: 0, x2: WIDTH, y1: bottom, y2: bottom, stroke: theme.muted }));
    for (const { value, text } of numberTicks(ends[0], ends[1], WIDTH))
      image.append(svg("text", { x: at(value), y: bottom + 14, fill: theme.muted, "text-anchor": "middle" }, text));
    image.append(svg("text", { x: 0, y: HEIGHT - 3, fill: theme.muted }, claim.statistic));
    const edge = at(claim.above);
    image.append(
      svg("line", { x1: edge, x2: edge, y1: TOP, y2: bottom, stroke: theme.muted, "stroke-dasharray": "4 3" }),
    );
    counts.forEach((count, bin) => {
      const width = WIDTH / BINS;
      const middle = ends[0] + ((bin + 0.5) * (ends[1] - ends[0])) / BINS;
      const box = { x: bin * width + 0.5, y: bottom - count * unit, width: width - 1, height: count * unit };
      if (count) image.append(svg("rect", { ...box, fill: middle > claim.above ? theme.accent : theme.toRight }));
    });
    const own = at(claim.own);
    image.append(svg("path", { d: `M${own} ${bottom}l-5 -9h10z`, fill: theme.text, stroke: theme.background }));
    const anchor = own < WIDTH / 4 ? "start" : own > (3 * WIDTH) / 4 ? "end" : "middle";
    image.append(svg("line", { x1: own, x2: own, y1: TOP, y2: bottom, stroke: theme.text, "stroke-width": 1.5 }));
    image.append(svg("text", { x: own, y: TOP - 4, fill: theme.text, "text-anchor": anchor }, "this lesson"));
    fill(this.picture, image);
  }
}

/** @param {string} tag @param {Record<string, string | number>} attributes @param {string} [text] */
function svg(tag, attributes, text = "") {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.textContent = text;
  return element;
}
