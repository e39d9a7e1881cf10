// Pen and keys of the painting tool.

import { ARROWS, isTyping, placeIn } from "../elements/dom.js";
import { TOP } from "../geometry/painted_points.js";

const EVERY = 22; // milliseconds between two points of the spray
const APART = 14; // pixels between two single points in a stroke
const STEP = { far: 40, near: 8 }; // units by which an arrow key moves the brush

/** Listen to the pen. Return the function that lifts it. @param {Paint} paint */
export function listenToPainter(paint) {
  const { canvas, store, life, on } = paint;
  /** @param {MouseEvent} event */
  const place = (event) => placeIn(canvas, event);
  /** @param {PointerEvent} event */
  const point = (event) => {
    const [x, y] = paint.at(...place(event));
    paint.cursor = { x, y, isKey: false };
  };
  /** @type {Pair | null} */
  let last = null;
  /** @type {any} timer of the spray */
  let spraying = null;
  const stroke = () => paint.cursor && paint.stroke(paint.cursor.x, paint.cursor.y);
  /** @param {PointerEvent} event */
  const down = (event) => {
    if (event.button !== 0 || last) return;
    point(event);
    canvas.setPointerCapture(event.pointerId);
    store.set({ penDown: true });
    last = place(event);
    paint.model.begin();
    stroke();
    // The spray continues while the pointer is pressed.
    if (paint.mode === "spray") spraying = life.every(stroke, EVERY);
  };
  /** @param {PointerEvent} event */
  const move = (event) => {
    point(event);
    if (!last) return on.draw();
    const here = place(event);
    if (
      paint.mode === "erase" ||
      (paint.mode === "point" && Math.hypot(here[0] - last[0], here[1] - last[1]) > APART)
    ) {
      last = here;
      stroke();
    } else if (paint.mode === "spray") stroke();
  };
  const up = () => {
    if (!last) return;
    last = null;
    life.stop(spraying);
    paint.settle();
    store.set({ penDown: false });
  };
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
  return up;
}

/** @param {Paint} paint @param {KeyboardEvent} event */
export function paintKey(paint, event) {
  const { target, key } = event;
  if (!paint.isUsable || event.defaultPrevented || event.altKey || isTyping(event)) return;
  const isCommand = event.ctrlKey || event.metaKey;
  if (key.toLowerCase() === "z" && (isCommand || target === paint.canvas)) paint.undo();
  else if (isCommand) return;
  else if (/^[1-8]$/.test(key)) paint.choose(Number(key) - 1);
  else if (target !== paint.canvas || !brushKey(paint, event)) return;
  event.preventDefault();
}

/**
 * Handle the keys of the brush; return whether the brush has used the key.
 * @param {Paint} paint @param {KeyboardEvent} event
 */
function brushKey(paint, { key, shiftKey }) {
  const cursor = paint.cursor ?? { x: TOP / 2, y: TOP / 2 };
  const by = shiftKey ? STEP.near : STEP.far;
  const [dx, down] = ARROWS[key] ?? [0, 0];
  /** @param {number} value */
  const kept = (value) => Math.max(0, Math.min(TOP, value));
  paint.cursor = { x: kept(cursor.x + by * dx), y: kept(cursor.y - by * down), isKey: true };
  if (key === " " || key === "Enter") {
    paint.model.begin();
    paint.stroke(paint.cursor.x, paint.cursor.y);
    paint.settle();
    paint.say(paint.mode === "erase" ? "Erased" : `Point, class ${paint.options?.classes[paint.label]}`);
  } else if (key.toLowerCase() === "e") paint.setMode(paint.mode === "erase" ? "spray" : "erase");
  else if (!dx && !down) return false;
  paint.on.draw();
  return true;
}
