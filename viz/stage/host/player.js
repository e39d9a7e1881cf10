// Plays the path, one tree after another.

/** `on`: {go(index), settle(), show(): called when playing starts or stops}. */
export class Player {
  /** @param {Store} store @param {Life} life @param {{go(index: number): void, settle(): void, show(): void}} on */
  constructor(store, life, on) {
    this.store = store;
    this.life = life;
    this.on = on;
    this.timer = null;
    this.wait = 600; // milliseconds between two trees
  }

  get isPlaying() {
    return this.timer !== null;
  }

  /** @param {boolean} isOn */
  play(isOn) {
    const { store, life, on } = this;
    life.stop(this.timer);
    this.timer = null;
    if (!store.path) return;
    const { first, last } = store.cell;
    store.set({ isMoving: isOn && last > first });
    if (isOn && last > first) {
      if (store.state.k === last) on.go(first);
      this.timer = life.every(() => {
        if (store.state.k === store.cell.last) this.play(false);
        else on.go(store.state.k + 1);
      }, this.wait);
    } else on.settle();
    on.show();
  }

  /** @param {number} wait */
  setSpeed(wait) {
    this.wait = wait;
    if (this.isPlaying) this.play(true);
  }
}
