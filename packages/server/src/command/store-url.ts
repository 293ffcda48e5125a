import { LamplightError } from "@lamplight/errors";

/** A store in a file. */
export interface StoreAddress {
  readonly kind: "sqlite";
  readonly file: string;
}

/** @throws LamplightError `STORE__URL`, also for a store that is no file */
export const parseStoreUrl = (url: string): StoreAddress => {
  const file = /^sqlite:(.+)$/su.exec(url)?.[1];
  if (file === undefined) throw new LamplightError("STORE__URL", { url: nameOfStore(url) });
  return { kind: "sqlite", file };
};

export const isPostgresUrl = (url: string): boolean => /^postgres(?:ql)?:\/\//u.test(url);

/**
 * A store's URL as it may be shown and logged: without user, password and parameters, which may name one. Of what cannot
 * be read only its kind: a password with a character that has to be escaped looks like anything.
 */
export const nameOfStore = (url: string): string => {
  if (url.startsWith("sqlite:")) return url;
  const read = URL.canParse(url) ? new URL(url) : null;
  if (read === null || read.host === "" || read.pathname.includes("@"))
    return /[/@:?]/u.test(url) ? url.replace(/^(\w{1,12}:)?.*$/su, "$1…") : url;
  const schema = read.searchParams.get("schema");
  return `${read.protocol}//${read.host}${read.pathname}${schema === null ? "" : `?schema=${schema}`}`;
};
