// Numbers and conditions in words. A condition says when a row goes right ("yes").

/** A number with some significant digits, without trailing zeros, with a true minus sign. */
export function number(value, digits = 3) {
  if (!Number.isFinite(value)) return String(value);
  const short = Number(value.toPrecision(digits));
  const size = Math.abs(short);
  let text = size !== 0 && (size >= 1e6 || size < 1e-4) ? short.toExponential() : plain(short);
  text = text.replace("e+", "e");
  return text.replace(/-/g, "−");
}

function plain(value) {
  const text = String(value);
  return text.includes("e") ? value.toFixed(20).replace(/\.?0+$/, "") : text;
}

/** A value of a row: the number, or that there is none. */
export function valueText(value, digits = 4) {
  return Number.isNaN(value) ? "missing" : number(value, digits);
}

const INTEGER = new Intl.NumberFormat("en-US");

export function count(value) {
  return INTEGER.format(value);
}

export function percent(share, digits = 1) {
  return Number.isFinite(share) ? `${(100 * share).toFixed(digits)} %` : "–";
}

/** Exact bound t of a node with one feature: the row goes right iff x >= t (or x <= t when the weight is negative). */
export function threshold(weight, bias) {
  const yes = (rank) => bias + weight * floatOf(rank) >= 0;
  const outward = weight > 0 ? -1n : 1n; // towards the rows that go left
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
  // the last float that goes right lies less than `step` outward of `inside`
  for (; step > 0n; step /= 2n)
    if (inBounds(inside + outward * step) && yes(inside + outward * step)) inside += outward * step;
  return floatOf(inside);
}

const LARGEST_RANK = rankOf(Number.MAX_VALUE);

function inBounds(rank) {
  return rank >= -LARGEST_RANK && rank <= LARGEST_RANK;
}

/** Finite floats numbered in order, 0 for zero: neighbours differ by one. */
function rankOf(value) {
  const size = new BigInt64Array(new Float64Array([Math.abs(value)]).buffer)[0];
  return value < 0 ? -size : size;
}

function floatOf(rank) {
  const size = new Float64Array(new BigInt64Array([rank < 0n ? -rank : rank]).buffer)[0];
  return rank < 0n ? -size : size;
}

/** How much a term moves the sum: weight times the standard deviation of the feature. */
function reach(tree, feature, weight) {
  return Math.abs(weight) * tree.path.deviation[feature];
}

const FEW_DIGITS = 8; // of a number that can be read
const TURNS = /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc]/;

/** A name that may run from right to left, shut off so that numbers next to it keep their places. */
function isolated(name) {
  return TURNS.test(name) ? `\u2068${name}\u2069` : name;
}

/** A name cut in its middle to so many letters. */
function cutName(name, most) {
  const letters = [...name];
  if (letters.length <= most) return name;
  return `${letters.slice(0, Math.ceil((most - 1) / 2)).join("")}…${letters.slice(-Math.floor((most - 1) / 2)).join("")}`;
}

/** The rule of a node in words; see `condition`. */
function parts(tree, node, digits, terms, letters = Infinity) {
  const { features, weights, bias } = tree.split(node);
  const nameOf = (i) => {
    const name = tree.path.features[features[i]];
    return digits === null ? name : isolated(cutName(name, letters));
  };
  const order = Array.from(features.keys()).sort(
    (a, b) => reach(tree, features[b], weights[b]) - reach(tree, features[a], weights[a]),
  );
  const show = digits === null ? (v) => String(v).replace("e+", "e") : (v) => number(v, digits);
  if (features.length === 1) {
    const bound = threshold(weights[0], bias);
    return `${nameOf(0)} ${weights[0] > 0 ? "≥" : "≤"} ${show(bound)}`;
  }
  let text = "";
  for (const i of order.slice(0, terms)) {
    const size = show(Math.abs(weights[i]));
    const minus = weights[i] < 0;
    text += text ? (minus ? " − " : " + ") : minus ? "−" : "";
    text += `${size} · ${nameOf(i)}`;
  }
  if (features.length > terms) text += ` + ${features.length - terms} more`;
  return `${text} ≥ ${show(bias === 0 ? 0 : -bias)}`;
}

/**
 * Condition for the screen: few digits, but enough that every sampled row goes where the tree sends it.
 * `letters`: most letters of each name.
 */
export function condition(tree, node, terms = 4, letters = Infinity) {
  const size = tree.nWeights(node);
  if (size === 0) return tree.bias[node] >= 0 ? "always yes" : "always no";
  const strict = size === 1 && strictBound(tree, node);
  if (strict) {
    const { features, weights } = tree.split(node);
    return `${isolated(cutName(tree.path.features[features[0]], letters))} ${weights[0] > 0 ? ">" : "<"} ${number(strict.bound, strict.digits)}`;
  }
  return parts(tree, node, size <= terms ? enoughDigits(tree, node) : 3, terms, letters);
}

/** Condition with every digit and every term: evaluated in float64 it is the tree's own decision. */
export function exactCondition(tree, node) {
  const size = tree.nWeights(node);
  if (size === 0) return condition(tree, node);
  if (size === 1) return parts(tree, node, null, 1);
  const { features, weights, bias } = tree.split(node);
  let text = `${bias}`;
  features.forEach(
    (j, i) => (text += ` ${weights[i] < 0 ? "-" : "+"} ${Math.abs(weights[i])} * ${tree.path.features[j]}`),
  );
  return `${text} >= 0`;
}

function enoughDigits(tree, node) {
  return tree.once(`digits ${node}`, () => {
    const { features, weights, bias } = tree.split(node);
    for (let digits = 3; digits < 17; digits++) {
      const cut = (v) => Number(v.toPrecision(digits));
      const short = Array.from(weights, cut);
      const bound = features.length === 1 ? cut(threshold(weights[0], bias)) : cut(-bias);
      if (sameSides(tree, node, features, weights, short, bound)) return digits;
    }
    return 17;
  });
}

/** {bound, digits} when "more than" says with few digits what "at least" needs many for: a bound just above a value. */
function strictBound(tree, node) {
  return tree.once(`strict ${node}`, () => {
    if (enoughDigits(tree, node) <= FEW_DIGITS) return null;
    const { features, weights, bias } = tree.split(node);
    const outward = weights[0] > 0 ? -1n : 1n;
    const value = floatOf(rankOf(threshold(weights[0], bias)) + outward);
    for (let digits = 3; digits <= FEW_DIGITS; digits++) {
      const bound = Number(value.toPrecision(digits));
      if (sameSides(tree, node, features, weights, null, bound, true)) return { bound, digits };
    }
    return null;
  });
}

function sameSides(tree, node, features, weights, short, bound, strict = false) {
  const { sample } = tree.path;
  for (let s = 0; s < tree.path.sets.length; s++) {
    const { rows, margins } = tree.reaching(s, node);
    for (let p = 0; p < rows.length; p++) {
      const value = (i) => sample.X[features[i] * sample.n + rows[p]];
      let yes;
      if (strict) yes = weights[0] > 0 ? value(0) > bound : value(0) < bound;
      else if (features.length === 1) yes = weights[0] > 0 ? value(0) >= bound : value(0) <= bound;
      else yes = short.reduce((sum, w, i) => sum + w * value(i), 0) >= bound;
      if (yes !== margins[p] >= 0) return false;
    }
  }
  return true;
}

/** The way to a node as sentences: [{node, text}], one per decision above it. */
export function pathSentences(tree, node) {
  const nodes = tree.ancestry(node);
  return nodes.slice(0, -1).map((above, i) => ({
    node: above,
    yes: tree.right[above] === nodes[i + 1],
    text: condition(tree, above, 3),
  }));
}

/** Where rows without a value go at a node: "right", "left", or null when the tree does not know of such rows. */
export function missingSide(tree, node) {
  if (tree.missingRight === null || tree.nWeights(node) === 0) return null;
  return tree.missingRight[node] ? "right" : "left";
}

/** " or missing" for the answer that rows without a value get at a node, else "". */
export function orMissing(tree, node, yes) {
  const side = missingSide(tree, node);
  return side !== null && (side === "right") === yes ? " or missing" : "";
}

/** One sentence for a row at a node: what it measures there and where it goes. */
export function marginSentence(tree, node, margin) {
  if (Number.isNaN(margin)) return `${tree.goesRight(node, margin) ? "yes" : "no"}, a value is missing`;
  return `${margin >= 0 ? "yes" : "no"}, margin ${margin >= 0 ? "+" : ""}${number(margin)}`;
}
