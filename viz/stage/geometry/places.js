// Positions and sizes of the nodes of the displayed tree, in pixels before zooming.

import { kindOf } from "../model/node_kinds.js";
import { remembered } from "../model/remembered.js";

const MARGIN = { x: 18, top: 20, bottom: 10 };
const TOP = 3; // levels whose conditions are written in full if possible
const LEAST_ROOT = 240; // width between the corners that the root needs
const SPREAD = { nodes: 150, passes: 5, share: 0.96 }; // limits for trees that make room for these conditions

/**
 * Return the positions of the visible nodes in a view of width x height pixels, as a Map node -> {x, y, w, h, room,
 * level}, with the pruned nodes of the frame. `frame`: positions by origin that nodes keep (of the whole path, or of
 * one tree, see `frameOf`), or null for a compact layout. `words`: texts of the conditions, or null to ignore them.
 * `fills`: whether a compact layout enlarges nodes until they fill the view. `corners`: parts of the first level that
 * something else covers, or null. No edge of the root crosses them.
 * @param {Path} path @param {StageTree} tree @param {Visible} visible
 * @param {{frame: Frame | null, width: number, height: number, type: number, words: NodeWords | null, fills?: boolean, corners?: Covered | null}} room
 */
export function placesOf(path, tree, visible, { frame, width, height, type, words, fills = false, corners = null }) {
  const innerWidth = width - 2 * MARGIN.x;
  const slots = frame
    ? keptSlots(frame, tree, visible)
    : fills && path.imageShape
      ? closeSlots(tree, visible, (node) => (tree.isLeaf(node) ? path.looks.places.leafImage : 1) / 2)
      : wordySlots(tree, visible, innerWidth, words);
  const scale = innerWidth / slots.nSlots;
  const rooms = roomsOf(visible.nodes, slots);
  const look = path.looks.places;
  const { kept, free, each, line, least, clear } = path.looks.words;
  const caption = kept * type;
  const shares = frame && visible.root === 0 ? frameLevels(frame) : levelRooms(visible.nodes, slots, rooms);
  const upper = (words ? byLevel(visible.nodes, slots.level).slice(0, TOP) : []).map((row) =>
    row.filter((node) => words?.has(node)),
  );
  /** @param {number} node its number of text lines */
  const linesOf = (node) => words?.lines(node, rooms.get(node) * scale) ?? 0;
  const tight = Math.min(look.leastLeaf, (height - MARGIN.top - MARGIN.bottom) / shares.length / 2);
  const isCompact = fills && !frame;
  const leaves = byLevel(visible.nodes, slots.level).map((row) => row.every((node) => tree.isLeaf(node)));
  const banded = () => {
    const most = shares.map((_, i) => Math.max(0, ...(upper[i] ?? []).map(linesOf)));
    const first = corners ? corners.height - MARGIN.top + caption : 0;
    return bandsOf(look, shares, scale, height, {
      more: most.map((n) => Math.max(0, n - 1) * line * type),
      least: most.map((n, i) => Math.max(n ? (least + clear + free + each * n) * type : 0, i ? 0 : first)),
      most: shares.map((_, i) => (isCompact && leaves[i] ? look.mostLeaf * type + caption + look.gap : Infinity)),
    });
  };
  /** @type {{top: number, height: number, leaf?: number}[]} `leaf`: maximum height of a leaf, if limited */
  let bands =
    isCompact && path.imageShape ? imageBands(path, tree, visible, slots, rooms, scale, height, corners) : banded();
  // Text on the upper levels must not compress the levels below.
  while (bands.some((band) => band.height < tight) && upper.pop()) bands = banded();
  const lines = new Map(upper.flat().map((node) => [node, linesOf(node)]));
  const places = new Map();
  for (const node of visible.nodes) {
    const band = bands[slots.level.get(node)];
    const isRoot = slots.level.get(node) === 0;
    const x =
      isRoot && corners
        ? rootPlace(MARGIN.x + slots.x.get(node) * scale, corners, width)
        : MARGIN.x + slots.x.get(node) * scale;
    const room = rooms.get(node) * scale;
    const between = isRoot && corners ? 2 * Math.min(x - corners.left, width - corners.right - x) : Infinity;
    // Text is below a plot only if the plot stays large enough.
    const hasNoWords = kindOf(tree, node).name === "image";
    const roomy = band.height - (hasNoWords ? 0 : caption) - Math.max(look.gap, band.height * look.gapShare);
    const high = Math.min(roomy >= look.roomy ? roomy : Math.min(look.roomy, band.height - look.close), look.largest);
    const wide = Math.max(Math.min(room * look.wide, between), look.leastWide);
    const own = lines.get(node) ?? 0;
    const above = own ? Math.min(band.height - (clear + free + each * own) * type, look.largest) : high;
    const leaf = band.leaf ? Math.min(band.height - caption, band.leaf) : above * look.leafImage;
    const most = tree.isLeaf(node) ? leaf : above;
    const size = sizeOf(tree, node, wide, Math.max(path.imageShape ? most : above, look.leastHigh), type);
    const text = own ? each * own * type : hasNoWords ? 0 : caption;
    const down = isRoot && corners ? Math.max(0, corners.height - text - band.top - size.h) : 0;
    places.set(node, {
      x,
      y: band.top + down + size.h / 2,
      ...size,
      room,
      below: band.height - down - size.h,
      lines: own,
    });
  }
  return { places, ghosts: frame && visible.root === 0 ? ghostsOf(frame, tree, scale, bands) : [] };
}

/**
 * Return the width and the height of a node's plot, by the shape of its kind.
 * @param {StageTree} tree @param {number} node @param {number} room @param {number} most @param {number} type
 */
function sizeOf(tree, node, room, most, type) {
  const { looks, imageShape } = tree.path;
  const look = looks.places;
  const { shape } = kindOf(tree, node);
  if (shape === "image") {
    const [rows, columns] = /** @type {Pair} */ (imageShape);
    const unit = Math.min(room / columns, most / rows);
    return { w: unit * columns, h: unit * rows };
  }
  if (shape === "leaf") {
    const h = Math.min(most, Math.max(room * look.leaf, look.leastLeaf), look.mostLeaf * type);
    return { w: Math.min(room, look.longestLeaf * type, h * look.leafLong), h };
  }
  if (shape === "square") {
    const side = Math.min(room, most);
    return { w: side, h: side };
  }
  const h = Math.min(most, room / look.flat);
  return { w: Math.min(room, h * look.long), h };
}

/**
 * Return the positions in one tree as a frame for other trees: {origin, x, depth, parent, nSlots, position}.
 * @param {StageTree} tree @returns {Frame}
 */
export function frameOf(tree) {
  return tree.once("frame", () => {
    const { x, nSlots } = tidy(0, (node) => tree.children(node));
    return {
      origin: tree.origin,
      x: Float64Array.from({ length: tree.n }, (_, i) => x.get(i)),
      depth: tree.depth,
      parent: tree.parent,
      nSlots,
      position: tree.nodeOf,
    };
  });
}

/** @param {Frame} places @param {StageTree} tree @param {Visible} visible @returns {Slots} */
function keptSlots(places, tree, visible) {
  /** @type {Slots["x"][]} */
  const [x, level] = [new Map(), new Map()];
  let low = Infinity,
    high = -Infinity,
    top = Infinity;
  for (const node of visible.nodes) {
    const at = places.position.get(tree.origin[node]) ?? 0;
    x.set(node, places.x[at]);
    level.set(node, places.depth[at]);
    low = Math.min(low, places.x[at]);
    high = Math.max(high, places.x[at]);
    top = Math.min(top, places.depth[at]);
  }
  const half = () => 0.5;
  if (visible.root === 0) return { x, level, half, nSlots: places.nSlots };
  for (const node of visible.nodes) {
    x.set(node, x.get(node) - low + 0.5);
    level.set(node, level.get(node) - top);
  }
  return { x, level, half, nSlots: high - low + 1 };
}

/** @param {StageTree} tree @param {Visible} visible @param {Slots["half"]} [half] @returns {Slots} */
function closeSlots(tree, visible, half = () => 0.5) {
  /** @type {Slots["level"]} */
  const level = new Map();
  for (const node of visible.nodes) level.set(node, tree.depth[node] - tree.depth[visible.root]);
  return { ...tidy(visible.root, (node) => visible.kept.get(node), half), level, half };
}

/**
 * Return a layout in which as many texts on the upper levels as possible fit in full.
 * @param {StageTree} tree @param {Visible} visible @param {number} width @param {NodeWords | null} words
 */
function wordySlots(tree, visible, width, words) {
  let slots = closeSlots(tree, visible);
  if (!words || visible.nodes.length > SPREAD.nodes) return slots;
  /** @type {Known<number, number>} pixels */
  const needs = new Map();
  for (const row of byLevel(visible.nodes, slots.level).slice(0, TOP)) {
    const labelled = row.filter((node) => words.has(node));
    const rooms = labelled.map((node) => ({ node, ...words.rooms(node) }));
    for (const node of row) if (!words.has(node)) needs.set(node, words.leaf(node));
    let free = row.reduce((left, node) => left - (needs.get(node) ?? 0), SPREAD.share * width);
    const share = Math.max(0, Math.min(1, free / rooms.reduce((sum, { least }) => sum + least, 0)));
    for (const { node, least } of rooms) {
      needs.set(node, least * share);
      free -= least * share;
    }
    // The remaining width goes first to the texts that need the least to fit in full.
    for (const { node, least, whole } of rooms.sort((p, q) => p.whole - p.least - (q.whole - q.least))) {
      const more = Math.min(whole - least, Math.max(free, 0));
      needs.set(node, needs.get(node) + more);
      free -= more;
    }
  }
  for (let pass = 0; needs.size && pass < SPREAD.passes; pass++) {
    const scale = width / slots.nSlots;
    const before = slots.nSlots;
    slots = closeSlots(tree, visible, (node) => Math.max(0.5, (needs.get(node) ?? 0) / 2 / scale));
    if (slots.nSlots < before * 1.002) break;
  }
  return slots;
}

/**
 * Return the width available to each node, in slots. Boxes of this width do not overlap on a level and stay inside.
 * @param {number[]} nodes @param {Slots} slots
 */
function roomsOf(nodes, { x, level, half, nSlots }) {
  /** @type {Known<number, number>} */
  const rooms = new Map();
  for (const row of byLevel(nodes, level)) {
    row.sort((a, b) => x.get(a) - x.get(b));
    row.forEach((node, i) => {
      const here = x.get(node);
      const own = half(node);
      /** @param {number} other */
      const upTo = (other) => (Math.abs(x.get(other) - here) * own) / (own + half(other));
      const before = i ? upTo(row[i - 1]) : here;
      const after = i + 1 < row.length ? upTo(row[i + 1]) : nSlots - here;
      rooms.set(node, 2 * Math.min(before, after));
    });
  }
  return rooms;
}

/** @param {number[]} nodes @param {Known<number, number>} level */
function byLevel(nodes, level) {
  /** @type {number[][]} */
  const rows = [];
  for (const node of nodes) {
    // A level may be empty, because the sibling of a pruned branch keeps its position.
    while (rows.length <= level.get(node)) rows.push([]);
    rows[level.get(node)].push(node);
  }
  return rows;
}

/** @param {number[]} nodes @param {Slots} slots @param {Known<number, number>} rooms */
function levelRooms(nodes, { level }, rooms) {
  return byLevel(nodes, level).map((row) => median(row.map((node) => rooms.get(node))));
}

/** Return the median width available to a node on each level of a frame. @param {Frame} frame */
function frameLevels(frame) {
  return remembered(frame, "rooms of levels", () => {
    const { x, depth, nSlots } = frame;
    const nodes = Array.from(x.keys());
    /** @param {Numbers} values @returns {any} */
    const mapOf = (values) => new Map(nodes.map((i) => [i, values[i]]));
    const slots = { x: mapOf(x), level: mapOf(depth), half: () => 0.5, nSlots };
    return levelRooms(nodes, slots, roomsOf(nodes, slots));
  });
}

/**
 * Return the top and the height of each level. Levels with wider nodes or more text are higher, within their limits.
 * @param {Looks["places"]} look @param {number[]} rooms @param {number} scale @param {number} height
 * @param {{more: number[], least: number[], most: number[]}} limits in pixels
 */
function bandsOf({ level, root, largest, tallest }, rooms, scale, height, { more, least, most }) {
  const weights = rooms.map((room, i) => level + root * Math.sqrt(Math.min(room * scale, largest)) + more[i]);
  const inner = height - MARGIN.top - MARGIN.bottom;
  /** @type {Known<number, number>} height of the levels that reach a limit */
  const fixed = new Map();
  let unit = 0;
  for (let i = 0; i >= 0;) {
    let [free, total] = [inner, 0];
    weights.forEach((weight, j) => (fixed.has(j) ? (free -= fixed.get(j)) : (total += weight)));
    unit = Math.max(0, free) / (total || 1);
    i = weights.findIndex(
      (weight, j) => !fixed.has(j) && (weight * unit < least[j] || weight * unit > Math.max(most[j], least[j])),
    );
    if (i >= 0) fixed.set(i, weights[i] * unit < least[i] ? least[i] : Math.max(most[i], least[i]));
  }
  let top = MARGIN.top;
  return weights.map((weight, i) => {
    const band = { top, height: fixed.has(i) ? fixed.get(i) : Math.min(weight * unit, largest * tallest) };
    top += band.height;
    return band;
  });
}

/**
 * Return the top and the height of each level of a tree of images. Images are as large as their width allows, up to a
 * common limit.
 * @param {Path} path @param {StageTree} tree @param {Visible} visible @param {Slots} slots
 * @param {Known<number, number>} rooms @param {number} scale @param {number} height @param {Covered | null} corners
 */
function imageBands({ looks, imageShape }, tree, visible, slots, rooms, scale, height, corners) {
  const look = looks.places;
  const [rows, columns] = /** @type {Pair} */ (imageShape);
  const wanted = byLevel(visible.nodes, slots.level).map((row) =>
    Math.max(look.leastHigh, ...row.map((node) => ((rooms.get(node) * scale * look.wide) / columns) * rows)),
  );
  const share = byLevel(visible.nodes, slots.level).map((row) =>
    row.every((node) => tree.isLeaf(node)) ? look.leafImage : 1,
  );
  const inner = height - MARGIN.top - MARGIN.bottom;
  const gap = Math.max(0, Math.min(looks.words.kept + look.gap / 2, inner / wanted.length - look.leastHigh));
  const [least, most] = [corners ? corners.height - MARGIN.top : 0, look.largest];
  /** @param {number} limit */
  const heights = (limit) => wanted.map((want, i) => Math.max(Math.min(want, limit * share[i]), i ? 0 : least) + gap);
  let [low, high] = [0, most];
  for (let i = 0; i < 30; i++) {
    const limit = (low + high) / 2;
    if (heights(limit).reduce((sum, one) => sum + one, 0) <= inner) low = limit;
    else high = limit;
  }
  let top = MARGIN.top;
  return heights(low).map((one) => ({ top: (top += one) - one, height: one, leaf: low * look.leafImage }));
}

/** @param {Frame} frame @param {StageTree} tree @param {number} scale @param {{top: number}[]} bands */
function ghostsOf(frame, tree, scale, bands) {
  const { origin, x, depth, parent } = frame;
  /** @param {number} i */
  const at = (i) => ({ x: MARGIN.x + x[i] * scale, y: bands[depth[i]].top + 5 });
  const ghosts = [];
  for (let i = 0; i < origin.length; i++) {
    if (!tree.nodeOf.has(origin[i]))
      ghosts.push({ ...at(i), origin: origin[i], from: parent[i] < 0 ? null : parent[i], at });
  }
  return ghosts;
}

/**
 * Return the centre of the root between two corners, as near to `x` as possible with room for a plot.
 * @param {number} x @param {Covered} corners @param {number} width
 */
function rootPlace(x, { left, right }, width) {
  const half = Math.min(LEAST_ROOT, width - left - right) / 2;
  return Math.min(Math.max(x, left + half), width - right - half);
}

/** @param {number[]} values */
function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted.length ? sorted[sorted.length >> 1] : 1;
}

/**
 * Return {x: Map, nSlots}, the positions of the visible nodes in slots. Neighbours on a level are at least 1 apart, and
 * parents are centred over their children. `children(node)` lists the visible children from left to right. `half(node)`
 * is half the number of slots that a node takes.
 * @param {number} root @param {(node: number) => number[]} children @param {(node: number) => number} [half]
 */
export function tidy(root, children, half = () => 0.5) {
  /** @type {Known<number, number>} shift of a node and its subtree relative to the parent */
  const shift = new Map();
  contour(root, children, shift, half);
  /** @type {Known<number, number>} */
  const x = new Map();
  let low = Infinity,
    high = -Infinity;
  const stack = [{ node: root, base: 0 }];
  for (let next; (next = stack.pop());) {
    const { node, base } = next;
    const here = base + shift.get(node);
    x.set(node, here);
    low = Math.min(low, here - half(node));
    high = Math.max(high, here + half(node));
    for (const child of children(node)) stack.push({ node: child, base: here });
  }
  for (const [node, value] of x) x.set(node, value - low);
  return { x, nSlots: high - low };
}

/**
 * Return the left and the right end of every level below a node, relative to the node. Store the `shift` of its
 * children.
 * @param {number} node @param {(node: number) => number[]} children @param {Map<number, number>} shift
 * @param {(node: number) => number} half
 * @returns {{left: number[], right: number[]}}
 */
function contour(node, children, shift, half) {
  shift.set(node, 0);
  const parts = children(node).map((child) => contour(child, children, shift, half));
  /** @type {number[][]} */
  let [left, right] = [[], []];
  /** @type {number[]} */
  const places = [];
  for (const part of parts) {
    let place = 0;
    const common = Math.min(part.left.length, right.length);
    for (let d = 0; d < common; d++) place = Math.max(place, right[d] - part.left[d]);
    places.push(place);
    for (let d = 0; d < part.left.length; d++) {
      if (d >= left.length) left.push(part.left[d] + place);
      right[d] = part.right[d] + place;
    }
  }
  const middle = places.length ? (places[0] + places[places.length - 1]) / 2 : 0;
  children(node).forEach((child, i) => shift.set(child, places[i] - middle));
  left = [-half(node), ...left.map((v) => v - middle)];
  right = [half(node), ...right.map((v) => v - middle)];
  return { left, right };
}
