// Finding nodes by a text or a feature.

import { search } from "../model/search.js";

/** Mark the nodes that a text is found in. */
export function find(stage, text) {
  const { origins, feature } = search(stage.tree, text);
  stage.set({ query: text, found: text.trim() ? origins : null, feature: text.trim() ? feature : null });
  stage.say(text.trim() ? `${origins.size} ${origins.size === 1 ? "node" : "nodes"} found` : "");
}

/** Go to the next node that was found. */
export function findNext(stage) {
  const found = [...(stage.state.found ?? [])].filter((origin) => stage.view.places.has(stage.tree.nodeOf.get(origin)));
  if (!found.length) return;
  const next = found[(found.indexOf(stage.state.node) + 1) % found.length];
  stage.select(next);
  stage.view.reveal(stage.tree.nodeOf.get(next));
  stage.requestDraw();
}

/** Mark the nodes that use a feature (a position among the shipped ones), or none. */
export function showFeature(stage, feature) {
  const name = feature === null ? "" : stage.path.features[feature];
  const found = new Set();
  for (let i = 0; i < stage.tree.n; i++)
    if (feature !== null && stage.tree.split(i).features.includes(feature)) found.add(stage.tree.origin[i]);
  stage.set({ query: name, found: feature === null ? null : found, feature });
}
