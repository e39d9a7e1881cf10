// Written by python -m viz.payload.browser_side, from viz/payload/payload_fields.py.

interface Path {
  readonly title: string;
  readonly name: string;
  readonly target: Target;
  readonly features: string[]; // names; for dates those of their columns
  readonly dates: Set<number>;
  readonly levels: Record<number, string[] | undefined>; // of columns of ordered categories
  readonly nFeatures: number;
  readonly ends: (Pair | null)[] | null; // of the axis of each feature, without rows
  readonly groups: CategoryGroup[];
  readonly categories: Record<number, [column: string, category: string, ofAll: number] | undefined>; // of categorical features
  readonly imageShape: Pair | null;
  readonly sets: { name: string; n: number; spread?: number | null }[]; // for numbers: sum of squares around the mean
  readonly recommended: { one_se?: number; min?: number };
  readonly weighted: Float64Array[] | null; // weighted errors of the trees on each set, with class weights only
  readonly opens: number | null; // index of the tree that opens
  readonly notes: Notes;
  readonly statistics: NodeStatistic[]; // statistics of nodes on the stage
  readonly choice: Choice | null;
  readonly grid: Grid | null; // of lambda and C; the trees are in order of rows
  readonly edit: EditFacts | null;
  readonly palette: Palette;
  readonly looks: Looks;
  readonly isOblique: boolean; // whether some split uses more than two features
  readonly largestWeight: number;
  readonly largestValue: number;
  readonly lams: Float64Array;
  readonly columns: Uint32Array; // numbers of the shipped features
  readonly deviation: Float64Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly whole: Numbers;
  readonly missed: Numbers;
  readonly nodeStart: Uint32Array; // starts of the nodes of each tree, and the end of the last one
}

interface Sample {
  readonly rows: Uint32Array;
  readonly numbers: Uint32Array; // row numbers, as in the file
  readonly names: string[] | null;
  readonly set: Numbers;
  readonly y: Numbers; // groups of the target
  readonly value: Numbers;
  readonly X: Numbers; // column by column
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
  readonly kind: Numbers | null; // indices in KINDS; null in edited trees
  readonly start: Uint32Array;
  readonly feature: Uint32Array;
  readonly digits: Numbers | null; // of the text of each condition; null in edited trees
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
  readonly rows: Uint16Array;
  readonly sides: Int8Array;
  readonly weights: Float64Array;
}
