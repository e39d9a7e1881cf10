// The rules of a tree as a list: click or walk it with the arrow keys; a click on a heading asks for another order.

const UNBROKEN = 44; // characters of a condition that stay on one line
const DATE = /(\d{4}-\d\d-\d\d)/;
const TEXTS = ["number", "if", "then"]; // all other columns are statistics

const own = new WeakMap();

/** Entry of the Streamlit component. `data` as of pages/ui/rules/rule_list.py; reports `picked` and `order`. */
export default function ({ data, parentElement, setStateValue }) {
  let list = own.get(parentElement);
  if (!list) {
    list = new RuleList();
    parentElement.append(list.element);
    own.set(parentElement, list);
  }
  list.report = setStateValue;
  list.show(data);
  return () => own.delete(parentElement);
}

class RuleList {
  constructor() {
    this.head = make("div", { class: "row head", role: "row" });
    this.body = make("div", { class: "body", role: "rowgroup" });
    this.element = make("div", { class: "rules", role: "grid", "aria-label": "Rules", "data-testid": "rule-list" });
    this.element.append(this.head, this.body);
    this.body.addEventListener("click", (event) => this.pick(event.target.closest(".row")));
    this.body.addEventListener("keydown", (event) => this.key(event));
    this.shown = null;
    this.turn = null;
  }

  show(data) {
    this.data = data;
    this.drawHead();
    const shown = JSON.stringify([data.name, data.rules]);
    if (this.shown !== shown) {
      this.shown = shown;
      this.rows = new Map(data.rules.map((rule) => [rule.node, this.row(rule)]));
      this.body.replaceChildren(...this.rows.values());
      this.turn = null;
    }
    // what the visitor has picked meanwhile is newer than an answer to something before
    if (this.turn === data.turn && this.selected === data.selected) return;
    this.turn = data.turn;
    this.mark(data.selected);
    this.rows.get(this.selected)?.scrollIntoView({ block: "nearest" });
  }

  drawHead() {
    const { order, falls, titles } = this.data;
    const widths = titles.filter(({ name }) => !TEXTS.includes(name)).map((column) => column.widths);
    for (const [i, list] of ["wide", "narrow"].entries())
      this.element.style.setProperty(`--${list}`, widths.map((of) => `${of[i]}em`).join(" "));
    this.head.replaceChildren(
      ...titles.map(({ name, title, help }) => {
        const chosen = name === order;
        const cell = make("div", { class: classOf(name), role: "columnheader" });
        cell.setAttribute("aria-sort", chosen ? (falls ? "descending" : "ascending") : "none");
        const button = make("button", { title: help });
        button.textContent = title + (chosen ? (falls ? " ↓" : " ↑") : "");
        button.onclick = () => this.report("order", { name, time: Date.now() });
        cell.append(button);
        return cell;
      }),
    );
  }

  row(rule) {
    const row = make("div", { class: "row", role: "row", tabindex: "-1", "data-node": rule.node });
    const cell = (name, content, title) => {
      const element = make("div", { class: classOf(name), role: "gridcell", ...(title ? { title } : {}) });
      element.append(content);
      row.append(element);
      return element;
    };
    cell("number", String(rule.number));
    cell("if", clamped(...conditions(rule.texts)), rule.whole);
    const label = cell("then", make("i", { style: `background:${rule.color}` }), rule.label);
    label.append(clamped(rule.label));
    for (const { name } of this.data.titles.filter(({ name }) => !TEXTS.includes(name))) {
      const element = cell(name, rule[name].text);
      if (rule[name].bar === undefined) continue;
      element.classList.add("bar");
      element.style.setProperty("--bar", `${100 * rule[name].bar}%`);
    }
    return row;
  }

  mark(node) {
    this.rows.get(this.selected)?.setAttribute("aria-selected", "false");
    this.selected = node;
    const row = this.rows.get(node);
    row?.setAttribute("aria-selected", "true");
    const first = this.body.firstElementChild;
    for (const other of this.body.querySelectorAll('[tabindex="0"]')) other.tabIndex = -1;
    if (row ?? first) (row ?? first).tabIndex = 0;
  }

  pick(row) {
    if (!row || getSelection()?.toString()) return;
    const node = Number(row.dataset.node);
    this.go(node === this.selected ? null : node);
  }

  go(node) {
    this.mark(node);
    this.report("picked", { key: this.data.name, node, turn: this.data.turn, time: Date.now() });
  }

  key(event) {
    const row = event.target.closest(".row");
    const step = { ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling" }[event.key];
    if (step) {
      const to = row?.[step];
      if (to) {
        to.focus();
        to.scrollIntoView({ block: "nearest" });
        clearTimeout(this.walking);
        this.mark(Number(to.dataset.node));
        this.walking = setTimeout(() => this.go(this.selected), 150);
      }
    } else if (event.key === "Enter" || event.key === " ") this.pick(row);
    else return;
    event.preventDefault();
  }
}

/** Class of a cell of a column. */
function classOf(name) {
  return `cell ${name}${TEXTS.includes(name) ? "" : " statistic"}`;
}

/** The texts joined by "and"; lines break between them rather than inside. */
function conditions(texts) {
  return texts.flatMap((text, i) => {
    const parts = text.split(DATE).map((part, k) => (k % 2 ? make("time", {}, part) : part));
    const element = make("b", text.length < UNBROKEN ? { class: "whole" } : {}, ...parts);
    return i ? [make("small", {}, " and "), element] : [element];
  });
}

function clamped(...content) {
  return make("span", {}, ...content);
}

function make(tag, attributes, ...content) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...content);
  return element;
}
