// The tree on its canvas: edges, nodes and labels, with pan, zoom, hover and click.

import { focusedBeside, h, isInScroller, placeIn, sizeCanvas } from "../elements/dom.js";
import { Camera } from "../geometry/camera.js";
import { frameOf, placesOf } from "../geometry/places.js";
import { changeOfNode } from "../model/comparison.js";
import { branchTo } from "../model/condition.js";
import { kindOf } from "../model/node_kinds.js";
import { counted, signed } from "../model/number_text.js";
import { select, selected } from "../model/selection.js";
import { CLICK } from "./brush.js";
import { drawEdges, drawGhosts } from "./edges.js";
import { LabelLayer, textWidth } from "./labels.js";
import { Minimap } from "./minimap.js";
import { marksOf } from "./node_pictures.js";
import { Picture, headOf, nodeWords } from "./picture.js";

const TWEEN = 260; // milliseconds
const TAGGED = 150; // width of the label for the followed row, in pixels
const CROWDED = 60; // maximum number of nodes of a path whose trees all keep the same node positions
const AROUND = 20; // margin around a path that is brought into view, in pixels
const FOLDED = { above: 2, width: 24, height: 26 }; // area of the label of a folded node that opens it, in pixels
const NUMBER = 6; // pixels between the number of a node and its plot

/**
 * Draws the displayed tree into an element. `drawing`: as in Plot, with {belowNode(view, node, box), opacity(node),
 * aboveNode(view, node, box), aboveTree(view): whether it still moves}. `on` receives the actions of the pointer:
 * {select, hover, toggle, open, point, moved, press}. `open`: show the subtree of a folded node.
 */
export class TreeView {
  /**
   * @param {Store} store @param {Drawing} drawing
   * @param {{select(node: number | null): void, hover(node: number | null, at?: Pair | null): void, toggle(node: number): void, open(node: number): void, point(hit: Hit | null, node: number | null, event: PointerEvent): void, moved(): void, press(): void}} on
   */
  constructor(store, drawing, on) {
    this.store = store;
    this.drawing = drawing;
    this.brushes = drawing.brushes;
    this.on = on;
    this.camera = new Camera();
    this.canvas = h("canvas", { "aria-hidden": "true" });
    this.layer = h("div", { class: "labels", "aria-hidden": "true" });
    this.minimap = new Minimap(this);
    this.element = h("div", { class: "view" }, this.canvas, this.layer, this.minimap.element);
    this.labels = new LabelLayer(this.layer);
    /** @type {Known<number, Place>} current position of each origin id, for tweens */
    this.shown = new Map();
    /** @type {Frame | null} latest fixed positions; `turned`: time at which positions became fixed or free */
    this.kept = null;
    this.turned = -Infinity;
    this.width = this.height = 0;
    /** @type {Covered | null} parts of the first level that the headline and the tools cover */
    this.corners = null;
    listenToView(this);
  }

  /** Resize the canvas to its place in the layout. */
  resize() {
    const { width, height, left, top } = this.store.layout.view;
    Object.assign(this, { width, height });
    /** @param {number} value */
    const px = (value) => `${value}px`;
    Object.assign(this.element.style, {
      width: px(width),
      height: px(height),
      marginLeft: px(left),
      marginTop: px(top),
    });
  }

  /** Fixed positions of the nodes, from the larger compared tree or from the whole path, or null. */
  get frame() {
    const { isEditing, marked, tree, state, path } = this.store;
    if (isEditing) return null; // An edited tree has other nodes than the path.
    if (marked) return frameOf(marked.n >= tree.n ? marked : tree);
    const { layout, isMoving, k } = state;
    const { recording } = path;
    const isOver = recording?.steps[k].kind === "prune"; // After pruning, the remaining tree fills the view.
    const moves = recording ? !isOver : isMoving && path.places.origin.length <= CROWDED;
    const keeps = layout === "auto" ? moves : layout === "keep";
    return keeps ? path.places : null;
  }

  /** Opacity, 0 to 1, of everything that fades in after a move to fixed positions. */
  get fading() {
    return this.before ? Math.min(1, (performance.now() - this.turned) / TWEEN) : 1;
  }

  /**
   * Compute the positions for the current state. `tween`: whether nodes move there from their current positions.
   * @param {boolean} tween
   */
  arrange(tween) {
    const { state, tree, path, visible } = this.store;
    const { width, height, frame } = this;
    const words = nodeWords(tree, path.looks, state.type, state.inLesson);
    const corners = visible.root === 0 ? this.corners : null;
    const made = placesOf(path, tree, visible, { frame, width, height, type: state.type, words, fills: true, corners });
    // Only moves to fixed positions and back are animated.
    const moves = tween && (!frame || frame !== this.kept || this.before) && !state.isStill;
    const animate = moves && this.shown.size > 0 && visible.nodes.length < 400;
    this.visible = visible;
    if ((this.kept === null) !== (frame === null)) this.turned = performance.now();
    this.kept = frame;
    this.before = animate ? new Map(this.shown) : null;
    this.began = performance.now();
    this.places = made.places;
    this.ghosts = made.ghosts;
    this.camera.nodes = [...made.places.values()];
    if (!this.camera.isWhole || this.camera.x) this.camera.keepIn(width, height); // Another tree may have no node here.
  }

  /** Return the current positions of the tween. */
  moment() {
    const share = this.before ? Math.min(1, (performance.now() - this.began) / TWEEN) : 1;
    if (share >= 1) this.before = null;
    const ease = 1 - (1 - share) ** 3;
    const { tree } = this.store;
    this.shown = new Map();
    for (const [node, place] of this.places) {
      const origin = tree.origin[node];
      this.shown.set(origin, between(this.before?.get(origin) ?? place, place, ease));
    }
    return this.before !== null;
  }

  /** Draw everything; return whether a tween needs another frame. */
  draw() {
    const moving = this.moment();
    const context = sizeCanvas(this.canvas, this.width, this.height);
    this.context = context;
    this.canvas.classList.toggle("whole", this.camera.isWhole);
    context.clearRect(0, 0, this.width, this.height);
    this.labels.begin(this.width, this.height, this.store.path.looks.text);
    this.picture = new Picture(context, this.drawing.look(), this.labels);
    this.boxes = new Map();
    for (const node of this.visible.nodes) this.boxes.set(node, this.onScreen(node));
    this.lit = this.store.litNodes;
    this.oneWay = this.store.isOneWay;
    this.tagged = new Set(); // nodes whose edge has a label for the followed row
    drawGhosts(this);
    this.drawEdges();
    this.drawNodes();
    const obstacles = Array.from(this.boxes.values(), (box) => ({
      left: box.x - box.w / 2,
      top: box.y - box.h / 2,
      width: box.w,
      height: box.h,
    }));
    const falling = this.drawing.aboveTree(this);
    this.labels.end(obstacles);
    this.brushes.drawOn(this.canvas, context);
    this.minimap.draw();
    return moving || falling;
  }

  drawEdges() {
    drawEdges(this);
  }

  /** @param {number} node */
  onScreen(node) {
    const place = this.shown.get(this.store.tree.origin[node]);
    const { zoom } = this.camera;
    const [x, y] = this.camera.point(place.x, place.y);
    return {
      x,
      y,
      w: place.w * zoom,
      h: place.h * zoom,
      room: place.room * zoom,
      below: place.below * zoom,
      lines: place.lines,
    };
  }

  /** @param {ViewBox} box */
  isInSight(box) {
    return (
      box.x + box.room / 2 > -40 &&
      box.x - box.room / 2 < this.width + 40 &&
      box.y + box.h > -60 &&
      box.y - box.h < this.height + 40
    );
  }

  /** Whether a node is in view, or too small to be drawn in a tree that is whole in view. @param {number} node */
  holds(node) {
    if (this.minimap.element.hidden) return true;
    const box = this.boxes?.get(node);
    return box !== undefined && this.isInSight(box);
  }

  /** Return where the edges of a node start, below its plot and caption. @param {number} node @param {ViewBox} box */
  foot(node, box) {
    return this.picture.foot(node, box);
  }

  /**
   * Return {child, text} for the branch that the followed row takes at a node, with its signed margin, or null.
   * @param {number} node
   */
  branchTaken(node) {
    const step = this.store.way?.find((one) => one.node === node);
    if (!step || step.margin === null) return null;
    const { tree } = this.store;
    const child = tree.goesRight(node, step.margin) ? tree.right[node] : tree.left[node];
    if (Number.isNaN(step.margin)) return { child, text: "missing" };
    return { child, text: `${branchTo(tree, child)} (${signed(step.margin / tree.marginUnit(node), 2)} sd)` };
  }

  /**
   * Draw the condition that the followed row meets at a node, instead of the label of the edge that the row takes.
   * @param {number} node @param {number} x @param {number} y @param {number} room
   */
  tag(node, x, y, room) {
    const { colors, state } = this.store;
    const look = { size: 12 * state.type, color: colors.theme.accentText, background: colors.theme.background };
    this.labels.add({
      ...look,
      x,
      y,
      kind: "margin",
      node,
      room: Math.max(room, TAGGED),
      whole: true,
      weight: 600,
      text: this.branchTaken(node)?.text ?? "",
    });
  }

  /** Draw this condition above a node whose edges are too short for it. @param {number} node @param {ViewBox} box */
  margin(node, box) {
    if (this.tagged.has(node) || this.branchTaken(node) === null) return;
    this.tag(node, box.x, box.y - box.h / 2 - 12 * this.store.state.type, box.room);
  }

  /**
   * Draw a decision node with fewer than two visible children. A folded node shows how many nodes are below it.
   * @param {number} node @param {ViewBox} box
   */
  stub(node, box) {
    const { context } = this;
    const { colors, tree, state } = this.store;
    context.fillStyle = colors.theme.muted;
    const y = box.y + box.h / 2;
    const { dots, dot, below } = this.store.path.looks.edges;
    const size = 12 * state.type;
    const folded = this.visible.folded.get(node);
    if (folded === undefined || box.room < size || box.w < this.store.path.looks.detail.image)
      for (const i of [-1, 0, 1]) context.fillRect(box.x + i * dots - dot / 2, y + below, dot, dot);
    else {
      const long = `+ ${counted(folded, "node")}`;
      this.labels.add({
        x: box.x,
        y: this.foot(node, box) + 0.8 * size,
        text: textWidth(long, size, 600) <= box.room - 4 ? long : `+${folded}`,
        size,
        color: colors.theme.accentText,
        room: box.room,
        weight: 600,
        whole: true,
        kind: "folded",
        node,
      });
    }
    if (state.collapsed.has(tree.origin[node])) {
      context.strokeStyle = colors.theme.accent;
      context.lineWidth = 2;
      context.beginPath();
      context.moveTo(box.x - box.w / 2, y + 1);
      context.lineTo(box.x + box.w / 2, y + 1);
      context.stroke();
    }
  }

  drawNodes() {
    const { tree, state, colors } = this.store;
    const { context } = this;
    const first = tree.nodeOf.get(state.node);
    const order = [...this.boxes.keys()].sort((a, b) => Number(b === first) - Number(a === first));
    for (const node of order) {
      const box = this.boxes.get(node);
      if (!this.isInSight(box)) continue;
      const dim = this.lit && !this.lit.has(node);
      this.drawing.belowNode(this, node, box);
      const opacity = this.drawing.opacity(node);
      context.globalAlpha = dim ? 0.22 : opacity;
      this.labels.opacity = (1 + opacity) / 2;
      this.labels.color = dim ? colors.theme.muted : null; // The text must stay readable on faded boxes.
      const { lit } = this.picture;
      if (dim) this.picture.lit = null; // The whole node is faded.
      this.picture.draw(node, box);
      this.picture.lit = lit;
      context.globalAlpha = this.labels.opacity = 1;
      this.labels.color = null;
      const origin = tree.origin[node];
      if (origin === state.node) this.ring(node, box, colors.theme.accent, 3);
      else if (origin === state.hover) this.ring(node, box, colors.theme.muted, 2);
      else if (this.oneWay && this.lit?.has(node)) this.ring(node, box, colors.theme.accent, 2);
      else if (state.found?.has(origin)) this.ring(node, box, colors.theme.found, 2.5);
      this.number(node, box);
      this.margin(node, box);
      this.change(node, box);
      this.drawing.aboveNode(this, node, box);
    }
  }

  /** Write the number of a decision node next to its plot if words name it by this number. @param {number} node @param {ViewBox} box */
  number(node, box) {
    const { store } = this;
    const { tree, state, colors, path } = store;
    if (!store.namesNodes || tree.isLeaf(node) || box.w < path.looks.detail.thumbnail) return;
    const size = path.looks.text.small * state.type;
    const text = String(tree.origin[node]);
    const left = box.x - box.w / 2;
    const taken = textWidth(text, size, 600) + NUMBER;
    const isInside = taken > Math.min(left, (box.room - box.w) / 2); // Another node or the edge is too near.
    this.labels.add({
      ...{ x: isInside ? left : left - NUMBER, y: box.y - box.h / 2 + size / 2, text, size },
      ...{ color: colors.theme.text, background: isInside ? colors.theme.background : undefined },
      ...{ align: isInside ? "left" : "right", room: box.room / 2, weight: 600, whole: true, kind: "number", node },
    });
  }

  /** @param {number} node @param {ViewBox} box @param {string} color @param {number} width */
  ring(node, box, color, width) {
    const { context } = this;
    const { axes, caption } = this.picture.linesBelow(node, box);
    // Text begins 4 pixels below the box, and the ring must not cut through it.
    const gap = (axes + caption ? 0 : Math.min(3, box.w / 6)) + width / 2;
    context.strokeStyle = color;
    context.lineWidth = width;
    context.beginPath();
    const { tree, path } = this.store;
    const head = tree.isLeaf(node) || box.w < path.looks.detail.glyph ? 0 : headOf(path.looks, box);
    const h = box.h + 2 * gap + head;
    context.roundRect(box.x - box.w / 2 - gap, box.y + box.h / 2 + gap - h, box.w + 2 * gap, h, 3);
    context.stroke();
  }

  /**
   * Mark the differences from the pinned tree. The corner shows the number of removed and added weights.
   * @param {number} node @param {ViewBox} box
   */
  change(node, box) {
    const change = changeOfNode(this.store, node);
    if (!change || !(change.gone || change.fresh || change.moved || change.isNew || change.wasDecision)) return;
    const { colors, state } = this.store;
    const { context } = this;
    context.fillStyle = colors.theme.alarm;
    context.beginPath();
    context.arc(box.x + box.w / 2, box.y - box.h / 2, Math.max(2.5, Math.min(5, box.w / 8)), 0, 7);
    context.fill();
    const text = change.wasDecision
      ? "pruned"
      : change.isNew
        ? "new"
        : [change.gone && `−${change.gone}`, change.fresh && `+${change.fresh}`].filter(Boolean).join(" ");
    if (box.w >= 40 && text) {
      this.labels.add({
        x: box.x,
        y: box.y - box.h / 2 - 7 * state.type,
        text,
        size: 12 * state.type,
        color: colors.theme.alarmText,
        background: colors.theme.background,
        room: box.room,
        weight: 600,
        kind: "change",
        node,
      });
    }
  }

  /** Return the folded node whose label is under a point in the view, or null. @param {number} x @param {number} y */
  foldedAt(x, y) {
    for (const node of this.visible.folded.keys()) {
      const box = this.boxes.get(node);
      const top = box && Math.max(box.y + box.h / 2, this.foot(node, box) - FOLDED.above);
      if (box && Math.abs(x - box.x) <= Math.max(box.w, FOLDED.width) / 2 && y >= top && y <= top + FOLDED.height)
        return node;
    }
    return null;
  }

  /** Return the node under a point in the view, or null. @param {number} x @param {number} y */
  nodeAt(x, y) {
    let best = null,
      nearest = 10;
    for (const [node, box] of this.boxes ?? []) {
      const dx = Math.max(Math.abs(x - box.x) - box.w / 2, 0),
        dy = Math.max(Math.abs(y - box.y) - box.h / 2, 0);
      const distance = Math.hypot(dx, dy);
      if (distance < nearest) [best, nearest] = [node, distance];
      if (nearest === 0) break;
    }
    return best;
  }

  /** Move the camera so that a node is in view and large enough to read. @param {number} node */
  reveal(node) {
    const { detail } = this.store.path.looks;
    const place = this.places.get(node);
    if (!place) return;
    const box = this.onScreen(node);
    const inside =
      box.x - box.w / 2 > 0 &&
      box.x + box.w / 2 < this.width &&
      box.y - box.h / 2 > 0 &&
      box.y + box.h / 2 < this.height;
    if (!inside || box.w < detail.thumbnail)
      this.camera.centre(place.x, place.y, Math.min(detail.line / place.w, 12), this.width, this.height);
    this.on.moved();
  }

  /**
   * Bring all nodes of a path into view. The last node is large enough to read if that fits.
   * @param {number[]} nodes
   */
  revealWay(nodes) {
    const last = this.places.get(nodes[nodes.length - 1]);
    if (!last) return;
    const { camera, width, height } = this;
    const { detail } = this.store.path.looks;
    const box = boxAround(this.placed(nodes), AROUND);
    const [x0, y0] = camera.point(box.left, box.top);
    const [x1, y1] = camera.point(box.right, box.bottom);
    const inside = x0 > -AROUND && y0 > -AROUND && x1 < width + AROUND && y1 < height + AROUND;
    if (!inside || last.w * camera.zoom < detail.thumbnail) camera.frame(box, detail.line / last.w, width, height);
    this.on.moved();
  }

  /** @param {number[]} nodes */
  placed(nodes) {
    return nodes.map((node) => this.places.get(node)).filter(Boolean);
  }

  /** @param {number} factor */
  zoom(factor) {
    this.camera.zoomAt(this.width / 2, this.height / 2, factor, this.width, this.height);
    this.on.moved();
  }
}

/** Interpolate between two positions. @param {Place} from @param {Place} to @param {number} share */
function between(from, to, share) {
  const place = { ...to };
  for (const name of /** @type {(keyof Place)[]} */ (Object.keys(to)))
    place[name] = from[name] + share * (to[name] - from[name]);
  return place;
}

/** Return a box around positions, with a margin. @param {Place[]} places @param {number} room */
function boxAround(places, room) {
  return {
    left: Math.min(...places.map(({ x, w }) => x - w / 2 - room)),
    right: Math.max(...places.map(({ x, w }) => x + w / 2 + room)),
    top: Math.min(...places.map(({ y, h: high }) => y - high / 2 - room)),
    bottom: Math.max(...places.map(({ y, h: high }) => y + high / 2 + room)),
  };
}

/** Listen to pan, zoom, hover, click and drag on the canvas of a TreeView. @param {TreeView} view */
export function listenToView(view) {
  const { canvas } = view;
  /** @param {MouseEvent} event */
  const at = (event) => placeIn(canvas, event);
  /** @type {{start: Pair, last: Pair, moved: boolean, brush: TreeBrush | null} | null} */
  let drag = null;
  /** @type {Known<number, Pair>} */
  const pointers = new Map();
  canvas.addEventListener("pointerdown", (event) => {
    view.brushes.cancel(); // A second finger touches the canvas.
    pointers.set(event.pointerId, at(event));
    drag = { start: at(event), last: at(event), moved: false, brush: null };
    view.on.point(null, null, event);
    const node = event.shiftKey && pointers.size === 1 ? view.nodeAt(...at(event)) : null;
    if (node !== null) drag.brush = new TreeBrush(view, node, at(event));
    canvas.setPointerCapture(event.pointerId);
    view.on.press();
  });
  canvas.addEventListener("pointermove", (event) => {
    const here = at(event);
    if (!pointers.has(event.pointerId)) {
      const node = view.nodeAt(...here);
      const hit = pointAt(view, node, here);
      view.on.point(hit, node, event);
      view.on.hover(node, hit ? null : here);
      return;
    }
    if (!drag) return;
    if (drag.brush) return drag.brush.move(here);
    if (pointers.size === 2) {
      const other = [...pointers].filter(([id]) => id !== event.pointerId)[0][1];
      const own = pointers.get(event.pointerId);
      const was = Math.hypot(own[0] - other[0], own[1] - other[1]);
      const is = Math.hypot(here[0] - other[0], here[1] - other[1]);
      view.camera.zoomAt(
        (here[0] + other[0]) / 2,
        (here[1] + other[1]) / 2,
        is / Math.max(was, 1),
        view.width,
        view.height,
      );
      drag.moved = true;
    } else {
      if (Math.hypot(here[0] - drag.start[0], here[1] - drag.start[1]) > CLICK) drag.moved = true;
      // A finger scrolls the page if the whole tree is in view.
      const scrolls = event.pointerType === "touch" && view.camera.isWhole;
      if (drag.moved && !scrolls)
        view.camera.pan(here[0] - drag.last[0], here[1] - drag.last[1], view.width, view.height);
    }
    drag.last = here;
    pointers.set(event.pointerId, here);
    if (drag.moved) view.on.moved();
  });
  /** @param {PointerEvent} event */
  const up = (event) => {
    pointers.delete(event.pointerId);
    if (drag?.brush) drag.brush.end(event);
    else if (drag && !drag.moved && event.type === "pointerup") {
      const folded = view.foldedAt(...at(event));
      if (folded === null) view.on.select(view.nodeAt(...at(event)));
      else view.on.open(folded);
    }
    if (!pointers.size) drag = null;
  };
  canvas.addEventListener("pointerup", up);
  canvas.addEventListener("pointercancel", up);
  canvas.addEventListener("pointerleave", (event) => {
    view.on.point(null, null, event);
    view.on.hover(null);
  });
  canvas.addEventListener("dblclick", (event) => {
    const node = view.nodeAt(...at(event));
    if (node !== null) view.on.toggle(node);
  });
  canvas.addEventListener(
    "wheel",
    (event) => {
      const focused = focusedBeside(canvas) ?? document.body; // the focused element in the shadow tree of the stage
      const isMeant = event.ctrlKey || event.metaKey || focused !== document.body;
      if (!isMeant && isInScroller(canvas)) return; // The wheel scrolls the page.
      event.preventDefault();
      const step = event.deltaMode === 1 ? 30 : 1;
      view.camera.zoomAt(...at(event), Math.exp(-event.deltaY * step * 0.0018), view.width, view.height);
      view.on.moved();
    },
    { passive: false },
  );
}

/**
 * Return the row under the pointer if the scatterplot is large enough, as marks.at does, or null.
 * @param {TreeView} view @param {number | null} node @param {Pair} at
 */
function pointAt(view, node, at) {
  const box = node === null ? undefined : view.boxes?.get(node);
  if (
    node === null ||
    !box ||
    box.w < view.picture.looks.detail.line ||
    view.before ||
    kindOf(view.store.tree, node).handles !== "line"
  )
    return null;
  return marksOf(view.picture, node, box)?.at(...at) ?? null;
}

/** Drag or click with Shift that begins on a node and adds to the selection. */
class TreeBrush {
  /** @param {TreeView} view @param {number} node @param {Pair} at */
  constructor(view, node, at) {
    const box = view.boxes.get(node);
    const marks = box.w >= view.picture.looks.detail.line ? marksOf(view.picture, node, box) : null;
    this.view = view;
    this.tree = view.store.tree;
    this.node = node;
    this.brush = marks && view.brushes.begin(view.canvas, marks, at, true);
  }

  /** @param {Pair} at */
  move(at) {
    this.brush?.move(at);
  }

  /** @param {PointerEvent} event */
  end(event) {
    const { brush, view } = this;
    const { store, brushes } = view;
    const isOver = brush && brushes.current !== brush; // Escape has cancelled the drag.
    const moved = brush && !isOver && brush.end();
    if (!moved && !isOver && event.type === "pointerup") {
      const { rows } = this.tree.reaching(store.state.set, this.node);
      select(store, selected(store.path, rows, store.state.selection));
    }
    view.on.moved();
  }
}
