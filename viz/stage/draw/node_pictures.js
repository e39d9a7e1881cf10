// Drawing functions of each kind of node: its plot, the text below, its marks, its large plot in the inspector, and its
// description.

import { columnOf, condition } from "../model/condition.js";
import { isOf, kindOf } from "../model/node_kinds.js";
import { nodeName } from "../model/tree.js";
import { widthForDetail } from "../geometry/shapes.js";
import { categoryMarks, categoryPicture } from "./category_picture.js";
import { leafTerms, linearLeaf } from "./linear_leaf.js";
import { binMarks, pointMarks } from "./marks.js";
import { MOST_BARS, histogramFrame, projection } from "./projection.js";
import { scatter, scatterFrame } from "./scatter.js";

const PAD = 4; // margin of a plot in the inspector, in pixels

/** @type {NodePicture} */
const LEAF = {
  axes: 0,
  words: () => Infinity,
  draw: (picture, node, box, w) => picture.leaf(node, box, w, false),
  marks: () => null,
  plot: (_, __, width) => ({ box: { x: width / 2, y: 26, w: Math.min(width, 190), h: 44, room: width }, height: 54 }),
  text: ({ tree, path }, node) => `Rows of ${nodeName(tree, node)}, ${path.target.leafWords(tree, node)}`,
};

/** @type {NodePicture} */
const LINEAR = {
  ...LEAF,
  draw: linearLeaf,
  plot: ({ path, tree, state }, node, width) => {
    const rows = Math.min(leafTerms(path, tree, node).length, MOST_BARS + 1);
    const h = 20 + rows * 15 * state.type;
    return { box: { x: width / 2, y: PAD + h / 2, w: width - 4, h, room: width }, height: h + 2 * PAD };
  },
  text: ({ tree }, node) => `Weights of the linear model of ${nodeName(tree, node)}`,
};

/** @type {NodePicture["plot"]} */
function imagePlot({ path, state }, _, width) {
  const [rows, columns] = /** @type {Pair} */ (path.imageShape);
  const side = Math.min(width * 0.72, 210);
  const w = columns >= rows ? side : (side * columns) / rows;
  const h = (w * rows) / columns;
  return { box: { x: width / 2, y: PAD + h / 2, w, h, room: width }, height: h + 2 * PAD + 15 * state.type };
}

/** @type {NodePicture} */
const IMAGE = {
  axes: 0,
  words: () => Infinity,
  least: ({ detail }) => detail.image,
  draw: (picture, node, box, w) => picture.weights(node, box, w),
  marks: () => null,
  plot: imagePlot,
  text: ({ tree }, node) => `Image of the ${tree.nWeights(node)} pixel weights of ${nodeName(tree, node)}`,
};

/** @type {NodePicture} */
const CATEGORIES = {
  axes: 1,
  words: ({ detail }) => detail.line,
  draw: categoryPicture,
  marks: categoryMarks,
  plot: ({ path, tree, state }, node, width) => {
    const isBars = columnOf(path, tree.split(node)) !== null;
    const axis = 15 * state.type;
    const above = path.target.edges === null ? PAD : axis;
    const h = isBars ? 130 : 190;
    const box = { x: width / 2, y: above + h / 2, w: width - 4, h, room: width };
    return { box, height: h + (isBars ? 1.5 : 2.8) * axis + above };
  },
  text: ({ tree }, node) => `Rows at ${nodeName(tree, node)} by category; ${condition(tree, node)}`,
};

/** @type {NodePicture} */
const SCATTER = {
  axes: 2,
  words: ({ detail }) => detail.line,
  draw: scatter,
  marks: (look, node, box) => pointMarks(look.tree.reaching(look.set, node).rows, scatterFrame(look, node, box), box),
  plot: ({ state }, _, width) => {
    const [side, axis] = [Math.min(width - 8, 250), 15 * state.type];
    return { box: { x: width / 2, y: axis + side / 2, w: side, h: side, room: width }, height: side + axis * 3.2 };
  },
  text: ({ tree }, node) => `Scatter plot of the rows at ${nodeName(tree, node)} with the split line`,
};

/** @type {NodePicture} */
const SUM = {
  axes: 1,
  words: () => Infinity,
  draw: projection,
  marks: (look, node, box) => {
    const frame = histogramFrame(look, node, box, widthForDetail(look.looks.detail, box));
    return frame && binMarks(frame);
  },
  plot: ({ path, tree, state }, node, width) => {
    const [n, axis] = [isOf(tree, node, "difference") ? 1 : tree.nWeights(node), 15 * state.type];
    const above = path.target.edges === null ? PAD : axis; // height for the name of the vertical axis
    const h = 110 + (n > 1 ? Math.min(n, 8) : 0) * 15 * state.type;
    const isDate = n === 1 && path.dates.has(tree.split(node).features[0]);
    const box = { x: width / 2, y: above + h / 2, w: width - 4, h, room: width };
    return { box, height: h + (isDate ? 2.8 : 1.5) * axis + above };
  },
  text: ({ tree, path }, node) => {
    const [name, words] = [nodeName(tree, node), condition(tree, node)];
    return path.target.edges === null
      ? `Histogram of the rows at ${name} with the split; ${words}`
      : `Rows at ${name} by their ${path.target.nouns.value}, with the split and the mean of both sides; ${words}`;
  },
};

/** @type {Record<string, NodePicture>} by name of the kind */
const PICTURES = {
  "image model": { ...LINEAR, plot: imagePlot },
  "linear leaf": LINEAR,
  "image leaf": { ...LEAF, draw: (picture, node, box, w) => picture.imageLeaf(node, box, w), plot: imagePlot },
  "number leaf": { ...LEAF, draw: (picture, node, box, w) => picture.leaf(node, box, w, true) },
  "class leaf": LEAF,
  image: IMAGE,
  "categories in the plane": CATEGORIES,
  "categories of two features": CATEGORIES,
  categories: CATEGORIES,
  plane: SCATTER,
  constant: SUM,
  difference: { ...SUM, words: ({ words }) => words.one },
  univariate: { ...SUM, words: ({ words }) => words.one },
  bivariate: SCATTER,
  oblique: SUM,
};

/** Return the drawing functions of a node. @param {StageTree} tree @param {number} node */
export function pictureOf(tree, node) {
  return PICTURES[kindOf(tree, node).name];
}

/**
 * Return the marks in the plot of a node drawn into `box`, or null. `free`: whether any shape can select rows, or only
 * a range. `shown(corners)` returns the displayed shape, and `rowsIn(corners)` the rows inside.
 * @param {Picture} look @param {number} node @param {NodeBox} box @returns {Marks | null}
 */
export function marksOf(look, node, box) {
  return pictureOf(look.tree, node).marks(look, node, box);
}
