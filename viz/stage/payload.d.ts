// Written by python -m viz.payload.browser_side, from viz/payload/payload_fields.py.

interface Path {
  readonly title: string;
  readonly name: string;
  readonly target: Target;
  readonly features: string[]; // names, of dates those of their columns
  readonly dates: Set<number>;
  readonly levels: Record<number, string[] | undefined>; // of columns of ordered categories
  readonly nFeatures: number;
  readonly ends: (Pair | null)[] | null; // of the axis of each feature, without rows
  readonly groups: CategoryGroup[];
  readonly categories: Record<number, [column: string, category: string, ofAll: number] | undefined>; // of features that are one
  readonly imageShape: Pair | null;
  readonly sets: { name: string; n: number; spread?: number | null }[]; // of numbers: sum of their squares around the mean
  readonly recommended: { one_se?: number; min?: number };
  readonly weighted: Float64Array[] | null; // errors of the trees over the rows of each set, if classes weigh in training
  readonly opens: number | null; // index of the tree that is shown first
  readonly notes: Notes;
  readonly statistics: NodeStatistic[]; // of nodes, that the stage shows
  readonly choice: Choice | null;
  readonly grid: Grid | null; // of lambda and C, whose trees stand row after row
  readonly edit: EditFacts | null;
  readonly palette: Palette;
  readonly looks: Looks;
  readonly isOblique: boolean; // whether some decision is a sum of more than two features
  readonly largestWeight: number;
  readonly largestValue: number;
  readonly lams: Float64Array;
  readonly columns: Uint32Array; // numbers of the shipped features
  readonly deviation: Float64Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly whole: Numbers;
  readonly missed: Numbers;
  readonly nodeStart: Uint32Array; // where the nodes of each tree begin, and the last ones end
}

interface Sample {
  readonly rows: Uint32Array;
  readonly numbers: Uint32Array; // of the rows, as people count them
  readonly names: string[] | null;
  readonly set: Numbers;
  readonly y: Numbers; // groups of the target
  readonly value: Numbers;
  readonly X: Numbers; // column after column
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
  readonly kind: Numbers | null; // places among KINDS; null in edited trees
  readonly start: Uint32Array;
  readonly feature: Uint32Array;
  readonly digits: Numbers | null; // of the words of each decision; edited trees have none
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
