// The state of a stage, and the one way to change it.

import { initialState, nextState, treeOf } from "./state.js";

/** Holds a frozen state (see FIELDS); whoever has subscribed hears which fields have changed. */
export class Store {
  #state;
  #listeners = new Set();

  /** @param {Partial<StageState>} taste */
  constructor(taste = {}) {
    this.#state = initialState(taste);
  }

  get state() {
    return this.#state;
  }

  get path() {
    return this.#state.path;
  }

  /** The tree on screen. */
  get tree() {
    return treeOf(this.#state);
  }

  /**
   * Change fields; listeners are told (names of the fields that have another value, the state before).
   * @param {Partial<StageState>} patch
   */
  set(patch) {
    const before = this.#state;
    const next = nextState(before, patch);
    const changed = /** @type {(keyof StageState)[]} */ (Object.keys(next)).filter(
      (name) => !Object.is(before[name], next[name]),
    );
    if (changed.length === 0) return;
    this.#state = next;
    for (const listener of this.#listeners) listener(changed, before);
  }

  /** Returns the function that ends it. @param {(changed: string[], before: StageState) => void} listener */
  subscribe(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
