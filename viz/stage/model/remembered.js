// What is worked out once for a path, a tree or another object that never changes: kept beside it, and gone with it.

/** @type {WeakMap<object, Map<unknown, unknown>>} */
const kept = new WeakMap();

/**
 * The value of `make()` for `owner` and `key`, made when it is asked for first.
 * @template T @param {object} owner @param {string} key @param {() => T} make @returns {T}
 */
export function remembered(owner, key, make) {
  let values = kept.get(owner);
  if (values === undefined) kept.set(owner, (values = new Map()));
  if (!values.has(key)) values.set(key, make());
  return /** @type {T} */ (values.get(key));
}

/** Have `remembered` return `value` from now on. @param {object} owner @param {string} key @param {unknown} value */
export function remember(owner, key, value) {
  remembered(owner, key, () => value);
  kept.get(owner)?.set(key, value);
}

/**
 * Freeze plain objects and lists, and all of them inside; typed arrays, which cannot be frozen, and maps are left.
 * @template T @param {T} value @returns {T}
 */
export function frozen(value) {
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value ?? 0) === Object.prototype;
  if (!isPlain || Object.isFrozen(value)) return value;
  for (const part of Object.values(/** @type {object} */ (value))) frozen(part);
  return Object.freeze(value);
}
