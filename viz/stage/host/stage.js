// The stage: one regularisation path as a living picture. The same module serves the app and the standalone file.

import { assemble } from "./assembly.js";
import { Colors } from "../draw/colors.js";
import { Comparison } from "../model/comparison.js";
import { SIDE, THUMB } from "../draw/curves.js";
import { fill } from "../elements/dom.js";
import { litNodes, litRows, pathNodes, pointedRow } from "../draw/light.js";
import { nodeText } from "../model/condition.js";
import { decode, inflate } from "../model/payload.js";
import { currentValues, givenRow, sampledRow } from "../model/followed_row.js";
import { isFresh, opened } from "../model/opening.js";
import { frameOf } from "../geometry/places.js";
import { Player } from "./player.js";
import { revealWay } from "../draw/reveal.js";
import { Sprites } from "../draw/sprites.js";
import { namesOf } from "../model/state.js";
import { Store } from "../model/store.js";
import { tableTwin } from "../panels/table_twin.js";

const FOLLOWING = 120; // milliseconds between two drawings of the inspector
const QUICK = 8; // milliseconds that a picture may take to be drawn more than once a frame
const PLANE_SHARE = 0.46; // of the width of the picture
const ROOM_FOR_PLANE = 560; // pixels
const [ARRANGING, MEASURING, PASSING, QUIET, TASTE] = ["arranges", "measures", "passing", "quiet", "taste"].map(
  namesOf,
);
let stages = 0;

export class Stage {
  /** `host`: empty element to live in; `live`: {send({tree, node}), theme(), recall(), remember(taste)} in the app, null in a file. */
  constructor(host, live = null) {
    this.id = `stage-${++stages}`;
    this.live = live;
    this.store = new Store(live?.recall());
    this.store.subscribe((changed, before) => this.changed(changed, before));
    this.motion = matchMedia("(prefers-reduced-motion: reduce)");
    this.player = new Player(this);
    this.comparison = new Comparison(this);
    this.hides = new Set();
    this.isReady = false; // whether a path is on the stage
    assemble(this, host);
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

  /** What is drawn along the path: the staircase of a recorded run, else the curves. */
  get chart() {
    return this.recorder.isOn ? this.recorder.staircase : this.curves;
  }

  get reducedMotion() {
    return this.motion.matches;
  }

  /** Large trees get an overview, and show only the upper levels and the nodes with enough rows, until told otherwise. */
  get hasOverview() {
    const { overview, table } = this.state;
    return !table && (overview === "auto" ? this.state.isLarge : overview);
  }

  /** Data with two features also show their plane, where there is room, or when asked for. */
  get hasPlane() {
    const { plane, table } = this.state;
    if (table || this.path?.nFeatures !== 2 || this.hides.has("plane")) return false;
    if (this.recorder.isOn) return this.recorder.hasPlane;
    return plane === "auto" ? this.picture.clientWidth >= ROOM_FOR_PLANE : plane;
  }

  get support() {
    const { support } = this.state;
    return support === "auto" ? (this.state.isLarge ? 0.01 : 0) : support;
  }

  get levels() {
    const { levels } = this.state;
    return levels === "auto" && this.state.isLarge ? Math.max(4, Math.floor(this.view.height / 62)) : Infinity;
  }

  /** Show a path (the bytes of viz/payload/stage_payload.py); `initial`: {tree: index, node: origin id, fresh: forget the old}. */
  async load(bytes, initial = {}) {
    const ticket = (this.ticket = {});
    let path;
    try {
      path = decode(await inflate(bytes));
    } catch (error) {
      this.loading.textContent = `The trees could not be read (${error.message}). Reload the page, or export the file again.`;
      throw error;
    }
    if (ticket !== this.ticket) return;
    this.player.play(false); // of the old path, whose trees its index is about
    this.isReady = false;
    this.brush = this.plot = this.selectedTable = null;
    this.pointCard.close();
    this.sprites = new Sprites(path);
    const fresh = isFresh(this.path, path, initial);
    this.store.set(opened(this.state, path, initial, this.recorder.paint.hasPainted));
    if (fresh) {
      this.view.camera.fit();
      this.view.shown.clear();
      this.drawing = null;
    }
    this.recorder.load(path, initial);
    this.editor.load(path);
    this.figures.load(path, this.recorder.recording);
    this.transport.load(path);
    this.isReady = true;
    this.loading.hidden = true;
    this.element.hidden = false;
    this.retheme();
    this.resize();
    this.linked.loaded((initial.tree ?? null) === null);
  }

  retheme() {
    if (!this.path) return;
    const { state } = this;
    const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
    const theme = this.live ? this.live.theme() : state.theme === "auto" ? system : state.theme;
    const type = state.projector ? 1.45 : this.lesson.type;
    this.store.set({ type });
    this.colors = new Colors(this.path.palette, this.path.target.colors, theme, state.diverging, state.chosenClass);
    for (const [name, color] of Object.entries(this.colors.theme)) this.element.style.setProperty(`--${name}`, color);
    this.element.style.setProperty("--type", type);
    this.element.style.colorScheme = theme;
    this.element.dataset.theme = theme;
    if (!this.live) document.documentElement.style.background = this.colors.theme.background;
  }

  resize() {
    if (!this.path || !this.element.clientWidth) return;
    const narrow = this.element.clientWidth < 900;
    this.element.classList.toggle("narrow", narrow);
    const isOther = narrow !== this.wasNarrow;
    this.wasNarrow = narrow;
    if (isOther) this.store.set({ panel: !narrow && !this.isCompact && !this.recorder.isOn });
    this.element.classList.toggle("no-panel", !this.state.panel);
    this.measure();
    this.measureCurves();
    this.arrange(false);
    this.redraw({ all: true });
  }

  measure() {
    this.icicle.element.hidden = !this.hasOverview;
    const strip = this.hasOverview
      ? Math.min(Math.max(70, 13 * (this.tree.maxDepth + 1)), this.picture.clientHeight * 0.3)
      : 0;
    this.strip = strip;
    const height = Math.max(60, this.picture.clientHeight - (strip ? strip + 6 : 0));
    if (this.recorder.isOn) return this.recorder.measure(this.picture.clientWidth, height);
    const side = this.hasPlane ? Math.min(this.picture.clientWidth * PLANE_SHARE, height) : 0;
    this.plane.resize(side, height);
    this.view.resize(this.picture.clientWidth - side, height);
    this.view.stand(0, 0);
  }

  measureCurves() {
    const { chart } = this;
    chart.draw(chart.element.clientWidth, chart.element.clientHeight);
    const { slider, track } = this.transport;
    const width = (chart.element.clientWidth || track.clientWidth) - SIDE.left - SIDE.right;
    slider.style.marginLeft = `${SIDE.left - THUMB / 2}px`;
    slider.style.width = `${Math.max(40, width + THUMB)}px`;
  }

  arrange(tween) {
    if (this.hasOverview || this.strip) this.measure();
    this.measureWay();
    this.view.arrange(tween && !this.frame);
  }

  measureWay() {
    const values = currentValues(this.state);
    this.way = values && this.tree.way(values);
  }

  /** Change the state; `refit`: all of the tree in sight again. */
  set(patch, refit = false) {
    if (refit) this.view.camera.fit();
    this.store.set(patch);
  }

  /** Show at once what has changed; slow pictures at most once a frame. */
  changed(changed, before) {
    if (!this.isReady) return; // load() shows all of it
    const has = (...names) => names.some((name) => changed.includes(name));
    if (has("k")) this.recorder.moved(before.k);
    if (has("theme", "diverging", "chosenClass", "projector")) this.retheme();
    if (has(...TASTE)) this.live?.remember(Object.fromEntries(TASTE.map((name) => [name, this.state[name]])));
    if (has(...MEASURING)) {
      this.twin.hidden = !this.state.table;
      this.view.element.hidden = this.state.table;
      this.resize();
      return;
    }
    if (changed.every((name) => QUIET.includes(name))) return;
    if (has("row", "whatIf", "edited")) this.measureWay();
    const { wanted } = this;
    this.wanted = {
      arrange:
        wanted?.arrange ||
        changed.some((name) => ARRANGING.includes(name) && !(name === "edited" && this.state.isDraft)) ||
        (has("node") && this.lightsPath && this.isHidden(this.state.node)),
      inspector: wanted?.inspector || changed.some((name) => !PASSING.includes(name)),
      all: wanted?.all || has("edited"),
    };
    this.paint();
    this.linked.changed(changed);
    if (has("node")) this.settle();
  }

  paint() {
    if (this.busy) return;
    const began = performance.now();
    const { wanted } = this;
    this.wanted = null;
    this.redraw(wanted ?? {});
    if (performance.now() - began < QUICK) return;
    this.busy = true;
    requestAnimationFrame(() => {
      this.busy = false;
      if (this.wanted) this.paint();
    });
  }

  requestDraw() {
    this.wanted ??= {};
    this.paint();
  }

  redraw(what) {
    if (!this.path || !this.view.width) return;
    if (what.arrange) this.arrange(true);
    const turning = this.recorder.tick();
    const moving = this.state.table ? false : this.view.draw();
    if (what.all || what.arrange) {
      this.figures.show(this.tree);
      this.transport.show(this.state.k);
      this.chart.mark(this.state.k);
      this.crumbs.draw();
    }
    if (this.strip) this.icicle.draw(this.picture.clientWidth, this.strip);
    if (this.plane.side) this.plane.draw();
    this.recorder.draw();
    if (this.state.panel) this.followPanel();
    this.chart.drawNode(this.state.hover ?? this.state.node);
    this.element.dataset.painted = String(this.state.k);
    this.element.dataset.selected = this.state.node ?? "";
    if (what.all || what.inspector) this.soon();
    if ((moving || turning) && !this.moving) {
      this.moving = true;
      requestAnimationFrame(() => {
        this.moving = false;
        this.requestDraw();
      });
    }
  }

  /** What keeps up with the pointer in the inspector. */
  followPanel() {
    this.plot?.follow();
    if (this.way && this.state.tab === "row") for (const part of this.rowParts ?? []) part.follow();
  }

  /** Whether trees follow each other so quickly that only the picture can keep up. */
  get isHurried() {
    return performance.now() - (this.stepped ?? -Infinity) < FOLLOWING;
  }

  /** While trees follow each other the inspector follows a few times a second; what is for screen readers, at rest. */
  soon() {
    const follow = () => {
      clearTimeout(this.later);
      this.later = null;
      this.followed = performance.now();
      if (this.state.panel && !this.penDown) this.inspector.draw();
      this.legend.draw();
      this.fates.draw();
      this.tools.show();
    };
    const wait = Math.max(0, (this.followed ?? -Infinity) + FOLLOWING - performance.now());
    if (wait > 0) this.later ??= setTimeout(follow, wait);
    else {
      this.followed = performance.now();
      requestAnimationFrame(follow);
    }
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.rest(), FOLLOWING + 20);
  }

  rest() {
    if (this.wanted) return this.soon(); // the tree has changed, its places have not yet
    this.stepped = -Infinity;
    const { selection, panel, tab } = this.state;
    if (selection && panel && tab === "node" && !this.penDown && this.selectedTable?.key[1] !== this.tree)
      this.inspector.draw();
    this.outline.draw();
    this.recorder.rest();
    if (this.plane.side) this.plane.describe();
    if (this.state.table)
      fill(
        this.twin,
        tableTwin(this, (origin) => this.select(origin)),
      );
  }

  /** Go to the tree of an index; a drag in progress does not count as settled. */
  go(k, settled = true) {
    k = Math.max(0, Math.min(this.path.trees.length - 1, k));
    const patch = { k };
    this.stepped = performance.now();
    if (k !== this.state.k && !this.pointCard.element.hidden) {
      this.pointCard.close();
      patch.point = null;
    }
    this.set(patch);
    if (settled) this.settle();
  }

  /** Tell the server where the visitor is; never while the slider is being dragged. */
  settle() {
    this.live?.send({ tree: this.state.k, node: this.state.node });
    this.linked.settled();
  }

  select(origin) {
    this.set({
      node: origin,
      ...(origin !== null && this.state.tab !== "changes" && this.state.tab !== "features" && !this.state.row
        ? { tab: "node" }
        : {}),
    });
  }

  /** Select a node (or none) on behalf of the page, and bring the way to it in sight. */
  showNode(origin) {
    this.select(origin);
    const node = this.tree.nodeOf.get(origin);
    if (node === undefined) return;
    revealWay(this.view, this.tree.ancestry(node));
    this.requestDraw();
  }

  isHidden(origin) {
    const node = this.tree.nodeOf.get(origin);
    return node !== undefined && !this.view.places.has(node);
  }

  toggle(node) {
    if (this.tree.isLeaf(node)) return;
    const collapsed = new Set(this.state.collapsed);
    const origin = this.tree.origin[node];
    if (!collapsed.delete(origin)) collapsed.add(origin);
    this.set({ collapsed });
  }

  /** From the overview: show the part of the tree below a node. */
  lookInto(node) {
    const origin = this.tree.origin[node];
    let at = node;
    if (this.tree.isLeaf(at) && at) at = this.tree.parent[at];
    this.set({ node: origin, focus: at === 0 ? null : this.tree.origin[at], tab: "node" }, true);
  }

  hover(node, at) {
    const origin = node === null ? null : this.tree.origin[node];
    const readable = node !== null && this.view.boxes.get(node)?.w >= this.path.looks.detail.full;
    this.card.style.display = node === null || !at || readable ? "none" : "block";
    if (node !== null && at) {
      if (origin !== this.state.hover) this.card.textContent = nodeText(this, node);
      const x = Math.min(at[0] + 14 + this.view.left, this.picture.clientWidth - 250),
        y = at[1] + 18 + this.view.top + (this.strip ? this.strip + 6 : 0);
      this.card.style.transform = `translate(${Math.max(0, x)}px,${y}px)`;
    }
    this.set({ hover: origin });
  }

  preview(k) {
    this.curves.showTip(k);
    this.set({ survivors: k });
  }

  /** What a Picture needs to know. */
  look() {
    const { path, tree, state, colors, sprites } = this;
    const { set, globalScale, type } = state;
    const lit = litRows(this);
    const recorder = this.recorder.isOn ? this.recorder : null;
    return { path, tree, set, colors, sprites, globalScale, type, lit, point: pointedRow(this), recorder };
  }

  /** Set of the nodes on the way of the followed row, else to the node whose way is lit, or null. */
  wayNodes() {
    return this.way ? new Set(this.way.map((step) => step.node)) : pathNodes(this);
  }

  /** Nodes that stand out now, or null. */
  litNodes() {
    return litNodes(this);
  }

  /** Follow a sampled row through the tree. */
  follow(row) {
    this.set({ row: sampledRow(this.path, row), tab: "row" });
  }

  /** Follow a row that the page hands over (see givenRow), or none. */
  followGiven(given) {
    this.set(given ? givenRow(this.path, given) : { row: null });
  }

  /** Follow values that were drawn; the panel is drawn anew only when the pen is lifted. */
  followDrawing(values) {
    this.set({ row: { values, label: null, isDrawn: true } });
  }

  /** Places that nodes keep: of the pinned or the present tree while comparing, of the whole path, or null. */
  get frame() {
    if (this.editor.isOn) return null; // an edited tree has nodes of its own
    const pinned = this.comparison.pinned;
    if (pinned) return frameOf(pinned.n >= this.tree.n ? pinned : this.tree);
    return this.state.layout === "keep" ? this.path.places : null;
  }

  zoom(factor) {
    const { view } = this;
    view.camera.zoomAt(view.width / 2, view.height / 2, factor, view.width, view.height);
    this.requestDraw();
  }

  fit() {
    this.view.camera.fit();
    this.set({ focus: null });
    this.requestDraw();
  }

  say(text) {
    this.status.textContent = text;
  }

  /** Tell whether the server can be reached; the stage goes on without it. */
  connected(is) {
    this.notice.hidden = is;
    this.notice.textContent = is
      ? ""
      : "The connection to the server is lost. The tree stays usable here; training and saving need the server.";
  }

  dispose() {
    this.player.play(false);
    this.recorder.paint.dispose();
    clearTimeout(this.resting);
    this.observer.disconnect();
    this.linked.leave();
  }
}
