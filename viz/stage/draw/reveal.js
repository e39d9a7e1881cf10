// Brings a whole way through the tree in sight.

const ROOM = 20; // pixels around it

/**
 * Move the camera of a view so that the nodes of a way are in sight, and the last of them large enough to read if that
 * fits; it stays where it is when they are.
 */
export function revealWay({ camera, width, height, places, stage }, nodes) {
  const { detail } = stage.path.looks;
  const last = places.get(nodes.at(-1));
  if (!last) return;
  const shown = nodes.map((node) => places.get(node)).filter(Boolean);
  const side = (name, size, sign) => shown.map((place) => place[name] + (sign * place[size]) / 2);
  const box = {
    left: Math.min(...side("x", "w", -1)) - ROOM,
    right: Math.max(...side("x", "w", 1)) + ROOM,
    top: Math.min(...side("y", "h", -1)) - ROOM,
    bottom: Math.max(...side("y", "h", 1)) + ROOM,
  };
  const [x0, y0] = camera.point(box.left, box.top);
  const [x1, y1] = camera.point(box.right, box.bottom);
  const inside = x0 > -ROOM && y0 > -ROOM && x1 < width + ROOM && y1 < height + ROOM;
  if (!inside || last.w * camera.zoom < detail.thumbnail) camera.frame(box, detail.line / last.w, width, height);
}
