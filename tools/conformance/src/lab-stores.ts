import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MaybePromise } from "@lamplight/core";
import { engineOf } from "@lamplight/runtime";

/** Places for the stores of one lab, one after the other; nothing of them is left behind. */
export interface LabStores {
  /** URL of an empty place, or of an empty store. */
  next(): MaybePromise<string>;
  /** Called with the URL of a store that was closed, and is not used any more. */
  giveBack?(url: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * @param url - `sqlite:FILE`: files next to FILE, named after it; `postgres://…`: schemas of that database; null:
 * temporary files
 */
export const openLabStores = async (url: string | null): Promise<LabStores> => {
  if (url !== null) return storesBeside(url);
  const folder = await mkdtemp(join(tmpdir(), "lamplight-conformance-"));
  return {
    ...storesBeside(`sqlite:${join(folder, "store.db")}`),
    close: () => rm(folder, { recursive: true }),
  };
};

const storesBeside = (url: string): LabStores => {
  const engine = engineOf(url);
  const name = `conformance_${randomBytes(6).toString("hex")}`;
  const made: string[] = [];
  return {
    next: () => {
      const store = engine.sibling(url, `${name}_${made.length + 1}`);
      made.push(store);
      return store;
    },
    close: async () => {
      for (const store of made) await engine.drop(store);
    },
  };
};
