// Scroll the page to its top when it shows another screen of a class.

/** @type {string | null} */
let shown = null;

/** Entry of the Streamlit component. @param {import("./component").Call<{ name: string }>} call */
export default function ({ data }) {
  if (shown !== null && data.name !== shown) document.querySelector("[data-testid=stMain]")?.scrollTo({ top: 0 });
  shown = data.name;
}
