// Plays the path, one tree after another.

const BRIEF = 140; // milliseconds between two trees of the introduction

/** `on`: {go(index), settle(), show(): called when playing starts or stops}. */
export class Player {
  /** @param {Store} store @param {Life} life @param {{go(index: number): void, settle(): void, show(): void}} on */
  constructor(store, life, on) {
    this.store = store;
    this.life = life;
    this.on = on;
    this.timer = null;
    this.wait = 600; // milliseconds between two trees
    /** @type {number | null} tree at which the introduction stops */
    this.introduced = null;
  }

  get isPlaying() {
    return this.timer !== null;
  }

  /** Play once from the largest tree to the displayed one, unless motion is reduced. */
  introduce() {
    const { k, isStill } = this.store.state;
    const { first } = this.store.cell;
    if (isStill || k <= first) return;
    this.on.go(first);
    this.play(true, BRIEF);
    this.introduced = k;
  }

  /** Show the tree at which the introduction stops, if it still plays. */
  finish() {
    const { introduced } = this;
    if (introduced === null) return;
    this.on.go(introduced);
    this.play(false);
  }

  /** @param {boolean} isOn @param {number} [wait] */
  play(isOn, wait = this.wait) {
    const { store, life, on } = this;
    life.stop(this.timer);
    this.timer = this.introduced = null;
    if (!store.path) return;
    const { first, last } = store.cell;
    store.set({ isMoving: isOn && last > first });
    if (isOn && last > first) {
      if (store.state.k >= this.end) on.go(first);
      this.timer = life.every(() => {
        if (store.state.k >= this.end) this.play(false);
        else on.go(store.state.k + 1);
      }, wait);
    } else on.settle();
    on.show();
  }

  /** Index of the tree at which playing stops. */
  get end() {
    const { recording } = this.store.state;
    return this.introduced ?? (recording ? this.store.cell.last : this.store.restingTree);
  }

  /** @param {number} wait */
  setSpeed(wait) {
    this.wait = wait;
    if (this.isPlaying) this.play(true);
  }
}
