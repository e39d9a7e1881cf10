// Tidy layout of a binary tree in which some subtrees are hidden, as in viz/tree/layout.py.

/**
 * Return {x: Map, nSlots}, the positions of the visible nodes in slots. Neighbours on a level are at least 1 apart, and
 * parents are centred over their children. `children(node)` lists the visible children from left to right. `half(node)`
 * is half the number of slots that a node takes.
 * @param {number} root @param {(node: number) => number[]} children @param {(node: number) => number} [half]
 */
export function tidy(root, children, half = () => 0.5) {
  /** @type {Known<number, number>} shift of a node and its subtree relative to the parent */
  const shift = new Map();
  contour(root, children, shift, half);
  /** @type {Known<number, number>} */
  const x = new Map();
  let low = Infinity,
    high = -Infinity;
  const stack = [{ node: root, base: 0 }];
  for (let next; (next = stack.pop());) {
    const { node, base } = next;
    const here = base + shift.get(node);
    x.set(node, here);
    low = Math.min(low, here - half(node));
    high = Math.max(high, here + half(node));
    for (const child of children(node)) stack.push({ node: child, base: here });
  }
  for (const [node, value] of x) x.set(node, value - low);
  return { x, nSlots: high - low };
}

/**
 * Return the left and the right end of every level below a node, relative to the node. Store the `shift` of its
 * children.
 * @param {number} node @param {(node: number) => number[]} children @param {Map<number, number>} shift
 * @param {(node: number) => number} half
 * @returns {{left: number[], right: number[]}}
 */
function contour(node, children, shift, half) {
  shift.set(node, 0);
  const parts = children(node).map((child) => contour(child, children, shift, half));
  /** @type {number[][]} */
  let [left, right] = [[], []];
  /** @type {number[]} */
  const places = [];
  for (const part of parts) {
    let place = 0;
    const common = Math.min(part.left.length, right.length);
    for (let d = 0; d < common; d++) place = Math.max(place, right[d] - part.left[d]);
    places.push(place);
    for (let d = 0; d < part.left.length; d++) {
      if (d >= left.length) left.push(part.left[d] + place);
      right[d] = part.right[d] + place;
    }
  }
  const middle = places.length ? (places[0] + places[places.length - 1]) / 2 : 0;
  children(node).forEach((child, i) => shift.set(child, places[i] - middle));
  left = [-half(node), ...left.map((v) => v - middle)];
  right = [half(node), ...right.map((v) => v - middle)];
  return { left, right };
}
