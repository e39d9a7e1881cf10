// Formulas: MathML from the plain structures of pages/ui/learn/lessons/formulas.py.

const SPACE = "http://www.w3.org/1998/Math/MathML";
const TAGS = { row: "mrow", sub: "msub", sup: "msup" };
const BIG = new Set(["=", "+", "−", "≥"]);

function make(tag, ...children) {
  const element = document.createElementNS(SPACE, tag);
  element.append(...children);
  return element;
}

/** `<math>` of a structure. */
export function mathOf(structure) {
  const math = make("math", nodeOf(structure));
  math.setAttribute("display", "inline");
  return math;
}

function nodeOf(part) {
  if (typeof part === "string") return token(part);
  const [kind, ...rest] = part;
  if (kind === "sum") return sum(...rest);
  if (kind === "cases") return cases(rest);
  if (kind === "bar") return accent(make("mover", nodeOf(rest[0]), token("¯")));
  return make(TAGS[kind] ?? "mrow", ...rest.map(nodeOf));
}

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

function sum(below, above) {
  const sign = make("mo", "∑");
  sign.setAttribute("largeop", "true");
  sign.setAttribute("movablelimits", "false");
  return above ? make("munderover", sign, nodeOf(below), nodeOf(above)) : make("munder", sign, nodeOf(below));
}

function cases(lines) {
  const rows = lines.map((line) => make("mtr", ...line.map((cell) => make("mtd", nodeOf(cell)))));
  return make("mtable", ...rows); // a line stands for the brace, which grows in few fonts
}

function accent(element) {
  element.setAttribute("accent", "true");
  return element;
}
