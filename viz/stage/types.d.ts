// Shapes of the values that the stage works on, for the type checker (JSDoc in the modules names them; nothing runs here).

/** Numbers by position: a list or a typed array. */
interface Numbers extends Iterable<number> {
  readonly length: number;
  [position: number]: number;
  keys(): ArrayIterator<number>;
  indexOf(value: number): number;
  every(test: (value: number, i: number) => boolean): boolean;
  some(test: (value: number, i: number) => boolean): boolean;
  forEach(visit: (value: number, i: number) => void): void;
  reduce(add: (sum: number, value: number, i: number) => number, first: number): number;
}

/** A point of the plane or of the screen, a direction, the two ends of an axis. */
type Pair = [number, number];
/** Corners of a polygon, or points of a line. */
type Corners = Pair[];

/** A decision: right iff bias + weights . values >= 0; features are positions among the shipped ones. */
interface Split {
  features: Numbers;
  weights: Numbers;
  bias: number;
}

/** Limits of two axes. */
interface Limits {
  low: Numbers;
  high: Numbers;
}

/** A rectangle by its corner. */
interface Area {
  left: number;
  top: number;
  w: number;
  h: number;
}

/** A rectangle by its middle. */
interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

/** A picture of two features: limits of the axes, its area, and the way from values to pixels. */
interface PlaneFrame extends Limits {
  area: Area;
  px(value: number): number;
  py(value: number): number;
}

/** What the regions of a tree on two features are worked out from: a StageTree, or one in motion. */
interface PlaneTree {
  n: number;
  left: Numbers;
  right: Numbers;
  origin: Numbers;
  nodeOf: Map<number, number>;
  isLeaf(node: number): boolean;
  split(node: number): Split;
  once<T>(name: string, make: () => T): T;
}
