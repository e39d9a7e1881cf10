// Map of the whole tree in a corner of the view, with a frame around the part in view. It appears when nodes are out of
// view.

import { focusedBeside, h, placeIn, sizeCanvas } from "../elements/dom.js";

const STEP = 0.2; // share of the view that an arrow key moves
const ZOOM = 1.4; // factor of a key
const LEAST_NODE = 2; // minimum side of a node in pixels
/** @type {Record<string, Pair>} */
const WAYS = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

export class Minimap {
  /** @param {TreeView} view */
  constructor(view) {
    this.view = view;
    this.canvas = h("canvas", { "aria-hidden": "true" });
    this.element = h(
      "div",
      {
        class: "minimap",
        role: "application",
        tabindex: "0",
        hidden: true,
        "data-testid": "stage-minimap",
        title: "Map of the tree. Drag the frame to move the view.",
        "aria-label": "Map of the tree. Arrow keys move the view, plus and minus zoom, 0 shows the whole tree",
      },
      this.canvas,
    );
    this.map = mapOf(1, 1);
    /** @type {Pair | null} distance from the pointer to the centre of the frame while the user drags */
    this.drag = null;
    this.element.addEventListener("pointerdown", (event) => this.press(event));
    this.element.addEventListener("pointermove", (event) => this.drag && this.moveTo(...placeIn(this.canvas, event)));
    for (const kind of ["pointerup", "pointercancel"])
      this.element.addEventListener(kind, () => {
        this.drag = null;
      });
    this.element.addEventListener("keydown", (event) => this.key(event));
  }

  /** Draw the map, or hide it if all nodes are in view. */
  draw() {
    const { view, element } = this;
    const { store, camera, width, height, places, visible } = view;
    // A lesson moves the view itself.
    const isHidden = store.state.inLesson || (!this.drag && camera.holds(places.values(), width, height));
    if (isHidden !== element.hidden) {
      const isLeft = isHidden && focusedBeside(element) === element;
      element.hidden = isHidden;
      if (isLeft) view.on.press(); // The stage keeps the focus.
    }
    if (isHidden) return;
    const { theme } = store.colors;
    this.map = mapOf(width, height);
    const { scale, w, h: high } = this.map;
    const context = sizeCanvas(this.canvas, w, high);
    context.clearRect(0, 0, w, high);
    context.strokeStyle = theme.line;
    context.lineWidth = 1;
    context.beginPath();
    for (const node of visible.nodes) {
      const place = places.get(node);
      const above = places.get(store.tree.parent[node]);
      if (!place || !above) continue;
      context.moveTo(above.x * scale, above.y * scale);
      context.lineTo(place.x * scale, place.y * scale);
    }
    context.stroke();
    for (const [node, place] of places) {
      const isLeaf = store.tree.isLeaf(node);
      context.fillStyle = (isLeaf && store.colors.ofNode(store.tree, store.state.set, node, "class")) || theme.muted;
      const [nodeW, nodeH] = [place.w, place.h].map((side) => Math.max(LEAST_NODE, side * scale));
      context.fillRect(place.x * scale - nodeW / 2, place.y * scale - nodeH / 2, nodeW, nodeH);
    }
    const frame = frameInMap(this.map, camera, width, height);
    context.strokeStyle = theme.accent;
    context.lineWidth = 2;
    context.strokeRect(frame.left, frame.top, frame.w, frame.h);
  }

  /** @param {PointerEvent} event */
  press(event) {
    const { view } = this;
    const [x, y] = placeIn(this.canvas, event);
    const { left, top, w, h: high } = frameInMap(this.map, view.camera, view.width, view.height);
    const isInside = x >= left && x <= left + w && y >= top && y <= top + high;
    this.drag = isInside ? [left + w / 2 - x, top + high / 2 - y] : [0, 0];
    this.element.setPointerCapture(event.pointerId);
    this.moveTo(x, y);
  }

  /** Move the view for a pointer at (x, y) on the map. @param {number} x @param {number} y */
  moveTo(x, y) {
    const { view, map, drag } = this;
    const { camera, width, height } = view;
    if (!drag) return;
    camera.centre((x + drag[0]) / map.scale, (y + drag[1]) / map.scale, camera.zoom, width, height);
    view.on.moved();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const { view } = this;
    const { camera, width, height } = view;
    const way = WAYS[event.key];
    if (way) camera.pan(way[0] * STEP * width, way[1] * STEP * height, width, height);
    else if (event.key === "+" || event.key === "=") view.zoom(ZOOM);
    else if (event.key === "-") view.zoom(1 / ZOOM);
    else if (event.key === "0") camera.fit();
    else return;
    event.preventDefault();
    event.stopPropagation();
    view.on.moved();
  }
}

const SHARE = { width: 0.22, height: 0.3 }; // maximum size of the map, as shares of the view
const LARGEST = 200; // width in pixels

/**
 * Return the map of a view: {w, h: size in pixels, scale: pixels of the map per pixel of the whole tree}.
 * @param {number} width @param {number} height
 */
export function mapOf(width, height) {
  const scale = Math.min(SHARE.width, SHARE.height, LARGEST / width);
  return { w: width * scale, h: height * scale, scale };
}

/**
 * Return the part of the map that is in view, as {left, top, w, h}.
 * @param {{w: number, h: number, scale: number}} map @param {{zoom: number, x: number, y: number}} camera
 * @param {number} width @param {number} height
 */
export function frameInMap({ w, h, scale }, { zoom, x, y }, width, height) {
  /** @param {number} offset @param {number} size @param {number} most */
  const part = (offset, size, most) => {
    const ends = [-offset / zoom, (size - offset) / zoom].map((end) => Math.min(most, Math.max(0, end * scale)));
    return [ends[0], ends[1] - ends[0]];
  };
  const [left, wide] = part(x, width, w);
  const [top, high] = part(y, height, h);
  return { left, top, w: wide, h: high };
}
