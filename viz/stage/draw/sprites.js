// Small images of one tree, drawn once into an atlas: weights of decision nodes, mean images of leaves.

import { pixel, rgb } from "../model/colors.js";
import { h, offscreen, sizeCanvas } from "../elements/dom.js";
import { remembered } from "../model/remembered.js";
import { valuesOfRow } from "../model/tree.js";

const KEPT = 48; // maximum number of atlases in memory

/** @typedef {{set(pixel: number, value: number): void, fill(value: number): void}} Cell */

/** Return the rows and columns of the images of a path. @param {Path} path */
export function imageSize({ imageShape }) {
  return /** @type {Pair} */ (imageShape);
}

/** Return the atlases of a path. @param {Path} path */
export const spritesOf = (path) => remembered(path, "sprites", () => new Sprites(path));

/** Atlases of a path with images. Only the newest stay in memory. */
class Sprites {
  /** @param {Path} path */
  constructor(path) {
    this.path = path;
    /** @type {Map<string, Atlas>} */
    this.atlases = new Map();
    /** @type {{tree: StageTree | null, set: number, sums: Float32Array}} the latest, see imageSums() */
    this.latest = { tree: null, set: 0, sums: new Float32Array() };
  }

  /**
   * Return the sum of the sampled images that reach each node, for one set, as Float32Array[nodes * pixels].
   * @param {StageTree} tree @param {number} set
   */
  imageSums(tree, set) {
    if (this.latest.tree === tree && this.latest.set === set) return this.latest.sums;
    const { X, n } = this.path.sample;
    const { order, leaf } = tree.route(set);
    const pixels = this.path.columns.length;
    const sums = new Float32Array(tree.n * pixels);
    for (let j = 0; j < pixels; j++) for (const row of order[0]) sums[leaf[row] * pixels + j] += X[j * n + row];
    for (let node = tree.n - 1; node > 0; node--) {
      const above = tree.parent[node] * pixels;
      for (let j = 0; j < pixels; j++) sums[above + j] += sums[node * pixels + j];
    }
    this.latest = { tree, set, sums };
    return sums;
  }

  /**
   * Return the atlas with the weights of every decision node, on the faint mean image of its rows in a set.
   * @param {StageTree} tree @param {Colors} colors @param {boolean} globalScale @param {number} set
   */
  weights(tree, colors, globalScale, set) {
    return this.atlas(`w ${tree.index} ${colors.key} ${globalScale} ${set}`, tree, decisions(tree), (node, cell) => {
      const largest = globalScale ? this.path.largestWeight : largestOf(tree, node);
      const [sums, pixels] = [this.imageSums(tree, set), this.path.columns.length];
      const { from, to } = tree.route(set);
      const most = Math.max(1, to[node] - from[node]) * this.path.largestValue;
      for (let j = 0; j < pixels; j++)
        cell.set(j, colors.inkPixel((this.path.looks.faint * sums[node * pixels + j]) / most));
      for (let j = tree.start[node]; j < tree.start[node + 1]; j++)
        cell.set(tree.feature[j], colors.weightPixel(tree.weight[j] / largest));
    });
  }

  /**
   * Return the atlas with the weights of every linear leaf, each on a separate scale.
   * @param {StageTree} tree @param {Colors} colors
   */
  models(tree, colors) {
    const leaves = Array.from({ length: tree.n }, (_, i) => i).filter((i) => tree.isLinear(i));
    return this.atlas(`l ${tree.index} ${colors.key}`, tree, leaves, (node, cell) => {
      const weights = leafWeights(tree, node);
      const largest = largestOf(tree, node);
      cell.fill(pixel(...rgb(colors.theme.surface)));
      for (const [j, weight] of weights) cell.set(j, colors.weightPixel(weight / largest));
    });
  }

  /**
   * Return the atlas with the mean image of every leaf, from the sampled rows of one set.
   * @param {StageTree} tree @param {Colors} colors @param {number} set
   */
  means(tree, colors, set) {
    const { from, to } = tree.route(set);
    const pixels = this.path.columns.length;
    const leaves = [];
    for (let i = 0; i < tree.n; i++) if (tree.isLeaf(i) && to[i] > from[i]) leaves.push(i);
    return this.atlas(`m ${tree.index} ${colors.key} ${set}`, tree, leaves, (node, cell) => {
      const [sums, most] = [this.imageSums(tree, set), (to[node] - from[node]) * this.path.largestValue];
      for (let j = 0; j < pixels; j++) cell.set(j, colors.inkPixel(sums[node * pixels + j] / most));
    });
  }

  /**
   * @param {string} key @param {StageTree} tree @param {number[]} nodes
   * @param {(node: number, cell: Cell) => void} draw @returns {Atlas}
   */
  atlas(key, tree, nodes, draw) {
    const found = this.atlases.get(key);
    if (found) return found;
    const [h, w] = imageSize(this.path);
    const columns = Math.max(1, Math.ceil(Math.sqrt((nodes.length * h) / w)));
    const rows = Math.max(1, Math.ceil(nodes.length / columns));
    const context = offscreen(columns * w, rows * h);
    const image = new ImageData(columns * w, rows * h);
    const pixels = new Int32Array(image.data.buffer);
    const cells = new Map();
    nodes.forEach((node, i) => {
      const x = (i % columns) * w,
        y = Math.floor(i / columns) * h;
      cells.set(node, [x, y]);
      /** @param {number} p */
      const at = (p) => (y + Math.floor(p / w)) * columns * w + x + (p % w);
      /** @type {Cell} */
      const cell = {
        set: (p, value) => (pixels[at(p)] = value),
        fill: (value) => {
          for (let r = 0; r < h; r++) pixels.fill(value, at(r * w), at(r * w) + w);
        },
      };
      draw(node, cell);
    });
    context.putImageData(image, 0, 0);
    /** @type {Atlas} */
    const made = { canvas: context.canvas, w, h, cell: (node) => cells.get(node) };
    this.atlases.set(key, made);
    if (this.atlases.size > KEPT) this.atlases.delete([...this.atlases.keys()][0]);
    return made;
  }
}

/**
 * Return the mean image of some sampled rows as Float64Array[pixels], in shares (0 to 1) of the largest value in the
 * sample.
 * @param {Path} path @param {Numbers} rows
 */
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

/** Return the [pixel, weight] pairs in the image of a linear leaf. @param {StageTree} tree @param {number} node */
function leafWeights(tree, node) {
  return tree.leafModel.contrast(node, tree.path.target.spokenFor(tree, node) ?? 0);
}

/**
 * Return the largest absolute weight of a split or of the image of a linear leaf.
 * @param {StageTree} tree @param {number} node
 */
export function largestOf(tree, node) {
  let largest = 0;
  for (const [, weight] of tree.isLinear(node) ? leafWeights(tree, node) : [])
    largest = Math.max(largest, Math.abs(weight));
  for (let j = tree.start[node]; j < tree.start[node + 1]; j++) largest = Math.max(largest, Math.abs(tree.weight[j]));
  return largest || 1;
}

/** @param {StageTree} tree */
function decisions(tree) {
  const nodes = [];
  for (let i = 0; i < tree.n; i++) if (!tree.isLeaf(i)) nodes.push(i);
  return nodes;
}

/**
 * Return a canvas with one image. `pixelOf(p)` returns its colours, as `pixel` does.
 * @param {Path} path @param {(p: number) => number} pixelOf
 */
function drawn(path, pixelOf) {
  const [h, w] = imageSize(path);
  const context = offscreen(w, h);
  const image = new ImageData(w, h);
  const pixels = new Int32Array(image.data.buffer);
  for (let p = 0; p < pixels.length; p++) pixels[p] = pixelOf(p);
  context.putImageData(image, 0, 0);
  return context.canvas;
}

/**
 * Return a canvas with an image of values from -1 to 1, in the diverging colours.
 * @param {Path} path @param {Colors} colors @param {Numbers} values @param {number} largest
 */
export function signedImage(path, colors, values, largest) {
  return drawn(path, (p) => colors.weightPixel(values[p] / (largest || 1)));
}

/**
 * Return a canvas with an image of values from 0 to 1, as ink.
 * @param {Path} path @param {Colors} colors @param {Numbers} values
 */
export function inkImage(path, colors, values) {
  return drawn(path, (p) => colors.inkPixel(values[p]));
}

/**
 * Return an image as an element of this width. `text`: alternative text for screen readers.
 * @param {Path} path @param {OffscreenCanvas} image @param {number} side @param {string | null} [text]
 */
export function imageElement(path, image, side, text = null) {
  const canvas = h("canvas", text === null ? {} : { role: "img", "aria-label": text });
  const [rows, columns] = imageSize(path);
  const height = Math.round((side * rows) / columns);
  const context = sizeCanvas(canvas, side, height);
  context.imageSmoothingEnabled = false;
  context.drawImage(image, 0, 0, side, height);
  return canvas;
}

/**
 * Return a canvas with the image of one sampled row. Each row has one canvas, which moves to where it was last
 * requested.
 * @param {Store} store @param {number} row @param {number} side
 */
export function rowImage({ path, colors }, row, side) {
  return remembered(path, `image ${row} ${side} ${colors.theme.background}`, () => {
    const values = valuesOfRow(path, row);
    const top = values.reduce((a, b) => Math.max(a, b), 0) || 1;
    const ink = values.map((v) => v / top);
    return imageElement(path, inkImage(path, colors, ink), side);
  });
}
