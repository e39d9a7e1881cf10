// Decodes the bytes of viz/payload/compressed.py to a path with its trees, its sampled rows and its layout.

import { FIELDS } from "./payload_tables.js";
import { recordingOf } from "./recording.js";
import { LinearLeaves } from "./linear_leaves.js";
import { frozen } from "./remembered.js";
import { Target } from "./target.js";
import { StageTree, grouped } from "./tree.js";

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

/** Conversions of field values, by name. @type {Record<string, (value: any) => unknown>} */
const FORMS = {
  target: (facts) => new Target(facts),
  members: (list) => new Set(list),
  complete: (ofSets) => (ofSets.every(Boolean) ? ofSets : null),
  children: childrenOf,
  starts: startsOf,
};

const OF_HOME = grouped(FIELDS, ({ home }) => home);

/** Inflate a zlib stream. @param {BlobPart} bytes */
export async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).arrayBuffer();
}

/**
 * Return the frozen path of the inflated bytes: the fields of payload_tables.js, and values derived from them.
 * @param {ArrayBuffer} buffer @returns {Path}
 */
export function decode(buffer) {
  const values = valuesOf(buffer);
  /** @param {string} home */
  const of = (home) => homeOf(home, ({ name }) => values[name]);
  const [path, sample, places] = ["path", "sample", "places"].map(of);
  path.sample = { ...sample, n: sample.rows.length };
  path.places = { ...places, position: new Map(Array.from(places.origin, (origin, i) => [origin, i])) };
  path.isWhole = path.whole.every((/** @type {number} */ whole) => whole === 1);
  path.trees = treesOf(path, values);
  path.recording = recordingOf(of("recorded"), path.trees);
  return frozen(path);
}

/** Return the value of each field by name, or null if it is missing. @param {ArrayBuffer} buffer */
function valuesOf(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const { arrays, ...sent } = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  for (const name in arrays) {
    const [dtype, offset, size] = /** @type {[keyof typeof VIEWS, number, number]} */ (arrays[name]);
    sent[name] = new VIEWS[dtype](buffer, 4 + length + offset, size);
  }
  /** @type {Record<string, any>} */
  const values = {};
  for (const { name, other, bySet } of FIELDS) {
    if (bySet)
      values[name] = sent.sets.map((/** @type {object} */ _, /** @type {number} */ s) => sent[`${name}_${s}`] ?? null);
    else values[name] = sent[name] ?? (other ? sent[other] : null);
  }
  return values;
}

/**
 * Return the fields of one home by their names in the browser; `valueOf` returns their values.
 * @param {string} home @param {(field: PayloadField) => any} valueOf @returns {any}
 */
function homeOf(home, valueOf) {
  const fields = /** @type {PayloadField[]} */ (OF_HOME.get(home)).map((field) => {
    const value = valueOf(field);
    return [field.browser ?? field.name, field.form && value !== null ? FORMS[field.form](value) : value];
  });
  return Object.fromEntries(fields);
}

/** @param {Path} path @param {Record<string, any>} values */
function treesOf(path, values) {
  const { n, edges } = path.target;
  const numbers = { item: 1, group: n, score: edges === null ? n : 1 };
  const { left, n_weights, linear_n } = values;
  /** @type {Record<NonNullable<PayloadField["per"]>, Uint32Array>} */
  const starts = {
    node: path.nodeStart,
    leaf: startsOfTrees(path.nodeStart, (i) => Number(left[i] === 0)),
    weight: startsOfTrees(path.nodeStart, (i) => n_weights[i]),
    term: startsOfTrees(path.nodeStart, linear_n ? (i) => linear_n[i] : () => 0),
  };
  const trees = [];
  for (let t = 0; t + 1 < path.nodeStart.length; t++) {
    /** @param {PayloadField} field */
    const own = ({ name, per = "node", times = "item", bySet }) => {
      const [start, stop] = [starts[per][t] * numbers[times], starts[per][t + 1] * numbers[times]];
      /** @param {any} array */
      const cut = (array) => array && array.subarray(start, stop);
      return bySet ? values[name].map(cut) : cut(values[name]);
    };
    const isLinear = starts.term[t + 1] > starts.term[t];
    const linear = isLinear ? new LinearLeaves({ ...homeOf("linear", own), q: numbers.score }) : null;
    trees.push(new StageTree(path, t, { ...homeOf("tree", own), linear }));
  }
  return trees;
}

/**
 * Return the start of the items of each tree, and the end of the last tree. `count(node)`: number of items of a node.
 * @param {Uint32Array} nodeStart @param {(node: number) => number} count
 */
function startsOfTrees(nodeStart, count) {
  const start = new Uint32Array(nodeStart.length);
  for (let t = 0; t + 1 < start.length; t++) {
    start[t + 1] = start[t];
    for (let i = nodeStart[t]; i < nodeStart[t + 1]; i++) start[t + 1] += count(i);
  }
  return start;
}

/** Return the children of the nodes, -1 for leaves. @param {Numbers} sent */
function childrenOf(sent) {
  const children = new Int32Array(sent.length);
  for (let i = 0; i < sent.length; i++) children[i] = sent[i] - 1;
  return children;
}

/** Return the start of the items of each node, and the end of the last node. @param {Numbers} counts */
function startsOf(counts) {
  const start = new Uint32Array(counts.length + 1);
  for (let i = 0; i < counts.length; i++) start[i + 1] = start[i] + counts[i];
  return start;
}
