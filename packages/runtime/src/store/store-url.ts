import { LamplightError } from "@lamplight/errors";

/** A store in a file. */
export interface StoreAddress {
  readonly kind: "sqlite";
  readonly file: string;
}

/** @throws LamplightError `STORE__URL`, also for a store that is no file */
export const parseStoreUrl = (url: string): StoreAddress => {
  const file = /^sqlite:(?!\/\/[^/])(.+)$/su.exec(url)?.[1];
  if (file !== undefined) return { kind: "sqlite", file };
  const path = pathIn(url);
  throw new LamplightError(
    "STORE__URL",
    path === null ? { url: nameOfStore(url) } : { url, nearest: `sqlite:${path}` },
  );
};

/** The file that was probably meant; null where nothing resembles a path, or where it could contain a password. */
const pathIn = (url: string): string | null =>
  /^(?:(?:sqlite3?|file):(?:\/\/)?)?([^:@?#\s]+)$/u.exec(url)?.[1] ?? null;

export const isPostgresUrl = (url: string): boolean => /^postgres(?:ql)?:\/\//u.test(url);

/**
 * The URL with the caller's permission for answers that mix slots, if the store is distributed over several
 * databases.
 */
export const acceptMixedSlots = (url: string): string => {
  if (!isPostgresUrl(url) || !URL.canParse(url)) return url;
  const accepting = new URL(url);
  accepting.searchParams.set("accept_mixed_slots", "on");
  return accepting.href;
};

/**
 * A store's URL for logs and pages: without user, password and parameters, which may contain one. Of an unreadable
 * URL only the scheme, because an unescaped password can look like any part.
 */
export const nameOfStore = (url: string): string => {
  if (url.startsWith("sqlite:")) return url;
  const read = URL.canParse(url) ? new URL(url) : null;
  if (read === null || read.host === "" || read.pathname.includes("@"))
    return /[/@:?]/u.test(url) ? url.replace(/^(\w{1,12}:)?.*$/su, "$1…") : url;
  const schema = read.searchParams.get("schema");
  return `${read.protocol}//${read.host}${read.pathname}${schema === null ? "" : `?schema=${schema}`}`;
};
