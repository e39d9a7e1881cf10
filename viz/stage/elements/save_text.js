// Saves files that are made in the browser.

/** Offer a text as a file to download, without a server. @param {string} name @param {string} text */
export function saveText(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name.replace(/[^\p{L}\p{N}._-]+/gu, "-").slice(-80);
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
