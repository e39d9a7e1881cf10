// Pen and keys of the painter.

import { TOP } from "../model/painted_points.js";

const EVERY = 22; // milliseconds between two points of the spray
const APART = 14; // pixels between two single points of a stroke
const STEP = { far: 40, near: 8 }; // units that an arrow key moves the brush

export function listenToPainter(paint) {
  const { canvas, store, life, on } = paint;
  const place = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const point = (event) => {
    const [x, y] = paint.at(...place(event));
    paint.cursor = { x, y, isKey: false };
  };
  let last = null;
  const down = (event) => {
    if (event.button !== 0 || last) return;
    point(event);
    canvas.setPointerCapture(event.pointerId);
    store.set({ penDown: true });
    last = place(event);
    paint.model.begin();
    paint.stroke(paint.cursor.x, paint.cursor.y);
    // a spray that is held goes on
    if (paint.mode === "spray") paint.spraying = life.every(() => paint.stroke(paint.cursor.x, paint.cursor.y), EVERY);
  };
  const move = (event) => {
    point(event);
    if (!last) return on.draw();
    const here = place(event);
    if (
      paint.mode === "erase" ||
      (paint.mode === "point" && Math.hypot(here[0] - last[0], here[1] - last[1]) > APART)
    ) {
      last = here;
      paint.stroke(paint.cursor.x, paint.cursor.y);
    } else if (paint.mode === "spray") paint.stroke(paint.cursor.x, paint.cursor.y);
  };
  const up = () => {
    if (!last) return;
    last = null;
    life.stop(paint.spraying);
    paint.settle();
    store.set({ penDown: false });
  };
  paint.liftPen = up;
  canvas.addEventListener("pointerdown", down);
  canvas.addEventListener("pointermove", move);
  canvas.addEventListener("pointerup", up);
  canvas.addEventListener("pointercancel", up);
  canvas.addEventListener("lostpointercapture", up);
  canvas.addEventListener("pointerleave", () => {
    if (last) return;
    paint.cursor = null;
    on.draw();
  });
  canvas.addEventListener("focus", () => {
    if (!paint.cursor && canvas.matches(":focus-visible")) paint.cursor = { x: TOP / 2, y: TOP / 2, isKey: true };
    on.draw();
  });
  canvas.addEventListener("blur", () => on.draw());
}

export function paintKey(paint, event) {
  const { target, key } = event;
  if (!paint.isUsable || event.defaultPrevented || event.altKey) return;
  const isTyping = target.matches?.("input:not([type=range]), textarea, select");
  if (isTyping) return;
  const isCommand = event.ctrlKey || event.metaKey;
  if (key.toLowerCase() === "z" && (isCommand || target === paint.canvas)) paint.undo();
  else if (isCommand) return;
  else if (/^[1-8]$/.test(key)) paint.choose(Number(key) - 1);
  else if (target !== paint.canvas || !brushKey(paint, event)) return;
  event.preventDefault();
}

/** Keys of the brush itself; returns whether it was one. */
function brushKey(paint, { key, shiftKey }) {
  const cursor = paint.cursor ?? { x: TOP / 2, y: TOP / 2 };
  const by = shiftKey ? STEP.near : STEP.far;
  const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[key] ?? [0, 0];
  const kept = (value) => Math.max(0, Math.min(TOP, value));
  paint.cursor = { x: kept(cursor.x + by * dx), y: kept(cursor.y + by * dy), isKey: true };
  if (key === " " || key === "Enter") {
    paint.model.begin();
    paint.stroke(paint.cursor.x, paint.cursor.y);
    paint.settle();
    paint.say(paint.mode === "erase" ? "Erased" : `Point of ${paint.options.classes[paint.label]}`);
  } else if (key.toLowerCase() === "e") paint.setMode(paint.mode === "erase" ? "spray" : "erase");
  else if (!dx && !dy) return false;
  paint.on.draw();
  return true;
}
