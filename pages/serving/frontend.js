// Restore the modules of Streamlit's frontend from one file. The browser receives them as blobs, with an import map of
// their names, so that modules loaded later import the same objects.

/**
 * @param {Record<string, string>} texts of modules by file name
 * @param {string[]} entries file names of the entry module and of the elements of the first page
 */
// eslint-disable-next-line no-unused-vars -- called by the code that the server appends
function openFrontend(texts, [entry, ...elements]) {
  const { src, nonce } = /** @type {HTMLScriptElement} */ (document.currentScript);
  const addressOf = (/** @type {string} */ name) => new URL(`../static/js/${name}`, src).href;
  /** @type {Record<string, string>} */
  const imports = {};
  for (const [name, text] of Object.entries(texts)) {
    const placed = text
      .replaceAll(/(["'`])\.\/([\w.-]+\.js)\1/g, (_, quote, other) => quote + addressOf(other) + quote)
      .replaceAll("import.meta.url", JSON.stringify(addressOf(name)));
    imports[addressOf(name)] = URL.createObjectURL(new Blob([placed], { type: "text/javascript" }));
  }
  const textContent = JSON.stringify({ imports });
  document.head.append(Object.assign(document.createElement("script"), { type: "importmap", nonce, textContent }));
  /** @type {Record<string, object>} */
  const loaded = {};
  // React 18 asks only for a method `then`. If it is called at once, React draws the element at once.
  const lazyElement = (/** @type {string} */ name) =>
    loaded[name]
      ? { then: (/** @type {(module: object) => void} */ use) => use(loaded[name]) }
      : import(addressOf(name));
  Object.assign(window, { lazyElement });
  // The elements load while the page connects to the server. An element that fails is loaded again when it is drawn.
  for (const name of [entry, ...elements])
    import(addressOf(name)).then(
      (module) => (loaded[name] = module),
      (error) => console.error(`${name} cannot be loaded.`, error),
    );
}
