// Searches nodes by feature, class or node number.

import { counted } from "./number_text.js";
import { nodeName } from "./tree.js";

/**
 * Return {origins: Set of the matching nodes in the tree, feature: index of the first matching feature, or null}.
 * @param {StageTree} tree @param {string} text
 */
export function search(tree, text) {
  const { path } = tree;
  const words = text.trim().toLowerCase();
  const origins = new Set();
  if (!words) return { origins, feature: null };
  const [, kind = "", number = ""] = /^(node|leaf)?\s*#?(\d+)(?: of \d+)?$/.exec(words) ?? [];
  for (let i = 0; number && i < tree.n; i++)
    if (`${nodeName(tree, i)} `.replace(kind ? "" : /^\w+ /, "").startsWith(`${kind ? `${kind} ` : ""}${number} `))
      origins.add(tree.origin[i]);
  const exact = path.target.groups.findIndex((name) => name.toLowerCase() === words);
  const { groups } = path.target;
  const meant = new Set(
    exact >= 0 ? [exact] : [...groups.keys()].filter((group) => groups[group].toLowerCase().includes(words)),
  );
  // A number is a class or a node, not a part of a feature name, because names of pixels contain many numbers.
  const isNumber = /^\d+$/.test(words);
  const features = new Set(
    isNumber ? [] : [...path.features.keys()].filter((j) => path.features[j].toLowerCase().includes(words)),
  );
  for (let i = 0; i < tree.n; i++) {
    if ((tree.isLeaf(i) && meant.has(tree.label[i])) || tree.featuresOf(i).some((j) => features.has(j)))
      origins.add(tree.origin[i]);
  }
  return { origins, feature: features.size ? [...features][0] : null };
}

/** Mark the nodes that match a text. @param {Store} store @param {string} text */
export function find(store, text) {
  const { origins, feature } = search(store.tree, text);
  const isText = text.trim() !== "";
  store.set({ query: text, found: isText ? origins : null, feature: isText ? feature : null });
  store.say(isText ? `${counted(origins.size, "node")} found` : "");
}

/** Select the next visible match. Return it, or null if there is none. @param {Store} store */
export function findNext(store) {
  const { state, tree, visible } = store;
  const found = [...(state.found ?? [])].filter((origin) => visible.kept.has(tree.nodeOf.get(origin) ?? -1));
  if (!found.length) return null;
  const next = found[(found.indexOf(/** @type {number} */ (state.node)) + 1) % found.length];
  store.select(next);
  return tree.nodeOf.get(next) ?? null;
}

/**
 * Mark the nodes that use a feature (an index among the shipped features), or no nodes.
 * @param {Store} store @param {number | null} feature
 */
export function showFeature(store, feature) {
  if (feature === null) return store.set({ query: "", found: null, feature });
  const { tree, path } = store;
  const found = new Set();
  for (let i = 0; i < tree.n; i++) if (tree.split(i).features.includes(feature)) found.add(tree.origin[i]);
  return store.set({ query: path.features[feature], found, feature });
}
