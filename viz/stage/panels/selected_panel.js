// The selected rows as a table and as a file.

import { nodeName } from "../model/tree.js";
import { columnName, columnText } from "../draw/category_picture.js";
import { count, counted, dateText, setWord } from "../model/number_text.js";
import { csvText } from "../elements/csv.js";
import { saveText } from "../elements/save_text.js";
import { fill, h } from "../elements/dom.js";
import { featuresToTell } from "./point_card.js";
import { rowImage } from "../draw/sprites.js";
import { clearSelection, select, selected } from "../model/selection.js";
import { rowWords } from "../model/followed_row.js";

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
