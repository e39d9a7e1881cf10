// Places the text of the tree as elements above the canvas, without overlaps and never below the minimum text size.

import { FONT, offscreen } from "../elements/dom.js";
import { grouped } from "../model/tree.js";

const widths = new Map();
/** @type {OffscreenCanvasRenderingContext2D | undefined} */
let ruler;

/** Return the width of a text in CSS pixels. @param {string} text @param {number} size */
export function textWidth(text, size, weight = 400) {
  const key = `${weight} ${text}`;
  let width = widths.get(key);
  if (width === undefined) {
    ruler ??= offscreen(1, 1);
    ruler.font = `${weight} 20px ${FONT}`;
    width = ruler.measureText(text).width / 20;
    if (widths.size > 20000) widths.clear();
    widths.set(key, width);
  }
  return width * size;
}

/**
 * Cut `text` in the middle to fit `room`. Return "" if too little of it would remain.
 * @param {string} text @param {number} room @param {number} size
 */
function shorten(text, room, size, weight = 400) {
  const letters = [...text].slice(0, 120);
  text = letters.join("") + (letters.length < 120 ? "" : "…");
  if (textWidth(text, size, weight) <= room) return text;
  let low = 0,
    high = letters.length - 1;
  /** @param {number} kept */
  const cut = (kept) =>
    `${letters.slice(0, Math.ceil(kept / 2)).join("")}…${kept > 1 ? letters.slice(-Math.floor(kept / 2)).join("") : ""}`;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (textWidth(cut(middle), size, weight) <= room) low = middle;
    else high = middle - 1;
  }
  return low >= 3 ? cut(low) : "";
}

/**
 * Return the position of a label as {text, left, top, width, height}, or null if it does not fit. `look`: `looks.text`.
 * @param {Label} label @param {Looks["text"]} look
 */
function place(label, look) {
  const { room, weight = 400, align = "center" } = label;
  let { size } = label;
  if (size < look.smallest || room < 4) return null;
  const padding = label.background ? look.padding : 0;
  let text = label.text;
  if (label.shrinks)
    size = Math.max(
      label.floor ?? look.smallest,
      Math.min(size, (0.98 * size * (room - 2 * padding)) / textWidth(text.slice(0, 40), size, weight)),
    );
  if (label.whole) {
    if (textWidth(text, size, weight) > room) return null; // Half a number would mislead.
  } else text = shorten(text, room - 2 * padding, size, weight);
  if (!text) return null;
  const width = Math.max(textWidth(text, size, weight) + 2 * padding, Math.min(label.least ?? 0, room));
  const height = size * look.height;
  const left = align === "left" ? label.x : align === "right" ? label.x - width : label.x - width / 2;
  return { text, size, left, top: label.y - height / 2, width, height };
}

/** Places labels without overlaps. Earlier labels take priority. `fits` also tests the boxes in `obstacles`. */
class Places {
  /** @param {Looks["text"]} look */
  constructor(look) {
    this.look = look;
    this.rows = new Map();
  }

  /** Yield the placed boxes in the strips that a box covers. @param {LabelBox} box */
  *strips({ top, height }) {
    const { strip } = this.look;
    for (let r = Math.floor(top / strip); r <= Math.floor((top + height) / strip); r++) {
      if (!this.rows.has(r)) this.rows.set(r, []);
      yield this.rows.get(r);
    }
  }

  /** @param {LabelBox} box */
  isFree(box) {
    for (const row of this.strips(box)) for (const other of row) if (this.meet(box, other)) return false;
    return true;
  }

  /** @param {LabelBox} box */
  take(box) {
    if (!this.isFree(box)) return false;
    this.block(box);
    return true;
  }

  /** @param {LabelBox} box */
  block(box) {
    for (const row of this.strips(box)) row.push(box);
  }

  /** @param {LabelBox} a @param {LabelBox} b */
  meet(a, b) {
    const { smallest, height } = this.look;
    const slack = this.look.slack * Math.max(1, a.height / (smallest * height)); // Larger text may overlap more.
    return (
      a.left < b.left + b.width - slack &&
      b.left < a.left + a.width - slack &&
      a.top < b.top + b.height - slack &&
      b.top < a.top + a.height - slack
    );
  }
}

/** Layer of label elements that are reused from one drawing to the next. */
export class LabelLayer {
  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
    /** @type {{element: HTMLElement, shown: string, text: string, kind: string}[]} */
    this.pool = [];
    /** @type {Label[]} */
    this.added = [];
    this.width = this.height = 0;
    this.opacity = 1; // opacity of the labels added from now on
    /** @type {string | null} */
    this.color = null; // colour of the labels added from now on; null keeps their own
  }

  /** @param {number} width @param {number} height @param {Looks["text"]} look */
  begin(width, height, look) {
    this.added = [];
    this.look = look;
    this.width = width;
    this.height = height;
  }

  /** @param {Label} label */
  add(label) {
    if (label.y > -20 && label.y < this.height + 20 && label.x > -200 && label.x < this.width + 200)
      this.added.push({ ...label, opacity: this.opacity, color: this.color ?? label.color });
  }

  /**
   * Show the added labels. Margins and changes come first. Edge labels come last and stay outside `obstacles`.
   * @param {LabelBox[]} obstacles
   */
  end(obstacles) {
    const places = new Places(this.look);
    let used = 0;
    /** @type {Record<string, number>} */
    const rank = { margin: 0, change: 1 };
    const inside = this.added
      .filter((label) => label.kind !== "edge")
      .sort((a, b) => (rank[a.kind] ?? 2) - (rank[b.kind] ?? 2));
    /** @type {Known<Label[], boolean>} whether all lines of a text fit */
    const isWhole = new Map();
    for (const label of inside) {
      const { lines } = label;
      // Some lines of a condition would state another condition.
      if (lines && !isWhole.has(lines)) isWhole.set(lines, this.fit(lines, places));
      if (!lines || isWhole.get(lines)) used = this.show(label, places, used);
    }
    obstacles.forEach((box) => places.block(box));
    // The label of one branch alone would be unclear, so both are shown or neither.
    for (const pair of grouped(
      this.added.filter((label) => label.kind === "edge"),
      (label) => label.node,
    ).values()) {
      const boxes = pair.map((label) => place(label, this.look)).filter((box) => box !== null);
      const isRoom = boxes.length === pair.length && boxes.every((box) => places.isFree(box));
      if (isRoom && !(boxes.length === 2 && places.meet(boxes[0], boxes[1])))
        for (const label of pair) used = this.show(label, places, used);
    }
    for (let i = used; i < this.pool.length; i++) {
      if (this.pool[i].shown) {
        this.pool[i].element.style.display = "none";
        this.pool[i].shown = "";
      }
    }
  }

  /** Return whether all labels of a group have room. @param {Label[]} labels @param {Places} places */
  fit(labels, places) {
    const boxes = labels.map((label) => place(label, this.look));
    return boxes.every((box) => box !== null && places.isFree(box));
  }

  /** @param {Label} label @param {Places} places @param {number} used */
  show(label, places, used) {
    const box = place(label, this.look);
    if (!box || box.left + box.width < 0 || box.left > this.width || box.top + box.height < 0 || box.top > this.height)
      return used;
    if (label.whole) box.left = Math.max(0, Math.min(box.left, this.width - box.width)); // never cut at the edge
    if (!places.take(box)) return used;
    this.pool[used] ??= this.fresh();
    const slot = this.pool[used];
    const style =
      `transform:translate(${box.left.toFixed(1)}px,${box.top.toFixed(1)}px);width:${box.width.toFixed(1)}px;` +
      `height:${box.height.toFixed(1)}px;line-height:${box.height.toFixed(1)}px;font-size:${box.size}px;color:${label.color};` +
      `text-align:center;font-weight:${label.weight ?? 400};background:${label.background ?? "none"};opacity:${label.opacity}`;
    if (slot.shown !== style) {
      slot.element.style.cssText = style;
      slot.shown = style;
    }
    if (slot.text !== box.text) {
      slot.element.textContent = box.text;
      // Isolated names are parts of a sentence from left to right. Other labels are names.
      slot.element.dir = box.text.includes("\u2068") ? "ltr" : "auto";
      slot.text = box.text;
    }
    if (slot.kind !== label.kind) slot.element.dataset.kind = slot.kind = label.kind;
    return used + 1;
  }

  fresh() {
    const element = document.createElement("span");
    element.className = "label";
    this.element.append(element);
    return { element, shown: "", text: "", kind: "" };
  }
}

/** Draws labels on a canvas, for the large plots in the inspector. */
export class CanvasLabels {
  /** @param {Context} context @param {Looks["text"]} look */
  constructor(context, look) {
    this.context = context;
    this.look = look;
    this.places = new Places(look);
  }

  /** Add a label; return whether it fits. @param {Label} label */
  add(label) {
    const box = place(label, this.look);
    if (!box || !this.places.take(box)) return false;
    const { context } = this;
    if (label.background) {
      context.fillStyle = label.background;
      context.fillRect(box.left, box.top, box.width, box.height);
    }
    context.font = `${label.weight ?? 400} ${box.size}px ${FONT}`;
    context.fillStyle = label.color;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(box.text, box.left + box.width / 2, box.top + box.height / 2 + 0.5);
    return true;
  }
}
