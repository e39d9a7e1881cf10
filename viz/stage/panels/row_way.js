// What the tree makes of the followed row, kept up to date while its values are tried out.

import { condition, marginText } from "../model/condition.js";
import { signed } from "../model/number_text.js";
import { fill, h } from "../elements/dom.js";
import { changedPositions } from "../model/followed_row.js";

/** The verdict and the way of the followed row: `elements`, and `follow()` for every change. */
export class RowWay {
  constructor(stage) {
    this.stage = stage;
    this.verdict = h("p", { class: "verdict", "data-testid": "stage-verdict" });
    this.way = h("ol", { class: "way" });
    this.follow();
  }

  follow() {
    const { stage } = this;
    if (this.shown === stage.way) return;
    this.shown = stage.way;
    fill(this.verdict, verdict(stage));
    fill(this.way, steps(stage));
  }
}

function verdict(stage) {
  const { path, tree, state, way } = stage;
  const leaf = way.at(-1).node;
  const { losses, n } = tree.figures(0);
  const { target } = path;
  const predicted = target.answer(tree, leaf);
  const trust = { set: path.sets[0].name, leaf: tree.origin[leaf] };
  const said = [
    "Predicted ",
    h("b", { dir: "auto" }, predicted),
    ` (${target.told("verdict", losses[leaf], n[leaf], trust)})`,
  ];
  if (changedPositions(state).length) {
    const before = target.answer(tree, tree.way(state.row.values).at(-1).node);
    return before === predicted
      ? [...said, ", as without the changes."]
      : [...said, ", and without the changes ", h("b", { class: "bad", dir: "auto" }, before), "."];
  }
  if (state.row.label === null) return said;
  const truth = target.text(state.row.label);
  if (!target.misses(tree.value[leaf], state.row.label)) return [...said, ", which is right."];
  return [...said, ", but it is ", h("b", { class: "bad", dir: "auto" }, truth), "."];
}

function steps(stage) {
  const { path, tree, state, way } = stage;
  const before = new Map(state.whatIf ? tree.way(state.row.values).map(({ node, margin }) => [node, margin]) : []);
  return way.slice(0, -1).map(({ node, margin }) => {
    const was = before.get(node);
    const right = tree.goesRight(node, margin);
    return h(
      "li",
      {},
      h("button", { class: "link", onclick: () => stage.select(tree.origin[node]) }, `node ${tree.origin[node]}`),
      " ",
      path.imageShape ? null : h("span", { class: "words", dir: "auto" }, `${condition(tree, node, { right })}: `),
      h("b", {}, marginText(margin, right)),
      was === undefined || Object.is(was, margin) || Number.isNaN(was)
        ? null
        : h("span", { class: "quiet" }, ` (was ${signed(was)})`),
    );
  });
}
