// How a stage stands in its page: alone, or as one of several, with a title of its own and little around the tree.

/**
 * Options of a page: {title, compact, link: name of a group or null, match: "none", "size", "error" or "steps", path: whether
 * the way to the selected node is lit, alone: whether its one tree is all there is to see, present: whether it is for a
 * projector, hide: names of the parts that are not there, paint: {classes, points, turn} to paint the data, or null}.
 */
export function present(stage, options) {
  const { title = null, compact = false, link = null, match = "none", path = false, alone = false } = options;
  const { hide = [], paint = null } = options;
  stage.hides = new Set(hide);
  stage.element.dataset.hide = hide.join(" ");
  if (options.present !== undefined) stage.element.classList.toggle("present", options.present);
  if (options.present) {
    const { projector, panel } = stage.state;
    stage.beforePresenting ??= { projector, panel: stage.path ? panel : null };
    stage.set({ projector: true, panel: false });
  } else if (options.present === false && stage.beforePresenting) {
    const { projector, panel } = stage.beforePresenting;
    stage.beforePresenting = null;
    stage.set({ projector, ...(panel === null ? {} : { panel }) });
    if (panel === null) stage.wasNarrow = undefined; // it opened like this: the next resize decides
  }
  if (stage.hides.has("inspector")) stage.set({ panel: false });
  stage.recorder.paint.set(paint);
  stage.lightsPath = path;
  stage.isCompact = compact;
  stage.element.classList.toggle("compact", compact);
  stage.element.classList.toggle("alone", alone);
  stage.heading.hidden = title === null;
  stage.heading.textContent = stage.heading.title = title ?? "";
  stage.fates.element.hidden = link === null;
  const of = title === null ? "" : ` of ${title}`;
  const name = (element, text) => element.setAttribute("aria-label", text);
  stage.title = title;
  if (title !== null) {
    stage.element.setAttribute("role", "group");
    name(stage.element, title);
    name(stage.outline.element, `Decision tree${of}; arrow keys walk it, space opens and closes a node`);
    if (!stage.recorder.isOn) stage.transport.describe();
    name(stage.figures.element, `Key figures${of}`);
    name(stage.tools.element, `Tools${of}`);
    name(stage.inspector.element, `Inspector${of}`);
    name(stage.fates.element, `Selected rows in the tree${of}`);
  }
  stage.linked.options(link, match);
}
