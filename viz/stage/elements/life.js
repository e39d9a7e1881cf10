// Resources of a stage outside its own elements (listeners, timers, frames, observers), which end with the stage.

export class Life {
  constructor() {
    this.controller = new AbortController();
    /** @type {Set<any>} */
    this.timers = new Set();
    /** @type {Set<number>} */
    this.frames = new Set();
  }

  get isOver() {
    return this.controller.signal.aborted;
  }

  /**
   * Listen to a target that outlives the stage, such as the window, the document or a media query.
   * @param {EventTarget} target @param {string} type @param {(event: any) => void} act
   */
  listen(target, type, act, options = {}) {
    target.addEventListener(type, act, { ...options, signal: this.controller.signal });
  }

  /**
   * Call `act` once after some milliseconds; return the handle for `stop`.
   * @param {() => void} act @param {number} milliseconds
   */
  later(act, milliseconds) {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      act();
    }, milliseconds);
    return this.keep(timer);
  }

  /** Call `act` repeatedly; return the handle for `stop`. @param {() => void} act @param {number} milliseconds */
  every(act, milliseconds) {
    return this.keep(setInterval(act, milliseconds));
  }

  /** @param {any} timer */
  keep(timer) {
    if (this.isOver) clearTimeout(timer);
    else this.timers.add(timer);
    return timer;
  }

  /** Stop a timer, if there is one. @param {any} timer */
  stop(timer) {
    clearTimeout(timer); // This ends intervals, too.
    this.timers.delete(timer);
  }

  /** Call `act` in the next frame. @param {(now: number) => void} act */
  frame(act) {
    if (this.isOver) return;
    const frame = requestAnimationFrame((now) => {
      this.frames.delete(frame);
      act(now);
    });
    this.frames.add(frame);
  }

  /** Call `act` whenever one of the elements changes its size. @param {() => void} act @param {...Element} elements */
  watchSize(act, ...elements) {
    const observer = new ResizeObserver(act);
    for (const element of elements) observer.observe(element);
    this.controller.signal.addEventListener("abort", () => observer.disconnect(), { once: true });
  }

  /** Release everything. */
  end() {
    this.controller.abort();
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
    for (const frame of this.frames) cancelAnimationFrame(frame);
    this.frames.clear();
  }
}
