// Shifts points with few distinct values, so that they do not cover each other (viz/nodes/jitter.py).

export const SHARE = 0.3; // largest shift as a share of the step between two values
const NEAR = 0.8; // largest share of the distance to the split line by which a point approaches it
const RATIOS = [0.7548776662466927, 0.5698402909980532]; // multiples modulo 1 fill the unit square evenly

/**
 * Return the shifted point [x, y] of a row. It stays on its side of `direction · [x, y] + bias >= 0`. `number`: row
 * number, which determines the shift; `steps`: steps between values, 0 for no shift.
 * @param {Pair} point @param {number} number @param {Numbers} steps @param {Numbers} direction @param {number} bias
 * @returns {Pair}
 */
export function jittered([x, y], number, steps, [p, q], bias) {
  const shift = RATIOS.map((ratio, axis) => 2 * SHARE * (((number * ratio) % 1) - 0.5) * steps[axis]);
  const margin = bias + (p * x + q * y);
  const change = p * shift[0] + q * shift[1];
  const isToward = margin * change <= 0 && Math.abs(change) > NEAR * Math.abs(margin);
  const share = isToward ? (NEAR * Math.abs(margin)) / Math.abs(change) : 1;
  return [x + share * shift[0], y + share * shift[1]];
}
