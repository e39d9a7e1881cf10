// Decodes the bytes of viz/payload/stage_payload.py into a path: its trees, its sampled rows, its layout.

import { recordingOf } from "./recording.js";
import { LinearLeaves } from "./linear_leaves.js";
import { frozen } from "./remembered.js";
import { Target } from "./target.js";
import { StageTree } from "./tree.js";

const VIEWS = {
  u8: Uint8Array,
  i8: Int8Array,
  u16: Uint16Array,
  i16: Int16Array,
  u32: Uint32Array,
  i32: Int32Array,
  f32: Float32Array,
  f64: Float64Array,
};

/** Bytes behind a zlib stream. @param {BlobPart} bytes */
export async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).arrayBuffer();
}

/**
 * Path from the inflated bytes, frozen: header fields, typed arrays, `trees` (one StageTree per lambda).
 * @param {ArrayBuffer} buffer @returns {Path}
 */
export function decode(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  /** @type {Record<string, any>} */
  const arrays = {};
  for (const [name, [dtype, offset, size]] of /** @type {[string, [keyof typeof VIEWS, number, number]][]} */ (
    Object.entries(header.arrays)
  )) {
    arrays[name] = new VIEWS[dtype](buffer, 4 + length + offset, size);
  }
  /** @type {any} */
  const path = {
    title: header.title,
    name: header.name,
    target: new Target(header.target),
    features: header.features,
    dates: new Set(header.dates),
    levels: header.levels ?? {},
    nFeatures: header.n_features,
    ends: header.ends,
    imageShape: header.image_shape,
    sets: header.sets,
    recommended: header.recommended,
    weighted: null,
    opens: header.opens,
    notes: header.notes,
    statistics: header.statistics,
    choice: header.choice ?? null,
    palette: header.palette,
    looks: header.looks,
    largestWeight: header.largest_weight,
    largestValue: header.largest_value,
    lams: arrays.lam,
    columns: arrays.columns,
    deviation: arrays.deviation,
    low: arrays.low,
    high: arrays.high,
    whole: arrays.whole,
    missed: arrays.missed,
    groups: header.groups,
    categories: header.categories,
    edit: header.edit ?? null,
    grid: header.grid ?? null,
    isOblique: arrays.n_weights.some((/** @type {number} */ n) => n > 2),
    sample: {
      n: arrays.sample_rows.length,
      rows: arrays.sample_rows,
      numbers: arrays.row_numbers ?? arrays.sample_rows, // as people count them
      names: header.row_names ?? null,
      set: arrays.sample_set,
      y: arrays.sample_y, // groups of the target
      value: arrays.sample_value ?? arrays.sample_y,
      X: arrays.sample_X, // column after column
    },
    places: {
      origin: arrays.place_origin,
      x: arrays.place_x,
      depth: arrays.place_depth,
      parent: arrays.place_parent,
      nSlots: header.n_slots,
      position: new Map(),
    },
  };
  Array.from(arrays.place_origin, (origin, i) => path.places.position.set(origin, i));
  path.isWhole = arrays.whole.every((/** @type {number} */ whole) => whole === 1);
  path.trees = treesOf(path, arrays);
  const weighted = path.sets.map((/** @type {object} */ _, /** @type {number} */ s) => arrays[`weighted_${s}`]);
  if (weighted.every(Boolean)) path.weighted = weighted;
  path.recording = recordingOf(header, arrays, path.trees);
  return frozen(path);
}

/** @param {Path} path @param {Record<string, any>} arrays */
function treesOf(path, arrays) {
  const trees = [];
  let weight = 0;
  let leaf = 0;
  let term = 0; // of linear leaves
  const k = path.target.n;
  const q = path.target.edges === null ? k : 1;
  for (let t = 0; t + 1 < arrays.node_start.length; t++) {
    const first = arrays.node_start[t];
    const stop = arrays.node_start[t + 1];
    const counts = arrays.n_weights.subarray(first, stop);
    const start = startsOf(counts);
    let leaves = 0;
    for (let i = 0; i < counts.length; i++) leaves += Number(arrays.left[first + i] === 0);
    const end = weight + start[counts.length];
    const own = arrays.linear_n && startsOf(arrays.linear_n.subarray(first, stop));
    const terms = own ? own[counts.length] : 0;
    trees.push(
      new StageTree(path, t, {
        left: Int32Array.from(arrays.left.subarray(first, stop), (v) => v - 1),
        right: Int32Array.from(arrays.right.subarray(first, stop), (v) => v - 1),
        origin: arrays.origin.subarray(first, stop),
        label: arrays.label.subarray(first, stop),
        value: (arrays.value ?? arrays.label).subarray(first, stop),
        bias: arrays.bias.subarray(first, stop),
        digits: arrays.digits.subarray(first, stop),
        missingRight: arrays.missing_right?.subarray(first, stop) ?? null,
        start,
        feature: arrays.feature.subarray(weight, end),
        weight: arrays.weight.subarray(weight, end),
        leafCounts: path.sets.map((_, s) => arrays[`counts_${s}`].subarray(leaf * k, (leaf + leaves) * k)),
        leafLosses: path.sets.map((_, s) => arrays[`loss_${s}`]?.subarray(leaf, leaf + leaves) ?? null),
        linear: terms
          ? new LinearLeaves({
              start: own,
              feature: arrays.linear_feature.subarray(term, term + terms),
              weight: arrays.linear_weight.subarray(term * q, (term + terms) * q),
              bias: arrays.linear_bias.subarray(first * q, stop * q),
              q,
            })
          : null,
      }),
    );
    term += terms;
    weight = end;
    leaf += leaves;
  }
  return trees;
}

/** Where the part of each node begins, and where the last one ends. @param {Numbers} counts */
function startsOf(counts) {
  const start = new Uint32Array(counts.length + 1);
  for (let i = 0; i < counts.length; i++) start[i + 1] = start[i] + counts[i];
  return start;
}
