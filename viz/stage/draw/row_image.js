// Rows of image data as small images.

import { h, sized } from "../elements/dom.js";
import { inkImage } from "./sprites.js";
import { remembered } from "../model/remembered.js";
import { valuesOfRow } from "../model/tree.js";

/** Canvas with one sampled row as an image; every row has one canvas, which moves to where it is asked for last. */
export function rowImage({ path, colors }, row, side) {
  return remembered(path, `image ${row} ${side} ${colors.theme.background}`, () => drawn(path, colors, row, side));
}

function drawn(path, colors, row, side) {
  const [hgt, w] = path.imageShape;
  const canvas = h("canvas", {});
  const values = valuesOfRow(path, row);
  const top = values.reduce((a, b) => Math.max(a, b), 0) || 1;
  const context = sized(canvas, side, Math.round((side * hgt) / w));
  context.imageSmoothingEnabled = false;
  context.drawImage(
    inkImage(
      path,
      colors,
      values.map((v) => v / top),
    ),
    0,
    0,
    side,
    Math.round((side * hgt) / w),
  );
  return canvas;
}
