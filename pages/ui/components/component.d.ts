/** Argument of a component's entry function, which is called on every change of the data. */
export interface Call<Data> {
  data: Data;
  parentElement: HTMLElement;
  setStateValue: (name: string, value: unknown) => void;
  setTriggerValue: (name: string, value: unknown) => void;
}

/** Data of pages/ui/learn/lesson_cards.py. */
export interface Lessons {
  name: string;
  /** JSON of a list of `Series` */
  series: string;
}
export interface Series {
  title: string;
  words: string;
  lessons: Lesson[];
}
export interface Lesson {
  slug: string;
  title: string;
  icon: string;
  about: string;
  picture: string;
}

/** Data of pages/ui/shell/tree_strip.py. */
export interface Trees {
  trees: Thumbnail[];
  chosen: number | null;
  label: string;
}
export interface Thumbnail {
  number: number;
  picture: string | null;
  words: string;
}

/** Data of pages/ui/rules/rule_detail.py, some of them as JSON; the key of a statistic is the name of its column. */
export interface Rules {
  name: string;
  rules: Rule[];
  titles: { name: string; title: string; help: string; widths?: number[] }[];
  selected: number | null;
  turn: number;
  order: string;
  falls: boolean;
}
export interface Rule {
  node: number;
  number: number;
  texts: string[];
  whole: string;
  label: string;
  color: string;
  [figure: string]: unknown;
}
export interface Figure {
  text: string;
  bar?: number;
}

/** Data of `mount` in pages/ui/shell/stage.py: a header as JSON, and names of files. */
export interface Stage {
  header: string;
  module: string;
  style: string;
  content: string;
}
