/**
 * The text of one member of JSON text, exactly as it stands there; null when there is no such member. For answers
 * whose very characters count: a parsed number no longer distinguishes `1.0` from `1`.
 */
export const memberText = (text: string, path: readonly string[]): string | null => {
  let from = 0;
  for (const name of path) {
    const start = findMember(text, from, name);
    if (start === null) return null;
    from = start;
  }
  return text.slice(from, skipValue(text, from));
};

/** Where the value of a member begins, in the object that begins at `from`. */
const findMember = (text: string, from: number, name: string): number | null => {
  let at = skipSpace(text, from);
  if (text[at] !== "{") return null;
  at = skipSpace(text, at + 1);
  while (text[at] === '"') {
    const end = skipValue(text, at);
    const value = skipSpace(text, skipSpace(text, end) + 1);
    if (JSON.parse(text.slice(at, end)) === name) return value;
    at = skipSpace(text, skipValue(text, value));
    if (text[at] === ",") at = skipSpace(text, at + 1);
  }
  return null;
};

const skipSpace = (text: string, from: number): number => {
  let at = from;
  while (" \n\r\t".includes(text[at] ?? "x")) at += 1;
  return at;
};

/** Behind the value that begins at `from`. */
const skipValue = (text: string, from: number): number => {
  const first = text[from] ?? "";
  if (first === '"') return skipString(text, from);
  if (first !== "{" && first !== "[") {
    let end = from;
    while (end < text.length && !",}] \n\r\t".includes(text[end] ?? "")) end += 1;
    return end;
  }
  let depth = 0;
  let at = from;
  do {
    const letter = text[at] ?? "";
    if (letter === "{" || letter === "[") depth += 1;
    else if (letter === "}" || letter === "]") depth -= 1;
    at = letter === '"' ? skipString(text, at) : at + 1;
  } while (depth > 0 && at < text.length);
  return at;
};

const skipString = (text: string, from: number): number => {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
};
