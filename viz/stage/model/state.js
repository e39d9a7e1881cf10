// What is on the stage: plain values, changed by Stage.set only.

/** Changes of these move nodes. */
export const ARRANGING = [
  "k",
  "set",
  "layout",
  "focus",
  "collapsed",
  "support",
  "levels",
  "pinned",
  "row",
  "whatIf",
  "projector",
  "overview",
  "panel",
  "table",
];

/** Kept from one data set to the next. */
export const TASTE = ["edges", "diverging", "globalScale", "ghosts", "projector", "loop"];

/** The state of a new stage; nodes are origin ids, `k` and `pinned` are indices of trees. */
export function initialState() {
  return {
    k: 0,
    set: 0,
    node: null,
    hover: null,
    layout: "keep",
    edges: "plain",
    globalScale: false,
    diverging: "orange-blue",
    support: "auto",
    overview: "auto",
    levels: "auto",
    ghosts: true,
    table: false,
    projector: false,
    plane: "auto",
    theme: "auto",
    focus: null,
    collapsed: new Set(),
    chosenClass: null,
    found: null,
    feature: null,
    row: null,
    whatIf: null,
    selection: null,
    point: null,
    loop: false,
    pinned: null,
    match: "none",
    tab: "node",
    panel: true,
    onlyNode: false,
    type: 1,
  };
}
