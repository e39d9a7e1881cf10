// Written by python -m viz.payload.browser_side, from viz/payload/payload_fields.py.

interface Path {
  readonly title: string;
  readonly name: string;
  readonly target: Target;
  readonly features: string[]; // feature names; for dates, the names of their columns
  readonly dates: Set<number>;
  readonly levels: Record<number, string[] | undefined>; // levels of ordered categories, by feature
  readonly nFeatures: number;
  readonly ends: (Pair | null)[] | null; // ends of the axis of each feature, only for data without rows
  readonly groups: CategoryGroup[];
  readonly categories: Record<number, [column: string, category: string, ofAll: number] | undefined>; // column and category of categorical features
  readonly imageShape: Pair | null;
  readonly sets: { name: string; n: number; spread?: number | null }[]; // spread: in regression, sum of squared deviations of the target from its mean
  readonly recommended: { one_se?: number; min?: number };
  readonly weighted: Float64Array[] | null; // weighted errors of the trees on each set, only with class weights
  readonly opens: number | null; // index of the tree to show first
  readonly notes: Notes;
  readonly statistics: NodeStatistic[]; // statistics of nodes on the stage
  readonly choice: Choice | null;
  readonly bySize: boolean | null; // true if the trees were trained for numbers of leaves instead of values of lambda
  readonly grid: Grid | null; // grid of lambda and C; the trees are in order of its rows
  readonly edit: EditFacts | null;
  readonly palette: Palette;
  readonly looks: Looks;
  readonly isOblique: boolean; // whether a split uses more than two features
  readonly largestWeight: number;
  readonly largestValue: number;
  readonly lams: Float64Array;
  readonly columns: Uint32Array; // indices of the shipped features in the data
  readonly deviation: Float64Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly whole: Numbers;
  readonly step: Float64Array; // steps of features with few values, else 0
  readonly missed: Numbers;
  readonly monotone: Numbers | null; // 1 or -1 for features along which predictions never fall or never rise, else 0
  readonly nodeStart: Uint32Array; // start of the nodes of each tree, and end of the last tree
  readonly content: Numbers | null; // content of each node; null if all nodes have their own, in this order
  readonly leafKind: string | null; // null for constant leaves
}

interface Sample {
  readonly rows: Uint32Array;
  readonly numbers: Uint32Array; // row numbers, as in the file
  readonly names: string[] | null;
  readonly set: Numbers;
  readonly y: Numbers; // groups of the target
  readonly value: Numbers;
  readonly X: Numbers; // values, column by column
}

interface Frame {
  readonly origin: Numbers;
  readonly x: Numbers;
  readonly depth: Numbers;
  readonly parent: Numbers;
  readonly nSlots: number;
}

interface TreeArrays {
  readonly left: Int32Array;
  readonly right: Int32Array;
  readonly origin: Numbers;
  readonly label: Numbers; // groups of the target
  readonly value: Numbers;
  readonly bias: Float64Array;
  readonly missingRight: Numbers | null;
  readonly kind: Numbers | null; // indices in KINDS; null for edited trees
  readonly start: Uint32Array;
  readonly feature: Uint32Array;
  readonly digits: Numbers | null; // digits in the text of each condition; null for edited trees
  readonly weight: Float64Array;
  readonly leafCounts: Numbers[] | null;
  readonly leafLosses: (Numbers | null)[] | null;
}

interface LinearArrays {
  readonly start: Uint32Array;
  readonly feature: Uint32Array;
  readonly weight: Float64Array;
  readonly bias: Float64Array;
}

interface Recorded {
  readonly run: any;
  readonly origins: Numbers; // ids of the nodes of all steps
  readonly n: Numbers; // points that reach each of them
  readonly before: Float64Array; // their errors
  readonly after: Float64Array;
  readonly start: Uint32Array; // their first care points
  readonly stop: Uint32Array; // ends of their care points
  readonly rows: Uint16Array;
  readonly sides: Int8Array;
  readonly weights: Float64Array;
}
