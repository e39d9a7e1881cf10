// The selected rows as a table, and as a file.

import { clearSelection, sayWhatIsSelected } from "../draw/brush.js";
import { csvText } from "../model/csv.js";
import { saveText } from "../elements/save_text.js";
import { h } from "../elements/dom.js";
import { featuresToTell } from "./point_card.js";
import { rowImage } from "../draw/row_image.js";
import { count, number } from "../model/number_text.js";
import { selected } from "../model/selection.js";

const MOST_ROWS = 200;
const ROWS_AT_A_TIME = 30; // more come when they are scrolled to
const MOST_FEATURES = 8;

/** How rows are selected at a node: the shape of a drag, or all of them. */
export function selectionTools(stage, node, marks) {
  const { tree, state } = stage;
  const { rows } = tree.reaching(state.set, node);
  const all = (event) => {
    stage.set({ selection: selected(stage.path, rows, event.shiftKey ? state.selection : null) });
    sayWhatIsSelected(stage);
  };
  const shape = (loop, name, title) =>
    h(
      "button",
      { class: "small", "aria-pressed": String(state.loop === loop), title, onclick: () => stage.set({ loop }) },
      name,
    );
  return h(
    "div",
    { class: "selecting" },
    marks?.free
      ? h(
          "div",
          { class: "segments", role: "group", "aria-label": "Shape of a selection" },
          shape(false, "▭ box", "Drag a box over the picture to select rows"),
          shape(true, "◌ loop", "Draw a loop around rows to select them"),
        )
      : null,
    h(
      "button",
      {
        class: "small",
        "data-testid": "stage-select-all",
        title: "Select every sampled row of this node (with Shift: add them)",
        disabled: rows.length === 0,
        onclick: all,
      },
      `Select all ${count(rows.length)}`,
    ),
    marks ? h("span", { class: "quiet" }, "or drag over them; Shift adds") : null,
  );
}

/** Table of the selected rows, or null when there are none. */
export function selectedRows(stage, node) {
  const { path, state } = stage;
  const { selection } = state;
  if (!selection) return null;
  return h(
    "details",
    { open: true, class: "selected", "data-testid": "stage-selected" },
    h("summary", {}, `Selected rows (${count(selection.n)})`),
    h("p", { class: "quiet" }, verdict(stage)),
    h(
      "div",
      { class: "buttons" },
      h(
        "button",
        {
          class: "small",
          "data-testid": "stage-save-rows",
          title:
            `All ${count(selection.n)} selected rows of the sample, with the ${count(path.features.length)} of ` +
            `${count(path.nFeatures)} features that trees of the path use`,
          onclick: () => saveText(`${path.name}-selected-rows.csv`, selectedCsv(stage)),
        },
        "Save as CSV",
      ),
      h(
        "button",
        { class: "small", title: "Clear the selection (Esc)", onclick: () => clearSelection(stage) },
        "Clear",
      ),
    ),
    table(stage, node),
    selection.n > MOST_ROWS
      ? h("p", { class: "quiet" }, `and ${count(selection.n - MOST_ROWS)} more, which are in the CSV file`)
      : null,
  );
}

/** The table itself; while trees follow each other the last one stays, for it costs more than all the rest. */
function table(stage, node) {
  const { path, state, tree } = stage;
  const { selection } = state;
  const key = [selection, tree, node, stage.colors];
  const last = stage.selectedTable;
  const waits = last?.key[0] === selection && stage.isHurried && last.key[3] === stage.colors;
  if (last && (waits || last.key.every((value, i) => value === key[i]))) return last.element;
  const features = path.imageShape ? [] : featuresToTell(tree, node, MOST_FEATURES);
  const columns = [
    ["row", 44],
    path.imageShape ? ["image", 54] : null,
    ["class", 80],
    ["predicted", 86],
    ["leaf", 38],
    ...features.map((feature) => [path.features[feature], 88]),
  ].filter((column) => column !== null);
  const width = columns.reduce((sum, column) => sum + column[1], 0) * state.type;
  const body = h("tbody");
  const shown = selection.rows.slice(0, MOST_ROWS);
  const grow = () => {
    const { length } = body.children;
    body.append(...shown.slice(length, length + ROWS_AT_A_TIME).map((row) => line(stage, tree, row, features)));
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
  stage.selectedTable = { key, element };
  return element;
}

/** How the tree does on the selected rows. */
function verdict({ tree, state, path }) {
  const { selection } = state;
  const fates = selection.rows.map((row) => selection.fate(tree, row));
  const wrong = fates.filter(({ isWrong }) => isWrong).length;
  const leaves = new Set(fates.map(({ leaf }) => leaf)).size;
  const here = selection.perSet[state.set];
  return [
    `in ${count(leaves)} ${leaves === 1 ? "leaf" : "leaves"}`,
    wrong ? `${count(wrong)} wrong` : "none wrong",
    here < selection.n ? `${count(here)} of them ${path.sets[state.set].name}` : "",
  ]
    .filter(Boolean)
    .join(", ");
}

function line(stage, tree, row, features) {
  const { path, state, colors } = stage;
  const { X, n, y, value: truth, rows } = path.sample;
  const { leaf, isWrong } = state.selection.fate(tree, row);
  const name = (group, value) => [
    h("span", { class: "dot", style: `background:${colors.ofGroup(group)}` }),
    h("bdi", {}, path.target.text(value)),
  ];
  return h(
    "tr",
    { class: isWrong ? "wrong" : null },
    h(
      "th",
      { scope: "row" },
      h(
        "button",
        { class: "link", title: "Follow this row through the tree", onclick: () => stage.follow(row) },
        String(rows[row]),
      ),
    ),
    path.imageShape ? h("td", {}, rowImage(stage, row, 24)) : null,
    h("td", {}, name(y[row], truth[row])),
    h("td", {}, isWrong ? "✕ " : null, name(tree.label[leaf], tree.value[leaf])),
    h("td", { class: "number" }, String(tree.origin[leaf])),
    features.map((feature) => {
      const value = X[feature * n + row];
      return h("td", { class: "number" }, Number.isNaN(value) ? "" : number(value, 5));
    }),
  );
}

/** Every selected row with every shipped feature, as CSV. */
export function selectedCsv({ path, tree, state }) {
  const { X, n, value, rows, set } = path.sample;
  const { target } = path;
  const lines = state.selection.rows.map((row) => {
    const { leaf } = state.selection.fate(tree, row);
    return [
      rows[row],
      path.sets[set[row]].name,
      target.text(value[row]),
      target.answer(tree, leaf),
      tree.origin[leaf],
      ...path.features.map((_, feature) => X[feature * n + row]),
    ];
  });
  return csvText([["row", "set", target.nouns.value, "prediction", "leaf", ...path.features], ...lines]);
}
