// The tree on its canvas: edges, nodes, labels; pan, zoom, hover, click.

import { Camera } from "./camera.js";
import { number } from "./condition.js";
import { h, sized } from "./dom.js";
import { LabelLayer } from "./labels.js";
import { DETAIL } from "./detail.js";
import { isOneWay } from "./light.js";
import { Picture } from "./picture.js";
import { placesOf, visibleNodes } from "./places.js";
import { TreeBrush, pointAt } from "./tree_brush.js";

const TWEEN = 260; // milliseconds
const CLICK = 4; // pixels that a click may move

/** Draws `stage.state` into an element; reports what the pointer does through `on`: {select, hover, toggle, moved}. */
export class TreeView {
  constructor(stage, on) {
    this.stage = stage;
    this.on = on;
    this.camera = new Camera();
    this.canvas = h("canvas", { "aria-hidden": "true" });
    this.layer = h("div", { class: "labels", "aria-hidden": "true" });
    this.element = h("div", { class: "view" }, this.canvas, this.layer);
    this.labels = new LabelLayer(this.layer);
    this.shown = new Map(); // origin -> place on screen now, for tweens
    this.width = this.height = 0;
    this.listen();
  }

  resize(width, height) {
    this.width = width;
    this.height = height;
    this.element.style.width = `${width}px`;
    this.element.style.height = `${height}px`;
  }

  /** Work out places for the current state; `tween` moves nodes there from where they are. */
  arrange(tween) {
    const { state, tree } = this.stage;
    const { focus, collapsed, set } = state;
    this.visible = visibleNodes(tree, {
      focus,
      collapsed,
      set,
      support: this.stage.support,
      levels: this.stage.levels,
      open: this.stage.wayNodes(),
    });
    const caption = 17 * state.type;
    const made = placesOf(this.stage.path, tree, this.visible, {
      frame: this.stage.frame,
      width: this.width,
      height: this.height,
      caption,
    });
    const animate = tween && !this.stage.reducedMotion && this.shown.size > 0 && this.visible.nodes.length < 400;
    this.before = animate ? new Map(this.shown) : null;
    this.began = performance.now();
    this.places = made.places;
    this.ghosts = made.ghosts;
  }

  /** Places of this moment of the tween. */
  moment() {
    const share = this.before ? Math.min(1, (performance.now() - this.began) / TWEEN) : 1;
    if (share >= 1) this.before = null;
    const ease = 1 - (1 - share) ** 3;
    const { tree } = this.stage;
    this.shown = new Map();
    for (const [node, place] of this.places) {
      const old = this.before?.get(tree.origin[node]);
      const mix = (name) => (old ? old[name] + ease * (place[name] - old[name]) : place[name]);
      this.shown.set(
        tree.origin[node],
        old ? { x: mix("x"), y: mix("y"), w: mix("w"), h: mix("h"), room: mix("room"), below: mix("below") } : place,
      );
    }
    return this.before !== null;
  }

  /** Paint everything; returns whether a tween wants another frame. */
  draw() {
    const moving = this.moment();
    const context = sized(this.canvas, this.width, this.height);
    this.context = context;
    context.clearRect(0, 0, this.width, this.height);
    this.labels.begin(this.width, this.height);
    this.picture = new Picture(context, this.stage.look(), this.labels);
    this.boxes = new Map();
    for (const node of this.visible.nodes) this.boxes.set(node, this.onScreen(node));
    this.lit = this.stage.litNodes();
    this.oneWay = isOneWay(this.stage);
    this.tagged = new Set(); // nodes whose answer for the followed row stands on an edge
    this.drawGhosts();
    this.drawEdges();
    this.drawNodes();
    const obstacles = Array.from(this.boxes.values(), (box) => ({
      left: box.x - box.w / 2,
      top: box.y - box.h / 2,
      width: box.w,
      height: box.h,
    }));
    this.labels.end(obstacles);
    this.stage.brush?.drawOn(this.canvas, context);
    return moving;
  }

  onScreen(node) {
    const place = this.shown.get(this.stage.tree.origin[node]);
    const { zoom } = this.camera;
    const [x, y] = this.camera.point(place.x, place.y);
    return { x, y, w: place.w * zoom, h: place.h * zoom, room: place.room * zoom, below: place.below * zoom };
  }

  isInSight(box) {
    return (
      box.x + box.room / 2 > -40 &&
      box.x - box.room / 2 < this.width + 40 &&
      box.y + box.h > -60 &&
      box.y - box.h < this.height + 40
    );
  }

  drawGhosts() {
    const { colors, state } = this.stage;
    const { context, camera } = this;
    if (!this.ghosts.length || !state.ghosts) return;
    this.labels.add({
      x: 12,
      y: this.height - 11 * state.type,
      text: this.stage.comparison.pinned ? "dashed: gone since the pinned tree" : "dots: pruned at this λ",
      size: 10 * state.type,
      color: colors.theme.muted,
      align: "left",
      room: 240,
      kind: "note",
    });
    const places = this.stage.frame;
    const pinned = this.stage.comparison.pinned;
    for (const pass of pinned ? ["plain", "gone"] : ["plain"]) {
      const isGone = (origin) => pinned?.nodeOf.has(origin) === true;
      context.strokeStyle = context.fillStyle = pass === "gone" ? colors.theme.alarm : colors.theme.ghost;
      context.lineWidth = pass === "gone" ? 1.4 : 1;
      context.setLineDash(pass === "gone" ? [4, 3] : []);
      context.beginPath();
      for (const ghost of this.ghosts) {
        if (isGone(ghost.origin) !== (pass === "gone") || ghost.from === null) continue;
        const above = this.stage.tree.nodeOf.get(places.origin[ghost.from]);
        const from =
          above !== undefined && this.boxes.has(above)
            ? [this.boxes.get(above).x, this.foot(above, this.boxes.get(above))]
            : camera.point(...Object.values(pick(ghost.at(ghost.from))));
        this.curve(from, camera.point(ghost.x, ghost.y));
      }
      context.stroke();
      context.setLineDash([]);
      const radius = pass === "gone" ? 3.2 : 2;
      context.beginPath();
      for (const ghost of this.ghosts) {
        if (isGone(ghost.origin) !== (pass === "gone")) continue;
        const [x, y] = camera.point(ghost.x, ghost.y);
        context.moveTo(x + radius, y);
        context.arc(x, y, radius, 0, 7);
      }
      context.fill();
    }
  }

  curve([x0, y0], [x1, y1]) {
    const bend = (y1 - y0) * 0.5;
    this.context.moveTo(x0, y0);
    this.context.bezierCurveTo(x0, y0 + bend, x1, y1 - bend, x1, y1);
  }

  drawEdges() {
    const { tree, state, colors } = this.stage;
    const { n, counts } = tree.figures(state.set);
    const k = this.stage.path.classes.length;
    const { context } = this;
    context.lineCap = "round";
    for (const [node, box] of this.boxes) {
      const children = this.visible.kept.get(node);
      if (!tree.isLeaf(node) && children.length < 2) this.stub(node, box);
      for (const child of children) {
        const to = this.boxes.get(child);
        if (!this.isInSight(box) && !this.isInSight(to)) continue;
        const share = n[child] / Math.max(n[0], 1);
        const width = (1 + 10 * Math.sqrt(share)) * Math.min(1.6, Math.max(0.7, this.camera.zoom));
        const from = [box.x, this.foot(node, box)],
          end = [to.x, to.y - to.h / 2];
        const onWay = this.lit?.has(node) && this.lit.has(child);
        context.globalAlpha = this.lit && !onWay ? 0.3 : 1;
        if (state.edges === "class" && n[child])
          this.strands(from, end, width, counts.subarray(child * k, child * k + k), n[child]);
        else {
          context.strokeStyle = onWay && this.oneWay ? colors.theme.accent : colors.theme.line;
          context.lineWidth = width;
          context.beginPath();
          this.curve(from, end);
          context.stroke();
        }
        if (onWay && this.picture.lit) this.flow(child, from, end, width);
        context.globalAlpha = 1;
        this.labels.opacity = this.lit && !onWay ? 0.4 : 1;
        this.edgeLabel(node, child, from, end, box, to);
        this.labels.opacity = 1;
      }
    }
  }

  /** Inside an edge, the share of its sampled rows that is selected. */
  flow(child, from, end, width) {
    const { tree, state, colors } = this.stage;
    const { lit } = this.picture;
    const here = tree.reaching(state.set, child).rows.length;
    this.context.strokeStyle = colors.theme.accent;
    this.context.lineWidth = Math.max(1.5, (width * lit.reaching(tree, state.set)[child]) / Math.max(here, 1));
    this.context.beginPath();
    this.curve(from, end);
    this.context.stroke();
  }

  /** Where the edges of a node begin: below its picture and caption. */
  foot(node, box) {
    const { axes, caption } = this.picture.linesBelow(node, box);
    return box.y + box.h / 2 + (axes + caption ? 5 + 13 * (axes + caption) * this.stage.state.type : 0);
  }

  /** One strand per class, as wide as its share of the rows of the edge. */
  strands(from, end, width, counts, n) {
    const { context } = this;
    const total = Math.max(width, 2.5);
    let offset = -total / 2;
    context.lineCap = "butt";
    counts.forEach((count, c) => {
      if (!count) return;
      const part = (count / n) * total;
      context.strokeStyle = this.stage.colors.ofClass(c);
      context.lineWidth = part + 0.3;
      const x = offset + part / 2;
      context.beginPath();
      this.curve([from[0] + x, from[1]], [end[0] + x, end[1]]);
      context.stroke();
      offset += part;
    });
    context.lineCap = "round";
  }

  edgeLabel(node, child, from, end, box, to) {
    const { tree, state, colors } = this.stage;
    if (end[1] - from[1] < 12 || Math.min(box.room, to.room) < 34) return;
    const x = (from[0] + end[0]) / 2,
      y = (from[1] + end[1]) / 2;
    const answer = tree.right[node] === child ? "yes" : "no";
    if (this.answered(node)?.startsWith(answer)) {
      this.tagged.add(node);
      return this.tag(node, x, y, 90);
    }
    const look = { size: 10 * state.type, color: colors.theme.muted, background: colors.theme.background };
    this.labels.add({ ...look, x, y, kind: "edge", node, room: 90, text: answer });
  }

  /** What a node on the way of the followed row answers, with its signed margin, or null. */
  answered(node) {
    const step = this.stage.way?.find((one) => one.node === node);
    if (!step || step.margin === null) return null;
    return Number.isNaN(step.margin)
      ? `${this.stage.tree.goesRight(node, step.margin) ? "yes" : "no"}, missing`
      : `${step.margin >= 0 ? "yes +" : "no "}${number(step.margin, 2)}`;
  }

  /** The answer of a node for the followed row: on the edge that the row takes, in place of its plain "yes" or "no". */
  tag(node, x, y, room) {
    const { colors, state } = this.stage;
    const look = { size: 11 * state.type, color: colors.theme.accentText, background: colors.theme.background };
    this.labels.add({ ...look, x, y, kind: "margin", node, room, weight: 600, text: this.answered(node) });
  }

  /** Above a node, where its edges have no room for it. */
  margin(node, box) {
    if (this.tagged.has(node) || this.answered(node) === null) return;
    this.tag(node, box.x, box.y - box.h / 2 - 12 * this.stage.state.type, Math.max(box.room, 80));
  }

  /** A node that is not a leaf but shows fewer than two children. */
  stub(node, box) {
    const { context } = this;
    const { colors, tree, state } = this.stage;
    context.fillStyle = colors.theme.muted;
    const y = box.y + box.h / 2;
    for (const dx of [-4, 0, 4]) context.fillRect(box.x + dx - 1, y + 3, 2, 2);
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
    const { tree, state, colors } = this.stage;
    const { context } = this;
    const first = tree.nodeOf.get(state.node);
    const order = [...this.boxes.keys()].sort((a, b) => (b === first) - (a === first));
    for (const node of order) {
      const box = this.boxes.get(node);
      if (!this.isInSight(box)) continue;
      const dim = this.lit && !this.lit.has(node);
      context.globalAlpha = dim ? 0.22 : 1;
      this.labels.opacity = dim ? 0.4 : 1;
      const { lit } = this.picture;
      if (dim) this.picture.lit = null; // it is faded as a whole
      this.picture.draw(node, box);
      this.picture.lit = lit;
      context.globalAlpha = this.labels.opacity = 1;
      const origin = tree.origin[node];
      if (origin === state.node) this.ring(node, box, colors.theme.accent, 3);
      else if (origin === state.hover) this.ring(node, box, colors.theme.muted, 2);
      else if (this.oneWay && this.lit?.has(node)) this.ring(node, box, colors.theme.accent, 2);
      else if (state.found?.has(origin)) this.ring(node, box, colors.theme.found, 2.5);
      this.margin(node, box);
      this.change(node, box);
    }
  }

  ring(node, box, color, width) {
    const { context } = this;
    const { axes, caption } = this.picture.linesBelow(node, box);
    // words begin 4 pixels from the box: the ring must not cut through them
    const gap = (axes + caption ? 0 : Math.min(3, box.w / 6)) + width / 2;
    context.strokeStyle = color;
    context.lineWidth = width;
    context.beginPath();
    context.roundRect(box.x - box.w / 2 - gap, box.y - box.h / 2 - gap, box.w + 2 * gap, box.h + 2 * gap, 3);
    context.stroke();
  }

  /** What is different from the pinned tree: a mark in the corner, the number of weights gone and new. */
  change(node, box) {
    const change = this.stage.comparison.ofNode(node);
    if (!change || !(change.gone || change.fresh || change.moved || change.isNew || change.wasDecision)) return;
    const { colors, state } = this.stage;
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
        size: 10 * state.type,
        color: colors.theme.alarmText,
        background: colors.theme.background,
        room: box.room,
        weight: 600,
        kind: "change",
        node,
      });
    }
  }

  /** Node below a point of the view, or null. */
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

  listen() {
    const { canvas } = this;
    const at = (event) => {
      const box = canvas.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    let drag = null;
    const pointers = new Map();
    canvas.addEventListener("pointerdown", (event) => {
      this.stage.brush?.cancel(); // a second finger
      pointers.set(event.pointerId, at(event));
      drag = { start: at(event), last: at(event), moved: false };
      this.on.point(null, null, event);
      const node = event.shiftKey && pointers.size === 1 ? this.nodeAt(...at(event)) : null;
      if (node !== null) drag.brush = new TreeBrush(this, node, at(event));
      canvas.setPointerCapture(event.pointerId);
      this.stage.element.focus({ preventScroll: true }); // so that Escape is heard
    });
    canvas.addEventListener("pointermove", (event) => {
      const here = at(event);
      if (!pointers.has(event.pointerId)) {
        const node = this.nodeAt(...here);
        const hit = pointAt(this, node, here);
        this.on.point(hit, node, event);
        this.on.hover(node, hit ? null : here);
        return;
      }
      if (drag?.brush) return drag.brush.move(here);
      if (pointers.size === 2) {
        const other = [...pointers].find(([id]) => id !== event.pointerId)[1];
        const was = Math.hypot(
          pointers.get(event.pointerId)[0] - other[0],
          pointers.get(event.pointerId)[1] - other[1],
        );
        const is = Math.hypot(here[0] - other[0], here[1] - other[1]);
        this.camera.zoomAt(
          (here[0] + other[0]) / 2,
          (here[1] + other[1]) / 2,
          is / Math.max(was, 1),
          this.width,
          this.height,
        );
        drag.moved = true;
      } else {
        if (Math.hypot(here[0] - drag.start[0], here[1] - drag.start[1]) > CLICK) drag.moved = true;
        if (drag.moved) this.camera.pan(here[0] - drag.last[0], here[1] - drag.last[1], this.width, this.height);
      }
      drag.last = here;
      pointers.set(event.pointerId, here);
      if (drag.moved) this.on.moved();
    });
    const up = (event) => {
      pointers.delete(event.pointerId);
      if (drag?.brush) drag.brush.end(event);
      else if (drag && !drag.moved && event.type === "pointerup") this.on.select(this.nodeAt(...at(event)));
      if (!pointers.size) drag = null;
    };
    canvas.addEventListener("pointerup", up);
    canvas.addEventListener("pointercancel", up);
    canvas.addEventListener("pointerleave", (event) => {
      this.on.point(null, null, event);
      this.on.hover(null);
    });
    canvas.addEventListener("dblclick", (event) => {
      const node = this.nodeAt(...at(event));
      if (node !== null) this.on.toggle(node);
    });
    canvas.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        const step = event.deltaMode === 1 ? 30 : 1;
        this.camera.zoomAt(...at(event), Math.exp(-event.deltaY * step * 0.0018), this.width, this.height);
        this.on.moved();
      },
      { passive: false },
    );
  }

  /** Move the camera so that a node is in sight, and large enough to read. */
  reveal(node, width = DETAIL.line) {
    const place = this.places.get(node);
    if (!place) return;
    const box = this.onScreen(node);
    const inside =
      box.x - box.w / 2 > 0 &&
      box.x + box.w / 2 < this.width &&
      box.y - box.h / 2 > 0 &&
      box.y + box.h / 2 < this.height;
    if (!inside || box.w < DETAIL.thumbnail)
      this.camera.centre(place.x, place.y, Math.min(width / place.w, 12), this.width, this.height);
  }
}

function pick({ x, y }) {
  return { x, y };
}
