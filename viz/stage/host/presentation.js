// How a stage stands in its page: alone, or as one of several, with a title of its own and little around the tree.

/**
 * Options of a page: {title, compact, link: name of a group or null, match: "none", "size", "error" or "steps", path: whether
 * the way to the selected node is lit, alone: whether its one tree is all there is to see, present: whether it is for a
 * projector, hide: names of the parts that are not there, paint: {classes, points, turn} to paint the data, or null}.
 */
export function present(stage, options) {
  const { title = null, compact = false, link = null, match = "none", path = false, alone = false } = options;
  const { hide = [], paint = null } = options;
  const { store, element } = stage;
  const { hides } = store.state;
  const isSame = hides.size === hide.length && hide.every((part) => hides.has(part));
  store.set({
    ...{ title, heading: title, compact, link, lightsPath: path, hides: isSame ? hides : new Set(hide) },
    ...projected(stage, options.present),
  });
  if (options.present !== undefined) element.classList.toggle("present", options.present);
  element.classList.toggle("alone", alone);
  stage.paint.set(paint);
  if (title !== null) name(stage, title);
  stage.linked.options(link, match);
}

/** Patch of the state for a projector, and back to what was before. */
function projected(stage, isPresented) {
  const { projector, panel, path } = stage.store.state;
  if (isPresented) {
    stage.beforePresenting ??= { projector, panel: path ? panel : null };
    return { projector: true, panel: false };
  }
  const { beforePresenting: before } = stage;
  if (isPresented === undefined || !before) return {};
  stage.beforePresenting = null;
  // it opened like this: the next resize decides
  return { projector: before.projector, ...(before.panel === null ? { isNarrow: null } : { panel: before.panel }) };
}

/** Parts of several stages have names that tell them apart. */
function name(stage, title) {
  stage.element.setAttribute("role", "group");
  stage.transport.describe();
  const walk = "arrow keys walk it, space opens and closes a node";
  for (const [{ element }, text] of [
    [stage, title],
    [stage.outline, `Decision tree of ${title}; ${walk}`],
    [stage.figures, `Key figures of ${title}`],
    [stage.tools, `Tools of ${title}`],
    [stage.inspector, `Inspector of ${title}`],
    [stage.summary, `Selected rows in the tree of ${title}`],
  ])
    element.setAttribute("aria-label", text);
}
