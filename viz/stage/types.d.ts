// Types of the values of the stage, for the type checker. The JSDoc comments in the modules refer to them. This file
// contains no code.

declare global {
  /** Numbers by index, in a list or a typed array. */
  interface Numbers extends Iterable<number> {
    readonly length: number;
    [position: number]: number;
    keys(): ArrayIterator<number>;
    indexOf(value: number): number;
    includes(value: number): boolean;
    every(test: (value: number, i: number) => boolean): boolean;
    some(test: (value: number, i: number) => boolean): boolean;
    forEach(visit: (value: number, i: number) => void): void;
    reduce<T>(add: (sum: T, value: number, i: number) => T, first: T): T;
    map(change: (value: number, i: number) => number): Numbers;
    join(between?: string): string;
  }

  /** A point of the plane or of the screen, a direction, or the two ends of an axis. */
  type Pair = [number, number];
  /** Corners of a polygon, or points of a line. */
  type Corners = Pair[];

  /** Start and width of each node in an overview on its level, as shares of the whole width. */
  interface Parts {
    left: Float64Array;
    wide: Float64Array;
  }
  /** Draws the nodes of an overview, and finds the node at a position. */
  interface OverviewShape {
    parts: Parts;
    trace(context: CanvasRenderingContext2D, node: number, depth: number, inset: number): void;
    at(x: number, y: number): { share: number; depth: number };
  }

  /** A split. A row goes right iff bias + weights . values >= 0. Features are indices of shipped features. */
  interface Split {
    features: Numbers;
    weights: Numbers;
    bias: number;
  }

  /** A split described by category, see casesOf in model/condition.js. */
  interface Cases {
    column: string;
    values: string[];
    features: number[];
    other: number[]; // features of the other column
    parts: ({ relation: "≥" | "≤" | ">" | "<"; bound: number } | { named: number[]; others: boolean } | boolean)[];
    isOpen: boolean;
  }

  /** Limits of axes, with margins. `first`, `last`: smallest and largest displayed value, which the labels show. */
  interface Limits {
    low: Numbers;
    high: Numbers;
    first: Numbers;
    last: Numbers;
  }

  /** A rectangle by its upper left corner. */
  interface Area {
    left: number;
    top: number;
    w: number;
    h: number;
  }

  /** A rectangle by its centre. */
  interface Box {
    x: number;
    y: number;
    w: number;
    h: number;
  }

  /**
   * A plot of two features: the limits of the axes, its area, and functions from values to pixels, see draw/scatter.js.
   */
  interface PlaneFrame extends Limits {
    features: Pair;
    missingStrip: Pair;
    area: Area;
    at(point: Numbers): Pair;
    px(value: number): number;
    py(value: number): number;
    place(row: number): Pair;
  }

  /** A plot of rows along an axis, see histogramFrame in draw/projection.js. */
  interface BinFrame {
    area: Area;
    low: number;
    high: number;
    first: number;
    last: number;
    reach: Pair; // range of the split while it is dragged
    split: number;
    yesRight: boolean;
    bins: number;
    binOf(p: number): number;
    value(p: number): number;
    missingStrip: number;
    gap: number;
    rows: Int32Array;
    features: Numbers;
    difference: { plus: number; minus: number } | null; // features of the axis if it is a difference
    name: string;
  }

  /** Position of a node, with the width for its text and, in the tree, the free height below. */
  interface NodeBox extends Box {
    room: number;
    below?: number;
    lines?: number; // number of lines of its text, if the text takes priority over the plot
  }

  /**
   * Conditions below nodes. The methods return whether a node has one, its lines in a given width, the widths in which
   * its largest terms and all terms fit, and the width of the name of a leaf, in pixels.
   */
  interface NodeWords {
    has(node: number): boolean;
    lines(node: number, room: number): number;
    rooms(node: number): { least: number; whole: number };
    leaf(node: number): number;
  }

  /** A mark under the pointer: rows, one row, a range of values, or a leaf as text. */
  interface Hit {
    rows: Numbers;
    point: number | null;
    range?: Pair | null; // range of values of a feature; with feature -1, of a weighted sum
    name?: string;
    feature?: number;
    isNamed?: boolean; // whether the name is complete
    text?: string;
  }

  /** Marks of a plot that respond to the pointer and can be selected, see marksOf in draw/marks.js. */
  interface Marks {
    area: Area;
    free: boolean;
    shown(corners: Corners): Corners;
    rowsIn(corners: Corners): Numbers;
    at(x: number, y: number): Hit | null;
  }

  /** A text in a drawing. A text that is too long is cut, left out (`whole`), or drawn smaller. */
  interface Label {
    x: number;
    y: number;
    text: string;
    size: number;
    color: string;
    room: number;
    kind: string;
    background?: string;
    weight?: number;
    align?: "left" | "center" | "right";
    node?: number;
    least?: number;
    shrinks?: boolean;
    floor?: number; // size to which the text may shrink
    whole?: boolean;
    lines?: Label[]; // all lines of the text to which the label belongs
    opacity?: number;
  }

  /** Position of the text of a label. */
  interface LabelBox {
    left: number;
    top: number;
    width: number;
    height: number;
  }

  interface Labels {
    add(label: Label): boolean | void; // Return whether the label fits, if this is known.
  }

  /** Small images in one canvas. `cell`: upper left corner of the image of a node, if the node has one. */
  interface Atlas {
    canvas: OffscreenCanvas;
    w: number;
    h: number;
    cell(node: number): Pair | undefined;
  }

  /** Properties of a tree that a Picture shows. `recorder`: draws the additions for a recorded run. */
  interface Look {
    path: Path;
    tree: StageTree;
    set: number;
    colors: Colors;
    globalScale: boolean;
    shade?: string;
    type: number;
    isWhole: boolean;
    isGuessing: boolean;
    lit: RowSelection | null;
    point: { row: number; nodes: Set<number> } | null;
    recorder: Recorder | null;
    axes?: boolean;
    /** Width of the values left of a plot in pixels. */
    ticks?: number;
  }

  /** Additions that other parts draw on the tree, the plane and the inspector. */
  interface Drawing {
    brushes: Brushes;
    look(): Look;
    layer(name: string): PointLayer | null;
    belowNode(view: TreeView, node: number, box: ViewBox): void;
    opacity(node: number): number;
    aboveNode(view: TreeView, node: number, box: ViewBox): void;
    aboveTree(view: TreeView): boolean;
    /** Return the limits of the plane, unless they are those of the rows. */
    ranges(): Limits | null;
    /** Return the regions while lines move. */
    regions(low: Numbers, high: Numbers): Regions | null;
    /** Draw the contents of the plane; return whether it has drawn them. */
    inPlane(plane: Plane, picture: Picture, frame: PlaneFrame, rows: Int32Array, box: Box): boolean;
    abovePlane(plane: Plane, picture: Picture, rows: Int32Array): void;
    abovePlot(plot: Plot, picture: Picture): void;
  }

  type ViewBox = Required<NodeBox>;
  type Regions = ReturnType<typeof import("./geometry/regions.js").regionsOf>;
  type SplitLine = ReturnType<typeof import("./geometry/split_geometry.js").lineOf>;
  type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

  /** A tree on two features that has regions: a StageTree, or a tree in motion. */
  interface PlaneTree {
    n: number;
    label?: Numbers;
    left: Numbers;
    right: Numbers;
    origin: Numbers;
    nodeOf: Map<number | null, number>;
    isLeaf(node: number): boolean;
    split(node: number): Split;
    once<T>(name: string, make: () => T): T;
  }

  /** A map that contains every requested key. */
  interface Known<K, V> extends Map<K, V> {
    get(key: K): V;
  }

  type StageTree = import("./model/tree.js").StageTree;
  type Store = import("./model/store.js").Store;
  type Target = import("./model/target.js").Target;
  type Colors = import("./model/colors.js").Colors;
  type Life = import("./elements/life.js").Life;
  type Brushes = import("./draw/brush.js").Brushes;
  type Picture = import("./draw/picture.js").Picture;
  type Plane = import("./draw/plane.js").Plane;
  type Plot = import("./draw/plot.js").Plot;
  type PointLayer = import("./draw/stamp.js").PointLayer;
  type TreeView = import("./draw/view.js").TreeView;
  type Editor = import("./edit/editor.js").Editor;
  type Handles = import("./edit/handles.js").Handles;
  type Paint = import("./paint/paint.js").Paint;
  type Recorder = import("./record/recorder.js").Recorder;
  type Player = import("./host/transport.js").Player;
  type Linked = import("./host/linked.js").Linked;
  type Stage = import("./host/stage.js").Stage;
  type RowSelection = import("./model/selection.js").Selection;

  /** Routes of the sampled rows of a set, see StageTree.route. */
  interface Route {
    order: Int32Array[];
    margin: Float64Array[];
    from: Int32Array;
    to: Int32Array;
    leaf: Int32Array;
  }

  /** Position of a node before zooming. */
  type Place = Required<NodeBox>;
  type Ghost = ReturnType<typeof import("./geometry/places.js").placesOf>["ghosts"][number];

  /** Positions of nodes that several trees share. */
  interface Frame {
    readonly position: Map<number | null, number>;
  }

  /** Sizes in pixels of what covers the first level of a tree, at its left and right. */
  type Covered = { left: number; right: number; height: number };

  /** The sampled rows of a path. */
  interface Sample {
    readonly n: number;
  }

  /** Target, as in the header of a payload (viz/payload/target_payload.py). */
  interface TargetFacts {
    name: string;
    leafName: string; // name of the target, if a prediction alone is unclear
    tails: boolean; // whether values beyond the ranges count for the first and the last range
    groups: string[];
    colors: number[][];
    edges: number[] | null;
    ticks: string[] | null; // the edges as text
    nouns: Record<string, string>;
    words: Record<string, string>;
    loss: "unequal" | "absolute" | "squared";
    root: boolean;
    tolerance: number;
    error: {
      name: string;
      label: string;
      scale: number;
      digits: number | null;
      unit: string;
      least: number;
      most: number | null;
    };
  }

  /** Sizes, widths and limits for drawing: the table in viz/looks.py, which documents them. */
  interface Looks {
    detail: Sizes<"glyph image thumbnail line full tall">;
    split: Sizes<"width small bar over">;
    points: Record<"thumbnail" | "line" | "full", Sizes<"most radius outline">>;
    limits: Sizes<"tail many room alone unit around aloneAround plane inside">;
    missingStrip: Sizes<"share least most off">;
    glyph: Sizes<"size width"> & Record<"one" | "two" | "more", [number, number, number, number][]>;
    text: Sizes<"smallest small normal large height padding strip slack">;
    words: Sizes<"gap middle line free each kept edge margin axis name up image one least clear">;
    leaf: Sizes<"strip share spread spreadShare hairline two both first second n wrong frame pale badge below above room high"> &
      Sizes<"counts countsRoom countsBelow">;
    histogram: Sizes<"bin perRoot fewest most gap margin least">;
    bars: Sizes<"row thick least share spare above below named middle reach reachAlone name indent">;
    edges: Sizes<"least share high room answer letter box bend dots dot below">;
    places: Sizes<"largest wide leastWide level root tallest gap gapShare roomy close leastHigh leaf leastLeaf"> &
      Sizes<"mostLeaf leafLong longestLeaf leafImage flat long">;
    frame: number;
    bar: number;
    dot: number;
    head: number;
    headShare: number;
    faint: number;
  }
  type Sizes<Names extends string> = Record<Words<Names>, number>;
  /** The words in a text. */
  type Words<Text extends string> = Text extends `${infer First} ${infer Rest}` ? First | Words<Rest> : Text;

  /** Colours, see viz/palette.py. They belong to one scheme, or are pairs for the light and the dark scheme. */
  interface Palette {
    classes: Record<Scheme, string[]>;
    other: string;
    grey: [string, string];
    diverging: Record<Scheme, Record<string, [string, string]>>;
    themes: Record<Scheme, Theme>;
    curves: Record<"errors" | "sizes", Record<Scheme, string[]>>;
  }
  type Scheme = "light" | "dark";
  type Theme = Record<
    | Words<"background surface text muted line grid ghost tint outline accent accentText onAccent alarm alarmText">
    | Words<"found toLeft toRight split">,
    string
  >;

  /** Statistic of nodes, see treecore/statistics/node_statistic.py. */
  interface NodeStatistic {
    name: string;
    help: string;
    operations: (string | number)[]; // formula in postfix order
    form: string;
    per: "node" | "leaf";
    same_as: string;
    faces: Record<string, string>; // text in each view of the stage
  }

  /** The decoded payload of a stage. payload.d.ts contains its fields and the fields of its parts. */
  interface Path {
    readonly isWhole: boolean;
    readonly sample: Sample;
    readonly places: Frame;
    readonly trees: StageTree[];
    readonly recording: Recording | null;
  }

  /** A kind of node, see viz/nodes/node_kinds.py. */
  interface NodeKind {
    name: string;
    needs: string[];
    shape: "image" | "leaf" | "square" | "flat";
    handles?: "pixels" | "strips" | "line" | "bar";
  }

  /**
   * Functions and sizes for drawing one kind of node. `axes`: number of lines of axis names below the node. `words`,
   * `least`: minimum widths for a condition below the node, and for more than a glyph. `plot`, `text`: the plot of the
   * node in the inspector, and the description of this plot.
   */
  interface NodePicture {
    axes: number;
    words(looks: Looks): number;
    least?(looks: Looks): number;
    draw(picture: Picture, node: number, box: NodeBox, w: number): void;
    marks(look: Picture, node: number, box: NodeBox): Marks | null;
    plot(store: Store, node: number, width: number): { box: NodeBox; height: number };
    text(store: Store, node: number): string;
  }

  /** A field of a payload, see viz/payload/payload_fields.py. */
  interface PayloadField {
    name: string;
    home: string;
    browser?: string; // name in the browser, if it differs
    per?: "node" | "content" | "weight" | "leaf" | "term";
    times?: "item" | "group" | "score";
    bySet?: boolean;
    form?: string;
    other?: string;
  }

  /** Penalty of the splits in an edited tree, if the objective is computed. */
  interface EditFacts {
    whole: boolean;
    lam: number;
    penalty: { width: number[] | null; cost: number | null; most: number | null; column: number[] | null };
    // maximum number of lines that the user may draw over the plane, without a tree view; leaves predict by their rows
    lines?: number;
  }

  /**
   * Data of a grid from viz/payload/grid_facts.py. They contain, for each map, the share of each cell on its scale, or
   * null for a single leaf. They also contain the segments around the cells within one standard error, and the cell
   * with the smallest validation error.
   */
  interface Grid {
    costs: number[];
    nLams: number;
    maps: { title: string; shares: (number | null)[]; stops: Record<Scheme, string[]>; ticks: [number, string][] }[];
    outline: [number, number, number, number][];
    border: [color: string, width: number, dash: number[]][];
    best: number | null;
  }

  /**
   * Notes about the loss in accuracy of trees, by index. `better`: index of the simplest good tree if the tree is not
   * good itself, or has more leaves.
   */
  type Notes = Record<number, { note: string; better: number | null }>;

  /** Cross-validated errors of the trees of a path: means, their standard errors, and the recommended trees. */
  interface Choice {
    errors: number[];
    spreads: number[];
    recommended: { one_se?: number; min?: number };
    notes: Notes;
    statistics: NodeStatistic[]; // statistics of nodes on the stage
  }

  /**
   * A tree of another method, trained on the rows of the path: its name, leaves and error on each set; and the same of
   * its trees of other sizes, in the order of their leaves.
   */
  interface Reference {
    method: string;
    leaves: number;
    errors: Record<string, number | null>;
    sizes?: { leaves: number; errors: Record<string, number | null> }[];
  }

  /** The values of C that the page can train, in addition to the current one, with the effort or the progress. */
  interface Offer {
    costs: number[];
    now: number;
    words: string;
    isBusy: boolean;
  }

  /** A categorical column: its 0/1 features by category, and whether there are more categories, or exactly one more. */
  interface CategoryGroup {
    name: string;
    values: [string, number][];
    others: boolean;
    rest: string[] | null;
  }

  /** How a page opens a path: the tree, the selected node, and whether the stage starts afresh. */
  interface Opening {
    tree?: number | null;
    node?: number | null;
    pin?: number | null; // index of the pinned tree
    fresh?: boolean;
    whole?: string | null; // name of the whole path if this path is a part of it
    turn?: number; // In a new turn, the page takes priority over the user.
    usual?: boolean; // whether the tree was not chosen by the visitor or a link, and follows the folds
  }

  /** Rows of a node in the other tree of a pair. */
  interface Guest {
    rows: RowSelection;
    name: string; // name of the node
  }

  /** Latest request of the page, and the state that resulted from it. */
  interface PageRequest {
    whole: string | null;
    turn: number;
    k: number;
    node: number | null;
    isUsual: boolean; // whether neither the visitor nor a link has chosen the tree
  }

  /** Sizes of a tree, by which stages find a similar tree. */
  interface Like {
    size: number;
    error: number;
    weights: number;
  }

  /** Properties that determine which nodes are visible. */
  interface Shown {
    focus: number | null;
    collapsed: Set<number>;
    support: number;
    levels: number;
    set: number;
    open: Set<number> | null;
  }

  /** The visible nodes below a root, with their visible children. `folded`: number of nodes below each folded node. */
  interface Visible {
    root: number;
    nodes: number[];
    kept: Known<number, number[]>;
    folded: Known<number, number>;
    hidden: number;
  }

  /** Position of each visible node: x in slots, and its level. */
  interface Slots {
    x: Known<number, number>;
    level: Known<number, number>;
    half(node: number): number;
    nSlots: number;
  }

  /** A recorded run. Care points are rows of the sample. Sides (pseudolabels) are -1 (left) or 1 (right). */
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

  /** A split on the decision path of a row, with the margin of the row. In the leaf, the margin is null. */
  interface WayStep {
    node: number;
    margin: number | null;
  }

  /** A tree for editing, with the root first. Features are columns of the data. */
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
    label: number | null; // null stands for the mean target of the rows in the leaf
    locked: boolean;
  }

  /** An entry of the history of edits, with its description. `isBase`: whether edits are counted from this entry. */
  interface EditEntry {
    document: EditDocument;
    words: string;
    isBase: boolean;
    tree?: StageTree;
    note?: string | null;
  }

  /** Options of a page for a stage: its presentation (see host/presentation.js) and its contents. */
  interface PageOptions extends Opening {
    title?: string | null;
    compact?: boolean;
    link?: string | null; // name of a group of stages
    match?: string; // "none", "size", "error" or "steps"
    path?: boolean; // whether the path to the selected node is highlighted
    alone?: boolean; // whether the stage shows a single tree without a path
    present?: boolean; // whether the stage is shown on a projector
    hide?: string[]; // names of the hidden parts
    paint?: PaintOptions | null; // options for painting data
    key?: string; // key of the contents of the stage
    banner?: boolean;
    row?: PageRow | null;
    lesson?: LessonDocument | null;
    moment?: number;
    drawn?: FreshValues | null;
    edit?: EditAnswer | null;
    offer?: Offer | null;
    choice?: Choice | null;
    reference?: Reference | null;
    growing?: boolean; // whether the path is still being trained
    simple?: boolean; // whether the stage opens with few parts
    intro?: boolean; // whether the path plays once up to the tree that opens
    ahead?: Ahead | null;
  }

  /** Runs that the server trains on request, as [λ, name] in order. `lam`: λ of the run of the page. */
  interface Ahead {
    lam: number;
    help: string;
    runs: [number, string][];
  }
  type PageRow = Parameters<typeof import("./model/followed_row.js").pageRow>[1];

  /** Reports and requests of a stage to its page. Only the app can train. */
  interface Live {
    // isFirst: whether the visitor has chosen the displayed tree for the first time
    send(view: { tree: number; node: number | null; pin: number | null }, isFirst?: boolean): void;
    theme(): Scheme;
    recall?(): Partial<StageState>;
    remember?(taste: Partial<StageState>): void;
    train?(view: { k: number; node: number | null }): void;
    bring?(name: string): Promise<Uint8Array<ArrayBuffer> | null>;
    left?(name: string): void;
    paint?(painted: Painted): void;
    edited?(report: EditReport): void;
  }

  /**
   * State shared by a notebook and its front end, that is, the front-end model of anywidget with the traits in
   * viz/page/stage_widget.py.
   */
  interface WidgetModel {
    get<Name extends keyof WidgetState>(name: Name): WidgetState[Name];
    set<Name extends keyof WidgetState>(name: Name, value: WidgetState[Name]): void;
    save_changes(): void;
    on(event: string, act: () => void): void;
    off(event: string, act: () => void): void;
    send(content: string): void;
  }
  interface WidgetState {
    code: DataView<ArrayBuffer>; // empty if the page has it from another widget
    version: string;
    still: string; // CSS class of the figure that replaces the stage
    payload: DataView<ArrayBuffer>;
    height: number;
    tree: number;
    node: number | null;
    selected_rows: number[]; // row numbers in the data
  }

  /** Report of edits to the page, see pages/ui/edit/edit_messages.py. */
  interface EditReport {
    turn: number;
    ask: string;
    document: EditDocument;
  }

  interface EditAnswer {
    turn: number;
    seen: number;
    ask: string | null;
    document: EditDocument | null;
    message: string | null;
  }

  /** Change of a split by handles. A line is moved or turned, and a bar is moved along its axis. */
  type SplitChange = { bias: number; direction?: Pair } | { shift: number };

  /** The followed row, which is from the sample, from the page, or drawn. */
  interface FollowedRow {
    values: Float64Array;
    label: number | null;
    sample?: number;
    name?: string;
    isDrawn?: boolean;
  }

  /** Points from the page to paint on, and reports about them, see pages/ui/learn. */
  interface PaintOptions extends Painted {
    classes: string[];
  }

  interface Painted {
    turn: number | undefined;
    points: string;
  }

  /** A lesson, see pages/ui/learn/lessons/document.py. Its scenes are paths of `length` bytes. */
  interface LessonDocument {
    title: string;
    kicker: string;
    beside?: number[]; // sides on which the page has other lessons: -1, 1
    then?: Span[]; // last words of the last screen
    scenes: { title: string; length: number; grows: boolean }[];
    knobs: Knob[];
    moments: Moment[];
  }

  interface Knob {
    name: string;
    values: string[];
  }

  /** Guess of a number between low and high, or of one of the choices. */
  interface Guess {
    low: number;
    high: number;
    step: number;
    digits: number;
    unit: string;
    choices: string[];
  }

  interface Moment {
    scene: number;
    tree: number;
    node: number | null;
    row: number | null;
    set: number;
    text: Span[][];
    ask: Span[] | null;
    guess: Guess | null;
    drag: number | null;
    bare: boolean;
    /** Whether the moment is about the chart. */
    chart: boolean;
    knobs: number[];
    vote: number;
    runs: number[]; // scenes that play side by side
    formula: Formula | null;
    figure: Figure | null;
    source: string;
    late: Late;
  }

  /** Parts of a moment that belong to its answer, and are hidden while a guess is open. */
  interface Late {
    answer: Span[];
    truth: number | null; // correct guess; for choices, its index
    series: Series[]; // of the figure
    draws: [number | null, number][]; // for each scene, the error of the mean of its tree and the trees before, and their spread
    claim: LessonClaim | null;
  }

  /** A statement that is true for a draw if its statistic is above a value. `ends`: least and largest usual values. */
  interface LessonClaim {
    name: string;
    statement: string;
    source: string;
    statistic: string;
    above: number;
    own: number; // statistic of the draw of the lesson
    ends: Pair;
  }

  /** Statistics of fresh draws of a claim; null is undefined. `refuted`: whether they contradict the claim. */
  interface FreshValues {
    claim: string;
    values: (number | null)[];
    refuted: boolean;
  }

  /** Chart in the place of the tree. With `across`, places are numbers on this axis, otherwise they are rows. */
  interface Figure {
    title: string;
    axis: string;
    across: string;
    places: (string | number)[];
    series: Series[];
  }

  interface Series {
    name: string;
    values: (number | null)[];
  }

  /** Words with their kind, "" for plain words. */
  type Span = [string, string];

  /** A formula and the meaning of its symbols. */
  interface Formula {
    formula: MathPart;
    signs: [MathPart, string][];
  }

  /** A symbol, or a kind with its parts, see lessons/formulas.py. */
  type MathPart = string | MathPart[];

  /** Filter for leaves: a minimum number of rows, and a minimum or maximum confidence. */
  interface LeafFilterState {
    rows: number;
    relation: "any" | "least" | "most";
    share: number;
  }

  /** The state of a stage, see FIELDS in model/state.js. */
  interface StageState {
    path: Path; // null at first
    edited: StageTree | null;
    isDraft: boolean;
    before: StageTree | null;
    k: number;
    isLarge: boolean;
    set: number;
    node: number | null;
    hover: number | null;
    survivors: number | null;
    layout: "auto" | "keep" | "compact";
    isMoving: boolean;
    edges: string;
    shade: string;
    globalScale: boolean;
    diverging: string;
    support: "auto" | number;
    overview: "auto" | "icicle" | "sunburst" | null;
    levels: "auto" | "all";
    ghosts: boolean;
    table: boolean;
    projector: boolean;
    plane: "auto" | boolean;
    theme: Scheme | "auto";
    focus: number | null;
    collapsed: Set<number>;
    chosenClass: number | null;
    query: string;
    found: Set<number> | null;
    feature: number | null;
    row: FollowedRow | null;
    whatIf: Float64Array | null;
    selection: RowSelection | null;
    guest: Guest | null;
    leafFilter: LeafFilterState | null;
    point: number | null;
    loop: boolean;
    pinned: number | null;
    match: string;
    tab: string;
    panel: boolean;
    onlyNode: boolean;
    type: number;
    recording: Recording | null;
    editMarks: { locked: Set<number>; edited: Set<number> } | null;
    title: string | null;
    heading: string | null;
    link: string | null;
    compact: boolean;
    lightsPath: boolean;
    hides: Set<string>;
    inLesson: boolean;
    isGuessing: boolean;
    isBare: boolean;
    isLive: boolean;
    offer: Offer | null;
    request: PageRequest | null;
    choice: Choice | null;
    replaced: number | null;
    reference: Reference | null;
    isGrowing: boolean;
    simple: boolean;
    stageWidth: number;
    pictureWidth: number;
    pictureHeight: number;
    isNarrow: boolean | null;
    scheme: Scheme;
    isStill: boolean;
    penDown: boolean;
    isHurried: boolean;
    message: { text: string } | null;
  }
}

// Properties that parts get when they are drawn, or that they adopt.

declare module "./host/stage.js" {
  interface Stage {
    player: Player;
    linked: Linked;
    brushes: Brushes;
    view: TreeView;
    plane: Plane;
    nodePlot: import("./draw/plane.js").NodePlot;
    overview: import("./draw/overview.js").Overview;
    curves: import("./draw/curves.js").Curves;
    recorder: Recorder;
    ahead: import("./record/runs_ahead.js").RunsAhead;
    paint: Paint;
    editor: Editor;
    lesson: import("./lesson/lesson.js").Lesson;
    transport: import("./host/transport.js").Transport;
    costs: import("./panels/cost_panel.js").CostPanel;
    inspector: import("./panels/inspector.js").Inspector;
    crumbs: import("./panels/outline.js").Crumbs;
    tools: import("./panels/tools.js").Tools;
    outline: import("./panels/outline.js").Outline;
    summary: import("./panels/selection_summary.js").SelectionSummary;
    figures: import("./panels/figures.js").Figures;
    headline: import("./panels/headline.js").Headline;
    pointCard: import("./panels/selected_panel.js").PointCard;
    legend: import("./panels/legend.js").Legend;
    pin: import("./host/pinned_tree.js").PinnedTree;
    element: HTMLElement;
    picture: HTMLElement;
    heading: HTMLElement;
    head: HTMLElement;
    legends: HTMLElement;
    card: HTMLElement;
    nodeTable: HTMLElement;
    status: HTMLElement;
    notice: HTMLElement;
    loading: HTMLElement;
  }
}

declare module "./lesson/lesson.js" {
  interface Lesson {
    dragged: import("./lesson/dragged_threshold.js").DraggedThreshold | null | undefined;
    knobs: import("./lesson/knobs.js").Knobs | null | undefined;
    forest: import("./lesson/forest.js").Forest | null | undefined;
    fresh: import("./lesson/fresh_draws.js").FreshDraws | null | undefined;
    blocks: Uint8Array<ArrayBuffer>[];
    loading: Promise<void>;
    formula: HTMLElement | null;
    plain: HTMLElement;
  }
}

declare module "./edit/handles.js" {
  interface Handles {
    kind: "line" | "bar";
    frame: PlaneFrame;
    line: SplitLine;
    unit: number;
    bar: import("./edit/handles.js").Bar;
    from: import("./edit/handles.js").Grip;
  }
}

declare module "./draw/picture.js" {
  interface Picture extends Look {
    layer: PointLayer | null;
  }
}

declare module "./draw/brush.js" {
  interface Brush {
    corners: Corners;
  }
}

declare module "./draw/labels.js" {
  interface LabelLayer {
    look: Looks["text"];
  }
}

declare module "./draw/overview.js" {
  interface Overview {
    shape: OverviewShape;
  }
}

declare module "./draw/plane.js" {
  interface Plane {
    frame?: PlaneFrame;
    marks?: Marks;
    regions: Regions;
  }
}

declare module "./draw/plot.js" {
  interface Plot {
    marks: Marks | null;
    shown: unknown[];
  }
}

declare module "./draw/stamp.js" {
  interface PointLayer {
    key: string;
    lit: RowSelection | null;
    canvas: OffscreenCanvas;
  }
}

declare module "./draw/view.js" {
  interface TreeView {
    context: CanvasRenderingContext2D;
    picture: Picture;
    visible: Visible;
    places: Known<number, Place>;
    ghosts: Ghost[];
    boxes: Known<number, ViewBox>;
    lit: Set<number> | null;
    oneWay: boolean;
    tagged: Set<number>;
    before: Map<number, Place> | null;
    began: number;
  }
}

declare module "./model/tree.js" {
  /** Flat arrays of a tree. Children of a leaf are -1. The weights of node i are start[i] .. start[i + 1]. */
  interface StageTree extends TreeArrays {
    readonly leafModel: import("./model/leaf_models.js").ConstantLeaves;
  }
}

declare module "./model/leaf_models.js" {
  interface LinearLeaves extends LinearArrays {}
}

declare module "./model/target.js" {
  interface Target extends Omit<TargetFacts, "loss" | "error"> {
    measure: TargetFacts["error"];
    shortGroups: string[];
  }
}

export {};
