// The selected rows as a table and as a file.

import { endText } from "../draw/axis.js";
import { columnName, columnText } from "../draw/category_picture.js";
import { rowImage } from "../draw/sprites.js";
import { csvText, saveText } from "../elements/csv.js";
import { fill, h } from "../elements/dom.js";
import { rowWords } from "../model/followed_row.js";
import { phrases } from "../model/node_statistics.js";
import { count, counted, dateText, setWord } from "../model/number_text.js";
import { clearSelection, select, selected } from "../model/selection.js";
import { nodeName } from "../model/tree.js";

const MOST_ROWS = 200;
const ROWS_AT_A_TIME = 30; // Scrolling adds more rows.
const MOST_FEATURES = 8;

/**
 * Return the tools for selecting rows at a node: two shapes for drags, and all rows.
 * @param {Store} store @param {number} node @param {Marks | null} marks
 */
export function selectionTools(store, node, marks) {
  const { tree, state } = store;
  const { rows } = tree.reaching(state.set, node);
  /** @param {PointerEvent} event */
  const all = (event) => select(store, selected(store.path, rows, event.shiftKey ? state.selection : null));
  /** @param {boolean} loop @param {string} name @param {string} title */
  const shape = (loop, name, title) =>
    h(
      "button",
      { class: "small", "aria-pressed": String(state.loop === loop), title, onclick: () => store.set({ loop }) },
      name,
    );
  return h(
    "div",
    { class: "selecting" },
    marks?.free
      ? h(
          "div",
          { class: "segments", role: "group", "aria-label": "Selection shape" },
          shape(false, "▭ Box", "Drag a box over the plot to select rows"),
          shape(true, "◌ Lasso", "Draw a loop around rows to select them"),
        )
      : null,
    h(
      "button",
      {
        class: "small",
        "data-testid": "stage-select-all",
        title: "Select all sampled rows in this node (Shift adds them)",
        disabled: rows.length === 0,
        onclick: all,
      },
      rows.length ? `Select all ${count(rows.length)}` : "Select all",
    ),
    marks ? h("span", { class: "quiet" }, "or drag over the rows; Shift adds") : null,
  );
}

/** The selected rows, updated for every node. */
export class SelectedRows {
  /** @param {Store} store */
  constructor(store) {
    this.store = store;
    /** @type {{key: unknown[], element: HTMLElement} | null} table, with the selection, tree, node and colours as its key */
    this.last = null;
    this.words = h("p", { class: "quiet" });
  }

  /** Show a tree with the same nodes and other splits. */
  showTree() {
    const { selection } = this.store.state;
    if (selection && this.words.isConnected) fill(this.words, verdict(this.store, selection));
  }

  /** Whether the table belongs to another tree. */
  get isLate() {
    return this.store.state.selection !== null && this.last?.key[1] !== this.store.tree;
  }

  /** Return the elements for a node, or null if no row is selected. @param {number} node */
  at(node) {
    const { store } = this;
    const { path, state } = store;
    const { selection } = state;
    if (!selection) return null;
    fill(this.words, verdict(store, selection));
    return h(
      "details",
      { open: true, class: "selected", "data-testid": "stage-selected" },
      h("summary", {}, `Selected rows (${count(selection.n)})`),
      this.words,
      h(
        "div",
        { class: "buttons" },
        h(
          "button",
          {
            class: "small",
            "data-testid": "stage-save-rows",
            title:
              `All ${count(selection.n)} selected rows in the sample, with the ${count(path.features.length)} of ` +
              `${count(path.nFeatures)} features that the trees on the path use`,
            onclick: () => saveText(`${path.name}-selected-rows.csv`, selectedCsv(store, selection)),
          },
          "Save as CSV",
        ),
        h(
          "button",
          { class: "small", title: "Clear the selection (Esc)", onclick: () => clearSelection(store) },
          "Clear",
        ),
      ),
      this.table(selection, node),
      selection.n > MOST_ROWS
        ? h("p", { class: "quiet" }, `and ${count(selection.n - MOST_ROWS)} more (all are in the CSV file)`)
        : null,
    );
  }

  /**
   * Return the table. While the tree changes quickly, the previous table stays, because tables take most of the time.
   * @param {RowSelection} selection @param {number} node
   */
  table(selection, node) {
    const { state, tree, colors } = this.store;
    const key = [selection, tree, node, colors];
    const { last } = this;
    const waits = state.isHurried && last?.key[0] === selection && last.key[3] === colors;
    if (last && (waits || last.key.every((value, i) => value === key[i]))) return last.element;
    const element = tableOf(this.store, selection, node);
    this.last = { key, element };
    return element;
  }
}

/** @param {Store} store @param {RowSelection} selection @param {number} node */
function tableOf(store, selection, node) {
  const { path, state, tree } = store;
  const features = path.imageShape ? [] : featuresToTell(tree, node, MOST_FEATURES);
  /** @type {[title: string, width: number][]} */
  const columns = [
    ["row", 44],
    ...(path.imageShape ? [/** @type {[string, number]} */ (["image", 54])] : []),
    [path.target.nouns.value, 80],
    ["predicted", 86],
    ["leaf", 74],
    ...features.map((feature) => /** @type {[string, number]} */ ([columnName(path, feature), 88])),
  ];
  const width = columns.reduce((sum, column) => sum + column[1], 0) * state.type;
  const body = h("tbody");
  const shown = selection.rows.slice(0, MOST_ROWS);
  const grow = () => {
    const { length } = body.children;
    body.append(...shown.slice(length, length + ROWS_AT_A_TIME).map((row) => line(store, selection, row, features)));
  };
  const element = h(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": "Selected rows" },
    h(
      "table",
      { style: `width:${width}px` },
      h(
        "colgroup",
        {},
        columns.map((column) => h("col", { style: `width:${column[1] * state.type}px` })),
      ),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          columns.map(([title]) => h("th", { scope: "col", dir: "auto", title }, title)),
        ),
      ),
      body,
    ),
  );
  grow();
  element.addEventListener("scroll", () => {
    if (element.scrollTop + 2 * element.clientHeight > element.scrollHeight) grow();
  });
  return element;
}

/** Describe how well the tree predicts the selected rows. @param {Store} store @param {RowSelection} selection */
function verdict({ tree, state, path }, selection) {
  const endings = selection.rows.map((row) => selection.ending(tree, row));
  const wrong = endings.filter(({ isWrong }) => isWrong).length;
  const leaves = new Set(endings.map(({ leaf }) => leaf)).size;
  const here = selection.perSet[state.set];
  return [
    `in ${counted(leaves, "leaf")}`,
    `${wrong ? count(wrong) : "none"} ${path.target.nouns.wrong}`,
    here < selection.n ? `${count(here)} of them ${setWord(path.sets[state.set])}` : "",
  ]
    .filter(Boolean)
    .join(", ");
}

/** @param {Store} store @param {RowSelection} selection @param {number} row @param {number[]} features */
function line(store, selection, row, features) {
  const { path, tree, colors } = store;
  const { y, value: truth, numbers, names } = path.sample;
  const { leaf, isWrong } = selection.ending(tree, row);
  /** @param {number} group @param {string} text */
  const name = (group, text) => [
    h("span", { class: "dot", style: `background:${colors.ofGroup(group)}` }),
    h("bdi", {}, text),
  ];
  return h(
    "tr",
    { class: isWrong ? "wrong" : null },
    h(
      "th",
      { scope: "row" },
      h(
        "button",
        { class: "link", title: `Follow ${rowWords(path, row)} through the tree`, onclick: () => store.follow(row) },
        names?.[row] || String(numbers[row]),
      ),
    ),
    path.imageShape ? h("td", {}, rowImage(store, row, 24)) : null,
    h("td", {}, name(y[row], path.target.text(truth[row]))),
    h(
      "td",
      {},
      isWrong ? "✕ " : null,
      name(path.target.groupOf(tree.predicted(leaf, row)), path.target.answer(tree, leaf, row)),
    ),
    h("td", { class: "number" }, nodeName(tree, leaf)),
    features.map((feature) => {
      const text = columnText(path, feature, row, 5);
      return h("td", { class: path.categories[feature] ? null : "number" }, text === "missing" ? "" : text);
    }),
  );
}

/** Return the selected rows with every shipped feature as CSV. @param {Store} store @param {RowSelection} selection */
function selectedCsv({ path, tree }, selection) {
  const { X, n, value, numbers, names, set } = path.sample;
  const { target } = path;
  const lines = selection.rows.map((row) => {
    const { leaf } = selection.ending(tree, row);
    return [
      numbers[row],
      ...(names ? [names[row]] : []),
      path.sets[set[row]].name,
      target.text(value[row]),
      target.answer(tree, leaf, row),
      nodeName(tree, leaf),
      ...path.features.map(
        (_, j) =>
          (path.dates.has(j) && dateText(X[j * n + row])) || (path.levels[j]?.[X[j * n + row]] ?? X[j * n + row]),
      ),
    ];
  });
  return csvText([
    ["row", ...(names ? ["name"] : []), "set", target.nouns.value, "prediction", "leaf", ...path.features],
    ...lines,
  ]);
}

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
