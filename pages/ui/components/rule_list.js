// The rules of a tree as a list. Clicks or arrow keys select a rule; a click on a heading sorts the list.

/** @import { Call, Figure, Rule, Rules } from "./component" */

const UNBROKEN = 44; // characters of a condition that must stay on one line
const DATE = /(\d{4}-\d\d-\d\d)/;

/** @type {WeakMap<Element, RuleList>} */
const own = new WeakMap();

/**
 * Entry of the Streamlit component; reports `picked` and `order`.
 * @param {Call<Omit<Rules, "name" | "rules" | "titles"> & { content: string }>} call
 */
export default function ({ data: { content, ...rest }, parentElement, setStateValue }) {
  /** @type {Rules} */
  const data = { ...JSON.parse(content), ...rest };
  let list = own.get(parentElement);
  if (!list) {
    list = new RuleList(data, setStateValue);
    parentElement.append(list.element);
    own.set(parentElement, list);
  }
  list.report = setStateValue;
  list.show(data);
  return () => own.delete(parentElement);
}

class RuleList {
  /** @param {Rules} data @param {Call<Rules>["setStateValue"]} report */
  constructor(data, report) {
    this.data = data;
    this.report = report;
    this.head = make("div", { class: "row head", role: "row" });
    this.body = make("div", { class: "body", role: "rowgroup" });
    this.element = make("div", { class: "rules", role: "grid", "aria-label": "Rules", "data-testid": "rule-list" });
    this.element.append(this.head, this.body);
    this.body.addEventListener("click", (event) => this.pick(rowOf(event)));
    this.body.addEventListener("keydown", (event) => this.key(event));
    /** @type {string | null} */
    this.shown = null;
    /** @type {number | null} */
    this.turn = null;
    /** @type {number | null} */
    this.selected = null;
    /** @type {Map<number | null, HTMLElement>} */
    this.rows = new Map();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.walking = undefined;
  }

  /** @param {Rules} data */
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
    // The visitor has selected another rule since the page sent this answer.
    if (this.turn === data.turn && this.selected === data.selected) return;
    this.turn = data.turn;
    this.mark(data.selected);
    const row = this.rows.get(this.selected);
    if (row) this.reveal(row);
  }

  /** Scroll the list, but not the page, to a row. @param {HTMLElement} row */
  reveal(row) {
    const { element } = this;
    const top = row.offsetTop - this.head.offsetHeight;
    const bottom = row.offsetTop + row.offsetHeight - element.clientHeight;
    element.scrollTop = Math.min(Math.max(element.scrollTop, bottom), top);
  }

  drawHead() {
    const { order, falls, titles } = this.data;
    const lists = titles.flatMap((column) => (column.widths ? [column.widths] : []));
    for (const [i, list] of ["wide", "narrow"].entries())
      this.element.style.setProperty(`--${list}`, shownWidths(lists, i));
    this.head.replaceChildren(
      ...titles.map(({ name, title, help, widths }) => {
        const chosen = name === order;
        const cell = make("div", { class: classOf(name, widths), role: "columnheader" });
        cell.setAttribute("aria-sort", chosen ? (falls ? "descending" : "ascending") : "none");
        const button = make("button", { title: help });
        button.textContent = title + (chosen ? (falls ? " ↓" : " ↑") : "");
        button.onclick = () => this.report("order", { name, time: Date.now() });
        cell.append(button);
        return cell;
      }),
    );
  }

  /** @param {Rule} rule */
  row(rule) {
    const row = make("div", { class: "row", role: "row", tabindex: "-1", "data-node": String(rule.node) });
    const cell = (
      /** @type {string} */ name,
      /** @type {string | Node} */ content,
      title = "",
      /** @type {number[] | undefined} */ widths = undefined,
    ) => {
      const element = make("div", { class: classOf(name, widths), role: "gridcell", ...(title ? { title } : {}) });
      element.append(content);
      row.append(element);
      return element;
    };
    cell("number", String(rule.number));
    cell("if", clamped(...conditions(rule.texts)), rule.whole);
    const label = cell("then", make("i", { style: `background:${rule.color}` }), rule.label);
    label.append(clamped(rule.label));
    for (const { name, widths } of this.data.titles.filter((column) => column.widths)) {
      const { text, bar } = /** @type {Figure} */ (rule[name]);
      const element = cell(name, text, "", widths);
      if (bar === undefined) continue;
      element.classList.add("bar");
      element.style.setProperty("--bar", `${100 * bar}%`);
    }
    return row;
  }

  /** @param {number | null} node */
  mark(node) {
    this.rows.get(this.selected)?.setAttribute("aria-selected", "false");
    this.selected = node;
    const row = this.rows.get(node);
    row?.setAttribute("aria-selected", "true");
    for (const other of this.rows.values()) other.tabIndex = -1;
    const [first] = this.rows.values();
    if (row ?? first) (row ?? first).tabIndex = 0;
  }

  /** @param {HTMLElement | null} row */
  pick(row) {
    if (!row || getSelection()?.toString()) return;
    const node = Number(row.dataset.node);
    this.go(node === this.selected ? null : node);
  }

  /** @param {number | null} node */
  go(node) {
    this.mark(node);
    this.report("picked", { key: this.data.name, node, turn: this.data.turn, time: Date.now() });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const row = rowOf(event);
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const to = event.key === "ArrowDown" ? row?.nextElementSibling : row?.previousElementSibling;
      if (to instanceof HTMLElement) {
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

/** Return the class of a cell; `widths`: column widths of a statistic, 0 if the narrow list hides it.
 * @param {string} name @param {number[]} [widths] */
function classOf(name, widths) {
  return `cell ${name}${widths ? " statistic" : ""}${widths?.[1] === 0 ? " wide-only" : ""}`;
}

/** Return the column widths of a list; `list`: 0 for the wide one, 1 for the narrow one.
 * @param {number[][]} widths @param {number} list */
function shownWidths(widths, list) {
  return widths.flatMap((of) => (of[list] ? [`${of[list]}em`] : [])).join(" ");
}

/** @param {Event} event @returns {HTMLElement | null} */
function rowOf(event) {
  return /** @type {Element} */ (event.target).closest(".row");
}

/** Return the texts joined by "and". Lines break between texts, not inside them. @param {string[]} texts */
function conditions(texts) {
  return texts.flatMap((text, i) => {
    const parts = text.split(DATE).map((part, k) => (k % 2 ? make("time", {}, part) : part));
    const element = make("b", text.length < UNBROKEN ? { class: "whole" } : {}, ...parts);
    return i ? [make("small", {}, " and "), element] : [element];
  });
}

/** @param {(string | Node)[]} content */
function clamped(...content) {
  return make("span", {}, ...content);
}

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag @param {Record<string, string>} attributes @param {(string | Node)[]} content
 */
function make(tag, attributes, ...content) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...content);
  return element;
}
