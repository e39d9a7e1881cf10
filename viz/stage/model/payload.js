// Decodes the bytes of viz/payload/compressed.py to a path with its trees, its sampled rows and its layout.

import { FIELDS } from "./payload_tables.js";
import { recordingOf } from "./recording.js";
import { LEAF_KINDS } from "./leaf_models.js";
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
  const { left, content, n_weights, linear_n } = values;
  const isLeaf = new Uint8Array(values.origin.length);
  for (let i = 0; i < left.length; i++) if (left[i] === 0) isLeaf[content ? content[i] : i] = 1;
  /** First item of each content, and end of the last one. @type {Record<string, Numbers>} */
  const starts = {
    content: startsOf(new Uint8Array(isLeaf.length).fill(1)),
    leaf: startsOf(isLeaf),
    weight: startsOf(n_weights),
    term: startsOf(linear_n ?? new Uint8Array(isLeaf.length)),
  };
  const trees = [];
  for (let t = 0; t + 1 < path.nodeStart.length; t++) {
    const [from, to] = path.nodeStart.subarray(t, t + 2);
    /** @param {PayloadField} field */
    const own = ({ name, per = "node", times = "item", bySet }) => {
      /** @param {any} array */
      const cut = (array) => {
        if (!array || per === "node") return array && array.subarray(from, to);
        const [start, each] = [starts[per], numbers[times]];
        if (content) return gathered(array, content.subarray(from, to), start, each);
        return array.subarray(start[from] * each, start[to] * each);
      };
      return bySet ? values[name].map(cut) : cut(values[name]);
    };
    const leafModel = LEAF_KINDS[path.leafKind ?? "constant"].of(() => ({
      ...homeOf("linear", own),
      q: numbers.score,
    }));
    trees.push(new StageTree(path, t, { ...homeOf("tree", own), leafModel }));
  }
  return trees;
}

/**
 * Return the items of some contents. The items of content c are `array[start[c] * each .. start[c + 1] * each)`.
 * @param {any} array @param {Numbers} contents @param {Numbers} start @param {number} each @returns {any}
 */
function gathered(array, contents, start, each) {
  let size = 0;
  for (const c of contents) size += (start[c + 1] - start[c]) * each;
  const items = new array.constructor(size);
  let at = 0;
  for (const c of contents) for (let k = start[c] * each; k < start[c + 1] * each; k++) items[at++] = array[k];
  return items;
}

/** Return the children of the nodes of a tree from their distances, -1 for leaves. @param {Numbers} sent */
function childrenOf(sent) {
  const children = new Int32Array(sent.length);
  for (let i = 0; i < sent.length; i++) children[i] = sent[i] ? i + sent[i] : -1;
  return children;
}

/** Return the start of the items of each node, and the end of the last node. @param {Numbers} counts */
function startsOf(counts) {
  const start = new Uint32Array(counts.length + 1);
  for (let i = 0; i < counts.length; i++) start[i + 1] = start[i] + counts[i];
  return start;
}
