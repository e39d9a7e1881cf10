// Converts the plain structures of pages/ui/learn/lessons/formulas.py to formulas in MathML.

const SPACE = "http://www.w3.org/1998/Math/MathML";
/** @type {Record<string, string>} */
const TAGS = { row: "mrow", sub: "msub", sup: "msup" };
const BIG = new Set(["=", "+", "−", "≥"]);

/** @param {string} tag @param {...(Node | string)} children */
function make(tag, ...children) {
  const element = document.createElementNS(SPACE, tag);
  element.append(...children);
  return element;
}

/** Return a structure as a `<math>` element. @param {MathPart} structure */
export function mathOf(structure) {
  const math = make("math", nodeOf(structure));
  math.setAttribute("display", "inline");
  return math;
}

/** @param {MathPart} part @returns {Element} */
function nodeOf(part) {
  if (typeof part === "string") return token(part);
  const [kind, ...rest] = part;
  if (kind === "sum") return sum(rest[0], rest[1]);
  if (kind === "cases") return cases(/** @type {MathPart[][]} */ (rest));
  if (kind === "bar") return accent(make("mover", nodeOf(rest[0]), token("¯")));
  return make(TAGS[String(kind)] ?? "mrow", ...rest.map(nodeOf));
}

/** @param {string} text */
function token(text) {
  if (text.startsWith("'")) return make("mtext", text.slice(1, -1));
  if (/^\d/.test(text)) return make("mn", text);
  if (/^[\p{L}]/u.test(text)) return make("mi", text);
  const sign = make("mo", text);
  if (BIG.has(text)) {
    sign.setAttribute("lspace", "0.3em");
    sign.setAttribute("rspace", "0.3em");
  }
  return sign;
}

/** @param {MathPart} below @param {MathPart} [above] */
function sum(below, above) {
  const sign = make("mo", "∑");
  sign.setAttribute("largeop", "true");
  sign.setAttribute("movablelimits", "false");
  return above ? make("munderover", sign, nodeOf(below), nodeOf(above)) : make("munder", sign, nodeOf(below));
}

/** @param {MathPart[][]} lines */
function cases(lines) {
  const rows = lines.map((line) => make("mtr", ...line.map((cell) => make("mtd", nodeOf(cell)))));
  return make("mtable", ...rows); // A line replaces the brace, because few fonts can stretch a brace.
}

/** @param {Element} element */
function accent(element) {
  element.setAttribute("accent", "true");
  return element;
}
