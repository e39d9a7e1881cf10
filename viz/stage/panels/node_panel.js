// Inspector of one node: its plot, its condition in raw units, its rows and its decision path.

import { nodeName } from "../model/tree.js";
import { branchTo, condition, exactCondition, missingSide, monotoneText, pathSentences } from "../model/condition.js";
import { placeText, sweptName } from "../model/grid.js";
import { phrases } from "../model/node_statistics.js";
import { capital, count, counted, number } from "../model/number_text.js";
import { h, oneStop } from "../elements/dom.js";
import { isOf, kindOf, picturedFeatures } from "../model/node_kinds.js";
import { pictureOf } from "../draw/node_pictures.js";
import { missingAmong, spaced } from "../draw/scatter.js";
import { leafTerms } from "../draw/linear_leaf.js";
import { Plot } from "../draw/plot.js";
import { termsOf } from "../draw/projection.js";
import { imageElement, inkImage, largestOf, meanImage, rowImage } from "../draw/sprites.js";
import { MOST_CLASSES } from "../model/target.js";
import { SelectedRows, selectionTools } from "./selected_panel.js";
import { rowWords } from "../model/followed_row.js";

const MOST_ROWS = 24;
const MOST_TERMS = 200;
const MOST_WRITTEN = 8; // maximum number of terms of the condition as text

/**
 * The "Node" tab. `drawing`: as in Plot. `edit(node)`: elements for changing a node, or null. `on`: {go(index): show
 * another tree, point(hit, node, event)}.
 */
export class NodePanel {
  /**
   * @param {Store} store @param {Drawing} drawing @param {(node: number) => HTMLElement | null} edit
   * @param {{go(index: number): void, point(hit: Hit | null, node: number, event: PointerEvent): void}} on
   */
  constructor(store, drawing, edit, on) {
    this.store = store;
    this.drawing = drawing;
    this.edit = edit;
    this.on = on;
    this.rows = new SelectedRows(store);
    this.plot = null;
    /** @type {{element: HTMLElement, make: () => HTMLElement}[]} elements that a dragged split changes */
    this.parts = [];
  }

  /** Whether a part must be redrawn when the stage is idle. */
  get isLate() {
    return this.rows.isLate;
  }

  /** Update the parts that follow the pointer. */
  follow() {
    this.plot?.follow();
  }

  /** Show a tree with the same nodes and other splits. */
  showTree() {
    if (!this.plot?.element.isConnected) return;
    this.plot.showTree();
    this.rows.showTree();
    for (const part of this.parts) {
      const fresh = part.make();
      if (fresh instanceof HTMLDetailsElement) fresh.open = /** @type {HTMLDetailsElement} */ (part.element).open;
      part.element.replaceWith(fresh);
      part.element = fresh;
    }
  }

  /** Return an element that is updated while a split is dragged. @param {() => HTMLElement} make */
  following(make) {
    const element = make();
    this.parts.push({ element, make });
    return element;
  }

  /** Return the elements for the selected node, by default the root. `width` is in pixels. @param {number} width */
  contents(width) {
    const { store } = this;
    const { tree, path, state } = store;
    const chosen = tree.nodeOf.get(state.node);
    if (state.node !== null && chosen === undefined) return [goneNote(store, this.on.go)];
    const node = chosen ?? 0;
    const leaf = tree.isLeaf(node);
    this.parts = [];
    const { plot, text } = pictureOf(tree, node);
    const size = { width, ...plot(store, node, width) };
    this.plot = new Plot(store, this.drawing, node, size, text(store, node), this.on.point);
    const { shape } = kindOf(tree, node);
    return [
      h(
        "h2",
        {},
        capital(nodeName(tree, node)) + (leaf ? ": " : ""),
        leaf ? h("b", { dir: "auto" }, path.target.answer(tree, node)) : node === 0 ? " (root)" : "",
      ),
      this.following(() => shareOf(store, node)),
      this.plot.element,
      shape === "image" && (!leaf || tree.isLinear(node)) ? scaleOf(store, node) : null,
      this.edit(node),
      missingNote(store, node),
      selectionTools(store, node, this.plot.marks),
      this.rows.at(node),
      leaf ? null : this.following(() => conditionBlock(store, node)),
      this.following(() => groupTable(store, node)),
      isOf(tree, node, "image") && !leaf ? sides(store, node) : null,
      way(store, node),
      shape === "image" ? null : coefficients(store, node),
      this.following(() => rowsOf(store, node)),
    ];
  }
}

/**
 * Return the number of rows that reach a node, and the number that is misclassified.
 * @param {Store} store @param {number} node
 */
function shareOf({ tree, path, state }, node) {
  const { n, losses } = tree.figures(state.set);
  return h(
    "p",
    { class: "quiet", "data-testid": "stage-share" },
    [...phrases(tree, state.set, node, "inspector"), path.target.phrase("share", losses[node], n[node])].join("; "),
  );
}

/** @param {Store} store @param {(index: number) => void} go */
function goneNote(store, go) {
  const last = store.trees.filter((tree) => tree.nodeOf.has(store.state.node)).map((tree) => tree.index);
  return h(
    "div",
    { "data-testid": "stage-gone" },
    h("h2", {}, "Node in other trees"),
    h("p", {}, `This node is not in the tree at this ${sweptName(store.path)}.`),
    last.length
      ? h(
          "button",
          { onclick: () => go(nearest(last, store.state.k)) },
          `Go to ${placeText(store.path, nearest(last, store.state.k))}`,
        )
      : null,
  );
}

/** @param {number[]} values @param {number} to */
function nearest(values, to) {
  return values.reduce((best, v) => (Math.abs(v - to) < Math.abs(best - to) ? v : best));
}

/** @param {Store} store @param {number} node */
function scaleOf({ path, tree, state, colors }, node) {
  const isShared = state.globalScale && !tree.isLinear(node);
  const largest = isShared ? path.largestWeight : largestOf(tree, node);
  return h(
    "p",
    { class: "scale quiet" },
    h("span", {
      class: "ramp",
      style: `background:linear-gradient(90deg,${colors.negative()},${colors.theme.surface},${colors.positive()})`,
    }),
    `−${number(largest)} … +${number(largest)} (${isShared ? "shared scale" : "scale of this node"})`,
  );
}

/**
 * Return a note about the sampled rows with a missing value, which are next to the axis of the plot.
 * @param {Store} store @param {number} node
 */
function missingNote(store, node) {
  const { path, tree, state } = store;
  if (tree.isLeaf(node) || isOf(tree, node, "image")) return null;
  const missing = missingAmong(path, picturedFeatures(tree, node), tree.reaching(state.set, node).rows);
  if (!missing) return null;
  return h(
    "p",
    { class: "quiet", "data-testid": "stage-missing" },
    `${counted(missing, "sampled row")} ${missing === 1 ? "has" : "have"} a missing value (shown next to the axis).`,
  );
}

/** @param {Store} store @param {number} node */
function conditionBlock(store, node) {
  const { tree } = store;
  const exact = exactCondition(tree, node);
  const side = missingSide(tree, node);
  const monotone = monotoneText(tree, node);
  const text = condition(tree, node, { terms: MOST_WRITTEN });
  const copy = h(
    "button",
    { class: "small", title: "Copy the condition with all terms and the digits that decide" },
    "Copy exact",
  );
  copy.addEventListener("click", async () => {
    copy.textContent =
      (await navigator.clipboard?.writeText(exact).then(
        () => "Copied",
        () => "Copying failed",
      )) ?? "Copying failed";
  });
  return h(
    "div",
    { class: "condition" },
    h(
      "p",
      { class: "words", dir: "auto", "data-testid": "stage-condition", title: exact.length < 400 ? exact : null },
      text,
    ),
    h(
      "p",
      { class: "quiet", "data-testid": "stage-sides" },
      "Rows go right if true, left otherwise. ",
      side === null ? "" : `Missing values go ${side}. `,
      copy,
    ),
    monotone === null ? null : h("p", { class: "quiet", dir: "auto", "data-testid": "stage-monotone" }, monotone),
  );
}

/** @param {Store} store @param {number} node */
function groupTable(store, node) {
  const { tree, path, state, colors } = store;
  const { counts, n } = tree.figures(state.set);
  const { n: k, groups, nouns } = path.target;
  const isNumber = path.target.edges !== null;
  const most = isNumber ? k : MOST_CLASSES;
  const [no, yes] = tree.isLeaf(node) ? [node, node] : tree.children(node);
  const shown = Array.from(groups.keys())
    .filter((c) => counts[node * k + c])
    .sort((a, b) => (k > most && !isNumber ? counts[node * k + b] - counts[node * k + a] : 0));
  if (!shown.length) return h("p", { class: "quiet" }, "No row of this set reaches this node.");
  /** @param {number} value @param {number} of @param {number} c @param {string} side */
  const bar = (value, of, c, side) =>
    h("span", {
      class: `bar ${side}`,
      style: `width:${(100 * value) / Math.max(of, 1)}%;background:${colors.ofGroup(c)}`,
    });
  const highest = Math.max(...shown.map((c) => Math.max(counts[no * k + c], counts[yes * k + c])));
  const leaf = tree.isLeaf(node);
  const rows = shown
    .slice(0, most)
    .map((c) =>
      h(
        "tr",
        {},
        leaf
          ? null
          : h(
              "td",
              { class: "left" },
              h("span", {}, count(counts[no * k + c])),
              h("i", {}, bar(counts[no * k + c], highest, c, "left")),
            ),
        h("th", { scope: "row", dir: "auto", title: groups[c] }, groups[c]),
        h(
          "td",
          { class: "right" },
          h("i", {}, bar(counts[yes * k + c], highest, c, "right")),
          h("span", {}, count(counts[yes * k + c])),
        ),
      ),
    );
  return h(
    "table",
    { class: `classes ${leaf ? "of-leaf" : ""}`, style: `--digits:${Math.max(5, count(highest).length)}` },
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        leaf ? null : h("th", { scope: "col" }, `${branchTo(tree, no)}: ${count(n[no])}`),
        h("th", { scope: "col" }, nouns.group),
        h("th", { scope: "col" }, leaf ? "rows" : `${branchTo(tree, yes)}: ${count(n[yes])}`),
      ),
    ),
    h(
      "tbody",
      {},
      rows,
      shown.length > most
        ? h("tr", {}, h("td", { colspan: 3, class: "quiet" }, `and ${shown.length - most} more`))
        : null,
    ),
  );
}

/** Return the mean images of the sampled rows on both sides. @param {Store} store @param {number} node */
function sides(store, node) {
  const { tree, path, state, colors } = store;
  return h(
    "div",
    { class: "sides" },
    tree.children(node).map((child, i) => {
      const { rows } = tree.reaching(state.set, child);
      const text = `Mean image of the rows that go ${i ? "right" : "left"}`;
      const image = imageElement(path, inkImage(path, colors, meanImage(path, rows)), 84, text);
      return h("figure", {}, image, h("figcaption", {}, i ? "mean image, right" : "mean image, left"));
    }),
  );
}

/** @param {Store} store @param {number} node */
function way(store, node) {
  const sentences = pathSentences(store.tree, node);
  if (!sentences.length) return null;
  const { tree } = store;
  return h(
    "details",
    { open: true },
    h("summary", {}, "Decision path"),
    h(
      "ol",
      { class: "way" },
      sentences.map((step) =>
        h(
          "li",
          { dir: "auto" },
          h(
            "button",
            { class: "link", onclick: () => store.select(tree.origin[step.node]) },
            nodeName(tree, step.node),
          ),
          " ",
          h("span", { class: "words" }, step.text),
        ),
      ),
    ),
  );
}

/** @param {Store} store @param {number} node */
function coefficients(store, node) {
  const { tree, path, colors } = store;
  if (tree.nWeights(node) < 3 && !tree.isLinear(node)) return null;
  const terms = tree.isLinear(node) ? leafTerms(path, tree, node) : termsOf(path, tree.split(node));
  return h(
    "details",
    {},
    h("summary", {}, `All ${count(terms.length)} coefficients`),
    h(
      "table",
      { class: "coefficients" },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col" }, "feature"),
          h("th", { scope: "col" }, "weight"),
          h("th", { scope: "col", title: "Coefficient times standard deviation of the feature" }, "× s.d."),
        ),
      ),
      h(
        "tbody",
        {},
        terms
          .slice(0, MOST_TERMS)
          .map(({ name, weight, size }) =>
            h(
              "tr",
              {},
              h("th", { scope: "row", dir: "auto", title: name }, name),
              h("td", { title: String(weight) }, number(weight)),
              h(
                "td",
                { style: `box-shadow:inset 3px 0 ${weight < 0 ? colors.negative() : colors.positive()}` },
                number(size),
              ),
            ),
          ),
      ),
      terms.length > MOST_TERMS ? h("caption", {}, `the ${MOST_TERMS} largest of ${count(terms.length)}`) : null,
    ),
  );
}

/**
 * Return the sampled rows that reach a node. A click on a row follows it through the tree.
 * @param {Store} store @param {number} node
 */
function rowsOf(store, node) {
  const { tree, path, state, colors } = store;
  const { rows } = tree.reaching(state.set, node);
  if (!rows.length)
    return h(
      "p",
      { class: "quiet", "data-testid": "stage-no-rows" },
      path.sample.n
        ? "No sampled row reaches this node. The counts above include all rows."
        : "The rows are not available. The counts come from the tree itself.",
    );
  const { leaf } = tree.route(state.set);
  const { target, sample } = path;
  /** @param {number} row */
  const isBad = (row) => target.isWrong(tree, leaf[row], row);
  const wrong = Array.from(rows).filter(isBad);
  const right = Array.from(rows).filter((row) => !isBad(row));
  // The rows are sorted by group, so evenly spaced rows include all groups.
  const bad = spaced(wrong, right.length ? MOST_ROWS / 2 : MOST_ROWS);
  const isNumber = target.edges !== null;
  /** @param {number} row */
  const off = (row) => target.loss(tree, leaf[row], row);
  const shown = isNumber
    ? Array.from(rows)
        .sort((a, b) => off(b) - off(a))
        .slice(0, MOST_ROWS)
    : [...bad, ...spaced(right, MOST_ROWS - bad.length)];
  const items = shown.map((row) => {
    const isWrong = isBad(row);
    const answer = `, predicted ${target.answer(tree, leaf[row], row)}`;
    const predicted = isNumber
      ? `${answer}, ${target.difference(tree.predicted(leaf[row], row), sample.value[row])}`
      : isWrong
        ? answer
        : "";
    const text = `${rowWords(path, row)}: ${target.text(sample.value[row])}${predicted}`;
    const button = h("button", {
      class: `row ${isWrong && !isNumber ? "bad" : ""}`,
      title: text,
      "aria-label": text,
      onclick: () => store.follow(row),
    });
    if (path.imageShape) button.append(rowImage(store, row, 34));
    else
      button.append(
        h("span", { class: "dot", style: `background:${colors.ofGroup(path.sample.y[row])}` }),
        path.sample.names?.[row] || String(path.sample.numbers[row]),
        isNumber
          ? h("small", { class: "quiet" }, ` ${target.offBy(tree.predicted(leaf[row], row), sample.value[row])}`)
          : "",
      );
    return button;
  });
  const facts = isNumber ? "largest errors first" : `${count(wrong.length)} wrong`;
  const some = items.length < rows.length ? `, ${count(items.length)} shown` : "";
  return h(
    "details",
    { open: true },
    h("summary", {}, `Rows here (${count(rows.length)} in the sample, ${facts}${some})`),
    oneStop(h("div", { class: "rows", role: "toolbar", "aria-label": "Rows here" }, items)),
  );
}
