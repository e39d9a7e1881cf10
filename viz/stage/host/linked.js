// A stage among others: it tells its group what its visitor does, and does what it hears. Rows go by their number in
// the data, so that stages with different samples understand each other; rows that a stage does not draw it ignores.

import { join, leave, nearest } from "./groups.js";
import { numbersOf, selectedByNumber } from "../model/selection.js";
import { changedPositions, sampledRow } from "../model/followed_row.js";
import { remembered } from "../model/remembered.js";

/** @typedef {ReturnType<typeof join>} Group */

/**
 * One stage in its group. `player`: that of the stage; `on`: {go(index, settled), settle(), resize(), place(): the element
 * whose place in the page counts, setSpeed(milliseconds), showPlaying()}.
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
   * Move to a group (null: to none), and match the trees of the others from now on or no longer.
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

  /** Those that go step by step together, this one among them. @returns {Linked[]} */
  get inStep() {
    const isAlone = !this.isReady || this.match !== "steps";
    return isAlone ? [this] : [this, ...this.others.filter((other) => other.match === "steps")];
  }

  /** Who plays: of stages in step the one with most steps. */
  get leader() {
    /** @param {Linked} member */
    const stepsOf = ({ store }) => store.path?.trees.length ?? 0;
    return this.inStep.reduce((a, b) => (stepsOf(b) > stepsOf(a) ? b : a)).player;
  }

  get isReady() {
    return this.name !== null && Boolean(this.store.path);
  }

  /** Members that show trees of the same data. */
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
   * The stage has a path: it takes over what the others show; `isFree`: nobody said which of its trees to show.
   * @param {boolean} isFree
   */
  loaded(isFree) {
    const { group } = this;
    if (!this.isReady || !group) return;
    this.isFree = isFree;
    const { others } = this;
    if (others.length) this.hear(others[0].news(SEEN));
    for (const other of others) other.on.resize(); // the scale of their curves may have changed
    if (group.lead === this) group.hasMoved = false;
    if (!group.hasMoved)
      group.lead = others.reduce(
        (first, other) => (first.isBefore(other) ? first : other),
        /** @type {Linked} */ (this),
      );
    for (const member of group.hasMoved ? [this] : group.members)
      if ((member.isFree || member.match === "steps") && member.isReady) member.follow(group.lead, true);
  }

  /** Whether the stage comes before another one in the page. @param {Linked} other */
  isBefore(other) {
    const position = this.on.place().compareDocumentPosition(other.on.place());
    return Boolean(position & Node.DOCUMENT_POSITION_FOLLOWING);
  }

  /** Tell the others what has changed here. @param {string[]} names */
  changed(names) {
    if (!this.isReady || this.isHearing) return;
    const { others } = this;
    const told = /** @type {(keyof News)[]} */ (names.filter((name) => name in NEWS));
    const news = this.news(told);
    if (told.length) for (const other of others) other.hear(news);
    if (!names.includes("k") && !names.includes("match")) return;
    if (this.group) Object.assign(this.group, { lead: this, hasMoved: true });
    for (const other of others) other.follow(this);
  }

  /** The visitor has settled on a tree: so have the stages that match it. */
  settled() {
    if (!this.isReady || this.isHearing || this.match === "none") return;
    for (const other of this.others) other.quietly(() => other.on.settle());
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

  /** Show the tree that is like the one of another stage. @param {Linked | null} lead */
  follow(lead, settles = false) {
    const { store, player, match } = this;
    if (!lead || match === "none" || store.path.trees.length < 2 || !this.others.includes(lead)) return;
    this.quietly(() => {
      if (player.isPlaying) player.play(false);
      const { k } = lead.store.state;
      const by = match === "size" ? "size" : "error";
      this.on.go(match === "steps" ? k : nearest(this.trees, lead.trees[k], by), settles);
      const { request, k: now } = store.state;
      if (settles && request) store.set({ request: { ...request, k: now } }); // it opens there: the visitor has not moved it
    });
  }

  /** What trees are matched by. */
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

/**
 * What stages share.
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
 * How it is told, and what a stage makes of it.
 * @template {keyof News} Name
 * @typedef {object} Topic
 * @property {(store: Store) => News[Name]} tell
 * @property {(store: Store, told: News[Name], patch: Partial<StageState>) => StageState[Name]} hear
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
      if (!("number" in row)) return path.imageShape ? row : null; // a drawing has a value for every pixel
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

const SEEN = /** @type {(keyof News)[]} */ (Object.keys(NEWS)).filter((name) => name !== "match"); // what a stage shows, without how it moves

/** Position in the sample of a row of the data, or null. @param {Path} path @param {number | null} row */
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
