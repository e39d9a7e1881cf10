// Write the address of the page without adding an entry to the history.

/** @type {string | null} */
let done = null;

/** Entry of the Streamlit component. @param {import("./component").Call<{ name: string, query: string }>} call */
export default function ({ data }) {
  if (data.name === done) return;
  done = data.name;
  history.replaceState({}, "", location.pathname + (data.query ? `?${data.query}` : "") + location.hash);
}
