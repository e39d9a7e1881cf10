// Store the opened link in this tab before the sign-in, because the sign-in returns to the first page.

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
