// Short forms of names that stay different. viz/words/short_names.py contains the same forms.

const WORD = /[^\s_.-]+[\s_.-]*|[\s_.-]+/g; // a word with the characters that separate it from the next one

/**
 * Return the names with an ellipsis instead of the words with which all of them begin or end.
 * @param {string[]} names
 */
export function withoutShared(names) {
  const words = names.map((name) => name.match(WORD) ?? []);
  const least = Math.min(...words.map((one) => one.length)) - 1; // Each name keeps a word.
  if (new Set(names).size < 2 || least < 1) return names;
  const start = shared(words, least);
  const end = shared(
    words.map((one) => one.toReversed()),
    least - start,
  );
  const kept = words.map((one) =>
    one
      .slice(start, one.length - end)
      .join("")
      .trim(),
  );
  if (new Set(kept).size < new Set(names).size) return names;
  return kept.map((text) => `${start ? "…" : ""}${text}${end ? "…" : ""}`);
}

/** Return how many first words all lists share, at most `most`. @param {string[][]} words @param {number} most */
function shared(words, most) {
  let n = 0;
  while (n < most && new Set(words.map((one) => one[n].trim())).size === 1) n++;
  return n;
}

/** Return a name for a sentence, in quotes if it ends with a punctuation mark. @param {string} name */
export function quotedEnd(name) {
  return /\p{Po}$/u.test(name) ? `'${name}'` : name;
}
