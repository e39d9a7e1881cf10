// Draw trees with the browser's modules in plain Node, and report the drawing, for tests/viz/tree/test_same_drawing.py.
// Standard input: {labels, paths: [{file, cases: [{tree, width, height, collapsed: origins, kept, fills}]}]}. Output: the
// drawing.

import { readFileSync } from "node:fs";
import { inflateSync } from "node:zlib";

import { Colors } from "../../viz/stage/model/colors.js";
import { drawEdges } from "../../viz/stage/draw/edges.js";
import { CanvasLabels } from "../../viz/stage/draw/labels.js";
import { Picture } from "../../viz/stage/draw/picture.js";
import { placesOf, tidy } from "../../viz/stage/geometry/places.js";
import { decode } from "../../viz/stage/model/payload.js";
import { visibleNodes } from "../../viz/stage/model/shown_nodes.js";

const PLOT = { x: 240, y: 250, w: 340, h: 340, room: 444, below: 20 };

globalThis.OffscreenCanvas = class {
  getContext() {
    const measureText = (text) => ({ width: 10 * text.length });
    return { canvas: this, measureText, putImageData: (image) => (this.image = image) };
  }
};
globalThis.ImageData = class {
  constructor(width, height) {
    Object.assign(this, { width, height, data: new Uint8ClampedArray(4 * width * height) });
  }
};

/** Replacement for the context of a canvas that stores each drawn shape as [kind, numbers, colour, line width]. */
class Recorder {
  constructor() {
    this.done = [];
  }

  beginPath() {
    this.path = [];
    this.arcs = [];
    this.curve = null;
  }

  moveTo(x, y) {
    this.path.push([x, y]);
  }

  lineTo(x, y) {
    this.path.push([x, y]);
  }

  bezierCurveTo(...numbers) {
    this.curve = [...this.path.at(-1), ...numbers];
  }

  arc(x, y, radius) {
    this.arcs.push([x, y, radius]);
  }

  rect(x, y, w, h) {
    this.arcs.push([x + w / 2, y + h / 2, w / 2]);
  }

  fill() {
    for (const arc of this.arcs) this.keep("dot", arc, this.fillStyle);
    if (!this.arcs.length && this.path.length) this.keep("fill", this.path.flat(), this.fillStyle);
  }

  stroke() {
    if (this.curve) this.keep("curve", this.curve, this.strokeStyle, this.lineWidth);
    else if (this.arcs.length) this.keep("outline", [this.arcs.length], this.strokeStyle, this.lineWidth);
    else for (let i = 0; i + 1 < this.path.length; i += 2) this.line(this.path[i], this.path[i + 1]);
  }

  line(from, to) {
    this.keep("line", [...from, ...to], this.strokeStyle, this.lineWidth);
  }

  fillRect(...numbers) {
    this.keep("rectangle", numbers, this.fillStyle);
  }

  strokeRect(...numbers) {
    this.keep("frame", numbers, this.strokeStyle, this.lineWidth);
  }

  drawImage({ image }, left, top, w, h, ...box) {
    const pixels = [];
    for (let y = top; y < top + h; y++) {
      const at = 4 * (y * image.width + left);
      for (let x = 0; x < w; x++) pixels.push(...image.data.slice(at + 4 * x, at + 4 * x + 3));
    }
    this.keep("image", [...box, ...pixels], "");
  }

  keep(kind, numbers, color, width = 0) {
    this.done.push([kind, numbers, color, width]);
  }

  clip() {}
  closePath() {}
  restore() {}
  save() {}
}

/** Return a picture that also stores its texts. */
function pictureOf(path, tree, axes) {
  const context = new Recorder();
  const colors = new Colors(path.palette, path.target.colors, "light", "orange-blue", null);
  const texts = {
    add: ({ kind, x, y, size, room, text, color, align = "center" }) =>
      context.keep(`${kind}: ${align} ${text}`, [x, y, size, room], color),
  };
  const look = { path, tree, set: 0, colors, globalScale: false, type: 1, axes };
  // Figures break conditions into lines in their own way.
  return Object.assign(new Picture(context, look, texts), { lines: () => ["condition"] });
}

function drawn({ tree: index, width, height, collapsed, kept, fills }, path) {
  const tree = path.trees[index];
  const closed = new Set(collapsed);
  const visible = visibleNodes(tree, 0, closed, 0, 0, Infinity, null);
  const frame = kept ? path.places : null;
  const { places } = placesOf(path, tree, visible, { frame, width, height, type: 1, words: null, fills });
  const picture = pictureOf(path, tree, false);
  const { context, colors } = picture;
  const view = {
    ...{ boxes: places, visible, context, picture, lit: null, tagged: new Set(), labels: picture.text },
    ...{ camera: { zoom: 1 }, store: { path, tree, colors, state: { set: 0, edges: "plain", type: 1 } } },
    ...{ isInSight: () => true, foot: (node, box) => picture.foot(node, box), stub: () => {}, branchTaken: () => null },
  };
  drawEdges(view);
  const edges = context.done;
  const pictures = visible.nodes.map((node) => {
    context.done = [];
    picture.draw(node, places.get(node));
    return context.done;
  });
  const plots = visible.nodes.map((node) => {
    const plot = pictureOf(path, tree, true);
    plot.draw(node, tree.isLeaf(node) ? { ...PLOT, w: 200, h: 50 } : PLOT);
    return plot.context.done;
  });
  const { x } = tidy(visible.root, (node) => visible.kept.get(node));
  const boxes = visible.nodes.map((node) => {
    const { x: middle, y, w, h, room, below } = places.get(node);
    return [middle, y, w, h, room, below];
  });
  return { nodes: visible.nodes, slots: visible.nodes.map((node) => x.get(node)), boxes, edges, pictures, plots };
}

/** Return the labels that have room: [text, middle, middle of the height]. */
function written(labels, look) {
  const context = { fillRect() {}, fillText: (text, x, y) => found.push([text, x, y]) };
  const found = [];
  const layer = new CanvasLabels(context, look);
  for (const label of labels) layer.add(label);
  return found;
}

const asked = JSON.parse(readFileSync(0, "utf8"));
let look = null;
const paths = asked.paths.map(({ file, cases }) => {
  const { buffer } = new Uint8Array(inflateSync(readFileSync(file)));
  look ??= decode(buffer).looks.text;
  return cases.map((one) => drawn(one, decode(buffer)));
});
process.stdout.write(JSON.stringify({ paths, labels: written(asked.labels, look) }));
