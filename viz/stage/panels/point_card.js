// Card at the pointer with the true value, the prediction and the values of a row.

import { nodeName } from "../model/tree.js";
import { endText } from "../draw/axis.js";
import { columnName, columnText } from "../draw/category_picture.js";
import { phrases } from "../model/node_statistics.js";
import { counted } from "../model/number_text.js";
import { fill, h } from "../elements/dom.js";
import { rowWords } from "../model/followed_row.js";

const MOST_OTHERS = 6;
const MOST_CLASSES = 5;

/** Card that follows the pointer over the whole stage. */
export class PointCard {
  /** @param {Store} store */
  constructor(store) {
    this.store = store;
    /** @type {string | null} */
    this.shown = null;
    this.element = h("div", { class: "point-card", "aria-hidden": "true", hidden: true, "data-testid": "stage-card" });
  }

  /**
   * Show the card for a mark of a node at the pointer. `hit`: as returned by marks.at, or null to hide the card.
   * @param {Hit | null} hit @param {number | null} node @param {PointerEvent} event
   */
  show(hit, node, event) {
    const { store, element } = this;
    element.hidden = !hit;
    const row = hit?.point ?? null;
    if (!hit) this.shown = null;
    else {
      const key = `${store.state.k} ${node} ${row} ${hit.range} ${hit.text} ${hit.rows.length}`;
      if (key !== this.shown)
        fill(element, hit.text ?? (row === null ? binText(store, hit) : rowText(store, row, node)));
      this.shown = key;
      this.place(event);
    }
    store.set({ point: row });
  }

  close() {
    this.element.hidden = true;
    this.shown = null;
  }

  /** @param {MouseEvent} event */
  place(event) {
    const whole = /** @type {Element} */ (this.element.parentElement).getBoundingClientRect();
    const { offsetWidth: w, offsetHeight: ht } = this.element;
    const x = event.clientX - whole.left,
      y = event.clientY - whole.top;
    const left = x + 16 + w < whole.width ? x + 16 : x - 14 - w;
    const top = Math.min(y + 16, whole.height - ht - 6);
    this.element.style.transform = `translate(${Math.max(0, left)}px,${Math.max(0, top)}px)`;
  }
}

/**
 * Return the features of a row to show at a node, one for each column: those of the node, then those that most nodes
 * use.
 * @param {StageTree} tree @param {number | null} node
 */
export function featuresToTell(tree, node, others = MOST_OTHERS) {
  const own = node === null ? [] : Array.from(tree.featuresOf(node)).slice(0, MOST_OTHERS);
  const found = new Map(own.map((feature) => [columnName(tree.path, feature), feature]));
  const most = found.size + others;
  for (const feature of mostUsed(tree)) {
    const name = columnName(tree.path, feature);
    if (found.size < most && !found.has(name)) found.set(name, feature);
  }
  return [...found.values()];
}

/**
 * Return the features of a tree. Features with more rows of the first set in their nodes come first.
 * @param {StageTree} tree
 */
function mostUsed(tree) {
  return tree.once("most used", () => {
    const { n } = tree.figures(0);
    const use = new Map();
    for (let node = 0; node < tree.n; node++)
      for (const feature of tree.featuresOf(node)) use.set(feature, (use.get(feature) ?? 0) + n[node]);
    return [...use.keys()].sort((a, b) => use.get(b) - use.get(a) || a - b);
  });
}

/** @param {Store} store @param {number} row @param {number | null} node */
function rowText(store, row, node) {
  const { path, tree, colors } = store;
  const { y, value, set } = path.sample;
  const leaf = tree.route(set[row]).leaf[row];
  const prediction = tree.predicted(leaf, row);
  const isWrong = path.target.misses(prediction, value[row]);
  const own = new Set(node === null ? [] : Array.from(tree.featuresOf(node), (j) => columnName(path, j)));
  const features = path.imageShape ? [] : featuresToTell(tree, node);
  /** @param {number} group @param {string} text */
  const name = (group, text) => [h("i", { style: `background:${colors.ofGroup(group)}` }), h("bdi", {}, text)];
  return [
    h("p", {}, h("b", { dir: "auto" }, rowWords(path, row)), " ", name(y[row], path.target.text(value[row]))),
    h(
      "p",
      { class: isWrong ? "wrong" : "" },
      path.target.edges !== null
        ? [
            "predicted ",
            name(path.target.groupOf(prediction), path.target.answer(tree, leaf, row)),
            `, ${path.target.difference(prediction, value[row])}`,
          ]
        : isWrong
          ? ["✕ predicted ", name(path.target.groupOf(prediction), path.target.answer(tree, leaf, row))]
          : "predicted correctly",
      ` (${[nodeName(tree, leaf), ...phrases(tree, set[row], leaf, "card")].join(", ")})`,
    ),
    h(
      "table",
      {},
      features.map((feature) =>
        h(
          "tr",
          { class: own.has(columnName(path, feature)) ? "own" : null },
          h("th", {}, h("bdi", {}, columnName(path, feature))),
          h("td", {}, h("bdi", {}, columnText(path, feature, row))),
        ),
      ),
    ),
  ];
}

/**
 * Return the mean of the numbers of sampled rows as text, or nothing for classification.
 * @param {Path} path @param {Numbers} rows
 */
function meanText({ target, sample }, rows) {
  if (target.edges === null || !rows.length) return "";
  const mean = Array.from(rows).reduce((sum, row) => sum + sample.value[row], 0) / rows.length;
  return `, mean ${target.withUnit(target.short(mean))}`;
}

/** @param {Store} store @param {Hit} hit */
function binText(store, { rows, range, name, feature, isNamed }) {
  const { path, colors } = store;
  const { groups } = path.target;
  const perGroup = groups.map(() => 0);
  for (const row of rows) perGroup[path.sample.y[row]]++;
  const order = [...perGroup.keys()].filter((c) => perGroup[c]).sort((a, b) => perGroup[b] - perGroup[a]);
  return [
    h(
      "p",
      {},
      h("b", {}, h("bdi", {}, name)),
      range ? ` ${range.map((end) => endText(path, feature ?? -1, end)).join(" to ")}` : isNamed ? "" : " missing",
    ),
    h("p", {}, counted(rows.length, "sampled row"), meanText(path, rows)),
    order
      .slice(0, MOST_CLASSES)
      .map((c) =>
        h("p", {}, h("i", { style: `background:${colors.ofGroup(c)}` }), h("bdi", {}, groups[c]), ` ${perGroup[c]}`),
      ),
    order.length > MOST_CLASSES ? h("p", {}, `and ${order.length - MOST_CLASSES} more`) : null,
  ];
}
