/** What Streamlit hands to the entry of a component, on every change of its data. */
export interface Call<Data> {
  data: Data;
  parentElement: HTMLElement;
  setStateValue: (name: string, value: unknown) => void;
  setTriggerValue: (name: string, value: unknown) => void;
}

/** Of pages/ui/learn/lesson_cards.py. */
export interface Lessons {
  name: string;
  series: { title: string; words: string; lessons: Lesson[] }[];
}
export interface Lesson {
  slug: string;
  title: string;
  icon: string;
  about: string;
  picture: string;
}

/** Of pages/ui/data/tree_strip.py. */
export interface Trees {
  trees: Thumbnail[];
  chosen: number;
}
export interface Thumbnail {
  number: number;
  picture: string | null;
  words: string;
}

/** Of pages/ui/rules/rule_list.py; `key`: of the column that a figure stands in. */
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

/** Of `mount` in pages/ui/shell/stage.py: JSON of what is shown, and names of files. */
export interface Stage {
  header: string;
  module: string;
  style: string;
  content: string;
}
