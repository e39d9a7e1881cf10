// Texts of numbers and dates. treecore/tree/number_text.py and date_text.py do the same, and a test compares them.

export const FEW_DIGITS = 3;
export const LARGE = 1e9; // larger numbers are written with powers of ten
const SMALL = 1e-4; // smaller numbers, too

/**
 * Format a number with `digits` significant digits (null: all), without trailing zeros. `minus`: the minus sign.
 * @param {number} value @param {number | null} [digits]
 */
export function number(value, digits = FEW_DIGITS, minus = "−") {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "nan" : value < 0 ? `${minus}inf` : "inf";
  const short = Math.abs(significant(value, digits));
  const text = short !== 0 && (short >= LARGE || short < SMALL) ? short.toExponential() : String(short);
  return (value < 0 && short !== 0 ? minus : "") + text.replace("e+", "e").replace("-", minus);
}

/**
 * Round a number to `digits` significant digits (null: all).
 * @param {number} value @param {number | null} digits
 */
export function significant(value, digits) {
  const short = digits === null ? value : Number(value.toPrecision(digits));
  return Number.isFinite(short) ? short : value;
}

/**
 * Round a number up or down to `digits` significant digits.
 * @param {number} value @param {number} digits @param {boolean} up
 */
export function beyond(value, digits, up) {
  const short = significant(value, digits);
  if (value === 0 || (up ? short >= value : short <= value)) return short;
  const unit = 10 ** (Math.floor(Math.log10(Math.abs(short))) - digits + 1);
  return significant(short + (up ? unit : -unit), digits);
}

/** Return the number of significant digits in the shortest text of a number. @param {number} value */
export function digitsOf(value) {
  return Math.abs(value)
    .toExponential()
    .replace(/e.*|\./g, "").length;
}

/**
 * Return a value of a row as text: a number, a date, or "missing".
 * @param {Pick<Path, "dates">} path @param {number} j @param {number} value
 */
export function valueText({ dates }, j, value, digits = 4) {
  if (Number.isNaN(value)) return "missing";
  return dates.has(j) ? nearestDateText(value) : number(value, digits);
}

const INTEGER = new Intl.NumberFormat("en-US");

/** Format a whole number with commas between thousands. @param {number} value */
export function count(value) {
  return INTEGER.format(value);
}

/** Return "1 row", "1,200 rows", "2 classes", "3 leaves". @param {number} n @param {string} noun */
export function counted(n, noun) {
  const several = noun.endsWith("f") ? `${noun.slice(0, -1)}ves` : `${noun}${noun.endsWith("s") ? "es" : "s"}`;
  return `${count(n)} ${n === 1 ? noun : several}`;
}

/** Return a text with a capital first letter. @param {string} text */
export function capital(text) {
  return text[0].toUpperCase() + text.slice(1);
}

/** Format a share in [0, 1] as "12.3 %", or as a dash for NaN. @param {number} share */
export function percent(share, digits = 1) {
  return Number.isFinite(share) ? `${(100 * share).toFixed(digits)} %` : "–";
}

/** Format a number with its sign, which is + for zero and positive numbers. @param {number} value */
export function signed(value, digits = FEW_DIGITS) {
  return `${value >= 0 ? "+" : ""}${number(value, digits)}`;
}

/** Return the adjective of a set: "training" for "train". @param {{name: string}} set */
export function setWord({ name }) {
  return name === "train" ? "training" : name;
}

/** Return the rows of a set as text: "the test rows", "all rows". @param {{name: string}} set */
export function setText(set) {
  return set.name.endsWith(" rows") ? set.name : `the ${setWord(set)} rows`;
}

export const DATE_UNIT = " (days since 1970)"; // suffix of a date column in a weighted sum
const [FIRST, END] = [-719162, 2932897]; // first day of the year 1 and first day after the year 9999
const [DAY_DIGITS, MINUTE_DIGITS] = [6, 12]; // maximum digits for which a threshold is shown as a day, or as a minute
export const DATE_DIGITS = [3, MINUTE_DIGITS]; // digits that are tried in this order

/**
 * Return "2020-03-01" or "2020-03-01 12:30". Return null if the day is not a whole minute in the years 1 to 9999.
 * @param {number} day
 */
export function dateText(day) {
  const minutes = Math.floor(day * 1440 + 0.5);
  if (!(day >= FIRST && day < END) || minutes / 1440 !== day) return null;
  return new Date(minutes * 60000).toISOString().slice(0, 16).replace("T00:00", "").replace("T", " ");
}

/**
 * Return the nearest day, or the nearest minute for more digits. Return null if it is outside the years 1 to 9999.
 * @param {number} day @param {number} digits
 */
export function nearDate(day, digits) {
  const unit = digits <= DAY_DIGITS ? 1 : 1440;
  const near = digits <= MINUTE_DIGITS ? Math.floor(day * unit + 0.5) / unit : NaN;
  return dateText(near) === null ? null : near;
}

/** Return the nearest minute as text, or the number if it is outside the years 1 to 9999. @param {number} day */
function nearestDateText(day) {
  const near = day >= FIRST && day < END ? Math.floor(day * 1440 + 0.5) / 1440 : day;
  return dateText(near) ?? number(day);
}

/**
 * Return the first day from a limit on, or the first minute for more digits. Without `isInside`, it is after the limit.
 * @param {number} limit @param {boolean} isInside @param {number} digits
 */
export function firstDate(limit, isInside, digits) {
  if (digits > MINUTE_DIGITS || !Number.isFinite(limit)) return limit;
  const unit = digits <= DAY_DIGITS ? 1 : 1440;
  const near = Math.floor(limit * unit + 0.5);
  if (near / unit === limit) return isInside ? limit : (near + 1) / unit;
  return Math.ceil(limit * unit) / unit;
}

/**
 * Return a number from ten thousand on with three digits and its unit, such as "172k" for 171,600. Return null for
 * other numbers.
 * @param {number} value
 */
export function inThousands(value) {
  const size = Math.abs(value);
  if (size < 1e4 || size >= 1e12) return null;
  return size < 999_500 ? `${number(value / 1e3, 3)}k` : `${number(value / 1e6, 3)}M`;
}
