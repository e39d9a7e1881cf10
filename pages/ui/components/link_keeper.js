// Store the opened link in this tab during the sign-in, which leads back to the first page.

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
