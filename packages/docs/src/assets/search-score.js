// How well a page answers a query: its words, their beginnings, and words with a typing error.

/** Edits that turn one word into another: letters added, left out, changed, or two swapped. Stops above `max`. */
export const editsBetween = (one, other, max) => {
  if (Math.abs(one.length - other.length) > max) return max + 1;
  let before = [];
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at];
    for (let to = 1; to <= other.length; to += 1) {
      const same = one[at - 1] === other[to - 1];
      next[to] = Math.min(row[to] + 1, next[to - 1] + 1, row[to - 1] + (same ? 0 : 1));
      if (at > 1 && to > 1 && one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1])
        next[to] = Math.min(next[to], before[to - 2] + 1);
    }
    if (Math.min(...next) > max) return max + 1;
    [before, row] = [row, next];
  }
  return row[other.length];
};

/** Shorter words have too many neighbors. */
const TYPED_CHARS_MIN = 4;
const LONG_CHARS = 8;

const errorsAllowed = (word) => (word.length < TYPED_CHARS_MIN ? 0 : word.length < LONG_CHARS ? 1 : 2);

const TITLE_START = 16;
const TITLE = 8;
const ALSO = 6;
const WORD = 3;
const PART = 2;
const TYPED_TITLE = 2;
const TYPED = 1;

/** 0 = does not occur. */
const scoreOfWord = ({ title, also, words }, word) => {
  const inTitle = title.indexOf(word);
  if (inTitle !== -1) return inTitle === 0 ? TITLE_START : TITLE;
  if (also.includes(word)) return ALSO;
  if (words.includes(word)) return WORD;
  return [...also, ...words].some((one) => one.includes(word)) ? PART : 0;
};

const scoreOfTyped = ({ title, also, words }, word) => {
  const max = errorsAllowed(word);
  if (max === 0) return 0;
  // What is still being typed is compared with as much of each word.
  const isClose = (one) =>
    editsBetween(word, one, max) <= max || editsBetween(word, one.slice(0, word.length), max) <= max;
  if (title.split(/[^\p{L}\p{N}]+/u).some(isClose)) return TYPED_TITLE;
  return [...also, ...words].some(isClose) ? TYPED : 0;
};

const rank = (entries, words, score) =>
  entries
    .map((entry) => {
      const scores = words.map((word) => score(entry, word));
      return { entry, score: scores.includes(0) ? 0 : scores.reduce((sum, one) => sum + one, 0) };
    })
    .filter((one) => one.score > 0)
    .toSorted((one, other) => other.score - one.score);

const listOf = (text) => (text === undefined ? [] : text.split(" "));

/** Entries of `search.json`, as `findEntries` takes them. */
export const readEntries = (entries) =>
  entries.map(({ path, title, about, text, also }) => ({
    path,
    shown: title,
    about,
    title: title.toLowerCase(),
    words: listOf(text),
    also: listOf(also),
  }));

/** Entries that hold every word of the query, best first. Only where there is none, words with typing errors count. */
export const findEntries = (entries, query) => {
  const words = query.toLowerCase().match(/[\p{L}\p{N}_-]+/gu) ?? [];
  if (words.length === 0) return [];
  const found = rank(entries, words, scoreOfWord);
  const typed = (entry, word) => scoreOfWord(entry, word) || scoreOfTyped(entry, word);
  return (found.length > 0 ? found : rank(entries, words, typed)).map(({ entry }) => entry);
};
