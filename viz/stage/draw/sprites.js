// Small images of one tree, drawn once into an atlas: weights of decision nodes, mean images of leaves.

import { pixel, rgb } from "../model/colors.js";
import { h, sized } from "../elements/dom.js";
import { remembered } from "../model/remembered.js";
import { valuesOfRow } from "../model/tree.js";

const KEPT = 48; // atlases

/** The atlases of a path. */
export const spritesOf = (path) => remembered(path, "sprites", () => new Sprites(path));

/** Atlases of a path with images, newest kept. */
class Sprites {
  constructor(path) {
    this.path = path;
    this.atlases = new Map();
  }

  /** {canvas, w, h, cell(node): [x, y] or undefined} with the weights of every decision node. */
  weights(tree, colors, globalScale) {
    return this.atlas(`w ${tree.index} ${colors.key} ${globalScale}`, tree, decisions(tree), (node, write) => {
      const largest = globalScale ? this.path.largestWeight : largestOf(tree, node);
      const zero = pixel(...rgb(colors.theme.surface));
      write((cell) => {
        cell.fill(zero);
        for (let j = tree.start[node]; j < tree.start[node + 1]; j++) {
          cell.set(tree.feature[j], colors.weightPixel(tree.weight[j] / largest));
        }
      });
    });
  }

  /** The same with the mean image of the sampled rows of a set in every leaf that has one. */
  means(tree, colors, set) {
    const { order, from, to } = tree.route(set);
    const leaves = [];
    for (let i = 0; i < tree.n; i++) if (tree.isLeaf(i) && to[i] > from[i]) leaves.push(i);
    return this.atlas(`m ${tree.index} ${colors.key} ${set}`, tree, leaves, (node, write) => {
      const rows = order[tree.depth[node]].subarray(from[node], to[node]);
      const mean = meanImage(this.path, rows);
      write((cell) => mean.forEach((v, i) => cell.set(i, colors.inkPixel(v))));
    });
  }

  atlas(key, tree, nodes, draw) {
    const found = this.atlases.get(key);
    if (found) return found;
    const [h, w] = this.path.imageShape;
    const columns = Math.max(1, Math.ceil(Math.sqrt((nodes.length * h) / w)));
    const rows = Math.max(1, Math.ceil(nodes.length / columns));
    const canvas = new OffscreenCanvas(columns * w, rows * h);
    const context = canvas.getContext("2d");
    const image = new ImageData(columns * w, rows * h);
    const pixels = new Int32Array(image.data.buffer);
    const cells = new Map();
    nodes.forEach((node, i) => {
      const x = (i % columns) * w,
        y = Math.floor(i / columns) * h;
      cells.set(node, [x, y]);
      const at = (p) => (y + Math.floor(p / w)) * columns * w + x + (p % w);
      const cell = {
        set: (p, value) => (pixels[at(p)] = value),
        fill: (value) => {
          for (let r = 0; r < h; r++) pixels.fill(value, at(r * w), at(r * w) + w);
        },
      };
      draw(node, (fill) => fill(cell));
    });
    context.putImageData(image, 0, 0);
    const made = { canvas, w, h, cell: (node) => cells.get(node) };
    this.atlases.set(key, made);
    if (this.atlases.size > KEPT) this.atlases.delete(this.atlases.keys().next().value);
    return made;
  }
}

/** Mean of some sampled rows in [0, 1] of the largest value of the sample: Float64Array[pixels]. */
export function meanImage(path, rows) {
  const { X, n } = path.sample;
  const top = path.largestValue;
  const mean = new Float64Array(path.columns.length);
  if (!rows.length) return mean;
  for (let j = 0; j < mean.length; j++) {
    let sum = 0;
    const column = j * n;
    for (let p = 0; p < rows.length; p++) sum += X[column + rows[p]];
    mean[j] = sum / rows.length / top;
  }
  return mean;
}

export function largestOf(tree, node) {
  let largest = 0;
  for (let j = tree.start[node]; j < tree.start[node + 1]; j++) largest = Math.max(largest, Math.abs(tree.weight[j]));
  return largest || 1;
}

function decisions(tree) {
  const nodes = [];
  for (let i = 0; i < tree.n; i++) if (!tree.isLeaf(i)) nodes.push(i);
  return nodes;
}

/** A canvas with the values -1 .. 1 of one image, in the diverging colours. */
export function signedImage(path, colors, values, largest) {
  const [h, w] = path.imageShape;
  const canvas = new OffscreenCanvas(w, h);
  const image = new ImageData(w, h);
  const pixels = new Int32Array(image.data.buffer);
  for (let p = 0; p < pixels.length; p++) pixels[p] = colors.weightPixel(values[p] / (largest || 1));
  canvas.getContext("2d").putImageData(image, 0, 0);
  return canvas;
}

/** A canvas with the values 0 .. 1 of one image, as ink. */
export function inkImage(path, colors, values) {
  const [h, w] = path.imageShape;
  const canvas = new OffscreenCanvas(w, h);
  const image = new ImageData(w, h);
  const pixels = new Int32Array(image.data.buffer);
  for (let p = 0; p < pixels.length; p++) pixels[p] = colors.inkPixel(values[p]);
  canvas.getContext("2d").putImageData(image, 0, 0);
  return canvas;
}

/** Canvas with one sampled row as an image; every row has one canvas, which moves to where it is asked for last. */
export function rowImage({ path, colors }, row, side) {
  return remembered(path, `image ${row} ${side} ${colors.theme.background}`, () => drawn(path, colors, row, side));
}

function drawn(path, colors, row, side) {
  const [hgt, w] = path.imageShape;
  const canvas = h("canvas", {});
  const values = valuesOfRow(path, row);
  const top = values.reduce((a, b) => Math.max(a, b), 0) || 1;
  const context = sized(canvas, side, Math.round((side * hgt) / w));
  context.imageSmoothingEnabled = false;
  context.drawImage(
    inkImage(
      path,
      colors,
      values.map((v) => v / top),
    ),
    0,
    0,
    side,
    Math.round((side * hgt) / w),
  );
  return canvas;
}
