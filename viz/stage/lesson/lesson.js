// A lesson next to the stage: explanations, questions, and the moments that lead through the lesson.

import { fill, focusedBeside, h, takesPages } from "../elements/dom.js";
import { sampledRow } from "../model/followed_row.js";
import { mathOf } from "./formula.js";
import { DraggedThreshold } from "./dragged_threshold.js";
import { Draws } from "./draws.js";
import { LessonFigure } from "./figure.js";
import { guessField, guessOutcome } from "./guess.js";
import { Falling } from "./falling.js";
import { FreshDraws } from "./fresh_draws.js";
import { Forest } from "./forest.js";
import { Knobs } from "./knobs.js";
import { SideBySide } from "./side_by_side.js";

const FORWARD = new Set(["PageDown", "ArrowRight"]);
/** @type {(keyof StageState)[]} */
const SIZING = ["scheme", "pictureWidth", "pictureHeight", "type"];
const BACK = new Set(["PageUp", "ArrowLeft"]);

/** `on.stop()` stops playing. `on.fit` shows the whole tree. */
export class Lesson {
  /**
   * @param {Store} store @param {Life} life
   * @param {{load(bytes: Uint8Array<ArrayBuffer>, initial: Opening): Promise<void>, go(index: number): void, settle(): void, stop(): void, showNode(origin: number | null): void, fit(): void, plane(): Plane, picture(): HTMLElement}} on
   */
  constructor(store, life, on) {
    this.store = store;
    this.life = life;
    this.on = on;
    /** @type {LessonDocument | null} */
    this.content = null;
    this.index = 0;
    this.leaves = 0; // 1 for the next lesson, 2 for the previous one
    /** @type {number | null} */
    this.scene = null;
    /** @type {FreshValues | null} */
    this.drawn = null; // fresh draws of the page, which only the app can take
    this.asked = 0; // number of fresh draws that the visitor asked for
    this.falling = new Falling(store);
    this.kicker = h("p", { class: "kicker" });
    this.title = h("h2", {});
    this.body = h("div", { class: "words", "aria-live": "polite", tabindex: "-1" });
    this.back = this.step("Back", "lesson-back", -1);
    this.next = this.step("Next", "lesson-next", 1);
    this.progress = h("span", { class: "progress", "data-testid": "lesson-progress" });
    this.done = h("i", {});
    this.chart = h(
      "button",
      { class: "chart", "data-testid": "lesson-chart", onclick: () => this.showChart(!this.hasChart) },
      "Chart",
    );
    this.bar = h("div", { class: "bar", "aria-hidden": "true" }, this.done);
    this.element = h(
      "section",
      { class: "lesson", "data-testid": "lesson", hidden: true },
      h("header", {}, this.kicker, this.title),
      this.body,
      this.bar,
      h("nav", { "aria-label": "Steps of the lesson" }, this.back, this.progress, this.next),
    );
    this.element.addEventListener("keydown", (event) => this.key(event));
    // This listener receives keys before the stage does.
    life.listen(document, "keydown", (event) => this.content && this.page(event), { capture: true });
    store.subscribe((changed) => {
      if (changed.includes("k") || changed.includes("path")) this.knobs?.write();
      if (changed.includes("scheme")) this.forest?.draw();
      if (changed.includes("scheme")) this.fresh?.draw();
      if (SIZING.some((name) => changed.includes(name)))
        for (const cover of [this.beside, this.draws, this.figure]) cover?.draw();
    });
    for (const kind of ["pointerdown", "pointermove"])
      life.listen(on.plane().element, kind, (event) => this.dragged?.point(event), { capture: true });
  }

  /**
   * Begin the lesson `content` at a moment. `blocks`: bytes of each of its scenes.
   * @param {LessonDocument} content @param {Uint8Array<ArrayBuffer>[]} blocks
   */
  async begin(content, blocks, moment = 0) {
    this.content = content;
    this.leaves = 0;
    this.blocks = blocks;
    this.scene = null;
    /** @type {Map<number, number>} */
    this.guesses = new Map(); // guesses by moment
    this.element.hidden = false;
    this.element.setAttribute("aria-label", content.title);
    this.kicker.textContent = content.kicker;
    this.title.textContent = content.title;
    this.store.set({ inLesson: true });
    await this.show(Math.max(0, Math.min(content.moments.length - 1, moment)));
  }

  /** Set up the stage for a lesson: the inspector opens only on demand, and the scene's title is above the tree. */
  stand() {
    const { store, content } = this;
    if (content) store.set({ compact: true, heading: content.scenes[this.scene ?? this.moment.scene].title });
  }

  /** End the lesson. */
  end() {
    this.content = null;
    this.forest?.planes.remove();
    this.beside?.end();
    this.draws?.end();
    this.figure?.element.remove();
    this.dragged = this.knobs = this.forest = this.beside = this.draws = this.figure = this.fresh = null;
    this.element.hidden = true;
    this.store.set({ inLesson: false, isGuessing: false, isBare: false });
  }

  /** Return the state of the lesson for the page, in addition to the state of the stage. */
  report() {
    const answer = Number(this.answer?.getAttribute("aria-expanded") === "true");
    const { index: moment, scene, leaves, asked: draws } = this;
    return this.content ? { moment, scene, answer, leaves, draws } : {};
  }

  /** Receive the fresh draws of the page for the claim of a moment. @param {FreshValues | null} drawn */
  hear(drawn) {
    this.drawn = drawn;
    this.fresh?.hear(drawn);
  }

  get moment() {
    return /** @type {LessonDocument} */ (this.content).moments[this.index];
  }

  /** Show a moment: its text at once, and its tree when the tree is loaded. @param {number} index */
  async show(index) {
    const { store, on } = this;
    this.index = index;
    this.dragged?.end();
    this.write();
    const { scene, tree, node, row, set, bare } = this.moment;
    const { grows } = /** @type {LessonDocument} */ (this.content).scenes[scene];
    const before = this.scene === scene && grows && store.state.k < tree ? store.tree : null;
    this.element.classList.toggle("grows", grows);
    this.showChart(this.moment.chart);
    on.stop();
    if (this.scene !== scene) {
      this.scene = scene;
      this.stand();
      this.loading = on.load(this.blocks[scene], { tree, node, fresh: true });
    }
    const { loading } = this;
    await loading;
    if (!this.content || this.index !== index || this.loading !== loading) return;
    const at = row === null ? -1 : store.path.sample.rows.indexOf(row);
    store.set({ set, row: at < 0 ? null : sampledRow(store.path, at), isBare: bare });
    on.go(tree);
    if (before) this.falling.begin(before);
    on.showNode(node);
    this.dragged?.begin();
    this.forest?.draw();
    this.beside?.draw();
    this.draws?.draw();
    this.fresh?.draw();
    this.figure?.draw();
    on.fit();
    on.settle();
    // The control with the focus may have disappeared with the previous moment.
    if (document.activeElement === document.body) this.next.focus({ preventScroll: true });
  }

  /** Whether the chart below the tree is shown. It is folded unless a moment is about it. */
  get hasChart() {
    return this.chart.getAttribute("aria-pressed") === "true";
  }

  /** @param {boolean} is */
  showChart(is) {
    this.chart.setAttribute("aria-pressed", String(is));
    this.element.classList.toggle("charted", is);
  }

  /**
   * Show the scene for the positions of the sliders, with the same λ as before or a given tree.
   * @param {number} scene @param {number | null} [tree]
   */
  async turn(scene, tree = null) {
    const { store, on } = this;
    const lam = store.path.lams[store.state.k];
    this.scene = scene;
    this.stand();
    const loading = (this.loading = on.load(this.blocks[scene], {}));
    await loading;
    if (!this.content || this.loading !== loading) return;
    on.go(tree ?? store.path.lams.findLastIndex((other) => other <= lam));
    on.settle();
  }

  /** Return whether the page has another lesson on this side (-1: previous, 1: next). @param {number} by */
  leads(by) {
    return Boolean(this.content?.beside?.includes(by));
  }

  /** @param {number} by */
  go(by) {
    const index = this.index + by;
    if (!this.content) return;
    const isThere = index >= 0 && index < this.content.moments.length;
    this.leaves = isThere || !this.leads(by) ? 0 : (by + 3) % 3;
    if (isThere) this.show(index);
    else this.on.settle();
  }

  write() {
    const { moment, content } = this;
    const last = (content?.moments.length ?? 0) - 1;
    const isLast = this.index === last;
    this.answer = null;
    this.asked = 0;
    this.ready(true);
    this.dragged = moment.drag === null ? null : new DraggedThreshold(this.store, moment.drag, this.on);
    const knobs = content?.knobs ?? [];
    const hasDraws = moment.late.draws.length > 0;
    this.draws?.end();
    this.draws = hasDraws
      ? new Draws(this.store, moment, knobs, this.blocks, (scene) => this.turn(scene, moment.tree))
      : null;
    this.knobs =
      moment.knobs.length && !hasDraws
        ? new Knobs(this.store, knobs, moment.knobs, moment.scene, (scene) => this.turn(scene))
        : null;
    this.forest?.planes.remove();
    this.beside?.end();
    this.figure?.element.remove();
    this.forest = moment.vote ? new Forest(this.store, moment.vote) : null;
    this.beside = this.runsOf(moment);
    this.figure = moment.figure && new LessonFigure(this.store, moment.figure);
    for (const cover of [this.beside?.planes, this.draws?.planes, this.forest?.planes, this.figure?.element])
      if (cover) this.on.picture().append(cover);
    this.fresh =
      moment.late.claim && this.drawn
        ? new FreshDraws(this.store, moment.late.claim, (count) => {
            this.asked = count;
            this.on.settle();
          })
        : null;
    this.fresh?.hear(this.drawn);
    this.store.set({ isGuessing: false });
    this.formula = moment.formula && h("div", { class: "formula", hidden: true }, formulaOf(moment.formula));
    this.plain = h(
      "div",
      { class: "plain" },
      moment.text.map((paragraph) => h("p", {}, spansOf(paragraph))),
      moment.ask &&
        h(
          "div",
          { class: "ask" },
          h("p", {}, h("b", { class: "try" }, `${doingOf(moment)}. `), spansOf(moment.ask)),
          moment.late.answer.length ? this.reveal(moment) : null,
        ),
      isLast && content?.then?.length ? h("p", { class: "then" }, spansOf(content.then)) : null,
    );
    fill(
      this.body,
      this.plain,
      this.formula,
      h(
        "footer",
        {},
        moment.formula && this.toggle("Formula", "Back to text", "lesson-formula", (on) => this.showFormula(on)),
        h("span", { class: "source" }, moment.source),
      ),
    );
    this.body.scrollTop = 0;
    this.progress.textContent = `${this.index + 1} of ${last + 1}`;
    this.done.style.width = `${(100 * (this.index + 1)) / (last + 1)}%`;
    this.back.setAttribute("aria-disabled", String(!this.index && !this.leads(-1)));
    this.next.setAttribute("aria-disabled", String(isLast && !this.leads(1)));
    this.next.textContent = !isLast ? "Next" : this.leads(1) ? "Next lesson" : "The end";
    this.element.dataset.moment = String(this.index);
  }

  /** Return the runs of a moment side by side, or null. @param {Moment} moment */
  runsOf({ runs }) {
    const { blocks, store, life, content } = this;
    const named = runs.map((scene) => ({ title: content?.scenes[scene].title ?? "", bytes: blocks[scene] }));
    return runs.length ? new SideBySide(store, life, named) : null;
  }

  /** Return the answer with the button that shows it. If there is a guess, it comes first. @param {Moment} moment */
  reveal({ late, guess }) {
    const { guesses, index } = this;
    const isHidden = (/** @type {boolean} */ on) => Boolean(this.dragged) || (Boolean(guess) && !on);
    const before =
      guess &&
      guessField(guess, (value) => {
        guesses.set(index, value);
        this.answer?.click();
        this.answer?.focus();
      });
    const tool = (this.dragged ?? this.draws ?? this.knobs ?? (guess ? null : this.forest) ?? this.beside)?.element;
    const waits = before && tool && !this.draws; // students may take draws before they guess
    const words = h("div", { class: "answer", "data-testid": "lesson-answer-text", hidden: true });
    const button = this.toggle("Show the answer", "Hide the answer", "lesson-answer", (on) => {
      const guessed = guesses.get(index) ?? null;
      const outcome = guess && late.truth !== null ? guessOutcome(guess, late.truth, guessed) : null;
      fill(words, on && outcome, on && h("p", {}, spansOf(late.answer)));
      words.hidden = !on;
      if (before?.contains(focusedBeside(before))) button.focus({ preventScroll: true });
      if (before) before.hidden = on;
      if (waits) tool.hidden = !on;
      this.dragged?.show(on);
      this.beside?.run(on);
      this.figure?.show(on ? late.series : []);
      if (this.fresh) this.fresh.element.hidden = !on;
      this.ready(on);
      this.store.set({ isGuessing: isHidden(on) });
      if (on) words.scrollIntoView({ block: "nearest" });
      if (this.answer === button) this.on.settle();
    });
    this.store.set({ isGuessing: isHidden(false) });
    this.ready(!guess);
    if (waits) tool.hidden = true;
    if (guesses.has(index)) button.click();
    this.answer = button;
    const parts = this.draws ? [tool, before, words, button] : [before, tool, words, button];
    return [...parts, this.fresh?.element];
  }

  /** Make Next the main button, or leave this to the guess as long as it is open. @param {boolean} is */
  ready(is) {
    this.next.classList.toggle("primary", is);
  }

  /** @param {boolean} on */
  showFormula(on) {
    if (this.formula) this.formula.hidden = !on;
    this.plain.hidden = on;
  }

  /**
   * Return a toggle button that keeps the focus.
   * @param {string} off @param {string} on @param {string} test @param {(isOn: boolean) => void} act
   */
  toggle(off, on, test, act) {
    const button = h("button", { "data-testid": test, "aria-expanded": "false" }, off);
    button.addEventListener("click", () => {
      const opens = button.getAttribute("aria-expanded") === "false";
      button.setAttribute("aria-expanded", String(opens));
      button.textContent = opens ? on : off;
      act(opens);
    });
    return button;
  }

  // A disabled button would lose the focus.
  /** @param {string} text @param {string} test @param {number} by */
  step(text, test, by) {
    return h("button", { "data-testid": test, class: by > 0 ? "primary" : null, onclick: () => this.go(by) }, text);
  }

  /** Handle the arrow keys, which turn the pages of the lesson. @param {KeyboardEvent} event */
  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.key.startsWith("Page")) return;
    if (event.target instanceof HTMLInputElement) return; // The arrow keys move the guess.
    const by = FORWARD.has(event.key) ? 1 : BACK.has(event.key) ? -1 : 0;
    if (by) this.go(by);
    if (by) event.preventDefault();
  }

  /**
   * Handle Page Up and Page Down, which remote controls also send, wherever the focus is except in a field. The answer
   * is shown before the next page.
   * @param {KeyboardEvent} event
   */
  page(event) {
    const by = event.key === "PageDown" ? 1 : event.key === "PageUp" ? -1 : 0;
    if (!by || event.altKey || event.ctrlKey || event.metaKey) return;
    if (!this.element.isConnected) return this.end();
    if (takesPages(event)) return;
    if (by > 0 && this.answer?.getAttribute("aria-expanded") === "false") this.answer.click();
    else this.go(by);
    event.preventDefault();
  }
}

/** Return the action that a question expects. @param {Moment} moment */
function doingOf({ guess, drag, knobs }) {
  if (guess) return "Guess";
  return drag !== null ? "Drag" : knobs.length ? "Turn" : "Try it";
}

/** Convert [[kind, words], ...] to text nodes and emphasised text. @param {Span[]} spans */
function spansOf(spans) {
  return spans.map(([kind, words]) => (kind ? h(kind === "strong" ? "strong" : "em", {}, words) : words));
}

/** @param {Formula} formula */
function formulaOf({ formula, signs }) {
  return [
    h("div", { class: "display" }, mathOf(formula)),
    h(
      "dl",
      {},
      signs.map(([sign, words]) => [h("dt", {}, mathOf(sign)), h("dd", {}, words)]),
    ),
  ];
}
