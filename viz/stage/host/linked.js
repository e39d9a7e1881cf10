// Stage in a group. It sends the actions of the user to the group, and applies the actions that it receives. Rows are
// sent by their number in the data, because stages have different samples. A stage ignores rows that it does not draw.

import { changedPositions, sampledRow } from "../model/followed_row.js";
import { remembered } from "../model/remembered.js";
import { numbersOf, selected, selectedByNumber } from "../model/selection.js";
import { nodeName } from "../model/tree.js";

/**
 * One stage in its group. `player`: player of the stage. `on`: {go(index, settled), settle(), resize(), place(): the
 * element that determines the order in the page, setSpeed(milliseconds), showPlaying()}.
 */
export class Linked {
  /**
   * @param {Store} store @param {Player} player
   * @param {{go(index: number, settled?: boolean): void, settle(): void, resize(): void, place(): Element, setSpeed(wait: number): void, showPlaying(): void}} on
   */
  constructor(store, player, on) {
    this.store = store;
    this.player = player;
    this.on = on;
    /** @type {string | null} */
    this.name = null;
    /** @type {Group | null} */
    this.group = null;
    this.isHearing = false;
    this.isFree = false;
  }

  get match() {
    return this.store.state.match;
  }

  /**
   * Move to a group, or to none (null). `match`: how the stage matches the trees of the other members.
   * @param {string | null} name @param {string} match
   */
  options(name, match) {
    if (name !== this.name) {
      this.leave();
      this.name = name;
      this.group = name === null ? null : join(name, this);
    }
    const begins = match !== this.match && match !== "none";
    this.quietly(() => this.store.set({ match }));
    if (begins && this.isReady) this.follow(this.group?.lead ?? null, true);
  }

  leave() {
    if (this.name !== null) leave(this.name, this);
    this.name = this.group = null;
  }

  /** Stages that move step by step together, including this one. @returns {Linked[]} */
  get inStep() {
    const isAlone = !this.isReady || this.match !== "steps";
    return isAlone ? [this] : [this, ...this.others.filter((other) => other.match === "steps")];
  }

  /** The stage that plays. Among stages in step, it is the one with the most steps. */
  get leader() {
    /** @param {Linked} member */
    const stepsOf = ({ store }) => store.path?.trees.length ?? 0;
    return this.inStep.reduce((a, b) => (stepsOf(b) > stepsOf(a) ? b : a)).player;
  }

  get isReady() {
    return this.name !== null && Boolean(this.store.path);
  }

  /** Other members that show trees of the same data. */
  get others() {
    const { path } = this.store;
    /** @param {Linked} member */
    const isAlike = ({ store: { path: other } }) =>
      other?.name === path.name && other.nFeatures === path.nFeatures && other.target.n === path.target.n;
    return [...(this.group?.members ?? [])].filter((member) => member !== this && isAlike(member));
  }

  /** Paths of the other members. */
  get paths() {
    return this.isReady ? this.others.map((member) => member.store.path) : [];
  }

  /**
   * Adopt the state of the other members for a new path. `isFree`: whether the page has not selected a tree.
   * @param {boolean} isFree
   */
  loaded(isFree) {
    const { group } = this;
    if (!this.isReady || !group) return;
    this.isFree = isFree;
    const { others } = this;
    if (others.length) this.hear(others[0].news(SEEN));
    for (const other of others) other.on.resize(); // The scale of their curves may have changed.
    if (group.lead === this) group.hasMoved = false;
    if (!group.hasMoved)
      group.lead = others.reduce(
        (first, other) => (first.isBefore(other) ? first : other),
        /** @type {Linked} */ (this),
      );
    for (const member of group.hasMoved ? [this] : group.members)
      if ((member.isFree || member.match === "steps") && member.isReady) member.follow(group.lead, true);
  }

  /** Return whether this stage comes before another stage in the page. @param {Linked} other */
  isBefore(other) {
    const position = this.on.place().compareDocumentPosition(other.on.place());
    return Boolean(position & Node.DOCUMENT_POSITION_FOLLOWING);
  }

  /** Send the changes to the other stages. @param {string[]} names */
  changed(names) {
    if (!this.isReady || this.isHearing) return;
    const { others } = this;
    this.lend(names);
    const sent = /** @type {(keyof News)[]} */ (names.filter((name) => name in NEWS));
    const news = this.news(sent);
    if (sent.length) for (const other of others) other.hear(news);
    if (!names.includes("k") && !names.includes("match")) return;
    if (this.group) Object.assign(this.group, { lead: this, hasMoved: true });
    for (const other of others) other.follow(this);
  }

  /** Report that the user has settled on a tree, for this stage and for those that match it. */
  settled() {
    if (!this.isReady || this.isHearing || this.match === "none") return;
    for (const other of this.others) other.quietly(() => other.on.settle());
  }

  /**
   * Show the rows of the node under the pointer, or of the selected one, in the other stages of the same path. A node
   * selected here replaces those selected there.
   * @param {string[]} names
   */
  lend(names) {
    if (!names.some((name) => LENDING.includes(name))) return;
    const { store } = this;
    const { path, state } = store;
    const pair = this.others.filter((other) => other.store.path === path);
    if (!pair.length) return;
    if (names.includes("node") && state.node !== null) this.quietly(() => store.set({ guest: null }));
    const guest = guestOf(store, state.hover ?? (state.selection ? null : state.node));
    for (const other of pair)
      other.quietly(() => other.store.set({ guest, ...(state.node !== null && guest ? { node: null } : {}) }));
  }

  /** @param {(keyof News)[]} names @returns {Partial<News>} */
  news(names) {
    return Object.fromEntries(names.map((name) => [name, NEWS[name].tell(this.store)]));
  }

  /** @param {Partial<News>} news */
  hear(news) {
    /** @type {Partial<StageState>} */
    const patch = {};
    for (const name of /** @type {(keyof News)[]} */ (Object.keys(news))) heard(this.store, name, news, patch);
    this.quietly(() => this.store.set(patch));
  }

  /** Show the tree that matches the tree of another stage. @param {Linked | null} lead */
  follow(lead, settles = false) {
    const { store, player, match } = this;
    if (!lead || match === "none" || store.path.trees.length < 2 || !this.others.includes(lead)) return;
    this.quietly(() => {
      if (player.isPlaying) player.play(false);
      const { k } = lead.store.state;
      const by = match === "size" ? "size" : "error";
      this.on.go(match === "steps" ? k : nearest(this.trees, lead.trees[k], by), settles);
      const { request, k: now } = store.state;
      // The stage opens at this tree without an action of the user.
      if (settles && request) store.set({ request: { ...request, k: now } });
    });
  }

  /** Properties of each tree by which stages match trees. */
  get trees() {
    const { path } = this.store;
    const names = path.sets.map((set) => set.name);
    const set = Math.max(0, names.includes("validation") ? names.indexOf("validation") : names.indexOf("test"));
    return remembered(path, "matched by", () =>
      path.trees.map((tree) => {
        const { leaves, weights } = tree.sizes(0);
        return { size: leaves, error: tree.sizes(set).error, weights };
      }),
    );
  }

  /** @param {() => void} act */
  quietly(act) {
    this.isHearing = true;
    try {
      act();
    } finally {
      this.isHearing = false;
    }
  }
}

/** @type {string[]} fields that change the rows of `lend` */
const LENDING = ["hover", "node", "selection", "k", "set"];

/**
 * Return the rows of the displayed set in a node and the name of the node, or null.
 * @param {Store} store @param {number | null} origin @returns {Guest | null}
 */
function guestOf({ path, tree, state: { set } }, origin) {
  const node = tree.nodeOf.get(origin);
  if (node === undefined) return null;
  return tree.once(`rows of ${node} in ${set}`, () => {
    const rows = selected(path, tree.reaching(set, node).rows);
    return rows && { rows, name: nodeName(tree, node) };
  });
}

/**
 * State that stages share.
 * @typedef {object} News
 * @property {number[]} selection
 * @property {number | null} point
 * @property {FollowedRow | {number: number} | null} row
 * @property {[number, number][]} whatIf
 * @property {string} set
 * @property {string} match
 * @property {number | null} chosenClass
 */

/**
 * How a stage sends a change, and how it applies a received change.
 * @template {keyof News} Name
 * @typedef {object} Topic
 * @property {(store: Store) => News[Name]} tell
 * @property {(store: Store, sent: News[Name], patch: Partial<StageState>) => StageState[Name]} hear
 */

/** @type {{[Name in keyof News]: Topic<Name>}} */
const NEWS = {
  selection: {
    tell: ({ state }) => numbersOf(state.selection),
    hear: ({ path }, numbers) => selectedByNumber(path, numbers),
  },
  point: {
    tell: ({ path, state }) => (state.point === null ? null : path.sample.rows[state.point]),
    hear: ({ path }, row) => sampledAt(path, row),
  },
  row: {
    tell: ({ path, state: { row } }) =>
      row && (row.sample === undefined ? row : { number: path.sample.rows[row.sample] }),
    hear: ({ path }, row) => {
      if (!row) return null;
      if (!("number" in row)) return path.imageShape ? row : null; // A drawing must have a value for every pixel.
      const sample = sampledAt(path, row.number);
      return sample === null ? null : sampledRow(path, sample);
    },
  },
  whatIf: {
    tell: ({ path, state }) => changedPositions(state).map((j) => [path.columns[j], state.whatIf?.[j] ?? NaN]),
    hear: ({ path, state }, changes, { row = state.row }) => {
      const known = changes.filter(([feature]) => path.columns.includes(feature));
      if (!row || !known.length) return null;
      const values = Float64Array.from(row.values);
      for (const [feature, value] of known) values[path.columns.indexOf(feature)] = value;
      return values;
    },
  },
  set: {
    tell: ({ path, state }) => path.sets[state.set].name,
    hear: ({ path, state }, name) => {
      const set = path.sets.findIndex((one) => one.name === name);
      return set < 0 ? state.set : set;
    },
  },
  match: {
    tell: ({ state }) => state.match,
    hear: (_, match) => match,
  },
  chosenClass: {
    tell: ({ state }) => state.chosenClass,
    hear: (_, chosen) => chosen,
  },
};

// displayed state, without the state of motion
const SEEN = /** @type {(keyof News)[]} */ (Object.keys(NEWS)).filter((name) => name !== "match");

/** Return the index in the sample of a row of the data, or null. @param {Path} path @param {number | null} row */
function sampledAt(path, row) {
  const places = remembered(
    path,
    "places of rows",
    () => new Map(Array.from(path.sample.rows, (number, at) => /** @type {[number | null, number]} */ ([number, at]))),
  );
  return places.get(row) ?? null;
}

/**
 * @template {keyof News} Name
 * @param {Store} store @param {Name} name @param {Partial<News>} news @param {Partial<StageState>} patch
 */
function heard(store, name, news, patch) {
  patch[name] = NEWS[name].hear(store, /** @type {News[Name]} */ (news[name]), patch);
}

/** @typedef {{members: Set<Linked>, lead: Linked | null, hasMoved: boolean}} Group */
/** @type {Known<string, Group>} */
const groups = new Map();

const ALIKE = 1e-12; // tolerance for rounding differences

/**
 * Join a group: {members: Set, lead: the member whose tree the other members match, hasMoved: whether the user moved
 * it}.
 * @param {string} name @param {Linked} member
 */
export function join(name, member) {
  if (!groups.has(name)) groups.set(name, { members: new Set(), lead: null, hasMoved: false });
  const group = groups.get(name);
  group.members.add(member);
  return group;
}

/** @param {string} name @param {Linked} member */
export function leave(name, member) {
  const group = groups.get(name);
  if (!group?.members.delete(member)) return;
  if (group.lead === member) Object.assign(group, { lead: null, hasMoved: false });
  if (!group.members.size) groups.delete(name);
}

/**
 * Return the index of the tree nearest to `like` {size, error} by size or by error. `trees`: [{size, error, weights}]
 * from large to small. On ties, smaller trees are preferred, then later trees.
 * @param {Like[]} trees @param {Like} like @param {"size" | "error"} match
 */
export function nearest(trees, like, match) {
  /** @param {Like} tree */
  const distance = (tree) => Math.abs(tree[match] - like[match]);
  let best = 0;
  trees.forEach((tree, index) => {
    const now = trees[best];
    const further = distance(tree) - distance(now);
    const by = Math.abs(further) > ALIKE ? further : tree.size - now.size || tree.weights - now.weights;
    if (by <= 0) best = index;
  });
  return best;
}
