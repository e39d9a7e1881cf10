// Tables as CSV text (RFC 4180). A text that a spreadsheet would run as a formula gets an apostrophe in front: the rule
// of treecore/tables/text_tables.py, `harmless`, and held equal to it by a test.

const BEGIN = /^[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Z}\p{M}\u115f\u1160\u2800\u3164\uffa0"]*/u; // what is not seen, or a quote
const NUMBER = /^[ \t]*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?[ \t]*$/i;

/** The text; with an apostrophe before it where a spreadsheet would take it for a formula. @param {string} text */
function harmless(text) {
  if (NUMBER.test(text)) return text;
  const [sign = ""] = text.replace(BEGIN, "");
  return /^[\t\r\n]/.test(text) || /[=+\-@]/.test(sign.normalize("NFKC")) ? `'${text}` : text;
}

/** One cell; NaN and null are empty, numbers keep every digit. @param {unknown} value */
export function csvCell(value) {
  if (value === null || value === undefined || Number.isNaN(value)) return "";
  if (typeof value === "number") return String(value);
  const text = harmless(String(value));
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Lines of cells as one text. @param {unknown[][]} lines */
export function csvText(lines) {
  return lines.map((line) => `${line.map(csvCell).join(",")}\r\n`).join("");
}
