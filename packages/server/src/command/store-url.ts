import { LamplightError } from "@lamplight/errors";

/** Where a store lies. */
export interface StoreAddress {
  readonly kind: "sqlite";
  readonly file: string;
}

/** @throws LamplightError `STORE__URL` */
export const parseStoreUrl = (url: string): StoreAddress => {
  const file = /^sqlite:(.+)$/su.exec(url)?.[1];
  if (file === undefined) throw new LamplightError("STORE__URL", { url });
  return { kind: "sqlite", file };
};
