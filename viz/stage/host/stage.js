// The stage: an interactive view of one regularisation path. The app and the standalone file use the same module.

import { assemble, mount, place } from "./assembly.js";
import { SIDE, THUMB } from "../draw/path_chart.js";
import { fill, focusedBeside, keepWhenScrolled } from "../elements/dom.js";
import { Life } from "../elements/life.js";
import { nodeText } from "../model/condition.js";
import { cellOf } from "../model/grid.js";
import { counted } from "../model/number_text.js";
import { decode, inflate } from "../model/payload.js";
import { pageRow } from "../model/followed_row.js";
import { isFresh, namesOf, openState } from "../model/state.js";
import { bareRecording } from "../model/recording.js";
import { clearSelection } from "../model/selection.js";
import { Store } from "../model/store.js";
import { paintKey } from "../paint/paint_pointer.js";
import { nodeTable } from "../panels/node_table.js";

const FOLLOWING = 120; // milliseconds between two drawings of the inspector
const QUICK = 8; // in milliseconds; faster drawings may be repeated within a frame
const FLOATING = 760; // minimum width of a tree whose corners hold the head, in pixels
const BESIDE_ROOT = 16; // in pixels
const NARROW = 900; // in pixels; in a narrower window, the inspector covers the tree
const KINDS = ["arranges", "measures", "passing", "quiet", "refits", "reflected", "taste"];
const [ARRANGING, MEASURING, PASSING, QUIET, REFITTING, REFLECTED, TASTE] = KINDS.map(namesOf);
const DARK = "(prefers-color-scheme: dark)";
const STILL = "(prefers-reduced-motion: reduce)";
let stages = 0;

/** @typedef {{arrange?: boolean, inspector?: boolean, all?: boolean}} Wanted */

export class Stage {
  /**
   * `host`: an empty element. `live`: connection to the page in the app or the notebook, null in a file.
   * @param {HTMLElement} host @param {Live | null} [live]
   */
  constructor(host, live = null) {
    this.id = `stage-${++stages}`;
    this.live = live;
    this.life = new Life();
    this.store = new Store(live?.recall?.());
    this.store.set({ isLive: Boolean(live?.train), isStill: matchMedia(STILL).matches });
    this.isReady = false; // whether a path is on the stage
    this.busy = this.moving = false; // whether a drawing and a motion wait for the next frame
    /** @type {Wanted | null} parts to redraw */
    this.pending = null;
    this.followed = -Infinity; // time of the last drawing of the inspector
    /** @type {any} timers */
    this.later = this.resting = null;
    /** @type {Pick<StageState, "projector"> & {panel: boolean | null} | null} */
    this.beforePresenting = null;
    this.wasSimple = false; // whether the page has opened the stage with few parts
    assemble(this);
    place(this, host);
    this.store.subscribe((changed, before) => this.changed(changed, before));
    this.element.addEventListener("keydown", (event) => this.key(event));
    this.element.addEventListener("pointerdown", (event) => this.tools.pressed(event));
    for (const kind of ["pointerdown", "keydown"])
      this.element.addEventListener(kind, () => this.player.finish(), { capture: true });
    keepWhenScrolled(this.element);
    this.life.listen(document, "pointerdown", (event) => {
      if (this.store.isSheet && this.state.panel && !event.composedPath().includes(this.element)) this.openSheet(false);
    });
    this.life.listen(matchMedia(STILL), "change", ({ matches }) => this.store.set({ isStill: matches }));
    this.life.watchSize(() => this.resize(), this.element, this.picture);
  }

  get state() {
    return this.store.state;
  }

  get path() {
    return this.store.path;
  }

  get tree() {
    return this.store.tree;
  }

  get colors() {
    return this.store.colors;
  }

  /** Chart along the path: the staircase of a recorded run, otherwise the curves. */
  get chart() {
    return this.recorder.isOn ? this.recorder.staircase : this.curves;
  }

  /**
   * Show a path from the bytes of viz/payload/stage_payload.py. `initial`: the tree and the node to show first.
   * `before`: called when the path is unpacked, before it is shown.
   * @param {Uint8Array<ArrayBuffer>} bytes @param {PageOptions} [initial] @param {() => void} [before]
   */
  async load(bytes, initial = {}, before) {
    const ticket = (this.ticket = {});
    let path;
    try {
      path = decode(await inflate(bytes));
    } catch (error) {
      this.loading.textContent = `The trees could not be read (${error instanceof Error ? error.message : error}). Reload the page or export the file again.`;
      throw error;
    }
    if (ticket !== this.ticket || this.life.isOver) return;
    before?.();
    this.open(path, initial);
  }

  /** Show an unpacked path. @param {Path} path @param {PageOptions} initial */
  open(path, initial) {
    this.player.play(false); // The player's index refers to the old path.
    this.isReady = false;
    this.brushes.current = this.inspector.node.plot = null;
    this.pointCard.close();
    if (isFresh(this.path, path, initial)) {
      this.view.camera.fit();
      this.view.shown.clear();
    }
    const recording = path.recording ?? (this.paint.isOn ? bareRecording(path) : null);
    this.store.set({ ...openState(this.state, path, initial, this.paint.hasPainted), recording });
    this.recorder.load();
    mount(this);
    this.followChoice();
    this.paint.loaded(initial.paint);
    this.editor.load(path);
    this.figures.load(path, recording);
    this.transport.load(path);
    this.costs.load();
    this.player.wait = recording ? this.recorder.buttons.wait : this.transport.wait;
    this.isReady = true;
    this.loading.hidden = true;
    this.element.hidden = false;
    this.reflect();
    this.retheme();
    this.figures.show(this.tree, this.editor.firstTree); // before the drawing is measured, because they take room
    this.headline.show();
    this.pin.show();
    this.resize();
    this.linked.loaded((initial.tree ?? null) === null);
  }

  retheme() {
    if (!this.path) return;
    const { theme } = this.state;
    const system = matchMedia(DARK).matches ? "dark" : "light";
    this.store.set({ scheme: theme === "auto" ? (this.live?.theme() ?? system) : theme });
    const { element } = this;
    const { scheme } = this.state;
    for (const [name, color] of Object.entries(this.colors.theme)) element.style.setProperty(`--${name}`, color);
    element.style.colorScheme = scheme;
    element.dataset.theme = scheme;
    if (!this.live) document.documentElement.style.background = this.colors.theme.background;
    this.pin.second?.retheme();
  }

  /** Set attributes that make parts of the state available to the style sheet. */
  reflect() {
    const { element, state, store } = this;
    const { hides, recording, path, heading } = state;
    const classes = {
      ...{ compact: state.compact && !state.inLesson, "in-lesson": state.inLesson, recording: recording !== null },
      ...{ simple: store.isSimple, pictures: Boolean(path?.imageShape) },
      ...{ narrow: state.isNarrow === true, "no-panel": !state.panel, single: path !== null && path.trees.length < 2 },
      ...{ editing: store.isEditing, dragging: state.penDown && state.isDraft },
      ...{ guessing: state.isGuessing, bare: state.isBare, lines: path?.edit?.lines !== undefined },
      empty: recording !== null && path.sample.n === 0,
    };
    for (const [name, is] of Object.entries(classes)) element.classList.toggle(name, is);
    element.dataset.hide = [...hides].join(" ");
    element.style.setProperty("--type", String(state.type));
    this.heading.hidden = heading === null;
    this.heading.textContent = this.heading.title = heading ?? "";
    this.summary.element.hidden = state.link === null && !store.isPaired;
  }

  resize() {
    if (!this.isReady || !this.element.clientWidth) return;
    const { clientWidth } = this.element;
    this.isReady = false; // Everything is drawn below.
    this.store.set({ stageWidth: clientWidth, isNarrow: clientWidth < NARROW });
    this.isReady = true;
    this.measure();
    this.measureCurves();
    this.arrange(false);
    this.redraw({ all: true });
  }

  /** Let the head float above the upper corners of the tree if there is room next to its root. */
  float() {
    const { store, element, head, headline, tools } = this;
    const { plane, overview } = store.layout;
    const floats =
      store.isSimple && !this.state.table && !overview && !plane.side && this.picture.clientWidth >= FLOATING;
    element.classList.toggle("floating", floats);
    head.style.width = floats ? `${this.picture.clientWidth}px` : "";
    this.view.corners = floats
      ? {
          left: headline.element.offsetWidth + BESIDE_ROOT,
          right: tools.element.offsetWidth + BESIDE_ROOT,
          height: head.offsetHeight + BESIDE_ROOT / 2,
        }
      : null;
  }

  measure() {
    this.float();
    const { clientWidth, clientHeight } = this.picture;
    this.store.set({ pictureWidth: clientWidth, pictureHeight: clientHeight });
    const { layout } = this.store;
    this.measured = layout;
    this.overview.element.hidden = !layout.overview;
    this.element.classList.toggle("stacked", layout.isStacked);
    this.plane.resize();
    this.nodePlot.resize();
    this.view.resize();
  }

  measureCurves() {
    const { chart } = this;
    chart.draw(chart.element.clientWidth, chart.element.clientHeight);
    this.costs.resize();
    const { slider, track } = this.transport;
    const width = (chart.element.clientWidth || track.clientWidth) - chart.left - SIDE.right;
    slider.style.marginLeft = `${chart.left - THUMB / 2}px`;
    slider.style.width = `${Math.max(40, width + THUMB)}px`;
  }

  /** @param {boolean} tween */
  arrange(tween) {
    if (this.store.layout !== this.measured) this.measure();
    this.view.arrange(tween);
  }

  /** Change the state, see FIELDS. @param {Partial<StageState>} patch */
  set(patch) {
    this.store.set(patch);
  }

  /**
   * Show changes at once, but slow drawings at most once per frame.
   * @param {(keyof StageState)[]} changed @param {StageState} before
   */
  changed(changed, before) {
    /** @param {(keyof StageState)[]} names */
    const has = (names) => changed.some((name) => names.includes(name));
    if (has(["offer"])) this.costs.load();
    if (has(["isGrowing", "replaced"]) && this.isReady) this.headline.show();
    if (has(["choice", "reference"]) && this.isReady) {
      this.transport.recommend(this.path);
      this.transport.show(this.state.k);
      this.headline.show();
      this.measure(); // The head may be higher.
      this.arrange(false);
      this.measureCurves();
      if (has(["choice"])) this.followChoice();
    }
    if (has(["message"])) this.status.textContent = this.state.message?.text ?? "";
    if (has(REFLECTED)) this.reflect();
    if (!this.isReady) return; // load() and resize() show everything.
    this.pin.show();
    if (has(["pinned"])) this.settle();
    if (has(["penDown"]) && !this.state.penDown) this.soon();
    if (has(["k"])) {
      this.store.set({ isHurried: true });
      this.recorder.moved(before.k);
      if (before.path === this.path && cellOf(this.path, before.k).row !== this.store.cell.row) this.measureCurves();
    }
    if (has(["selection"]) && !this.state.selection) this.keepFocus();
    if (has(["theme", "diverging", "chosenClass", "projector"])) this.retheme();
    if (has(TASTE) && !this.beforePresenting)
      this.live?.remember?.(Object.fromEntries(TASTE.map((name) => [name, this.state[name]])));
    if (has(MEASURING)) {
      this.nodeTable.hidden = !this.state.table;
      this.view.element.hidden = this.state.table;
      this.resize();
      return;
    }
    if (changed.every((name) => QUIET.includes(name))) return;
    if (has(REFITTING) && !has(["k"])) this.view.camera.fit();
    const { pending, state } = this;
    /** @param {keyof StageState} name */
    const arranges = (name) => ARRANGING.includes(name) && !(name === "edited" && state.isDraft);
    this.pending = {
      arrange:
        pending?.arrange ||
        changed.some(arranges) ||
        this.store.layout !== this.measured ||
        (has(["node"]) && state.lightsPath && this.isHidden(state.node)),
      inspector: pending?.inspector || changed.some((name) => !PASSING.includes(name)),
      all: pending?.all || has(["edited"]),
    };
    this.show();
    this.linked.changed(changed);
    if (has(["node"])) this.settle();
  }

  show() {
    if (this.busy) return;
    const began = performance.now();
    const { pending } = this;
    this.pending = null;
    this.redraw(pending ?? {});
    if (performance.now() - began < QUICK) return;
    this.busy = true;
    this.life.frame(() => {
      this.busy = false;
      if (this.pending) this.show();
    });
  }

  requestDraw() {
    if (!this.isReady) return;
    this.pending ??= {};
    this.show();
  }

  /** @param {Wanted} what */
  redraw(what) {
    if (!this.isReady || !this.view.width) return;
    if (what.arrange) this.arrange(true);
    const { state, store, element } = this;
    const turning = this.recorder.tick();
    const moving = state.table ? false : this.view.draw();
    if (what.all || what.arrange) {
      this.figures.show(this.tree, this.editor.firstTree);
      this.headline.show();
      this.showStep();
      this.chart.mark(state.k);
      this.crumbs.draw();
    }
    const { overview } = store.layout;
    if (overview) this.overview.draw(overview);
    if (store.hasPlane) this.plane.draw();
    else this.nodePlot.draw();
    this.recorder.draw();
    if (this.recorder.isOn) this.paint.draw();
    if (state.panel) this.inspector.follow();
    this.chart.drawNode(state.hover ?? state.node);
    element.dataset.painted = String(state.k);
    element.dataset.selected = String(state.node ?? "");
    element.dataset.shown = String(store.shownNode?.origin ?? "");
    if (what.all || what.inspector) this.soon();
    if ((moving || turning) && !this.moving) {
      this.moving = true;
      this.life.frame(() => {
        this.moving = false;
        this.requestDraw();
      });
    }
  }

  /** Update the slider and the buttons for the current tree and for playing. */
  showStep() {
    if (!this.path) return;
    const { k } = this.state;
    this.transport.show(k);
    this.costs.show();
    if (!this.recorder.isOn) return;
    this.recorder.buttons.show(k);
    for (const member of this.linked.inStep) if (member !== this.linked) member.on.showPlaying();
  }

  /**
   * Update the inspector a few times per second while the tree changes. Update the parts for screen readers when the
   * stage is idle.
   */
  soon() {
    const follow = () => {
      this.life.stop(this.later);
      this.later = null;
      this.followed = performance.now();
      if (this.state.panel && !this.state.penDown) this.inspector.draw();
      this.legend.draw();
      this.pin.draw();
      this.summary.draw();
      this.tools.show();
    };
    const wait = Math.max(0, this.followed + FOLLOWING - performance.now());
    if (wait > 0) this.later ??= this.life.later(follow, wait);
    else {
      this.followed = performance.now();
      this.life.frame(follow);
    }
    this.life.stop(this.resting);
    this.resting = this.life.later(() => this.rest(), FOLLOWING + 20);
  }

  rest() {
    if (this.pending) return this.soon(); // The tree has changed, but its positions have not yet.
    this.store.set({ isHurried: false });
    this.inspector.rest();
    this.outline.draw();
    this.recorder.rest();
    if (this.store.hasPlane) this.plane.describe();
    if (this.state.table) fill(this.nodeTable, nodeTable(this.store));
    return undefined;
  }

  /** Go to the tree with this index. During a drag, the tree does not count as settled. @param {number} k */
  go(k, settled = true, isMoving = this.state.isMoving) {
    /** @type {Partial<StageState>} */
    const patch = { isMoving, replaced: null, k: Math.max(0, Math.min(this.path.trees.length - 1, k)) };
    if (patch.k !== this.state.k && !this.pointCard.element.hidden) {
      this.pointCard.close();
      patch.point = null;
    }
    const { request } = this.state;
    const isFirst = settled && request?.isUsual === true; // the visitor chooses a tree, perhaps the displayed one
    if (isFirst) patch.request = { ...request, isUsual: false };
    this.store.set(patch);
    if (settled) this.settle(isFirst);
  }

  /** Whether neither a link nor the visitor has chosen the tree, and the visitor has changed nothing. */
  get isUntouched() {
    const { k, node, pinned, request, inLesson } = this.state;
    return request?.isUsual === true && k === request.k && node === request.node && pinned === null && !inLesson;
  }

  /** Show the simplest good tree when folds have selected it, unless the user or the page has chosen a tree. */
  followChoice() {
    const { k, request } = this.state;
    const { one_se: simple, min: best } = this.store.recommended;
    const to = simple ?? best;
    if (!request || !this.store.choice || !this.isUntouched || this.player.isPlaying) return;
    if (to === undefined || to === k) return;
    this.store.set({ k: to, replaced: this.isReady ? k : null, request: { ...request, k: to } });
    if (this.isReady)
      this.store.say(`Cross-validation has selected the tree with ${counted(this.tree.sizes(0).leaves, "leaf")}.`);
  }

  /** Report the current tree and node to the server, but never while the slider is dragged. */
  settle(isFirst = false) {
    this.live?.send({ tree: this.state.k, node: this.state.node, pin: this.state.pinned }, isFirst);
    this.linked.settled();
  }

  /** @param {number | null} origin */
  select(origin) {
    this.store.select(origin);
  }

  /** Select a node, or none, on request of the page, and bring its path into view. @param {number | null} origin */
  showNode(origin) {
    this.store.select(origin);
    const node = this.tree.nodeOf.get(origin);
    if (node !== undefined) this.view.revealWay(this.tree.ancestry(node));
  }

  /** @param {number | null} origin */
  isHidden(origin) {
    const node = this.tree.nodeOf.get(origin);
    return node !== undefined && !this.view.places.has(node);
  }

  /** Open the inspector over the tree, with the selected node in view, or close it. @param {boolean} is */
  openSheet(is) {
    const { element } = this.inspector;
    if (!is && element.contains(focusedBeside(this.element))) this.element.focus({ preventScroll: true });
    this.store.set({ panel: is });
    const { view } = this;
    const box = view.boxes.get(this.tree.nodeOf.get(this.state.node) ?? -1);
    if (!is || !box) return;
    this.hover(null, null);
    const [sheet, canvas] = [element, view.canvas].map((one) => one.getBoundingClientRect());
    if (getComputedStyle(element).position === "fixed") {
      const top = innerHeight - element.offsetHeight; // the sheet is still rising
      const { style } = this.picture;
      if (box.y > top / 2) style.scrollMarginTop = `${top / 2 - box.y}px`;
      if (canvas.top + box.y > top - 40) this.picture.scrollIntoView();
      style.scrollMarginTop = "";
      return;
    }
    const hidden = canvas.left + box.x + box.w / 2 + 8 - sheet.left;
    if (hidden <= 0) return;
    view.camera.pan(-hidden, 0, view.width, view.height);
    this.requestDraw();
  }

  /** Show the subtree of a node selected in the overview. @param {number} node */
  lookInto(node) {
    const { tree } = this;
    const at = tree.isLeaf(node) && node ? tree.parent[node] : node;
    this.view.camera.fit();
    this.store.set({ node: tree.origin[node], focus: at === 0 ? null : tree.origin[at], tab: "node" });
    this.requestDraw();
  }

  /** @param {number | null} node @param {Pair | null} at */
  hover(node, at) {
    const { card, view, store, picture } = this;
    const origin = node === null ? null : this.tree.origin[node];
    const readable = node !== null && view.boxes.get(node)?.w >= this.path.looks.detail.full;
    card.style.display = node === null || !at || readable ? "none" : "block";
    if (node !== null && at) {
      if (origin !== this.state.hover) card.textContent = nodeText(store, node);
      const { layout } = store;
      const x = Math.min(at[0] + 14 + layout.view.left, picture.clientWidth - 250),
        y = at[1] + 18 + layout.view.top + layout.above;
      card.style.transform = `translate(${Math.max(0, x)}px,${y}px)`;
    }
    store.set({ hover: origin });
  }

  /** @param {number | null} k */
  preview(k) {
    this.curves.showTip(k);
    this.store.set({ survivors: k });
  }

  /** Follow a sampled row through the tree. @param {number} row */
  follow(row) {
    this.store.follow(row);
  }

  /** Follow a row from the page (see pageRow), or none. @param {PageRow | null} row */
  followPageRow(row) {
    this.store.set(row ? pageRow(this.path, row) : { row: null });
  }

  fit() {
    this.view.camera.fit();
    this.store.set({ focus: null });
    this.requestDraw();
  }

  fullScreen() {
    if (document.fullscreenElement) document.exitFullscreen();
    else this.element.requestFullscreen?.().catch(() => this.store.say("This browser does not support full screen."));
  }

  /** Handle keys that act on the whole stage. @param {KeyboardEvent} event */
  key(event) {
    // The keys of Streamlit (r, c) must not act while the user types here.
    const { target } = event;
    const isSearch = target instanceof HTMLInputElement && target.type === "search";
    if (isSearch) event.stopPropagation();
    paintKey(this.paint, event);
    if (this.recorder.isOn) this.recorder.buttons.key(event);
    if (this.editor.key(event) || event.key !== "Escape") return;
    // Escape closes the menu, or else cancels a selection, closes the sheet, clears the selected rows, or closes the
    // inspector.
    if (this.tools.isOpen) this.tools.close();
    else if (this.brushes.current) this.brushes.cancel();
    else if (this.store.isSheet && this.state.panel) this.openSheet(false);
    else if (event.defaultPrevented || isSearch) return;
    else if (this.state.selection) clearSelection(this.store);
    else if (this.state.panel && this.store.isSimple) this.openSheet(false);
  }

  /** Keep the focus near the buttons for the selected rows when these buttons disappear. */
  keepFocus() {
    const active = focusedBeside(this.element);
    if (!active?.closest(".chip, .selection-summary, .selected") || !this.element.contains(active)) return;
    if (this.state.panel) this.inspector.body.focus({ preventScroll: true });
    else this.tools.focus();
  }

  /** Show whether the server can be reached. The stage works without it. @param {boolean} is */
  connected(is) {
    this.notice.hidden = is;
    this.notice.textContent = is
      ? ""
      : "Connection to the server lost. You can still explore the tree; training and saving need the server.";
  }

  /** Remove all listeners, timers and elements. */
  dispose() {
    this.isReady = false;
    this.pin.second?.dispose();
    this.paint.liftPen();
    this.linked.leave();
    this.life.end();
    this.loading.remove();
    this.element.remove();
  }
}
