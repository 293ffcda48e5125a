import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Edition, type IndexStore, joinStored, type StoredAsset, reads } from "@lamplight/core";
import { decodeAddress } from "@lamplight/codecs";
import { openSqliteExport, openSqliteReader, openSqliteStore } from "@lamplight/store-sqlite";
import { writeEmptyStore } from "../../store-sqlite/test/empty-store.ts";
import { verifyRows } from "../src/verify/verify-rows.ts";

/** A real store in a folder of its own; what tests read from it goes through a read view. */
export interface TestStore {
  readonly store: IndexStore;
  /** Path of the store's file. */
  readonly file: string;
  findAsset(id: string): Promise<StoredAsset | null>;
  listEditions(parent: string): Promise<readonly Edition[]>;
  /** Problems that `verifyRows` finds in the file. */
  verifyRows(): Promise<readonly string[]>;
  close(): Promise<void>;
}

const EDITIONS_MAX = 1000;

export const openTestStore = (): TestStore => {
  const folder = mkdtempSync(join(tmpdir(), "lamplight-indexer-"));
  const file = join(folder, "index.db");
  writeEmptyStore(file);
  const store = openSqliteStore({ file, mode: "write" });
  const reader = openSqliteReader({ file });
  return {
    store,
    file,
    findAsset: async (id) => {
      const view = await reader.openView("finalized");
      try {
        const asset = await view.read(reads.ownAsset(decodeAddress(id)));
        return asset === null ? null : await joinStored(view, asset);
      } finally {
        view.close();
      }
    },
    listEditions: async (parent) => {
      const view = await reader.openView("finalized");
      try {
        return await view.read(
          reads.editions(decodeAddress(parent), { kind: "offset", offset: 0 }, EDITIONS_MAX),
        );
      } finally {
        view.close();
      }
    },
    verifyRows: async () => {
      const kept = openSqliteExport(file);
      try {
        return await verifyRows(kept, store);
      } finally {
        await kept.close();
      }
    },
    close: async () => {
      reader.close();
      await store.close();
      rmSync(folder, { recursive: true });
    },
  };
};

/** Runs `body` over an empty store, and closes it in every case. */
export const withTestStore = async <Result>(body: (store: TestStore) => Promise<Result>): Promise<Result> => {
  const store = openTestStore();
  try {
    return await body(store);
  } finally {
    await store.close();
  }
};
