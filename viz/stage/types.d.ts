// Shapes of the values that the stage works on, for the type checker (JSDoc in the modules names them; nothing runs here).

declare global {
  /** Numbers by position: a list or a typed array. */
  interface Numbers extends Iterable<number> {
    readonly length: number;
    [position: number]: number;
    keys(): ArrayIterator<number>;
    indexOf(value: number): number;
    every(test: (value: number, i: number) => boolean): boolean;
    some(test: (value: number, i: number) => boolean): boolean;
    forEach(visit: (value: number, i: number) => void): void;
    reduce<T>(add: (sum: T, value: number, i: number) => T, first: T): T;
    map(change: (value: number, i: number) => number): Numbers;
    join(between?: string): string;
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

  /** A map that has whatever is asked of it. */
  interface Known<K, V> extends Map<K, V> {
    get(key: K): V;
  }

  type StageTree = import("./model/tree.js").StageTree;
  type Store = import("./model/store.js").Store;
  type Target = import("./model/target.js").Target;
  type RowSelection = import("./model/selection.js").Selection;

  /** Flat arrays of a tree; children are -1 in a leaf, weights of node i are start[i] .. start[i + 1]. */
  interface TreeArrays {
    readonly left: Int32Array;
    readonly right: Int32Array;
    readonly origin: Numbers;
    readonly label: Numbers;
    readonly value: Numbers;
    readonly bias: Float64Array;
    readonly digits?: Numbers; // of the words of each decision; edited trees have none
    readonly missingRight: Numbers | null;
    readonly start: Uint32Array;
    readonly feature: Uint32Array;
    readonly weight: Float64Array;
    readonly leafCounts: Numbers[] | null;
    readonly leafLosses: (Numbers | null)[] | null;
  }

  /** The sampled rows of a set on their way, see StageTree.route. */
  interface Route {
    order: Int32Array[];
    margin: Float64Array[];
    from: Int32Array;
    to: Int32Array;
    leaf: Int32Array;
  }

  /** Places of nodes that trees share. */
  interface Frame {
    origin: Numbers;
    x: Numbers;
    depth: Numbers;
    parent: Numbers;
    nSlots: number;
    position: Map<number, number>;
  }

  /** What the header of a payload says of its target (viz/payload/target_payload.py). */
  interface TargetFacts {
    groups: string[];
    colors: number[][];
    edges: number[] | null;
    nouns: Record<string, string>;
    words: Record<string, string>;
    loss: "unequal" | "absolute" | "squared";
    root: boolean;
    tolerance: number;
    error: { scale: number; digits: number | null; unit: string };
  }

  /** Sizes, widths and limits of the picture: the table of viz/looks.py, which says what each is. */
  type Looks = Record<string, any>;

  /** What a stage shows: the decoded payload. */
  interface Path {
    title: string;
    name: string;
    target: Target;
    features: string[];
    nFeatures: number;
    imageShape: Pair | null;
    sets: { name: string; n: number }[];
    recommended: { one_se?: number; min?: number };
    palette: any;
    looks: Looks;
    largestWeight: number;
    largestValue: number;
    lams: Float64Array;
    columns: Uint32Array;
    deviation: Float64Array;
    low: Float64Array;
    high: Float64Array;
    whole: Numbers;
    missed: Numbers;
    isWhole: boolean;
    groups: { name: string; features: number[]; categories: string[] }[];
    edit: any;
    sample: { n: number; rows: Numbers; set: Numbers; y: Numbers; value: Numbers; X: Numbers };
    places: Frame;
    trees: StageTree[];
    recording: Recording | null;
  }

  /** How a page opens a path: the tree, the selected node, whether it begins afresh. */
  interface Opening {
    tree?: number | null;
    node?: number | null;
    fresh?: boolean;
  }

  /** Sizes of a tree that another one is matched with. */
  interface Like {
    size: number;
    error: number;
    weights: number;
  }

  /** What decides which nodes are shown. */
  interface Shown {
    focus: number | null;
    collapsed: Set<number>;
    support: number;
    levels: number;
    set: number;
    open: Set<number> | null;
  }

  /** The shown nodes below a root, with their shown children. */
  interface Visible {
    root: number;
    nodes: number[];
    kept: Known<number, number[]>;
    hidden: number;
  }

  /** Place of each shown node: x in slots, and its level. */
  interface Slots {
    x: Known<number, number>;
    level: Known<number, number>;
    nSlots: number;
  }

  /** A recorded run; care points are rows of the sample, sides -1 (wants left) or 1. */
  interface Recording {
    title: string;
    lam: number;
    cost: number | null;
    steps: RecordedStep[];
  }

  interface RecordedStep {
    kind: "start" | "level" | "best" | "prune" | "split";
    iteration: number;
    depth: number | null;
    objective: number;
    loss: number;
    error: number;
    test_error: number | null;
    sentence: string;
    nodes: RecordedNode[];
    skipped: Map<number, string>;
    most: RecordedNode | null;
  }

  interface RecordedNode {
    origin: number;
    n: number;
    before: number;
    after: number;
    sentence: string;
    rows: Numbers;
    sides: Numbers;
    weights: Numbers;
    isLeaf: boolean;
  }

  /** A tree that is edited, root first; features are columns of the data. */
  interface EditDocument {
    nodes: EditNode[];
  }

  interface EditNode {
    id: number;
    left: number | null;
    right: number | null;
    features: number[];
    weights: number[];
    bias: number;
    missing_right: boolean;
    label: number;
    locked: boolean;
  }

  /** The row that is followed: of the sample, given by the page, or drawn. */
  interface FollowedRow {
    values: Float64Array;
    label: number | null;
    sample?: number;
    name?: string;
    isDrawn?: boolean;
  }

  /** The state of a stage, see FIELDS in model/state.js. */
  interface StageState {
    path: Path; // null before there is one
    edited: StageTree | null;
    isDraft: boolean;
    before: StageTree | null;
    k: number;
    isLarge: boolean;
    set: number;
    node: number | null;
    hover: number | null;
    survivors: number | null;
    layout: "keep" | "compact";
    edges: string;
    globalScale: boolean;
    diverging: string;
    support: "auto" | number;
    overview: "auto" | boolean;
    levels: "auto" | "all";
    ghosts: boolean;
    table: boolean;
    projector: boolean;
    plane: "auto" | boolean;
    theme: string;
    focus: number | null;
    collapsed: Set<number>;
    chosenClass: number | null;
    query: string;
    found: Set<number> | null;
    feature: number | null;
    row: FollowedRow | null;
    whatIf: Float64Array | null;
    selection: RowSelection | null;
    point: number | null;
    loop: boolean;
    pinned: number | null;
    match: string;
    tab: string;
    panel: boolean;
    onlyNode: boolean;
    type: number;
    recording: any;
    editMarks: { locked: Set<number>; edited: Set<number> } | null;
    title: string | null;
    heading: string | null;
    link: string | null;
    compact: boolean;
    lightsPath: boolean;
    hides: Set<string>;
    inLesson: boolean;
    isLive: boolean;
    stageWidth: number;
    pictureWidth: number;
    pictureHeight: number;
    isNarrow: boolean | null;
    scheme: "light" | "dark";
    isStill: boolean;
    penDown: boolean;
    isHurried: boolean;
    message: { text: string } | null;
  }
}

declare module "./model/tree.js" {
  interface StageTree extends TreeArrays {}
}

declare module "./model/target.js" {
  interface Target extends Omit<TargetFacts, "loss" | "error"> {
    measure: TargetFacts["error"];
  }
}

export {};
