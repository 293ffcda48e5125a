import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { isPostgresUrl, parseStoreUrl } from "@lamplight/runtime";
import { dropPostgresStore } from "@lamplight/store-postgres";

/** Places for the stores of one lab, one after the other; nothing of them is left behind. */
export interface LabStores {
  /** URL of an empty place. */
  next(): string;
  close(): Promise<void>;
}

/**
 * @param url - `sqlite:FILE`: files in a folder next to FILE, named after it; `postgres://…`: schemas of that database;
 * null: temporary files
 */
export const openLabStores = (url: string | null): Promise<LabStores> =>
  url !== null && isPostgresUrl(url)
    ? Promise.resolve(schemasOf(url))
    : filesBeside(url === null ? null : parseStoreUrl(url).file);

const filesBeside = async (storeFile: string | null): Promise<LabStores> => {
  const prefix = storeFile === null ? join(tmpdir(), "lamplight-conformance-") : `${storeFile}-`;
  const folder = await mkdtemp(prefix);
  let made = 0;
  return {
    next: () => `sqlite:${join(folder, `${(made += 1)}-${basename(storeFile ?? "store.db")}`)}`,
    close: () => rm(folder, { recursive: true, force: true }),
  };
};

const schemasOf = (url: string): LabStores => {
  const name = `conformance_${randomBytes(6).toString("hex")}`;
  const made: string[] = [];
  return {
    next: () => {
      const store = new URL(url);
      store.searchParams.set("schema", `${name}_${made.length + 1}`);
      made.push(store.href);
      return store.href;
    },
    close: async () => {
      for (const store of made) await dropPostgresStore(store);
    },
  };
};
