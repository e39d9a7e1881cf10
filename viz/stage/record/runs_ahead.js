// Slider of λ next to the steps of a recorded run. Runs for other λ are loaded in advance, so that the stage follows
// the slider.

import { h, valueBeside } from "../elements/dom.js";
import { number } from "../model/number_text.js";
import { decode, inflate } from "../model/payload.js";

const SETTLED = 300; // milliseconds without another change of λ before it is reported to the page

/**
 * The slider. `on`: {bring(name): bytes of a run or null, show(path), left(name): the user stays at this run}. `shown`:
 * name of the run on the stage if the page has another run, otherwise null.
 */
export class RunsAhead {
  /**
   * @param {Store} store @param {Life} life
   * @param {{bring(name: string): Promise<Uint8Array<ArrayBuffer> | null>, show(path: Path): void, left(name: string): void}} on
   */
  constructor(store, life, on) {
    this.store = store;
    this.life = life;
    this.on = on;
    /** @type {Ahead | null} */
    this.ahead = null;
    /** @type {Map<string, Path | null>} paths of the runs by name, null if a run is not available */
    this.paths = new Map();
    /** @type {string | null} */
    this.shown = null;
    this.requested = 0; // index in the runs
    this.isAsked = this.isBringing = false;
    /** @type {any} timer */
    this.leaving = null;
    this.slider = h("input", { type: "range", min: 0, step: 1, "aria-label": "λ", "data-testid": "stage-lambda" });
    this.value = valueBeside();
    this.element = h(
      "label",
      { class: "lambda-ahead", hidden: true },
      h("span", { "aria-hidden": "true" }, "λ"),
      this.slider,
      this.value,
    );
    for (const kind of ["pointerenter", "focusin"]) this.element.addEventListener(kind, () => this.bring());
    this.slider.addEventListener("input", () => this.want(Number(this.slider.value)));
    this.slider.addEventListener("change", () => {
      life.stop(this.leaving);
      this.leaving = life.later(() => this.leave(), SETTLED);
    });
  }

  /** Set the runs of the page. @param {Ahead | null} ahead */
  set(ahead) {
    const isSame = JSON.stringify(ahead?.runs) === JSON.stringify(this.ahead?.runs);
    this.ahead = ahead;
    this.element.hidden = !ahead || ahead.runs.length < 2;
    if (!ahead) this.shown = null;
    if (!ahead) return;
    const names = new Set(ahead.runs.map(([, name]) => name));
    if (!isSame) this.paths = new Map([...this.paths].filter(([name, path]) => path && names.has(name)));
    if (this.shown !== null && names.has(this.shown)) return; // The user is ahead of the page.
    this.shown = null;
    this.element.title = ahead.help;
    this.slider.max = String(ahead.runs.length - 1);
    this.put(ahead.runs.findIndex(([lam]) => lam === ahead.lam));
  }

  /** Return whether the user has already left this run of the page. @param {string | undefined} name */
  isBehind(name) {
    return this.shown !== null && Boolean(this.ahead?.runs.some(([, one]) => one === name));
  }

  /** Record that the page has reached the run on the stage. */
  met() {
    this.shown = null;
  }

  /** @param {number} index */
  put(index) {
    this.requested = index;
    if (this.slider.value !== String(index)) this.slider.value = String(index);
    const text = number(this.ahead?.runs[index][0] ?? 0);
    this.value.textContent = text;
    this.slider.setAttribute("aria-valuetext", text);
  }

  /** @param {number} index */
  want(index) {
    this.put(index);
    this.isAsked = true;
    this.show();
    this.bring();
  }

  get name() {
    return this.ahead?.runs[this.requested]?.[1] ?? "";
  }

  /** Show the requested run if it is loaded. */
  show() {
    const path = this.paths.get(this.name);
    if (!path || path === this.store.path) return;
    this.isAsked = false;
    this.shown = this.name;
    this.on.show(path);
  }

  /** Load the runs one by one, starting with those nearest to the requested run. */
  async bring() {
    if (this.isBringing) return;
    this.isBringing = true;
    for (let name = this.next(); name !== null && !this.life.isOver; name = this.next()) {
      const bytes = await this.on.bring(name).catch(() => null);
      this.paths.set(name, bytes && decode(await inflate(bytes)));
      if (name === this.name && this.isAsked) this.show();
    }
    this.isBringing = false;
  }

  /** Return the name of the next run to load, or null. */
  next() {
    const missing = [...(this.ahead?.runs.keys() ?? [])].filter((i) => !this.paths.has(this.ahead?.runs[i][1] ?? ""));
    missing.sort((a, b) => Math.abs(a - this.requested) - Math.abs(b - this.requested));
    return this.ahead?.runs[missing[0]]?.[1] ?? null;
  }

  leave() {
    const { name } = this;
    if (!name) return;
    this.shown = name;
    this.on.left(name);
  }
}
