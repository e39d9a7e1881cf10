// Text of conditions and nodes. A condition holds for rows that go right. treecore/tree/condition_text.py and
// decision_digits.py do the same, and a test compares them. The browser needs its own code because trees are edited and
// names are cut to fit.

import { phrases } from "./node_statistics.js";
import { nodeName } from "./tree.js";
import {
  DATE_DIGITS,
  DATE_UNIT,
  FEW_DIGITS,
  dateText,
  digitsOf,
  firstDate,
  nearDate,
  number,
  significant,
  signed,
} from "./number_text.js";

const READABLE = 8; // maximum number of digits of a readable number
const DIFFERENCE = 32; // added to the number of digits of a sum that is written as a difference or a ratio
const FEWEST_IN_RATIO = 2; // minimum number of digits of the bound of a ratio
const MOST_IN_DIFFERENCE = 5; // maximum number of digits of the bound of a difference or a ratio
const STEEPEST = 1.25; // maximum ratio of the weights of a difference
const FARTHEST = 0.05; // maximum error of a line through the origin, as a share of the range of the first feature
const LEAST_SPREAD = 2; // minimum ratio of the ends of a feature in a ratio
const ALL_DIGITS = 17;
const LARGEST = 1e30; // largest absolute value, as in treecore/parameter_checks.py
const MOST_TERMS = 4;
const MOST_PIXELS = 2; // maximum number of pixels that a condition lists by name
const MOST_CASES = 4; // maximum number of categories that describe a sum
const MOST_NAMED = 4; // maximum number of categories that a branch lists; more are counted
const MOST_INSTEAD = 3; // maximum number of categories that a condition names instead of excluding the others
const MOST_LISTED = 8; // maximum number of categories in a condition whose terms are limited; more are counted
const MARKS = new Map([
  [1, "↑"],
  [-1, "↓"],
]);
const SPACE = "\u00a0"; // keeps a mark on the line of the last word
/** @typedef {"≥" | "≤" | ">" | "<"} Relation */
/** @typedef {{text: string, yes: string, no: string}} Words a condition, its true branch and its false branch */
/** @type {Record<Relation, Relation>} */
const OPPOSITE = { "≥": "<", "≤": ">", ">": "≤", "<": "≥" };
/** @type {Record<Relation, Relation>} */
const TURNED = { "≥": "≤", "≤": "≥", ">": "<", "<": ">" };
const AMBIGUOUS =
  /[<>={},;:"\x60\\*/·×÷≤≥≠→]|(^|\s)(and|or|in|is|if|then|else|go|goes|left|right|[-+−–])(\s|$)|^[-+−–.\p{Nd}(]|^$/iu;
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/**
 * Return the exact threshold t of a univariate split. A row goes right iff x >= t, or x <= t if the weight is negative.
 * @param {number} weight @param {number} bias
 */
export function threshold(weight, bias) {
  return floatOf(lastRank(weight, bias));
}

/**
 * Return the rank of the last float that goes right, or of the largest float if all or no numbers go right.
 * @param {number} weight @param {number} bias
 */
function lastRank(weight, bias) {
  /** @param {bigint} rank */
  const yes = (rank) => bias + weight * floatOf(rank) >= 0;
  const outward = weight > 0 ? -1n : 1n; // direction of the rows that go left
  let inside = rankOf(-bias / weight || 0);
  let step = 1n;
  while (!yes(inside) && inBounds(inside - outward * step)) {
    inside -= outward * step;
    step *= 2n;
  }
  step = 1n;
  while (inBounds(inside + outward * step) && yes(inside + outward * step)) {
    inside += outward * step;
    step *= 2n;
  }
  // The last float that goes right is less than `step` outward from `inside`.
  for (; step > 0n; step /= 2n)
    if (inBounds(inside + outward * step) && yes(inside + outward * step)) inside += outward * step;
  return inside;
}

const LARGEST_RANK = rankOf(Number.MAX_VALUE);

/** @param {bigint} rank */
function inBounds(rank) {
  return rank >= -LARGEST_RANK && rank <= LARGEST_RANK;
}

/** Number the finite floats in order, with 0 for zero, so that neighbours differ by one. @param {number} value */
function rankOf(value) {
  const size = new BigInt64Array(new Float64Array([Math.abs(value)]).buffer)[0];
  return value < 0 ? -size : size;
}

/** @param {bigint} rank */
function floatOf(rank) {
  const size = new Float64Array(new BigInt64Array([rank < 0n ? -rank : rank]).buffer)[0];
  return rank < 0n ? -size : size;
}

/**
 * Return {relation, bound} of the numbers that go right at a univariate split, or `true` or `false` if all numbers take
 * the same branch.
 * @param {number} weight @param {number} bias @param {boolean} missing whether the tree routes missing values
 * @returns {{relation: Relation, bound: number} | boolean}
 */
function halfLine(weight, bias, missing) {
  const last = lastRank(weight, bias);
  const next = last + (weight > 0 ? -1n : 1n);
  if (!(bias + weight * floatOf(last) >= 0)) return false;
  if (missing && Math.abs(floatOf(last)) > LARGEST) return floatOf(last) < 0 === weight > 0; // No value is as large.
  if (!inBounds(next)) return true;
  // Use the threshold, which goes right, unless only the next number is short enough that a person may have entered it.
  const isStrict = digitsOf(floatOf(next)) <= READABLE && digitsOf(floatOf(last)) > READABLE;
  const relation = weight > 0 ? (isStrict ? ">" : "≥") : isStrict ? "<" : "≤";
  return { relation, bound: floatOf(isStrict ? next : last) };
}

/**
 * Isolate a name that may be written from right to left, so that adjacent numbers keep their places.
 * @param {string} name
 */
function isolate(name) {
  return RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name;
}

/**
 * Return the name of a feature in a weighted sum: dates with their unit, ordered levels with their places.
 * @param {Path} path @param {number} j
 */
function termName({ features, dates, levels }, j) {
  const order = levels[j] ? ` (0 to ${levels[j].length - 1})` : "";
  return features[j] + (dates.has(j) ? DATE_UNIT : order);
}

/**
 * Return a name for a typed condition. An ambiguous name is in quotes, and its own quotes are doubled.
 * @param {string} name
 */
function quote(name) {
  return AMBIGUOUS.test(name) ? `"${name.replaceAll('"', '""')}"` : name;
}

/** Return a category or level for a displayed condition, in quotes if it is ambiguous. @param {string} value */
function valueName(value) {
  return isolate(quote(value));
}

/**
 * Return the categories of one column that a split lists, their total number `n`, and whether all other categories go
 * right. Return null for other splits.
 * @param {Path} path @param {Split} split
 * @returns {{column: string, values: string[], others: boolean, n: number} | null}
 */
function categoriesOf({ categories }, { features, weights, bias }) {
  /** @type {[column: string, category: string, ofAll: number]} */
  const none = ["", "", 0];
  const known = Array.from(features, (feature) => categories[feature] ?? none);
  const [column, , n] = known[0] ?? none;
  const others = bias >= 0; // side of the categories that are not listed
  const values = known.filter((_, i) => bias + weights[i] >= 0 !== others).map(([, category]) => category);
  if (!column || !values.length || known.some(([name]) => name !== column)) return null;
  return { column, values, others, n };
}

/**
 * Return all other categories of a column, sorted, or null if they are not known.
 * @param {Path} path @param {number} feature one of the features of the column @param {string[]} values
 */
function otherCategories({ groups, categories }, feature, values) {
  const group = groups.find((one) => one.values.some(([, j]) => j === feature));
  if (!group?.rest) return null;
  const shipped = group.values.map(([category, j]) => categories[j]?.[1] ?? category);
  return [...shipped.filter((category) => !values.includes(category)), ...group.rest].sort();
}

/** Return the only value of a column that no feature of its group stands for, or null. @param {CategoryGroup} group */
export function onlyOther({ rest }) {
  return rest?.length === 1 ? rest[0] : null;
}

/** Return the text of "name in {values}" or "not in", with one value "name = value". @param {string} name @param {string[]} values @param {boolean} isNot @param {string} unequal */
function setText(name, values, isNot, unequal = "≠") {
  if (values.length === 1) return `${name} ${isNot ? unequal : "="} ${values[0]}`;
  return `${name} ${isNot ? "not " : ""}in {${values.join(", ")}}`;
}

/**
 * Return the readable condition on the categories of one column, as in rules. It names the other categories if they are
 * not more.
 * @param {Path} path @param {number} feature one of the features of the column
 * @param {{column: string, values: string[], n?: number}} listed @param {boolean} isNot
 * @param {number} most maximum number of categories that are listed
 */
function readableSet(path, feature, { column, values, n }, isNot, most = Infinity) {
  const others = isNot ? otherCategories(path, feature, values) : null;
  if (others?.length && others.length <= Math.min(values.length, MOST_INSTEAD))
    return setText(isolate(column), others.map(valueName), false);
  if (values.length > most) return `${isolate(column)} ${isNot ? "not " : ""}in ${values.length} of ${n} values`;
  return setText(isolate(column), values.map(valueName), isNot);
}

/** Return the name of the categorical column of a split, or null. @param {Path} path @param {Split} split */
export function columnOf(path, split) {
  return categoriesOf(path, split)?.column ?? null;
}

/**
 * Return the condition on the second column for each category of the first column. The last condition is for all other
 * categories. A condition is a bound of a number, categories, `true` (always) or `false` (never). Return null if the
 * split is not a sum of two such columns. `Cases` in treecore/tree/category_columns.py does the same.
 * @param {Path} path @param {Split} split @returns {Cases | null}
 */
export function casesOf(path, { features, weights, bias }) {
  const { categories } = path;
  /** @type {Map<string | number, number[]>} */
  const ofColumn = new Map();
  for (const [i, feature] of Array.from(features).entries()) {
    const key = categories[feature]?.[0] ?? feature;
    ofColumn.set(key, [...(ofColumn.get(key) ?? []), i]);
  }
  const main = [...ofColumn.keys()].find(
    (key) => typeof key === "string" && Number(ofColumn.get(key)?.length) <= MOST_CASES,
  );
  if (ofColumn.size !== 2 || typeof main !== "string") return null;
  const own = ofColumn.get(main) ?? [];
  ofColumn.delete(main);
  const [other] = ofColumn.values();
  const split = { features: other.map((i) => features[i]), weights: other.map((i) => weights[i]), bias };
  const parts = [...own.map((i) => bias + weights[i]), bias].map((sum) => partOf(path, { ...split, bias: sum }));
  if (parts.every((part) => part === true) || parts.every((part) => part === false)) return null;
  const group = path.groups.find(({ values }) => values.some(([, position]) => position === features[own[0]]));
  const isOpen = !group || group.others || own.length < group.values.length;
  const values = own.map((i) => categories[features[i]]?.[1] ?? "");
  return { column: main, values, features: own.map((i) => features[i]), other: split.features, parts, isOpen };
}

/**
 * Round the numbers of a sum to `digits` digits. `main`: index of the feature that the sum is solved for, or -1. This is
 * the only date, or the second of two features, unless the quotient is awkward.
 * @param {Path} path @param {Split} split @param {number} digits
 * @returns {{weights: number[], bound: number, relation: Relation, main: number}}
 */
function shortSum({ dates }, { features, weights, bias }, digits) {
  const places = [...features.keys()].filter((i) => dates.has(features[i]));
  const isLine = !places.length && features.length === 2 && digits <= READABLE && weights[0] !== 0;
  const main = isLine ? 1 : places.length === 1 && features.length <= MOST_TERMS ? places[0] : -1;
  const own = main < 0 ? 1 : weights[main];
  const exact = [-bias, ...weights].map((value) => value / own);
  const bound = main < 0 || isLine ? significant(exact[0], digits) : nearDate(exact[0], digits);
  if (main < 0 || bound === null || !exact.every(Number.isFinite)) {
    const short = Array.from(weights, (weight) => significant(weight, digits));
    return { weights: short, bound: significant(-bias, digits), relation: "≥", main: -1 };
  }
  const short = exact.slice(1).map((weight) => significant(weight, digits));
  return { weights: short, bound, relation: own > 0 ? "≥" : "≤", main };
}

/** Return the unit at the end of the name of a feature, or "". @param {Path} path @param {number} j */
function kindOf(path, j) {
  return path.levels[j]?.join(" < ") ?? / \(([^()]+)\)$/.exec(termName(path, j))?.[1] ?? "";
}

/**
 * Return a sum of two features of one kind as a difference with a bound of `digits` digits, or null if it is not nearly
 * one. `Linear` in treecore/tree/conditions.py does the same.
 * @param {Path} path @param {Split} split @param {number} digits
 * @returns {{plus: number, minus: number, relation: Relation, bound: number} | null}
 */
function differenceOf(path, { features, weights, bias }, digits) {
  if (features.length !== 2 || !weights[1] || [...features].some((j) => path.categories[j])) return null;
  const [first, second] = features;
  const ratio = -weights[0] / weights[1];
  if (!(ratio >= 1 / STEEPEST && ratio <= STEEPEST)) return null;
  const kind = kindOf(path, first);
  if (!kind || kind !== kindOf(path, second)) return null;
  const middle = path.low[first] / 2 + path.high[first] / 2;
  let bound = -bias / weights[1] - (weights[0] / weights[1] + 1) * middle;
  /** @type {Relation} */
  let relation = weights[1] > 0 ? "≥" : "≤";
  let [plus, minus] = [second, first];
  if (bound < 0) [plus, minus, bound, relation] = [first, second, -bound, TURNED[relation]];
  const isWhole = path.whole[first] === 1 && path.whole[second] === 1;
  const whole = relation === "≥" ? Math.ceil(bound) : Math.floor(bound);
  return { plus, minus, relation, bound: (isWhole ? whole : significant(bound, digits)) + 0 };
}

/**
 * Return the condition for going right as a difference of two features, or null if its text is not a difference.
 * @param {StageTree} tree @param {number} node
 */
export function differenceAt(tree, node) {
  if (tree.nWeights(node) !== 2) return null;
  const digits = tree.digits ? tree.digits[node] : enoughDigits(tree, node);
  return digits > DIFFERENCE ? differenceOf(tree.path, tree.split(node), digits - DIFFERENCE) : null;
}

/** Return the name of an axis with a difference. @param {Path} path @param {{plus: number, minus: number}} difference */
export function differenceName({ features, dates }, { plus, minus }) {
  if (dates.has(plus)) return `days from ${features[minus]} to ${features[plus]}`;
  return `${features[plus]} − ${features[minus]}`;
}

/**
 * Return a sum of two features of one sign as a condition on their ratio with a bound of `digits` digits, or null if its
 * line is not near the origin. `relation` is that of plus − bound · minus and 0. `CategoryColumns` in
 * treecore/tree/category_columns.py does the same.
 * @param {Path} path @param {Split} split @param {number} digits
 * @returns {{plus: number, minus: number, relation: Relation, bound: number} | null}
 */
function ratioOf(path, { features, weights, bias }, digits) {
  if (features.length !== 2 || !weights[0] || !weights[1]) return null;
  if ([...features].some((j) => path.categories[j] || path.dates.has(j) || path.levels[j])) return null;
  const [[low, high], [low2, high2]] = Array.from(features, (j) => [path.low[j], path.high[j]]);
  if (!(Math.min(low, low2) > 0 || Math.max(high, high2) < 0)) return null;
  /** @param {number} first @param {number} last */
  const isNarrow = (first, last) => {
    const [near, far] = [Math.abs(first), Math.abs(last)].sort((a, b) => a - b);
    return far < LEAST_SPREAD * near;
  };
  if (isNarrow(low, high) || isNarrow(low2, high2)) return null;
  const middle = low2 / 2 + high2 / 2;
  const shift = -bias / weights[0];
  const slope = shift / middle - weights[1] / weights[0];
  const error = (Math.abs(shift / middle) * (high2 - low2)) / 2;
  if (!(slope > 0 && slope < Infinity && 1 / slope < Infinity && error <= FARTHEST * (high - low))) return null;
  const over = slope >= 1 ? 0 : 1;
  const bound = significant(over ? 1 / slope : slope, digits);
  return { plus: features[over], minus: features[1 - over], relation: weights[over] > 0 ? "≥" : "≤", bound };
}

/** @param {Path} path @param {Split} split @returns {Cases["parts"][number]} */
function partOf(path, { features, weights, bias }) {
  const [j] = features;
  if (path.categories[j]) {
    const others = bias >= 0;
    const named = Array.from(features).filter((_, i) => bias + weights[i] >= 0 !== others);
    return named.length ? { named, others } : others;
  }
  const half = halfLine(weights[0], bias, false);
  if (half === true || half === false) return half;
  const [low, high] = [path.low[j], path.high[j]].map((end) => HOLDS[half.relation](end, half.bound));
  return low === high ? low : half;
}

/**
 * Return the relation and the bound of the numbers that go right. Bounds of dates are the start of a day or minute, and
 * bounds of counts are whole numbers.
 * @param {{relation: Relation, bound: number}} half @param {boolean} isDate @param {number} digits
 * @returns {{relation: Relation, bound: number}}
 */
function writeTerms({ relation, bound }, isDate, digits, isCount = false) {
  if (isCount && !isDate) return writeTerms({ relation, bound }, true, FEW_DIGITS);
  if (!isDate) return { relation, bound: significant(bound, digits) };
  const start = firstDate(bound, relation === "≥" || relation === "<", digits);
  if (start === bound && (relation === ">" || relation === "≤")) return { relation, bound };
  return { relation: relation === "≥" || relation === ">" ? "≥" : "<", bound: start };
}

/**
 * Return the words of a comparison, `Words` in treecore/tree/condition_text.py.
 * @param {string} name @param {Relation} relation @param {string} bound
 * @param {[string, string]} [sides] labels of the rows above and below the bound, if they are not this bound
 * @returns {Words}
 */
function compared(name, relation, bound, sides) {
  const text = `${name} ${relation} ${bound}`;
  const [yes, no] = sides ?? [`${relation} ${bound}`, `${OPPOSITE[relation]} ${bound}`];
  return sides && (relation === "<" || relation === "≤") ? { text, yes: no, no: yes } : { text, yes, no };
}

/**
 * Return the condition on one feature, such as "x ≥ 3".
 * @param {Path} path @param {number} j @param {{relation: Relation, bound: number}} half
 */
function comparison(path, j, { relation, bound }) {
  const { features, dates } = path;
  const level = levelOf(path, j, { relation, bound });
  if (level) return compared(isolate(features[j]), level.relation, valueName(level.name));
  const date = dates.has(j) ? dateText(bound) : null;
  const name = date === null ? termName(path, j) : features[j];
  return compared(isolate(name), relation, date ?? number(bound, null));
}

/**
 * Return the last level of an ordered column that meets a condition. Return null for other columns, or if all or no
 * levels meet it.
 * @param {Path} path @param {number} j @param {{relation: Relation, bound: number}} half
 * @returns {{relation: Relation, name: string} | null}
 */
function levelOf({ levels }, j, { relation, bound }) {
  const all = levels[j] ?? [];
  const inside = all.filter((_, place) => HOLDS[relation](place, bound));
  if (!inside.length || inside.length === all.length) return null;
  const rises = relation === "≥" || relation === ">";
  return rises ? { relation: "≥", name: inside[0] } : { relation: "≤", name: inside[inside.length - 1] };
}

/** @param {Path} path @param {Cases} cases @param {boolean} right @param {number} digits */
function casesText(path, { column, values, features, other, parts, isOpen }, right, digits) {
  const { categories, dates } = path;
  /** @type {Map<string, (string | null)[]>} */
  const byText = new Map();
  /** @param {Cases["parts"][number]} part */
  const describe = (part) => {
    if (part === true || part === false) return part === right ? "always" : "never";
    if ("named" in part) {
      const values = part.named.map((j) => categories[j]?.[1] ?? "");
      return readableSet(path, other[0], { column: categories[other[0]]?.[0] ?? "", values }, part.others === right);
    }
    const half = writeTerms(part, dates.has(other[0]), digits, path.whole[other[0]] === 1);
    return comparison(path, other[0], { ...half, relation: right ? half.relation : OPPOSITE[half.relation] }).text;
  };
  for (const [i, value] of (isOpen ? [...values, null] : values).entries()) {
    const text = describe(parts[i]);
    byText.set(text, [...(byText.get(text) ?? []), value]);
  }
  /** @param {string | null} value */
  const valueOf = (value) => valueName(value ?? "");
  /** @param {(string | null)[]} some */
  const listed = (some) => some.map(valueOf).join(", ");
  /** @param {(string | null)[]} some @param {boolean} isNot */
  const setOf = (some, isNot) =>
    readableSet(path, features[0], { column, values: some.map((value) => value ?? "") }, isNot);
  const sorted = [...byText].sort(([, a], [, b]) => Number(a.includes(null)) - Number(b.includes(null)));
  if (sorted.length === 1) return sorted[0][0];
  const [always, never] = [byText.get("always"), byText.get("never")];
  if (always && never && sorted.length === 2)
    return setOf(always.includes(null) ? never : always, always.includes(null));
  if (sorted.length === 2) {
    const [[first, some], [second]] = sorted;
    const [inside, outside] = [false, true].map((isNot) => setOf(some, isNot));
    return either(inside, outside, first, second);
  }
  const words = sorted.map(([text, some]) => `${some.includes(null) ? "others" : listed(some)}: ${text}`);
  return `${isolate(column)} ${words.join("; ")}`;
}

/**
 * Return the text of a condition that is `first` for some categories and `second` for the others.
 * @param {string} inside that a row has one of these categories @param {string} outside that it has none
 * @param {string} first @param {string} second
 */
function either(inside, outside, first, second) {
  if (first === "never") return `${outside} and ${second}`;
  if (first === "always") return `${inside} or ${second}`;
  if (second === "never") return `${inside} and ${first}`;
  if (second === "always") return `${outside} or ${first}`;
  return `${first} if ${inside}, else ${second}`;
}

/**
 * Return the condition for display, of going right or (with `right` false) left. It has few digits, but enough for
 * every known row to take the branch of the tree. `terms`: maximum number of terms of a sum, the largest first.
 * @param {StageTree} tree @param {number} node @param {{terms?: number, right?: boolean}} [choices] @returns {string}
 */
export const condition = (tree, node, choices) => decision(tree, node, choices).text;

/**
 * Return the condition for display and its branches, as `decision_words` in treecore/tree/category_columns.py.
 * @param {StageTree} tree @param {number} node @param {{terms?: number, right?: boolean}} [choices] @returns {Words}
 */
function decision(tree, node, { terms = MOST_TERMS, right = true } = {}) {
  const { path } = tree;
  const { features, weights, bias } = tree.split(node);
  /** @param {Relation} sign */
  const relation = (sign) => (right ? sign : OPPOSITE[sign]);
  const turns = features.length > 1 && weights.every((weight) => weight < 0);
  const bound = bias === 0 ? 0 : turns ? bias : -bias;
  if (path.imageShape && features.length > MOST_PIXELS)
    return compared(`weighted sum of ${features.length} pixels`, relation("≥"), number(bias === 0 ? 0 : -bias));
  const half =
    features.length === 0
      ? bias >= 0
      : features.length === 1
        ? halfLine(weights[0], bias, tree.missingRight !== null)
        : null;
  if (half === true || half === false) {
    if (features.length && tree.missingRight && (tree.missingRight[node] !== 0) !== half) {
      const [yes, no] = half === right ? ["known", "missing"] : ["missing", "known"];
      return { text: `${isolate(path.features[features[0]])} is ${yes}`, yes, no };
    }
    return half ? { text: "always right", yes: "all", no: "none" } : { text: "always left", yes: "none", no: "all" };
  }
  const most = terms < Infinity ? MOST_LISTED : Infinity;
  const listed = categoriesOf(path, { features, weights, bias });
  if (listed) {
    const text = readableSet(path, features[0], listed, listed.others === right, most);
    return { text, yes: branchOf(path, features[0], listed, right), no: branchOf(path, features[0], listed, !right) };
  }
  const found = tree.digits ? tree.digits[node] : enoughDigits(tree, node);
  const difference = differenceAt(tree, node);
  if (difference) return differenceWords(path, difference, right);
  const ratio = found > DIFFERENCE ? ratioOf(path, { features, weights, bias }, found - DIFFERENCE) : null;
  if (ratio) return ratioWords(path, ratio, right);
  const digits = found > DIFFERENCE ? READABLE : found;
  const cases = half ? null : casesOf(path, { features, weights, bias });
  if (cases) return { text: casesText(path, cases, right, digits), yes: "true", no: "false" };
  if (half) {
    const short = writeTerms(half, path.dates.has(features[0]), digits);
    return comparison(path, features[0], { ...short, relation: relation(short.relation) });
  }
  /** @param {number} i */
  const nameOf = (i) => isolate(termName(path, features[i]));
  /** @param {number} i */
  const reach = (i) => Math.abs(weights[i]) * path.deviation[features[i]];
  const order = Array.from(weights.keys()).sort((a, b) => reach(b) - reach(a));
  const sum = shortSum(path, { features, weights, bias }, digits);
  const { main } = sum;
  const isDate = main >= 0 && path.dates.has(features[main]);
  const others = order.filter((i) => i !== main).slice(0, main < 0 ? terms : terms - 1);
  const first = isDate ? dateText(sum.bound) : sum.bound || !others.length ? number(sum.bound, null) : "";
  let text = main < 0 || first === null ? "" : first;
  for (const i of others) {
    const size = Math.abs(sum.weights[i]);
    const isMinus = main < 0 ? weights[i] < 0 && !turns : sum.weights[i] > 0;
    text += text ? (isMinus ? " − " : " + ") : isMinus ? "−" : "";
    text += isDate ? `${number(size, null)} days · ` : size === 1 ? "" : `${number(size, null)} · `;
    text += nameOf(i);
  }
  if (order.length > terms) text += ` + ${order.length - terms} more`;
  if (main >= 0) {
    const isFeature = !sum.bound && order.length === 2 && others.length === 1 && Math.abs(sum.weights[others[0]]) === 1;
    const name = isDate ? isolate(path.features[features[main]]) : nameOf(main);
    return compared(
      name,
      relation(sum.relation),
      text,
      isDate ? ["later", "earlier"] : isFeature ? undefined : ["above", "below"],
    );
  }
  const sign = relation("≥");
  return compared(text, turns ? TURNED[sign] : sign, number(bound, digits));
}

/**
 * @param {Path} path @param {NonNullable<ReturnType<typeof differenceOf>>} difference
 * @param {boolean} right whether the text is for going right
 */
function differenceWords(path, { plus, minus, relation, bound }, right) {
  const unit = path.dates.has(plus) ? " days" : !path.levels[plus] ? "" : bound === 1 ? " level" : " levels";
  const [first, second] = [plus, minus].map((j) => isolate(path.features[j]));
  const sign = right ? relation : OPPOSITE[relation];
  if (bound === 0) return compared(first, sign, second);
  return compared(`${first} − ${second}`, sign, `${number(bound, null)}${unit}`);
}

/**
 * @param {Path} path @param {NonNullable<ReturnType<typeof ratioOf>>} ratio
 * @param {boolean} right whether the text is for going right
 */
function ratioWords(path, { plus, minus, relation, bound }, right) {
  const [first, second] = [plus, minus].map((j) => isolate(termName(path, j)));
  const sign = right ? relation : OPPOSITE[relation];
  if (bound === 1) return compared(first, sign, second);
  return compared(`${first} / ${second}`, path.high[minus] < 0 ? TURNED[sign] : sign, number(bound, null));
}

/**
 * Return the half-line whose bound is the shortest number with the same single precision, if every sampled row takes
 * the same side: 3.46 for 3.460000038146973, which CART in single precision finds between 3.4 and 3.52.
 * @param {StageTree} tree @param {number} node @param {{relation: Relation, bound: number}} half
 */
function inSinglePrecision(tree, node, { relation, bound }) {
  const [j] = tree.split(node).features;
  const short = range(1, digitsOf(bound))
    .map((digits) => significant(bound, digits))
    .find((value) => Math.fround(value) === Math.fround(bound));
  if (short === undefined) return { relation, bound };
  const isInside = HOLDS[relation](short, bound);
  const rises = relation === "≥" || relation === ">";
  /** @type {Relation} */
  const own = rises ? (isInside ? "≥" : ">") : isInside ? "≤" : "<";
  const isSame = sameSides(tree, node, (value) => HOLDS[own](value(j), short));
  return isSame ? { relation: own, bound: short } : { relation, bound };
}

/**
 * Return the condition with all terms and with the digits that decide, as a user would type it. With `isFull`, it has
 * all digits, and equals the split of the tree in float64.
 * @param {StageTree} tree @param {number} node
 */
export function exactCondition(tree, node, isFull = false) {
  const { features, weights, bias } = tree.split(node);
  const half = features.length === 1 ? halfLine(weights[0], bias, tree.missingRight !== null) : null;
  /** @param {number} value */
  const typed = (value) => number(value, null, "-");
  const listed = categoriesOf(tree.path, { features, weights, bias });
  if (listed) {
    const others = listed.others ? otherCategories(tree.path, features[0], listed.values) : null;
    const nRest = (others?.length ?? 0) + listed.values.length - listed.n;
    if (others?.length && others.length <= Math.min(listed.values.length, MOST_INSTEAD) && nRest < 2)
      return setText(quote(listed.column), others.map(quote), false);
    return setText(quote(listed.column), listed.values.map(quote), listed.others, "!=");
  }
  if (features.length === 0 || half === true || half === false) return condition(tree, node);
  /** @param {number} i */
  const name = (i) => quote(termName(tree.path, features[i]));
  if (half) {
    const { relation, bound } = isFull ? half : inSinglePrecision(tree, node, half);
    const date = tree.path.dates.has(features[0]) ? dateText(bound) : null;
    const level = levelOf(tree.path, features[0], half);
    if (level)
      return `${quote(tree.path.features[features[0]])} ${level.relation === "≥" ? ">=" : "<="} ${quote(level.name)}`;
    const column = date === null ? name(0) : quote(tree.path.features[features[0]]);
    return `${column} ${relation.replace("≥", ">=").replace("≤", "<=")} ${date ?? typed(bound)}`;
  }
  let text = bias === 0 ? "" : typed(bias);
  const turns = bias === 0 && weights.every((weight) => weight < 0);
  weights.forEach((own, i) => {
    const weight = turns ? -own : own;
    text += text ? ` ${weight < 0 ? "-" : "+"} ` : weight < 0 ? "-" : "";
    text += Math.abs(weight) === 1 ? name(i) : `${typed(Math.abs(weight))} * ${name(i)}`;
  });
  return `${text} ${turns ? "<=" : ">="} 0`;
}

/** Return the label of the branch that leads to a child. @param {StageTree} tree @param {number} child */
export function branchTo(tree, child) {
  const above = tree.parent[child];
  const { yes, no } = decision(tree, above);
  return tree.right[above] === child ? yes : no;
}

/**
 * Return the label of a branch of a split on categories.
 * @param {Path} path @param {number} feature @param {{others: boolean, column: string, values: string[], n: number}} listed
 * @param {boolean} right
 */
function branchOf(path, feature, { others, column, values, n }, right) {
  const isNamed = others !== right;
  const own = isNamed ? values : otherCategories(path, feature, values);
  if (own?.length && own.length <= MOST_NAMED) return own.map(valueName).join(", ");
  return isNamed ? `${values.length} of ${n} values of ${isolate(column)}` : `other values of ${isolate(column)}`;
}

/**
 * Return the number of digits in a condition for which every sampled row takes the branch of the tree.
 * @param {StageTree} tree @param {number} node @returns {number}
 */
export function enoughDigits(tree, node) {
  return tree.once(`digits ${node}`, () => {
    const { features, weights, bias } = tree.split(node);
    const { path } = tree;
    const cases = features.length > 1 ? casesOf(path, { features, weights, bias }) : null;
    if (cases) {
      const tried = path.dates.has(cases.other[0]) ? DATE_DIGITS : range(FEW_DIGITS, ALL_DIGITS);
      return tried.find((digits) => sameSides(tree, node, sideOf(path, cases, digits))) ?? ALL_DIGITS;
    }
    if (features.length === 0 || features.length > MOST_TERMS) return FEW_DIGITS;
    const half = features.length === 1 ? halfLine(weights[0], bias, tree.missingRight !== null) : null;
    if (half === true || half === false) return FEW_DIGITS;
    const read = range(1, MOST_IN_DIFFERENCE + 1).find((digits) => {
      const difference = differenceOf(path, { features, weights, bias }, digits);
      const isEnough = digits >= FEWEST_IN_RATIO;
      const found = difference ?? (isEnough ? ratioOf(path, { features, weights, bias }, digits) : null);
      if (!found) return false;
      const { plus, minus, relation, bound } = found;
      const [factor, end] = difference ? [1, bound] : [bound, 0];
      return sameSides(tree, node, (value) => HOLDS[relation](value(plus) - factor * value(minus), end));
    });
    if (read !== undefined) return DIFFERENCE + read;
    const isDate = half !== null && path.dates.has(features[0]);
    const found = (isDate ? DATE_DIGITS : range(FEW_DIGITS, ALL_DIGITS)).find((digits) => {
      if (half) {
        const { relation, bound } = writeTerms(half, isDate, digits);
        return sameSides(tree, node, (value) => HOLDS[relation](value(features[0]), bound));
      }
      const short = shortSum(path, { features, weights, bias }, digits);
      return sameSides(tree, node, (value) => {
        const total = short.weights.reduce((sum, weight, i) => sum + weight * value(features[i]), 0);
        return HOLDS[short.relation](total, short.bound);
      });
    });
    return found ?? ALL_DIGITS;
  });
}

/** @param {number} first @param {number} end */
function range(first, end) {
  return Array.from({ length: end - first }, (_, i) => first + i);
}

/**
 * Return whether a row goes right according to the text for its category. `value` returns the row's value of a feature.
 * @param {Path} path @param {Cases} cases @param {number} digits
 */
function sideOf({ dates, whole }, { features, other, parts }, digits) {
  const [j] = other;
  const short = parts.map((part) =>
    typeof part === "object" && "bound" in part ? writeTerms(part, dates.has(j), digits, whole[j] === 1) : part,
  );
  /** @param {(feature: number) => number} value */
  return (value) => {
    if ([...features, ...other].some((feature) => Number.isNaN(value(feature)))) return false;
    const part = short[features.findLastIndex((feature) => value(feature) === 1)] ?? short[features.length];
    if (part === true || part === false) return part;
    if ("named" in part) return part.named.some((feature) => value(feature) === 1) !== part.others;
    return HOLDS[part.relation](value(j), part.bound);
  };
}

/** @type {Record<Relation, (x: number, t: number) => boolean>} */
const HOLDS = { "≥": (x, t) => x >= t, "≤": (x, t) => x <= t, ">": (x, t) => x > t, "<": (x, t) => x < t };

/**
 * Return whether every sampled row takes the side to which the tree sends it. `goesRight` decides by the row's values.
 * @param {StageTree} tree @param {number} node @param {(value: (feature: number) => number) => boolean} goesRight
 */
function sameSides(tree, node, goesRight) {
  const { sample } = tree.path;
  return tree.path.sets.every((_, s) => {
    const { rows, margins } = tree.reaching(s, node);
    return margins.every((margin, p) => goesRight((j) => sample.X[j * sample.n + rows[p]]) === margin >= 0);
  });
}

/**
 * Return the decision path to a node as [{node, yes, text}], one for each split above the node, with the condition that
 * holds there.
 * @param {StageTree} tree @param {number} node
 */
export function pathSentences(tree, node) {
  const nodes = tree.ancestry(node);
  return nodes.slice(0, -1).map((above, i) => {
    const yes = tree.right[above] === nodes[i + 1];
    return { node: above, yes, text: condition(tree, above, { right: yes }) + orMissing(tree, above, yes) };
  });
}

/**
 * Return the side of rows with a missing value at a node: "right", "left", or null if the tree does not support them.
 * @param {StageTree} tree @param {number} node
 */
export function missingSide(tree, node) {
  if (tree.missingRight === null || tree.nWeights(node) === 0) return null;
  return tree.missingRight[node] ? "right" : "left";
}

/**
 * Return the suffix for a condition that rows with a missing value meet, or "".
 * @param {StageTree} tree @param {number} node @param {boolean} yes
 */
function orMissing(tree, node, yes) {
  const side = missingSide(tree, node);
  return side !== null && (side === "right") === yes ? " (or missing)" : "";
}

export const MARGIN_WORDS =
  "The margin is the signed distance from the row to the split, in standard deviations (sd) of the feature " +
  "or weighted sum in the node. Rows with a margin of at least 0 go right.";

/**
 * Return the margin of a row at a split, in units of `marginUnit`, and the side that the row takes.
 * @param {number} margin @param {boolean} right
 */
export function marginText(margin, right) {
  return `${Number.isNaN(margin) ? "a value is missing" : `margin ${signed(margin)} sd`}, goes ${right ? "right" : "left"}`;
}

/**
 * Return the constrained features of a split with their signs.
 * @param {Path} path @param {Split} split @returns {[feature: number, sign: number][]}
 */
function constrained({ monotone }, { features }) {
  if (!monotone) return [];
  /** @type {[feature: number, sign: number][]} */
  const pairs = Array.from(features, (feature) => [feature, monotone[feature]]);
  return pairs.filter(([, sign]) => sign !== 0);
}

/**
 * Return the condition of a node with a mark for each constrained feature: "age ≥ 40 ↑", or "a + b ≥ 3 (a ↑)".
 * @param {StageTree} tree @param {number} node @param {string} text
 */
export function withMarks(tree, node, text) {
  const split = tree.split(node);
  const found = constrained(tree.path, split);
  if (!found.length) return text;
  if (split.features.length === 1) return `${text}${SPACE}${MARKS.get(found[0][1])}`;
  const marks = found.map(([feature, sign]) => `${tree.path.features[feature]}${SPACE}${MARKS.get(sign)}`);
  return `${text} (${marks.join(", ")})`;
}

/**
 * Return a sentence on the constrained features of a node, or null if there are none.
 * @param {StageTree} tree @param {number} node
 */
export function monotoneText(tree, node) {
  const { path } = tree;
  const found = constrained(path, tree.split(node));
  if (!found.length) return null;
  const { edges, groups } = path.target;
  const [low, high] = Array.from(groups).sort();
  const sentences = found.map(([feature, sign]) => {
    const change =
      edges === null
        ? `never changes from ${sign > 0 ? high : low} to ${sign > 0 ? low : high}`
        : `never ${sign > 0 ? "falls" : "rises"}`;
    return `${MARKS.get(sign)} Monotone: the prediction ${change} as ${path.features[feature]} rises.`;
  });
  return sentences.join(" ");
}

/** @param {StageState} state @param {number} origin */
function marksOf({ editMarks }, origin) {
  if (!editMarks) return "";
  return editMarks.locked.has(origin) ? ", locked" : editMarks.edited.has(origin) ? ", edited" : "";
}

/** Return a sentence that describes a node, without its errors while a guess is open. @param {Store} store @param {number} node @returns {string} */
export function nodeText(store, node) {
  const { tree, path, state } = store;
  const { n, losses } = tree.figures(state.set);
  const wrong = state.isGuessing ? [] : [path.target.phrase("wrong", losses[node], n[node])];
  const rows = [...phrases(tree, state.set, node, "outline"), ...wrong].join(", ") + marksOf(state, tree.origin[node]);
  if (tree.isLeaf(node)) return `${nodeName(tree, node)}: ${isolate(path.target.answer(tree, node))}, ${rows}`;
  const side = missingSide(tree, node);
  const missing = side === null ? "" : `, missing values go ${side}`;
  const monotone = monotoneText(tree, node);
  return `${nodeName(tree, node)}: ${condition(tree, node)}${missing}, ${rows}${monotone === null ? "" : `. ${monotone}`}`;
}
