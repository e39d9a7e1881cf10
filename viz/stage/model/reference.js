// Another method at the sizes of the trees of a path.

/**
 * Return the error of the other method with at most so many leaves, or null if it is unknown.
 * @param {Reference} reference @param {number} leaves @param {string} set
 */
export function errorAtSize({ sizes = [] }, leaves, set) {
  return sizes.findLast((one) => one.leaves <= leaves)?.errors[set] ?? null;
}

/**
 * Return the number of leaves with which the other method has at most this error, or null if no tree of it has.
 * @param {Reference} reference @param {number} error @param {string} set
 */
export function leavesForError({ sizes = [] }, error, set) {
  const isAsGood = (/** @type {number | null | undefined} */ other) => (other ?? Infinity) <= error + SAME * error;
  return sizes.find((one) => isAsGood(one.errors[set]))?.leaves ?? null;
}

const SAME = 1e-9; // share of an error; smaller differences are rounding
