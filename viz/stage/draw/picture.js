// Draws the content of a node. Its size determines whether it is a dot, a glyph, a thumbnail, a plot with split line and
// class bar, or a full plot.

import { inkOn } from "../model/colors.js";
import { condition, withMarks } from "../model/condition.js";
import { isOf } from "../model/node_kinds.js";
import { phrases } from "../model/node_statistics.js";
import { count, inThousands } from "../model/number_text.js";
import { conditionLines, roomOf } from "./condition_lines.js";
import { widthForDetail } from "../geometry/shapes.js";
import { textWidth } from "./labels.js";
import { pictureOf } from "./node_pictures.js";
import { spritesOf } from "./sprites.js";

const MOST_LINES = 4; // maximum number of lines of a condition
const MOST_TERMS = 4; // maximum number of terms of a sum that is shown in full
const FEW_TERMS = [3, 2]; // number of terms of a longer sum, whose other terms are counted
const MOST_LEAF = 110; // maximum width in pixels reserved for the name of a leaf

/**
 * Return the properties of the displayed tree that a Picture needs. `recorder` draws the care points of a recorded run,
 * or is null.
 * @param {Store} store @param {Recorder | null} recorder
 */
export function lookOf({ path, tree, state, colors, litRows: lit, pointed: point }, recorder) {
  const { set, globalScale, shade, type, inLesson: isWhole, isGuessing } = state;
  return { path, tree, set, colors, globalScale, shade, type, isWhole, isGuessing, lit, point, recorder };
}

/**
 * Draws the nodes of one tree. `look`: {path, tree, set, colors, globalScale, type (text scale), isWhole (whether to
 * leave out texts instead of cutting them), isGuessing (whether to leave out errors), lit, point, recorder}.
 * `text`: receives labels by add({x, y, text, ...}).
 */
export class Picture {
  /** @param {Context} context @param {Look} look @param {Labels} text */
  constructor(context, look, text) {
    this.context = context;
    Object.assign(this, look);
    this.text = text;
    this.looks = this.path.looks;
    const { small, normal } = this.looks.text;
    this.size = { small: small * this.type, normal: normal * this.type };
  }

  /** Draw a node into `box`. @param {number} node @param {NodeBox} box */
  draw(node, box) {
    const { detail } = this.looks;
    const w = widthForDetail(detail, box);
    if (w < detail.glyph) return this.dot(node, box);
    const { draw, least } = pictureOf(this.tree, node);
    if (this.tree.isLeaf(node)) return draw(this, node, box, w);
    if (!this.axes && !isOf(this.tree, node, "image")) this.head(node, box);
    if (w < (least?.(this.looks) ?? detail.thumbnail)) return this.glyph(node, box);
    return draw(this, node, box, w);
  }

  /**
   * Return the number of text lines below the plot of a decision node: {axes: 0, 1 or 2, caption}.
   * @param {number} node @param {NodeBox} box
   */
  linesBelow(node, box) {
    const none = { axes: 0, caption: 0 };
    if (this.axes || this.tree.isLeaf(node) || isOf(this.tree, node, "image")) return none;
    const { detail, words } = this.looks;
    const w = widthForDetail(detail, box);
    const fits = Math.floor(((box.below ?? 0) - words.free * this.type) / (words.each * this.type));
    if (fits < 1) return none;
    const { axes: most, words: least } = pictureOf(this.tree, node);
    const isShown = w >= least(this.looks);
    const caption = box.lines || isShown ? this.lines(node, box, fits).length : 0;
    const axes = w < detail.full ? 0 : most;
    return { axes: axes + caption <= fits ? axes : 0, caption };
  }

  /** @param {number} node @param {Box} box */
  dot(node, box) {
    const { context, looks } = this;
    const radius = Math.max(looks.dot, Math.min(box.w, box.h) / 2);
    context.fillStyle = this.nodeColor(node) ?? this.colors.theme.muted;
    context.beginPath();
    context.arc(box.x, box.y, radius, 0, 7);
    context.fill();
  }

  /** Return the colour of a leaf, or of the strip on a decision node, if any. @param {number} node */
  nodeColor(node) {
    return this.colors.ofNode(this.tree, this.set, node, this.shade);
  }

  /** Fill a box with a colour. A colour that may be pale gets a frame. @param {Box} box @param {string} color */
  fillFramed(box, color) {
    this.fill(box, color);
    if (this.shade && this.shade !== "class") this.frame(box, this.colors.theme.line);
  }

  /** Draw the strip on a decision node, above its plot. @param {number} node @param {Box} box */
  head(node, box) {
    const color = this.nodeColor(node);
    const h = headOf(this.looks, box);
    if (color) this.fillFramed({ x: box.x, y: box.y - (box.h + h) / 2, w: box.w, h }, color);
  }

  /**
   * Return the condition of a node on at most `most` lines.
   * @param {number} node @param {NodeBox} box @param {number} most
   */
  lines(node, box, most) {
    const texts = wordsBelow(this.tree, node);
    return shownLines(texts, this.size.small, this.wordsRoom(box), Math.min(most, MOST_LINES), this.isWhole);
  }

  /** Return whether the text below a node contains all terms of its split. @param {number} node @param {NodeBox} box */
  tellsAll(node, box) {
    const { caption } = this.linesBelow(node, box);
    if (!caption || this.tree.nWeights(node) > MOST_TERMS) return false;
    return this.lines(node, box, caption).join(" ") === wordsBelow(this.tree, node)[0];
  }

  /** @param {Box} box @param {string} color */
  frame(box, color, width = this.looks.frame) {
    this.context.strokeStyle = color;
    this.context.lineWidth = width;
    this.context.strokeRect(box.x - box.w / 2, box.y - box.h / 2, box.w, box.h);
  }

  /** @param {Box} box @param {string} color */
  fill(box, color) {
    this.context.fillStyle = color;
    this.context.fillRect(box.x - box.w / 2, box.y - box.h / 2, box.w, box.h);
  }

  /**
   * Draw the mark for the kind of split: | for one feature, / for two, # for more.
   * @param {number} node
   * @param {NodeBox} box
   */
  glyph(node, box) {
    const { context, colors } = this;
    this.fill(box, colors.theme.surface);
    this.frame(box, colors.theme.line);
    const { glyph } = this.looks;
    const s = Math.min(box.w, box.h) * glyph.size;
    const kind = isOf(this.tree, node, "difference") ? 1 : this.tree.nWeights(node);
    const lines = kind <= 1 ? glyph.one : kind === 2 ? glyph.two : glyph.more;
    context.strokeStyle = colors.theme.muted;
    context.lineWidth = glyph.width;
    context.beginPath();
    for (const [a, b, c, d] of lines) {
      context.moveTo(box.x + a * s, box.y + b * s);
      context.lineTo(box.x + c * s, box.y + d * s);
    }
    context.stroke();
    if (this.linesBelow(node, box).caption) this.caption(node, box, 0);
  }

  /** @param {number} node @param {NodeBox} box @param {number} w */
  weights(node, box, w) {
    const atlas = spritesOf(this.path).weights(this.tree, this.colors, this.globalScale, this.set);
    const cell = atlas.cell(node);
    if (cell) this.image(atlas, cell, box);
    this.frame(box, this.colors.theme.line);
    const { bar, detail } = this.looks;
    if (w >= detail.line) this.classBar(node, { x: box.x, y: box.y + box.h / 2 - bar / 2, w: box.w, h: bar });
  }

  /**
   * Add a small text near a node. `label` replaces some of its default fields.
   * @param {number} node @param {NodeBox} box @param {Partial<Label> & Pick<Label, "y" | "text" | "room">} label
   */
  words(node, box, label) {
    const { size, colors } = this;
    this.text.add({ x: box.x, size: size.small, color: colors.theme.muted, kind: "caption", node, ...label });
  }

  /** Return the centre of a line of text below a node. @param {NodeBox} box */
  wordsY(box, line = 0) {
    const { words } = this.looks;
    return box.y + box.h / 2 + words.gap + this.size.small * words.middle + words.line * line * this.type;
  }

  /** Return the maximum width of the text below a node. @param {NodeBox} box */
  wordsRoom(box) {
    return Math.max(box.room - this.looks.words.margin, box.w);
  }

  /** Return where the edges of a node start, below its text. @param {number} node @param {NodeBox} box */
  foot(node, box) {
    const { axes, caption } = this.linesBelow(node, box);
    const { edge, line } = this.looks.words;
    return box.y + box.h / 2 + (axes + caption ? edge + line * (axes + caption) * this.type : 0);
  }

  /** @param {Atlas} atlas @param {Pair} cell @param {Box} box @param {boolean} [isSmooth] */
  image(atlas, cell, box, isSmooth = box.w < atlas.w) {
    const { context } = this;
    context.imageSmoothingEnabled = isSmooth;
    context.imageSmoothingQuality = "high";
    context.drawImage(
      atlas.canvas,
      cell[0],
      cell[1],
      atlas.w,
      atlas.h,
      box.x - box.w / 2,
      box.y - box.h / 2,
      box.w,
      box.h,
    );
  }

  /** Draw the class shares of a node as a stacked bar. @param {number} node @param {Box} box */
  classBar(node, box) {
    const { context, tree, colors } = this;
    const { counts, n } = tree.figures(this.set);
    const k = this.path.target.n;
    if (!n[node]) return;
    let left = box.x - box.w / 2;
    for (let c = 0; c < k; c++) {
      const width = (counts[node * k + c] / n[node]) * box.w;
      if (!width) continue;
      context.fillStyle = colors.ofGroup(c);
      context.fillRect(left, box.y - box.h / 2, width, box.h);
      left += width;
    }
  }

  /**
   * Draw the rows of a leaf by range on the common axis of all leaves, and mark the prediction.
   * @param {number} node @param {Box} box
   */
  distribution(node, box) {
    const { context, tree, colors, path } = this;
    const { target } = path;
    const counts = tree.figures(this.set).counts.subarray(node * target.n, (node + 1) * target.n);
    const most = counts.reduce((a, b) => Math.max(a, b), 1);
    const [left, bottom, step] = [box.x - box.w / 2, box.y + box.h / 2, box.w / target.n];
    this.fill(box, colors.theme.surface);
    counts.forEach((rows, c) => {
      if (!rows) return;
      const high = Math.max((rows / most) * (box.h - 2), 1);
      context.fillStyle = colors.ofGroup(c);
      context.fillRect(left + c * step, bottom - high, Math.max(step - 0.5, 0.5), high);
    });
    if (box.w < this.looks.leaf.two) return;
    context.fillStyle = colors.theme.text;
    const { bar } = this.looks.split;
    context.fillRect(left + target.placeOf(tree.value[node]) * box.w - bar / 2, bottom - box.h, bar, box.h);
  }

  /** Draw the mean image of a leaf. @param {number} node @param {NodeBox} box @param {number} w */
  imageLeaf(node, box, w) {
    const { tree, path, colors, looks } = this;
    const look = looks.leaf;
    const color = this.nodeColor(node) ?? colors.theme.surface;
    if (w < looks.detail.image) return this.fillFramed(box, color);
    const atlas = spritesOf(path).means(tree, colors, this.set);
    const cell = atlas.cell(node);
    if (cell) this.image(atlas, cell, box, true);
    else this.fill(box, colors.theme.surface);
    this.frame(box, colors.theme.line);
    const high = Math.min(looks.bar, box.h * look.share);
    this.fill({ x: box.x, y: box.y + (box.h - high) / 2, w: box.w, h: high }, color);
    if (w >= look.badge) this.badge(node, box, color);
    return undefined;
  }

  /** @param {number} node @param {NodeBox} box @param {number} w @param {boolean} isNumber */
  leaf(node, box, w, isNumber) {
    const { colors, looks } = this;
    const look = looks.leaf;
    const own = this.nodeColor(node) ?? colors.theme.surface;
    const color = this.shade && this.shade !== "class" ? own : colors.pale(own, look.pale);
    this.fillFramed(box, color);
    const [most, share] = isNumber ? [look.spread, look.spreadShare] : [look.strip, look.share];
    const strip = Math.min(most, this.lit ? box.h / 6 : box.h * share);
    const foot = { x: box.x, y: box.y + box.h / 2 - strip / 2, w: box.w, h: strip };
    if (isNumber) this.distribution(node, foot);
    else this.classBar(node, foot);
    if (w >= look.hairline)
      this.fill({ x: box.x, y: box.y + box.h / 2 - strip, w: box.w, h: looks.frame }, colors.theme.background);
    const lit = this.litCounts;
    const top = lit && w >= look.hairline ? strip : 0;
    if (lit && top) this.litShare(lit, node, box, top);
    this.leafText(node, { ...box, y: box.y + (top - strip) / 2, h: box.h - strip - top }, color);
  }

  /**
   * Draw the share of the selected rows that reach a leaf, along its upper edge.
   * @param {Uint32Array} counts @param {number} node @param {Box} box @param {number} height
   */
  litShare(counts, node, box, height) {
    const { colors } = this;
    const strip = { x: box.x, y: box.y - box.h / 2 + height / 2, w: box.w, h: height };
    this.fill(strip, colors.theme.background);
    const w = (box.w * counts[node]) / counts[0];
    this.fill({ ...strip, x: box.x - box.w / 2 + w / 2, w, h: height - 1 }, colors.theme.accent);
  }

  /** Number of selected rows that reach each node, or null without a selection. */
  get litCounts() {
    return this.lit && this.lit.reaching(this.tree, this.set);
  }

  /**
   * Return "12 of 37 selected" if it fits, or "".
   * @param {Uint32Array} counts
   * @param {number} node
   * @param {number} room
   */
  litText(counts, node, room) {
    const short = `${count(counts[node])} of ${count(counts[0])}`;
    return room >= 110 ? `${short} selected` : short;
  }

  /** Minimum size of names when the stage is shown on a projector. */
  get projected() {
    return this.type > 1 ? { floor: this.size.small } : null;
  }

  /**
   * Return the prediction of a leaf as {text, whole}. A number has all its digits, or is in thousands if it does not
   * fit.
   * @param {number} node @param {number} room
   */
  answerIn(node, room) {
    const { tree, path } = this;
    const named = path.target.leafAnswer(tree, node);
    if (textWidth(named, this.size.normal, 600) <= room) return { text: named, whole: false };
    const text = path.target.answer(tree, node);
    const isNumber = path.target.edges !== null && !tree.isLinear(node);
    const least = this.projected?.floor ?? this.looks.text.smallest;
    const isLong = textWidth(text, least, 600) > 0.98 * room;
    const isClass = path.target.edges === null && !tree.isLinear(node);
    const short =
      isLong && (isNumber ? inThousands(tree.value[node]) : isClass && path.target.shortGroups[tree.value[node]]);
    return { text: short || text, whole: isNumber || this.isWhole };
  }

  /**
   * Return as many statistics of a leaf as fit, at least `least`: its rows, its errors, and others.
   * @param {number} node @param {boolean} bare @param {number} room @param {number} size
   */
  rowsText(node, bare, room, size, least = 1) {
    const { tree, path, set } = this;
    const { n, losses } = tree.figures(set);
    const [rows, ...others] = phrases(tree, set, node, "leaf", bare);
    const wrong = this.isGuessing ? [] : [path.target.phrase("wrong", losses[node], n[node])];
    const parts = [rows, ...wrong, ...others];
    while (parts.length > least && textWidth(parts.join(", "), size) > room) parts.pop();
    return parts.join(", ");
  }

  /** @param {number} node @param {NodeBox} box @param {string} color */
  leafText(node, box, color) {
    const { size } = this;
    const look = this.looks.leaf;
    const label = {
      x: box.x,
      color: inkOn(color),
      room: box.w - this.looks.words.margin,
      ...this.answerIn(node, box.w - this.looks.words.margin),
      weight: 600,
      node,
      shrinks: true,
      ...this.projected,
    };
    const lit = this.litCounts;
    const lines = Math.floor(box.h / (size.normal * this.looks.text.height));
    const { height } = this.looks.text;
    const apart = height * size.small;
    const parts = box.h > apart + 0.7 * size.small ? halves(label.text, label.room, size.small) : [];
    const least = label.floor ?? this.looks.text.smallest;
    if (this.isWhole && !parts.length && textWidth(label.text, least, 600) > label.room) return;
    if (parts.length)
      parts.forEach((text, i) =>
        this.text.add({ ...label, text, y: box.y + (i - 0.5) * apart, size: size.small, kind: "leaf" }),
      );
    else if (box.h >= size.small) {
      const room = box.w >= look.wrong ? 0.98 * label.room : 0;
      const rows = lit ? this.litText(lit, node, box.w) : this.rowsText(node, box.w < look.n, room, least);
      const fits = !this.isWhole || textWidth(rows, least) <= label.room;
      const two = box.h >= look.both * size.normal && box.w >= look.two && fits;
      this.text.add({
        ...label,
        y: box.y - (two ? size.normal * look.first : 0),
        size: lines ? size.normal : size.small,
        kind: "leaf",
      });
      if (two)
        this.text.add({
          ...label,
          weight: 400,
          y: box.y + size.normal * look.second,
          size: size.small,
          text: rows,
          kind: "leaf",
        });
    }
  }

  /**
   * Draw the prediction of a leaf below the mean image or, if there is no room, on its colour on the lower edge.
   * @param {number} node @param {NodeBox} box @param {string} color
   */
  badge(node, box, color) {
    const size = this.size.normal;
    const look = this.looks.leaf;
    const outside = box.below === undefined || box.below >= size * look.room;
    if (!outside && box.h < look.high * size) return;
    this.text.add({
      x: box.x,
      y: box.y + box.h / 2 + size * (outside ? look.below : -look.above),
      text: this.path.target.answer(this.tree, node),
      size,
      ...(outside ? { color: this.colors.theme.text } : { color: inkOn(color), background: color, least: box.w }),
      room: box.room,
      weight: 600,
      kind: "leaf",
      node,
      shrinks: true,
      ...this.projected,
    });
    if (box.w < look.counts || !((box.below ?? 0) >= look.countsRoom * size)) return;
    const lit = this.litCounts;
    const text = lit ? this.litText(lit, node, box.room) : this.rowsText(node, true, box.room, this.size.small, 2);
    this.words(node, box, { y: box.y + box.h / 2 + size * look.countsBelow, text, room: box.room, whole: true });
  }

  /** @param {number} node @param {NodeBox} box @param {number} linesAbove */
  caption(node, box, linesAbove) {
    const room = this.wordsRoom(box);
    const { text: color } = this.colors.theme;
    /** @type {Label[]} */
    const lines = this.lines(node, box, this.linesBelow(node, box).caption).map((text, i) => ({
      ...{ x: box.x, y: this.wordsY(box, linesAbove + i), text, color, room, whole: true },
      ...{ size: this.size.small, kind: "caption", node },
    }));
    for (const line of lines) this.text.add({ ...line, lines });
  }
}

/**
 * Return a name on two lines if it fits only there, otherwise nothing.
 * @param {string} text @param {number} room @param {number} size
 */
function halves(text, room, size) {
  const at = text.indexOf(" ", Math.floor(text.length / 2) - 2);
  const parts = [text.slice(0, at), text.slice(at + 1)];
  const fits = (/** @type {string} */ part) => textWidth(part, size, 600) <= room;
  return at > 0 && !fits(text) && parts.every(fits) ? parts : [];
}

/**
 * Return the lines of a condition, see conditionLines. `isWhole`: return none if its names would be cut.
 * @param {string[]} texts @param {number} size @param {number} room @param {number} most @param {boolean} isWhole
 */
function shownLines(texts, size, room, most, isWhole) {
  const found = conditionLines(texts, size, room, most);
  return isWhole && !found.isWhole ? [] : found.lines;
}

/** Return the height of the strip on a decision node. @param {Looks} looks @param {Box} box */
export function headOf({ head, headShare }, { h }) {
  return Math.min(head, headShare * h);
}

/**
 * Return the condition below a node in several lengths. A long sum has its largest terms only, because bars in the node
 * show more of them.
 * @param {StageTree} tree @param {number} node
 */
function wordsBelow(tree, node) {
  return tree.once(`words ${node}`, () => {
    const n = tree.nWeights(node);
    if (n <= MOST_TERMS) return [withMarks(tree, node, condition(tree, node, { terms: MOST_TERMS }))];
    const texts = FEW_TERMS.map((terms) => condition(tree, node, { terms }));
    const bound = / [≥≤<>] [^ ]+$/.exec(texts[0]);
    if (bound) texts.push(`weighted sum of ${n} features${bound[0]}`);
    return texts.map((text) => withMarks(tree, node, text));
  });
}

/**
 * Return the condition texts of a tree for its layout.
 * @param {StageTree} tree @param {Looks} looks @param {number} type @param {boolean} isWhole
 * @returns {NodeWords | null}
 */
export function nodeWords(tree, { text, words }, type, isWhole) {
  if (tree.path.imageShape) return null;
  const size = text.small * type;
  return {
    has: (node) => !tree.isLeaf(node),
    lines: (node, room) => shownLines(wordsBelow(tree, node), size, room - words.margin, MOST_LINES, isWhole).length,
    rooms: (node) => {
      const [most, texts] = [tree.nWeights(node) > 2 ? MOST_LINES : 3, wordsBelow(tree, node)];
      const [whole, least] = [0, texts.length - 1].map((i) => roomOf(texts[i], size, most) + words.margin + 2);
      return { least, whole };
    },
    leaf: (node) =>
      Math.min(
        textWidth(tree.path.target.leafAnswer(tree, node), text.normal * type, 600) + words.margin + 6,
        MOST_LEAF * type,
      ),
  };
}
