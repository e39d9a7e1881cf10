// Follow one row: picked from the data, or drawn by hand. Its way lights up in the tree with the margin at each node.

import { marginSentence, percent, valueText } from "./condition.js";
import { h, sized } from "./dom.js";
import { conditionText } from "./node_text.js";
import { inkImage, largestValue } from "./sprites.js";
import { rowsOfSet } from "./tree.js";

/** Contents of the "Row" tab. */
export function rowPanel(stage) {
  const { path, state, tree } = stage;
  const parts = [h("h3", {}, "Follow a row"), picker(stage)];
  if (path.imageShape) parts.push(pad(stage));
  if (!state.row) {
    parts.push(
      h(
        "p",
        { class: "quiet" },
        `Pick a row of the sample${path.imageShape ? ", or draw one" : ""}: its way through the tree lights up, with the signed margin at every node.`,
      ),
    );
    return parts;
  }
  const steps = tree.way(state.row.values);
  const leaf = steps.at(-1).node;
  const { counts, n } = tree.figures(0);
  const share = counts[leaf * path.classes.length + tree.label[leaf]] / Math.max(n[leaf], 1);
  const predicted = path.classes[tree.label[leaf]];
  const truth = state.row.label === null ? null : path.classes[state.row.label];
  parts.push(
    h(
      "p",
      { class: "verdict", "data-testid": "stage-verdict" },
      "Predicted ",
      h("b", { dir: "auto" }, predicted),
      ` (${percent(share, 0)} of the ${path.sets[0].name} rows in leaf ${tree.origin[leaf]})`,
      truth === null
        ? null
        : truth === predicted
          ? ", which is right."
          : [", but it is ", h("b", { class: "bad", dir: "auto" }, truth), "."],
    ),
    h(
      "ol",
      { class: "way" },
      steps
        .slice(0, -1)
        .map(({ node, margin }) =>
          h(
            "li",
            {},
            h("button", { class: "link", onclick: () => stage.select(tree.origin[node]) }, `node ${tree.origin[node]}`),
            " ",
            h("b", {}, marginSentence(tree, node, margin)),
            path.imageShape ? null : h("span", { class: "words quiet", dir: "auto" }, ` ${conditionText(stage, node)}`),
          ),
        ),
    ),
    h(
      "p",
      { class: "quiet" },
      "The margin is the weighted sum plus bias of the node: yes, to the right, when it is at least 0.",
    ),
    h("button", { onclick: () => stage.set({ row: null }) }, "Stop following"),
  );
  if (!path.imageShape) parts.push(values(stage));
  return parts;
}

function picker(stage) {
  const { path, state } = stage;
  const rows = rowsOfSet(path, state.set);
  const at = state.row?.sample === undefined ? -1 : rows.indexOf(state.row.sample);
  const follow = (i) => rows.length && stage.follow(rows[(i + rows.length) % rows.length]);
  const random = () => follow(Math.floor(Math.random() * rows.length));
  const wrong = () => {
    const { leaf } = stage.tree.route(state.set);
    for (let i = 1; i <= rows.length; i++) {
      const row = rows[(at + i + rows.length) % rows.length];
      if (stage.tree.label[leaf[row]] !== path.sample.y[row]) return stage.follow(row);
    }
    return stage.say("Every sampled row of this set is predicted right.");
  };
  return h(
    "div",
    { class: "buttons" },
    h("button", { onclick: () => follow(at - 1), "aria-label": "Previous row" }, "‹"),
    h("button", { onclick: () => follow(at + 1), "aria-label": "Next row" }, "›"),
    h("button", { onclick: random }, "Random"),
    h("button", { onclick: wrong }, "Next wrong"),
    at >= 0 ? h("span", { class: "quiet" }, `row ${path.sample.rows[rows[at]]} (${path.sets[state.set].name})`) : null,
  );
}

function values(stage) {
  const { path, state, tree } = stage;
  const used = new Set(
    tree
      .way(state.row.values)
      .slice(0, -1)
      .flatMap(({ node }) => Array.from(tree.split(node).features)),
  );
  return h(
    "details",
    {},
    h("summary", {}, `Values that its way asks for (${used.size})`),
    h(
      "table",
      { class: "coefficients" },
      h(
        "tbody",
        {},
        [...used]
          .slice(0, 200)
          .map((j) =>
            h(
              "tr",
              {},
              h("th", { scope: "row", dir: "auto", title: path.features[j] }, path.features[j]),
              h("td", {}, valueText(state.row.values[j], 5)),
            ),
          ),
      ),
    ),
  );
}

/** Pad to draw a row on: one cell a pixel. */
function pad(stage) {
  const { path, state, colors } = stage;
  const [rows, columns] = path.imageShape;
  const unit = Math.max(2, Math.floor(Math.min(196 / rows, 240 / columns)));
  const drawn = (stage.drawing ??= new Float64Array(rows * columns));
  const canvas = h("canvas", {
    class: "pad",
    tabindex: "0",
    role: "img",
    "aria-label": `Pad of ${columns} by ${rows} cells: draw with the pointer`,
  });
  const paint = () => {
    const context = sized(canvas, columns * unit, rows * unit);
    context.imageSmoothingEnabled = false;
    const shown =
      state.row && state.row.sample !== undefined && !stage.penDown
        ? state.row.values.map((v) => v / largestValue(path))
        : drawn;
    context.drawImage(inkImage(path, colors, shown), 0, 0, columns * unit, rows * unit);
  };
  const draw = (event) => {
    const box = canvas.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * columns - 0.5,
      y = ((event.clientY - box.top) / box.height) * rows - 0.5;
    const radius = Math.max(1, Math.min(rows, columns) / 18);
    for (let r = 0; r < rows; r++) {
      for (let c = 0; c < columns; c++) {
        const ink = Math.max(0, Math.min(1, radius + 0.6 - Math.hypot(r - y, c - x)));
        drawn[r * columns + c] = Math.max(drawn[r * columns + c], ink);
      }
    }
    paint();
  };
  canvas.addEventListener("pointerdown", (event) => {
    if (state.row?.sample !== undefined) drawn.fill(0);
    stage.penDown = true;
    canvas.setPointerCapture(event.pointerId);
    draw(event);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!stage.penDown) return;
    draw(event);
    stage.followValues(asRow(path, drawn), false);
  });
  const lift = () => {
    if (!stage.penDown) return;
    stage.penDown = false;
    stage.followValues(asRow(path, drawn), true);
  };
  canvas.addEventListener("pointerup", lift);
  canvas.addEventListener("pointercancel", lift);
  paint();
  return h(
    "div",
    { class: "draw" },
    canvas,
    h(
      "div",
      { class: "buttons" },
      h(
        "button",
        {
          onclick: () => {
            drawn.fill(0);
            stage.set({ row: null });
          },
        },
        "Clear",
      ),
      h("span", { class: "quiet" }, "Draw here; the drawing is centred."),
    ),
  );
}

/** The drawing as a row of data: moved so that its ink is centred, scaled to the values of the data. */
function asRow(path, drawn) {
  const [rows, columns] = path.imageShape;
  let ink = 0,
    x = 0,
    y = 0;
  drawn.forEach((v, i) => {
    ink += v;
    x += v * (i % columns);
    y += v * Math.floor(i / columns);
  });
  const values = new Float64Array(rows * columns);
  if (!ink) return values;
  const dx = Math.round((columns - 1) / 2 - x / ink),
    dy = Math.round((rows - 1) / 2 - y / ink);
  const top = largestValue(path);
  drawn.forEach((v, i) => {
    const c = (i % columns) + dx,
      r = Math.floor(i / columns) + dy;
    if (c >= 0 && c < columns && r >= 0 && r < rows) values[r * columns + c] = Math.round(v * top);
  });
  return values;
}
