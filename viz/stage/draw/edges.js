// Draws the edges of the tree on its canvas, and the marks of removed nodes.

import { sweptName } from "../model/grid.js";
import { branchTo } from "../model/condition.js";
import { kindOf } from "../model/node_kinds.js";

/** Trace the curve of an edge. @param {TreeView} view @param {Pair} from @param {Pair} to */
function drawCurve({ context, store }, [x0, y0], [x1, y1]) {
  const bend = (y1 - y0) * store.path.looks.edges.bend;
  context.moveTo(x0, y0);
  context.bezierCurveTo(x0, y0 + bend, x1, y1 - bend, x1, y1);
}

/**
 * Draw the positions of the path that the displayed tree does not use. Nodes removed since the pinned tree are dashed.
 * @param {TreeView} view
 */
export function drawGhosts(view) {
  const { colors, state } = view.store;
  const { context, camera } = view;
  if (!view.ghosts.length || !state.ghosts) return;
  view.labels.add({
    x: 12,
    y: view.height - 11 * state.type,
    text: noteOf(view.store),
    size: 12 * state.type,
    color: colors.theme.muted,
    align: "left",
    room: 240 * state.type,
    kind: "note",
  });
  const { frame: places } = view;
  context.globalAlpha = view.fading;
  const { marked } = view.store;
  for (const pass of marked ? ["plain", "gone"] : ["plain"]) {
    /** @param {number} origin */
    const isGone = (origin) => marked?.nodeOf.has(origin) === true;
    context.strokeStyle = context.fillStyle = pass === "gone" ? colors.theme.alarm : colors.theme.ghost;
    context.lineWidth = pass === "gone" ? 1.4 : 1;
    context.setLineDash(pass === "gone" ? [4, 3] : []);
    context.beginPath();
    for (const ghost of view.ghosts) {
      if (isGone(ghost.origin) !== (pass === "gone") || ghost.from === null) continue;
      const above = view.store.tree.nodeOf.get(places?.origin[ghost.from] ?? null);
      const hidden = ghost.at(ghost.from);
      /** @type {Pair} */
      const from =
        above !== undefined && view.boxes.has(above)
          ? [view.boxes.get(above).x, view.foot(above, view.boxes.get(above))]
          : camera.point(hidden.x, hidden.y);
      drawCurve(view, from, camera.point(ghost.x, ghost.y));
    }
    context.stroke();
    context.setLineDash([]);
    const radius = pass === "gone" ? 3.2 : 2;
    context.beginPath();
    for (const ghost of view.ghosts) {
      if (isGone(ghost.origin) !== (pass === "gone")) continue;
      const [x, y] = camera.point(ghost.x, ghost.y);
      context.moveTo(x + radius, y);
      context.arc(x, y, radius, 0, 7);
    }
    context.fill();
  }
  context.globalAlpha = 1;
}

/** Draw the edges with their labels. The width of an edge depends on its share of the rows. @param {TreeView} view */
export function drawEdges(view) {
  const { tree, state, colors } = view.store;
  const { n, counts } = tree.figures(state.set);
  const look = view.store.path.looks.edges;
  const k = view.store.path.target.n;
  const { context } = view;
  context.lineCap = "round";
  for (const [node, box] of view.boxes) {
    const children = view.visible.kept.get(node);
    if (!tree.isLeaf(node) && children.length < 2) view.stub(node, box);
    for (const child of children) {
      const to = view.boxes.get(child);
      if (!view.isInSight(box) && !view.isInSight(to)) continue;
      const share = n[child] / Math.max(n[0], 1);
      const zoomed = (look.least + look.share * Math.sqrt(share)) * Math.min(1.6, Math.max(0.7, view.camera.zoom));
      const width = Math.min(zoomed, look.box * (1 + to.w));
      /** @type {Corners} */
      const [from, end] = [
        [box.x, view.foot(node, box)],
        [to.x, to.y - to.h / 2],
      ];
      const onWay = view.lit?.has(node) && view.lit.has(child);
      context.globalAlpha = view.lit && !onWay ? 0.3 : 1;
      const isColored = state.edges === "class" && n[child] > 0;
      if (isColored && (state.shade === "class" || view.store.path.target.edges))
        strands(view, from, end, width, counts.subarray(child * k, child * k + k), n[child]);
      else {
        const { line, accent } = colors.theme;
        const color = (isColored && colors.ofNode(tree, state.set, child, state.shade, line)) || line;
        context.strokeStyle = onWay && view.oneWay ? accent : color;
        context.lineWidth = width;
        context.beginPath();
        drawCurve(view, from, end);
        context.stroke();
      }
      if (onWay && view.picture.lit) flow(view, child, from, end, width);
      context.globalAlpha = 1;
      edgeLabel(view, node, child, from, end, box, to);
    }
  }
}

/**
 * Draw the share of the selected rows inside an edge.
 * @param {TreeView} view @param {number} child @param {Pair} from @param {Pair} end @param {number} width
 */
function flow(view, child, from, end, width) {
  const { tree, state, colors } = view.store;
  const { lit } = view.picture;
  const here = tree.reaching(state.set, child).rows.length;
  const share = lit?.reaching(tree, state.set)[child] ?? 0;
  view.context.strokeStyle = colors.theme.accent;
  view.context.lineWidth = Math.max(1.5, (width * share) / Math.max(here, 1));
  view.context.beginPath();
  drawCurve(view, from, end);
  view.context.stroke();
}

/**
 * Draw one strand for each class, as wide as its share of the rows on the edge.
 * @param {TreeView} view @param {Pair} from @param {Pair} end @param {number} width @param {Uint32Array} counts
 * @param {number} n
 */
function strands(view, from, end, width, counts, n) {
  const { context } = view;
  const total = Math.max(width, 2.5);
  let offset = -total / 2;
  context.lineCap = "butt";
  counts.forEach((count, c) => {
    if (!count) return;
    const part = (count / n) * total;
    context.strokeStyle = view.store.colors.ofGroup(c);
    context.lineWidth = part + 0.3;
    const x = offset + part / 2;
    context.beginPath();
    drawCurve(view, [from[0] + x, from[1]], [end[0] + x, end[1]]);
    context.stroke();
    offset += part;
  });
  context.lineCap = "round";
}

/**
 * @param {TreeView} view @param {number} node @param {number} child @param {Pair} from @param {Pair} end
 * @param {ViewBox} box @param {ViewBox} to
 */
function edgeLabel(view, node, child, from, end, box, to) {
  const { state, colors, path } = view.store;
  const { edges, text } = path.looks;
  if (end[1] - from[1] < edges.high || Math.min(box.room, to.room) < edges.room) return;
  const x = (from[0] + end[0]) / 2,
    y = (from[1] + end[1]) / 2;
  if (view.branchTaken(node)?.child === child) {
    view.tagged.add(node);
    return view.tag(node, x, y, edges.answer);
  }
  if (kindOf(view.store.tree, node).name === "image") return; // people cannot interpret a threshold on pixel values
  const look = { size: text.small * state.type, color: colors.theme.muted, background: colors.theme.background };
  view.labels.add({
    ...look,
    x,
    y,
    kind: "edge",
    node,
    room: edges.answer * state.type,
    whole: state.inLesson,
    text: branchWords(view, node, child),
  });
}

/**
 * Return the label of an edge: the whole condition, or its sign if the two edges of a node are too close.
 * @param {TreeView} view @param {number} node @param {number} child
 */
function branchWords({ store: { tree, path, state }, boxes, visible }, node, child) {
  const both = tree.once(`branches ${node}`, () => tree.children(node).map((one) => branchTo(tree, one)));
  const [low, high] = visible.kept.get(node).map((one) => boxes.get(one).x);
  const letters = Math.max(...both.map((text) => [...text].length));
  const text = both[Number(tree.right[node] === child)];
  if (high === undefined || letters * path.looks.edges.letter * state.type <= (high - low) / 2) return text;
  return /^[≥≤<>]/.exec(text)?.[0] ?? text;
}

/** @param {Store} store */
function noteOf({ marked, step, path }) {
  if (marked) return "dashed: removed since the pinned tree";
  return step ? "dotted: not in the tree at this step" : `dotted: not in the tree at this ${sweptName(path)}`;
}
