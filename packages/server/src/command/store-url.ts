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

/** A store's URL as it may be shown and logged: without user and password. */
export const nameOfStore = (url: string): string => url.replace(/\/\/[^@/]*@/u, "//");
