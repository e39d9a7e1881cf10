// Features along the path. For each feature, the panel shows the largest lambda at which the tree, or one node, uses
// it.

import { placeText } from "../model/grid.js";
import { count, number } from "../model/number_text.js";
import { showFeature } from "../model/search.js";
import { h, sizeCanvas } from "../elements/dom.js";
import { imageElement, imageSize, inkImage } from "../draw/sprites.js";
import { remembered } from "../model/remembered.js";
import { nodeName } from "../model/tree.js";

const MOST = 40;

/**
 * Return a Map feature -> Uint16Array[lambdas] with the number of nodes that use the feature. With `origin`, only this
 * node counts.
 * @param {Store} store @param {number | null} [origin]
 */
function featureUse({ path, trees, cell }, origin = null) {
  return remembered(path, `feature use ${cell.row} ${origin}`, () => {
    const use = new Map();
    trees.forEach((tree, t) => {
      const node = tree.nodeOf.get(origin);
      if (origin !== null && node === undefined) return;
      const used = node === undefined ? tree.usedFeatures() : tree.featuresOf(node);
      for (const feature of used) {
        if (!use.has(feature)) use.set(feature, new Uint16Array(trees.length));
        use.get(feature)[t]++;
      }
    });
    return use;
  });
}

/** Return the index of the largest lambda at which a feature is used. @param {Uint16Array} counts */
function entersAt(counts) {
  return counts.findLastIndex((v) => v > 0);
}

/** Return the contents of the "Features" tab. @param {Store} store */
export function featuresPanel(store) {
  const { path, state } = store;
  const origin = state.onlyNode ? state.node : null;
  const use = featureUse(store, origin);
  /** @param {Uint16Array} counts */
  const total = (counts) => counts.reduce((a, b) => a + b, 0);
  const order = [...use.keys()].sort(
    (a, b) => entersAt(use.get(b)) - entersAt(use.get(a)) || total(use.get(b)) - total(use.get(a)),
  );
  const only = h(
    "label",
    { class: "check" },
    h("input", {
      type: "checkbox",
      checked: state.onlyNode,
      disabled: state.node === null,
      onchange: () => store.set({ onlyNode: !store.state.onlyNode }),
    }),
    state.node === null ? "Selected node only" : `${nodeName(store.tree, store.tree.nodeOf.get(state.node) ?? 0)} only`,
  );
  /** @type {HTMLElement[]} */
  const parts = [
    h("h2", {}, "Features along the path"),
    only,
    h(
      "p",
      { class: "quiet" },
      `The trees on the path use ${count(order.length)} of ${count(path.nFeatures)} ${path.imageShape ? "pixels" : "features"}. A feature enters at the ${path.bySize ? "smallest size" : "largest λ"} with a tree that uses this feature.`,
    ),
  ];
  if (!order.length) return parts;
  if (path.imageShape) parts.push(entryMap(store, use));
  parts.push(
    h(
      "table",
      { class: "entries", "data-testid": "stage-features" },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col" }, path.imageShape ? "pixel" : "feature"),
          h("th", { scope: "col" }, path.bySize ? "large trees … small trees" : "small λ … large λ"),
          h("th", { scope: "col" }, "enters"),
        ),
      ),
      h(
        "tbody",
        {},
        order.slice(0, MOST).map((j) =>
          h(
            "tr",
            { class: state.feature === j ? "chosen" : null },
            h(
              "th",
              { scope: "row", dir: "auto" },
              h(
                "button",
                {
                  class: "link",
                  title: `Show the nodes that use ${path.features[j]}`,
                  onclick: () => showFeature(store, state.feature === j ? null : j),
                },
                path.features[j],
              ),
            ),
            h("td", {}, strip(store, use.get(j))),
            h(
              "td",
              { class: "number" },
              path.bySize ? placeText(path, entersAt(use.get(j))) : number(path.lams[entersAt(use.get(j))]),
            ),
          ),
        ),
      ),
    ),
  );
  if (order.length > MOST)
    parts.push(
      h(
        "p",
        { class: "quiet" },
        `and ${order.length - MOST} more that enter ${path.bySize ? "in larger trees" : "at smaller λ"}`,
      ),
    );
  if (state.feature !== null && origin === null) parts.push(perNode(store, state.feature));
  return parts;
}

/**
 * Draw one cell per lambda, which is darker if more nodes use the feature.
 * @param {Store} store @param {Uint16Array} counts
 */
function strip(store, counts) {
  const { colors } = store;
  const width = 108,
    height = 12;
  const canvas = h("canvas", { "aria-hidden": "true" });
  const context = sizeCanvas(canvas, width, height);
  const cell = width / counts.length;
  const most = Math.max(...counts, 1);
  counts.forEach((v, i) => {
    context.globalAlpha = v ? 0.35 + (0.65 * v) / most : 1;
    context.fillStyle = v ? colors.theme.accent : colors.theme.grid;
    context.fillRect(i * cell, v ? 0 : height / 2 - 1, Math.max(cell - 0.7, 0.6), v ? height : 2);
  });
  context.globalAlpha = 1;
  context.fillStyle = colors.theme.text;
  context.fillRect((store.cell.column + 0.5) * cell - 0.7, 0, 1.4, height);
  return canvas;
}

/**
 * Return an image in which darker pixels stay in use up to a larger lambda.
 * @param {Store} store @param {Known<number, Uint16Array>} use
 */
function entryMap(store, use) {
  const { path, colors, trees } = store;
  const [rows, columns] = imageSize(path);
  const values = new Float64Array(rows * columns);
  for (const [j, counts] of use) values[j] = (entersAt(counts) + 1) / trees.length;
  const text = `Image of the pixels. The darker a pixel, the ${path.bySize ? "smaller the trees that" : "larger the λ at which trees"} still use it`;
  const canvas = imageElement(path, inkImage(path, colors, values), 168, text);
  const says = h(
    "figcaption",
    {},
    path.bySize ? "darker pixels enter in smaller trees" : "darker pixels enter at larger λ",
  );
  canvas.addEventListener("pointermove", (event) => {
    const box = canvas.getBoundingClientRect();
    const c = Math.floor(((event.clientX - box.left) / box.width) * columns),
      r = Math.floor(((event.clientY - box.top) / box.height) * rows);
    const counts = use.get(r * columns + c);
    says.textContent = `pixel ${r}, ${c}: ${counts ? `enters at ${placeText(path, entersAt(counts))}` : "never used"}`;
  });
  return h("figure", { class: "map" }, canvas, says);
}

/**
 * Return the nodes that use a feature, with the largest lambda at which each node uses it.
 * @param {Store} store @param {number} feature
 */
function perNode(store, feature) {
  const { path, trees } = store;
  const enters = new Map();
  trees.forEach((tree, t) => {
    for (let i = 0; i < tree.n; i++) if (tree.featuresOf(i).includes(feature)) enters.set(tree.origin[i], t);
  });
  const order = [...enters].sort((a, b) => b[1] - a[1]);
  return h(
    "div",
    {},
    h("h3", { dir: "auto" }, path.features[feature]),
    h(
      "p",
      { class: "origins" },
      "enters ",
      order
        .slice(0, MOST)
        .map(([origin, t]) => [
          h(
            "button",
            { class: "link", onclick: () => store.select(origin) },
            nodeName(trees[t], trees[t].nodeOf.get(origin) ?? 0),
          ),
          ` at ${placeText(path, t)}; `,
        ]),
      order.length > MOST ? `and ${count(order.length - MOST)} more` : "",
    ),
  );
}
