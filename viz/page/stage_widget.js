// The stage in a notebook cell. The first widget of a kernel sends the code to the page. Other widgets take the code
// from their page, or request it if the first widget is on another page.

const PATIENCE = 1000; // milliseconds to wait before requesting the code from Python
/** @typedef {{ style: string, widget: typeof import("../stage/host/widget.js").widget }} Code */
/** @typedef {{ promise: Promise<Code>, resolve: (code: Promise<Code>) => void, isThere: boolean }} Coming */

/** @type {Record<symbol, Record<string, Coming>>} */
const page = /** @type {any} */ (globalThis);
const known = (page[Symbol.for("Tree stage")] ??= {}); // code by version, for all cells of the page

/** @param {string} version @returns {Coming} */
function codeOf(version) {
  return (known[version] ??= { ...Promise.withResolvers(), isThere: false });
}

/** @param {BlobPart} packed @returns {Promise<Code>} */
async function loaded(packed) {
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  const { style, module } = await new Response(unpacked).json();
  const address = URL.createObjectURL(new Blob([module], { type: "text/javascript" }));
  const { modules } = await import(address).finally(() => URL.revokeObjectURL(address));
  return { style, widget: modules.widget_js.widget };
}

/** @param {{ model: WidgetModel }} widget */
function initialize({ model }) {
  const offer = () => {
    const code = codeOf(model.get("version"));
    const packed = model.get("code");
    if (code.isThere || !packed?.byteLength) return;
    code.isThere = true;
    code.resolve(loaded(packed));
  };
  offer();
  model.on("change:code", offer);
}

/** Return a style that hides the replacement figure once the stage is loaded. @param {string} name */
function hiding(name) {
  return Object.assign(document.createElement("style"), { textContent: `.${name} { display: none }` });
}

/** @param {{ model: WidgetModel, el: HTMLElement }} widget */
async function render({ model, el }) {
  const code = codeOf(model.get("version"));
  const asking = setTimeout(() => code.isThere || model.send("code"), PATIENCE);
  /** @type {Awaited<ReturnType<Code["widget"]>> | null} */
  let stage = null;
  let isOver = false;
  const place = el.appendChild(document.createElement("div"));
  const shown = code.promise.then(async ({ style, widget }) => {
    if (isOver) return;
    stage = await widget(model, place, style);
    if (isOver) stage.dispose();
    else el.append(hiding(model.get("still")));
  });
  shown.catch((error) => (place.textContent = `The stage could not be loaded (${error.message}). Run the cell again.`));
  return () => {
    isOver = true;
    clearTimeout(asking);
    stage?.dispose();
  };
}

export default { initialize, render };
