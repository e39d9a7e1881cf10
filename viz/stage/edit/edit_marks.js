// Marks of the editor: locks, edited nodes, empty sides, and rows that end in another leaf.

import { stamp } from "../draw/stamp.js";
import { count } from "../model/number_text.js";

const MOST_RINGS = 400;
const CROWD = 60; // number of rows from which the rings are thin
const ROOM = 30; // minimum size in pixels of a node with a mark

/**
 * Draw rings around the rows that the latest edit sends to another leaf.
 * @param {Editor} editor @param {Picture} picture @param {PlaneFrame} frame @param {Int32Array} rows
 */
export function drawMoved(editor, { context, colors, path }, { place }, rows) {
  const { moved } = editor;
  if (!moved?.rows.length || path.edit?.lines) return;
  const radius = rows.length > 1200 ? 3.6 : 4.6;
  const here = rows.length < path.sample.n ? new Set(rows) : null;
  const width = moved.rows.length > CROWD ? 1.1 : 1.8;
  const ring = stamp({ context, colors }, radius + width, `ring ${radius} ${width}`, (own) => {
    own.arc(0, 0, radius, 0, 7);
    own.strokeStyle = colors.theme.background;
    own.lineWidth = 2 * width;
    own.stroke();
    own.strokeStyle = colors.theme.accent;
    own.lineWidth = width;
    own.stroke();
  });
  for (const row of moved.rows.slice(0, MOST_RINGS)) if (!here || here.has(row)) ring(...place(row));
}

/**
 * Draw the marks of a node in the tree: a lock, "edited", an empty side, or the change in its number of rows.
 * @param {Editor} editor @param {TreeView} view @param {number} node @param {ViewBox} box
 */
export function drawNodeMarks(editor, view, node, box) {
  const { tree, state, colors } = editor.store;
  const id = tree.origin[node];
  if (box.w >= 14) {
    const [x, y] = [box.x - box.w / 2, box.y - box.h / 2];
    if (editor.locked.has(id)) drawLock(view.context, x, y, colors, Math.min(9, Math.max(6, box.w / 9)));
    else if (editor.edited.has(id)) drawPencil(view.context, x, y, colors, Math.min(9, Math.max(6, box.w / 9)));
  }
  const text = textOf(editor, tree, node);
  if (!text || Math.max(box.room, box.w) < ROOM) return;
  view.labels.add({
    x: box.x,
    y: box.y - box.h / 2 - 8 * state.type,
    text: text.words,
    size: 12 * state.type,
    color: text.alarms ? colors.theme.alarmText : colors.theme.accentText,
    background: colors.theme.background,
    room: Math.max(box.room, box.w),
    weight: 600,
    whole: true,
    kind: "change",
    node,
  });
}

/** @param {Editor} editor @param {StageTree} tree @param {number} node */
function textOf(editor, tree, node) {
  const { n } = tree.figures(0);
  if (n[node] === 0) return n[tree.parent[node]] > 0 ? { words: "empty", alarms: true } : null;
  if (editor.drag.draft === null) return null;
  const { before } = editor.drag.draft;
  const more = n[node] - before.figures(0).n[node];
  return more ? { words: `${more > 0 ? "+" : "−"}${count(Math.abs(more))}`, alarms: false } : null;
}

/** @param {Context} context @param {number} x @param {number} y @param {number} radius @param {Colors} colors */
function disc(context, x, y, radius, colors) {
  context.beginPath();
  context.arc(x, y, radius, 0, 7);
  context.fillStyle = colors.theme.accent;
  context.fill();
  context.strokeStyle = colors.theme.background;
  context.lineWidth = 1.5;
  context.stroke();
}

/**
 * Draw a padlock on a disc.
 * @param {Context} context @param {number} x @param {number} y @param {Colors} colors @param {number} radius
 */
function drawLock(context, x, y, colors, radius) {
  disc(context, x, y, radius, colors);
  const s = radius / 9;
  context.fillStyle = context.strokeStyle = colors.theme.onAccent;
  context.fillRect(x - 4 * s, y - 0.6 * s, 8 * s, 5.6 * s);
  context.lineWidth = 1.7 * s;
  context.beginPath();
  context.arc(x, y - 1.4 * s, 2.5 * s, Math.PI, 0);
  context.stroke();
}

/**
 * Draw a pencil on a disc.
 * @param {Context} context @param {number} x @param {number} y @param {Colors} colors @param {number} radius
 */
function drawPencil(context, x, y, colors, radius) {
  disc(context, x, y, radius, colors);
  const s = radius / 9;
  context.strokeStyle = colors.theme.onAccent;
  context.lineWidth = 2.6 * s;
  context.beginPath();
  context.moveTo(x - 2.6 * s, y + 2.6 * s);
  context.lineTo(x + 3.6 * s, y - 3.6 * s);
  context.stroke();
  context.lineWidth = 1.2 * s;
  context.beginPath();
  context.moveTo(x - 4.6 * s, y + 4.6 * s);
  context.lineTo(x - 2 * s, y + 2 * s);
  context.stroke();
}
