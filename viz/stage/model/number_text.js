// Numbers as people read them: the twin of treecore/tree/number_text.py, held equal to it by a test.

export const FEW_DIGITS = 3;
const [LARGE, SMALL] = [1e6, 1e-4]; // from here on, and below, powers of ten are written

/**
 * A number with so many significant digits (null: all), without trailing zeros; `minus`: its sign below 0.
 * @param {number} value @param {number | null} [digits]
 */
export function number(value, digits = FEW_DIGITS, minus = "−") {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "nan" : value < 0 ? `${minus}inf` : "inf";
  const short = Math.abs(significant(value, digits));
  const text = short !== 0 && (short >= LARGE || short < SMALL) ? short.toExponential() : String(short);
  return (value < 0 && short !== 0 ? minus : "") + text.replace("e+", "e").replace("-", minus);
}

/** The number with so many significant digits (null: all). @param {number} value @param {number | null} digits */
export function significant(value, digits) {
  const short = digits === null ? value : Number(value.toPrecision(digits));
  return Number.isFinite(short) ? short : value;
}

/** Significant digits of the shortest text of a number. @param {number} value */
export function digitsOf(value) {
  return Math.abs(value)
    .toExponential()
    .replace(/e.*|\./g, "").length;
}

/** A value of a row: the number, or that there is none. @param {number} value */
export function valueText(value, digits = 4) {
  return Number.isNaN(value) ? "missing" : number(value, digits);
}

const INTEGER = new Intl.NumberFormat("en-US");

/** A whole number with commas between thousands. @param {number} value */
export function count(value) {
  return INTEGER.format(value);
}

/** A share in [0, 1] as "12.3 %", a dash when there is none. @param {number} share */
export function percent(share, digits = 1) {
  return Number.isFinite(share) ? `${(100 * share).toFixed(digits)} %` : "–";
}

/** `number` with a plus sign from 0 on. @param {number} value */
export function signed(value, digits = FEW_DIGITS) {
  return `${value >= 0 ? "+" : ""}${number(value, digits)}`;
}
