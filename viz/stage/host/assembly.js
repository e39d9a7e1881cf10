// Creates the parts of the stage, connects them, and places them in the page.

import { Brushes } from "../draw/brush.js";
import { CostPanel } from "../panels/cost_panel.js";
import { Curves } from "../draw/curves.js";
import { h } from "../elements/dom.js";
import { editHistoryPanel } from "../edit/edit_bar.js";
import { Editor } from "../edit/editor.js";
import { Figures } from "../panels/figures.js";
import { Headline } from "../panels/headline.js";
import { Inspector } from "../panels/inspector.js";
import { Legend } from "../panels/legend.js";
import { Lesson } from "../lesson/lesson.js";
import { Linked } from "./linked.js";
import { lookOf } from "../draw/picture.js";
import { Crumbs, Outline } from "../panels/outline.js";
import { Overview } from "../draw/overview.js";
import { Paint } from "../paint/paint.js";
import { PinnedTree } from "./pinned_tree.js";
import { NodePlot, Plane } from "../draw/plane.js";
import { PointCard } from "../panels/selected_panel.js";
import { Recorder } from "../record/recorder.js";
import { RunsAhead } from "../record/runs_ahead.js";
import { SelectionSummary } from "../panels/selection_summary.js";
import { Tools } from "../panels/tools.js";
import { Player, Transport } from "./transport.js";
import { TreeView } from "../draw/view.js";

/** Create every part of a stage. Each part gets the store and the callbacks that it declares. @param {Stage} stage */
export function assemble(stage) {
  const { store, life, id } = stage;
  const draw = () => stage.requestDraw();
  /** @param {number} k @param {boolean} [settled] @param {boolean} [isMoving] */
  const go = (k, settled, isMoving) => stage.go(k, settled, isMoving);
  const settle = () => stage.settle();
  const refresh = () => stage.soon();
  /** @param {number} node */
  const reveal = (node) => stage.view.reveal(node);
  /** @param {number} factor */
  const zoom = (factor) => stage.view.zoom(factor);
  const fit = () => stage.fit();
  /** @param {number | null} node @param {Pair | null} [at] */
  const hover = (node, at = null) => stage.hover(node, at);
  /** @param {Hit | null} hit @param {number | null} node @param {PointerEvent} event */
  const point = (hit, node, event) => stage.pointCard.show(hit, node, event);
  /** @param {number | null} node */
  const select = (node) => {
    store.select(node === null ? null : store.tree.origin[node]);
    if (store.isSheet) stage.openSheet(node !== null);
    else if (store.isSimple && node !== null) store.set({ panel: true });
  };
  /** Show the collapsed branch or the subtree below a folded node. @param {number} node */
  const open = (node) =>
    store.state.collapsed.has(store.tree.origin[node]) ? store.toggle(node) : stage.lookInto(node);
  const paths = () => stage.linked.paths;
  const play = {
    isPlaying: () => stage.linked.leader.isPlaying,
    play: (/** @type {boolean} */ on) => stage.linked.leader.play(on),
  };

  const show = () => stage.showStep();
  stage.player = new Player(store, life, { go: (k) => stage.go(k, false), settle, show });
  stage.linked = new Linked(store, stage.player, {
    ...{ go, settle, resize: () => stage.resize() },
    place() {
      const root = stage.element.getRootNode();
      return root instanceof ShadowRoot ? root.host : stage.element;
    },
    /** @param {number} wait */
    setSpeed(wait) {
      stage.recorder.buttons.setSpeed(wait);
      stage.player.setSpeed(wait);
    },
    showPlaying: () => stage.recorder.buttons.showPlaying(),
  });
  stage.brushes = new Brushes(store, draw);
  const drawing = drawingOf(stage);
  stage.view = new TreeView(store, drawing, {
    ...{ select, hover, point, moved: draw, toggle: (node) => store.toggle(node) },
    open,
    press: () => stage.element.focus({ preventScroll: true }), // The stage needs the focus to handle Escape.
  });
  stage.plane = new Plane(store, drawing, { select, hover, point, draw });
  stage.nodePlot = new NodePlot(store, drawing);
  stage.overview = new Overview(store, {
    select: (node) => node !== null && stage.lookInto(node),
    hover,
    isInSight: (node) => stage.view.holds(node),
  });
  stage.curves = new Curves(store, { go, paths, hover: (k) => stage.preview(k) });
  stage.recorder = new Recorder(store, {
    ...{ go, settle, paths, ...play },
    wait: () => stage.linked.leader.wait,
    setSpeed: (wait) => stage.linked.inStep.forEach((member) => member.on.setSpeed(wait)),
    hidesRows: () => stage.paint.isAhead,
    ranges: () => stage.paint.ranges,
  });
  stage.ahead = new RunsAhead(store, life, {
    bring: async (name) => (await stage.live?.bring?.(name)) ?? null,
    show(path) {
      const { node } = store.state;
      stage.open(path, { tree: path.trees.length - 1, node });
    },
    left: (name) => stage.live?.left?.(name),
  });
  stage.paint = new Paint(store, life, {
    draw,
    frame: () => stage.plane.frame,
    report: (painted) => stage.live?.paint?.(painted),
  });
  stage.editor = new Editor(store, life, stage.plane, stage.view.element, {
    ...{ draw, refresh, look: drawing.look },
    showTree: () => stage.inspector.showTree(),
    report: (edits) => stage.live?.edited?.(edits),
  });
  stage.lesson = new Lesson(store, life, {
    ...{ settle, fit, go: (k) => stage.go(k, false) },
    load: (bytes, initial) => stage.load(bytes, initial),
    stop: () => stage.player.play(false),
    showNode: (origin) => stage.showNode(origin),
    plane: () => stage.plane,
    picture: () => stage.picture,
  });
  stage.transport = new Transport(store, { go, ...play, setSpeed: (wait) => stage.player.setSpeed(wait) });
  const edit = {
    panel: stage.editor.panel.bind(stage.editor),
    history: () => editHistoryPanel(stage.editor),
  };
  stage.costs = new CostPanel(store, { go, settle, train: () => stage.live?.train?.(store.state) });
  stage.inspector = new Inspector(store, id, drawing, edit, {
    go,
    point,
    refresh,
    close: () => stage.openSheet(false),
  });
  stage.crumbs = new Crumbs(store);
  stage.tools = new Tools(store, id, stage.crumbs.element, {
    ...{ zoom, fit, reveal, fullScreen: () => stage.fullScreen() },
    showSelected: () => stage.inspector.showSelected(),
  });
  stage.outline = new Outline(store, id, { reveal, zoom, fit, open });
  stage.summary = new SelectionSummary(store, reveal);
  stage.figures = new Figures();
  stage.headline = new Headline(store, { go: (index) => stage.go(index) });
  stage.pointCard = new PointCard(store);
  stage.legend = new Legend(store);
  const Another = /** @type {any} */ (stage.constructor); // Importing the class would be circular.
  stage.pin = new PinnedTree(stage, (host, live) => new Another(host, live));
}

/**
 * Return the additions that the editor, the recorder and the painter draw on the tree, the plane and the inspector.
 * @param {Stage} stage @returns {Drawing}
 */
function drawingOf(stage) {
  const { store, brushes } = stage;
  return {
    brushes,
    look: () => lookOf(store, stage.recorder.isOn ? stage.recorder : null),
    layer: (name) => stage.editor.layer(name),
    belowNode: (view, node, box) => stage.recorder.halo(view, node, box),
    opacity: (node) => stage.recorder.opacity(node),
    aboveNode(view, node, box) {
      stage.recorder.mark(view, node, box);
      stage.editor.markNode(view, node, box);
    },
    aboveTree(view) {
      stage.editor.onView(view);
      return stage.lesson.falling.draw(view);
    },
    ranges: () => stage.paint.ranges,
    regions: (low, high) => stage.recorder.motion?.regions(low, high) ?? null,
    inPlane: (...of) => stage.recorder.drawPlane(...of),
    abovePlane: (plane, picture, rows) => stage.editor.onPlane(plane, picture, rows),
    abovePlot: (plot, picture) => stage.editor.onPlot(plot, picture),
  };
}

/** Add the parts of the stage to `host`. @param {Stage} stage @param {HTMLElement} host */
export function place(stage, host) {
  const { view, plane, nodePlot, overview, outline, tools, editor, inspector, legend } = stage;
  stage.heading = h("h2", { class: "heading", dir: "auto", hidden: true });
  stage.card = h("div", { class: "card", "aria-hidden": "true" });
  stage.nodeTable = h("div", { class: "node-table-holder", hidden: true });
  stage.status = h("div", { class: "status", role: "status" });
  stage.notice = h("div", { class: "notice", role: "alert", hidden: true, "data-testid": "stage-notice" });
  stage.picture = h(
    "div",
    { class: "picture" },
    ...[overview.element, view.element, plane.element, nodePlot.element, outline.element, stage.nodeTable, stage.card],
  );
  stage.recorder.buttons.where.before(stage.ahead.element);
  stage.head = h(
    "div",
    { class: "head" },
    ...[
      stage.heading,
      stage.headline.element,
      stage.figures.element,
      stage.transport.note,
      stage.lesson.chart,
      tools.element,
      editor.bar.element,
    ],
  );
  stage.legends = h("div", { class: "legends" }, legend.element);
  stage.element = h(
    "div",
    { class: "stage", "data-testid": "stage", id: stage.id, tabindex: "-1", hidden: true },
    stage.notice,
    stage.head,
    h(
      "div",
      { class: "main" },
      stage.lesson.element,
      h(
        "div",
        { class: "middle" },
        h(
          "div",
          { class: "pair" },
          stage.pin.place,
          h("div", { class: "now" }, stage.pin.title, stage.summary.element, stage.picture),
        ),
        ...[stage.pin.list, stage.legends],
        h(
          "div",
          { class: "along" },
          h("div", { class: "of-lambda" }, stage.curves.element, stage.transport.track),
          stage.costs.element,
        ),
        stage.transport.buttons,
      ),
      inspector.element,
    ),
    stage.pointCard.element,
    stage.status,
  );
  stage.loading = h("p", { class: "loading" }, "Unpacking the trees …");
  host.append(stage.loading, stage.element);
}

/** Replace the parts for a path by those for a recorded run, or the reverse. @param {Stage} stage */
export function mount(stage) {
  const { curves, transport, legends, element, plane, picture, recorder, paint } = stage;
  const { isOn, words } = recorder;
  const mounted = `${isOn} ${paint.isOn}`;
  if (element.dataset.mounted === mounted) return; // Moving a canvas would release its active pointer.
  element.dataset.mounted = mounted;
  for (const [off, on] of [
    [curves.element, recorder.staircase.element],
    [transport.buttons, recorder.buttons.element],
  ])
    (isOn ? off : on).replaceWith(isOn ? on : off);
  for (const part of [words.element, paint.bar.element, paint.canvas, paint.hint]) part.remove();
  if (!isOn) return;
  legends.before(words.element);
  if (!paint.isOn) return;
  picture.before(paint.bar.element);
  plane.element.append(paint.canvas, paint.hint);
}
