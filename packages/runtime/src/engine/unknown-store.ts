import { LamplightError } from "@lamplight/errors";

/**
 * The refusal of a text that names no store, with the file that was probably meant.
 *
 * @param name - shows the text without secrets
 */
export const unknownStore = (url: string, name = urlWithoutSecrets(url)): LamplightError<"STORE__URL"> => {
  const path = pathIn(url);
  return new LamplightError("STORE__URL", path === null ? { url: name } : { url, nearest: `sqlite:${path}` });
};

/** The file that was probably meant; null where nothing resembles a path, or where it could contain a password. */
const pathIn = (url: string): string | null =>
  /^(?:(?:sqlite3?|file):(?:\/\/)?)?([^:@?#\s]+)$/u.exec(url)?.[1] ?? null;

/**
 * A URL without user, password and parameters, which may contain one. If the URL is unreadable, only the scheme stays,
 * because an unescaped password can look like any part.
 */
export const urlWithoutSecrets = (url: string): string => {
  const read = URL.canParse(url) ? new URL(url) : null;
  if (read === null || read.host === "" || read.pathname.includes("@"))
    return /[/@:?]/u.test(url) ? url.replace(/^(\w{1,12}:)?.*$/su, "$1…") : url;
  const schema = read.searchParams.get("schema");
  return `${read.protocol}//${read.host}${read.pathname}${schema === null ? "" : `?schema=${schema}`}`;
};
