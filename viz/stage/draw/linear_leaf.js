// Draws a linear leaf: its weights as bars or as an image, with its rows and errors below.

import { MOST_BARS, drawBars } from "./projection.js";
import { spritesOf } from "./sprites.js";
import { textWidth } from "./labels.js";
import { remembered } from "../model/remembered.js";

/**
 * Return the weights of a linear leaf times the standard deviation of the feature, the longest first, as {name, weight,
 * size}. For more than two classes, the name includes the class that the weight
 * favours.
 * @param {Path} path @param {StageTree} tree @param {number} node
 */
export function leafTerms(path, tree, node) {
  return remembered(tree, `terms ${node}`, () =>
    tree.leafModel
      .terms(node)
      .map(({ feature, group, weight }) => ({
        name: path.features[feature] + (group === null ? "" : ` → ${path.target.groups[group]}`),
        weight,
        size: weight * path.deviation[feature],
      }))
      .sort((a, b) => Math.abs(b.size) - Math.abs(a.size)),
  );
}

/** @param {Picture} picture @param {number} node @param {NodeBox} box @param {number} w */
export function linearLeaf(picture, node, box, w) {
  const { tree, path, colors, looks } = picture;
  const strip = Math.min(looks.leaf.strip, box.h * looks.leaf.share);
  if (path.imageShape && w >= looks.detail.image) {
    const atlas = spritesOf(path).models(tree, colors);
    const cell = atlas.cell(node);
    if (cell) picture.image(atlas, cell, box);
  } else {
    picture.fill(box, colors.theme.surface);
    if (w >= looks.detail.line && !path.imageShape)
      bars(picture, node, { ...box, y: box.y - strip / 2, h: box.h - strip });
  }
  picture.frame(box, colors.theme.text, looks.leaf.frame);
  picture.classBar(node, { ...box, y: box.y + (box.h - strip) / 2, h: strip });
  const { size } = picture;
  if (picture.axes || w < looks.detail.thumbnail || !((box.below ?? 0) >= size.small)) return;
  const lit = picture.litCounts;
  const answer = path.target.answer(tree, node);
  const room = picture.wordsRoom(box) - textWidth(`${answer}, `, size.small);
  const rows = lit ? picture.litText(lit, node, box.room) : picture.rowsText(node, false, room, size.small, 2);
  const text = `${answer}, ${rows}`;
  picture.words(node, box, { text, y: picture.wordsY(box), room: picture.wordsRoom(box), whole: true });
}

/**
 * Draw bars from the top of a box until it is full.
 * @param {Picture} picture
 * @param {number} node
 * @param {NodeBox} box
 */
function bars(picture, node, box) {
  const terms = leafTerms(picture.path, picture.tree, node);
  const { bars: look } = picture.looks;
  const row = picture.size.small * look.row;
  const rows = Math.min(Math.floor((box.h - look.spare) / row), terms.length, MOST_BARS + 1);
  const top = box.y - box.h / 2 + look.above;
  if (rows > 0) drawBars(picture, node, { x: box.x, y: top + (rows * row) / 2, w: box.w, h: rows * row }, rows, terms);
}
