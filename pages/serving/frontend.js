// Streamlit's frontend out of one file. The browser is given modules at addresses of memory, and a map under which names
// they go, so that a module that is loaded later, from the server, meets the same ones.

/**
 * @param {Record<string, string>} texts of modules, by the name of their file
 * @param {string} entry name of the one that starts
 */
// eslint-disable-next-line no-unused-vars -- called by what the server writes below
function openFrontend(texts, entry) {
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
  import(addressOf(entry));
}
