// Cache of values that belong to a path, a tree or another immutable object, and are released with it.

/** @type {WeakMap<object, Map<unknown, unknown>>} */
const kept = new WeakMap();

/**
 * Return the value of `make()` for `owner` and `key`. It is computed on first use.
 * @template T @param {object} owner @param {string} key @param {() => T} make @returns {T}
 */
export function remembered(owner, key, make) {
  let values = kept.get(owner);
  if (values === undefined) kept.set(owner, (values = new Map()));
  if (!values.has(key)) values.set(key, make());
  return /** @type {T} */ (values.get(key));
}

/**
 * Store the value that `remembered` returns from now on.
 * @param {object} owner @param {string} key @param {unknown} value
 */
export function remember(owner, key, value) {
  remembered(owner, key, () => value);
  kept.get(owner)?.set(key, value);
}

/**
 * Freeze plain objects and lists recursively. Maps and typed arrays cannot be frozen and stay as they are.
 * @template T @param {T} value @returns {T}
 */
export function frozen(value) {
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value ?? 0) === Object.prototype;
  if (!isPlain || Object.isFrozen(value)) return value;
  for (const part of Object.values(/** @type {object} */ (value))) frozen(part);
  return Object.freeze(value);
}
