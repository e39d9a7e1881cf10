// Part of the inspector in which the user edits the selected node. It also shows the effect of the latest edit.

import { CanvasLabels } from "../draw/labels.js";
import { Picture } from "../draw/picture.js";
import { projection } from "../draw/projection.js";
import { imageSize } from "../draw/sprites.js";
import { ARROWS, fill, h, placeIn, sizeCanvas } from "../elements/dom.js";
import { columnOf, threshold } from "../model/condition.js";
import {
  balanceOffset,
  categorySides,
  chooseFeatures,
  cutToLeaf,
  flipLeaf,
  moveSplit,
  splitLeaf,
  turnCategory,
} from "../model/edit_changes.js";
import { isOf, kindOf } from "../model/node_kinds.js";
import { DATE_DIGITS, capital, count, dateText, firstDate } from "../model/number_text.js";
import { MOST_CLASSES } from "../model/target.js";
import { nodeName, rowsOfSet } from "../model/tree.js";

const MOST_FEATURES = 400; // maximum number of features in a list
const HALF_MINUTE = 0.5 / 1440; // in days; separates the last minute of a day from the next day

/** @param {Target} target */
const keysOf = ({ follows }) =>
  "On a handle: arrow keys move the split, Shift+arrows turn it, Ctrl makes fine steps. " +
  `On a leaf: ${follows ? "" : "1 to 9 choose its class, "}S splits it. ` +
  "On a node: Delete prunes it to a leaf, L locks it. Ctrl+Z undoes, Ctrl+Shift+Z redoes.";

export class EditPanel {
  /** @param {Editor} editor */
  constructor(editor) {
    this.editor = editor;
    this.store = editor.store;
    this.feedback = h("div", { class: "edit-feedback", "data-testid": "edit-feedback" });
    this.bounds = h("div"); // elements that are updated while a split is dragged
    this.brush = new WeightBrush(editor);
    /** @type {OffsetPlot | null} */
    this.offset = null;
    /** @type {number | null} */
    this.node = null; // origin id of the displayed node
  }

  /** @param {number} node @param {number | null} label */
  flip(node, label) {
    const { editor, store } = this;
    editor.apply(flipLeaf(store.tree, editor.document, node, label), store.tree.origin[node]);
  }

  /** @param {number} node */
  cut(node) {
    const { editor, store } = this;
    editor.apply(cutToLeaf(store.tree, editor.document, node), store.tree.origin[node]);
  }

  /** @param {number} node @param {Split} [split] */
  split(node, split) {
    const { editor, store } = this;
    editor.apply(splitLeaf(store.tree, editor.document, node, editor.lastId, split), store.tree.origin[node]);
  }

  /**
   * Call `act` with the current index of the node that is displayed here.
   * @param {number} node @param {(node: number) => void} act
   */
  on(node, act) {
    const { store } = this;
    const id = store.tree.origin[node];
    const wasLeaf = store.tree.isLeaf(node);
    return () => {
      const now = store.tree.nodeOf.get(id);
      if (now !== undefined && store.tree.isLeaf(now) === wasLeaf) act(now);
    };
  }

  /** Return elements for a node, `width` pixels wide. @param {number} node @param {number} width */
  of(node, width) {
    const { editor, store } = this;
    const { tree, path } = store;
    const id = tree.origin[node];
    const isLeaf = tree.isLeaf(node);
    const { handles } = kindOf(tree, node);
    const isLocked = editor.locked.has(id);
    this.node = id;
    this.offset = null;
    /** @param {string} text @param {string} title @param {string} test @param {(node: number) => void} act */
    const button = (text, title, test, act) =>
      h("button", { title, "data-testid": `edit-${test}`, onclick: this.on(node, act) }, text);
    this.follow();
    return h(
      "section",
      { class: "edit-panel", "aria-label": `Edit ${isLeaf ? "leaf" : "node"} ${id}` },
      this.feedback,
      handles === "pixels" ? this.brush.tools() : null,
      handles === "pixels" && tree.nWeights(node) ? this.offsetOf(node, width) : null,
      isLeaf ? this.answers(node) : null,
      !isLeaf && handles !== "pixels" && tree.nWeights(node) <= 2 ? this.features(node) : null,
      this.bounds,
      h(
        "div",
        { class: "buttons" },
        isLeaf ? button("Split", "Split this leaf at its best threshold (S)", "split", (now) => this.split(now)) : null,
        isLeaf && path.nFeatures === 2 && !store.state.hides.has("plane")
          ? button("Split by line", "Draw a line in the plane, across the region of this leaf", "draw", () =>
              editor.drawing?.start(id),
            )
          : null,
        !isLeaf
          ? button(
              "Prune to leaf",
              `Replace the subtree with a leaf that predicts the ${path.target.follows ? "mean target of its rows" : "majority class"} (Delete)`,
              "cut",
              (now) => this.cut(now),
            )
          : null,
        !isLeaf && tree.nWeights(node) > 1
          ? button("Best offset", "Move the split to the offset with the lowest error", "balance", (now) =>
              editor.apply(balanceOffset(store.tree, editor.document, now), id),
            )
          : null,
        h(
          "button",
          {
            "aria-pressed": String(isLocked),
            "data-testid": "edit-lock",
            title: isLocked
              ? "Unlock this node, so that re-optimising may change it (L)"
              : "Lock this node, so that re-optimising leaves it unchanged (L)",
            onclick: () => editor.setLock(id, !isLocked),
          },
          isLocked ? "Locked" : "Lock",
        ),
      ),
      h("p", { class: "quiet" }, this.standing(id, isLocked)),
      h("details", {}, h("summary", {}, "Keys"), h("p", { class: "quiet" }, keysOf(path.target))),
    );
  }

  /** @param {number} id @param {boolean} isLocked */
  standing(id, isLocked) {
    if (isLocked) return "Locked: re-optimising leaves this node unchanged.";
    return this.editor.edited.has(id)
      ? "Edited but not locked: re-optimising may change this node again."
      : "Not locked: re-optimising may change this node.";
  }

  /**
   * Return the large projection histogram of an image node, in which the user moves the offset.
   * @param {number} node @param {number} width
   */
  offsetOf(node, width) {
    this.offset = new OffsetPlot(this.editor, node, width);
    return this.offset.element;
  }

  /** Return the choice of predictions for a leaf. @param {number} node */
  answers(node) {
    const { tree, path, colors } = this.store;
    const { groups, nouns } = path.target;
    const named = capital(nouns.value);
    if (path.target.follows) return this.mean(node);
    if (groups.length > MOST_CLASSES) {
      const list = h(
        "select",
        { "aria-label": `${named} of this leaf`, onchange: this.on(node, (now) => this.flip(now, Number(list.value))) },
        groups.map((name, c) => h("option", { value: c, selected: tree.label[node] === c }, name)),
      );
      return h("div", { class: "classes-to-choose" }, list);
    }
    const buttons = groups.map((name, c) =>
      h(
        "button",
        {
          "aria-pressed": String(tree.label[node] === c),
          "aria-label": `Predict ${name}`,
          title: c < 9 ? `Predict ${name} here (${c + 1})` : `Predict ${name} here`,
          "data-testid": "edit-class",
          onclick: this.on(node, (now) => this.flip(now, c)),
        },
        h("i", { class: "swatch", style: `background:${colors.ofGroup(c)}` }),
        h("bdi", {}, name),
      ),
    );
    return h("div", { class: "classes-to-choose", role: "group", "aria-label": `${named} of this leaf` }, buttons);
  }

  /**
   * Return the field for the number that a leaf predicts: the mean target of its rows, or a locked number.
   * @param {number} node
   */
  mean(node) {
    const { editor, store } = this;
    const { tree, path } = store;
    const field = h("input", {
      ...numberOf(tree.value[node]),
      "aria-label": `Prediction of ${nodeName(tree, node)}`,
      "data-testid": "edit-number",
    });
    /** @param {number} now */
    const change = (now) => {
      const value = field.value === "" ? null : Number(field.value);
      if (value === null || Number.isFinite(value)) this.flip(now, value);
    };
    field.addEventListener("change", this.on(node, change));
    field.addEventListener("keydown", (event) => event.stopPropagation());
    const isGiven = editor.locked.has(tree.origin[node]);
    return h(
      "div",
      {},
      h("label", { class: "threshold" }, "Predicts ", field, ` ${path.target.measure.unit}`),
      h(
        "p",
        { class: "quiet" },
        isGiven
          ? "Locked. Clear the field to predict the mean target in this leaf."
          : "Default: mean target in this leaf. If you enter another number, the leaf is locked.",
      ),
    );
  }

  /** Return the lists for choosing one or two features. @param {number} node */
  features(node) {
    const { editor, store } = this;
    const { tree, path } = store;
    const used = Array.from(tree.split(node).features);
    const names = path.features.slice(0, MOST_FEATURES);
    /** @param {number} i @param {string} title */
    const pick = (i, title) => {
      const select = h(
        "select",
        { "aria-label": title, title, "data-testid": `edit-feature-${i + 1}` },
        i ? h("option", { value: "", selected: used.length < 2 }, "No second feature") : null,
        names.map((name, j) => (j === used[1 - i] ? null : h("option", { value: j, selected: j === used[i] }, name))),
      );
      /** @param {number} now */
      const change = (now) => {
        const chosen = [...used];
        if (select.value === "") chosen.length = 1;
        else chosen[i] = Number(select.value);
        chosen.sort((a, b) => a - b);
        editor.apply(chooseFeatures(store.tree, editor.document, now, chosen), store.tree.origin[now]);
      };
      select.addEventListener("change", this.on(node, change));
      return select;
    };
    return h("div", { class: "features-to-choose" }, pick(0, "Feature of this node"), pick(1, "Second feature"));
  }

  /**
   * Return a button for each category in the column of a node. It sends the category to the other side.
   * @param {number} node
   */
  categories(node) {
    const { editor, store } = this;
    const { tree, path } = store;
    const column = columnOf(path, tree.split(node)) ?? "";
    const buttons = categorySides(tree, node).map(({ feature, name, right }) => {
      const isPossible = turnCategory(tree, editor.document, node, feature) !== null;
      /** @param {number} now */
      const turn = (now) => {
        const change = turnCategory(store.tree, editor.document, now, feature);
        if (change) editor.apply(change, store.tree.origin[now]);
      };
      return h(
        "button",
        {
          "aria-pressed": String(right),
          "aria-label": `${name} goes right`,
          title: isPossible
            ? `Send ${name} to the ${right ? "left" : "right"}`
            : `This node cannot send ${name} to the other side`,
          "data-testid": "edit-category",
          disabled: !isPossible,
          onclick: this.on(node, turn),
        },
        h("bdi", {}, name),
      );
    });
    const title = `${column}: categories that go right`;
    return h(
      "div",
      {},
      h("p", { class: "quiet", dir: "auto" }, title),
      h("div", { class: "classes-to-choose", role: "group", "aria-label": title }, buttons),
    );
  }

  /** Return the field for the threshold: a number, or a day for dates. @param {number} node */
  threshold(node) {
    const { editor, store } = this;
    const { tree, path } = store;
    const { features, weights, bias } = tree.split(node);
    const bound = threshold(weights[0], bias);
    const isRising = weights[0] > 0;
    const isDate = path.dates.has(features[0]);
    const field = h("input", {
      ...(isDate ? { type: "date", ...daysOf(path, features[0], bound, isRising) } : numberOf(bound)),
      "aria-label": `Threshold of ${nodeName(tree, node)}`,
      "data-testid": "edit-threshold",
    });
    const words = h("p", { class: "bad", role: "status", "data-testid": "edit-date-words" }, "");
    /** @param {number} now */
    const change = (now) => {
      const day = isDate ? Date.parse(`${field.value}T00:00Z`) / 864e5 : Number(field.value);
      words.textContent = isDate ? dateFault(path, features[0], day) : "";
      if (field.value === "" || !Number.isFinite(day)) return;
      const split = { features, weights, bias: -weights[0] * (isDate && !isRising ? day - HALF_MINUTE : day) };
      editor.apply(moveSplit(store.tree, editor.document, now, split, "threshold moved"), store.tree.origin[now]);
    };
    field.addEventListener("change", this.on(node, change));
    field.addEventListener("keydown", (event) => event.stopPropagation());
    if (isDate) words.textContent = dateFault(path, features[0], bound);
    const name = isRising ? "at least" : isDate ? "before" : "at most";
    return h("div", {}, h("label", { class: "threshold" }, `Right if ${name} `, field), words);
  }

  /**
   * Return the elements for the categories or the threshold of a node, or null if it has neither.
   * @param {number} node
   */
  boundsOf(node) {
    const { tree, path } = this.store;
    if (tree.isLeaf(node) || isOf(tree, node, "image")) return null;
    if (columnOf(path, tree.split(node)) !== null) return this.categories(node);
    return tree.nWeights(node) === 1 ? this.threshold(node) : null;
  }

  /** Update the effect of the latest edit and the split, also during a drag. */
  follow() {
    const { editor, store } = this;
    this.offset?.showTree();
    fill(this.feedback, this.feedbackOf(editor, store));
    const node = store.tree.nodeOf.get(this.node);
    fill(this.bounds, node === undefined ? null : this.boundsOf(node));
  }

  /** @param {Editor} editor @param {Store} store */
  feedbackOf(editor, { tree, path, state }) {
    const { last, moved } = editor;
    const parts = [];
    const node = tree.nodeOf.get(this.node);
    const isHere = rowsOfSet(path, state.set).length > 0;
    if (last && moved && isHere && (last.origin === this.node || last.origin === null)) {
      const [before, now] = [last.before, tree].map((of) => editor.countedHere(of));
      const { target } = path;
      /** @param {StageTree} of @param {number} [node] */
      const at = (of, node = 0) => target.misfit(of, state.set, node);
      const name = target.misfitName;
      const [here, there] = [now, before].map((of) => of.nodeOf.get(this.node));
      parts.push(
        h(
          "p",
          {},
          here !== undefined && there !== undefined && here !== 0
            ? [
                change(target, `${name} here`, at(before, there), at(now, here)),
                " · ",
                change(target, "in the tree", at(before), at(now)),
              ]
            : change(target, name, at(before), at(now)),
        ),
        h("p", { class: "quiet" }, movedText(moved, target)),
      );
    }
    const empty = node === undefined ? null : emptySide(tree, node);
    if (empty) parts.push(h("p", { class: "bad", role: "status" }, empty));
    if (!path.edit?.whole && !parts.length) parts.push(h("p", { class: "quiet" }, "These are counts of sampled rows."));
    return parts;
  }
}

/** @param {number} bound */
function numberOf(bound) {
  return { type: "number", step: "any", value: String(Number(bound.toPrecision(6))) };
}

/**
 * Return the first day beyond a threshold, and the range of years that a date may have.
 * @param {Path} path @param {number} j @param {number} bound @param {boolean} isRising
 */
function daysOf(path, j, bound, isRising) {
  const day = dateText(firstDate(bound, isRising, DATE_DIGITS[0])) ?? "";
  return {
    value: day.slice(0, 10),
    min: "0001-01-01",
    max: "9999-12-31",
    title: `${path.features[j]} ${rangeText(path, j)}`,
  };
}

/** @param {Path} path @param {number} j */
function rangeText({ low, high }, j) {
  return `ranges from ${dateText(Math.floor(low[j]))} to ${dateText(Math.floor(high[j]))}`;
}

/**
 * Return an error message for a day that cannot be a threshold, or "".
 * @param {Path} path @param {number} j @param {number} day
 */
function dateFault(path, j, day) {
  if (!Number.isFinite(day)) return "This is not a date in the years 1 to 9999. The threshold is unchanged.";
  const isOut = day < path.low[j] || day > path.high[j] + 1;
  return isOut ? `${path.features[j]} ${rangeText(path, j)}. Outside this range, all rows take the same branch.` : "";
}

/** @param {Target} target @param {string} name @param {number} before @param {number} now */
function change(target, name, before, now) {
  const look = now > before ? "bad" : now < before ? "good" : "";
  const [was, is] = [before, now].map((misfit) => target.misfitText(misfit));
  return [`${name} `, h("span", { class: `number ${look}` }, was === is ? is : `${was} → ${is}`)];
}

/** @param {{rows: number[], corrected: number, broken: number}} moved @param {Target} target */
function movedText({ rows, corrected, broken }, { nouns }) {
  if (!rows.length) return "All rows end in the same leaf as before.";
  const parts = [`${count(rows.length)} ${rows.length === 1 ? "row ends" : "rows end"} in another leaf`];
  if (corrected) parts.push(`${count(corrected)} ${nouns.right} now`);
  if (broken) parts.push(`${count(broken)} ${nouns.wrong} now`);
  return parts.join(", ");
}

/**
 * Return a text about the empty side of a node, or null if both sides have rows.
 * @param {StageTree} tree @param {number} node
 */
function emptySide(tree, node) {
  const { n } = tree.figures(0);
  if (tree.isLeaf(node)) return n[node] ? null : "No training row reaches this leaf.";
  if (!n[node]) return "No training row reaches this node.";
  const [no, yes] = tree.children(node);
  if (n[no] && n[yes]) return null;
  return n[yes] ? "Every row goes right: the left child is empty." : "Every row goes left: the right child is empty.";
}

const HEIGHT = 56; // in pixels; too low for bars of coefficients

export class OffsetPlot {
  /** `width` is in pixels. @param {Editor} editor @param {number} node @param {number} width */
  constructor(editor, node, width) {
    this.width = width;
    this.editor = editor;
    this.store = editor.store;
    this.node = node;
    this.canvas = h("canvas", {
      class: "plot",
      role: "img",
      "aria-label": `Histogram of the weighted sum for the rows in ${nodeName(this.store.tree, node)}, with the split`,
    });
    this.element = h("div", { class: "plot-holder" }, this.canvas);
    this.showTree();
  }

  showTree() {
    const { store, node } = this;
    const { width } = this;
    const box = { x: width / 2, y: 4 + HEIGHT / 2, w: width - 4, h: HEIGHT, room: width };
    const context = sizeCanvas(this.canvas, width, HEIGHT + 4 + 18 * store.state.type);
    context.clearRect(0, 0, width, HEIGHT * 2);
    const picture = new Picture(
      context,
      { ...this.editor.on.look(), axes: true },
      new CanvasLabels(context, store.path.looks.text),
    );
    projection(picture, node, box, box.w);
    this.editor.parts?.handles.onOffset(this, picture, box);
  }
}

/** @type {[string, number][]} */
const SIZES = [
  ["small", 0.6],
  ["middle", 1.3],
  ["large", 2.4],
];

export class WeightBrush {
  /** @param {Editor} editor */
  constructor(editor) {
    this.editor = editor;
    this.store = editor.store;
    /** @type {"plus" | "minus" | "erase"} */
    this.kind = "plus";
    this.radius = SIZES[1][1];
    this.strength = 0.7;
    /** @type {Pair | null} */
    this.cursor = null;
    /** @type {{node: number, weights: Float64Array, full: number} | null} */
    this.stroke = null;
  }

  /** Return the buttons of the brush. From now on, the plot above them accepts strokes. */
  tools() {
    /** @param {string | number} value @param {boolean} isChosen @param {() => void} choose @param {any} text @param {string} title */
    const choice = (value, isChosen, choose, text, title) => {
      const onclick = () => {
        choose();
        this.editor.on.refresh();
      };
      const look = { title, "aria-label": title, "aria-pressed": String(isChosen) };
      return h("button", { ...look, "data-testid": `brush-${value}`, onclick }, text);
    };
    /** @param {typeof this.kind} kind @param {string} text @param {string} title */
    const kind = (kind, text, title) => choice(kind, this.kind === kind, () => (this.kind = kind), text, title);
    /** @param {string} label @param {...any} buttons */
    const group = (label, ...buttons) => h("div", { class: "segments", role: "group", "aria-label": label }, buttons);
    return h(
      "div",
      { class: "brush-tools" },
      group(
        "Brush",
        kind("plus", "+", "Paint weights that send rows to the right"),
        kind("minus", "−", "Paint weights that send rows to the left"),
        kind("erase", "Erase", "Erase weights"),
      ),
      group(
        "Brush size",
        SIZES.map(([name, radius]) =>
          choice(
            radius,
            this.radius === radius,
            () => (this.radius = radius),
            h("i", { class: `tip-${name}` }),
            `Brush size: ${name}`,
          ),
        ),
      ),
      h(
        "label",
        { class: "strength quiet" },
        "strength",
        h("input", {
          type: "range",
          min: 0.1,
          max: 1,
          step: 0.1,
          value: this.strength,
          "aria-label": "Brush strength",
          oninput: (/** @type {Event & {target: HTMLInputElement}} */ { target }) =>
            (this.strength = Number(target.value)),
          onkeydown: (/** @type {KeyboardEvent} */ event) => event.stopPropagation(),
        }),
      ),
      h(
        "p",
        { class: "quiet" },
        "Paint on the weights above, or move there with the arrow keys and press space. Then press Best offset to move the split.",
      ),
    );
  }

  /** Let the plot of the node accept strokes. @param {Plot} plot */
  listen(plot) {
    const { canvas, node } = plot;
    const { path } = this.store;
    const origin = plot.tree.origin[node];
    const [rows, columns] = imageSize(path);
    const { box } = plot.size;
    canvas.classList.add("paintable");
    canvas.tabIndex = 0;
    // The label stays the same during a stroke, so that the new plot gets the focus from the old plot.
    canvas.setAttribute(
      "aria-label",
      `Weights of ${nodeName(plot.tree, node)}: paint with the pointer, or press the arrow keys to move and space to paint`,
    );
    const begin = () => {
      const now = this.store.tree.nodeOf.get(origin);
      if (now !== undefined && !this.store.tree.isLeaf(now)) this.begin(now);
    };
    /** @param {MouseEvent} event @returns {Pair} */
    const cellAt = (event) => {
      const [x, y] = placeIn(canvas, event);
      const unit = box.w / columns;
      return [(y - (box.y - box.h / 2)) / unit - 0.5, (x - (box.x - box.w / 2)) / unit - 0.5];
    };
    canvas.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      canvas.setPointerCapture(event.pointerId);
      begin();
      this.mark(...cellAt(event));
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!this.stroke) return;
      for (const one of event.getCoalescedEvents?.() ?? [event]) this.mark(...cellAt(one));
    });
    const lift = () => this.stroke && this.lift();
    canvas.addEventListener("pointerup", lift);
    canvas.addEventListener("pointercancel", lift);
    canvas.addEventListener("focus", () => plot.draw());
    canvas.addEventListener("blur", () => plot.draw());
    canvas.addEventListener("keydown", (event) => {
      // Otherwise these keys would prune the node.
      if (event.key === "Delete" || event.key === "Backspace") event.stopPropagation();
      const step = ARROWS[event.key];
      if (!step && event.key !== " ") return;
      event.preventDefault();
      event.stopPropagation();
      this.cursor ??= [Math.floor(rows / 2), Math.floor(columns / 2)];
      if (step) {
        this.cursor = [
          Math.max(0, Math.min(rows - 1, this.cursor[0] + step[1])),
          Math.max(0, Math.min(columns - 1, this.cursor[1] + step[0])),
        ];
        plot.draw();
        return;
      }
      begin();
      this.mark(...this.cursor);
      lift();
    });
  }

  /** Draw the cell of the keyboard brush while the plot has the focus. @param {Plot} plot @param {Picture} picture */
  drawOn(plot, { context, colors, path }) {
    if (!this.cursor || !plot.canvas.matches(":focus-visible")) return;
    const { box } = plot.size;
    const unit = box.w / imageSize(path)[1];
    context.strokeStyle = colors.theme.text;
    context.lineWidth = 2;
    const [row, column] = this.cursor;
    context.strokeRect(box.x - box.w / 2 + column * unit, box.y - box.h / 2 + row * unit, unit, unit);
  }

  /** @param {number} node */
  begin(node) {
    const { tree } = this.store;
    this.editor.drag.begin(node);
    const weights = tree.dense(node);
    const own = weights.reduce((most, w) => Math.max(most, Math.abs(w)), 0);
    const anywhere = tree.weight.reduce((most, w) => Math.max(most, Math.abs(w)), 0);
    this.stroke = { node, weights, full: own || anywhere || 1 };
  }

  /**
   * Paint around a cell. Fractions of a row or column are positions between cells.
   * @param {number} row @param {number} column
   */
  mark(row, column) {
    if (!this.stroke) return; // The node was removed in the meantime.
    const { path, tree } = this.store;
    const { weights, full, node } = this.stroke;
    const [rows, columns] = imageSize(path);
    const target = { plus: full * this.strength, minus: -full * this.strength, erase: 0 }[this.kind];
    const radius = this.radius * Math.max(0.5, Math.min(rows, columns) / 28);
    const reach = Math.ceil(radius + 1);
    for (let r = Math.max(0, Math.floor(row - reach)); r <= Math.min(rows - 1, row + reach); r++) {
      for (let c = Math.max(0, Math.floor(column - reach)); c <= Math.min(columns - 1, column + reach); c++) {
        const isUnder = r === Math.round(row) && c === Math.round(column);
        const ink = isUnder ? 1 : Math.max(0, Math.min(1, radius + 0.6 - Math.hypot(r - row, c - column)));
        const p = r * columns + c;
        if (ink < 0.25) continue;
        if (this.kind === "erase") weights[p] = ink >= 0.5 ? 0 : weights[p];
        else if (target > 0) weights[p] = Math.max(weights[p], ink * target);
        else weights[p] = Math.min(weights[p], ink * target);
      }
    }
    const features = Array.from(weights.keys()).filter((p) => weights[p] !== 0);
    this.editor.drag.change({ features, weights: features.map((p) => weights[p]), bias: tree.bias[node] });
  }

  lift() {
    const { kind } = this;
    this.stroke = null;
    this.editor.drag.end(kind === "erase" ? "weights erased" : `${kind} weights painted`);
  }
}
