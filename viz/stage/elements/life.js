// What a stage has begun outside its own elements, so that it can be ended: listeners, timers, frames, observers.

export class Life {
  constructor() {
    this.controller = new AbortController();
    this.timers = new Set();
    this.frames = new Set();
  }

  get isOver() {
    return this.controller.signal.aborted;
  }

  /** Listen to something that outlives the stage: the window, the document, a media query. */
  listen(target, type, act, options = {}) {
    target.addEventListener(type, act, { ...options, signal: this.controller.signal });
  }

  /** Act once after some milliseconds; returns what `stop` takes. */
  later(act, milliseconds) {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      act();
    }, milliseconds);
    return this.keep(timer);
  }

  /** Act again and again; returns what `stop` takes. */
  every(act, milliseconds) {
    return this.keep(setInterval(act, milliseconds));
  }

  keep(timer) {
    if (this.isOver) clearTimeout(timer);
    else this.timers.add(timer);
    return timer;
  }

  /** Stop a timer, or none. */
  stop(timer) {
    clearTimeout(timer); // which ends intervals too
    this.timers.delete(timer);
  }

  /** Act with the next frame. */
  frame(act) {
    if (this.isOver) return;
    const frame = requestAnimationFrame((now) => {
      this.frames.delete(frame);
      act(now);
    });
    this.frames.add(frame);
  }

  /** Act whenever one of some elements has another size. */
  watchSize(act, ...elements) {
    const observer = new ResizeObserver(act);
    for (const element of elements) observer.observe(element);
    this.controller.signal.addEventListener("abort", () => observer.disconnect(), { once: true });
  }

  /** End all of it. */
  end() {
    this.controller.abort();
    this.timers.forEach(clearTimeout);
    this.timers.clear();
    this.frames.forEach(cancelAnimationFrame);
    this.frames.clear();
  }
}
