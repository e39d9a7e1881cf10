// Tables as CSV text (RFC 4180). Text that a spreadsheet would run as a formula gets an apostrophe in front, as
// `harmless` in treecore/tables/text_tables.py does. A test compares the two.

// invisible characters, or a quote
const BEGIN = /^[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Z}\p{M}\u115f\u1160\u2800\u3164\uffa0"]*/u;
const NUMBER = /^[ \t]*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?[ \t]*$/i;

/**
 * Return the text, with an apostrophe in front if a spreadsheet would interpret the text as a formula.
 * @param {string} text
 */
function harmless(text) {
  if (NUMBER.test(text)) return text;
  const [sign = ""] = text.replace(BEGIN, "");
  return /^[\t\r\n]/.test(text) || /[=+\-@]/.test(sign.normalize("NFKC")) ? `'${text}` : text;
}

/** Return one cell. NaN and null become empty, and numbers keep every digit. @param {unknown} value */
export function csvCell(value) {
  if (value === null || value === undefined || Number.isNaN(value)) return "";
  if (typeof value === "number") return String(value);
  const text = harmless(String(value));
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Return lines of cells as one text. @param {unknown[][]} lines */
export function csvText(lines) {
  return lines.map((line) => `${line.map(csvCell).join(",")}\r\n`).join("");
}

/** Offer a text as a file to download, without a server. @param {string} name @param {string} text */
export function saveText(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name.replace(/[^\p{L}\p{N}._-]+/gu, "-").slice(-80);
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
