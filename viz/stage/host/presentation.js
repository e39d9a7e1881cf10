// Presents a stage in its page, alone or as one of several stages with their own titles and fewer controls.

/** Present a stage according to the options of the page. @param {Stage} stage @param {PageOptions} options */
export function present(stage, options) {
  const { title = null, compact = false, link = null, match = "none", path = false, alone = false } = options;
  const {
    hide = [],
    paint = null,
    offer = null,
    choice = null,
    reference = null,
    simple = false,
    growing = false,
  } = options;
  const { store, element } = stage;
  const { hides } = store.state;
  const isSame = hides.size === hide.length && hide.every((part) => hides.has(part));
  /** @param {"offer" | "choice" | "reference"} name @param {object | null} value */
  const news = (name, value) => (JSON.stringify(value) === JSON.stringify(store.state[name]) ? {} : { [name]: value });
  store.set({
    ...{
      title,
      heading: title,
      compact,
      link,
      lightsPath: path,
      isGrowing: growing,
      hides: isSame ? hides : new Set(hide),
    },
    ...project(stage, options.present),
    ...news("offer", offer),
    ...news("choice", choice),
    ...news("reference", reference),
    ...(simple && !stage.wasSimple ? { simple } : {}),
  });
  stage.wasSimple ||= simple; // afterwards the visitor decides
  if (options.present !== undefined) element.classList.toggle("present", options.present);
  element.classList.toggle("alone", alone);
  stage.paint.set(paint);
  stage.ahead.set(options.ahead ?? null);
  if (title !== null) name(stage, title);
  stage.linked.options(link ?? stage.pin.link, match);
}

/**
 * Return the changes of the state for a projector, or the changes back to the previous state.
 * @param {Stage} stage @param {boolean | undefined} isPresented
 */
function project(stage, isPresented) {
  const { projector, panel, path } = stage.store.state;
  if (isPresented) {
    stage.beforePresenting ??= { projector, panel: path ? panel : null };
    return { projector: true, panel: false };
  }
  const { beforePresenting: before } = stage;
  if (isPresented === undefined || !before) return {};
  stage.beforePresenting = null;
  // At the start, the next resize sets `isNarrow`.
  return { projector: before.projector, ...(before.panel === null ? { isNarrow: null } : { panel: before.panel }) };
}

/** Give unique names to the parts of each of several stages. @param {Stage} stage @param {string} title */
function name(stage, title) {
  stage.element.setAttribute("role", "group");
  stage.transport.describe();
  const walk = "arrow keys move between nodes, space opens and closes a node";
  for (const { of, text } of [
    { of: stage, text: title },
    { of: stage.outline, text: `Decision tree of ${title}; ${walk}` },
    { of: stage.figures, text: `Metrics of ${title}` },
    { of: stage.tools, text: `Tools of ${title}` },
    { of: stage.inspector, text: `Inspector of ${title}` },
    { of: stage.summary, text: `Selected rows in the tree of ${title}` },
  ])
    of.element.setAttribute("aria-label", text);
}
