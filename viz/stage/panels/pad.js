// Drawing area for images with one cell per pixel. The user draws a row, or changes the followed row with pen and
// eraser.

import { ARROWS, h, placeIn, sizeCanvas } from "../elements/dom.js";
import { currentValues, tryValues } from "../model/followed_row.js";
import { imageSize, inkImage } from "../draw/sprites.js";

/**
 * Drawing area with its tools. It changes the followed row, or creates a row if none is followed. `refresh()` redraws
 * the inspector.
 */
export class Pad {
  /** @param {Store} store @param {() => void} refresh */
  constructor(store, refresh) {
    this.store = store;
    this.refresh = refresh;
    this.isErasing = false;
    this.of = ""; // name of the data that the drawing belongs to
    this.drawn = new Float64Array(0);
    /** @type {Pair} */
    this.cursor = [0, 0];
  }

  draw() {
    const { store } = this;
    const { path, colors } = store;
    const [rows, columns] = imageSize(path);
    const unit = Math.max(2, Math.floor(Math.min(196 / rows, 240 / columns)));
    const top = path.largestValue;
    if (this.of !== path.name) {
      this.of = path.name;
      this.drawn = new Float64Array(rows * columns);
      this.cursor = [Math.floor(rows / 2), Math.floor(columns / 2)];
    }
    const { drawn, cursor } = this;
    const isOfData = () => store.state.row?.isDrawn !== true && store.state.row !== null;
    const now = () => (isOfData() && currentValues(store.state)) || null;
    const canvas = h("canvas", {
      class: "pad",
      "data-testid": "stage-pad",
      tabindex: "0",
      role: "img",
      "aria-label": `Drawing area of ${columns} by ${rows} cells: draw with the pointer, or move with the arrow keys and press space`,
    });
    const paint = () => {
      const context = sizeCanvas(canvas, columns * unit, rows * unit);
      context.imageSmoothingEnabled = false;
      const shown = now()?.map((v) => v / top) ?? drawn;
      context.drawImage(inkImage(path, colors, shown), 0, 0, columns * unit, rows * unit);
      if (canvas.matches(":focus-visible")) {
        context.strokeStyle = colors.theme.accent;
        context.lineWidth = 2;
        context.strokeRect(cursor[1] * unit, cursor[0] * unit, unit, unit);
      }
    };
    /** @param {number} x @param {number} y */
    const mark = (x, y) => {
      const values = now()?.slice() ?? drawn;
      const full = isOfData() ? top : 1;
      const radius = Math.max(1, Math.min(rows, columns) / 18);
      for (let r = 0; r < rows; r++) {
        for (let c = 0; c < columns; c++) {
          const ink = Math.max(0, Math.min(1, radius + 0.6 - Math.hypot(r - y, c - x)));
          const p = r * columns + c;
          const value = this.isErasing ? Math.min(values[p], (1 - ink) * full) : Math.max(values[p], ink * full);
          values[p] = isOfData() && value !== values[p] && path.isWhole ? Math.round(value) : value;
        }
      }
      if (isOfData()) tryValues(store, values);
      else store.set({ row: { values: asRow(path, drawn), label: null, isDrawn: true } });
      paint();
    };
    /** @param {PointerEvent} event */
    const draw = (event) => {
      const [x, y] = placeIn(canvas, event);
      mark(x / unit - 0.5, y / unit - 0.5);
    };
    canvas.addEventListener("pointerdown", (event) => {
      store.set({ penDown: true });
      canvas.setPointerCapture(event.pointerId);
      draw(event);
    });
    canvas.addEventListener("pointermove", (event) => store.state.penDown && draw(event));
    const lift = () => store.set({ penDown: false });
    canvas.addEventListener("pointerup", lift);
    canvas.addEventListener("pointercancel", lift);
    canvas.addEventListener("focus", paint);
    canvas.addEventListener("blur", paint);
    canvas.addEventListener("keydown", (event) => {
      const step = ARROWS[event.key];
      if (!step && event.key !== " ") return;
      event.preventDefault();
      if (step) {
        cursor[0] = Math.min(rows - 1, Math.max(0, cursor[0] + step[1]));
        cursor[1] = Math.min(columns - 1, Math.max(0, cursor[1] + step[0]));
        paint();
      } else mark(cursor[1], cursor[0]);
    });
    paint();
    /** @param {string} title @param {boolean} erases */
    const tool = (title, erases) =>
      h(
        "button",
        {
          "aria-pressed": String(this.isErasing === erases),
          onclick: () => {
            this.isErasing = erases;
            this.refresh();
          },
        },
        title,
      );
    const clear = () => {
      drawn.fill(0);
      store.set({ row: null });
    };
    return h(
      "div",
      { class: "draw" },
      canvas,
      h(
        "div",
        { class: "buttons" },
        tool("Pen", false),
        tool("Eraser", true),
        h("button", { onclick: clear }, "Clear"),
      ),
      h(
        "p",
        { class: "quiet" },
        isOfData() ? "Draw or erase to change this row." : "Draw here. The drawing is centred.",
      ),
    );
  }
}

/**
 * Return the drawing as a row of data, with its ink centred and its values scaled to those of the data.
 * @param {Path} path @param {Float64Array} drawn
 */
function asRow(path, drawn) {
  const [rows, columns] = imageSize(path);
  let ink = 0,
    x = 0,
    y = 0;
  drawn.forEach((v, i) => {
    ink += v;
    x += v * (i % columns);
    y += v * Math.floor(i / columns);
  });
  const values = new Float64Array(rows * columns);
  if (!ink) return values;
  const dx = Math.round((columns - 1) / 2 - x / ink),
    dy = Math.round((rows - 1) / 2 - y / ink);
  const top = path.largestValue;
  drawn.forEach((v, i) => {
    const c = (i % columns) + dx,
      r = Math.floor(i / columns) + dy;
    if (c >= 0 && c < columns && r >= 0 && r < rows) values[r * columns + c] = Math.round(v * top);
  });
  return values;
}
