// Tables as CSV text (RFC 4180). A text that a spreadsheet would run as a formula gets an apostrophe in front.

const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** One cell; NaN and null are empty, numbers keep every digit. */
export function csvCell(value) {
  if (value === null || value === undefined || Number.isNaN(value)) return "";
  if (typeof value === "number") return String(value);
  const text = FORMULA.test(value) && !NUMBER.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Lines of cells as one text. */
export function csvText(lines) {
  return lines.map((line) => `${line.map(csvCell).join(",")}\r\n`).join("");
}
