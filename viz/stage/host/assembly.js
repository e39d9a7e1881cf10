// The parts of the stage, and where they stand in the page.

import { Crumbs } from "../panels/crumbs.js";
import { Curves } from "../draw/curves.js";
import { h } from "../elements/dom.js";
import { Editor } from "../edit/editor.js";
import { Fates } from "../panels/selection_summary.js";
import { Figures } from "../panels/figures.js";
import { Icicle } from "../draw/icicle.js";
import { Inspector } from "../panels/inspector.js";
import { Legend } from "../panels/legend.js";
import { Lesson } from "../lesson/lesson.js";
import { Linked } from "./linked.js";
import { Outline } from "../panels/outline.js";
import { Plane } from "../draw/plane.js";
import { PointCard } from "../panels/point_card.js";
import { Recorder } from "../record/recorder.js";
import { shortcut } from "./shortcut.js";
import { Tools } from "../panels/tools.js";
import { Transport } from "./transport.js";
import { TreeView } from "../draw/view.js";

/** Make every part of a stage and put them into `host`. */
export function assemble(stage, host) {
  stage.linked = new Linked(stage);
  stage.editor = new Editor(stage);
  stage.heading = h("h2", { class: "heading", dir: "auto", hidden: true });
  stage.fates = new Fates(stage);
  stage.figures = new Figures();
  stage.crumbs = new Crumbs(stage);
  stage.tools = new Tools(stage);
  stage.transport = new Transport(stage);
  stage.view = new TreeView(stage, {
    select: (node) => stage.select(node === null ? null : stage.tree.origin[node]),
    hover: (node, at) => stage.hover(node, at),
    point: (hit, node, event) => stage.pointCard.show(hit, node, event),
    toggle: (node) => stage.toggle(node),
    moved: () => stage.requestDraw(),
  });
  stage.icicle = new Icicle(stage, {
    select: (node) => node !== null && stage.lookInto(node),
    hover: (node) => stage.hover(node, null),
  });
  stage.plane = new Plane(stage, {
    select: (node) => stage.select(node === null ? null : stage.tree.origin[node]),
    hover: (node) => stage.hover(node, null),
  });
  stage.curves = new Curves(stage, { go: (k) => stage.go(k), hover: (k) => stage.preview(k) });
  stage.recorder = new Recorder(stage);
  stage.outline = new Outline(stage);
  stage.pointCard = new PointCard(stage);
  stage.card = h("div", { class: "card", "aria-hidden": "true" });
  stage.legend = new Legend(stage);
  stage.twin = h("div", { class: "twin-holder", hidden: true });
  stage.status = h("div", { class: "status", role: "status" });
  stage.notice = h("div", { class: "notice", role: "alert", hidden: true });
  stage.inspector = new Inspector(stage);
  stage.lesson = new Lesson(stage);
  stage.picture = h(
    "div",
    { class: "picture" },
    stage.icicle.element,
    stage.view.element,
    stage.plane.element,
    stage.outline.element,
    stage.twin,
    stage.card,
  );
  stage.element = h(
    "div",
    { class: "stage", "data-testid": "stage", id: stage.id, tabindex: "-1" },
    stage.notice,
    h("div", { class: "head" }, stage.heading, stage.figures.element, stage.tools.element, stage.editor.bar.element),
    h(
      "div",
      { class: "main" },
      stage.lesson.element,
      h(
        "div",
        { class: "middle" },
        stage.fates.element,
        stage.picture,
        h("div", { class: "legends" }, stage.legend.element),
        stage.curves.element,
        stage.transport.track,
        stage.transport.buttons,
      ),
      stage.inspector.element,
    ),
    stage.pointCard.element,
    stage.status,
  );
  stage.element.addEventListener("keydown", (event) => shortcut(stage, event));
  stage.element.addEventListener("pointerdown", (event) => {
    if (!stage.tools.menu.hidden && !event.composedPath().includes(stage.tools.menuButton.parentElement))
      stage.tools.toggleMenu(false);
  });
  stage.loading = h("p", { class: "loading" }, "Unpacking the trees …");
  host.append(stage.loading, stage.element);
  stage.element.hidden = true;
  stage.root = host.getRootNode();
  stage.observer = new ResizeObserver(() => stage.resize());
  stage.observer.observe(stage.element);
  stage.observer.observe(stage.picture);
}
