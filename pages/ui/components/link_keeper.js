// Signing in leads back to the first page; the browser keeps, in this tab, which link was opened.

const KEY = "tao-link";

/** Entry of the Streamlit component. @param {import("./component").Call<{ keep: boolean }>} call */
export default function ({ data }) {
  if (data.keep) {
    sessionStorage.setItem(KEY, location.href);
    return;
  }
  const link = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  if (link && link !== location.href) location.replace(link);
}
